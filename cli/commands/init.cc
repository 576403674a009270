#include "cli/context/command.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"
#include "index/store/locate.h"

namespace oscope::cli {
namespace {

class InitCommand : public Command {
 public:
  std::string_view name() const override { return "init"; }
  std::string_view summary() const override { return "Make an empty store"; }

  void Register(Options& options) override {
    options.Add("DIR", directory_, "Where .oscope/ is made; the current directory if not given").Value("DIR");
    options.Footer(
        "A store that is there already is left as it is, and that is no error.\n\n"
        "Examples:\n"
        "  oscope init            make .oscope/ here\n"
        "  oscope init ~/work     make ~/work/.oscope/");
  }

  Result<int> Run(Context& context) override {
    FileSystem& fs = PosixFileSystem();
    if (!directory_.empty() && !context.options.store.empty()) return Invalid("give either DIR or --store, not both");
    if (!directory_.empty() && !fs.Exists(directory_)) return NotFound("directory {}: does not exist", directory_);
    const std::string path = !context.options.store.empty()
                                 ? context.options.store
                                 : JoinPath(directory_.empty() ? "." : directory_, kStoreDirectory);
    const bool created = !Store::IsStore(fs, path);
    if (created) OSCOPE_RETURN_IF_ERROR(Store::Create(fs, path));
    if (context.json()) {
      context.PrintJson({{"store", path}, {"created", created}});
    } else if (!context.quiet()) {
      context.Print("{} {}\n", created ? "made an empty store in" : "there is a store already in", Shown(path));
    }
    return kExitOk;
  }

 private:
  std::string directory_;
};

}  // namespace

std::unique_ptr<Command> MakeInitCommand() { return std::make_unique<InitCommand>(); }

}  // namespace oscope::cli
