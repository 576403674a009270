#include "quill/expr/engine.h"

#include "quill/expr/parser.h"

namespace quill::expr {

Engine::Engine(size_t kept_programs)
    : functions_(FunctionTable::Standard()), programs_(kept_programs) {}

void Engine::Define(std::string_view name, Value value) {
  globals_.Define(names_.Intern(name), std::move(value));
}

void Engine::AddFunction(std::string name, Function function) {
  functions_.Add(std::move(name), std::move(function));
}

Value Engine::Evaluate(const std::string& text) {
  if (const auto* const known = programs_.Get(text)) return (*known)->Evaluate(globals_);
  std::shared_ptr<const Node> program = Parser(text, names_, functions_).ParseAll();
  ++parsed_;
  programs_.Put(text, program);
  return program->Evaluate(globals_);
}

}  // namespace quill::expr
