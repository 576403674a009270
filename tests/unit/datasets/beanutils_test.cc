// Section 3.2 of the thesis, from the data set's files.
#include <gtest/gtest.h>

#include "query/distance/levenshtein.h"
#include "tests/unit/datasets/failing_suffix.h"

namespace oscope {
namespace {

RunCollector LoadBeanutils() {
  RunCollector loaded;
  Load("beanutils/reports.jsonl", {}, loaded);
  Load("beanutils/traces.txt", {}, loaded);
  return loaded;
}

TEST(Beanutils, DistancesAreThoseOfFigure323) {
  auto suffixes = FailingSuffixes(LoadBeanutils(), 50);
  ASSERT_EQ(suffixes.size(), 4u);
  for (const auto& [bug, suffix] : suffixes) EXPECT_EQ(suffix.size(), 50u) << bug;
  const std::vector<uint32_t>& at_hand = suffixes["Beanutils-342"];
  EXPECT_EQ(Levenshtein(at_hand, suffixes["Beanutils-24"]), 34u);
  EXPECT_EQ(Levenshtein(at_hand, suffixes["Beanutils-61"]), 49u);
  EXPECT_EQ(Levenshtein(at_hand, suffixes["Beanutils-84"]), 49u);
}

TEST(Beanutils, TailsAreThoseTheThesisPrints) {
  const RunCollector loaded = LoadBeanutils();
  const std::map<std::string, std::vector<std::string>> printed = {
      {"342",
       {"LazyDynaBean.set", "LazyDynaBean.isDynaProperty", "LazyDynaClass.isDynaProperty",
        "LazyDynaClass.getDynaProperty", "DynaProperty.getType", "LazyDynaBean.createProperty",
        "LazyDynaBean.createOtherProperty", "LazyDynaBean.set", "DynaProperty.getType", "LazyDynaBean.class$"}},
      {"24",
       {"BasicDynaClass.setProperties", "DynaProperty.getName", "DynaProperty.getName", "LazyDynaBean.isDynaProperty",
        "LazyDynaClass.isDynaProperty", "LazyDynaClass.getDynaProperty", "LazyDynaBean.get",
        "LazyDynaBean.createProperty", "LazyDynaBean.set", "DynaProperty.getType"}}};
  size_t compared = 0;
  for (const oscope::Run& run : loaded.runs) {
    const auto tail = printed.find(run.header.bug);
    if (tail == printed.end()) continue;
    const Trace& trace = run.traces[0];
    for (size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(loaded.symbols.name(trace.events[trace.header.mark->events - 10 + i]),
                "org.apache.commons.beanutils." + tail->second[i]);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 20u);
}

}  // namespace
}  // namespace oscope
