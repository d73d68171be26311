#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/cancellation/circuit_steps.hpp"
#include "optimize/cancellation/word_field.hpp"

namespace quartz::optimizer {

/// A Pauli operator on wires of a probe: i^{number of wires with both} X^x Z^z, bit w for wire w.
struct ProbedPauli {
  std::uint64_t x = 0;
  std::uint64_t z = 0;
};

/// Evaluates operators at places of a growing circuit. A random state v and a random linear
/// functional f, both products over the wires, give each operator O behind a circuit U the number
/// f(U^-1 O U v), in a finite field. Operators that are equal once they are pulled back to the
/// start of the circuit have equal numbers, whatever lies between them; different ones have
/// different numbers but for about one choice of v and f in 2^31 / (number of wires)
/// (Schwartz-Zippel). The state is kept as U v, the functional as f U^-1, so a step takes a time
/// proportional to the dimension of the space, and so does a number.
class OperatorProbe {
 public:
  explicit OperatorProbe(std::uint64_t seed) : random_(seed), state_{1}, functional_{1} {}

  /// Adds a wire, on which the circuit has no steps so far.
  void add_wire();
  [[nodiscard]] unsigned wires() const { return wires_; }
  [[nodiscard]] std::size_t dimension() const { return state_.size(); }

  // --- steps; sets of wires have bit w for wire w ---
  void apply_hadamard(unsigned wire);
  /// Applies X to the target if all controls are 1.
  void apply_flip(std::uint64_t controls, unsigned target);
  /// Applies diag(1, phase) of the parity of some wires, one at least.
  void apply_phase(std::uint64_t parity, FieldWord phase);
  /// Appends a step of which the wires of the circuit are these wires of the probe. The step must
  /// be neither unknown nor a measurement. `phases` are the values of all phases.
  void apply(const CircuitStep& step, std::span<const unsigned> wires,
             std::span<const FieldWord> phases);

  [[nodiscard]] FieldWord value_of(const ProbedPauli& pauli) const;

 private:
  FastRandom random_;
  unsigned wires_ = 0;
  std::vector<FieldWord> state_;
  std::vector<FieldWord> functional_;
  /// Factor by which numbers are multiplied: Hadamard gates are applied without their factors.
  FieldWord scale_ = 1;
};

}  // namespace quartz::optimizer
