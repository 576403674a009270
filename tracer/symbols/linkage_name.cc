// Only names that begin with _Z are demangled; those of C and of other languages stay as they are. What follows the
// first dot marks a clone or a part of a function, since a mangled name contains no dot.
#include "tracer/symbols/linkage_name.h"

#include "tracer/model/demangle.h"
#include "tracer/model/event.h"

namespace oscope {

MethodName NameOf(std::string_view linkage_name) {
  if (!linkage_name.starts_with("_Z")) return {NormaliseMethod(linkage_name), std::string(linkage_name)};
  // A mangled name has no dot: what follows one is a clone's suffix, which would stand as "[clone …]" in the signature.
  const std::string_view mangled = linkage_name.substr(0, linkage_name.find('.'));
  std::string signature = Demangled(mangled);
  return {NormaliseMethod(signature), std::move(signature)};
}

}  // namespace oscope
