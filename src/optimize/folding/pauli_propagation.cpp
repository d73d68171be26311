#include "optimize/folding/pauli_propagation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimize/folding/pauli_writer.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/state/group_rewriting.hpp"
#include "optimize/state/segments.hpp"
#include "optimize/windows/replaced_gates.hpp"
#include "quartz/algebra/rational.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

/// Returns the product of two operators on the same operands.
LocalPauli product(const LocalPauli& left, const LocalPauli& right) {
  const auto exchanges = static_cast<unsigned>(std::popcount(left.z & right.x));
  return {left.x ^ right.x, left.z ^ right.z, (left.phase + right.phase + 2 * exchanges) % 4};
}

bool anticommute(const LocalPauli& left, const LocalPauli& right) {
  return (std::popcount(left.z & right.x) + std::popcount(left.x & right.z)) % 2 != 0;
}

/// Images G P G^dagger of the operators of a Clifford gate's operands, by the bits of P: x of the
/// operands below z.
class CliffordImages {
 public:
  static constexpr std::size_t kMaxOperands = 2;

  /// Returns nothing for gates on more operands and for others than Clifford gates.
  [[nodiscard]] static std::optional<CliffordImages> of(const Operation& operation) {
    const auto operands = static_cast<unsigned>(operation.qubits.size());
    if (operands > kMaxOperands || is_black_box(operation)) return std::nullopt;
    if (!as_clifford(operation)) return std::nullopt;
    const Decomposition inverse = inverse_of(on_first_qubits(operation));
    if (inverse.operations.size() != 1) return std::nullopt;
    const std::optional<CliffordAction> action = as_clifford(inverse.operations[0]);
    if (!action || !is_on_own_operands(inverse.operations[0], operands)) return std::nullopt;
    CliffordImages images;
    for (unsigned bits = 0; bits < 1U << (2 * operands); ++bits) {
      LocalPauli image;
      for (unsigned j = 0; j < operands; ++j) {
        if ((bits >> j & 1U) != 0) image = product(image, action->x_images[j]);
      }
      for (unsigned j = 0; j < operands; ++j) {
        if ((bits >> (operands + j) & 1U) != 0) image = product(image, action->z_images[j]);
      }
      images.images_[bits] = image;
    }
    return images;
  }

  [[nodiscard]] const LocalPauli& image(const LocalPauli& pauli, std::size_t operands) const {
    return images_[pauli.x | pauli.z << operands];
  }

 private:
  [[nodiscard]] static Operation on_first_qubits(Operation operation) {
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      operation.qubits[i] = static_cast<Qubit>(i);
    }
    return operation;
  }
  [[nodiscard]] static bool is_on_own_operands(const Operation& operation, std::size_t operands) {
    if (operation.qubits.size() != operands) return false;
    for (std::size_t i = 0; i < operands; ++i) {
      if (operation.qubits[i] != i) return false;
    }
    return true;
  }

  std::array<LocalPauli, 1U << (2 * kMaxOperands)> images_;
};

/// One walk over the gates. At any time those before are equal to those that were written, followed
/// by the open rotations and then by the operator in the frame.
class Propagation {
 public:
  Propagation(std::span<const Operation> gates, std::uint32_t qubits, PauliWriter& writer)
      : gates_(gates),
        qubits_(qubits),
        writer_(writer),
        frame_(qubits),
        open_(qubits),
        replaced_(gates) {}

  [[nodiscard]] circuit::DerivedGates run() && {
    for (std::uint32_t i = 0; i < gates_.size(); ++i) visit(i);
    const auto end = static_cast<std::uint32_t>(gates_.size());
    for (Qubit qubit = 0; qubit < qubits_; ++qubit) write_paulis(qubit, end);
    phase_.add_phase(Angle::pi_times(Rational(static_cast<std::int64_t>(quarters_ % 4), 2)));
    return std::move(replaced_).finish(phase_, qubits_);
  }

