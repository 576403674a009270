// Templates, virtual functions, exceptions through several frames, lambdas, constructors and destructors, operators.
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const { return "shape"; }
};

class Box : public Shape {
 public:
  Box(double width, double height) : width_(width), height_(height) {
    if (width < 0 || height < 0) throw std::invalid_argument("negative side");
  }
  double area() const override { return width_ * height_; }
  std::string name() const override { return width_ < height_ ? "box" : "square"; }

 private:
  double width_, height_;
};

class Disc : public Shape {
 public:
  explicit Disc(double radius) : radius_(radius) {}
  double area() const override { return 3.0 * radius_ * radius_; }

 private:
  double radius_;
};

template <typename T>
T Clamp(T value, T low, T high) {
  if (value < low) return low;
  return value > high ? high : value;
}

template <typename Key, typename Value>
class Table {
 public:
  Value& operator[](const Key& key) { return values_[key]; }
  bool Has(const Key& key) const { return values_.count(key) != 0; }
  template <typename Visit>
  void Each(Visit visit) const {
    for (const auto& [key, value] : values_) visit(key, value);
  }

 private:
  std::map<Key, Value> values_;
};

struct Guard {
  explicit Guard(int& depth) : depth_(depth) { ++depth_; }
  ~Guard() { --depth_; }
  int& depth_;
};

double Nested(int levels, int& depth) {
  const Guard guard(depth);
  if (levels == 0) throw std::runtime_error("the bottom");
  return Nested(levels - 1, depth) + 1;
}

double Attempt(int levels) {
  int depth = 0;
  try {
    return Nested(levels, depth);
  } catch (const std::runtime_error&) {
    if (levels > 3) throw std::logic_error("too deep");
    return depth;
  }
}

std::unique_ptr<Shape> Make(const std::string& kind, double size) {
  if (kind == "box") return std::make_unique<Box>(size, size + 1);
  if (kind == "square") return std::make_unique<Box>(size, size);
  if (kind == "disc") return std::make_unique<Disc>(size);
  return nullptr;
}

}  // namespace shapes

int main() {
  using namespace shapes;
  Table<std::string, double> areas;
  for (int i = -2; i < 6; ++i) {
    for (const char* kind : {"box", "square", "disc", "star"}) {
      try {
        const std::unique_ptr<Shape> shape = Make(kind, i);
        if (shape != nullptr) areas[shape->name()] += Clamp(shape->area(), 0.0, 20.0);
      } catch (const std::invalid_argument& error) {
        areas[error.what()] += 1;
      }
    }
  }
  double total = 0;
  areas.Each([&](const std::string& name, double area) {
    std::printf("%s %g\n", name.c_str(), area);
    total += area;
  });
  const std::function<int(int)> twice = [](int x) { return Clamp(x * 2, 0, 9); };
  std::vector<int> numbers(7);
  std::iota(numbers.begin(), numbers.end(), 1);
  for (int& number : numbers) number = twice(number);
  for (int levels = 0; levels < 6; ++levels) {
    try {
      total += Attempt(levels);
    } catch (const std::logic_error&) {
      total += 100;
    }
  }
  std::printf("%g %d %d\n", total, numbers.back(), areas.Has("star"));
  return 0;
}
