#include "optimize/folding/rotation_folding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/freed_memory.hpp"
#include "optimize/folding/folding_step.hpp"
#include "optimize/folding/open_rotations.hpp"
#include "optimize/folding/rotation_writer.hpp"
#include "optimize/pauli/clifford_frame.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli/pauli_rows.hpp"
#include "optimize/state/qubit_groups.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

/// This number of gates is folded in some milliseconds, whatever is left of the time. Larger
/// circuits look at the clock after each such number of gates.
constexpr std::size_t kGatesInMilliseconds = std::size_t{1} << 14U;

/// Runs the passes over the gates. Each pass takes a few operations on rows of bits for a gate, and
/// allocates memory only for a merge.
class Folding {
 public:
  Folding(std::span<const Operation> gates, std::uint32_t qubits, const GateSet& set,
          bool record_history)
      : gates_(gates), qubits_(qubits), records_(record_history), writer_(set), steps_(writer_) {
    places_.reserve(gates_.size());
    for (std::size_t i = 0; i < gates_.size(); ++i) places_.push_back(place_of(i));
  }

  /// Returns whether any rotations have merged. Gates after an interruption stay unchanged.
  bool pass(bool clifford_rotations_merge, const Budget& budget);

  [[nodiscard]] circuit::DerivedGates result() const;

 private:
  // Values that are no qubits.
  static constexpr Qubit kNoQubit = ~0U;
  static constexpr Qubit kMoreQubits = ~0U - 1;

  /// A gate at its position in the circuit. Contains all that a pass needs, in few bytes: passes
  /// over large circuits are as fast as these are read from the memory.
  struct Place {
    std::uint32_t gate = 0;  ///< index in gates_ and, beyond its end, in written_
    FoldingSteps::Number step = FoldingSteps::kOfBoxes;
    /// The qubits of a gate on at most two, before kNoQubit; kMoreQubits for any other gate.
    std::array<Qubit, 2> qubits{kNoQubit, kNoQubit};
  };
  static_assert(sizeof(Place) == 16, "a place stays small");
  /// Rotations merged in the pass: the gates at the position of the first one.
  struct Rewrite {
    std::vector<Operation> gates;
    Angle phase;  ///< the rotation is e^{i phase} times the gates
  };

  /// State of a pass.
  class Pass;

  [[nodiscard]] const Operation& operation_of(std::size_t gate) const {
    return gate < gates_.size() ? gates_[gate] : written_[gate - gates_.size()];
  }
  [[nodiscard]] Place place_of(std::size_t gate) {
    const Operation& operation = operation_of(gate);
    const auto& qubits = operation.qubits;
    Place place{.gate = static_cast<std::uint32_t>(gate)};
    if (!is_black_box(operation)) place.step = steps_.number_of(operation);
    if (qubits.size() <= place.qubits.size()) {
      std::copy(qubits.begin(), qubits.end(), place.qubits.begin());
    } else {
      place.qubits[0] = kMoreQubits;
    }
    return place;
  }
  [[nodiscard]] std::span<const Qubit> qubits_of(const Place& place) const {
    if (place.qubits[0] == kMoreQubits) {
      const Operation& operation = operation_of(place.gate);
      return {operation.qubits.data(), operation.qubits.size()};
    }
    const auto count = std::ranges::find(place.qubits, kNoQubit) - place.qubits.begin();
    return std::span(place.qubits).first(static_cast<std::size_t>(count));
  }

  /// Releases written gates that a later pass has merged with others.
  void release_merged();
  /// Records a pass; the gates from number `first_new` on were written by it.
  void record(std::span<const Place> before, std::size_t first_new);

  std::span<const Operation> gates_;  ///< the input
  std::deque<Operation> written_;     ///< gates that contain merged rotations
  std::uint32_t qubits_;
  bool records_;  ///< whether the derivation is recorded
  RotationWriter writer_;
  FoldingSteps steps_;
  std::vector<Place> places_;  ///< the circuit
  circuit::Derivation derivation_ = circuit::Derivation::unchanged();
  Angle phase_;
};

