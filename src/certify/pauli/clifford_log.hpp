#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "base/budget.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Number of words compared or changed between two checks of the clock: some milliseconds.
inline constexpr std::size_t kWordsBetweenChecks = std::size_t{1} << 22;

/// Clifford gates in order, from which the global phase of their product is computed once the
/// product is known to be the identity up to a phase. Most circuits that are compared are equal, so
/// that a later run over the gates costs no more than computing the phase gate by gate; and if it
/// takes too long, only the phase is lost.
class CliffordLog {
 public:
  enum class Kind : std::uint8_t {
    operand,   ///< one more operand of the gate that follows
    hadamard,  ///< the Hadamard gate
    x,         ///< the Pauli operator X
    cx,        ///< an X that is controlled by the first operand
    swap,      ///< the exchange of two operands
    rotate_z,  ///< e^{-i quarters pi/4 Z...Z}
  };

  /// Creates an empty log that takes at most `max_bytes`; a longer log is dropped.
  explicit CliffordLog(double max_bytes) : max_entries_(max_bytes / sizeof(Entry)) {}

  /// Appends a gate with its last operand, or an earlier operand. `quarters` is below 4.
  void add(Kind kind, Wire wire, unsigned quarters = 0) {
    if (!is_complete_) return;
    if (static_cast<double>(entries_.size()) >= max_entries_ || wire > kMaxWire) return drop();
    Entry entry;
    entry.wire = wire & kMaxWire;
    entry.kind = static_cast<std::uint32_t>(kind) & 7U;
    entry.quarters = quarters & 3U;
    entries_.push_back(entry);
  }

  /// Returns the phase p in e^{i p pi/4} if the product of the gates on this number of wires is
  /// that multiple of the identity, which it must be. Returns nothing if the log was dropped, and
  /// if the time or the memory do not suffice.
  [[nodiscard]] std::optional<unsigned> phase_of_identity(std::size_t wires,
                                                          const Budget& budget) const;

 private:
  /// A word for each operand of each gate.
  struct Entry {
    std::uint32_t wire : 27;
    std::uint32_t kind : 3;
    std::uint32_t quarters : 2;
  };
  static constexpr Wire kMaxWire = (Wire{1} << 27) - 1;

  void drop();

  double max_entries_;
  bool is_complete_ = true;
  std::deque<Entry> entries_;  ///< grows without a copy of all entries
};

}  // namespace quartz::certify
