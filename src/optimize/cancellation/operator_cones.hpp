#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/cancellation/stepped_gates.hpp"

namespace quartz::optimizer {

/// Finds the partners of gates in their cones: the operators of a gate are moved through the gates
/// that follow. Gates that commute with every operator that may have come about are left out, so
/// the others are on few wires for some time.
class OperatorCones {
 public:
  using Place = SteppedGates::Place;

  OperatorCones(SteppedGates& gates, std::uint64_t seed);

  /// Merges every gate with its next partner, if the cone up to there is on at most this many
  /// wires. Ends early once the budget is spent or the work of all calls exceeds a number of
  /// elements of vectors.
  void merge_all(unsigned most_wires, std::uint64_t most_work, const Budget& budget);

 private:
  struct Partner {
    Place place = 0;
    OperatorRelation relation;
    friend bool operator==(const Partner&, const Partner&) = default;
  };

  /// Finds the first partner of a gate for one random choice of phases and points.
  [[nodiscard]] std::optional<Partner> partner_of(Place start, unsigned most_wires,
                                                  PhaseChoice& phases);
  enum class Move : std::uint8_t { commutes, moved, impossible };

  void set_contents(const GateOperators& operators, const Operation& gate);
  /// Returns the key of a gate, or nothing if it is on wires that the probe does not have.
  [[nodiscard]] std::optional<OperatorKey> key_at(Place place, const OperatorProbe& probe);
  [[nodiscard]] Move move_through_gate(Place place, unsigned most_wires, OperatorProbe& probe);
  /// Returns the wires of the probe for those of a step or a gate, in `probe_wires_`; adds wires to
  /// the probe that are new. Returns false if these are too many.
  template <typename Wires>
  [[nodiscard]] bool take_wires(const Wires& wires, unsigned most_wires, OperatorProbe& probe);
  template <typename Wires>
  [[nodiscard]] bool has_wires(const Wires& wires);
  /// Moves the operators through a step. Returns false if that is not possible.
  [[nodiscard]] bool move_through_step(const CircuitStep& step, unsigned most_wires,
                                       OperatorProbe& probe);
  void clear();

  SteppedGates& gates_;
  FastRandom random_;
  PhaseChoice phases_;
  PhaseChoice other_phases_;  ///< with which pairs are confirmed
  std::size_t most_ahead_;    ///< number of gates behind a gate in which its partner is looked for
  std::uint64_t work_ = 0;
  std::vector<unsigned> wire_of_;     ///< for each wire of the circuit that of the probe, or kNone
  std::vector<Qubit> taken_;          ///< the wires of the circuit that the probe has
  std::vector<WireContent> content_;  ///< for each wire of the circuit
  std::vector<unsigned> probe_wires_;
  std::span<const FieldWord> step_phases_;  ///< those of the current probe
};

}  // namespace quartz::optimizer
