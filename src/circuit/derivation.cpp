#include "circuit/derivation.hpp"

#include <variant>

namespace quartz::circuit {

Derivation Derivation::then(Derivation step) const {
  const bool is_numeric = is_numeric_ || step.is_numeric_;
  if (!is_recorded() || !step.is_recorded()) return unrecorded(is_numeric);
  return {in_sequence(history_, std::move(step.history_)), is_numeric};
}

Derivation Derivation::as_lemma(std::span<const Operation> before) const {
  if (!is_recorded() || history_ == nullptr) return *this;
  return {circuit::as_lemma(before, history_), is_numeric_};
}

bool Derivation::is_recorded() const {
  return history_ == nullptr || !std::holds_alternative<History::Unknown>(history_->content);
}

void DerivedParts::add(NumberList gates, std::vector<Qubit> qubits, const Derivation& derivation) {
  is_recorded_ = is_recorded_ && derivation.is_recorded();
  is_numeric_ = is_numeric_ || derivation.is_numeric();
  parts_.push_back({std::move(gates), std::move(qubits), derivation.history()});
}

Derivation DerivedParts::finish() && {
  if (!is_recorded_) return Derivation::unrecorded(is_numeric_);
  return Derivation::by(in_parts(std::move(parts_)), is_numeric_);
}

Derivation Derivation::by_exchange(std::size_t replaced, std::span<const Operation> gates,
                                   std::uint32_t wires) {
  std::vector<const Operation*> after;
  for (const Operation& gate : gates) after.push_back(&gate);
  const std::vector<std::uint32_t> origins(after.size(), kNewGate);
  return by(exchange_history(replaced, after, origins, wires));
}

void DerivedCircuit::append(DerivedCircuit step) {
  derivation = derivation.then(std::move(step.derivation));
  circuit = std::move(step.circuit);
  permutation = composed(permutation, step.permutation);
}

}  // namespace quartz::circuit
