#include "optimize/annealing/moves/window_proofs.hpp"

#include "classes/table/class_table.hpp"

namespace quartz::optimizer {

bool WindowProofs::prove(std::span<const std::uint8_t> window,
                         std::span<const std::uint8_t> replacement, int phase, std::uint64_t key) {
  if (!are_equal(window, replacement, phase)) return false;
  proved_pairs_.insert(key);
  if (used_pairs_) used_pairs_->add(key, window, replacement, phase);
  return true;
}

bool WindowProofs::are_equal(std::span<const std::uint8_t> window,
                             std::span<const std::uint8_t> replacement, int phase) const {
  if (prover_.supports(window) && prover_.supports(replacement)) {
    return prover_.equal(window, replacement, phase);
  }
  const auto circuit_of = [&](std::span<const std::uint8_t> letters) {
    std::vector<Operation> circuit;
    for (const std::uint8_t letter : letters) circuit.push_back(letters_[letter]);
    return circuit;
  };
  const std::vector<Operation> left = circuit_of(replacement);
  const std::vector<Operation> right = circuit_of(window);
  const Claim claim{left, right, classes::kTableQubits, Angle::pi_times(Rational(phase, 8))};
  return exact_prover_->prove(claim).verdict == ProofVerdict::proved;
}

}  // namespace quartz::optimizer
