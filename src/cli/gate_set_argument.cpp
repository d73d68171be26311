#include "cli/gate_set_argument.hpp"

#include <fmt/format.h>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::cli {

GateSet gate_set_of(const std::string& name_or_path, const std::stop_token& stop) {
  GateSet set = load_gate_set(name_or_path, stop);
  for (const GateSetEntry& entry : set.entries) {
    const std::string_view name = gate(entry.gate).name;
    if (!is_custom(entry.gate) || is_gate_name(name)) continue;
    throw InputError(
        {name_or_path},
        fmt::format("'{}' is a keyword of OpenQASM, expected another name for the gate", name));
  }
  return set;
}

}  // namespace quartz::cli
