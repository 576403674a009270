// Throws one of each kind: of which types the message can be told.
#include <stdexcept>
#include <string>

struct Other {
  virtual ~Other() = default;
};
struct Second : std::out_of_range {
  using out_of_range::out_of_range;
};
struct Third : Second {
  using Second::Second;
};
struct Both : std::runtime_error, Other {
  using runtime_error::runtime_error;
};
struct Virtual : virtual std::runtime_error {
  Virtual() : runtime_error("through a virtual base") {}
};
struct Own : std::exception {
  const char* what() const noexcept override { return "made when it is asked"; }
};

template <typename T>
__attribute__((noinline)) void thrower(T value) {
  try {
    throw value;
  } catch (...) {
  }
}

int main() {
  thrower(3);
  thrower<const char*>("text");
  thrower(std::string("string"));
  thrower(std::runtime_error("plain"));
  thrower(std::logic_error(""));
  thrower(Third("three times derived"));
  thrower(Both("two bases"));
  thrower(Virtual());
  thrower(Own());
  return 0;
}
