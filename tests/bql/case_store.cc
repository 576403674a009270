#include "tests/bql/case_store.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file_system.h"
#include "tracer/import/importer.h"

namespace oscope {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxFileBytes = 16 << 20;

std::vector<std::string> FilesOf(const fs::path& source) {
  if (!fs::is_directory(source)) return {source.string()};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(source)) {
    if (entry.path().extension() == ".jsonl" || entry.path().filename() == "traces.txt")
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<CaseStore> CaseStore::MakeEmpty() {
  std::string path = (fs::temp_directory_path() / "oscope_cases_XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) return Error{ErrorCode::kIo, "cannot make " + path};
  CaseStore made(path);
  OSCOPE_ASSIGN_OR_RETURN([[maybe_unused]] const Store store,
                          Store::Create(PosixFileSystem(), JoinPath(path, "store")));
  return made;
}

Result<CaseStore> CaseStore::Make(const std::string& root, const std::vector<std::string>& sources) {
  OSCOPE_ASSIGN_OR_RETURN(CaseStore made, MakeEmpty());
  for (const std::string& source : sources) {
    for (const std::string& file : FilesOf(fs::path(root) / source)) {
      OSCOPE_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(PosixFileSystem(), file, kMaxFileBytes));
      if (Status status = made.Import(bytes, file); !status.ok()) return std::move(status).error().Within(file);
    }
  }
  return made;
}

Result<CaseStore> CaseStore::FromTexts(const std::vector<std::string>& texts) {
  OSCOPE_ASSIGN_OR_RETURN(CaseStore made, MakeEmpty());
  for (const std::string& text : texts) OSCOPE_RETURN_IF_ERROR(made.Import(text, "text.jsonl"));
  return made;
}

CaseStore& CaseStore::operator=(CaseStore&& other) noexcept {
  std::swap(directory_, other.directory_);
  return *this;
}

CaseStore::~CaseStore() {
  std::error_code ignored;
  if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

Result<Store> CaseStore::Open() const { return Store::Open(PosixFileSystem(), JoinPath(directory_, "store")); }

Status CaseStore::Import(const std::string& bytes, const std::string& name) const {
  const Importer* importer = DetectImporter(bytes, name);
  if (importer == nullptr) return Invalid("no importer reads this");
  OSCOPE_ASSIGN_OR_RETURN(Store store, Open());
  OSCOPE_ASSIGN_OR_RETURN(const std::unique_ptr<Ingest> ingest, store.BeginIngest({}));
  std::vector<ImportProblem> problems;
  if (Status status = importer->Import(bytes, {}, *ingest, problems); !status.ok()) {
    if (problems.empty()) return status;
    return Invalid("line {}: {}", problems[0].line, problems[0].message);
  }
  OSCOPE_ASSIGN_OR_RETURN([[maybe_unused]] const IngestResult added, ingest->Commit());
  return {};
}

std::vector<EngineSetting> AllEngines() {
  return {{"index, 1 thread", EngineKind::kThreads, true, 1},
          {"index, 2 threads", EngineKind::kThreads, true, 2},
          {"no index, 1 thread", EngineKind::kThreads, false, 1},
          {"no index, 2 threads", EngineKind::kThreads, false, 2},
          {"naive", EngineKind::kNaive, false, 1}};
}

Result<Session> OpenSession(const CaseStore& store, const EngineSetting& engine) {
  OSCOPE_ASSIGN_OR_RETURN(Store opened, store.Open());
  SessionOptions options;
  options.engine = engine.kind;
  options.use_index = engine.use_index;
  options.threads = engine.threads;
  return Session::Open(std::move(opened), std::move(options));
}

}  // namespace oscope
