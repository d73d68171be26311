#include "qasm/scope/declared_names.hpp"

#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

std::unordered_map<std::string_view, Callable> standard_gates(const CustomGates& custom_gates) {
  std::unordered_map<std::string_view, Callable> callables;
  const auto add = [&](std::string_view name, const Gate& row) {
    Callable callable;
    callable.gate = row.kind;
    callable.parameters = row.parameters.size();
    callable.qubits = row.qubits;
    callables.emplace(name, callable);
  };
  for (const Gate& row : gate_table()) {
    add(row.name, row);
    for (const std::string_view alias : row.aliases) add(alias, row);
  }
  for (const GateKind kind : custom_gates.kinds()) {
    if (is_gate_name(gate(kind).name)) add(gate(kind).name, gate(kind));
  }
  add("U", gate(GateKind::u));
  add("CX", gate(GateKind::cx));
  add("u0", gate(GateKind::id));
  callables["u0"].parameters = 1;
  callables["u0"].ignores_parameters = true;
  for (const VendorGate& gate : vendor_gates()) {
    Callable callable;
    callable.kind = Callable::Kind::vendor_gate;
    callable.vendor = &gate;
    callable.parameters = gate.parameters.size();
    callable.qubits = gate.qubits;
    callables.emplace(gate.name, callable);  // a gate of the table has priority
  }
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

DeclaredNames::DeclaredNames(CustomGates custom_gates)
    : gates(standard_gates(custom_gates)), defined{std::move(custom_gates), {}} {}

const NamedValue* DeclaredNames::find_value(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

const DeclaredDuration* DeclaredNames::find_duration(std::string_view name) const {
  const auto found = durations.find(name);
  if (found == durations.end() || !found->second.is_visible) return nullptr;
  const bool is_of_caller = found->second.boxes != 0 && !subroutine_scopes_.empty();
  return is_of_caller ? nullptr : &found->second;
}

std::string_view DeclaredNames::declared_here(std::string_view name) const {
  if (const auto found = registers.find(name);
      found != registers.end() && found->second.depth == depth()) {
    return found->first;
  }
  if (const auto found = values.find(name);
      found != values.end() && found->second.depth == depth()) {
    return found->first;
  }
  return {};
}

DeclaredNames::Hidden DeclaredNames::extract(std::string_view name) {
  Hidden hidden{name, values.extract(name), registers.extract(name)};
  if (hidden.declared) recent_registers_ = {};
  return hidden;
}

void DeclaredNames::restore(Hidden hidden) {
  if (hidden.value) values.insert(std::move(hidden.value));
  if (hidden.declared) registers.insert(std::move(hidden.declared));
}

void DeclaredNames::exchange(Hidden& hidden) {
  Hidden now = extract(hidden.name);
  restore(std::exchange(hidden, std::move(now)));
}

void DeclaredNames::declare(std::string_view name, NamedValue value) {
  value.depth = depth();
  if (value.array != nullptr) element_count_ += value.array->elements->size();
  Hidden before = extract(name);
  if (!scopes_.empty()) hidden_.push_back(std::move(before));
  values.emplace(name, std::move(value));
}

void DeclaredNames::declare(std::string_view name, DeclaredRegister declared) {
  declared.depth = depth();
  Hidden before = extract(name);
  if (!scopes_.empty()) hidden_.push_back(std::move(before));
  registers.emplace(name, declared);
}

void DeclaredNames::leave_scope() {
  const std::size_t first = scopes_.back();
  scopes_.pop_back();
  while (hidden_.size() > first) {
    Hidden hidden = std::move(hidden_.back());
    hidden_.pop_back();
    (void)extract(hidden.name);
    restore(std::move(hidden));
  }
}

void DeclaredNames::enter_subroutine() {
  // What the callers of the caller have declared is hidden already.
  const std::size_t first = subroutine_scopes_.empty() ? 0 : subroutine_scopes_.back();
  for (std::size_t i = hidden_.size(); i-- > first;) exchange(hidden_[i]);
  subroutine_scopes_.push_back(hidden_.size());
  enter_scope();
}

void DeclaredNames::leave_subroutine() {
  leave_scope();
  subroutine_scopes_.pop_back();
  const std::size_t first = subroutine_scopes_.empty() ? 0 : subroutine_scopes_.back();
  for (std::size_t i = first; i < hidden_.size(); ++i) exchange(hidden_[i]);
}

}  // namespace quartz::qasm
