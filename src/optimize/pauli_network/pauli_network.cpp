#include "optimize/pauli_network/pauli_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "optimize/pauli_network/clifford_phase.hpp"
#include "optimize/pauli_network/pauli_string.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Rotations that are considered in the choice of a CNOT.
constexpr std::size_t kLookAhead = 192;

/// Most operators that are looked at in the choice of all CNOTs: about 0.1 s. Circuits on 20 qubits
/// need a sixth of it. The limit does not depend on the speed of the machine, so that a search with
/// a number of steps is reproducible.
constexpr std::uint64_t kMaxWork = 20'000'000;

/// The rotations of a sequence that are not yet gates, with what must come before each of them.
class OpenList {
 public:
  explicit OpenList(std::vector<Rotation> rotations) : rotations_(std::move(rotations)) {
    predecessors_.resize(rotations_.size(), 0);
    successors_.resize(rotations_.size());
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      open_.push_back(i);
      for (std::size_t j = 0; j < i; ++j) {
        if (!anticommute(rotations_[i].axis, rotations_[j].axis)) continue;
        ++predecessors_[i];
        successors_[j].push_back(i);
      }
    }
  }

  [[nodiscard]] bool is_empty() const { return open_.empty(); }
  /// Returns the indices of the open rotations in program order.
  [[nodiscard]] const std::vector<std::size_t>& open() const { return open_; }
  [[nodiscard]] const Rotation& operator[](std::size_t index) const { return rotations_[index]; }
  [[nodiscard]] bool is_first(std::size_t index) const { return predecessors_[index] == 0; }
  void push(const CliffordGate& gate) {
    for (const std::size_t index : open_) {
      rotations_[index].axis = pushed(rotations_[index].axis, gate);
    }
  }
  void close(std::size_t index) {
    open_.erase(std::ranges::find(open_, index));
    for (const std::size_t next : successors_[index]) --predecessors_[next];
  }

 private:
  std::vector<Rotation> rotations_;
  std::vector<std::size_t> predecessors_;  ///< how many open rotations must come before each
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<std::size_t> open_;
};

/// A Pauli operator on one qubit: 1 for X, 2 for Z, 3 for Y, 0 for the identity.
using LocalAxis = unsigned;

LocalAxis axis_on(const PauliString& pauli, std::uint32_t qubit) {
  return static_cast<unsigned>(pauli.x >> qubit & 1U) | static_cast<unsigned>(pauli.z >> qubit & 1U)
                                                            << 1U;
}

bool axes_anticommute(LocalAxis a, LocalAxis b) { return a != 0 && b != 0 && a != b; }

/// A CNOT between Clifford gates on its qubits: it multiplies an operator by `target_axis` on the
/// target if the operator anticommutes with `control_axis` on the control, and the other way round.
struct PauliCnot {
  std::uint32_t control = 0;
  std::uint32_t target = 0;
  LocalAxis control_axis = 0;
  LocalAxis target_axis = 0;

  /// Returns by how much the weight of an operator changes.
  [[nodiscard]] int change(const PauliString& pauli) const {
    const LocalAxis a = axis_on(pauli, control);
    const LocalAxis b = axis_on(pauli, target);
    const LocalAxis new_a = axes_anticommute(b, target_axis) ? a ^ control_axis : a;
    const LocalAxis new_b = axes_anticommute(a, control_axis) ? b ^ target_axis : b;
    return static_cast<int>(new_a != 0) + static_cast<int>(new_b != 0) - static_cast<int>(a != 0) -
           static_cast<int>(b != 0);
  }
};

/// Random numbers in [0, most), or 0 without a source.
struct Noise {
  double most = 0;
  FastRandom* random = nullptr;

  [[nodiscard]] double operator()() const { return random ? most * random->unit() : 0; }
};

