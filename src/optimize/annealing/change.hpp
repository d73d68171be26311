#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "quartz/optimize/optimize.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// Sums over the gates of a circuit under annealing.
struct Totals {
  std::uint64_t value = 0;       ///< scalar cost, which the search minimizes
  std::uint64_t table_cost = 0;  ///< cost in the class table, which the Metropolis rule uses
  /// Global phase in units of pi/8: the first circuit equals e^{i pi phase / 8} times this one.
  int phase = 0;
};

/// An entry in the log of a circuit's changes: 40 bytes.
struct Change {
  RewriteKind kind{};
  /// Whether the next entry is part of the same rewrite: only both together preserve the unitary.
  bool is_continued = false;
  // Where its parts begin in the lists of the log, which has fewer gates than a circuit numbers.
  std::uint32_t first_removed = 0;
  std::uint32_t first_inserted = 0;
  std::uint32_t first_gap = 0;
  Totals before;
};

/// Returns whether two gates have the same label and the same operands.
[[nodiscard]] inline bool is_same_gate(const rewrite::PlainGate& a, const rewrite::PlainGate& b) {
  return a.label == b.label && a.size == b.size &&
         std::equal(a.wires.begin(), a.wires.begin() + a.size, b.wires.begin());
}

/// The parts of a log that belong to one change.
struct LoggedChange {
  std::span<const rewrite::WireLists::RemovedGate> removed;
  std::span<const rewrite::GateIndex> inserted;
  std::span<const rewrite::PlainGate> inserted_gates;
  std::span<const rewrite::WireLists::Gap> gaps;
};

/// The changes of a circuit under annealing, one after the other.
struct ChangeLog {
  std::span<const Change> changes;
  std::span<const rewrite::WireLists::RemovedGate> removed;
  std::span<const rewrite::GateIndex> inserted;        ///< places
  std::span<const rewrite::PlainGate> inserted_gates;  ///< the gates at these places
  std::span<const rewrite::WireLists::Gap> gaps;
  /// Positions in ascending order whose circuits others have: the histories of later circuits begin
  /// with those of these.
  std::span<const std::size_t> shared;
  /// Whether a history leaves out changes that undo each other (UndoneChanges).
  bool leaves_out_undone = false;

  [[nodiscard]] LoggedChange operator[](std::size_t change) const {
    const Change& now = changes[change];
    const bool is_last = change + 1 == changes.size();
    const auto part = [&](const auto& all, std::uint32_t Change::*begin) {
      const std::size_t end = is_last ? all.size() : changes[change + 1].*begin;
      return all.subspan(now.*begin, end - now.*begin);
    };
    return {part(removed, &Change::first_removed), part(inserted, &Change::first_inserted),
            part(inserted_gates, &Change::first_inserted), part(gaps, &Change::first_gap)};
  }
};

}  // namespace quartz::optimizer
