#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/pauli/one_qubit_group.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// What a gate on one qubit is, exactly: a Clifford gate, or a rotation about a Pauli axis that is
/// none.
struct RunGate {
  enum class Kind : std::uint8_t { other, clifford, rotation };
  Kind kind = Kind::other;
  OneQubitGroup::Element element;  ///< that of a Clifford gate
  PauliAxis axis = PauliAxis::x;   ///< that of a rotation
  bool is_negative = false;        ///< whether it rotates by the opposite of its angle
  bool has_half_phase = false;     ///< whether it has the phase e^{i angle/2} besides
  std::uint8_t parameter = 0;      ///< that of the angle, if the gate has parameters
  Angle fixed_angle;               ///< the angle of a gate without parameters
  Angle fixed_phase;               ///< its phase
  std::uint64_t weight = 0;

  /// Returns the angle by which a gate of this form rotates.
  [[nodiscard]] Angle angle_of(const Operation& gate) const;
  /// Returns e^{i phase}, by which such a gate differs from the rotation.
  [[nodiscard]] Angle phase_of(const Operation& gate) const;
};

/// The cheapest words of gates of a set for products C R_n ... R_1 of rotations about Pauli axes,
/// by any angles, and a Clifford gate. A word has the same rotations, about other axes and between
/// Clifford gates, by angles that differ by signs and multiples of pi/2: it is exact whatever the
/// angles are. Words are found by the algorithm of Dijkstra on products of their gates, 24 for each
/// number of rotations, once for each list of axes.
class RunWords {
 public:
  RunWords(const GateSet& set, const ScalarGateCost& weight);

  /// Longer lists of rotations have no words.
  static constexpr std::size_t kMaxRotations = 6;

  /// Returns whether the set writes every Clifford gate on one qubit, and every rotation.
  [[nodiscard]] bool available() const { return available_; }

  /// Returns what a gate on one qubit is. Valid until the next call. Takes two look-ups in lists
  /// for gates with at most one parameter.
  [[nodiscard]] const RunGate& classified(const Operation& gate);

  struct Letter {
    Operation gate;    ///< on qubit 0; the angle of a rotation is filled in
    RunGate form;      ///< that of the gate
    int quarters = 0;  ///< added to the angle of a rotation, in units of pi/2
  };
  struct Step {
    std::uint32_t letter = 0;
    bool is_negative = false;  ///< whether the rotation is by the opposite of the next angle
  };
  struct Word {
    std::vector<Step> steps;  ///< in the order of the circuit
    std::uint64_t weight = kUnreachableCost;
    std::uint8_t eighths = 0;  ///< the phase of its Clifford gate
  };
  /// Returns the cheapest word for rotations about some axes, the first one first, and a Clifford
  /// gate after them.
  [[nodiscard]] const Word& cheapest(std::span<const PauliAxis> axes,
                                     OneQubitGroup::Number clifford);
  [[nodiscard]] const std::vector<Letter>& letters() const { return letters_; }

 private:
  using Words = std::array<Word, OneQubitGroup::kElements>;

  void add_letters(const GateSetEntry& entry);
  void add_letter(Operation gate);
  [[nodiscard]] RunGate make_form(const Operation& gate) const;
  [[nodiscard]] Words make_words(std::span<const PauliAxis> axes) const;

  const ScalarGateCost weight_;
  std::vector<Letter> letters_;
  bool available_ = false;
  std::vector<std::optional<RunGate>> forms_;  ///< by kind and quarter turns of at most one angle
  std::unordered_map<std::uint64_t, RunGate> other_forms_;
  std::vector<std::optional<Words>> words_;  ///< by the axes, as digits of a number
};

}  // namespace quartz::optimizer
