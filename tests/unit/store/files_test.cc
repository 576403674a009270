// A store's directory: how it is made and found, who may read it, where things are placed in it, and how its texts are
// written.
#include <sys/stat.h>

#include "base/subprocess.h"
#include "index/store/locate.h"
#include "index/store/placement.h"
#include "index/store/store_files.h"
#include "index/store/stored_text.h"
#include "tests/support/watched_file_system.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

using Kind = FileOperation::Kind;

// --- create ---

TEST(CreateStore, MakesEverythingForItsOwnerAlone) {
  TemporaryDirectory directory;
  Store store = Must(Store::Create(PosixFileSystem(), directory.path("s")));
  for (uint64_t i = 1; i <= 3; ++i) Must(CommitRuns(store, {{i, "7", "abc"}}));
  const Snapshot pinned = Must(store.Read());
  const auto mode = [](const std::string& path) {
    struct stat facts{};
    EXPECT_EQ(stat(path.c_str(), &facts), 0);
    return facts.st_mode & 07777;
  };
  EXPECT_EQ(mode(directory.path("s")), 0700u);
  std::set<std::string> directories;
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory.path("s"))) {
    EXPECT_EQ(mode(entry.path()), entry.is_directory() ? 0700u : 0600u) << entry.path();
    if (entry.is_directory()) directories.insert(entry.path().filename());
    files += entry.is_directory() ? 0 : 1;
  }
  EXPECT_EQ(directories, (std::set<std::string>{"manifests", "groups", "segments", "index", "tmp", "locks", "pins"}));
  EXPECT_GT(files, 3u * 3);
  Must(store.Backup(directory.path("copy")));
  EXPECT_EQ(mode(directory.path("copy")), 0700u);
  EXPECT_EQ(mode(directory.path("copy/manifests")), 0700u);
}

TEST(CreateStore, AnEmptyStoreIsVersionOne) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  EXPECT_EQ(store.path(), "s");
  EXPECT_TRUE(store.warnings().empty());
  EXPECT_TRUE(Store::IsStore(fs, "s"));
  EXPECT_FALSE(Store::IsStore(fs, "t"));
  const Snapshot snapshot = Must(store.Read());
  EXPECT_EQ(snapshot.version(), 1u);
  EXPECT_EQ(snapshot.manifest().ranges, std::vector<HashRange>{HashRange()});
  EXPECT_EQ(snapshot.manifest().store_id.size(), 32u);
  EXPECT_NE(snapshot.manifest().store_id, Must(Must(Store::Create(fs, "t")).Read()).manifest().store_id);
  EXPECT_TRUE(snapshot.manifest().segments.empty());
  EXPECT_TRUE(Must(fs.List("s/tmp")).empty());
  EXPECT_EQ(Must(ReadWholeFile(fs, "s/.gitignore", 10)), "*\n");
  EXPECT_TRUE(Must(store.Check()).problems.empty());
}

TEST(CreateStore, FinishesWhatWasLeftHalfMade) {
  CrashFileSystem fs;
  Must(fs.MakeDirectory("s"));
  Must(fs.MakeDirectory("s/manifests"));
  Must(WriteDurably(fs, "s/.gitignore", "own"));
  Must(WriteDurably(fs, "s/notes", "x"));
  Store store = Must(Store::Create(fs, "s"));
  ASSERT_OK(CommitRuns(store, {{1, "", "a"}}));
  EXPECT_EQ(Must(ReadWholeFile(fs, "s/.gitignore", 10)), "own") << "what is there stays";
  const auto again = Store::Create(fs, "s");
  EXPECT_EQ(again.error().code, ErrorCode::kConflict);
  EXPECT_EQ(again.error().message, "s is a store already");
  EXPECT_EQ(RunsIn(Must(Store::Open(fs, "s"))), std::set<uint64_t>{1});
}

