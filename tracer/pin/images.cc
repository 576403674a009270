// The list of mapped files. The last one found is remembered, since instructions that are translated one after another
// nearly always lie in the same file.
#include "tracer/pin/images.h"

#include <algorithm>
#include <cstddef>

#include "tracer/pin/functions.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {
namespace {

using Range = std::pair<ADDRINT, ADDRINT>;

std::vector<Image*> images;
Image* last_found = nullptr;

bool HoldsAny(const std::vector<Range>& ranges, ADDRINT address) {
  for (const Range& range : ranges) {
    if (range.first <= address && address <= range.second) return true;
  }
  return false;
}

void ReadSections(IMG img, Image* image) {
  for (SEC sec = IMG_SecHead(img); SEC_Valid(sec); sec = SEC_Next(sec)) {
    const std::string& name = SEC_Name(sec);
    if (!SEC_Mapped(sec) || SEC_Size(sec) == 0) continue;
    if (name == ".eh_frame_hdr") image->unwind_table = SEC_Address(sec);
    if (name.compare(0, 4, ".plt") == 0)
      image->stubs.push_back(Range(SEC_Address(sec), SEC_Address(sec) + SEC_Size(sec) - 1));
  }
}

}  // namespace

bool Image::Holds(ADDRINT address) const { return HoldsAny(regions, address); }
bool Image::IsStub(ADDRINT address) const { return HoldsAny(stubs, address); }

void OnImageLoad(IMG img, VOID*) {
  Image* image = new Image();
  image->id = IMG_Id(img);
  image->path = IMG_IsVDSO(img) ? "[vdso]" : IMG_Name(img);
  image->bias = IMG_LoadOffset(img);
  for (UINT32 i = 0; i < IMG_NumRegions(img); ++i)
    image->regions.push_back(Range(IMG_RegionLowAddress(img, i), IMG_RegionHighAddress(img, i)));
  if (image->regions.empty()) image->regions.push_back(Range(IMG_LowAddress(img), IMG_HighAddress(img)));
  for (SYM sym = IMG_RegsymHead(img); SYM_Valid(sym); sym = SYM_Next(sym))
    image->symbols.emplace_back(SYM_Address(sym), SYM_Name(sym));
  std::sort(image->symbols.begin(), image->symbols.end());
  ReadSections(img, image);

  const ClientLock lock;
  image->object = tool.sites.AddObject(image->bias, image->path);
  if (tool.needs_lines && IMG_IsMainExecutable(img) && !IMG_hasLinesData(img)) {
    tool.sites.AddNote(image->path +
                       ": no source lines that Pin can read (it knows DWARF 4: compile with -g -gdwarf-4)");
  }
  images.push_back(image);
  FlushSites();
}

void OnImageUnload(IMG img, VOID*) {
  const ClientLock lock;
  for (size_t i = 0; i < images.size(); ++i) {
    if (images[i]->id != IMG_Id(img)) continue;
    ForgetFunctions(*images[i]);
    delete images[i];
    images.erase(images.begin() + static_cast<ptrdiff_t>(i));
    last_found = nullptr;
    return;
  }
}

Image* FindImage(ADDRINT address) {
  if (last_found != nullptr && last_found->Holds(address)) return last_found;
  for (Image* image : images) {
    if (!image->Holds(address)) continue;
    last_found = image;
    return image;
  }
  return nullptr;
}

std::vector<std::string> SymbolsAt(const Image& image, ADDRINT address) {
  std::vector<std::string> names;
  auto symbol = std::lower_bound(image.symbols.begin(), image.symbols.end(), std::make_pair(address, std::string()));
  for (; symbol != image.symbols.end() && symbol->first == address; ++symbol) names.push_back(symbol->second);
  return names;
}

bool FindStart(Image* image, ADDRINT address, ADDRINT* start) {
  // Not when the image is loaded: the program's memory can be read safely only once it runs.
  if (!image->starts_known && image->unwind_table != 0)
    image->starts = ReadFunctionStarts(ReadProgram, image->unwind_table);
  image->starts_known = true;
  FunctionRange sought;
  sought.start = address;
  const auto next = std::upper_bound(image->starts.begin(), image->starts.end(), sought);
  if (next == image->starts.begin() || address >= (next - 1)->end) return false;
  *start = (next - 1)->start;
  return true;
}

uint32_t SiteAt(char kind, ADDRINT address, const std::string& name) {
  const Image* image = FindImage(address);
  if (image == nullptr) return tool.sites.Add(kind, Sites::kNone, address, name);
  return tool.sites.Add(kind, image->object, address - image->bias, name);
}

}  // namespace oscope::pin
