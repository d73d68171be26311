#include "optimize/pauli_network/cnot_changes.hpp"

#include <algorithm>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

CnotChanges::CnotChanges(const PauliColumns& operators) {
  const std::uint32_t qubits = operators.qubits();
  const std::size_t pairs = CnotNumbers(qubits).pairs();
  changes_.resize(CnotNumbers::kOfPair * pairs);
  least_of_pairs_.resize(pairs);
  for (std::uint32_t b = 1; b < qubits; ++b) {
    for (std::uint32_t a = 0; a < b; ++a) update_pair(operators, a, b);
  }
}

std::size_t CnotChanges::update(const PauliColumns& operators, std::uint32_t a, std::uint32_t b) {
  for (std::uint32_t other = 0; other < operators.qubits(); ++other) {
    if (other != a) update_pair(operators, a, other);
    if (other != a && other != b) update_pair(operators, b, other);
  }
  return 2 * CnotNumbers::kOfPair * std::size_t{operators.qubits()};
}

void CnotChanges::update_pair(const PauliColumns& operators, std::uint32_t a, std::uint32_t b) {
  std::int16_t least = 0;
  for (LocalAxis on_a = 1; on_a <= 3; ++on_a) {
    for (LocalAxis on_b = 1; on_b <= 3; ++on_b) {
      const PauliCnot cnot{a, b, on_a, on_b};
      const auto change = static_cast<std::int16_t>(operators.change(cnot));
      changes_[CnotNumbers::of(cnot)] = change;
      least = std::min(least, change);
    }
  }
  least_of_pairs_[CnotNumbers::pair_of(a, b)] = least;
}

std::optional<PauliCnot> CnotChanges::best(const PauliColumns& operators) const {
  if (least_of_pairs_.empty()) return std::nullopt;
  const std::int16_t least = *std::ranges::min_element(least_of_pairs_);
  if (least == 0) return std::nullopt;
  for (std::size_t index = 0; index < operators.size(); ++index) {
    std::optional<PauliCnot> found;
    for_each_reduction(operators, index, [&](const PauliCnot& cnot) {
      if (!found && changes_[CnotNumbers::of(cnot)] == least) found = cnot;
    });
    if (found) return found;
  }
  throw InternalError("a CNOT that makes operators smaller does so with one of them");
}

}  // namespace quartz::optimizer
