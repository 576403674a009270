#include "cli/context/command.h"
#include "cli/context/versions.h"
#include "cli/output/json_output.h"
#include "cli/output/table.h"

namespace oscope::cli {
namespace {

class VersionCommand : public Command {
 public:
  std::string_view name() const override { return "version"; }
  std::string_view summary() const override { return "Print the version, and those of the libraries"; }

  void Register(Options& options) override { options.Footer("Examples:\n  oscope version\n  oscope version --json"); }

  Result<int> Run(Context& context) override {
    if (context.json()) {
      Json json = {{"oscope", OSCOPE_VERSION}, {"store_format", kStoreFormat}, {"libraries", Json::object()}};
      for (const LibraryVersion& library : LibraryVersions()) json["libraries"][library.name] = library.version;
      context.PrintJson(json);
      return kExitOk;
    }
    context.Print("oscope {}\n", OSCOPE_VERSION);
    context.Print("store format {}\n", kStoreFormat);
    for (const LibraryVersion& library : LibraryVersions()) context.Print("{} {}\n", library.name, library.version);
    return kExitOk;
  }
};

}  // namespace

std::unique_ptr<Command> MakeVersionCommand() { return std::make_unique<VersionCommand>(); }

}  // namespace oscope::cli