class Folding::Pass {
 public:
  Pass(Folding& folding, bool clifford_rotations_merge)
      : folding_(folding),
        view_(clifford_rotations_merge ? 1 : 0),
        paulis_(folding.qubits_),
        frame_(paulis_, folding.qubits_),
        open_(paulis_, folding.qubits_) {}

  void run(const Budget& budget) {
    for (std::size_t i = 0; i < folding_.places_.size(); ++i) {
      if (i != 0 && i % kGatesInMilliseconds == 0 && budget.spent()) return;
      visit(i);
    }
  }

  [[nodiscard]] bool changed() const { return !rewrites_.empty(); }

  /// Returns the places after the pass.
  [[nodiscard]] std::vector<Place> places() {
    std::vector<Place> result;
    result.reserve(folding_.places_.size());
    for (std::size_t i = 0; i < folding_.places_.size(); ++i) {
      const std::uint32_t rewrite = rewrite_of(i);
      if (rewrite == kAsItWas) result.push_back(folding_.places_[i]);
      if (rewrite == kAsItWas || rewrite == kTakenAway) continue;
      for (Operation& operation : std::exchange(rewrites_[rewrite].gates, {})) {
        folding_.written_.push_back(std::move(operation));
        result.push_back(folding_.place_of(folding_.gates_.size() + folding_.written_.size() - 1));
      }
    }
    return result;
  }

 private:
  /// A rotation with which later ones may have merged.
  struct Rotation {
    std::uint32_t place = 0;
    /// The phase of its pulled-back axis, as in PauliRows. A rotation with the same bits and
    /// another phase is about the negative operator.
    std::uint32_t phase = 0;
    /// Index in sums_ of the sum of the angles about its gate's axis; kNoSum while the sum is the
    /// angle of that gate.
    std::uint32_t sum = kNoSum;
  };

  static constexpr std::uint32_t kNoSum = ~0U;
  // Values in rewrite_of_ that are not indices of rewrites_.
  static constexpr std::uint32_t kAsItWas = ~0U;
  static constexpr std::uint32_t kTakenAway = ~0U - 1;

  [[nodiscard]] std::uint32_t rewrite_of(std::size_t place) const {
    return rewrite_of_.empty() ? kAsItWas : rewrite_of_[place];
  }
  [[nodiscard]] const Operation& gate_at(std::size_t place) const {
    return folding_.operation_of(folding_.places_[place].gate);
  }

  void visit(std::size_t index) {
    const Place& place = folding_.places_[index];
    const FoldingStep& step = folding_.steps_[place.step];
    if (step.merges[view_]) {
      visit_rotation(index, *step.rotation);
    } else {
      visit_other(step, folding_.qubits_of(place), gate_at(index));
    }
  }

  void visit_rotation(std::size_t index, const PauliRotation& rotation) {
    const Place& place = folding_.places_[index];
    const LocalPauli& axis = rotation.axis;
    const std::span<const Qubit> qubits = folding_.qubits_of(place);
    const PauliRows::ConstRow row = frame_.pull_back(axis, qubits);
    const auto phase = static_cast<std::uint32_t>(paulis_.phase(row));
    if (const auto found = open_.find(paulis_.bits(row))) {
      Rotation& first = rotations_[*found];
      if (merge(first, index, phase != first.phase)) return;
    }
    open_.close_anticommuting(axis, qubits);
    open_.open(axis, qubits, paulis_.bits(row), static_cast<std::uint32_t>(rotations_.size()));
    rotations_.push_back({static_cast<std::uint32_t>(index), phase});
  }

