#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "optimize/repetitions/repeated_runs.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Returns a number for each gate of a list, which is the same for gates that are equal, also in
/// their qubits. Black boxes (state/segments.hpp) have numbers of their own.
[[nodiscard]] std::vector<std::uint32_t> numbers_of_equal_gates(std::span<const Operation> gates);

/// Returns a number for each gate of a list, which is the same for gates that are equal but for
/// their qubits, and whose qubits were last used as few gates before, by the same operand. Where
/// these numbers repeat themselves, the gates mostly do so on other qubits.
[[nodiscard]] std::vector<std::uint32_t> numbers_of_equally_linked_gates(
    std::span<const Operation> gates);

/// A list of gates that occurs several times, on any qubits.
struct Fragment {
  std::vector<Operation> gates;  ///< on qubits that are numbered in the order of their occurrence
  std::uint32_t wires = 0;
  std::size_t copies = 0;
};

/// Consecutive gates of a list that are a copy of a fragment.
struct FragmentCopy {
  std::size_t first = 0;      ///< index of the first gate
  std::size_t fragment = 0;   ///< index of the fragment
  std::vector<Qubit> qubits;  ///< the qubit of the list for each wire of the fragment
};

/// The fragments of several lists of gates, those of the segments of a circuit.
class Fragments {
 public:
  /// Fragments have at most this many wires: a lemma of a journal has no more.
  static constexpr std::uint32_t kMaxWires = 256;

  /// With `on_other_qubits`, also finds parts of a list that repeat themselves on other qubits.
  explicit Fragments(bool on_other_qubits) : on_other_qubits_(on_other_qubits) {}

  /// Finds the copies in the next list of gates. A part that repeats itself (repeated_runs.hpp), on
  /// the same qubits if possible, or on others, is cut into copies of one period, or of several
  /// short ones; they begin at a share of the period (from 0 to 1) behind the beginning. A list
  /// that does not repeat itself may be a copy as a whole.
  void add_list(std::span<const Operation> gates, double cut);

  [[nodiscard]] std::span<const Fragment> fragments() const { return fragments_; }
  /// Returns the copies in a list, in order.
  [[nodiscard]] std::span<const FragmentCopy> copies(std::size_t list) const {
    return copies_[list];
  }
  /// Returns the number of gates that need not be rewritten because they are in further copies.
  [[nodiscard]] std::size_t saved_gates() const;
  /// Returns the number of gates in fragments with several copies, each counted once.
  [[nodiscard]] std::size_t fragment_gates() const;

 private:
  void add_run(std::span<const Operation> gates, const RepeatedRun& run, double cut);
  void add_copy(std::span<const Operation> gates, std::size_t first, std::size_t size);

  bool on_other_qubits_;
  std::vector<Fragment> fragments_;
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::vector<std::vector<FragmentCopy>> copies_;
};

}  // namespace quartz::optimizer