/// Builds the network of a sequence.
class NetworkBuilder {
 public:
  NetworkBuilder(RotationSequence sequence, std::uint32_t qubits, double reach, Noise noise)
      : qubits_(qubits),
        noise_(noise),
        open_(std::move(sequence.rotations)),
        rows_(std::move(sequence.images)) {
    for (std::size_t i = 0; i < kLookAhead; ++i) {
      weights_[i] = std::exp2(-static_cast<double>(i) / reach);
    }
  }

  /// Returns false if the budget is spent, or the limit of the work reached, before the network is
  /// complete.
  [[nodiscard]] bool build(const Budget& budget) {
    while (!open_.is_empty()) {
      if (is_over(budget)) return false;
      if (emit_rotations()) continue;
      apply(best_cnot_for_rotations());
    }
    return undo_rows(budget);
  }

  [[nodiscard]] std::vector<Operation>& gates() { return gates_; }
  [[nodiscard]] const std::vector<CliffordGate>& clifford() const { return clifford_; }

 private:
  void apply(const CliffordGate& gate) {
    open_.push(gate);
    for (PauliString& row : rows_) row = pushed(row, gate);
    clifford_.push_back(gate);
    switch (gate.kind) {
      case CliffordKind::h:
        gates_.push_back(make_operation(GateKind::h, {gate.first}));
        break;
      case CliffordKind::s:
        gates_.push_back(make_operation(GateKind::rz, {gate.first},
                                        {Angle::pi_times(Rational(gate.quarters, 2))}));
        break;
      case CliffordKind::x:
        gates_.push_back(make_operation(GateKind::x, {gate.first}));
        break;
      case CliffordKind::cx:
        gates_.push_back(make_operation(GateKind::cx, {gate.first, gate.second}));
        break;
    }
  }
  /// Applies gates that turn a Pauli operator on a qubit into Z, up to the sign.
  void turn_to_z(std::uint32_t qubit, LocalAxis axis) {
    if (axis == 3) apply({CliffordKind::s, qubit});
    if (axis != 2) apply({CliffordKind::h, qubit});
  }
  void apply(const PauliCnot& cnot) {
    turn_to_z(cnot.control, cnot.control_axis);
    if (cnot.target_axis == 3) apply({CliffordKind::s, cnot.target});
    if (cnot.target_axis == 2) apply({CliffordKind::h, cnot.target});
    apply({CliffordKind::cx, cnot.control, cnot.target});
  }

  /// Emits rotations about operators on single qubits. Returns whether there were any.
  bool emit_rotations() {
    const std::vector<std::size_t> open = open_.open();
    bool has_emitted = false;
    for (const std::size_t index : open) {
      if (!open_.is_first(index) || weight_of(open_[index].axis) > 1) continue;
      const auto qubit = static_cast<std::uint32_t>(__builtin_ctzll(open_[index].axis.support()));
      turn_to_z(qubit, axis_on(open_[index].axis, qubit));
      const Rotation& rotation = open_[index];
      const Angle angle = is_negative(rotation.axis) ? -rotation.angle : rotation.angle;
      gates_.push_back(make_operation(GateKind::rz, {qubit}, {angle}));
      open_.close(index);
      has_emitted = true;
    }
    return has_emitted;
  }

