#include <gtest/gtest.h>

#include "quill/config/loader.h"

namespace quill::config {
namespace {

MemorySource Texts(const std::map<std::string, std::string>& texts) {
  MemorySource source;
  for (const auto& [path, text] : texts) source.Add(path, text);
  return source;
}

TEST(Config, ReadsValuesByType) {
  Config config;
  config.Set("port", "8080");
  config.Set("verbose", "Yes");
  config.Set("hosts", "a, b ,c");
  EXPECT_EQ(config.GetInteger("port", 0), 8080);
  EXPECT_TRUE(config.GetBool("verbose", false));
  EXPECT_EQ(config.GetList("hosts"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(config.GetInteger("missing", 7), 7);
  EXPECT_THROW(config.GetInteger("hosts", 0), Error);
  EXPECT_THROW(config.GetBool("port", false), Error);
}

TEST(Config, ReplacesReferences) {
  Config config;
  config.Set("root", "/srv");
  config.Set("data", "${root}/data");
  config.Set("logs", "${data}/../logs of ${root}");
  EXPECT_EQ(config.Get("logs"), "/srv/data/../logs of /srv");
  config.Set("broken", "${nothing}");
  EXPECT_THROW(config.Get("broken"), Error);
}

TEST(Config, ReferencesFollowChanges) {
  Config config;
  config.Set("root", "/srv");
  for (const char* const folder :
       {"bin", "cache", "data", "images", "logs", "mail", "spool", "tmp"}) {
    config.Set(folder, std::string("${root}/") + folder);
    config.Set(std::string(folder) + ".old", std::string("${") + folder + "}.old");
  }
  for (const std::string& name : config.Names()) EXPECT_EQ(config.Get(name)->substr(0, 4), "/srv");
  config.Set("root", "/mnt");
  EXPECT_EQ(config.Get("bin"), "/mnt/bin");
  EXPECT_EQ(config.Get("data.old"), "/mnt/data.old");
}

TEST(Config, AddressesFollowTheHost) {
  Config config;
  config.Set("host", "localhost");
  for (const char* const page : {"index", "news", "contact", "help"}) {
    config.Set(page, std::string("http://${host}/") + page + ".html");
  }
  config.Set("feed", "${news}?format=rss");
  for (const std::string& name : config.Names()) {
    EXPECT_NE(config.Get(name)->find("localhost"), std::string::npos);
  }
  config.Set("host", "www.example.org");
  EXPECT_EQ(config.Get("feed"), "http://www.example.org/news.html?format=rss");
  EXPECT_EQ(config.Get("host"), "www.example.org");
}

TEST(Config, MergedValuesReachReferences) {
  const MemorySource source = Texts({{"defaults.conf",
                                      "[server]\nhost = localhost\nport = 80\n"
                                      "address = ${server.host}:${server.port}\n"
                                      "[pages]\nstart = \"http://${server.address}/\"\n"},
                                     {"site.conf", "[server]\nport = 8443\nhost = example.org\n"}});
  Config config = Loader(source).Load("defaults.conf");
  EXPECT_EQ(config.GetOr("pages.start", ""), "http://localhost:80/");
  config.Merge(Loader(source).Load("site.conf"));
  EXPECT_EQ(config.GetOr("pages.start", ""), "http://example.org:8443/");
}

TEST(Config, AppendedListsReachReferences) {
  Config config;
  config.Append("plugins", "core");
  config.Set("first", "boot");
  config.Set("load", "${first},${plugins},last");
  size_t expected = 3;
  for (const char* const plugin :
       {"spell", "print", "mail", "search", "sync", "share", "draw", "chart"}) {
    EXPECT_EQ(config.GetList("load").size(), expected);
    EXPECT_TRUE(config.GetBool("verbose", true));
    config.Append("plugins", plugin);
    ++expected;
  }
  EXPECT_EQ(config.GetList("load").size(), expected);
}

TEST(Config, AReferenceToItselfIsAnError) {
  Config config;
  config.Set("path", "/usr/bin:${path}");
  EXPECT_THROW(config.Get("path"), Error);
}

TEST(Config, AReferenceToItselfBetweenOthersIsAnError) {
  Config config;
  config.Set("level", "2");
  config.Set("flags", "-O${level} -g ${flags} -Wall");
  EXPECT_EQ(config.Get("level"), "2");
  EXPECT_THROW(config.Get("flags"), Error);
}

TEST(Config, ReferencesInACircleAreErrors) {
  const MemorySource source = Texts({{"main.conf",
                                      "[size]\n"
                                      "width = ${size.height}\n"
                                      "height = ${size.depth}\n"
                                      "depth = ${size.width}\n"}});
  const Config config = Loader(source).Load("main.conf");
  EXPECT_THROW(config.GetInteger("size.width", 0), Error);
}

TEST(Loader, ReadsSectionsAndComments) {
  const MemorySource source = Texts({{"main.conf",
                                      "# general\n"
                                      "name = quill   # the name\n"
                                      "\n"
                                      "[paper]\n"
                                      "width = 210\n"
                                      "sizes = a4\n"
                                      "sizes += a5\n"
                                      "title = \"a # inside\"\n"}});
  const Config config = Loader(source).Load("main.conf");
  EXPECT_EQ(config.Get("name"), "quill");
  EXPECT_EQ(config.GetInteger("paper.width", 0), 210);
  EXPECT_EQ(config.GetList("paper.sizes"), (std::vector<std::string>{"a4", "a5"}));
  EXPECT_EQ(config.Get("paper.title"), "a # inside");
  EXPECT_EQ(config.Names("paper.").size(), 3u);
}

TEST(Loader, SaysWhatIsWrong) {
  const MemorySource source =
      Texts({{"a.conf", "name\n"}, {"b.conf", "[open\n"}, {"c.conf", "x = \"open\n"}});
  EXPECT_THROW(Loader(source).Load("a.conf"), ParseError);
  EXPECT_THROW(Loader(source).Load("b.conf"), ParseError);
  EXPECT_THROW(Loader(source).Load("c.conf"), ParseError);
  EXPECT_THROW(Loader(source).Load("d.conf"), Error);
}

TEST(Loader, LaterLinesWin) {
  const MemorySource source = Texts(
      {{"base.conf", "a = 1\nb = 1\n"}, {"main.conf", "b = 0\ninclude \"base.conf\"\na = 2\n"}});
  const Config config = Loader(source).Load("main.conf");
  EXPECT_EQ(config.Get("a"), "2");
  EXPECT_EQ(config.Get("b"), "1");
}

TEST(Loader, ATextMayNotIncludeItself) {
  const MemorySource source =
      Texts({{"a.conf", "include \"b.conf\"\n"}, {"b.conf", "include \"a.conf\"\n"}});
  EXPECT_THROW(Loader(source).Load("a.conf"), Error);
}

TEST(Loader, TwoTextsMayIncludeTheSameBase) {
  const MemorySource source =
      Texts({{"base.conf", "colour = blue\n"},
             {"screen.conf", "include \"base.conf\"\nscreen = ${colour}\n"},
             {"print.conf", "include \"base.conf\"\nprint = ${colour}\n"},
             {"main.conf", "include \"screen.conf\"\ninclude \"print.conf\"\n"}});
  const Config config = Loader(source).Load("main.conf");
  EXPECT_EQ(config.Get("print"), "blue");
}

TEST(Loader, ThreeTextsMayIncludeTheSameUnits) {
  const MemorySource source = Texts(
      {{"units.conf", "# as we write them\nlength = mm\nweight = kg\n"},
       {"box.conf", "include \"units.conf\"\nbox = 300 ${length}\n"},
       {"bag.conf", "include \"units.conf\"\nbag = 2 ${weight}\ncolour = red\n"},
       {"tube.conf", "tube = round\ninclude \"units.conf\"\n"},
       {"parcels.conf", "include \"box.conf\"\ninclude \"bag.conf\"\ninclude \"tube.conf\"\n"}});
  const Config config = Loader(source).Load("parcels.conf");
  EXPECT_EQ(config.Get("box"), "300 mm");
  EXPECT_EQ(config.Get("bag"), "2 kg");
}

TEST(Loader, EachSectionMayIncludeTheDefaults) {
  MemorySource source;
  source.Add("conf/defaults.conf", "retries = 3\n# more to come\ntimeout = 10\n");
  source.Add("conf/main.conf",
             "[mail]\ninclude \"defaults.conf\"\nserver = \"mail\"\n"
             "[web]\ninclude \"defaults.conf\"\nserver = \"web\"\ntimeout = 20\n");
  const Config config = Loader(source).Load("conf/main.conf");
  EXPECT_EQ(config.GetInteger("retries", 0), 3);
  EXPECT_EQ(config.GetInteger("web.timeout", 0), 20);
}

TEST(Loader, IncludesAreRelativeToTheTextTheyStandIn) {
  const MemorySource source =
      Texts({{"main.conf", "include \"themes/dark.conf\"\n"},
             {"themes/dark.conf", "include \"colours.conf\"\nborder = ${black}\n"},
             {"themes/colours.conf", "black = 000000\n"}});
  EXPECT_EQ(Loader(source).Load("main.conf").Get("border"), "000000");
}

TEST(Loader, IncludesBesideALanguage) {
  const MemorySource source =
      Texts({{"shop.conf", "name = shop\nopen = yes\ninclude \"languages/german.conf\"\n"},
             {"languages/german.conf", "title = Laden\ninclude \"words.conf\"\n"},
             {"languages/words.conf", "# common words\nyes = ja\nno = nein\nnever = nie\n"}});
  EXPECT_EQ(Loader(source).Load("shop.conf").Get("no"), "nein");
}

TEST(Loader, FoldersWithinFolders) {
  const MemorySource source =
      Texts({{"etc/main.conf", "[a]\nx = 1\ninclude \"sites/one.conf\"\n"},
             {"etc/sites/one.conf", "site = one\ninclude \"parts/tls.conf\"\n"},
             {"etc/sites/parts/tls.conf", "tls = on\ninclude \"/etc/sites/parts/keys.conf\"\n"},
             {"etc/sites/parts/keys.conf", "key = k\n"}});
  const Config config = Loader(source).Load("etc/main.conf");
  EXPECT_TRUE(config.GetBool("tls", false));
  EXPECT_EQ(config.Get("key"), "k");
}

TEST(Loader, QuotedValuesMayHoldLineEnds) {
  const MemorySource source =
      Texts({{"main.conf", "greeting = \"Hello,\\nworld\"\nname = quill\n"}});
  EXPECT_EQ(Loader(source).Load("main.conf").Get("greeting"), "Hello,\nworld");
}

TEST(Loader, SignaturesMayHaveSeveralLines) {
  const MemorySource source = Texts(
      {{"mail.conf", "[mail]\nfrom = \"Ann\"\nsignature = \"-- \\nAnn Moss\\n1 High Street\"\n"}});
  EXPECT_EQ(Loader(source).Load("mail.conf").Get("mail.signature"), "-- \nAnn Moss\n1 High Street");
}

TEST(Loader, TabsAsSeparators) {
  const MemorySource source =
      Texts({{"export.conf", "[csv]\nseparator = \"\\t\"\nquote = \"\\\"\"\n"},
             {"main.conf", "include \"export.conf\"\n[csv]\nheader = yes\n"}});
  const Config config = Loader(source).Load("main.conf");
  EXPECT_TRUE(config.GetBool("csv.header", false));
  EXPECT_EQ(config.GetOr("csv.quote", ""), "\"");
  EXPECT_EQ(config.GetOr("csv.separator", ","), "\t");
}

}  // namespace
}  // namespace quill::config
