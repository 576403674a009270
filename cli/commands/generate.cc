// Fills a store, or an .osct file, with the synthetic runs of tracer/generate. Options say how large; everything else
// follows from the seed.
#include <chrono>
#include <limits>

#include "base/progress.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/output_file.h"
#include "cli/output/text.h"
#include "cli/transfer/import_sinks.h"
#include "tracer/format/osct_writer.h"
#include "tracer/generate/generator.h"

namespace oscope::cli {
namespace {

class GenerateCommand : public Command {
 public:
  std::string_view name() const override { return "generate"; }
  std::string_view summary() const override { return "Make synthetic bugs and runs, for tests and benchmarks"; }

  void Register(Options& options) override {
    options.Add("--traces", options_.traces, "How many traces (default 1000000)").Value("N");
    options.Add("--length", options_.length, "Events of each up to the failure (default 50)").Value("N");
    options.Add("--lengths", lengths_, "'thesis': 2 to 50,012 events, 5,431 on average, instead of --length")
        .Value("NAME")
        .OneOf({"thesis"});
    options.Add("--bugs", options_.bugs, "How many bugs (default: as many as 1 to 5 runs each give)").Value("N");
    options.Add("--names", options_.names, "How many methods the made-up program has (default 20000)").Value("N");
    options.Add("--edits", options_.max_edits, "Near duplicates differ by at most N edits (default 10)")
        .Value("N")
        .Between(0u, 1'000'000u);
    options.Add("--seed", options_.seed, "The same seed and options give the same runs (default 1)").Value("N");
    options.AddFlag("--depths", options_.depths, "Also the call depth of each event");
    options.Add("--batch", batch_, "Commit every N runs (default 100000)")
        .Value("N")
        .Between(uint64_t{1}, std::numeric_limits<uint64_t>::max());
    options.Add("--output", output_, "Write an .osct file instead of filling a store").Value("FILE");
    options.Footer(
        "Give --store (made when it is not there) or --output. 60 % of the traces are near duplicates of a few "
        "hundred\n"
        "others; their custom fields \"family\" and \"edits\" say of which, and how near.\n\n"
        "Examples:\n"
        "  oscope generate --traces 20000 --store /tmp/synthetic\n"
        "  oscope generate --traces 1000 --lengths thesis --output long.osct");
  }

  Result<int> Run(Context& context) override {
    if (context.options.store.empty() == output_.empty()) return Invalid("give either --store or --output");
    options_.thesis_lengths = !lengths_.empty();
    if (!context.options.project.empty()) options_.project = context.options.project;
    const auto start = std::chrono::steady_clock::now();
    OSCOPE_ASSIGN_OR_RETURN(Generator generator, Generator::Make(options_));
    OSCOPE_RETURN_IF_ERROR(output_.empty() ? FillStore(context, generator) : WriteFile(context, generator));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    Show(context, generator, took.count());
    return kExitOk;
  }

 private:
  Status Send(const Context& context, Generator& generator, RunSink& sink) const {
    Progress progress("generating", "traces", options_.traces, context.quiet());
    uint64_t sent = 0;
    while (true) {
      OSCOPE_RETURN_IF_ERROR(context.cancel().Check());
      OSCOPE_ASSIGN_OR_RETURN(const bool more, generator.SendNextBug(sink));
      if (!more) return {};
      progress.Add(generator.stats().runs - sent);
      sent = generator.stats().runs;
    }
  }

  Status FillStore(const Context& context, Generator& generator) {
    FileSystem& fs = PosixFileSystem();
    const std::string& path = context.options.store;
    OSCOPE_ASSIGN_OR_RETURN(Store store, Store::IsStore(fs, path) ? context.OpenStore(Access::kWrite)
                                                                  : Store::Create(fs, path, context.cancel()));
    OSCOPE_ASSIGN_OR_RETURN(const auto batches, BatchingSink::Open(store, batch_));
    BatchingSink& sink = *batches;
    OSCOPE_RETURN_IF_ERROR(Send(context, generator, sink));
    OSCOPE_ASSIGN_OR_RETURN(const IngestResult added, sink.Finish());
    runs_known_ = added.runs_known;
    Settle(context, store);
    return {};
  }

  Status WriteFile(const Context& context, Generator& generator) const {
    OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(output_));
    OsctWriter writer(output.file());
    OSCOPE_RETURN_IF_ERROR(Send(context, generator, writer));
    OSCOPE_RETURN_IF_ERROR(writer.Finish());
    return output.Commit();
  }

  void Show(const Context& context, const Generator& generator, double seconds) const {
    const GenerateStats& stats = generator.stats();
    if (context.json()) {
      context.PrintJson({{"bugs", stats.bugs},
                         {"runs", stats.runs},
                         {"runs_known", runs_known_},
                         {"events", stats.events},
                         {"families", generator.families()},
                         {"near_duplicates", stats.copies},
                         {"passing", stats.passing},
                         {"shortest", stats.shortest},
                         {"longest", stats.longest},
                         {"mean_length", stats.mean_length()},
                         {"seconds", seconds}});
      return;
    }
    // Standard output may be where the file went.
    context.Note("{} of {} with {} in {:.1f} s; {} to {} up to the failure, {:.1f} on average{}",
                 Counted(stats.runs, "run"), Counted(stats.bugs, "bug"), Counted(stats.events, "event"), seconds,
                 stats.shortest, stats.longest, stats.mean_length(),
                 runs_known_ == 0 ? "" : fmt::format("; {} known already", Counted(runs_known_, "run")));
  }

  GenerateOptions options_;
  std::string lengths_;
  uint64_t batch_ = 100'000;
  std::string output_;
  uint64_t runs_known_ = 0;
};

}  // namespace

std::unique_ptr<Command> MakeGenerateCommand() { return std::make_unique<GenerateCommand>(); }

}  // namespace oscope::cli
