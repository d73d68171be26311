#include "qasm/scope/gate_uses.hpp"

#include <fmt/core.h>

#include "qasm/gates/library.hpp"
#include "qasm/text/names.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::qasm {

GateUses::GateUses(const Source& source)
    : source_(source), first_use_(gate_count()), hidden_by_(gate_count()) {}

void GateUses::note_first(GateKind kind, const Token& name, unsigned language_version) {
  const auto row = static_cast<std::size_t>(kind);
  if (!hidden_by_[row].empty()) {
    source_.fail(name.text, fmt::format("the opaque declaration in {} hides the gate {} that "
                                        "the standard gate {} is written with",
                                        source_.line_text(hidden_by_[row]),
                                        in_quotes(gate(kind).name), in_quotes(name.text)));
  }
  first_use_[row] = name.text;
  if (is_library_gate(kind, language_version)) return;
  const Decomposition* const definition = definition_of(kind);
  if (definition == nullptr) return;
  for (const Operation& step : definition->operations) {
    note(step.gate, name, language_version);
  }
}

void GateUses::hide(GateKind kind, const Token& name, unsigned language_version) {
  const auto row = static_cast<std::size_t>(kind);
  if (is_library_gate(kind, language_version)) {
    source_.fail(name.text, fmt::format("{} is a standard gate and cannot be declared opaque",
                                        in_quotes(name.text)));
  }
  if (!first_use_[row].empty()) {
    source_.fail(name.text,
                 fmt::format("gate {} is declared opaque after its use by the standard gate {} in "
                             "{}",
                             in_quotes(name.text), in_quotes(first_use_[row]),
                             source_.line_text(first_use_[row])));
  }
  hidden_by_[row] = name.text;
}

}  // namespace quartz::qasm
