#include "optimize/pauli_network/clifford_phase.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
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
        pivots_(qubits, kNone),
        row_with_pivot_(qubits, kNone),
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
    // These are the only gates that change what stabilizers flip.
    if (gate.kind == CliffordKind::cx) {
      if (row_with_pivot_[gate.second] == kNone) return;
      drop_pivot(gate.second);
      restore_pivots();
    } else if (gate.kind == CliffordKind::h) {
      drop_pivot(gate.first);
      restore_pivots();
    }
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
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

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

  /// Returns the row of the stabilizer that flips just this qubit, up to factors that flip nothing,
  /// or nothing.
  [[nodiscard]] std::optional<std::uint32_t> stabilizer_flipping(std::uint32_t qubit) {
    const std::uint32_t found = row_with_pivot_[qubit];
    if (found == kNone) return std::nullopt;
    const PauliRows::Row row = row_of(stabilizers_, found);
    unsigned flips = 0;
    for (const std::uint64_t word : row.first(words_)) {
      flips += static_cast<unsigned>(__builtin_popcountll(word));
    }
    if (flips != 1) return std::nullopt;
    return found;
  }

  void drop_pivot(std::uint32_t qubit) {
    const std::uint32_t row = std::exchange(row_with_pivot_[qubit], kNone);
    if (row != kNone) pivots_[row] = kNone;
  }
  /// Gives pivots to the rows that have none and flip something.
  void restore_pivots() {
    for (std::uint32_t row = 0; row < qubits_; ++row) {
      if (pivots_[row] != kNone) continue;
      const PauliRows::Row own = row_of(stabilizers_, row);
      const auto word =
          std::ranges::find_if(own.first(words_), [](std::uint64_t each) { return each != 0; });
      const auto index = static_cast<std::size_t>(word - own.begin());
      if (index >= words_) continue;
      const auto pivot = static_cast<std::uint32_t>(64 * index) +
                         static_cast<std::uint32_t>(__builtin_ctzll(*word));
      pivots_[row] = pivot;
      row_with_pivot_[pivot] = row;
      for (std::uint32_t other = 0; other < qubits_; ++other) {
        if (other == row || !flips(row_of(stabilizers_, other), pivot)) continue;
        paulis_.multiply(row_of(stabilizers_, other), own);
      }
    }
  }

  void apply_hadamard(std::uint32_t qubit) {
    const bool was_one = has_bit(state_, qubit);
    const std::optional<std::uint32_t> row = stabilizer_flipping(qubit);
    if (!row) {
      // Only the basis states with this value of the bit have amplitudes: that of |0> keeps its
      // phase.
      if (was_one) flip(qubit);
      return;
    }
    // a(y + e) = i^phase (-1)^(z . y) a(y) for the stabilizer i^phase X_e Z^z.
    const PauliRows::Row flipping = row_of(stabilizers_, *row);
    std::uint64_t crossing = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      crossing ^= flipping[words_ + word] & state_[word];
    }
    const auto sign = static_cast<unsigned>(__builtin_parityll(crossing));
    const auto phase = static_cast<unsigned>(flipping[2 * words_]);
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
  /// A qubit that a row flips and no other one does, or kNone for a row that flips nothing.
  std::vector<std::uint32_t> pivots_;
  std::vector<std::uint32_t> row_with_pivot_;  ///< the row whose pivot each qubit is, or kNone
  std::vector<std::uint64_t> state_;           ///< a basis state with an amplitude
  unsigned eighths_ = 0;                       ///< phase of its amplitude
};

}  // namespace

std::optional<unsigned> phase_on_zero_state(std::span<const CliffordGate> gates,
                                            std::uint32_t qubits) {
  PhasedStabilizerState state(qubits);
  for (const CliffordGate& gate : gates) state.apply(gate);
  return state.phase_of_zero();
}

}  // namespace quartz::optimizer