 private:
  /// Rotations of one qubit about one axis, one after the other.
  struct OpenRotation {
    std::vector<std::uint32_t> places;
    std::uint32_t like = 0;  ///< the place of a gate of the kind in which to write the rotation
    LocalPauli axis;
    Angle angle;
    Angle phase;           ///< e^{i phase} times the rotation by `angle` equals the gates
    bool differs = false;  ///< whether the sign of an angle has changed
  };
  /// A way to write an open rotation.
  struct Written {
    circuit::PhasedGates gates;
    bool leaves_pauli = false;  ///< without the half turn, which is a Pauli operator
  };

  void visit(std::uint32_t place) {
    const Operation& operation = gates_[place];
    if (!is_black_box(operation)) {
      if (pauli_rotation_of(operation.gate) != nullptr && visit_rotation(place)) return;
      if (visit_clifford(operation)) return;
    }
    for (const Qubit qubit : operation.qubits) write_paulis(qubit, place);
  }

  /// Returns false if the gate has to stay as it is, with nothing before it that it cannot pass.
  [[nodiscard]] bool visit_rotation(std::uint32_t place) {
    const Operation& operation = gates_[place];
    if (!writer_.rotations().writable(operation)) return false;
    const PauliRotation rotation = *as_pauli_rotation(operation);
    if (operation.qubits.size() == 1 && add_to_frame(place, rotation)) return true;
    const bool is_first = operation.qubits.size() != 1 || !open_[operation.qubits[0]] ||
                          open_[operation.qubits[0]]->axis != rotation.axis;
    if (is_first) close_all(operation);
    const bool turns = anticommute(frame_on(operation), rotation.axis);
    std::optional<circuit::PhasedGates> turned;
    if (turns) {
      turned = writer_.rotations().write(operation, rotation.axis, -rotation.angle);
      if (!turned) return false;
    }
    if (operation.qubits.size() == 1) {
      add(place, rotation, turns);
    } else if (turns) {
      phase_.add_phase(rotation.phase);
      phase_.add_phase(turned->phase);
      replaced_.replace(place, std::move(turned->gates));
    }
    return true;
  }

  /// Moves a rotation of one qubit into the frame, if it is by odd half turns.
  [[nodiscard]] bool add_to_frame(std::uint32_t place, const PauliRotation& rotation) {
    const Angle& angle = rotation.angle;
    if (!angle.is_pi_multiple() || !angle.pi_part().is_integer()) return false;
    const std::int64_t half_turns = angle.pi_part().numerator() % 4;
    if (half_turns % 2 == 0) return false;
    LocalPauli& frame = frame_[gates_[place].qubits[0]];
    const LocalPauli after = product(rotation.axis, frame);
    // exp(-i k pi/2 P) = (-i P)^k
    quarters_ += 3 * static_cast<unsigned>(half_turns + 4) + after.phase;
    frame = {after.x, after.z, 0};
    phase_.add_phase(rotation.phase);
    replaced_.remove(place);
    return true;
  }

  /// Adds a rotation of one qubit to the open one about the same axis, or opens it.
  void add(std::uint32_t place, const PauliRotation& rotation, bool turns) {
    std::optional<OpenRotation>& open = open_[gates_[place].qubits[0]];
    if (!open) open.emplace(OpenRotation{{}, place, rotation.axis, {}, {}, false});
    open->places.push_back(place);
    if (!gates_[place].angles.empty()) open->like = place;
    open->angle += turns ? -rotation.angle : rotation.angle;
    open->phase.add_phase(rotation.phase);
    open->differs = open->differs || turns;
  }

  /// Moves the frame past a Clifford gate; returns false for any other gate.
  [[nodiscard]] bool visit_clifford(const Operation& operation) {
    const auto [entry, is_new] = images_.try_emplace(key_of_quarter_turns(operation));
    if (is_new) entry->second = CliffordImages::of(operation);
    if (!entry->second) return false;
    close_all(operation);
    const LocalPauli image = entry->second->image(frame_on(operation), operation.qubits.size());
    quarters_ += image.phase;
    for (std::size_t j = 0; j < operation.qubits.size(); ++j) {
      frame_[operation.qubits[j]] = {image.x >> j & 1U, image.z >> j & 1U, 0};
    }
    return true;
  }

