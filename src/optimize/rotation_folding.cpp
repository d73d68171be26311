#include "optimize/rotation_folding.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>

#include "optimize/pauli_gate.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// How many rotations may wait for a partner at once. Bounds the time a rotation takes; the oldest
/// stop waiting, which loses merges and nothing else.
constexpr std::size_t kOpenRotations = 4096;

/// i^phase X^x Z^z over all qubits; 2 * words 64-bit words, x first.
struct Pauli {
  std::vector<std::uint64_t> bits;
  unsigned phase = 0;
};

int parity_of_and(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum ^= a[i] & b[i];
  return std::popcount(sum) & 1;
}

class PauliArithmetic {
 public:
  explicit PauliArithmetic(std::uint32_t qubits) : words_((qubits + 63) / 64) {}

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] Pauli identity() const { return {std::vector<std::uint64_t>(2 * words_), 0}; }

  /// left := left * right.
  void multiply(Pauli& left, const Pauli& right) const {
    // Z^z1 X^x2 = (-1)^(z1 . x2) X^x2 Z^z1.
    left.phase += right.phase + 2U * static_cast<unsigned>(parity_of_and(z(left), x(right)));
    left.phase %= 4;
    for (std::size_t i = 0; i < left.bits.size(); ++i) left.bits[i] ^= right.bits[i];
  }

  [[nodiscard]] bool commute(const Pauli& a, const Pauli& b) const {
    return parity_of_and(x(a), z(b)) == parity_of_and(z(a), x(b));
  }

  /// Whether an X of one stands where the other has a Z: without that they commute.
  [[nodiscard]] bool overlap(const Pauli& a, const Pauli& b) const {
    for (std::size_t i = 0; i < words_; ++i) {
      if ((a.bits[i] & b.bits[words_ + i]) != 0 || (a.bits[words_ + i] & b.bits[i]) != 0) {
        return true;
      }
    }
    return false;
  }
  static void unite(Pauli& all, const std::vector<std::uint64_t>& bits) {
    for (std::size_t i = 0; i < bits.size(); ++i) all.bits[i] |= bits[i];
  }

  /// The power of i of the Hermitian operator with these bits and a plus sign.
  [[nodiscard]] unsigned positive_phase(const Pauli& pauli) const {
    unsigned ys = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      ys += static_cast<unsigned>(std::popcount(pauli.bits[i] & pauli.bits[words_ + i]));
    }
    return ys % 4;
  }

 private:
  [[nodiscard]] std::span<const std::uint64_t> x(const Pauli& p) const {
    return std::span(p.bits).first(words_);
  }
  [[nodiscard]] std::span<const std::uint64_t> z(const Pauli& p) const {
    return std::span(p.bits).last(words_);
  }

  std::size_t words_;
};

/// The Paulis of each qubit pulled back through the Clifford gates seen so far: C^dagger X_q C and
/// C^dagger Z_q C.
class CliffordFrame {
 public:
  CliffordFrame(const PauliArithmetic& arithmetic, std::uint32_t qubits) : arithmetic_(arithmetic) {
    for (std::uint32_t q = 0; q < qubits; ++q) {
      x_.push_back(arithmetic.identity());
      x_.back().bits[q / 64] |= std::uint64_t{1} << (q % 64);
      z_.push_back(arithmetic.identity());
      z_.back().bits[arithmetic.words() + q / 64] |= std::uint64_t{1} << (q % 64);
    }
  }

  /// A Pauli on the operands `qubits`, pulled back to the start.
  template <typename Qubits>
  [[nodiscard]] Pauli pull_back(const LocalPauli& local, const Qubits& qubits) const {
    Pauli product = arithmetic_.identity();
    product.phase = local.phase;
    // i^phase X^x Z^z: all the X factors stand left of all the Z factors.
    for (std::size_t j = 0; j < qubits.size(); ++j) {
      if (((local.x >> j) & 1U) != 0) arithmetic_.multiply(product, x_[qubits[j]]);
    }
    for (std::size_t j = 0; j < qubits.size(); ++j) {
      if (((local.z >> j) & 1U) != 0) arithmetic_.multiply(product, z_[qubits[j]]);
    }
    return product;
  }