TEST(CreateStore, FailsWhereOneOfItsStepsDoes) {
  const auto error = [](Kind kind, const std::string& path, Error wrong) {
    CrashFileSystem disk;
    WatchedFileSystem fs(disk);
    bool met = false;
    fs.BeforeEach([&](const FileOperation& operation) -> Status {
      if (operation.kind != kind || (operation.path != path && operation.to != path)) return {};
      met = true;
      return wrong;
    });
    const auto store = Store::Create(fs, "s");
    EXPECT_TRUE(met) << path;
    EXPECT_FALSE(store.ok()) << path;
    if (disk.Exists("s/tmp")) {
      EXPECT_TRUE(Must(disk.List("s/tmp")).empty()) << path;
    }
    return store.ok() ? Error{ErrorCode::kBusy, "made"} : store.error();
  };
  const Error io{ErrorCode::kIo, "EIO"};
  const std::string first = "s/manifests/00000000000000000001.json";
  EXPECT_EQ(error(Kind::kLink, first, io).message, "EIO");
  EXPECT_EQ(error(Kind::kLink, first, io).code, ErrorCode::kIo);
  const Error taken = error(Kind::kLink, first, {ErrorCode::kConflict, "it exists"});
  EXPECT_EQ(taken.message, "s is a store already") << "someone else made it just now";
  EXPECT_EQ(taken.code, ErrorCode::kConflict);
  EXPECT_EQ(error(Kind::kCreate, "s/.gitignore", io).message, "EIO");
  EXPECT_EQ(error(Kind::kMakeDirectory, "s", io).message, "EIO");
  for (const char* name : kStoreDirectories)
    EXPECT_EQ(error(Kind::kMakeDirectory, std::string("s/") + name, io).message, "EIO") << name;
  EXPECT_EQ(error(Kind::kSyncDirectory, "s", io).message, "EIO");
  EXPECT_EQ(error(Kind::kSyncDirectory, "s/manifests", io).message, "EIO");
  EXPECT_EQ(error(Kind::kList, "s/manifests", io).message, "store s: EIO");
  EXPECT_EQ(error(Kind::kSyncDirectory, ".", io).message, "EIO") << "the name of the store is synced too";
}

TEST(CreateStore, NeedsADirectoryToBeMadeIn) {
  TemporaryDirectory directory;
  EXPECT_EQ(Store::Create(PosixFileSystem(), directory.path("missing/s")).error().code, ErrorCode::kNotFound);
  Must(WriteDurably(PosixFileSystem(), directory.path("file"), "x"));
  EXPECT_FALSE(Store::Create(PosixFileSystem(), directory.path("file")).ok());
  EXPECT_FALSE(Store::Create(PosixFileSystem(), directory.path("file/s")).ok());
  EXPECT_EQ(Must(ReadWholeFile(PosixFileSystem(), directory.path("file"), 10)), "x");
}

TEST(OpenStore, TellsWhatIsNoStore) {
  CrashFileSystem disk;
  Must(Store::Create(disk, "s"));
  EXPECT_EQ(Store::Open(disk, "t").error().message, "t is not a store: 'oscope init' makes one");
  EXPECT_EQ(Store::Open(disk, "t").error().code, ErrorCode::kNotFound);
  WatchedFileSystem fs(disk);
  fs.BeforeEach([](const FileOperation& operation) -> Status {
    if (operation.kind == Kind::kList) return Error{ErrorCode::kIo, "EIO"};
    return {};
  });
  EXPECT_EQ(Store::Open(fs, "s").error().message, "store s: EIO");
  EXPECT_EQ(Store::Open(fs, "s").error().code, ErrorCode::kIo);
  // The newest manifest cannot be read just now: no damage, and told otherwise.
  fs.BeforeEach([](const FileOperation& operation) -> Status {
    if (operation.kind == Kind::kOpen) return Error{ErrorCode::kIo, "EIO"};
    return {};
  });
  EXPECT_EQ(Store::Open(fs, "s").error().message,
            "the newest version cannot be read ('--salvage' reads the newest that can): manifest 1 of store s: EIO");
}

TEST(OpenStore, AWriterThatMovedOnIsNoDamage) {
  CrashFileSystem disk;
  Store writer = Must(Store::Create(disk, "s"));
  WatchedFileSystem fs(disk);
  bool moved = false;
  fs.BeforeEach([&](const FileOperation& operation) -> Status {
    if (moved || operation.kind != Kind::kOpen) return {};
    moved = true;
    Must(CommitRuns(writer, {{1, "", "a"}}));
    Must(writer.Collect());  // takes the first version away before it is read
    return {};
  });
  Store reader = Must(Store::Open(fs, "s"));
  EXPECT_TRUE(moved);
  EXPECT_TRUE(reader.warnings().empty());
  EXPECT_EQ(RunsIn(reader), std::set<uint64_t>{1});
}

