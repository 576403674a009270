// OpenSSL's functions come from the system's libcrypto, though the Parquet library exports a copy
// of its own.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <parquet/properties.h>

#include <string>

namespace {

TEST(ToolchainTest, OpenSslIsTheSystemsAndNotTheCopyInParquet) {
  // So that Parquet is surely linked in.
  ASSERT_NE(parquet::default_writer_properties(), nullptr);

  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&EVP_DigestInit_ex), &info), 0);
  EXPECT_NE(std::string(info.dli_fname).find("libcrypto.so"), std::string::npos) << info.dli_fname;
}

}  // namespace