  template <typename Qubits>
  void append(const CliffordAction& action, const Qubits& qubits) {
    std::vector<Pauli> images;
    for (std::size_t j = 0; j < qubits.size(); ++j) {
      images.push_back(pull_back(action.x_images[j], qubits));
      images.push_back(pull_back(action.z_images[j], qubits));
    }
    for (std::size_t j = 0; j < qubits.size(); ++j) {
      x_[qubits[j]] = std::move(images[2 * j]);
      z_[qubits[j]] = std::move(images[2 * j + 1]);
    }
  }

 private:
  const PauliArithmetic& arithmetic_;
  std::vector<Pauli> x_;
  std::vector<Pauli> z_;
};

/// Writes a rotation about a local axis in the gates of a set: the kind it had, or for sets with
/// fixed gates only (t, s, z, ...) the shortest product of those about the same axis.
class RotationWriter {
 public:
  explicit RotationWriter(const GateSet& set) {
    for (const GateSetEntry& entry : set.entries) {
      if (gate(entry.gate).parameters.size() == 1 && entry.takes_any_angle()) {
        free_.push_back(entry.gate);
      }
      if (!gate(entry.gate).parameters.empty()) continue;
      Operation operation;
      operation.gate = entry.gate;
      for (Qubit i = 0; i < gate(entry.gate).qubits; ++i) operation.qubits.push_back(i);
      if (const auto rotation = as_pauli_rotation(operation))
        fixed_.push_back({operation, *rotation});
    }
  }

  /// Whether the set lets rotations of this kind change their angle.
  [[nodiscard]] bool writable(const Operation& operation) const {
    return operation.angles.empty() ||
           std::find(free_.begin(), free_.end(), operation.gate) != free_.end();
  }

  /// exp(-i angle/2 axis) as gates on the operation's qubits, or nothing where the set cannot.
  [[nodiscard]] std::optional<PhasedGates> write(const Operation& like, const LocalPauli& axis,
                                                 const Angle& angle) const {
    PhasedGates result;
    if (!like.angles.empty()) {
      Operation operation = like;
      operation.angles[0] = angle;
      const PauliRotation rotation = *as_pauli_rotation(operation);
      result.phase = -rotation.phase + normalize_angles(operation);
      if (!is_identity(operation)) result.gates.push_back(std::move(operation));
      return result;
    }
    if (!angle.is_pi_multiple()) return std::nullopt;
    const Rational eighths = angle.pi_part() * Rational(4);
    if (!eighths.is_integer()) return std::nullopt;
    const std::int64_t target = ((eighths.numerator() % 8) + 8) % 8;
    const std::optional<std::vector<std::size_t>> word = shortest(axis, target);
    if (!word) return std::nullopt;
    Angle written;
    for (const std::size_t index : *word) {
      Operation operation = fixed_[index].first;
      operation.qubits = like.qubits;
      result.gates.push_back(std::move(operation));
      result.phase.add_phase(-fixed_[index].second.phase);
      written += signed_angle(fixed_[index].second, axis);
    }
    // exp(-i (angle + 2 pi k)/2 P) = (-1)^k exp(-i angle/2 P).
    result.phase.add_phase((angle - written) * Rational(1, 2));
    return result;
  }

 private:
  static Angle signed_angle(const PauliRotation& rotation, const LocalPauli& axis) {
    return rotation.axis.phase == axis.phase ? rotation.angle : -rotation.angle;
  }

  /// The shortest product of fixed gates about the axis that turns by `target` eighths of a turn
  /// (modulo 8); ties go to the fewest gates that are no Clifford gates, then to the list's order.
  [[nodiscard]] std::optional<std::vector<std::size_t>> shortest(const LocalPauli& axis,
                                                                 std::int64_t target) const {
    std::map<std::int64_t, std::vector<std::size_t>> reached{{0, {}}};
    for (int length = 0; length < 8 && !reached.contains(target); ++length) {
      std::map<std::int64_t, std::vector<std::size_t>> next = reached;
      for (const auto& [sum, word] : reached) {
        for (std::size_t i = 0; i < fixed_.size(); ++i) {
          const LocalPauli& own = fixed_[i].second.axis;
          if (own.x != axis.x || own.z != axis.z) continue;
          const Rational step = signed_angle(fixed_[i].second, axis).pi_part() * Rational(4);
          const std::int64_t after = (((sum + step.numerator()) % 8) + 8) % 8;
          std::vector<std::size_t> longer = word;
          longer.push_back(i);
          next.emplace(after, std::move(longer));
        }
      }
      reached = std::move(next);
    }
    const auto found = reached.find(target);
    if (found == reached.end()) return std::nullopt;
    return found->second;
  }