TEST(OpenStore, AReaderChangesNothing) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "7", "abc"}}));
  const std::string segment = Must(store.Read()).manifest().segments[0].id;
  Store reader = Must(Store::Open(fs, "s", {.read_only = true}));
  const std::string refused = "store s is open for reading only";
  EXPECT_EQ(reader.BeginIngest({}).error().message, refused);
  EXPECT_EQ(reader.Collect().error().message, refused);
  EXPECT_EQ(reader.Compact({.min_segments = 1}).error().message, refused);
  EXPECT_EQ(reader.Quarantine({segment}, "x").error().message, refused);
  EXPECT_EQ(reader.LinkRuns({}, {"demo", ""}).error().message, refused);
  EXPECT_EQ(reader.SetSettings({}).error().message, refused);
  EXPECT_EQ(
      reader.EditBug({"demo", "7"}, [](const std::optional<Bug>& bug) -> Result<Bug> { return *bug; }).error().message,
      refused);
  PurgeFilter filter;
  filter.project = "demo";
  EXPECT_EQ(reader.Purge(filter).error().message, refused);
  EXPECT_EQ(reader.Merge(store).error().message, refused);
  EXPECT_EQ(Must(store.NewestVersion()), 2u);
  EXPECT_EQ(RunsIn(reader), std::set<uint64_t>{1});
}

// --- find ---

// Beyond the fence there is nothing: what lies above the temporary directory is no part of these tests.
class FencedFileSystem final : public WatchedFileSystem {
 public:
  FencedFileSystem(FileSystem& beneath, std::string fence) : WatchedFileSystem(beneath), fence_(std::move(fence)) {}
  bool Exists(const std::string& path) override { return path.starts_with(fence_) && WatchedFileSystem::Exists(path); }

 private:
  std::string fence_;
};

class FindTest : public ::testing::Test {
 protected:
  TemporaryDirectory directory_;
  FencedFileSystem fs_{PosixFileSystem(), directory_.path("")};

  void SetUp() override {
    unsetenv("OSCOPE_STORE");
    setenv("GIT_CEILING_DIRECTORIES", std::filesystem::temp_directory_path().c_str(), 1);
    std::filesystem::create_directories(directory_.path("work/src/deep"));
  }
  void TearDown() override {
    unsetenv("OSCOPE_STORE");
    unsetenv("GIT_CEILING_DIRECTORIES");
  }
  std::string At(const std::string& name) const { return directory_.path(name); }
  void Write(const std::string& name, const std::string& text) {
    std::filesystem::remove(At(name));
    Must(WriteDurably(PosixFileSystem(), At(name), text));
  }
  void Git(std::vector<std::string> arguments) {
    SubprocessOptions options;
    options.argv = std::move(arguments);
    options.argv.insert(options.argv.begin(), "git");
    EXPECT_TRUE(Must(RunSubprocess(options)).ok());
  }
};

TEST_F(FindTest, TheNearestStoreIsMeant) {
  const auto none = FindStore(fs_, "", At("work/src"));
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message,
            "no store here or above (.oscope is looked for): 'oscope init' makes one, '--store PATH' names another");
  Must(Store::Create(fs_, At("work/.oscope")));
  Must(Store::Create(fs_, At("work/src/.oscope")));
  EXPECT_EQ(Must(FindStore(fs_, "", At("work/src/deep"))), At("work/src/.oscope"));
  EXPECT_EQ(Must(FindStore(fs_, "", At("work/src"))), At("work/src/.oscope"));
  EXPECT_EQ(Must(FindStore(fs_, "", At("work"))), At("work/.oscope"));
  // A directory of that name that is no store is passed over.
  std::filesystem::create_directories(At("work/src/deep/.oscope/other"));
  EXPECT_EQ(Must(FindStore(fs_, "", At("work/src/deep"))), At("work/src/.oscope"));
  // One behind a symbolic link is as good.
  std::filesystem::create_directories(At("linked"));
  std::filesystem::create_directory_symlink(At("work/.oscope"), At("linked/.oscope"));
  EXPECT_EQ(Must(FindStore(fs_, "", At("linked"))), At("linked/.oscope"));
  Must(Store::Open(fs_, At("linked/.oscope")));
  // A file of that name is told, and no other store is taken for it.
  std::filesystem::create_directories(At("work/file"));
  Write("work/file/.oscope", "x");
  const auto file = FindStore(fs_, "", At("work/file"));
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find(At("work/file/.oscope")), std::string::npos) << file.error().message;
}