  /// Returns the operator in the frame on the operands of a gate.
  [[nodiscard]] LocalPauli frame_on(const Operation& operation) const {
    LocalPauli frame;
    for (std::size_t j = 0; j < operation.qubits.size(); ++j) {
      frame.x |= frame_[operation.qubits[j]].x << j;
      frame.z |= frame_[operation.qubits[j]].z << j;
    }
    return frame;
  }

  /// Returns the open rotation of a qubit in gates, or nothing if the set cannot express it.
  [[nodiscard]] std::optional<circuit::PhasedGates> write(const OpenRotation& open,
                                                          const Angle& angle) {
    return writer_.rotations().write(gates_[open.like], open.axis, angle);
  }

  void close_all(const Operation& operation) {
    for (const Qubit qubit : operation.qubits) close(qubit);
  }

  /// Writes the open rotation of a qubit in the fewest gates. If the frame on the qubit is to be
  /// written behind it, counts those gates too.
  void close(Qubit qubit, bool counts_frame = false) {
    std::optional<OpenRotation>& open = open_[qubit];
    if (!open) return;
    const auto size_of_frame = [&](const LocalPauli& frame) {
      return counts_frame ? writer_.write(frame, qubit).gates.size() : 0;
    };
    const LocalPauli left = product(frame_[qubit], open->axis);
    std::optional<circuit::PhasedGates> whole = write(*open, open->angle);
    const Angle rest = open->angle - Angle::pi_times(Rational(1));
    std::optional<circuit::PhasedGates> without = write(*open, rest);
    const std::size_t size_of_whole =
        (whole ? whole->gates.size() : open->places.size()) + size_of_frame(frame_[qubit]);
    if (without && without->gates.size() + size_of_frame(left) < size_of_whole) {
      // exp(-i angle/2 P) = exp(-i (angle - pi)/2 P) (-i P)
      quarters_ += 3 + left.phase;
      frame_[qubit] = {left.x, left.z, 0};
      replace(*open, *std::move(without));
    } else if (open->differs || (whole && whole->gates.size() < open->places.size())) {
      ensure(whole.has_value(), "a gate set has the inverses of its rotations");
      replace(*open, *std::move(whole));
    }
    open.reset();
  }

  void replace(const OpenRotation& open, circuit::PhasedGates written) {
    phase_.add_phase(open.phase);
    phase_.add_phase(written.phase);
    replaced_.replace(open.places.front(), std::move(written.gates));
    for (std::size_t i = 1; i < open.places.size(); ++i) replaced_.remove(open.places[i]);
  }

  /// Writes the operator in the frame on a qubit before a gate, and before that the open rotation.
  void write_paulis(Qubit qubit, std::uint32_t place) {
    close(qubit, true);
    circuit::PhasedGates written = writer_.write(frame_[qubit], qubit);
    frame_[qubit] = {};
    if (written.gates.empty()) return;
    phase_.add_phase(written.phase);
    replaced_.insert_before(place, std::move(written.gates));
  }

  std::span<const Operation> gates_;
  std::uint32_t qubits_;
  PauliWriter& writer_;
  std::vector<LocalPauli> frame_;  ///< X^x Z^z on each qubit
  unsigned quarters_ = 0;          ///< the frame has the factor i^quarters
  std::vector<std::optional<OpenRotation>> open_;
  ReplacedGates replaced_;
  Angle phase_;
  std::unordered_map<std::uint64_t, std::optional<CliffordImages>> images_;
};

}  // namespace

bool has_pauli_gates(const GateSet& set) { return PauliWriter(set).has_both(); }

circuit::DerivedGates propagate_paulis(std::span<const Operation> gates, std::uint32_t qubits,
                                       const GateSet& set) {
  PauliWriter writer(set);
  ensure(writer.has_both(), "the gate set has Pauli gates");
  return rewrite_on_used_qubits(gates, qubits,
                                [&](std::span<const Operation> used, std::uint32_t count) {
                                  return Propagation(used, count, writer).run();
                                });
}

}  // namespace quartz::optimizer
