// Functions with names of many kinds, each called once; the test knows what each is called.
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

namespace geo {

template <class T>
struct Box {
  T value;
  explicit Box(T v) : value(v) {}
  ~Box() {}
  T get() const { return value; }
  operator T*() { return &value; }
  explicit operator bool() const { return value != 0; }
  bool operator<(const Box& other) const { return value < other.value; }
  T operator()(int n) { return value + n; }
  T operator[](int n) & { return value + n; }
  template <class U>
  U as() const {
    return static_cast<U>(value);
  }
};

template <class T>
bool operator>(const Box<T>& a, const Box<T>& b) {
  return a.value > b.value;
}

template <class T>
int (*pick(T))(int) {
  return std::abs;
}

struct Pooled {
  static void* operator new(size_t size) { return std::malloc(size); }
  static void operator delete(void* memory) { std::free(memory); }
};

struct Base {
  virtual ~Base() = default;
  virtual int first() { return 1; }
};
struct Other {
  virtual ~Other() = default;
  virtual int second() { return 2; }
};
struct Both : Base, Other {
  int second() override { return 3; }
};

namespace {
int hidden(int n) { return n; }
}  // namespace

}  // namespace geo

long double operator"" _km(long double n) { return n * 1000; }

std::string tagged() { return "x"; }

int outer(int n) {
  struct Local {
    int run(int k) { return k; }
  };
  const auto add = [n](int k) { return n + k; };
  return Local().run(1) + add(2);
}

int apply(const std::function<int(int)>& call) { return call(1); }

int main() {
  geo::Box<int> box(4), other(5);
  int sum = box.get() + *static_cast<int*>(box) + static_cast<bool>(std::as_const(box)) + (box < other) + (box > other) + box(1) + box[2];
  sum += static_cast<int>(box.as<long>()) + geo::pick<char>('a')(-3) + geo::hidden(1) + static_cast<int>(1.5_km);
  delete new geo::Pooled;
  geo::Other* const both = new geo::Both;
  sum += both->second() + static_cast<int>(tagged().size()) + outer(2) + apply([](int n) { return n; });
  delete both;
  return sum == 0;
}
