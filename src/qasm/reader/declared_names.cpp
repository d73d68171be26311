#include "qasm/reader/declared_names.hpp"

#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

std::unordered_map<std::string_view, Callable> standard_gates() {
  std::unordered_map<std::string_view, Callable> callables;
  const auto add = [&](std::string_view name, const Gate& row) {
    Callable callable;
    callable.gate = row.kind;
    callable.parameters = row.parameters.size();
    callable.qubits = row.qubits;
    callables.emplace(name, callable);
  };
  for (std::size_t i = 0; i < gate_count(); ++i) {
    const Gate& row = gate(static_cast<GateKind>(i));
    if (is_custom(row.kind) && !is_gate_name(row.name)) continue;
    add(row.name, row);
    for (const std::string_view alias : row.aliases) add(alias, row);
  }
  add("U", gate(GateKind::u));
  add("CX", gate(GateKind::cx));
  add("u0", gate(GateKind::id));
  callables["u0"].parameters = 1;
  callables["u0"].ignores_parameters = true;
  return callables;
}

}  // namespace

Operand Operand::listing(std::vector<std::uint32_t> list, bool is_whole, std::string_view place) {
  ensure(!list.empty(), "an operand has an element");
  const std::uint32_t first = list[0];
  const auto size = static_cast<std::uint32_t>(list.size());
  return {first, size, is_whole, place,
          std::make_shared<const std::vector<std::uint32_t>>(std::move(list))};
}

DeclaredNames::DeclaredNames() : gates(standard_gates()) {}

const Value* DeclaredNames::find_value(std::string_view name, bool constants_only) const {
  const auto found = values.find(name);
  if (found == values.end()) return nullptr;
  if (constants_only && found->second.is_free_parameter) return nullptr;
  return &found->second.value;
}

}  // namespace quartz::qasm
