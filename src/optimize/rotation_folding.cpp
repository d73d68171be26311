#include "optimize/rotation_folding.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "optimize/clifford_frame.hpp"
#include "optimize/open_rotations.hpp"
#include "optimize/pauli_gate.hpp"
#include "optimize/pauli_rows.hpp"
#include "optimize/rotation_writer.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// One pass over the gates. A gate costs a few operations on rows of bits, and no allocation unless
/// it merges.
class Folder {
 public:
  Folder(std::vector<Operation> gates, std::uint32_t qubits, RotationWriter& writer,
         CliffordActions& actions, bool clifford_rotations_merge)
      : gates_(std::move(gates)),
        paulis_(qubits),
        frame_(paulis_, qubits),
        writer_(writer),
        actions_(actions),
        clifford_rotations_merge_(clifford_rotations_merge),
        pauli_(paulis_.row_words()),
        open_(paulis_, qubits),
        rewrite_of_(gates_.size(), kAsItWas) {}

  [[nodiscard]] PhasedGates run() && {
    for (std::size_t i = 0; i < gates_.size(); ++i) visit(i);
    if (!changed()) return {std::move(gates_), {}};
    PhasedGates result;
    result.phase = std::move(phase_);
    result.gates.reserve(gates_.size());
    for (std::size_t i = 0; i < gates_.size(); ++i) {
      if (rewrite_of_[i] == kAsItWas) {
        result.gates.push_back(std::move(gates_[i]));
        continue;
      }
      if (rewrite_of_[i] == kTakenAway) continue;
      for (Operation& operation : rewrites_[rewrite_of_[i]].gates) {
        result.gates.push_back(std::move(operation));
      }
    }
    return result;
  }

  [[nodiscard]] bool changed() const { return !rewrites_.empty(); }

 private:
  /// A rotation that later ones may have merged with.
  struct Rotation {
    std::uint32_t gate = 0;  ///< the place where it stands
    /// The phase of its axis pulled back, as of PauliRows. One of the same bits and another phase is
    /// about the negative operator.
    std::uint32_t phase = 0;
    /// The sum of the angles about its gate's axis, in sums_; none while it is that gate's own.
    std::uint32_t sum = kNoSum;
  };
  /// What stands at the place of a rotation that others have merged with: e^{i phase} times the
  /// rotation are these gates.
  struct Rewrite {
    std::vector<Operation> gates;
    Angle phase;
  };

  static constexpr std::uint32_t kNoSum = ~0U;
  // In rewrite_of_, beside indices of rewrites_.
  static constexpr std::uint32_t kAsItWas = ~0U;
  static constexpr std::uint32_t kTakenAway = ~0U - 1;

  void visit(std::size_t index) {
    const Operation& operation = gates_[index];
    const PauliRotation* const rotation = pauli_rotation_of(operation.gate);
    if (rotation != nullptr && may_merge(operation, *rotation)) {
      visit_rotation(index, rotation->axis);
    } else {
      visit_other(operation);
    }
  }

  [[nodiscard]] bool may_merge(const Operation& operation, const PauliRotation& rotation) const {
    if (!writer_.writable(operation)) return false;
    const Angle& angle = operation.angles.empty() ? rotation.angle : operation.angles[0];
    if (!is_quarter_turns(angle)) return true;
    const bool is_pauli_gate = angle.pi_part().is_integer();
    return clifford_rotations_merge_ && !(is_pauli_gate && rotation.axis.x != 0);
  }

  void visit_rotation(std::size_t index, const LocalPauli& axis) {
    const std::span<const Qubit> qubits = qubits_of(gates_[index]);
    frame_.pull_back(axis, qubits, pauli_);
    const PauliRows::ConstRow bits = paulis_.bits(pauli_);
    const auto phase = static_cast<std::uint32_t>(paulis_.phase(PauliRows::ConstRow(pauli_)));
    if (const auto found = open_.find(bits)) {
      Rotation& first = rotations_[*found];
      if (merge(first, index, phase != first.phase)) return;
    }
    open_.close_anticommuting(axis, qubits);
    open_.open(axis, qubits, bits, static_cast<std::uint32_t>(rotations_.size()));
    rotations_.push_back({static_cast<std::uint32_t>(index), phase});
  }

