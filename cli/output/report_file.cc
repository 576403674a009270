#include "cli/output/report_file.h"

#include "cli/options/options.h"
#include "cli/output/output_file.h"

namespace oscope::cli {

void ReportFile::Register(Options& options) {
  options.Add("--report", path_, "Also write the object of --json to a file").Value("FILE");
}

Status ReportFile::Prepare() {
  if (path_.empty()) return {};
  if (path_ == "-") return Invalid("--report -: expected a file; standard output belongs to the command");
  OSCOPE_RETURN_IF_ERROR(CheckOutput("--report", path_));
  OSCOPE_ASSIGN_OR_RETURN(mode_, RemoveOlderOutput(path_));
  return {};
}

Status ReportFile::Write(const Json& report) const {
  if (path_.empty()) return {};
  OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(path_, mode_));
  OSCOPE_RETURN_IF_ERROR(output.file().Append(report.dump(2, ' ', true, Json::error_handler_t::replace) + "\n"));
  return output.Commit();
}

}  // namespace oscope::cli