  std::vector<GateKind> free_;
  std::vector<std::pair<Operation, PauliRotation>> fixed_;
};

bool is_quarter_turns(const Angle& angle) {
  return angle.is_pi_multiple() && (angle.pi_part() * Rational(2)).is_integer();
}

class Folder {
 public:
  Folder(std::span<const Operation> gates, std::uint32_t qubits, const GateSet& set,
         bool clifford_rotations_merge)
      : gates_(gates),
        arithmetic_(qubits),
        frame_(arithmetic_, qubits),
        writer_(set),
        clifford_rotations_merge_(clifford_rotations_merge),
        support_(arithmetic_.identity()),
        written_(gates.size()) {}

  [[nodiscard]] PhasedGates run() {
    for (std::size_t i = 0; i < gates_.size(); ++i) visit(i);
    PhasedGates result;
    result.phase = phase_;
    for (std::size_t i = 0; i < gates_.size(); ++i) {
      if (!written_[i]) {
        result.gates.push_back(gates_[i]);
        continue;
      }
      for (Operation& operation : *written_[i]) result.gates.push_back(std::move(operation));
    }
    return result;
  }

  [[nodiscard]] bool changed() const { return changed_; }

 private:
  /// A rotation that a later one may still merge with.
  struct Open {
    Pauli pauli;        ///< pulled back, with a plus sign
    std::size_t index;  ///< of the gate
    Angle angle;        ///< about `pauli`
    bool negative;      ///< the gate's own axis pulls back to -pauli
  };

  void visit(std::size_t index) {
    const Operation& operation = gates_[index];
    const std::optional<PauliRotation> rotation = as_pauli_rotation(operation);
    const bool clifford_angle = rotation && is_quarter_turns(rotation->angle);
    const bool pauli_gate = clifford_angle && rotation->angle.pi_part().is_integer();
    if (rotation && writer_.writable(operation) &&
        (!clifford_angle ||
         (clifford_rotations_merge_ && !(pauli_gate && rotation->axis.x != 0)))) {
      visit_rotation(index, *rotation);
      return;
    }
    visit_other(operation);
  }

  void visit_rotation(std::size_t index, const PauliRotation& rotation) {
    Pauli pauli = frame_.pull_back(rotation.axis, gates_[index].qubits);
    const bool negative = pauli.phase != arithmetic_.positive_phase(pauli);
    pauli.phase = arithmetic_.positive_phase(pauli);
    const Angle angle = negative ? -rotation.angle : rotation.angle;
    if (const auto found = open_.find(pauli.bits); found != open_.end()) {
      Open& first = opened_[found->second];
      if (merge(first, index, angle, rotation)) return;
    }
    close_anticommuting(pauli);
    open_[pauli.bits] = opened_.size();
    arithmetic_.unite(support_, pauli.bits);
    opened_.push_back({std::move(pauli), index, angle, negative});
    limit_open();
  }

  /// Adds `angle` to the open rotation and removes the gate at `index`, if the set can write it.
  bool merge(Open& first, std::size_t index, const Angle& angle, const PauliRotation& rotation) {
    const std::optional<Angle> sum = try_add(first.angle, angle);
    if (!sum) return false;
    const Operation& place = gates_[first.index];
    const PauliRotation own = *as_pauli_rotation(place);
    std::optional<PhasedGates> merged =
        writer_.write(place, own.axis, first.negative ? -*sum : *sum);
    if (!merged) return false;
    const std::size_t before = written_[first.index] ? written_[first.index]->size() : 1;
    if (merged->gates.size() > before + 1) return false;
    // The first place so far stands for e^{i place_phase} times its rotation; the gate that goes
    // stands for e^{i rotation.phase} times its own.
    phase_.add_phase(merged->phase);
    phase_.add_phase(-place_phase(first.index));
    phase_.add_phase(own_phase(first.index));
    phase_.add_phase(rotation.phase);
    place_phase_[first.index] = merged->phase;
    written_[first.index] = std::move(merged->gates);
    written_[index] = std::vector<Operation>();
    first.angle = *sum;
    changed_ = true;
    return true;
  }

