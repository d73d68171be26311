#include "optimize/pauli_network/clifford_phase.hpp"

#include <utility>
#include <vector>

namespace quartz::optimizer {
namespace {

/// A stabilizer state with the exact phase of one of its amplitudes.
class PhasedStabilizerState {
 public:
  explicit PhasedStabilizerState(std::uint32_t qubits) {
    for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
      stabilizers_.push_back({0, bit_of(qubit), 0});
    }
  }

  void apply(const CliffordGate& gate) {
    const std::uint64_t bit = bit_of(gate.first);
    switch (gate.kind) {
      case CliffordKind::h:
        apply_hadamard(bit);
        break;
      case CliffordKind::s:
        eighths_ += (state_ & bit) != 0 ? gate.quarters : 8 - gate.quarters;
        break;
      case CliffordKind::x:
        state_ ^= bit;
        break;
      case CliffordKind::cx:
        if ((state_ & bit) != 0) state_ ^= bit_of(gate.second);
        break;
    }
    eighths_ %= 8;
    for (PauliString& stabilizer : stabilizers_) stabilizer = pushed(stabilizer, gate);
  }

  /// Returns the phase of |0...0>, or nothing if the state is another one.
  [[nodiscard]] std::optional<unsigned> phase_of_zero() const {
    if (state_ != 0) return std::nullopt;
    for (const PauliString& stabilizer : stabilizers_) {
      if (stabilizer.x != 0 || stabilizer.phase != 0) return std::nullopt;
    }
    return eighths_;
  }

 private:
  /// Returns the stabilizer that flips just this bit, up to a factor, or nothing.
  [[nodiscard]] std::optional<PauliString> stabilizer_flipping(std::uint64_t bit) const {
    std::vector<PauliString> rows = stabilizers_;
    PauliString found{bit, 0, 0};  // the product of `found` and the stabilizer flips nothing
    PauliString result;
    for (std::uint64_t pivot = 1; found.x != 0 && !rows.empty(); pivot <<= 1U) {
      std::size_t row = 0;
      while (row < rows.size() && (rows[row].x & pivot) == 0) ++row;
      if (row == rows.size()) {
        if ((found.x & pivot) != 0) return std::nullopt;
        if (pivot == bit_of(kMaxQubitsOfPauliString - 1)) break;
        continue;
      }
      const PauliString leading = rows[row];
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(row));
      for (PauliString& other : rows) {
        if ((other.x & pivot) != 0) other = product(other, leading);
      }
      if ((found.x & pivot) != 0) {
        found.x ^= leading.x;
        result = product(result, leading);
      }
      if (pivot == bit_of(kMaxQubitsOfPauliString - 1)) break;
    }
    if (found.x != 0) return std::nullopt;
    return result;
  }

  void apply_hadamard(std::uint64_t bit) {
    const bool was_one = (state_ & bit) != 0;
    const std::optional<PauliString> flip = stabilizer_flipping(bit);
    if (!flip) {
      // Only the basis states with this value of the bit have amplitudes: that of |0> keeps its
      // phase.
      state_ &= ~bit;
      return;
    }
    // a(y + e) = i^phase (-1)^(z . y) a(y) for the stabilizer i^phase X_e Z^z.
    const auto sign = static_cast<unsigned>(__builtin_parityll(flip->z & state_));
    const unsigned ratio = (flip->phase + 2 * sign) % 4;  // power of i: a(y + e) / a(y)
    // With the basis state whose bit is 0 as the first one: powers of i of a(one) / a(zero).
    const unsigned relative = was_one ? (4 - ratio) % 4 : ratio;
    if (was_one) eighths_ += 2 * ratio;  // the phase of the basis state whose bit is 0
    state_ &= ~bit;
    switch (relative) {
      case 1:  // 1 + i
        eighths_ += 1;
        break;
      case 2:  // 1 + 1 at the basis state whose bit is 1
        state_ |= bit;
        break;
      case 3:  // 1 - i
        eighths_ += 7;
        break;
      default:
        break;
    }
  }

  std::vector<PauliString> stabilizers_;
  std::uint64_t state_ = 0;  ///< a basis state with an amplitude
  unsigned eighths_ = 0;     ///< phase of its amplitude
};

}  // namespace

std::optional<unsigned> phase_on_zero_state(std::span<const CliffordGate> gates,
                                            std::uint32_t qubits) {
  PhasedStabilizerState state(qubits);
  for (const CliffordGate& gate : gates) state.apply(gate);
  return state.phase_of_zero();
}

}  // namespace quartz::optimizer
