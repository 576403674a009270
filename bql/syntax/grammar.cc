// The grammar of BQL in Boost.Spirit X3.
//
// Leaves (leaves.h) are parsers of our own, over the scanner that completion and the shell use too, so that there is
// one definition of a word, a number and a quote. Rules fill the tree by actions. Every alternative is told from its
// first token, so nothing that an action did is ever taken back; that is what makes actions safe in a parser that can
// backtrack.
//
// Errors are thrown by Expected("what") where something must follow, and caught by the nearest Recovering, which
// reports the error, skips to a place where sense may begin again (a closing parenthesis, the next operand, the next
// clause) and goes on. So one statement can have several errors, each at its place (directives.h).
//
// Each rule is declared and defined apart (BOOST_SPIRIT_DEFINE). Otherwise a rule's type would hold the types of all
// rules below it, and the compiler's time and memory would grow accordingly.
//
// Depth is bounded before the grammar sees the text (parse.cc), since rules recurse where parentheses nest.
#include "bql/syntax/grammar.h"

#include <boost/spirit/home/x3.hpp>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "bql/ast/statement.h"
#include "bql/metric_table.h"
#include "bql/syntax/directives.h"
#include "bql/syntax/leaves.h"
#include "bql/syntax/parse_state.h"

namespace oscope::bql::grammar {
namespace {

// ---- Actions ----

template <auto Member>
constexpr auto kSet = [](const auto& context) { x3::_val(context).*Member = std::move(x3::_attr(context)); };
template <auto Member>
constexpr auto kPush =
    [](const auto& context) { (x3::_val(context).*Member).push_back(std::move(x3::_attr(context))); };
template <auto Member, auto Value>
constexpr auto kAssign = [](const auto& context) { x3::_val(context).*Member = Value; };

constexpr Sign kOpen("("), kClose(")"), kComma(","), kOpenBracket("["), kCloseBracket("]"), kDot("."), kStar("*");

template <typename Tag, typename Node>
using Rule = x3::rule<Tag, Node>;

// ---- Bugs and patterns ----

const Rule<struct TracesTag, ast::Traces> traces = "traces";

// Prefix operators are met before what they apply to.
struct PrefixedTraces {
  std::vector<ast::TraceOp> prefixes;
  ast::Traces traces;
  TextSpan span;
};

constexpr AnyTerm kAmount(kNumbers | kParameters);

const auto kLength = kOpenBracket >> Expected("a length")[kAmount][kSet<&ast::TraceOp::length>] >>
                     Expected("']'")[kCloseBracket];
const Rule<struct PrefixTag, ast::TraceOp> prefix_op = "prefix";
const auto prefix_op_def = Spanned[kLength >> Nothing{}[kAssign<&ast::TraceOp::kind, ast::TraceOp::Kind::kPrefix>]];
BOOST_SPIRIT_DEFINE(prefix_op)

const Rule<struct SuffixTag, ast::TraceOp> suffix_op = "suffix";
const auto suffix_op_def = Spanned[kLength >> Nothing{}[kAssign<&ast::TraceOp::kind, ast::TraceOp::Kind::kSuffix>]];
BOOST_SPIRIT_DEFINE(suffix_op)

const Rule<struct EventSetTag, ast::EventSet> event_set = "events";
const auto event_set_def =
    Spanned[-(Sign("!")[kAssign<&ast::EventSet::negated, true>]) >>
            Expected("events: a quoted list, a glob, /a regular expression/ or a word such as stack")
                [EventsTerm{}][kSet<&ast::EventSet::term>]];
BOOST_SPIRIT_DEFINE(event_set)

// What stood in parentheses takes operators; a star in it must stay inside.
constexpr auto kGroup = [](const auto& context) {
  ast::Traces inner = std::move(x3::_attr(context));
  if (!inner.star) {
    x3::_val(context) = std::move(inner);
    return;
  }
  ast::Traces group;
  group.kind = ast::Traces::Kind::kGroup;
  group.span = inner.span;
  group.parts.push_back(std::move(inner));
  x3::_val(context) = std::move(group);
};
constexpr auto kProject = [](const auto& context) {
  ast::TraceOp op;
  op.kind = ast::TraceOp::Kind::kProject;
  op.events = std::move(x3::_attr(context));
  op.span = op.events.span;
  x3::_val(context).ops.push_back(std::move(op));
};
constexpr auto kBase = [](const auto& context) {
  x3::_val(context).kind = ast::Traces::Kind::kTerm;
  x3::_val(context).term = std::move(x3::_attr(context));
};

const auto projection = Keyword("PROJ") >> Expected("'('")[kOpen] >>
                        Recovering(Resume::kParenthesis)[Expected("a bug")[traces][kGroup] >>
                                                         Expected("',' and the events to keep")[kComma] >>
                                                         event_set[kProject] >> Expected("')'")[&kClose]] >>
                        Closing{};
const auto group = kOpen >> Recovering(Resume::kParenthesis)[Expected("a bug or a pattern")[traces][kGroup] >>
                                                             Expected("'|' or ')'")[&kClose]] >>
                   Closing{};
const auto base = AnyTerm(kTexts | kParameters | kNames | kNumericNames)[kBase] >>
                  -(kDot >> Expected("'failing', the only part of a bug that is a set of traces")[Keyword(
                                "FAILING")][kAssign<&ast::Traces::failing, true>]);
const Rule<struct PrimaryTag, ast::Traces> primary = "bug or pattern";
const auto primary_def = Spanned[projection | group | base];
BOOST_SPIRIT_DEFINE(primary)

const Rule<struct PrefixedTag, PrefixedTraces> prefixed = "prefixed";
const auto prefixed_def =
    Spanned[(+prefix_op[kPush<&PrefixedTraces::prefixes>] >> Expected("a bug")[primary][kSet<&PrefixedTraces::traces>] |
             primary[kSet<&PrefixedTraces::traces>]) >>
            *suffix_op[(
                [](const auto& context) { x3::_val(context).traces.ops.push_back(std::move(x3::_attr(context))); })]];
BOOST_SPIRIT_DEFINE(prefixed)

// Suffixes bind tighter: [5]b[3] is the first 5 of the last 3.
constexpr auto kApplyPrefixes = [](const auto& context) {
  PrefixedTraces& attribute = x3::_attr(context);
  ast::Traces& result = x3::_val(context);
  result = std::move(attribute.traces);
  std::move(attribute.prefixes.rbegin(), attribute.prefixes.rend(), std::back_inserter(result.ops));
};
const Rule<struct StarredTag, ast::Traces> starred = "starred";
const auto starred_def = Spanned[prefixed[kApplyPrefixes] >> *(kStar[kAssign<&ast::Traces::star, true>])];
BOOST_SPIRIT_DEFINE(starred)

constexpr auto kUnwrapUnion = [](const auto& context) {
  ast::Traces& value = x3::_val(context);
  value.kind = ast::Traces::Kind::kGroup;
  if (value.parts.size() != 1) return;
  ast::Traces only = std::move(value.parts.front());
  value = std::move(only);
};
const auto traces_def =
    Spanned[starred[kPush<&ast::Traces::parts>] >>
            *(Sign("|", "|") >> Expected("a bug or a pattern after '|'")[starred][kPush<&ast::Traces::parts>]) >>
            Nothing{}[kUnwrapUnion]];
BOOST_SPIRIT_DEFINE(traces)

// ---- Conditions ----

const Rule<struct ArgumentTag, ast::Argument> argument = "argument";
const auto argument_def = Spanned[(ArgumentName{}[kSet<&ast::Argument::name>] >>
                                   Expected("a value after '=>'")[AnyTerm(kNumbers | kParameters | kTexts | kNames)]
                                                                 [kSet<&ast::Argument::value>]) |
                                  AnyTerm(kNumbers | kParameters | kTexts | kNames)[kSet<&ast::Argument::value>]];
BOOST_SPIRIT_DEFINE(argument)

const Rule<struct SetPredicateTag, ast::SetPredicate> set_predicate = "set predicate";
const auto set_predicate_def =
    Spanned[PredicateKind{}[kSet<&ast::SetPredicate::kind>] >> Expected("'('")[kOpen] >>
            Recovering(
                Resume::kParenthesis)[Expected("a bug")[traces][kSet<&ast::SetPredicate::left>] >>
                                      Expected("',' and a pattern")[kComma] >>
                                      Expected("a bug or a pattern")[traces][kSet<&ast::SetPredicate::right>] >>
                                      *(kComma >> Expected("a number, a parameter or a named argument such as d => 10")
                                                      [argument][kPush<&ast::SetPredicate::arguments>]) >>
                                      Expected("',' or ')'")[&kClose]] >>
            Closing{}];
BOOST_SPIRIT_DEFINE(set_predicate)

using Field = ast::FieldPredicate;
constexpr AnyTerm kValueTerm(kNumbers | kParameters | kTexts | kBareDates);
const auto field_value = Expected("a quoted text, a number, a date or a parameter")[kValueTerm][kPush<&Field::values>];
const auto field_test =
    (Comparison{}[kSet<&Field::op>] >> field_value) |
    (Keyword("IS")[kAssign<&Field::op, Field::Op::kIsNull>] >>
     -(Keyword("NOT")[kAssign<&Field::op, Field::Op::kIsNotNull>]) >> Expected("NULL")[Keyword("NULL")]) |
    (-(Keyword("NOT")[kAssign<&Field::negated, true>]) >>
     ((Keyword("LIKE")[kAssign<&Field::op, Field::Op::kLike>] >> field_value) |
      (Keyword("IN")[kAssign<&Field::op, Field::Op::kIn>] >> Expected("'('")[kOpen] >>
       Recovering(Resume::kParenthesis)[field_value >> *(kComma >> field_value) >> Expected("',' or ')'")[&kClose]] >>
       Closing{})));

const Rule<struct FieldPredicateTag, Field> field_predicate = "field predicate";
const auto field_predicate_def =
    Spanned[Recovering(Resume::kOperand)[AnyTerm(kNames)[kSet<&Field::variable>] >> Expected("'.' and a field")[kDot] >>
                                         Expected("a field")[AnyTerm(kAnyWords)][kSet<&Field::field>] >>
                                         Expected("a comparison: = != < <= > >= LIKE, IN or IS NULL")[field_test]]];
BOOST_SPIRIT_DEFINE(field_predicate)

const Rule<struct ConditionTag, ast::Condition> condition = "condition";

constexpr auto kNested = [](const auto& context) {
  ast::Condition inner = std::move(x3::_attr(context));
  inner.negations += x3::_val(context).negations;
  x3::_val(context) = std::move(inner);
};
constexpr auto kSetLeaf = [](const auto& context) {
  x3::_val(context).kind = ast::Condition::Kind::kSet;
  x3::_val(context).set = std::move(x3::_attr(context));
};
constexpr auto kFieldLeaf = [](const auto& context) {
  x3::_val(context).kind = ast::Condition::Kind::kField;
  x3::_val(context).field = std::move(x3::_attr(context));
};
constexpr auto kNegate = [](const auto& context) { ++x3::_val(context).negations; };

const auto nested = kOpen >> Recovering(Resume::kParenthesis)[Expected("a condition")[condition][kNested] >>
                                                              Expected("'&&', '||' or ')'")[&kClose]] >>
                    Closing{};
const Rule<struct OperandTag, ast::Condition> operand = "condition";
const auto operand_def = Spanned[Recovering(
    Resume::kOperand)[*((Sign("!", "=") | Keyword("NOT"))[kNegate]) >>
                      Expected("a condition")[nested | set_predicate[kSetLeaf] | field_predicate[kFieldLeaf]]]];
BOOST_SPIRIT_DEFINE(operand)

template <ast::Condition::Kind kKind>
constexpr auto kUnwrapChain = [](const auto& context) {
  ast::Condition& value = x3::_val(context);
  value.kind = kKind;
  if (value.parts.size() != 1) return;
  ast::Condition only = std::move(value.parts.front());
  value = std::move(only);
};
const Rule<struct ConjunctionTag, ast::Condition> conjunction = "condition";
const auto conjunction_def = Spanned[operand[kPush<&ast::Condition::parts>] % (Sign("&&") | Keyword("AND")) >>
                                     Nothing{}[kUnwrapChain<ast::Condition::Kind::kAnd>]];
BOOST_SPIRIT_DEFINE(conjunction)

const auto condition_def = Spanned[conjunction[kPush<&ast::Condition::parts>] % (Sign("||") | Keyword("OR")) >>
                                   Nothing{}[kUnwrapChain<ast::Condition::Kind::kOr>]];
BOOST_SPIRIT_DEFINE(condition)

// ---- SELECT ----

using Column = ast::Column;
constexpr AnyTerm kVariable(kNames);
constexpr auto kFieldOf = [](const auto& context) {
  x3::_val(context).kind = Column::Kind::kField;
  x3::_val(context).field = std::move(x3::_attr(context));
};
// COUNT is a word like any other until a parenthesis follows.
struct CountOpen : PlainLeaf<CountOpen> {
  size_t Match(std::string_view rest) const {
    const size_t end = Keyword("COUNT").Match(rest);
    const size_t open = end == 0 ? 0 : SkipBlanks(rest, end);
    return open > 0 && rest.substr(open, 1) == "(" ? open + 1 : 0;
  }
};
const auto column_field = kDot >> Expected("a field")[AnyTerm(kAnyWords)][kFieldOf];
const Rule<struct ColumnTag, Column> column = "column";
const auto column_def =
    Spanned[(Keyword("DISTANCE")[kAssign<&Column::kind, Column::Kind::kDistance>]) |
            (CountOpen{}[kAssign<&Column::kind, Column::Kind::kCount>] >>
             Expected("a variable")[kVariable][kPush<&Column::counted>] >>
             *(kComma >> Expected("a variable")[kVariable][kPush<&Column::counted>]) >> Expected("')'")[kClose]) |
            (kVariable[kSet<&Column::variable>] >> Nothing{}[kAssign<&Column::kind, Column::Kind::kBug>] >>
             -column_field)];
BOOST_SPIRIT_DEFINE(column)

constexpr auto kBareField = [](const auto& context) {
  Column& value = x3::_val(context);
  if (value.kind == Column::Kind::kField) return;
  value.kind = Column::Kind::kField;
  value.field = std::exchange(value.variable, Term{});
};
const Rule<struct OrderColumnTag, Column> order_column = "column";
const auto order_column_def = Spanned[(Keyword("DISTANCE")[kAssign<&Column::kind, Column::Kind::kDistance>]) |
                                      (kVariable[kSet<&Column::variable>] >> -column_field >> Nothing{}[kBareField])];
BOOST_SPIRIT_DEFINE(order_column)

using Select = ast::Select;
const auto columns = Recovering(
    Resume::kClause)[Expected("a variable after SELECT")[column][kPush<&Select::columns>] >>
                     *(kComma >> Expected("a variable, b.field or distance")[column][kPush<&Select::columns>]) >>
                     Expected("',', FROM or WHERE")[&(Keyword("FROM") | Keyword("WHERE"))]];
const auto project = AnyTerm(kNames | kAllWord | kParameters)[kPush<&Select::from>];
const auto projects = Recovering(
    Resume::kClause)[Expected("a project or ALL after FROM")[project] >> *(kComma >> Expected("a project")[project]) >>
                     Expected("',' or WHERE")[&Keyword("WHERE")]];

const std::string metric_expected = "a metric after DISTANCE: " + MetricChoices();
const Rule<struct MetricTag, ast::Metric> metric = "metric";
const auto metric_def = Spanned[Recovering(
    Resume::kClause)[Expected(metric_expected.c_str())[kVariable][kSet<&ast::Metric::name>] >>
                     -(kOpen >> Expected("the metric's name")[AnyTerm(kNames | kTexts | kNumbers | kParameters)]
                                                             [kPush<&ast::Metric::arguments>] >>
                       *(kComma >> Expected("an argument")[AnyTerm(kNames | kTexts | kNumbers | kParameters)]
                                                          [kPush<&ast::Metric::arguments>]) >>
                       Expected("',' or ')'")[kClose])]];
BOOST_SPIRIT_DEFINE(metric)

const Rule<struct OrderTag, ast::OrderBy> order_by = "order";
const auto order_by_def =
    Spanned[Expected("BY")[Keyword("BY")] >>
            Expected("a field or distance after ORDER BY")[order_column][kSet<&ast::OrderBy::column>] >>
            -(Keyword("ASC") | Keyword("DESC")[kAssign<&ast::OrderBy::descending, true>])];
BOOST_SPIRIT_DEFINE(order_by)

// A clause that is given twice is reported at its second place, and the first one counts.
template <auto Member>
constexpr auto kSetOnce = [](const auto& context) {
  auto& member = x3::_val(context).*Member;
  if (member) {
    StateOf(context).Report(x3::_attr(context).span, "this clause is given twice");
    return;
  }
  member = std::move(x3::_attr(context));
};
const auto tail = Recovering(
    Resume::kTail)[(Keyword("DISTANCE") >> metric[kSetOnce<&Select::metric>]) |
                   (Keyword("ORDER") >> order_by[kSetOnce<&Select::order>]) |
                   (Keyword("LIMIT") >> Expected("a number after LIMIT")[kAmount][kSetOnce<&Select::limit>]) |
                   (Keyword("OFFSET") >> Expected("a number after OFFSET")[kAmount][kSetOnce<&Select::offset>]) |
                   (Keyword("WITH") >>
                    Expected("SELF after WITH")[Keyword("SELF")][kAssign<&Select::with_self, true>]) |
                   NothingMore("'&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end")];

const Rule<struct SelectTag, Select> select = "select";
const auto select_def = Spanned[Keyword("SELECT") >> columns >> -(Keyword("FROM") >> projects) >>
                                Recovering(Resume::kClause)[Expected("WHERE and a condition")[Keyword("WHERE")] >>
                                                            Expected("a condition")[condition][kSet<&Select::where>]] >>
                                *tail];
BOOST_SPIRIT_DEFINE(select)

// ---- Statements ----

const Rule<struct CallTag, ast::Call> call = "call";
const auto call_def =
    Spanned[Keyword("CALL") >>
            Recovering(Resume::kClause)
                [Expected("a saved query's name after CALL")[AnyTerm(kNames)][kSet<&ast::Call::name>] >>
                 -(kOpen >> Recovering(Resume::kParenthesis)
                                [-(argument[kPush<&ast::Call::arguments>] >>
                                   *(kComma >> Expected("an argument")[argument][kPush<&ast::Call::arguments>])) >>
                                 Expected("',' or ')'")[&kClose]] >>
                   Closing{})]];
BOOST_SPIRIT_DEFINE(call)

const Rule<struct QueryParameterTag, ast::QueryParameter> query_parameter = "parameter";
const auto query_parameter_def =
    Spanned[AnyTerm(kNames | kParameters)[kSet<&ast::QueryParameter::name>] >>
            -(Sign("=") >> Expected("a default value")[AnyTerm(kNumbers | kTexts | kNames)]
                                                      [kSet<&ast::QueryParameter::default_value>])];
BOOST_SPIRIT_DEFINE(query_parameter)

using Definition = ast::Definition;
constexpr auto kSelectText = [](const auto& context) {
  Select& attribute = x3::_attr(context);
  const TextSpan span = attribute.span;
  x3::_val(context).select_text = StateOf(context).text().substr(span.begin, span.end - span.begin);
  x3::_val(context).select = std::move(attribute);
};
const Rule<struct DefinitionTag, Definition> definition = "definition";
const auto definition_def =
    Spanned[Keyword("CREATE") >>
            Recovering(Resume::kTail)
                [Expected("QUERY after CREATE")[Keyword("QUERY")] >>
                 Expected("a name for the query")[AnyTerm(kNames)][kSet<&Definition::name>] >>
                 -(kOpen >>
                   Recovering(Resume::kParenthesis)[-(query_parameter[kPush<&Definition::parameters>] >>
                                                      *(kComma >> Expected("a parameter's name")[query_parameter][kPush<
                                                                      &Definition::parameters>])) >>
                                                    Expected("',' or ')'")[&kClose]] >>
                   Closing{}) >>
                 Expected("AS and a SELECT")[Keyword("AS")] >> Expected("SELECT after AS")[select][kSelectText]]];
BOOST_SPIRIT_DEFINE(definition)

using Statement = ast::Statement;
template <auto Member, Statement::Kind kKind>
constexpr auto kStatement = [](const auto& context) {
  x3::_val(context).*Member = std::move(x3::_attr(context));
  x3::_val(context).kind = kKind;
};
const Rule<struct StatementTag, Statement> statement = "statement";
const auto statement_def = Spanned[(
    (Keyword("EXPLAIN")[kAssign<&Statement::explain, true>] >>
     -(Keyword("ANALYZE")[kAssign<&Statement::analyze, true>]) >>
     Expected("SELECT or CALL after EXPLAIN")[select[kStatement<&Statement::select, Statement::Kind::kSelect>] |
                                              call[kStatement<&Statement::call, Statement::Kind::kCall>]]) |
    select[kStatement<&Statement::select, Statement::Kind::kSelect>] |
    call[kStatement<&Statement::call, Statement::Kind::kCall>] |
    definition[kStatement<&Statement::definition, Statement::Kind::kCreateQuery>] |
    (Keyword("SHOW") >>
     Expected("QUERIES after SHOW")[Keyword("QUERIES")][kAssign<&Statement::kind, Statement::Kind::kShowQueries>]) |
    (Keyword("DROP") >> Expected("QUERY after DROP")[Keyword("QUERY")] >>
     Expected("a saved query's name")[AnyTerm(kNames)][kStatement<&Statement::name, Statement::Kind::kDropQuery>]))];
BOOST_SPIRIT_DEFINE(statement)

const auto whole = Expected("SELECT, EXPLAIN, CALL, CREATE QUERY, SHOW QUERIES or DROP QUERY")[statement] >>
                   -Sign(";") >> Expected("the end of the statement")[x3::eoi];

}  // namespace
}  // namespace oscope::bql::grammar

namespace oscope::bql {

void ParseWithGrammar(std::string_view text, const SyntaxLimits& limits, ParsedStatement& parsed) {
  namespace x3 = boost::spirit::x3;
  // Spirit works on pointers, and an empty view may have none.
  if (text.data() == nullptr) text = "";
  grammar::ParseState state(text, limits, parsed);
  ast::Statement tree;
  const char* first = text.data();
  const char* const last = text.data() + text.size();
  try {
    const auto parser = x3::with<grammar::StateTag>(std::ref(state))[grammar::whole];
    x3::phrase_parse(first, last, parser, grammar::Skipper{}, tree, x3::skip_flag::dont_post_skip);
    parsed.statement = std::move(tree);
  } catch (const x3::expectation_failure<const char*>& failure) {
    state.ReportExpected(failure.where(), failure.which());
    if (tree.span != TextSpan{}) parsed.statement = std::move(tree);
  } catch (const grammar::TooManyErrors&) {
    // What was told is enough to begin with.
    parsed.gave_up = true;
  }
}

}  // namespace oscope::bql
