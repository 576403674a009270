#include "tests/unit/store/purge_filters.h"

#include <algorithm>

#include "index/store/store_state.h"

namespace oscope {
namespace {

constexpr int64_t kDay = 86'400'000'000'000;

Bug Report(const std::string& project, const std::string& id) {
  Bug bug;
  bug.key = {project, id};
  bug.title = "reported";
  return bug;
}

void Commit(Store& store, const std::vector<KnownRun>& all, const std::vector<uint64_t>& ids,
            const std::vector<Bug>& reports = {}) {
  SymbolTable symbols;
  const auto ingest = Must(store.BeginIngest({}));
  for (const Bug& bug : reports) Must(ingest->AddBug(bug));
  for (const uint64_t id : ids) {
    const KnownRun& known = all[id - 1];
    Run run = MakeRun({id, known.bug.id, fmt::format("w{}", id)}, symbols);
    run.header.project = known.bug.project;
    run.header.test = known.test;
    run.header.outcome = known.failing ? Outcome::kFailed : Outcome::kPassed;
    if (known.age_ns != 0) run.header.started_ns = known.age_ns;
    Must(SendRun(run, symbols, *ingest));
  }
  Must(ingest->Commit());
}

// Attachments of several owners in one segment.
void Attach(PurgeDisk& disk, Store& store, const std::vector<AttachmentOwner>& owners) {
  const auto ingest = Must(store.BeginIngest({}));
  for (const AttachmentOwner& owner : owners) {
    Must(ingest->AddAttachment(MakeAttachment(owner, "file", fmt::format("{}", disk.attachments.size()), "bytes")));
    disk.attachments.push_back(owner);
  }
  Must(ingest->Commit());
}

PurgeDisk MakePurgeDisk() {
  PurgeDisk disk;
  disk.fs = std::make_unique<CrashFileSystem>();
  const int64_t tomorrow = NowNs() + kDay;
  disk.runs = {{1, {"demo", "7"}, "t", 1000, true},         {2, {"demo", "8"}, "t", 2000, true},
               {3, {"demo", "8"}, "u", 3000, true},         {4, {"demo", "7"}, "t", tomorrow, false},
               {5, {"other", "7"}, "t", 5000, false},       {6, {"other", "7"}, "t", tomorrow, false},
               {7, {"other", "8"}, "t", 4000, true},        {8, {"demo", ""}, "t", 1500, false},
               {9, {"demo", ""}, "t", 2500, true},          {10, {"demo", ""}, "u", tomorrow, true},
               {11, {"third", "1"}, "t", 1200, true},       {12, {"third", "1"}, "t", 1200, false},
               {13, {"other", ""}, "t", /*stored*/ 0, true}};
  Store store = Must(Store::Create(*disk.fs, "s"));
  Bug created_late = Report("third", "1");
  created_late.created_ns = tomorrow;
  Commit(store, disk.runs, {1, 2}, {Report("demo", "9")});
  Commit(store, disk.runs, {3});
  Commit(store, disk.runs, {4, 5});
  Commit(store, disk.runs, {6, 7});
  Commit(store, disk.runs, {8, 9, 10});
  Commit(store, disk.runs, {11, 12, 13}, {created_late});
  Commit(store, disk.runs, {}, {Report("demo", "10"), Report("other", "9")});
  const auto of_run = [](uint64_t run) { return AttachmentOwner{IdOf(run), {}}; };
  Attach(disk, store, {of_run(1), of_run(7), of_run(7), {{}, {"demo", "7"}}});
  Attach(disk, store, {of_run(3)});
  Attach(disk, store, {of_run(12), of_run(13), {{}, {"other", "9"}}});
  disk.between_ns = NowNs();
  for (const BugKey& key : {BugKey{"demo", "10"}, BugKey{"other", "8"}}) {
    Must(store.EditBug(key, [](const std::optional<Bug>& bug) -> Result<Bug> {
      Bug next = *bug;
      next.status = BugStatus::kResolved;
      return next;
    }));
  }
  const int64_t before = disk.between_ns - 1, after = disk.between_ns + 1;
  disk.runs[12].age_ns = before;
  disk.reports = {{{"demo", "7"}, before},  {{"demo", "8"}, before},   {{"demo", "9"}, before},
                  {{"demo", "10"}, after},  {{"other", "7"}, before},  {{"other", "8"}, after},
                  {{"other", "9"}, before}, {{"third", "1"}, tomorrow}};
  return disk;
}

template <typename T>
bool Has(const std::vector<T>& list, const T& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

}  // namespace

const PurgeDisk& ThePurgeDisk() {
  static const PurgeDisk disk = MakePurgeDisk();
  return disk;
}

std::vector<PurgeFilter> NamedFilters() {
  // All runs of demo-8 and other-8, and one of several of demo-7, third-1 and a test.
  const std::vector<std::vector<RunId>> runs = {{}, {IdOf(1), IdOf(2), IdOf(3), IdOf(7), IdOf(8), IdOf(11)}};
  const std::vector<std::vector<BugKey>> bugs = {
      {},
      {{"demo", "8"}, {"demo", "9"}, {"other", "9"}},
      {{"demo", "7"}, {"demo", "10"}, {"other", "7"}, {"other", "8"}, {"third", "1"}}};
  std::vector<PurgeFilter> filters;
  for (const auto& some_runs : runs) {
    for (const auto& some_bugs : bugs) {
      PurgeFilter& filter = filters.emplace_back();
      filter.runs = some_runs;
      filter.bugs = some_bugs;
    }
  }
  return filters;
}

std::vector<PurgeFilter> FiltersLike(const PurgeFilter& named) {
  using Time = std::optional<int64_t>;
  std::vector<PurgeFilter> filters;
  for (const char* project : {"", "other"}) {
    for (const Time older_than_ns : {Time(), Time(ThePurgeDisk().between_ns), Time(NowNs() + 2 * kDay)}) {
      for (const std::optional<uint64_t> keep_last : {std::optional<uint64_t>(), {0}, {1}}) {
        for (const std::optional<bool> failing : {std::optional<bool>(), {true}, {false}}) {
          for (const bool bugs_too : {false, true}) {
            PurgeFilter filter = named;
            filter.project = project;
            filter.older_than_ns = older_than_ns;
            filter.keep_last = keep_last;
            filter.failing = failing;
            filter.bugs_too = bugs_too;
            filters.push_back(std::move(filter));
          }
        }
      }
    }
  }
  return filters;
}

std::string ToString(const PurgeFilter& filter) {
  std::string text = "purge";
  for (const RunId run : filter.runs) text += fmt::format(" --run {}", run.value.low);
  for (const BugKey& bug : filter.bugs) text += " --bug " + ToString(bug);
  if (!filter.project.empty()) text += " --project " + filter.project;
  if (filter.older_than_ns) text += fmt::format(" --older-than {} ns", *filter.older_than_ns);
  if (filter.keep_last) text += fmt::format(" --keep-last {}", *filter.keep_last);
  if (filter.failing) text += *filter.failing ? " --failing" : " --passing";
  return text + (filter.bugs_too ? " --with-bugs" : "");
}

Purged MustGo(const PurgeFilter& filter) {
  const PurgeDisk& disk = ThePurgeDisk();
  const auto in_project = [&](const BugKey& key) { return filter.project.empty() || key.project == filter.project; };
  const auto is_old = [&](int64_t at_ns) { return !filter.older_than_ns || at_ns < *filter.older_than_ns; };
  const auto is_spared = [&](const KnownRun& run) {
    const auto newer = std::count_if(disk.runs.begin(), disk.runs.end(), [&](const KnownRun& other) {
      return other.bug == run.bug && (!run.bug.id.empty() || other.test == run.test) &&
             std::pair(other.age_ns, IdOf(other.id)) > std::pair(run.age_ns, IdOf(run.id));
    });
    return filter.keep_last && static_cast<uint64_t>(newer) < *filter.keep_last;
  };
  Purged gone;
  for (const KnownRun& run : disk.runs) {
    if ((filter.runs.empty() || Has(filter.runs, IdOf(run.id))) && (filter.bugs.empty() || Has(filter.bugs, run.bug)) &&
        in_project(run.bug) && is_old(run.age_ns) && (!filter.failing || run.failing == *filter.failing) &&
        !is_spared(run))
      gone.runs.insert(run.id);
  }
  for (const KnownReport& report : disk.reports) {
    bool has_runs = false, a_run_stays = false;
    for (const KnownRun& run : disk.runs) {
      if (run.bug != report.key) continue;
      has_runs = true;
      a_run_stays = a_run_stays || !gone.runs.contains(run.id);
    }
    const bool asks_for_runs = !filter.runs.empty() || filter.keep_last || filter.failing;
    if ((filter.bugs.empty() ? filter.bugs_too : Has(filter.bugs, report.key)) && in_project(report.key) &&
        is_old(report.newest_ns) && !a_run_stays && (has_runs || !asks_for_runs))
      gone.bugs.insert(report.key);
  }
  for (const AttachmentOwner& owner : disk.attachments) {
    const bool goes = owner.is_run() ? gone.runs.contains(owner.run.value.low) : gone.bugs.contains(owner.bug);
    if (goes) gone.attachments.insert(owner);
  }
  return gone;
}

}  // namespace oscope