  /// Handles gates that do not merge. Clifford gates change the frame. Other gates are treated as
  /// the rotations of which they consist, which only close open rotations that do not commute with
  /// them.
  void visit_other(const FoldingStep& step, std::span<const Qubit> qubits,
                   const Operation& operation) {
    if (step.pulled_back) {
      frame_.append(*step.pulled_back, qubits);
      open_.append(step.pushed_forward, qubits);
      return;
    }
    if (step.rotation != nullptr) {
      open_.close_anticommuting(step.rotation->axis, qubits);
      return;
    }
    if (is_black_box(operation)) {
      if (!is_measurement_box(*operation.classical)) return close_all_on(qubits);
      open_.close_anticommuting({0, 1, 0}, qubits);
      return;
    }
    if (const Decomposition* const parts = general_decomposition(gate(operation.gate))) {
      for (const Operation& part : instantiate(*parts, operation).operations) {
        const FoldingStep& step_of_part = folding_.steps_[folding_.steps_.number_of(part)];
        visit_other(step_of_part, {part.qubits.data(), part.qubits.size()}, part);
      }
      return;
    }
    close_all_on(qubits);  // the matrix of a custom gate is all that is known
  }

  /// Closes all rotations but those that act elsewhere: their operators commute with every Pauli of
  /// these qubits.
  void close_all_on(std::span<const Qubit> qubits) {
    for (unsigned operand = 0; operand < qubits.size(); ++operand) {
      open_.close_anticommuting({1U << operand, 0, 0}, qubits);
      open_.close_anticommuting({0, 1U << operand, 0}, qubits);
    }
  }

  /// Merges the gate at `index`, which is about the same or the negative operator, into the open
  /// rotation and removes it, if the set can express the result.
  bool merge(Rotation& first, std::size_t index, bool is_negative) {
    const Operation& place = gate_at(first.place);
    const PauliRotation own = *as_pauli_rotation(place);
    const PauliRotation added = *as_pauli_rotation(gate_at(index));
    std::optional<Angle> sum = try_add(first.sum == kNoSum ? own.angle : sums_[first.sum],
                                       is_negative ? -added.angle : added.angle);
    if (!sum) return false;
    std::optional<circuit::PhasedGates> merged = folding_.writer_.write(place, own.axis, *sum);
    if (!merged) return false;
    const bool is_first_merge = rewrite_of(first.place) == kAsItWas;
    const std::size_t before =
        is_first_merge ? 1 : rewrites_[rewrite_of_[first.place]].gates.size();
    if (merged->gates.size() > before + 1) return false;
    if (rewrite_of_.empty()) rewrite_of_.assign(folding_.places_.size(), kAsItWas);
    std::uint32_t& rewrite = rewrite_of_[first.place];
    // The previous content of the place is e^{i phase} times its rotation, and so is the removed
    // gate.
    Angle& phase = folding_.phase_;
    phase.add_phase(merged->phase);
    if (is_first_merge) {
      phase.add_phase(own.phase);
      rewrite = static_cast<std::uint32_t>(rewrites_.size());
      rewrites_.emplace_back();
    } else {
      phase.add_phase(-rewrites_[rewrite].phase);
    }
    phase.add_phase(added.phase);
    rewrites_[rewrite] = {std::move(merged->gates), std::move(merged->phase)};
    rewrite_of_[index] = kTakenAway;
    if (first.sum == kNoSum) {
      first.sum = static_cast<std::uint32_t>(sums_.size());
      sums_.emplace_back();
    }
    sums_[first.sum] = *std::move(sum);
    return true;
  }

  Folding& folding_;
  std::size_t view_;
  PauliRows paulis_;
  CliffordFrame frame_;
  OpenRotations open_;  ///< identified by their indices in rotations_
  std::vector<Rotation> rotations_;
  std::vector<Angle> sums_;
  std::vector<std::uint32_t> rewrite_of_;  ///< for each place; empty until a merge
  std::vector<Rewrite> rewrites_;
};

bool Folding::pass(bool clifford_rotations_merge, const Budget& budget) {
  Pass pass(*this, clifford_rotations_merge);
  pass.run(budget);
  if (!pass.changed()) return false;
  const std::size_t first_new = gates_.size() + written_.size();
  const std::vector<Place> before = std::exchange(places_, pass.places());
  if (records_) {
    record(before, first_new);
  } else {
    derivation_ = circuit::Derivation::unrecorded();
  }
  release_merged();
  return true;
}

