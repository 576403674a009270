#include "tracer/harness/annotation.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(Annotation, PlaceIsRelativeToTheRoot) {
  EXPECT_EQ(GitHubAnnotation(AnnotationLevel::kError, "t", "m", SourcePlace{"/src/a/b.cc", 12}, "/src"),
            "::error file=a/b.cc,line=12,title=t::m");
  EXPECT_EQ(GitHubAnnotation(AnnotationLevel::kError, "t", "m", SourcePlace{"./a/b.cc", 0}, "/src"),
            "::error file=a/b.cc,title=t::m");
  EXPECT_EQ(GitHubAnnotation(AnnotationLevel::kError, "t", "m", std::nullopt, "/src"), "::error title=t::m");
}

TEST(Annotation, PlaceOutsideOfTheRootIsLeftOut) {
  EXPECT_EQ(GitHubAnnotation(AnnotationLevel::kError, "t", "m", SourcePlace{"/usr/include/x.h", 3}, "/src"),
            "::error title=t::m");
  EXPECT_EQ(GitHubAnnotation(AnnotationLevel::kError, "t", "m", SourcePlace{"../x.h", 3}, "/src"),
            "::error title=t::m");
}

TEST(Annotation, HasItsLevel) {
  EXPECT_EQ(GitHubAnnotation(AnnotationLevel::kWarning, "t", "m", std::nullopt, "/src"), "::warning title=t::m");
}

// A message must not end the line or begin another command.
TEST(Annotation, EscapesWhatHasAMeaning) {
  EXPECT_EQ(GitHubAnnotation(AnnotationLevel::kError, "a,b: 5%", "1\r\n::error::x, 50% y: z",
                             SourcePlace{"/s/a,b:c.cc", 1}, "/s"),
            "::error file=a%2Cb%3Ac.cc,line=1,title=a%2Cb%3A 5%25::1%0D%0A::error::x, 50%25 y: z");
}

}  // namespace
}  // namespace oscope
