#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// The circuit that a journal rewrites, for its replay.
namespace quartz::certify {

/// Index of an operation without its qubits in an OperationTable.
using OperationCode = std::uint32_t;

/// The distinct operations of a circuit, without their qubits.
class OperationTable {
 public:
  /// Returns the code of an operation, a new one if it is not in the table.
  OperationCode code_of(const Operation& operation);
  /// Returns an operation without qubits.
  [[nodiscard]] const Operation& operator[](OperationCode code) const { return operations_[code]; }
  [[nodiscard]] std::size_t size() const { return operations_.size(); }

 private:
  std::vector<Operation> operations_;
  std::unordered_multimap<std::size_t, OperationCode> by_hash_;
};

/// Index of an operation in a ReplayedCircuit.
using OperationIndex = std::uint32_t;
inline constexpr OperationIndex kNoOperation = std::numeric_limits<OperationIndex>::max();

/// A qubit, or a classical bit with the number of qubits added to it.
using ReplayedWire = std::uint32_t;

/// A circuit as a list of operations for each wire. A window of operations is replaced in place, at
/// a cost that does not depend on the size of the circuit.
///
/// Every operation has a position, and positions increase along every wire. Let a window be some
/// operations that are consecutive on each of its wires. If every operation before it on one of its
/// wires has a lower position than every operation after it, then no path leaves the window and
/// returns: it would lead from an operation after the window to one before it, but positions
/// increase along paths. So the operations of the circuit can be ordered such that the window is
/// contiguous, and it can be replaced by any equal operations. If positions do not show this, the
/// operations that depend on the window are moved behind it, unless one of them is before it: the
/// window is then not convex, and the replacement is refused.
class ReplayedCircuit {
 public:
  /// Throws UsageError for a circuit with conditions, or with 2^32 operations or more.
  explicit ReplayedCircuit(const Circuit& circuit);

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

  /// Begins a window without operations.
  void begin_window();
  /// Appends a gate to the window. Returns why this is impossible, or null: the gate must be the
  /// next one of the window on each of its wires.
  [[nodiscard]] const char* add_to_window(OperationIndex index);
  /// Adds a wire on which the window has no gates, at the place after an operation on it
  /// (kNoOperation: at its start). Returns why this is impossible, or null.
  [[nodiscard]] const char* add_wire_to_window(ReplayedWire wire, OperationIndex before);
  [[nodiscard]] std::span<const WindowWire> window_wires() const { return wires_; }
  [[nodiscard]] std::size_t window_size() const { return window_.size(); }
  /// Returns an operation of the window, valid until the window changes.
  [[nodiscard]] WindowOperation window_operation(std::size_t i) const;
  /// Replaces the window by other gates, given with their operands, and appends their indices to
  /// `inserted`. Returns why this is impossible, or null.
  [[nodiscard]] const char* replace_window(std::span<const WindowOperation> gates,
                                           std::vector<OperationIndex>& inserted);

  /// Returns the first difference from a circuit, or nothing if it has the same operations in the
  /// same order on every wire. Global phases and names are not compared.
  [[nodiscard]] std::optional<std::string> difference_from(const Circuit& circuit);

  [[nodiscard]] OperationTable& table() { return table_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns whether the operation is in the circuit.
  [[nodiscard]] bool contains(OperationIndex index) const {
    return index < nodes_.size() && nodes_[index].is_present;
  }

 private:
  struct Node {
    std::uint64_t position = 0;
    OperationCode code = 0;
    std::uint32_t first_link = 0;
    std::uint32_t links = 0;
    bool is_present = false;
  };
  struct Link {
    ReplayedWire wire = 0;
    OperationIndex previous = kNoOperation;
    OperationIndex next = kNoOperation;
  };
  struct Bounds {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };

  [[nodiscard]] std::span<Link> links_of(OperationIndex index) {
    return std::span(links_).subspan(nodes_[index].first_link, nodes_[index].links);
  }
  [[nodiscard]] std::span<const Link> links_of(OperationIndex index) const {
    return std::span(links_).subspan(nodes_[index].first_link, nodes_[index].links);
  }
  [[nodiscard]] Link& link_on(OperationIndex index, ReplayedWire wire);
  [[nodiscard]] std::vector<ReplayedWire> wires_of(const Operation& operation) const;
  [[nodiscard]] OperationIndex new_node(OperationCode code, std::size_t links);
  void append(const Operation& operation);
  void connect(ReplayedWire wire, OperationIndex before, OperationIndex after);
  void remove_window();

  [[nodiscard]] Bounds bounds_of_window() const;
  /// Moves the operations that depend on the window behind all that are before it. Returns false if
  /// the window is not convex.
  [[nodiscard]] bool move_dependents();
  /// Returns the operations with positions up to `low` that depend on the window, by position, and
  /// marks them as visited by the current search.
  [[nodiscard]] std::vector<OperationIndex> dependents_up_to(std::uint64_t low);
  /// Returns the lowest position above `low` of an operation that depends on these directly.
  [[nodiscard]] std::uint64_t lowest_above(std::uint64_t low,
                                           std::span<const OperationIndex> operations) const;
  /// Gives all operations evenly spaced positions in the same order.
  void renumber();

  std::uint32_t qubits_;
  OperationTable table_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  /// Indices of removed operations, by their number of links.
  std::vector<std::vector<OperationIndex>> free_;
  std::vector<OperationIndex> first_;  ///< first operation on each wire
  std::vector<OperationIndex> last_;
  std::size_t size_ = 0;
  std::uint64_t spacing_ = 0;
  std::vector<std::uint32_t> visits_;  ///< number of the last search that visited each operation
  std::uint32_t searches_ = 0;
  std::vector<OperationIndex> window_;
  std::vector<std::uint8_t> operands_;  ///< operands of the window's operations, one after another
  std::vector<std::size_t> first_operands_;  ///< for each operation of the window
  std::vector<WindowWire> wires_;
};

}  // namespace quartz::certify
