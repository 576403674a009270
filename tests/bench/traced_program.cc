// What the cost of tracing is measured on: many small functions (a parser of expressions, trees with virtual functions,
// a hash table, sorting).
// usage: traced_program ROUNDS
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Node {
  virtual ~Node() = default;
  virtual int64_t Value(int64_t x) const = 0;
};
struct Number : Node {
  explicit Number(int64_t n) : n_(n) {}
  int64_t Value(int64_t) const override { return n_; }
  int64_t n_;
};
struct Variable : Node {
  int64_t Value(int64_t x) const override { return x; }
};
struct Operation : Node {
  Operation(char op, std::unique_ptr<Node> a, std::unique_ptr<Node> b) : op_(op), a_(std::move(a)), b_(std::move(b)) {}
  int64_t Value(int64_t x) const override {
    const int64_t a = a_->Value(x), b = b_->Value(x);
    switch (op_) {
      case '+': return a + b;
      case '-': return a - b;
      case '*': return (a * b) % 1000003;
      default: return b == 0 ? 0 : a / b;
    }
  }
  char op_;
  std::unique_ptr<Node> a_, b_;
};

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}
  std::unique_ptr<Node> Sum() {
    auto left = Product();
    while (Is('+') || Is('-')) {
      const char op = Take();
      left = std::make_unique<Operation>(op, std::move(left), Product());
    }
    return left;
  }

 private:
  bool Is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  char Take() { return text_[at_++]; }
  std::unique_ptr<Node> Product() {
    auto left = Atom();
    while (Is('*') || Is('/')) {
      const char op = Take();
      left = std::make_unique<Operation>(op, std::move(left), Atom());
    }
    return left;
  }
  std::unique_ptr<Node> Atom() {
    if (Is('(')) {
      Take();
      auto inner = Sum();
      Take();
      return inner;
    }
    if (Is('x')) {
      Take();
      return std::make_unique<Variable>();
    }
    int64_t n = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') n = n * 10 + (Take() - '0');
    return std::make_unique<Number>(n);
  }
  const std::string& text_;
  size_t at_ = 0;
};

uint64_t Hash(uint64_t key) { return (key ^ key >> 29) * 0xbf58476d1ce4e5b9u; }

class Table {
 public:
  Table() : slots_(1 << 12) {}
  void Add(uint64_t key) {
    size_t at = Place(key);
    while (slots_[at] != 0 && slots_[at] != key) at = Next(at);
    slots_[at] = key;
  }

 private:
  size_t Place(uint64_t key) const { return Hash(key) & (slots_.size() - 1); }
  size_t Next(size_t at) const { return (at + 1) & (slots_.size() - 1); }
  std::vector<uint64_t> slots_;
};

bool Less(int64_t a, int64_t b) { return a < b; }

void Sort(std::vector<int64_t>& values, size_t low, size_t high) {
  if (high - low < 2) return;
  size_t split = low;
  for (size_t i = low + 1; i < high; ++i) {
    if (!Less(values[i], values[low])) continue;
    ++split;
    std::swap(values[i], values[split]);
  }
  std::swap(values[low], values[split]);
  Sort(values, low, split);
  Sort(values, split + 1, high);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  const std::string text = "(x+3)*(x-7)+12*x/(5+x)-(2+(x*x-4)*(9-x))";
  int64_t total = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto tree = Parser(text).Sum();
    Table table;
    std::vector<int64_t> values;
    for (int64_t x = 0; x < 300; ++x) {
      values.push_back(tree->Value((x * 7919 + round) % 1009));
      table.Add(Hash(static_cast<uint64_t>(values.back())) | 1);
    }
    Sort(values, 0, values.size());
    total += values[static_cast<size_t>(round) % values.size()];
  }
  std::printf("%lld\n", static_cast<long long>(total));
  return 0;
}