  static std::span<const Qubit> qubits_of(const Operation& operation) {
    return {operation.qubits.data(), operation.qubits.size()};
  }

  /// Adds the gate at `index`, which is about the same operator or the negative one, to the open
  /// rotation and takes it away, if the set can write it.
  bool merge(Rotation& first, std::size_t index, bool is_negative) {
    const Operation& place = gates_[first.gate];
    const PauliRotation own = *as_pauli_rotation(place);
    const PauliRotation added = *as_pauli_rotation(gates_[index]);
    std::optional<Angle> sum = try_add(first.sum == kNoSum ? own.angle : sums_[first.sum],
                                       is_negative ? -added.angle : added.angle);
    if (!sum) return false;
    std::optional<PhasedGates> merged = writer_.write(place, own.axis, *sum);
    if (!merged) return false;
    std::uint32_t& rewrite = rewrite_of_[first.gate];
    const bool is_first_merge = rewrite == kAsItWas;
    const std::size_t before = is_first_merge ? 1 : rewrites_[rewrite].gates.size();
    if (merged->gates.size() > before + 1) return false;
    // What stood at the place so far is e^{i phase} times its rotation, and so is the gate that
    // goes.
    phase_.add_phase(merged->phase);
    if (is_first_merge) {
      phase_.add_phase(own.phase);
      rewrite = static_cast<std::uint32_t>(rewrites_.size());
      rewrites_.emplace_back();
    } else {
      phase_.add_phase(-rewrites_[rewrite].phase);
    }
    phase_.add_phase(added.phase);
    rewrites_[rewrite] = {std::move(merged->gates), std::move(merged->phase)};
    rewrite_of_[index] = kTakenAway;
    if (first.sum == kNoSum) {
      first.sum = static_cast<std::uint32_t>(sums_.size());
      sums_.emplace_back();
    }
    sums_[first.sum] = *std::move(sum);
    return true;
  }

  /// Gates that do not merge: Clifford gates change the frame, others are seen as what they are
  /// made of, rotations that only stop the ones they do not commute with.
  void visit_other(const Operation& operation) {
    if (const CliffordAction* const action = actions_.of(operation)) {
      frame_.append(*action, qubits_of(operation));
      open_.append(*action, qubits_of(operation));
      return;
    }
    if (const PauliRotation* const rotation = pauli_rotation_of(operation.gate)) {
      open_.close_anticommuting(rotation->axis, qubits_of(operation));
      return;
    }
    const Gate& row = gate(operation.gate);
    ensure(!row.decompositions.empty(), "a gate is Clifford, a rotation, or decomposes");
    for (const Operation& part : instantiate(row.decompositions.front(), operation).operations) {
      visit_other(part);
    }
  }

  std::vector<Operation> gates_;
  PauliRows paulis_;
  CliffordFrame frame_;
  RotationWriter& writer_;
  CliffordActions& actions_;
  bool clifford_rotations_merge_;
  std::vector<std::uint64_t> pauli_;  ///< of the rotation at hand
  OpenRotations open_;                ///< by their indices in rotations_
  std::vector<Rotation> rotations_;
  std::vector<Angle> sums_;
  std::vector<std::uint32_t> rewrite_of_;  ///< of each gate
  std::vector<Rewrite> rewrites_;
  Angle phase_;
};

}  // namespace

PhasedGates fold_rotations(std::vector<Operation> gates, std::uint32_t qubits, const GateSet& set) {
  ensure(gates.size() < (std::size_t{1} << 31U), "gates are counted in 32 bits");
  PhasedGates result{std::move(gates), {}};
  RotationWriter writer(set);
  CliffordActions actions;
  // Two views: rotations by quarter turns as part of the frame (they stop no other rotation), then
  // as rotations (they merge themselves). Each merge takes a gate away or keeps the count with
  // fewer places, so this ends; four rounds of both are enough in practice.
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (const bool clifford_rotations_merge : {false, true}) {
      Folder folder(std::move(result.gates), qubits, writer, actions, clifford_rotations_merge);
      PhasedGates folded = std::move(folder).run();
      changed = changed || folder.changed();
      result.gates = std::move(folded.gates);
      result.phase.add_phase(folded.phase);
    }
    if (!changed) break;
  }
  return result;
}

}  // namespace quartz
