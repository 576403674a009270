// What the grammar is put together with, beside Spirit's own operators. For grammar.cc alone.
//
//   Expected("what")[p]   p must follow: else "expected what" at that place
//   Recovering(to)[p]     after such an error inside p: tell it, skip to a place where sense may begin again, go on
//   Spanned[p]            gives the rule's node its place
#pragma once

#include <algorithm>
#include <boost/spirit/home/x3.hpp>

#include "bql/syntax/leaves.h"
#include "bql/syntax/parse_state.h"

namespace oscope::bql::grammar {

template <typename Subject>
struct ExpectedDirective : x3::unary_parser<Subject, ExpectedDirective<Subject>> {
  static constexpr bool is_pass_through_unary = true;
  constexpr ExpectedDirective(const Subject& inner, const char* w)
      : x3::unary_parser<Subject, ExpectedDirective<Subject>>(inner), what(w) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    if (this->subject.parse(first, last, context, rcontext, attribute)) return true;
    throw x3::expectation_failure<Iterator>(first, what);
  }
  const char* what;
};

struct Expected {
  explicit constexpr Expected(const char* w) : what(w) {}
  template <typename Subject>
  constexpr auto operator[](const Subject& subject) const {
    return ExpectedDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject), what);
  }
  const char* what;
};

template <typename Subject>
struct RecoveringDirective : x3::unary_parser<Subject, RecoveringDirective<Subject>> {
  static constexpr bool is_pass_through_unary = true;
  constexpr RecoveringDirective(const Subject& inner, Resume r)
      : x3::unary_parser<Subject, RecoveringDirective<Subject>>(inner), resume(r) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    const Iterator start = first;
    try {
      return this->subject.parse(first, last, context, rcontext, attribute);
    } catch (const x3::expectation_failure<Iterator>& failure) {
      ParseState& state = StateOf(context);
      state.ReportExpected(failure.where(), failure.which());
      first = state.SkipTo(failure.where(), start, resume);
      if constexpr (requires { rcontext.broken = true; }) rcontext.broken = true;
      return true;
    }
  }
  Resume resume;
};

struct Recovering {
  explicit constexpr Recovering(Resume r) : resume(r) {}
  template <typename Subject>
  constexpr auto operator[](const Subject& subject) const {
    return RecoveringDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject), resume);
  }
  Resume resume;
};

template <typename Subject>
struct SpannedDirective : x3::unary_parser<Subject, SpannedDirective<Subject>> {
  static constexpr bool is_pass_through_unary = true;
  explicit constexpr SpannedDirective(const Subject& inner)
      : x3::unary_parser<Subject, SpannedDirective<Subject>>(inner) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    Iterator start = first;
    x3::skip_over(start, last, context);
    if (!this->subject.parse(first, last, context, rcontext, attribute)) return false;
    rcontext.span = StateOf(context).SpanOf(std::min(start, first), first);
    return true;
  }
};

struct SpannedGenerator {
  template <typename Subject>
  constexpr auto operator[](const Subject& subject) const {
    return SpannedDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
constexpr SpannedGenerator Spanned;

// Takes nothing: a place for an action. Not x3::eps, which takes the blanks before it, and so would put them into
// spans.
struct Nothing : x3::parser<Nothing> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator&, const Iterator&, const Context&, RContext&, Attribute&) const {
    return true;
  }
};

// Fails at the end of the statement; anything else that stands here is an error.
struct NothingMore : x3::parser<NothingMore> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  explicit constexpr NothingMore(const char* w) : what(w) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute&) const {
    Iterator at = first;
    x3::skip_over(at, last, context);
    if (at == last || *at == ';') return false;
    throw x3::expectation_failure<Iterator>(first, what);
  }
  const char* what;
};

// The parenthesis after a Recovering(kParenthesis), which has told of it when it is missing: what was read before it is
// kept.
struct Closing : x3::parser<Closing> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext,
             Attribute& attribute) const {
    if (!Sign(")").parse(first, last, context, rcontext, attribute)) StateOf(context).ReportExpected(first, "')'");
    return true;
  }
};

}  // namespace oscope::bql::grammar