  /// Calls `visit` with each CNOT that makes an operator smaller.
  template <typename Visit>
  static void for_each_reduction(const PauliString& pauli, const Visit& visit) {
    for (std::uint64_t left = pauli.support(); left != 0; left &= left - 1) {
      const auto a = static_cast<std::uint32_t>(__builtin_ctzll(left));
      for (std::uint64_t right = left & (left - 1); right != 0; right &= right - 1) {
        const auto b = static_cast<std::uint32_t>(__builtin_ctzll(right));
        const LocalAxis on_a = axis_on(pauli, a);
        const LocalAxis on_b = axis_on(pauli, b);
        for (LocalAxis other = 1; other <= 3; ++other) {
          if (other != on_a) visit(PauliCnot{a, b, other, on_b});
          if (other != on_b) visit(PauliCnot{b, a, other, on_a});
        }
      }
    }
  }
  [[nodiscard]] bool is_over(const Budget& budget) const {
    return work_ > kMaxWork || budget.spent();
  }
  [[nodiscard]] double score(const PauliCnot& cnot) {
    double sum = 0;
    std::size_t place = 0;
    for (const std::size_t index : open_.open()) {
      if (place == kLookAhead) break;
      const double change = cnot.change(open_[index].axis);
      sum += weights_[place++] * change;
    }
    const double rows = change_of_rows(cnot);
    work_ += place;
    // What is left to do at the end counts like a rotation far ahead.
    return sum + kWeightOfRows * weights_[std::min(place, kLookAhead - 1)] * rows;
  }
  [[nodiscard]] PauliCnot best_cnot_for_rotations() {
    unsigned least = kMaxQubitsOfPauliString + 1;
    for (const std::size_t index : open_.open()) {
      if (open_.is_first(index)) least = std::min(least, weight_of(open_[index].axis));
    }
    PauliCnot best;
    double best_score = std::numeric_limits<double>::infinity();
    for (const std::size_t index : open_.open()) {
      if (!open_.is_first(index) || weight_of(open_[index].axis) > least) continue;
      for_each_reduction(open_[index].axis, [&](const PauliCnot& cnot) {
        const double now = score(cnot) + noise_();
        if (now >= best_score) return;
        best_score = now;
        best = cnot;
      });
    }
    return best;
  }

  /// Returns by how much the sum of the weights of the rows changes.
  [[nodiscard]] int change_of_rows(const PauliCnot& cnot) {
    work_ += rows_.size();
    int sum = 0;
    for (const PauliString& row : rows_) sum += cnot.change(row);
    return sum;
  }
  /// Makes the rows the X and Z of their qubits.
  [[nodiscard]] bool undo_rows(const Budget& budget) {
    while (reduce_rows()) {
      if (is_over(budget)) return false;
    }
    for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
      if (is_over(budget)) return false;
      undo_rows_of(qubit);
    }
    return true;
  }
  /// Applies the CNOT that makes the rows smallest. Returns false if none makes them smaller.
  bool reduce_rows() {
    PauliCnot best;
    int best_change = 0;
    for (const PauliString& row : rows_) {
      for_each_reduction(row, [&](const PauliCnot& cnot) {
        const int change = change_of_rows(cnot);
        if (change >= best_change) return;
        best_change = change;
        best = cnot;
      });
    }
    if (best_change == 0) return false;
    apply(best);
    return true;
  }
  /// Makes the two rows of a qubit its X and Z. The rows of the qubits before it stay as they are.
  void undo_rows_of(std::uint32_t qubit) {
    const std::size_t row = 2 * std::size_t{qubit};
    reduce_to(row, qubit, bit_of(qubit) - 1);
    // The first row is now a Pauli operator on the qubit: Z, after this.
    turn_to_z(qubit, axis_on(rows_[row], qubit));
    apply({CliffordKind::h, qubit});
    // Now it is X. The second row anticommutes with it: it has Z or Y there, and anything
    // elsewhere.
    PauliString& second = rows_[row + 1];
    if (axis_on(second, qubit) == 3) {
      // h s h keeps X and exchanges Y and Z.
      apply({CliffordKind::h, qubit});
      apply({CliffordKind::s, qubit});
      apply({CliffordKind::h, qubit});
    }
    for (std::uint64_t rest = second.support() & ~bit_of(qubit); rest != 0;
         rest = second.support() & ~bit_of(qubit)) {
      const auto other = static_cast<std::uint32_t>(__builtin_ctzll(rest));
      turn_to_z(other, axis_on(second, other));
      // The control is the other qubit: X of the target stays, Z Z becomes Z of the target.
      apply({CliffordKind::cx, other, qubit});
    }
    if (is_negative(rows_[row])) apply({CliffordKind::s, qubit, 0, 2});
    if (is_negative(rows_[row + 1])) apply({CliffordKind::x, qubit});
  }
  /// Makes a row an operator on one qubit, without a change of the qubits that are done.
  void reduce_to(std::size_t row, std::uint32_t qubit, std::uint64_t done) {
    ensure((rows_[row].support() & done) == 0, "rows of other qubits commute with those done");
    if ((rows_[row].support() & bit_of(qubit)) == 0) {
      const auto other = static_cast<std::uint32_t>(__builtin_ctzll(rows_[row].support()));
      turn_to_z(other, axis_on(rows_[row], other));
      apply({CliffordKind::h, other});
      apply({CliffordKind::cx, other, qubit});
    }
    while (weight_of(rows_[row]) > 1) {
      PauliCnot best;
      int best_change = std::numeric_limits<int>::max();
      for_each_reduction(rows_[row], [&](const PauliCnot& cnot) {
        // The operator that is left must be on the qubit.
        const bool keeps_control =
            axes_anticommute(axis_on(rows_[row], cnot.control), cnot.control_axis);
        const std::uint32_t removed = keeps_control ? cnot.target : cnot.control;
        if (removed == qubit) return;
        const int change = change_of_rows(cnot);
        if (change >= best_change) return;
        best_change = change;
        best = cnot;
      });
      apply(best);
    }
  }

  static constexpr double kWeightOfRows = 0.3;

  std::uint32_t qubits_;
  Noise noise_;
  OpenList open_;
  /// R^dagger X_q R and R^dagger Z_q R for the Clifford operator R that is left.
  std::vector<PauliString> rows_;
  std::array<double, kLookAhead> weights_{};
  std::uint64_t work_ = 0;  ///< operators that were looked at
  std::vector<Operation> gates_;
  std::vector<CliffordGate> clifford_;
};