TEST_F(FindTest, AStoreThatMayNotBeLookedIntoIsToldAndNotPassedOver) {
  Must(Store::Create(fs_, At("work/.oscope")));
  std::filesystem::create_directories(At("work/src/.oscope"));
  fs_.BeforeEach([&](const FileOperation& operation) -> Status {
    if (operation.kind == Kind::kList && operation.path == At("work/src/.oscope"))
      return Error{ErrorCode::kIo, "denied"};
    return {};
  });
  EXPECT_EQ(FindStore(fs_, "", At("work/src/deep")).error().message, "denied");
  EXPECT_EQ(FindStore(fs_, At("work/src/.oscope"), "").error().message, "denied");
  setenv("OSCOPE_STORE", At("work/src/.oscope").c_str(), 1);
  EXPECT_EQ(FindStore(fs_, "", At("work")).error().message, "denied");
}

TEST_F(FindTest, ANameIsTakenAsItIs) {
  Must(Store::Create(fs_, At("work/.oscope")));
  EXPECT_EQ(FindStore(fs_, At("none"), At("work")).error().message,
            "no store at " + At("none") + ": 'oscope init' makes one");
  EXPECT_EQ(FindStore(fs_, At("none"), At("work")).error().code, ErrorCode::kNotFound);
  setenv("OSCOPE_STORE", At("none").c_str(), 1);
  EXPECT_EQ(FindStore(fs_, "", At("work")).error().message,
            "no store at " + At("none") + ", which OSCOPE_STORE names: 'oscope init' makes one");
  EXPECT_EQ(Must(FindStore(fs_, At("work/.oscope"), "")), At("work/.oscope")) << "what is said counts more";
  setenv("OSCOPE_STORE", "", 1);
  EXPECT_EQ(Must(FindStore(fs_, "", At("work"))), At("work/.oscope")) << "an empty name is none";
}

TEST_F(FindTest, TheNearestConfigurationIsMeant) {
  EXPECT_EQ(FindConfigFile(fs_, At("work/src")), std::nullopt);
  Write("work/oscope.toml", "project = \"outer\"\n");
  Write("work/src/oscope.toml", "project = \"inner\"\n");
  EXPECT_EQ(FindConfigFile(fs_, At("work/src/deep")), At("work/src/oscope.toml"));
  EXPECT_EQ(FindConfigFile(fs_, At("work")), At("work/oscope.toml"));
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep"))).name, "inner");
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep"))).from, At("work/src/oscope.toml"));
  EXPECT_EQ(Must(FindProject(fs_, At("work"))).name, "outer");
  Write("work/src/oscope.toml", "project = \"a b\"\n");
  const auto bad = FindProject(fs_, At("work/src"));
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(bad.error().message.starts_with(At("work/src/oscope.toml") + ": ")) << bad.error().message;
  Write("work/src/oscope.toml", "x = 1\ny = = 2\n");
  EXPECT_TRUE(FindProject(fs_, At("work/src")).error().message.starts_with(At("work/src/oscope.toml") + ":2: "));
  // Without a project, or with one that is no text, the next way counts.
  for (const char* text : {"", "[other]\nproject = \"x\"\n", "project = 3\n"}) {
    Write("work/src/oscope.toml", text);
    EXPECT_EQ(Must(FindProject(fs_, At("work/src"))).from, "directory") << text;
  }
}

TEST_F(FindTest, AProjectIsTheDirectoryOfTheStoreElseOfTheRepositoryElseTheOneAtHand) {
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep"))).name, "deep");
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep/"))).name, "deep");
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep/.."))).name, "src");
  std::filesystem::create_directories(At("work/.git"));
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep"))).name, "work");
  std::filesystem::create_directories(At("work/src/.oscope"));
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep"))).name, "src");
  EXPECT_EQ(Must(FindProject(fs_, At("work/src/deep"))).from, "directory");
  for (const auto& [name, project] : std::map<std::string, std::string>{{"my dir", "my-dir"},
                                                                        {".hidden", "hidden"},
                                                                        {"-x", "x"},
                                                                        {"...", "project"},
                                                                        {"gr\xc3\xb6\xc3\x9f"
                                                                         "e",
                                                                         "gr----e"}}) {
    std::filesystem::create_directories(At("other/" + name));
    EXPECT_EQ(Must(FindProject(fs_, At("other/" + name))).name, project) << name;
  }
  EXPECT_EQ(Must(FindProject(fs_, "/")).name, "project");
}