  // The bookkeeping of phases: until a place is rewritten, its gate is the input's own and takes no
  // extra phase. Once rewritten, rotation(angle) = e^{i phase} gates.
  [[nodiscard]] Angle place_phase(std::size_t index) const {
    const auto found = place_phase_.find(index);
    return found == place_phase_.end() ? Angle() : found->second;
  }
  [[nodiscard]] Angle own_phase(std::size_t index) const {
    return place_phase_.contains(index) ? Angle() : as_pauli_rotation(gates_[index])->phase;
  }

  void close_anticommuting(const Pauli& pauli) {
    // In long stretches (cx and rotations only) all open rotations commute with all others: where
    // no X meets a Z there is nothing to look for.
    if (!arithmetic_.overlap(support_, pauli)) return;
    const std::size_t closed = std::erase_if(open_, [&](const auto& entry) {
      return !arithmetic_.commute(opened_[entry.second].pauli, pauli);
    });
    if (closed == 0) return;
    support_ = arithmetic_.identity();
    for (const auto& [bits, place] : open_) arithmetic_.unite(support_, bits);
  }

  void limit_open() {
    if (open_.size() <= kOpenRotations) return;
    const std::size_t oldest = opened_.size() - kOpenRotations / 2;
    std::erase_if(open_, [&](const auto& entry) { return entry.second < oldest; });
  }

  /// Gates that do not merge: Clifford gates change the frame, others are seen as what they are
  /// made of, rotations that only stop the ones they do not commute with.
  void visit_other(const Operation& operation) {
    if (const CliffordAction* action = clifford_action(operation)) {
      frame_.append(*action, operation.qubits);
      return;
    }
    if (const std::optional<PauliRotation> rotation = as_pauli_rotation(operation)) {
      close_anticommuting(frame_.pull_back(rotation->axis, operation.qubits));
      return;
    }
    if (const Decomposition* const parts = general_decomposition(gate(operation.gate))) {
      for (const Operation& part : instantiate(*parts, operation).operations) visit_other(part);
      return;
    }
    // A custom gate known by its matrix only: what commutes with every Pauli of its qubits acts
    // elsewhere, and nothing else passes.
    for (unsigned operand = 0; operand < operation.qubits.size(); ++operand) {
      close_anticommuting(frame_.pull_back({1U << operand, 0, 0}, operation.qubits));
      close_anticommuting(frame_.pull_back({0, 1U << operand, 0}, operation.qubits));
    }
  }

  const CliffordAction* clifford_action(const Operation& operation) {
    std::string key(1, static_cast<char>(operation.gate));
    for (const Angle& angle : operation.angles) {
      if (!is_quarter_turns(angle)) return nullptr;
      key += angle.to_string() + ",";
    }
    auto [found, added] = actions_.try_emplace(key);
    if (added) found->second = as_clifford(operation);
    return found->second ? &*found->second : nullptr;
  }

  struct BitsHash {
    std::size_t operator()(const std::vector<std::uint64_t>& bits) const noexcept {
      std::uint64_t hash = 0;
      for (const std::uint64_t word : bits) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
      }
      return static_cast<std::size_t>(hash);
    }
  };

  std::span<const Operation> gates_;
  PauliArithmetic arithmetic_;
  CliffordFrame frame_;
  RotationWriter writer_;
  bool clifford_rotations_merge_;
  std::vector<Open> opened_;
  Pauli support_;  ///< the X and the Z bits of all open rotations together
  std::unordered_map<std::vector<std::uint64_t>, std::size_t, BitsHash> open_;
  std::unordered_map<std::string, std::optional<CliffordAction>> actions_;
  std::unordered_map<std::size_t, Angle> place_phase_;
  std::vector<std::optional<std::vector<Operation>>> written_;
  Angle phase_;
  bool changed_ = false;
};

}  // namespace

PhasedGates fold_rotations(std::span<const Operation> gates, std::uint32_t qubits,
                           const GateSet& set) {
  PhasedGates result{{gates.begin(), gates.end()}, {}};
  // Two views: rotations by quarter turns as part of the frame (they stop no other rotation), then
  // as rotations (they merge themselves). Each merge takes a gate away or keeps the count with
  // fewer places, so this ends; four rounds of both are enough in practice.
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (const bool clifford_rotations_merge : {false, true}) {
      Folder folder(result.gates, qubits, set, clifford_rotations_merge);
      PhasedGates folded = folder.run();
      changed = changed || folder.changed();
      result.gates = std::move(folded.gates);
      result.phase.add_phase(folded.phase);
    }
    if (!changed) break;
  }
  return result;
}

}  // namespace quartz
