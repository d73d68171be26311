#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/chunked_vector.hpp"
#include "certify/replay/replayed_conditions.hpp"
#include "quartz/certify/fault.hpp"
#include "quartz/circuit/circuit.hpp"

/// The circuit that a journal rewrites, for its replay.
namespace quartz::certify {

/// Index of an operation without its qubits in an OperationTable.
using OperationCode = std::uint32_t;
/// In place of a code: there is no operation.
inline constexpr OperationCode kNoCode = std::numeric_limits<OperationCode>::max();

/// The distinct operations of a circuit, without their qubits and conditions.
class OperationTable {
 public:
  /// Returns the code of an operation, a new one if it is not in the table.
  OperationCode code_of(const Operation& operation);
  /// Returns an operation without qubits and conditions.
  [[nodiscard]] const Operation& operator[](OperationCode code) const { return operations_[code]; }
  [[nodiscard]] std::size_t size() const { return operations_.size(); }

 private:
  std::vector<Operation> operations_;
  std::unordered_multimap<std::size_t, OperationCode> by_hash_;
  /// Codes that were found last, by hash: a circuit has few different operations.
  std::array<OperationCode, 256> recent_ = filled_with_no_code();

  static constexpr std::array<OperationCode, 256> filled_with_no_code() {
    std::array<OperationCode, 256> codes{};
    codes.fill(kNoCode);
    return codes;
  }
};

/// A circuit as a list of operations for each wire. A window of operations is replaced in place, at
/// a cost that does not depend on the size of the circuit.
///
/// Every operation has a position, and positions increase along every wire. The position of an
/// operation under a condition is also above those of the writes that begin the versions which the
/// condition reads, and below those of the writes that end them. An operation *depends* on others
/// through its wires and through these versions. Let a window be some
/// operations that are consecutive on each of its wires and have one condition. The operations
/// *before* it are those on its wires and the writes whose versions it reads, those *after* it
/// those on its wires and the writes that end these versions. If each one before it has a lower
/// position than each one after it, then no path leaves the window and returns: it would lead from
/// an operation after the window to one before it, but positions increase along paths. So the
/// operations of the circuit can be ordered such that the window is contiguous, and it can be
/// replaced by any equal operations. If positions do not show this, the operations that depend on
/// the window are moved behind it, unless one of them is before it: the window is then not convex,
/// and the replacement is refused.
class ReplayedCircuit {
 public:
  /// Throws UsageError for a circuit with 2^31 operations or more, or whose conditions test bits
  /// that it does not have.
  explicit ReplayedCircuit(const Circuit& circuit);
  /// A copy shares the table with the original: operations have the same codes in both.
  ReplayedCircuit(const ReplayedCircuit&) = default;

  /// A wire of a window, with the operations around the window on it.
  struct WindowWire {
    ReplayedWire wire = 0;
    OperationIndex before = kNoOperation;
    OperationIndex after = kNoOperation;
    OperationIndex last = kNoOperation;  ///< last operation of the window on the wire
  };
  /// An operation of a window: its code, and its operands as indices of the window's wires.
  struct WindowOperation {
    OperationCode code = 0;
    std::span<const std::uint8_t> operands;
  };

  static constexpr std::size_t kMaxWindowWires = 64;
  /// Most wires of a window that a lemma replaces.
  static constexpr std::size_t kMaxLemmaWires = 256;

  /// Begins a window without operations. A condition is that of the gates that will replace it; if
  /// the window gets operations, they decide instead.
  void begin_window(ConditionCode condition = kNoCondition,
                    std::size_t most_wires = kMaxWindowWires);
  /// Appends a gate to the window. Returns why this is impossible: the gate must be the
  /// next one of the window on each of its wires, and have the condition of the others.
  [[nodiscard]] Fault add_to_window(OperationIndex index);
  /// Adds a wire on which the window has no gates, at the place after an operation on it
  /// (kNoOperation: at its start). Returns why this is impossible, if it is.
  [[nodiscard]] Fault add_wire_to_window(ReplayedWire wire, OperationIndex before);
  [[nodiscard]] std::span<const WindowWire> window_wires() const { return window_.wires; }
  [[nodiscard]] std::size_t window_size() const { return window_.operations.size(); }
  [[nodiscard]] ConditionCode window_condition() const { return window_.condition; }
  /// Returns an operation of the window, valid until the window changes.
  [[nodiscard]] WindowOperation window_operation(std::size_t i) const;
  /// Replaces the window by other gates under its condition, given with their operands, and appends
  /// their indices to `inserted`. Returns why this is impossible, if it is.
  [[nodiscard]] Fault replace_window(std::span<const WindowOperation> gates,
                                     std::vector<OperationIndex>& inserted);

