#include <gtest/gtest.h>

#include <random>

#include "tracer/model/event.h"

namespace oscope {
namespace {

struct NameCase {
  const char* shown;
  const char* normal;
};

const NameCase kNames[] = {
    // C, and what compilers and linkers append.
    {"main", "main"},
    {"  main  ", "main"},
    {"foo.isra.0", "foo"},
    {"foo.part.3", "foo"},
    {"foo.constprop.1", "foo"},
    {"foo.constprop.0.isra.2.cold", "foo"},
    {"foo.cold", "foo"},
    {"foo.cold.17", "foo"},
    {"foo.lto_priv.0", "foo"},
    {"foo.llvm.1234567890", "foo"},
    {"foo.localalias", "foo"},
    {"foo.1234", "foo"},
    {"printf@plt", "printf"},
    {"memcpy@@GLIBC_2.14", "memcpy"},
    {"memcpy@GLIBC_2.2.5", "memcpy"},
    {"foo+0x1f", "foo"},
    {"foo (x=3, y=0x7f)", "foo"},
    {"static int parse(char const*)", "parse"},
    {"char *name(int)", "name"},
    {"__libc_start_main", "__libc_start_main"},
    {"a name with spaces", "a name with spaces"},
    // C++.
    {"net::Socket::read(char*, unsigned long) const", "net::Socket::read"},
    {"::net::read(int)", "net::read"},
    {"std::string parse[abi:cxx11](int) [clone .cold]", "parse"},
    {"foo(int) [clone .isra.0] [clone .cold]", "foo"},
    {"foo(int) (.cold)", "foo"},
    {"void foo<int>(int)", "foo<int>"},
    {"unsigned long const& a::foo<int, 3>(int)", "a::foo<int, 3>"},
    {"std::enable_if<((3)>(2)), int>::type foo<4>(int)", "foo<4>"},
    {"decltype (fn(0)) call<int (*)(int)>(int (*)(int), int)", "call<int (*)(int)>"},
    {"decltype(auto) call<int>(int)", "call<int>"},
    {"void (*pick<int>(int))(char)", "pick<int>"},
    {"int (&row<int>(int))[3]", "row<int>"},
    {"int (C::*member<int>(int))(char)", "member<int>"},
    {"void (X::*&& std::forward<void (X::*)()>(std::remove_reference<void (X::*)()>::type&))()",
     "std::forward<void (X::*)()>"},
    {"std::function<void (int, std::vector<char>)>::operator()(int, std::vector<char>) const",
     "std::function<void (int, std::vector<char>)>::operator()"},
    {"f<(Color)1>(int)", "f<(Color)1>"},
    {"f<(A::B)0, &(g(int))>::h()", "f<(A::B)0, &(g(int))>::h"},
    {"A<&A::operator<< >::g(int)", "A<&A::operator<< >::g"},
    {"A<(&B::operator->)>::g(int)", "A<(&B::operator->)>::g"},
    {"(anonymous namespace)::f(int)", "f"},
    {"net::(anonymous namespace)::f(int)", "net::f"},
    {"net::{anonymous}::f", "net::f"},
    {"<unnamed>::f(int)", "f"},
    {"g<(anonymous namespace)::T>((anonymous namespace)::T)", "g<T>"},
    {"A::A(int)", "A::A"},
    {"A::~A()", "A::~A"},
    {"non-virtual thunk to B::f(int)", "B::f"},
    {"virtual thunk to B::~B()", "B::~B"},
    {"A::f() &&", "A::f"},
    {"A::f() const &", "A::f"},
    {"A::f() const volatile&", "A::f"},
    // Operators.
    {"A::operator()(int) const", "A::operator()"},
    {"A::operator[](unsigned long)", "A::operator[]"},
    {"operator<<(std::ostream&, A const&)", "operator<<"},
    {"std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>"},
    {"std::ostream& std::operator<<<char>(std::ostream&, char)", "std::operator<<<char>"},
    {"bool operator<<int>(A<int>, A<int>)", "operator<<int>"},
    {"bool operator< <int>(A<int>, A<int>)", "operator< <int>"},
    {"A::operator<(A const&) const", "A::operator<"},
    {"A::operator>(A const&) const", "A::operator>"},
    {"A::operator<=>(A const&) const", "A::operator<=>"},
    {"A::operator->() const", "A::operator->"},
    {"A::operator->*(int A::*) const", "A::operator->*"},
    {"A::operator,(int)", "A::operator,"},
    {"A::operator/(A)", "A::operator/"},
    {"operator/(A, A)", "operator/"},
    {"operator new(unsigned long)", "operator new"},
    {"operator new[](unsigned long)", "operator new[]"},
    {"operator delete[](void*)", "operator delete[]"},
    {"A::operator new(unsigned long)", "A::operator new"},
    {"A::operator newtype() const", "A::operator newtype"},
    {"operator\"\" _kb(unsigned long long)", "operator\"\" _kb"},
    {"A::operator co_await() const", "A::operator co_await"},
    {"A::operator bool() const", "A::operator bool"},
    {"A::operator unsigned int() const", "A::operator unsigned int"},
    {"A::operator std::string() const", "A::operator std::string"},
    {"A::operator std::function<void (int)>() const", "A::operator std::function<void (int)>"},
    {"A::operator int (*)(int)() const", "A::operator int"},
    {"operators::run(int)", "operators::run"},
    {"my_operator(int)", "my_operator"},
    // Scopes inside functions.
    {"foo()::{lambda(int)#1}::operator()(int) const", "foo::{lambda(int)#1}::operator()"},
    {"foo(int) const::{lambda()#2}::operator()() const", "foo::{lambda()#2}::operator()"},
    {"void foo()::{lambda(auto:1)#1}::operator()<int>(int) const", "foo::{lambda(auto:1)#1}::operator()<int>"},
    {"foo()::{lambda(int)#1}::operator()(int)::{lambda()#1}::operator()() const",
     "foo::{lambda(int)#1}::operator()::{lambda()#1}::operator()"},
    {"foo()::'lambda'(int)::operator()(int) const", "foo::{lambda(int)#1}::operator()"},
    {"foo()::'lambda0'(int)::operator()(int) const", "foo::{lambda(int)#2}::operator()"},
    {"foo()::<lambda(int)>::operator()(int) const", "foo::{lambda(int)#1}::operator()"},
    {"foo()::$_0::operator()(int) const", "foo::$_0::operator()"},
    {"foo(int)::Local::bar(char)", "foo::Local::bar"},
    {"A::operator bool() const::{lambda()#1}::operator()() const", "A::operator bool::{lambda()#1}::operator()"},
    {"(anonymous class)::operator()(int) const", "(anonymous class)::operator()"},
    {"core::ptr::drop_in_place::h0123456789abcdef", "core::ptr::drop_in_place"},
    // Java, Python, Go.
    {"org.apache.X.m", "org.apache.X.m"},
    {"org.apache.X.m(X.java:3)", "org.apache.X.m"},
    {"org/apache/X.m", "org.apache.X.m"},
    {"org/apache/X", "org.apache.X"},
    {"org.apache.X.<init>", "org.apache.X.<init>"},
    {"org.apache.X.<init>(X.java:12)", "org.apache.X.<init>"},
    {"org/apache/X.<clinit>()V", "org.apache.X.<clinit>"},
    {"org.apache.X$1.run", "org.apache.X$1.run"},
    {"java.base/java.lang.Thread.run(Thread.java:833)", "java.lang.Thread.run"},
    {"java.base@17.0.1/java.lang.Thread.run", "java.lang.Thread.run"},
    {"com.foo.loader/foo@9.0/com.foo.Main.run(Main.java:101)", "com.foo.Main.run"},
    {"app//com.example.Main.main(Main.java:5)", "com.example.Main.main"},
    {"com.example.Main$$Lambda$14/0x0000000800066840.run", "com.example.Main$$Lambda.run"},
    {"public static void org.apache.X.main(java.lang.String[])", "org.apache.X.main"},
    {"org.operator.X.run", "org.operator.X.run"},
    {"package.module.Class.method", "package.module.Class.method"},
    {"module.outer.<locals>.inner", "module.outer.<locals>.inner"},
    {"<module>", "<module>"},
    {"<lambda>", "<lambda>"},
    {"net/http.(*Server).Serve", "net.http.(*Server).Serve"},
    {"-[NSString length]", "-[NSString length]"},
    // Nothing to take away, or nothing would be left.
    {"", ""},
    {"()", "()"},
    {"(anonymous namespace)::", "(anonymous namespace)::"},
    {"_ZN3net4readEv", "_ZN3net4readEv"},
    {"f<int", "f<int"},
    {"f(int", "f"},
};

TEST(NormaliseMethod, GivesEachNameItsOneForm) {
  for (const NameCase& name : kNames) EXPECT_EQ(NormaliseMethod(name.shown), name.normal) << name.shown;
}

TEST(NormaliseMethod, TwiceIsOnce) {
  for (const NameCase& name : kNames) {
    const std::string once = NormaliseMethod(name.shown);
    EXPECT_EQ(NormaliseMethod(once), once) << name.shown;
  }
}

TEST(NormaliseMethod, TwiceIsOnceForAnySequenceOfPieces) {
  const std::string_view pieces[] = {"a",
                                     "b1",
                                     "::",
                                     ".",
                                     "/",
                                     "<",
                                     ">",
                                     "(",
                                     ")",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     " ",
                                     "*",
                                     "&",
                                     "operator",
                                     "operator()",
                                     "new",
                                     "'lambda'",
                                     "{lambda",
                                     "#1}",
                                     "[abi:x]",
                                     "@plt",
                                     "@",
                                     "~",
                                     ".cold",
                                     ".isra.0",
                                     "const",
                                     "decltype",
                                     "(anonymous namespace)::",
                                     "$$Lambda",
                                     "+0x1f",
                                     "\"\"",
                                     "->",
                                     "::h0123456789abcdef",
                                     " [clone .cold]",
                                     "\xff",
                                     "<lambda(",
                                     "non-virtual thunk to "};
  std::mt19937_64 random(7);
  for (int round = 0; round < 200'000; ++round) {
    std::string name;
    for (size_t i = 1 + random() % 12; i > 0; --i) name += pieces[random() % std::size(pieces)];
    const std::string once = NormaliseMethod(name);
    ASSERT_EQ(NormaliseMethod(once), once) << name;
    ASSERT_FALSE(once.empty()) << name;
  }
}

TEST(NormaliseMethod, SurvivesHostileNames) {
  const std::string_view pieces[] = {"(",           "<", "f<(",   "operator",  ".cold", "(*",         "::",
                                     "(anonymous ", "]", "[abi:", "'lambda'(", ":: ::", "'lambda'()", "operator a::"};
  for (const std::string_view piece : pieces) {
    std::string name;
    while (name.size() < 65'000) name += piece;
    const std::string once = NormaliseMethod(name);
    EXPECT_EQ(NormaliseMethod(once), once) << piece;
  }
}

TEST(ClassOf, IsTheInnermostScope) {
  const struct {
    const char *method, *scope, *package;
  } cases[] = {
      {"net::Socket::read", "net::Socket", "net"},
      {"org.apache.beanutils.LazyDynaBean.get", "org.apache.beanutils.LazyDynaBean", "org.apache.beanutils"},
      {"org/apache/X/m", "org/apache/X", "org/apache"},
      {"main", "", ""},
      {"Socket::read", "Socket", ""},
      {"std::map<a::b, c.d>::find", "std::map<a::b, c.d>", "std"},
      {"A::operator/", "A", ""},
      {"A::operator std::string", "A", ""},
      {"operator<<", "", ""},
      {"ns::foo::{lambda(a::b)#1}::operator()", "ns::foo::{lambda(a::b)#1}", "ns::foo"},
      {"org.apache.X$1.<init>", "org.apache.X$1", "org.apache"},
      {"", "", ""},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(ClassOf(c.method), c.scope) << c.method;
    EXPECT_EQ(PackageOf(c.method), c.package) << c.method;
  }
}

}  // namespace
}  // namespace oscope