TEST_F(FindTest, AProjectIsNamedByTheEndOfGitsOrigin) {
  Git({"init", "-q", At("work")});
  Git({"-C", At("work"), "remote", "add", "origin", "x"});
  for (const auto& [url, project] : std::map<std::string, std::string>{{"https://host/team/Parser.git", "Parser"},
                                                                       {"https://host/team/Parser.git/", "Parser"},
                                                                       {"https://host/team/Parser//", "Parser"},
                                                                       {"git@host:Parser.git", "Parser"},
                                                                       {"git@host:team/Parser", "Parser"},
                                                                       {"Parser", "Parser"},
                                                                       {"/srv/my parser.git", "my-parser"},
                                                                       {"/srv/.parser", "parser"}}) {
    Git({"-C", At("work"), "remote", "set-url", "origin", url});
    const ProjectName found = Must(FindProject(fs_, At("work/src")));
    EXPECT_EQ(found.name, project) << url;
    EXPECT_EQ(found.from, "git origin") << url;
  }
  Git({"-C", At("work"), "remote", "set-url", "origin", "/srv/.git"});
  EXPECT_EQ(Must(FindProject(fs_, At("work/src"))).name, "work") << "such an origin names nothing";
}

// --- where things lie ---

TEST(Placement, IsWhatItWasWhenStoresWereWritten) {
  EXPECT_EQ(PlacementOf(BugKey{"demo", "7"}), Xxh3(std::string_view("bdemo\0"
                                                                    "7",
                                                                    7)));
  EXPECT_EQ(PlacementOf(BugKey{"demo", "7"}), 15911235338604476724u);
  EXPECT_EQ(PlacementOf(BugKey{"dem", "o7"}), 4450197703550364276u);
  RunHeader run;
  run.project = "demo";
  run.test = "7";
  EXPECT_EQ(PlacementOf(run), Xxh3(std::string_view("tdemo\0"
                                                    "7",
                                                    7)));
  EXPECT_EQ(PlacementOf(run), 3430165122435661291u);
  run.bug = "7";
  run.test = "other";
  EXPECT_EQ(PlacementOf(run), PlacementOf(BugKey{"demo", "7"}));
}

// --- texts ---

TEST(StoredTextRules, EveryKindOfByteAtItsBounds) {
  const auto plain = [](const std::string& text) {
    const bool is_plain = IsPlainText(text);
    EXPECT_EQ(ToStoredText(text) == text, is_plain);
    EXPECT_EQ(FromStoredText(ToStoredText(text)), text);
    return is_plain;
  };
  for (const char* text :
       {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
        "\xf0\x90\x80\x80", "\xf4\x8f\xbb\xbf", "\xf1\x80\x80\x80", "1234567\xc2\x80", "12345678\xc2\x80"}) {
    EXPECT_TRUE(plain(text));
  }
  for (const char* text : {"\x80",
                           "\xbf",
                           "\xc0\x80",
                           "\xc1\xbf",
                           "\xc2",
                           "\xc2\x7f",
                           "\xc2\xc0",
                           "\xe0\x9f\xbf",
                           "\xe0\xa0",
                           "\xe1\x80\x7f",
                           "\xe1\x7f\x80",
                           "\xed\xa0\x80",
                           "\xf0\x8f\xbf\xbf",
                           "\xf0\x90\x80",
                           "\xf1\x80\x80\x7f",
                           "\xf1\x80\x7f\x80",
                           "\xf1\x7f\x80\x80",
                           "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80",
                           "\xff",
                           "1234567\x80",
                           "12345678\x80",
                           "123456789\x80",
                           "\xf4\x8f\xbc\x80",
                           "\xf4\x8f\xbf\xbf"}) {
    EXPECT_FALSE(plain(text));
  }
  EXPECT_EQ(ToStoredText("\x80"), "\xf4\x8f\xbe\x80");
  EXPECT_EQ(ToStoredText("\xbf"), "\xf4\x8f\xbe\xbf");
  EXPECT_EQ(ToStoredText("\xc0"), "\xf4\x8f\xbf\x80");
  EXPECT_EQ(ToStoredText("a\xc3\xa9\xff"
                         "b"),
            "a\xc3\xa9\xf4\x8f\xbf\xbf"
            "b");
  EXPECT_EQ(ToStoredText("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xb4\xf4\x8f\xbe\x8f\xf4\x8f\xbe\xbf\xf4\x8f\xbe\xbf")
      << "what looks like an escape is escaped";
  EXPECT_EQ(FromStoredText("\xf4\x8f\xbc\x81x"), "\x01x");
  EXPECT_EQ(FromStoredText("\xf4\x8f\xbb\xbfx"), "\xf4\x8f\xbb\xbfx");
  EXPECT_EQ(FromStoredText("\xf4\x8f\xbf"), "\xf4\x8f\xbf") << "cut, it is none";
}

}  // namespace
}  // namespace oscope
