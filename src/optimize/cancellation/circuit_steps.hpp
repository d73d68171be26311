#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimize/cancellation/phase_values.hpp"
#include "optimize/cancellation/word_field.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A part of a gate, up to a global phase.
struct CircuitStep {
  enum class Kind : std::uint8_t {
    hadamard,
    flip,            ///< X
    controlled_not,  ///< wires: control, target
    controlled_z,
    swap,
    toffoli,   ///< wires: two controls, target
    phase,     ///< diag(1, e^{i angle}) of the parity of its wires
    measured,  ///< a measurement, which commutes with operators that are diagonal on its wire
    unknown,   ///< an operator on one wire of which nothing is known
  };
  Kind kind{};
  std::uint8_t wire_count = 0;
  std::array<Qubit, 3> wires{};
  std::uint32_t phase = 0;  ///< number of the phase in CircuitSteps
};

/// Writes gates as steps, and numbers their phases.
class CircuitSteps {
 public:
  /// Appends the steps of a gate or a black box.
  void append(const Operation& operation, std::vector<CircuitStep>& steps);
  /// Returns the number of different phases so far.
  [[nodiscard]] std::size_t phase_count() const { return phases_.size(); }
  [[nodiscard]] const Angle& phase(std::size_t number) const { return *phases_[number]; }

 private:
  void append_box(const Operation& box, std::vector<CircuitStep>& steps);
  void append_phase(const Operation& gate, unsigned operands, const Angle& angle,
                    std::vector<CircuitStep>& steps);

  std::unordered_map<Angle, std::uint32_t> numbers_;
  std::vector<const Angle*> phases_;  ///< keys of `numbers_`, which stay where they are
};

/// The values of all phases for one random choice of the symbols.
class PhaseChoice {
 public:
  explicit PhaseChoice(std::uint64_t seed) : values_(seed) {}
  /// Returns the values, by number. The span is valid until the next call.
  [[nodiscard]] std::span<const FieldWord> of(const CircuitSteps& steps) {
    while (known_.size() < steps.phase_count()) {
      known_.push_back(values_.of(steps.phase(known_.size())));
    }
    return known_;
  }

 private:
  PhaseValues values_;
  std::vector<FieldWord> known_;
};

/// What an operator may be on a wire, as a set of Paulis that are closed under products: X has bit
/// 0, Z has bit 1. So 0 is the identity only, and 3 is any operator.
using WireContent = std::uint8_t;
inline constexpr WireContent kContentX = 1;
inline constexpr WireContent kContentZ = 2;

/// Returns whether a step commutes with all operators that have these contents on its wires.
[[nodiscard]] bool commutes(const CircuitStep& step, std::span<const WireContent> contents);
/// Changes the contents on the wires of a step to those of the operators that it is moved through.
void move_through(const CircuitStep& step, std::span<WireContent> contents);

}  // namespace quartz::optimizer
