// Arguments that look secret are masked before a command line is stored.
#pragma once

#include <string>
#include <vector>

namespace oscope {

// Replaces by "***" the values of options and assignments whose name says password, passwd, secret, token, api key,
// credential or private key (--token X, --token=X, TOKEN=X, -p is left alone), the password in an URL (user:password@),
// the value of an Authorization header, and words of the forms that well-known keys have (AKIA…, ghp_…, glpat-…, sk-…,
// xox?-…, a JSON web token, a PEM key).
std::vector<std::string> MaskSecrets(const std::vector<std::string>& command);

}  // namespace oscope