/// Returns the gates of the product C D^dagger.
std::vector<CliffordGate> quotient(const std::vector<CliffordGate>& c,
                                   const std::vector<CliffordGate>& d) {
  std::vector<CliffordGate> result = c;
  for (auto gate = d.rbegin(); gate != d.rend(); ++gate) {
    // The inverse of rz by k quarters is that by 4 - k, times -1.
    result.push_back(*gate);
    if (gate->kind == CliffordKind::s) result.back().quarters = 4 - gate->quarters;
  }
  return result;
}

std::optional<circuit::PhasedGates> network_of(RotationSequence sequence, double reach, Noise noise,
                                               const Budget& budget) {
  const auto qubits = static_cast<std::uint32_t>(sequence.images.size() / 2);
  bool is_negated = sequence.is_negated;
  const std::vector<CliffordGate> before = sequence.clifford;
  NetworkBuilder builder(std::move(sequence), qubits, reach, noise);
  if (!builder.build(budget)) return std::nullopt;
  for (const CliffordGate& gate : builder.clifford()) {
    if (gate.kind == CliffordKind::s) is_negated = !is_negated;  // see quotient()
  }
  const std::optional<unsigned> eighths =
      phase_on_zero_state(quotient(before, builder.clifford()), qubits);
  ensure(eighths.has_value(), "the Clifford gates of a network are those of its circuit");
  circuit::PhasedGates result;
  result.gates = std::move(builder.gates());
  result.phase =
      Angle::pi_times(Rational(*eighths + (is_negated ? 4 : 0), 4)).reduced_modulo(Rational(2));
  return result;
}

}  // namespace

std::optional<circuit::PhasedGates> pauli_network(RotationSequence sequence, double reach,
                                                  const Budget& budget) {
  return network_of(std::move(sequence), reach, {}, budget);
}

std::optional<circuit::PhasedGates> random_pauli_network(RotationSequence sequence, double reach,
                                                         double noise, FastRandom& random,
                                                         const Budget& budget) {
  return network_of(std::move(sequence), reach, {noise, &random}, budget);
}

}  // namespace quartz::optimizer
