// Queries drawn from a seed by the grammar of BQL, over the names of a store: every operator, predicate, field, metric
// but u, and clause, parameters and calls of the queries that come with the program.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tests/unit/engine/random_store.h"

namespace oscope {

// Text that parses; that it checks too is likely, not certain. It may name the parameters below.
std::string MakeRandomQuery(const RandomStore& store, uint64_t seed);

// The values of the parameters that queries over this store name.
std::map<std::string, std::string> RandomParameters(const RandomStore& store);

// One predicate between the tails of a variable and those of a stored bug or run, by a metric in thousandths: what the
// index is searched for.
std::string MakeRandomTailSearch(const RandomStore& store, std::string_view metric, uint64_t seed);

}  // namespace oscope
