// Functions that return pointers to functions: their names stand in the middle of what the demangler writes.
namespace lib {

struct X {
  void go() {}
};
using Go = void (X::*)();
using Twice = int (*)(int);

int twice(int n) { return 2 * n; }
template <typename T>
T&& pass(T& value) {
  return static_cast<T&&>(value);
}
template <typename T>
Twice pick(T) {
  return twice;
}
template <typename T>
Go member(T) {
  return &X::go;
}

}  // namespace lib

int main() {
  lib::Go go = lib::member(1);
  lib::X x;
  (x.*lib::pass(go))();
  return lib::pick('c')(2) - 4;
}
