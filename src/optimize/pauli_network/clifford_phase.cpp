#include "optimize/pauli_network/clifford_phase.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "optimize/pauli/pauli_rows.hpp"

namespace quartz::optimizer {
namespace {

/// A stabilizer state with the exact phase of one of its amplitudes.
class PhasedStabilizerState {
 public:
  explicit PhasedStabilizerState(std::uint32_t qubits)
      : paulis_(qubits),
        words_(paulis_.bit_words() / 2),
        qubits_(qubits),
        stabilizers_(std::size_t{qubits} * paulis_.row_words()),
        state_(words_) {
    for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
      paulis_.set_z(row_of(stabilizers_, qubit), qubit);
    }
  }

  void apply(const CliffordGate& gate) {
    switch (gate.kind) {
      case CliffordKind::h:
        apply_hadamard(gate.first);
        break;
      case CliffordKind::s:
        eighths_ += has_bit(state_, gate.first) ? gate.quarters : 8 - gate.quarters;
        break;
      case CliffordKind::x:
        flip(gate.first);
        break;
      case CliffordKind::cx:
        if (has_bit(state_, gate.first)) flip(gate.second);
        break;
    }
    eighths_ %= 8;
    for (std::uint32_t row = 0; row < qubits_; ++row) push(row_of(stabilizers_, row), gate);
  }

  /// Returns the phase of |0...0>, or nothing if the state is another one.
  [[nodiscard]] std::optional<unsigned> phase_of_zero() {
    if (std::ranges::any_of(state_, [](std::uint64_t word) { return word != 0; })) {
      return std::nullopt;
    }
    for (std::uint32_t row = 0; row < qubits_; ++row) {
      const PauliRows::Row stabilizer = row_of(stabilizers_, row);
      if (paulis_.phase(stabilizer) != 0 || flips_any(stabilizer)) return std::nullopt;
    }
    return eighths_;
  }

 private:
  using Rows = std::vector<std::uint64_t>;

  [[nodiscard]] PauliRows::Row row_of(Rows& rows, std::size_t index) const {
    return std::span(rows).subspan(index * paulis_.row_words(), paulis_.row_words());
  }
  [[nodiscard]] bool flips(PauliRows::ConstRow row, std::uint32_t qubit) const {
    return has_bit(row, qubit);
  }
  [[nodiscard]] bool flips_any(PauliRows::ConstRow row) const {
    return std::ranges::any_of(row.first(words_), [](std::uint64_t word) { return word != 0; });
  }
  void flip(std::uint32_t qubit) { state_[qubit / 64] ^= std::uint64_t{1} << (qubit % 64); }

  /// Replaces P by G P G^dagger.
  void push(PauliRows::Row row, const CliffordGate& gate) const {
    const bool has_x = has_bit(row, gate.first);
    const bool has_z = has_bit(row.subspan(words_), gate.first);
    const std::uint64_t bit = std::uint64_t{1} << (gate.first % 64);
    std::uint64_t& x = row[gate.first / 64];
    std::uint64_t& z = row[words_ + gate.first / 64];
    switch (gate.kind) {
      case CliffordKind::h:
        if (has_x != has_z) {
          x ^= bit;
          z ^= bit;
        }
        if (has_x && has_z) add_phase(row, 2);
        break;
      case CliffordKind::s:
        if (!has_x) break;
        if (gate.quarters % 2 != 0) z ^= bit;
        add_phase(row, gate.quarters);
        break;
      case CliffordKind::x:
        if (has_z) add_phase(row, 2);
        break;
      case CliffordKind::cx:
        if (has_x) row[gate.second / 64] ^= std::uint64_t{1} << (gate.second % 64);
        if (has_bit(row.subspan(words_), gate.second)) z ^= bit;
        break;
    }
  }
  void add_phase(PauliRows::Row row, unsigned phase) const {
    paulis_.phase(row) = (paulis_.phase(row) + phase) % 4;
  }

  /// Returns the stabilizer that flips just this qubit, up to a factor, or nothing.
  [[nodiscard]] std::optional<Rows> stabilizer_flipping(std::uint32_t qubit) {
    Rows rows = stabilizers_;
    std::vector<std::uint32_t> left(qubits_);
    std::iota(left.begin(), left.end(), 0U);
    Rows found(paulis_.row_words());  // the product of `found` and the stabilizer flips nothing
    paulis_.set_x(found, qubit);
    Rows result(paulis_.row_words());
    for (std::uint32_t pivot = 0; pivot < qubits_ && flips_any(found); ++pivot) {
      const auto leading = std::ranges::find_if(
          left, [&](std::uint32_t row) { return flips(row_of(rows, row), pivot); });
      if (leading == left.end()) {
        if (flips(found, pivot)) return std::nullopt;
        continue;
      }
      const std::uint32_t row = *leading;
      left.erase(leading);
      for (const std::uint32_t other : left) {
        if (flips(row_of(rows, other), pivot)) {
          paulis_.multiply(row_of(rows, other), row_of(rows, row));
        }
      }
      if (!flips(found, pivot)) continue;
      for (std::size_t word = 0; word < words_; ++word) found[word] ^= row_of(rows, row)[word];
      paulis_.multiply(result, row_of(rows, row));
    }
    if (flips_any(found)) return std::nullopt;
    return result;
  }

  void apply_hadamard(std::uint32_t qubit) {
    const bool was_one = has_bit(state_, qubit);
    const std::optional<Rows> flipping = stabilizer_flipping(qubit);
    if (!flipping) {
      // Only the basis states with this value of the bit have amplitudes: that of |0> keeps its
      // phase.
      if (was_one) flip(qubit);
      return;
    }
    // a(y + e) = i^phase (-1)^(z . y) a(y) for the stabilizer i^phase X_e Z^z.
    std::uint64_t crossing = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      crossing ^= (*flipping)[words_ + word] & state_[word];
    }
    const auto sign = static_cast<unsigned>(__builtin_parityll(crossing));
    const auto phase = static_cast<unsigned>((*flipping)[2 * words_]);
    const unsigned ratio = (phase + 2 * sign) % 4;  // power of i: a(y + e) / a(y)
    // With the basis state whose bit is 0 as the first one: powers of i of a(one) / a(zero).
    const unsigned relative = was_one ? (4 - ratio) % 4 : ratio;
    if (was_one) {
      eighths_ += 2 * ratio;  // the phase of the basis state whose bit is 0
      flip(qubit);
    }
    switch (relative) {
      case 1:  // 1 + i
        eighths_ += 1;
        break;
      case 2:  // 1 + 1 at the basis state whose bit is 1
        flip(qubit);
        break;
      case 3:  // 1 - i
        eighths_ += 7;
        break;
      default:
        break;
    }
  }

  PauliRows paulis_;
  std::size_t words_;  ///< words of the bits of a basis state
  std::uint32_t qubits_;
  Rows stabilizers_;
  std::vector<std::uint64_t> state_;  ///< a basis state with an amplitude
  unsigned eighths_ = 0;              ///< phase of its amplitude
};

}  // namespace

std::optional<unsigned> phase_on_zero_state(std::span<const CliffordGate> gates,
                                            std::uint32_t qubits) {
  PhasedStabilizerState state(qubits);
  for (const CliffordGate& gate : gates) state.apply(gate);
  return state.phase_of_zero();
}

}  // namespace quartz::optimizer