void Folding::release_merged() {
  std::deque<Operation> left;
  for (Place& place : places_) {
    if (place.gate < gates_.size()) continue;
    left.push_back(std::move(written_[place.gate - gates_.size()]));
    place.gate = static_cast<std::uint32_t>(gates_.size() + left.size() - 1);
  }
  written_ = std::move(left);
}

/// Appends one exchange: all rotations that a pass merges are about the same operators in one view.
void Folding::record(std::span<const Place> before, std::size_t first_new) {
  std::vector<std::uint32_t> origins;
  std::vector<const Operation*> after;
  origins.reserve(places_.size());
  after.reserve(places_.size());
  std::uint32_t index = 0;
  for (const Place& place : places_) {
    after.push_back(&operation_of(place.gate));
    if (place.gate >= first_new) {
      origins.push_back(circuit::kNewGate);
      continue;
    }
    // A pass keeps the order of the gates that stay.
    while (before[index].gate != place.gate) ++index;
    origins.push_back(index++);
  }
  derivation_ = derivation_.then(
      circuit::Derivation::by(circuit::exchange_history(before.size(), after, origins, qubits_)));
}

circuit::DerivedGates Folding::result() const {
  circuit::DerivedGates result{{}, phase_, derivation_};
  result.gates.reserve(places_.size());
  for (const Place& place : places_) result.gates.push_back(operation_of(place.gate));
  return result;
}

circuit::DerivedGates fold_at_once(std::span<const Operation> gates, std::uint32_t qubits,
                                   const GateSet& set, const Budget& budget, bool record_history) {
  ensure(gates.size() < (std::size_t{1} << 30U), "gates are counted in 32 bits");
  Folding folding(gates, qubits, set, record_history);
  // There are two views: in one, rotations by multiples of pi/2 belong to the frame and do not
  // close other rotations; in the other they are rotations and merge. Each merge removes a gate, or
  // keeps the number of gates at fewer places, so this terminates; four rounds of both views
  // suffice in practice.
  for (int round = 0; round < 4; ++round) {
    const bool first_view = folding.pass(false, budget);
    if (gates.size() > kGatesInMilliseconds && budget.spent()) break;
    const bool second_view = folding.pass(true, budget);
    if (!first_view && !second_view) break;
    if (gates.size() > kGatesInMilliseconds && budget.spent()) break;
  }
  // The passes have freed small blocks; the result needs a large one.
  release_freed_memory(gates.size());
  return folding.result();
}

}  // namespace

circuit::DerivedGates fold_rotations(std::span<const Operation> gates, std::uint32_t qubits,
                                     const GateSet& set, const Budget& budget,
                                     bool record_history) {
  // A circuit with few gates uses few of its qubits; unused qubits are left out.
  const bool is_sparse = gates.size() < qubits / 4;
  if (qubits <= kMaxFoldedQubits && !is_sparse) {
    return fold_at_once(gates, qubits, set, budget, record_history);
  }
  std::vector<Operation> all;
  all.reserve(gates.size());
  Angle phase;
  circuit::DerivedParts parts;
  for (QubitGroup& group : split_by_qubits(gates, kMaxFoldedQubits)) {
    const bool is_over = gates.size() > kGatesInMilliseconds && budget.spent();
    circuit::DerivedGates folded =
        is_over ? circuit::DerivedGates::unchanged(group.gates)
                : fold_at_once(group.gates, static_cast<std::uint32_t>(group.qubits.size()), set,
                               budget, record_history);
    parts.add(std::move(group.places), group.qubits, folded.derivation);
    phase.add_phase(folded.phase);
    append_group(group, std::move(folded.gates), all);
  }
  return {std::move(all), phase, std::move(parts).finish()};
}

}  // namespace quartz::optimizer
