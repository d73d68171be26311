#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "certify/pauli/moved_rotations.hpp"
#include "certify/replay/gate_list.hpp"
#include "certify/replay/journal_reader.hpp"
#include "certify/replay/open_hull.hpp"
#include "certify/replay/replayed_circuit.hpp"
#include "certify/replay/window_proofs.hpp"

namespace quartz::certify {

/// Applies the exchanges of a journal: gates of a circuit are removed, and others are inserted at
/// other places.
///
/// Let the hull be that of the removed gates and of the places of the inserted ones
/// (ReplayedCircuit::find_hull). The circuit is a part before the hull, the hull, and a part behind
/// it. An exchange changes only the hull: on every wire, each removed gate is in it, and each place
/// is between two of its gates or at one of its ends. If afterwards there is still an order of the
/// circuit, then the hull has one as well, and it is enough to compare it with the hull before. If
/// the removed gates have a condition, the whole hull has it, and the inserted gates get it.
/// Otherwise the hull may have measurements, resets and other boundaries, at which it is opened
/// (OpenHull). An exchange may name resets as its context: the hull is then that of the removed
/// gates, the places and these resets, and may be compared as one that begins in |0> behind its
/// resets, and ends before them without being observed.
class Exchanges {
 public:
  /// The circuit and the proofs must outlive this object.
  Exchanges(ReplayedCircuit& circuit, WindowProofs& proofs)
      : circuit_(circuit), proofs_(proofs), open_hull_(circuit) {}

  /// Applies an exchange. `codes` are those of the gates that the journal defines, `numbers` has
  /// the operation with each number. Returns why the exchange is wrong. After a wrong one
  /// the circuit must not be used.
  [[nodiscard]] Fault apply(const JournalRecord& record, std::span<const OperationCode> codes,
                            std::vector<OperationIndex>& numbers, const Budget& budget);

 private:
  /// Each returns why the record is wrong, if it is.
  [[nodiscard]] Fault read_context(const JournalRecord& record,
                                   std::span<const OperationIndex> numbers);
  [[nodiscard]] Fault take_removed(const JournalRecord& record,
                                   std::vector<OperationIndex>& numbers);
  [[nodiscard]] Fault read_inserted(const JournalRecord& record,
                                    std::span<const OperationCode> codes,
                                    std::span<const OperationIndex> numbers, const Budget& budget);
  [[nodiscard]] Fault read_place(const JournalRecord::Place& place, std::size_t gate,
                                 std::span<const OperationIndex> numbers);
  [[nodiscard]] Fault remove(const Budget& budget);
  [[nodiscard]] Fault insert(const JournalRecord& record, std::vector<OperationIndex>& numbers,
                             const Budget& budget);
  [[nodiscard]] Fault prove(const Budget& budget);
  /// Does the same; throws OverflowError if the phases do not fit exact arithmetic.
  [[nodiscard]] Fault prove_within_range(const Budget& budget);
  [[nodiscard]] Fault prove_kept(const Budget& budget);
  [[nodiscard]] Fault prove_in_context(const Budget& budget);
  /// Lists the hull with both the removed and the inserted gates, and returns whether that is
  /// possible: whether the gates that stay have the same order before and after.
  [[nodiscard]] bool list_union();
  /// Proves the exchange by the gates of the union that matter to it.
  [[nodiscard]] Fault prove_cone(bool is_conditional, const Budget& budget);
  /// Returns whether the hull is small enough that its proof is kept.
  [[nodiscard]] bool is_kept() const;

  /// Releases the memory of an exchange.
  void release_room();
  /// Returns whether the budget is spent. Looks at the clock only after enough work.
  [[nodiscard]] bool is_spent(const Budget& budget);
  /// The gates of a hull for WindowProofs::prove_pair.
  struct KeptHull {
    std::vector<std::uint8_t> operands;  ///< those of all gates
    std::vector<ReplayedCircuit::WindowOperation> gates;

    void assign(const GateList& list);
  };

  ReplayedCircuit& circuit_;
  WindowProofs& proofs_;
  std::uint64_t look_at_ = 0;  ///< work of the circuit after which the clock is looked at again
  std::vector<OperationIndex> context_;
  std::vector<OperationIndex> removed_;
  std::vector<OperationCode> inserted_;
  ConditionCode condition_ = kNoCondition;  ///< that of all removed and inserted gates
  std::vector<ReplayedCircuit::Place> places_;
  std::vector<OperationIndex> hull_;
  OpenHull open_hull_;
  OpenHull::List before_;
  OpenHull::List after_;
  std::vector<OperationIndex> new_;   ///< the inserted gates
  std::vector<MovableGate> movable_;  ///< gates of the union
  // Kept for their memory.
  std::vector<OperationIndex> ends_;
  KeptHull left_;
  KeptHull right_;
};

}  // namespace quartz::certify