  /// Inserts a SWAP gate into an open window without operations, whose two wires are its operands,
  /// and moves what is behind it on each of them to the other one, which changes the order of the
  /// qubits and nothing else. Everything behind it, and all that depends on it, must be final:
  /// measurements and resets without conditions, and barriers. Appends the index of the gate to
  /// `inserted`. Returns why this is impossible, if it is.
  [[nodiscard]] Fault insert_final_swap(std::vector<OperationIndex>& inserted);

  /// A place on a wire between two neighbours; kNoOperation at the ends of the wire.
  struct Place {
    OperationIndex before = kNoOperation;
    OperationIndex after = kNoOperation;
  };
  /// Finds the place directly after an operation (kNoOperation: at the start of the wire). Returns
  /// why there is none, if so.
  [[nodiscard]] Fault find_place(ReplayedWire wire, OperationIndex before, Place& place);
  /// Computes the hull of some operations and places, sorted by position: every operation on a path
  /// that begins at one of these operations or directly behind one of the places, and ends at one
  /// of the operations or directly before one of the places. They must be in the circuit. Returns
  /// why the hull is none that can be rewritten: if the operations have a condition, it must
  /// consist of gates under this condition.
  ///
  /// No path leaves the hull and returns. All operations outside of it can be ordered such that
  /// some are before the hull, the others behind it, and no place is among either of them. The
  /// writes that begin the versions which the hull reads are before it, and those that end them
  /// behind it.
  [[nodiscard]] Fault find_hull(std::span<const OperationIndex> operations,
                                std::span<const Place> places, std::vector<OperationIndex>& hull);
  /// Sorts operations by position, which is an order of the circuit.
  void sort_by_position(std::vector<OperationIndex>& operations) const;
  [[nodiscard]] OperationCode code_of(OperationIndex index) const { return nodes_[index].code; }
  [[nodiscard]] ConditionCode condition_of(OperationIndex index) const {
    return nodes_[index].condition;
  }
  /// Calls `visit` with each wire of an operation, in the order of its operands.
  template <typename Visit>
  void for_each_wire(OperationIndex index, const Visit& visit) const {
    for (const Link& link : links_of(index)) visit(link.wire);
  }

  /// Returns the first difference from a circuit, or nothing if it has the same operations in the
  /// same order on every wire, under conditions that read the same versions. Global phases and
  /// names are not compared.
  [[nodiscard]] Fault difference_from(const Circuit& circuit);

  /// Has the processor load an operation that will be used soon; it need not exist.
  void prefetch(OperationIndex index) const {
    if (index < nodes_.size()) __builtin_prefetch(&nodes_[index]);
  }
  /// Does the same for the operations around the window.
  void prefetch_neighbours() const {
    for (const WindowWire& wire : window_.wires) {
      prefetch(wire.before);
      prefetch(wire.after);
    }
  }

