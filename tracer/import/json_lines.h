// JSON lines: the project's own text form of everything the model holds, one JSON object a line
// (docs/formats/jsonl.md).
//
//   {"type":"bug","project":"Beanutils","id":"342","title":"get of a null
//   property","status":"resolved"}
//   {"type":"run","project":"Beanutils","bug":"342","traces":[{"kind":"stack","events":["main",{"event":"get","line":12}]}]}
//
// Traces stand in their run's line, or on lines of their own after it: {"type":"trace",…},
// continued by {"type":"events",…}, which is what JsonLinesWriter writes. A field that is not known
// is a problem. Bytes that are not UTF-8 are written {"base64":"…"}.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& JsonLinesImporter();

}  // namespace oscope
