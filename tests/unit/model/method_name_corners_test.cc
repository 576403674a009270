// Every turn that reading a method's name can take, with the name it must come to.
#include <gtest/gtest.h>

#include "tracer/model/event.h"

namespace oscope {
namespace {

struct NameCase {
  std::string_view shown, normal;
};

constexpr NameCase kCorners[] = {
    {"operator::run(int)", "operator::run"},
    {"operator.run(int)", "operator.run"},
    {"operator", "operator"},
    {"a::operator", "a::operator"},
    {"my_operator<int>::f(int)", "my_operator<int>::f"},
    {"my$operator<int>(int)", "my$operator<int>"},
    {"cooperator(int)", "cooperator"},
    {"A::operator<<_T>(int)", "A::operator<<_T>"},
    {"A::operator<<$T>(int)", "A::operator<<$T>"},
    {"A::operator<<9>(int)", "A::operator<<9>"},
    {"A::operator<<(int)", "A::operator<<"},
    {"A::operator<<", "A::operator<<"},
    {"A::operator<<<int>(int)", "A::operator<<<int>"},
    {"A::operator<< <A<int> >(int)", "A::operator<< <A<int> >"},
    {"A::operator< <A<int> >(int)", "A::operator< <A<int> >"},
    {"A::operator-> <int>(int)", "A::operator-> <int>"},
    {"A::operator\"\"_kb(int)", "A::operator\"\"_kb"},
    {"operator\"\"   _kb(int)", "operator\"\"   _kb"},
    {"operator\"\" _kb<'a', 'b'>()", "operator\"\" _kb<'a', 'b'>"},
    {"operator new", "operator new"},
    {"operator delete(void*)", "operator delete"},
    {"operator delete", "operator delete"},
    {"operator newer()", "operator newer"},
    {"operator new_thing()", "operator new_thing"},
    {"A::operator delete[](void*, unsigned long)", "A::operator delete[]"},
    {"A::operator delete<int>(int)", "A::operator delete<int>"},
    {"A::operator co_awaited()", "A::operator co_awaited"},
    {"A::operator co_await", "A::operator co_await"},
    {"A::operator bool ()", "A::operator bool"},
    {"A::operator B[3]()", "A::operator B[3]"},
    {"A::operator B<(1)>()", "A::operator B<(1)>"},
    {"A::operator char const*() const", "A::operator char const*"},
    {"A::operator {x::y}()", "A::operator {x::y}"},
    {"A::operator a::b::c() const", "A::operator a::b::c"},
    {"A::operator a::b::operator()(int)", "A::operator a::b::operator()"},
    {"A::operator a::{lambda()#1}()", "A::operator a::{lambda()#1}"},
    {"A::operator a::operators()", "A::operator a::operators"},
    {"A<int>::operator B<int>() const::{lambda()#1}::operator()() const",
     "A<int>::operator B<int>::{lambda()#1}::operator()"},
    {"X<(a > b)>::f(int)", "X<(a > b)>::f"},
    {"X<(a > b), c>::f(int)", "X<(a > b), c>::f"},
    {"X<a->b>::f(int)", "X<a->b>::f"},
    {"X<decltype (a->b)>::f(int)", "X<decltype (a->b)>::f"},
    {"X<[a>b]>::f(int)", "X<[a>b]>::f"},
    {"X<{a>b}>::f(int)", "X<{a>b}>::f"},
    {"X<a)>::f(int)", "X<a)>::f"},
    {"X<a]>::f(int)", "X<a]>::f"},
    {"X<a}>::f(int)", "X<a}>::f"},
    {"X<(a]>::f(int)", "X<(a]>::f(int)"},
    {"X<(a<b)>::f(int)", "X<(a<b)>::f"},
    {"X<(a<b)>c>::f(int)", "X<(a<b)>c>::f"},
    {"X<{(}>::f(int)", "X<{(}>::f"},
    {"X<[(]>::f(int)", "X<[(]>::f"},
    {"X<[{]>::f(int)", "X<[{]>::f"},
    {"X<{<}>::f(int)", "X<{<}>::f"},
    {"X<&operator> >::f(int)", "X<&operator> >::f"},
    {"X<&operator()>::f(int)", "X<&operator()>::f"},
    {"X<&operator bool>::f(int)", "X<&operator bool>::f"},
    {"X<&operator[]>::f(int)", "X<&operator[]>::f"},
    {"X<operator<>::f(int)", "X<operator<>::f"},
    {"f(a, b(c), d)", "f"},
    {"f(a, (b)::g", "f"},
    {"f((a)::g)::h()", "f::h"},
    {"f(g<a)>)::h()", "f"},
    {"f({)})::h()", "f"},
    {"f([)])::h()", "f"},
    {"{f}(int)", "{f}"},
    {"{a(b)}::g(int)", "{a(b)}::g"},
    {"[a b]::g(int)", "[a b]::g"},
    {"f)", "f"},
    {"f)g", "f"},
    {"(f)", "(f)"},
    {"f(int))::g", "f"},
    {"a::(anonymous namespace)::b::(anonymous namespace)::c()", "a::b::c"},
    {"a::<unnamed>::b(int)", "a::b"},
    {"a::`anonymous namespace'::b(int)", "a::b"},
    {"a::_GLOBAL__N_1::b(int)", "a::b"},
    {"_GLOBAL__N_1::b", "b"},
    {"(anonymous namespace)::(anonymous namespace)::b(int)", "b"},
    {"parse[abi:cxx11]", "parse"},
    {"parse[abi:cxx11](int)", "parse"},
    {"parse [abi:cxx11](int)", "parse"},
    {"parse[abi:a][abi:b](int)", "parse"},
    {"a[abi:x]::b[abi:y]::c()", "a::b::c"},
    {"parse[abi:cxx11", "parse[abi:cxx11"},
    {"parse[xabi:]", "parse[xabi:]"},
    {"a[clone .cold]", "a"},
    {"a[0][abi:x]", "a[0]"},
    {"f(int)   [clone .part.0]", "f"},
    {"transaction clone for f(int)", "f"},
    {"non-transaction clone for f(int)", "f"},
    {"covariant return thunk to A::f()", "A::f"},
    {"non-virtual thunk to virtual thunk to A::f()", "A::f"},
    {"virtual thunk to non-virtual thunk to   A::f()", "A::f"},
    {"virtual thunk to", "virtual thunk to"},
    {"virtual thunk tof", "virtual thunk tof"},
    {"Main$$Lambda$14.run", "Main$$Lambda.run"},
    {"Main$$Lambda.run", "Main$$Lambda.run"},
    {"Main$$Lambda$14/0x00ff.run", "Main$$Lambda.run"},
    {"Main$$Lambda/0x00fF.run", "Main$$Lambda.run"},
    {"Main$$Lambda$14/1234567.run", "Main$$Lambda.run"},
    {"Main$$Lambda$14/", "Main$$Lambda"},
    {"Main$$Lambda$14", "Main$$Lambda"},
    {"Main$Lambda$14.run", "Main$Lambda$14.run"},
    {"/usr/lib/libc.so", "/usr/lib/libc.so"},
    {"/usr/lib/x(int)", "/usr/lib/x"},
    {"a/b/c", "a.b.c"},
    {"a/b", "a.b"},
    {"a.b/c", "c"},
    {"a.b/c/d", "a.b.c.d"},
    {"a/b.c", "a.b.c"},
    {"a//b", "b"},
    {"a//b//c.d", "c.d"},
    {"a//b(c/d)", "b"},
    {"loader//mod@1/com.X.m", "com.X.m"},
    {"java.base/java.lang.X.m(a/b)", "java.lang.X.m"},
    {"a/b::c", "a/b::c"},
    {"a/b c", "a/b c"},
    {"a/operator.b", "a/operator.b"},
    {"com/X.m(La/b/C;)V", "com.X.m"},
    {"a(b/c)", "a"},
    {"@plt", "@plt"},
    {"@", "@"},
    {"a@", "a@"},
    {"a@@", "a@@"},
    {"a@.x", "a@.x"},
    {"a@@.x", "a@@.x"},
    {"a@b.c", "a"},
    {"a@b c", "a@b c"},
    {"a@b-c", "a@b-c"},
    {"a@b::c(int)", "a@b::c"},
    {"a@GLIBC_2.2.5(int)", "a"},
    {"foo.1", "foo"},
    {".1", ".1"},
    {"a.12", "a"},
    {"a.1.2", "a"},
    {"1.2", "1"},
    {"12", "12"},
    {"foo.isra", "foo.isra"},
    {"foo.isra.12", "foo"},
    {"foo.part.1.isra.2", "foo"},
    {"foo.clone.3", "foo"},
    {"foo.lto_priv.1.cold", "foo"},
    {"foo.cold.localalias", "foo"},
    {"foo.localalias.4", "foo"},
    {".cold", ".cold"},
    {"a.cold", "a"},
    {"foo.cold.isra.0", "foo"},
    {"foo.other.3", "foo.other"},
    {"foo.1a", "foo.1a"},
    {"foo+0x", "foo+0x"},
    {"foo+0x1", "foo"},
    {"foo+0xabcdef0123456789", "foo"},
    {"foo+1", "foo+1"},
    {"+0x1", "+0x1"},
    {"a+0xg", "a+0xg"},
    {"a+0x1.cold", "a"},
    {"a::h0123456789abcdef", "a"},
    {"a::h0123456789abcde", "a::h0123456789abcde"},
    {"a::h0123456789abcdef0", "a::h0123456789abcdef0"},
    {"a::h0123456789ABCDEF", "a::h0123456789ABCDEF"},
    {"::h0123456789abcdef", "h0123456789abcdef"},
    {"a::b::h0123456789abcdef.llvm.123", "a::b"},
    {"void a::f", "void a::f"},
    {"int *f(int)", "f"},
    {"int &f(int)", "f"},
    {"int && f(int)", "f"},
    {"int * * f(int)", "f"},
    {"int *::a::f(int)", "a::f"},
    {":: ::a::f(int)", "a::f"},
    {"::a", "a"},
    {"a:b", "a:b"},
    {"a:b(int)", "a:b"},
    {":a(int)", ":a"},
    {"a: :b(int)", ":b"},
    {"a::b::", "a::b::"},
    {"a::<lambda(int, char)>::operator()(int)", "a::{lambda(int, char)#1}::operator()"},
    {"a::<lambda()>::f()", "a::{lambda()#1}::f"},
    {"<lambda(int)>", "{lambda(int)#1}"},
    {"a::<lambda(int>::f()", "a::<lambda(int>::f()"},
    {"a::<lambda>::f()", "a::<lambda>::f"},
    {"a::'lambda'()::operator()() const", "a::{lambda()#1}::operator()"},
    {"a::'lambda1'()::operator()() const", "a::{lambda()#3}::operator()"},
    {"a::'lambda12'(int)::operator()(int)", "a::{lambda(int)#14}::operator()"},
    {"a::'lambda99999999'()::f()", "a::{lambda()#100000001}::f"},
    {"a::'lambda999999999'()::f()", "a::'lambda999999999'::f"},
    {"a::'lambda'", "a::'lambda'"},
    {"a::'lambda'x()", "a::'lambda'x"},
    {"a::'lambdax'()", "a::'lambdax'"},
    {"a::'other'()", "a::'other'"},
    {"a'b(int)", "a'b"},
    {"a::'unnamed'::f(int)", "a::'unnamed'::f"},
    {"foo (int)", "foo"},
    {"foo (int) const", "foo"},
    {"foo bar (int)", "bar"},
    {"foo bar", "foo bar"},
    {"foo bar<int>", "bar<int>"},
    {"a<int> b", "b"},
    {"a (b) c", "a"},
    {"f(int) bar", "f"},
    {"f(int) const bar", "f"},
    {"f(int)const::g()", "f::g"},
    {"f(int) constexpr::g()", "f"},
    {"f(int) const_::g()", "f"},
    {"f(int) volatile::g()", "f::g"},
    {"f(int) restrict::g()", "f::g"},
    {"f(int) noexcept::g()", "f::g"},
    {"f(int) const volatile::g()", "f::g"},
    {"f(int) volatile const::g()", "f::g"},
    {"f(int) const &::g()", "f::g"},
    {"f(int) &::g()", "f::g"},
    {"f(int) &&::g()", "f::g"},
    {"f(int) && noexcept::g()", "f::g"},
    {"f(int) const   volatile   && ::g()", "f::g"},
    {"f(int)::g(char)::h()", "f::g::h"},
    {"f(int).g", "f"},
    {"(a)::f(int)", "(a)::f"},
    {"(a).f(int)", "(a).f"},
    {"(a)f(int)", "(a)f(int)"},
    {"a::(b)::f(int)", "a::(b)::f"},
    {"a::(b).c(int)", "a::(b).c"},
    {"a.(b)::f(int)", "a.(b)::f"},
    {"a.(*T).f(int)", "a.(*T).f"},
    {"a(b)::f(int)", "a::f"},
    {"a(b).f(int)", "a"},
    {"decltype (x) f(int)", "f"},
    {"decltype(x) f(int)", "f"},
    {"decltype(x)::type f(int)", "f"},
    {"decltype((a) + (b)) g<int>(int)", "g<int>"},
    {"xdecltype(x)::f()", "xdecltype(x)::f"},
    {"void (*f(int))(char)", "f"},
    {"void (**f(int))(char)", "f"},
    {"void (& f(int))(char)", "f"},
    {"void (*(*f(int))(char))(long)", "f"},
    {"void (*)(char)", "void"},
    {"void (f)(char)", "void"},
    {"void (*~f(int))(char)", "~f"},
    {"void (*::f(int))(char)", "f"},
    {"void (C::*f(int))(char)", "f"},
    {"void (C::* const f(int))(char)", "f"},
    {"void (C::**&f(int))(char)", "f"},
    {"void (A::B::*C::f(int))(char)", "C::f"},
    {"void (*f(int C::*))(char)", "f"},
    {"void (*f", "f"},
    {"void (*", "void"},
    {"void (", "void"},
    {"int (&f())[3]", "f"},
    {"x(*f(int))(char)", "x"},
    {"(*f(int))(char)", "f"},
    {"(&f(int))", "f"},
    {"( *f(int))", "( *f(int))"},
    {"(C::*f)(int)", "f"},
    {"(C::*)(int)", "(C::*)(int)"},
    {"void (C::*)(int)", "void"},
    {"void (* $f(int))(char)", "$f"},
    {"void (* <f>(int))(char)", "void"},
    {"std::function<void (*)(int)> f(int)", "f"},
    {"A<int>::~A()", "A<int>::~A"},
    {"A::~A", "A::~A"},
    {"~A()", "~A"},
    {"f<int>", "f<int>"},
    {"f<int>(int) [with T = int]", "f<int>"},
    {"int f(T) [with T = int; U = char]", "f"},
    {"f<A<B<C> > >::g<D>()", "f<A<B<C> > >::g<D>"},
    {"f<>()", "f<>"},
    {"f<>>()", "f<>>"},
    {"f<'>'>()", "f<'>'>"},
    {"f<\">\">()", "f<\">\">"},
    {"<f>(int)", "<f>"},
    {"<f>::g(int)", "<f>::g"},
    {"org.apache.X.lambda$main$0(X.java:3)", "org.apache.X.lambda$main$0"},
    {"org.apache.X.access$000", "org.apache.X.access$000"},
    {"org.apache.X$Y$1.<init>(X.java)", "org.apache.X$Y$1.<init>"},
    {"a.b.<locals>.<lambda>", "a.b.<locals>.<lambda>"},
    {"a.b.<genexpr>", "a.b.<genexpr>"},
    {"main.(*T).Method", "main.(*T).Method"},
    {"main.func1", "main.func1"},
    {"main.func1.2", "main.func1"},
    {"-[NSString length:with:]", "-[NSString length:with:]"},
    {"+[NSString string]", "+[NSString string]"},
    {"com.foo.loader/foo@9.0/com.foo.Main.run(Main.java:101)", "com.foo.Main.run"},
    {"app/foo@9.0/com.foo.Main.run", "com.foo.Main.run"},
    {"foo@9/com.foo.Main.run", "com.foo.Main.run"},
    {"com.foo.loader//com.foo.Main.run", "com.foo.Main.run"},
    {"a@plt(b/c)", "a"},
    {"f [abi:x]::g", "f::g"},
    {"Main$$Lambda$10.run", "Main$$Lambda.run"},
    {"Main$$Lambda$90.run", "Main$$Lambda.run"},
};

TEST(MethodNameCorners, EachComesToItsOneForm) {
  for (const NameCase& name : kCorners) {
    EXPECT_EQ(NormaliseMethod(name.shown), name.normal) << name.shown;
    EXPECT_EQ(NormaliseMethod(name.normal), name.normal) << name.shown;
  }
}

TEST(MethodNameCorners, SpaceAroundANameGoes) {
  for (const std::string_view noise : {" ", "   ", "\t", " \t ", "\t \t"}) {
    EXPECT_EQ(NormaliseMethod(fmt::format("{0}f(int){0}", noise)), "f");
    EXPECT_EQ(NormaliseMethod(fmt::format("{0}f{0}", noise)), "f");
    EXPECT_EQ(NormaliseMethod(fmt::format("{0}non-virtual thunk to {0}f(int)", noise)), "f");
  }
  EXPECT_EQ(NormaliseMethod("f\n"), "f");
  EXPECT_EQ(NormaliseMethod("f(int) const \r\n"), "f");
  EXPECT_EQ(NormaliseMethod(" "), " ") << "nothing would be left";
}

constexpr std::string_view kSymbols[] = {
    "()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "==", "!=",
    "&&", "||", "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "&=", "|=", "+",
    "-",  "*",  "/",   "%",   "^",   "&",   "|",  "~",  "!",  "=",  "<",  ">",  ","};

TEST(MethodNameCorners, EveryOperatorKeepsItsSymbol) {
  for (const std::string_view symbol : kSymbols) {
    const std::string plain = fmt::format("operator{}", symbol);
    const std::string member = fmt::format("a::B<int>::operator{}", symbol);
    EXPECT_EQ(NormaliseMethod(plain + "(A const&, A const&)"), plain);
    EXPECT_EQ(NormaliseMethod("std::vector<int>& " + plain + "(A const&, A const&)"), plain);
    EXPECT_EQ(NormaliseMethod(member + "(A const&) const"), member);
    EXPECT_EQ(NormaliseMethod(member + " <char>(A const&) const"), member + " <char>");
    EXPECT_EQ(NormaliseMethod(member + "(A)::{lambda(int)#1}::operator()(int) const"),
              member + "::{lambda(int)#1}::operator()");
    EXPECT_EQ(NormaliseMethod(fmt::format("X<&A::{}, 3>::f(int)", plain)), fmt::format("X<&A::{}, 3>::f", plain));
    EXPECT_EQ(NormaliseMethod(fmt::format("X<(&A::{}), 3>::f(int)", plain)), fmt::format("X<(&A::{}), 3>::f", plain));
    EXPECT_EQ(ClassOf(member), "a::B<int>") << symbol;
    EXPECT_EQ(PackageOf(member), "a") << symbol;
    EXPECT_EQ(ClassOf(plain), "") << symbol;
    EXPECT_EQ(WithoutTemplateArguments(member), "a::B::" + plain);
    EXPECT_EQ(WithoutTemplateArguments(member + " <char, A<int> >"), "a::B::" + plain);
    EXPECT_EQ(WithoutTemplateArguments(member + "::{lambda(A<int>)#1}::f<int>"),
              "a::B::" + plain + "::{lambda(A<int>)#1}::f");
  }
}

TEST(MethodNameCorners, EverySuffixOfACompilerGoes) {
  for (const std::string_view suffix : {".isra.0", ".part.12", ".constprop.3", ".lto_priv.4", ".llvm.123456",
                                        ".clone.7", ".cold", ".cold.1", ".localalias", ".localalias.2", ".5", "+0x1f",
                                        "::h0123456789abcdef", "@plt", "@@V_1.0", "[abi:cxx11]", " [clone .cold]"}) {
    EXPECT_EQ(NormaliseMethod(fmt::format("a::f{}", suffix)), "a::f") << suffix;
    EXPECT_EQ(NormaliseMethod(fmt::format("f.isra.0{}", suffix)), "f") << suffix;
  }
}

TEST(MethodNameCorners, AVeryLongNameIsReadLikeAShortOne) {
  const std::string deep = std::string(10'000, '<') + std::string(10'000, '>');
  EXPECT_EQ(NormaliseMethod("void f" + deep + "(int)"), "f" + deep);
  const std::string list = std::string(10'000, '(') + std::string(10'000, ')');
  EXPECT_EQ(NormaliseMethod("f" + list + "::g()"), "f::g");
  EXPECT_EQ(WithoutTemplateArguments("f" + deep + "::g"), "f::g");
}

TEST(MethodNameCorners, ScopesEndOutsideBracketsOnly) {
  const struct {
    std::string_view method, scope;
  } cases[] = {
      {"a:b", ""},
      {"a::b:c", "a"},
      {"a::(b::c)", "a"},
      {"a::[b::c]", "a"},
      {"a::{b::c}", "a"},
      {"a::<b::c>", "a"},
      {"a.b/c", "a.b"},
      {"a/b.c", "a/b"},
      {"a.(b.c).d", "a.(b.c)"},
      {"a.[b.c]", "a"},
      {"a.{b.c}", "a"},
      {"a::b::", "a::b"},
      {"a::operator a::b", "a"},
      {"a::operator.b", "a::operator"},
      {"a::operator::b", "a::operator"},
      {"a::operator b::{x}::c", "a::operator b::{x}"},
      {"a::operator b::operator()", "a::operator b"},
      {"a::operator b<c::d>::{x}", "a::operator b<c::d>"},
      {"a::operator b[::{x}]::{y}", "a::operator b[::{x}]"},
      {".a", ""},
      {"a.", "a"},
      {"a<b::c", ""},
      {"a(b::c", ""},
      {"a::operator\"\" _x::{y}", "a::operator\"\" _x"},
  };
  for (const auto& c : cases) EXPECT_EQ(ClassOf(c.method), c.scope) << c.method;
}

TEST(MethodNameCorners, ArgumentsFollowNamesOnly) {
  const NameCase cases[] = {
      {"a<b>", "a"},
      {"a_<b>", "a_"},
      {"a$<b>", "a$"},
      {"a9<b>", "a9"},
      {"a::<b>", "a::<b>"},
      {"a <b>", "a <b>"},
      {"a<b>c<d>", "ac"},
      {"a<b", "a<b"},
      {"a<b>::c<d", "a::c<d"},
      {"(a<b>)", "(a<b>)"},
      {"[a<b>]", "[a<b>]"},
      {"{a<b>}", "{a<b>}"},
      {"{a}<b>", "{a}<b>"},
      {"operator new<b>", "operator new"},
      {"operator new <b>", "operator new"},
      {"operator\"\" _k<b>", "operator\"\" _k"},
      {"a<(b>c)>::d", "a::d"},
      {"a<b->c>::d", "a::d"},
      {"a<b> <c>", "a <c>"},
      {"operator<<int>", "operator<"},
      {"operator<<<int>", "operator<<"},
  };
  for (const NameCase& c : cases) EXPECT_EQ(WithoutTemplateArguments(c.shown), c.normal) << c.shown;
}

}  // namespace
}  // namespace oscope
