// The build without GNU readline.
#include "cli/shell/line_editor.h"

namespace oscope::cli {

std::unique_ptr<LineEditor> MakeTerminalEditor(EditorOptions) { return nullptr; }

}  // namespace oscope::cli