  [[nodiscard]] OperationTable& table() { return *table_; }
  [[nodiscard]] std::shared_ptr<const OperationTable> shared_table() const { return table_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint32_t qubits() const { return qubits_; }
  /// Returns a measure of the time that searches and new positions took so far: the number of
  /// operations and links that were visited.
  [[nodiscard]] std::uint64_t work() const { return search_.work; }
  /// Returns whether the operation is in the circuit.
  [[nodiscard]] bool contains(OperationIndex index) const {
    return index < nodes_.size() && nodes_[index].code != kNoCode;
  }

 private:
  struct Link {
    ReplayedWire wire = 0;
    OperationIndex previous = kNoOperation;
    OperationIndex next = kNoOperation;
  };
  /// Most operations have so few wires. Each of them is in one line of the processor's cache, where
  /// a replay would spend most of its time waiting for a second one.
  static constexpr std::size_t kFewLinks = 3;
  struct alignas(64) Node {
    std::uint64_t position = 0;
    OperationCode code = kNoCode;
    ConditionCode condition = kNoCondition;
    std::uint32_t links = 0;
    std::uint32_t first_link = 0;             ///< in many_links_ if there are more than kFewLinks
    std::array<Link, kFewLinks> few_links{};  ///< unused if there are more
  };
  struct Window {
    std::vector<OperationIndex> operations;
    std::vector<std::uint8_t> operands;       ///< those of all operations, one after another
    std::vector<std::size_t> first_operands;  ///< index of the first operand of each operation
    std::vector<WindowWire> wires;
    ConditionCode condition = kNoCondition;
    std::size_t most_wires = kMaxWindowWires;
  };
  struct Bounds {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };

  /// Which operations the current search has visited.
  struct Search {
    std::vector<std::uint32_t> marks;  ///< the mark that each operation got last
    std::uint32_t mark = 0;            ///< mark of the current search; its second mark is 1 more
    std::uint64_t work = 0;
  };

  [[nodiscard]] std::span<Link> links_of(OperationIndex index) {
    Node& node = nodes_[index];
    if (node.links <= kFewLinks) return {node.few_links.data(), node.links};
    return std::span(many_links_).subspan(node.first_link, node.links);
  }
  [[nodiscard]] std::span<const Link> links_of(OperationIndex index) const {
    const Node& node = nodes_[index];
    if (node.links <= kFewLinks) return {node.few_links.data(), node.links};
    return std::span(many_links_).subspan(node.first_link, node.links);
  }
  [[nodiscard]] Link& link_on(OperationIndex index, ReplayedWire wire);
  /// Sets `wires` to those of an operation: its qubits and what it writes.
  void list_wires(const Operation& operation, std::vector<ReplayedWire>& wires) const;
  [[nodiscard]] OperationIndex new_node(OperationCode code, ConditionCode condition,
                                        std::size_t links);
  /// Appends an operation of the circuit. The memory of `wires` is used.
  void append(const Circuit& circuit, const Operation& operation, std::vector<ReplayedWire>& wires);
  void connect(ReplayedWire wire, OperationIndex before, OperationIndex after);
  /// Returns whether a circuit of as many operations is the same, as difference_from() compares
  /// them. Also returns false if one of them has a classical part.
  [[nodiscard]] bool is_same_from_both_ends(const Circuit& circuit) const;
  [[nodiscard]] Fault too_many_wires() const;
  void remove_window();
  /// Returns whether everything that depends on an operation is final.
  [[nodiscard]] bool is_followed_by_final_operations(OperationIndex index);
  /// Exchanges the wires of what is behind an operation on both of them.
  void exchange_wires_behind(OperationIndex index, ReplayedWire a, ReplayedWire b);

  /// Calls `visit` with each operation that depends on one directly, and with kNoOperation any
  /// number of times.
  template <typename Visit>
  void for_each_dependent(OperationIndex index, const Visit& visit) {
    for (const Link& link : links_of(index)) {
      visit(link.next);
      if (link.wire < qubits_) continue;
      search_.work += conditions_.for_each_reader(index, link.wire, visit);
    }
    const ConditionCode condition = nodes_[index].condition;
    if (condition == kNoCondition) return;
    for (const OperationIndex after : conditions_.after(condition)) visit(after);
  }
  /// Begins a search, with two marks that no operation has.
  void begin_search();
  /// Returns the operations at and behind `operations` and the places, up to a position, and gives
  /// them the first mark of the current search.
  [[nodiscard]] std::vector<OperationIndex> dependents_of(
      std::span<const OperationIndex> operations, std::span<const Place> places,
      std::uint64_t highest);

  /// Gives an operation the first mark of the current search and appends it to `found`, unless it
  /// has the mark, is kNoOperation or has a higher position.
  void mark_up_to(std::uint64_t highest, OperationIndex index, std::vector<OperationIndex>& found) {
    if (index == kNoOperation || search_.marks[index] == search_.mark) return;
    if (nodes_[index].position > highest) return;
    search_.marks[index] = search_.mark;
    found.push_back(index);
  }
  /// Marks and appends everything up to a position that depends on the operations in `found`.
  void add_dependents(std::uint64_t highest, std::vector<OperationIndex>& found);

  [[nodiscard]] Bounds bounds_of_window() const;
  /// Returns whether the positions between what is before and behind the window suffice for a
  /// number of gates.
  [[nodiscard]] bool has_room(std::size_t gates) const;
  /// Makes room for a number of gates: moves operations that depend on the window behind all that
  /// are before it. Returns false if the window is not convex.
  [[nodiscard]] bool make_room(std::size_t gates);
  /// Returns the operations up to a position that depend on the window, by position, and gives them
  /// the mark of a new search.
  [[nodiscard]] std::vector<OperationIndex> dependents_up_to(std::uint64_t position);
  /// Returns whether none of the operations before the window has the mark of dependents_up_to().
  [[nodiscard]] bool has_found_none_before() const;
  /// Gives the operations of dependents_up_to() positions behind the given one, if there is room.
  void move_behind(std::uint64_t position, std::span<const OperationIndex> operations);
  /// Returns the lowest position above `low` of an operation that depends on these directly.
  [[nodiscard]] std::uint64_t lowest_above(std::uint64_t low,
                                           std::span<const OperationIndex> operations);
  /// Gives all operations evenly spaced positions in the same order.
  void renumber();

  std::uint32_t qubits_;
  ReplayedConditions conditions_;
  std::shared_ptr<OperationTable> table_ = std::make_shared<OperationTable>();
  ChunkedVector<Node> nodes_;
  std::vector<Link> many_links_;
  /// Indices of removed operations, by their number of links.
  std::vector<std::vector<OperationIndex>> free_;
  std::vector<OperationIndex> first_;  ///< first operation on each wire
  std::vector<OperationIndex> last_;
  std::size_t size_ = 0;
  std::uint64_t spacing_ = 0;
  Search search_;
  Window window_;
};

}  // namespace quartz::certify
