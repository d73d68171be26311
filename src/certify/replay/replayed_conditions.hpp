#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz::certify {

/// Index of an operation in a ReplayedCircuit.
using OperationIndex = std::uint32_t;
inline constexpr OperationIndex kNoOperation = std::numeric_limits<OperationIndex>::max();

/// A wire of a ReplayedCircuit. The qubits come first, then the classical bits, then some
/// registers.
using ReplayedWire = std::uint32_t;

/// Index of a condition in ReplayedConditions.
using ConditionCode = std::uint32_t;
/// The condition of operations that are always executed.
inline constexpr ConditionCode kNoCondition = 0;

/// The classical wires of a circuit under replay, and the conditions of its operations.
///
/// Every classical bit has a wire: the operations that write it, in order. A register of several
/// bits that a condition of the circuit compares as a whole has one as well: the operations that
/// write any of its bits. A write begins a new version of each of its wires.
///
/// A condition is a list of comparisons together with the versions that they read. Conditions are
/// equal only if everything in the list is: operations under equal conditions are executed in the
/// same branches. They read the same versions, and so are behind the writes that begin these and
/// before those that end them; reads of one version have no order among themselves. Journals
/// neither insert nor remove writes, so all versions and conditions are those of the first circuit.
class ReplayedConditions {
 public:
  /// Throws UsageError if the registers of the circuit overlap.
  explicit ReplayedConditions(const Circuit& circuit);

  [[nodiscard]] std::size_t bits() const { return register_of_bit_.size(); }
  /// Returns the number of all wires, those of qubits included.
  [[nodiscard]] std::size_t wires() const { return open_.size(); }
  /// Appends the wires that an operation writes, each of them once.
  void append_written_wires(const Operation& operation, std::vector<ReplayedWire>& wires) const;

  /// Returns the condition of an operation, and adds it if it is new. `last` has the last write of
  /// each wire so far. Throws UsageError if the circuit does not have the bits that it reads.
  ConditionCode add(const Circuit& circuit, const Operation& operation,
                    std::span<const OperationIndex> last);
  /// Returns the condition of an operation of another circuit with as many qubits and bits, or
  /// nothing if no operation of the first circuit has it.
  [[nodiscard]] std::optional<ConditionCode> find(const Circuit& circuit,
                                                  const Operation& operation,
                                                  std::span<const OperationIndex> last) const;
  /// Ends the current version of a wire: all conditions that read it have been added.
  void end_version(ReplayedWire wire, OperationIndex write);

  /// Returns the operations that wrote what a condition reads.
  [[nodiscard]] std::span<const OperationIndex> before(ConditionCode condition) const {
    return conditions_[condition].before;
  }
  /// Returns the operations that overwrite what a condition reads.
  [[nodiscard]] std::span<const OperationIndex> after(ConditionCode condition) const {
    return conditions_[condition].after;
  }

  /// Adds and removes an operation that is executed under a condition, which is not kNoCondition.
  void add_reader(ConditionCode condition, OperationIndex index);
  void remove_reader(ConditionCode condition, OperationIndex index);
  /// Calls `visit` with each operation that reads the version of a wire that a write begins.
  /// Returns their number.
  template <typename Visit>
  std::size_t for_each_reader(OperationIndex write, ReplayedWire wire, const Visit& visit) const {
    const auto version = reading_.find(key_of(write, wire));
    if (version == reading_.end()) return 0;
    std::size_t readers = 0;
    for (const ConditionCode condition : version->second) {
      readers += conditions_[condition].readers.size();
      for (const OperationIndex reader : conditions_[condition].readers) visit(reader);
    }
    return readers + version->second.size();
  }

 private:
  /// A comparison with the version of a wire that begins with a write (kNoOperation: with none). An
  /// expression is one read of each of its bits, with its number in place of a value.
  struct Read {
    ReplayedWire wire = 0;
    OperationIndex write = kNoOperation;
    std::uint64_t value = 0;
    bool is_negated = false;
    bool is_expression = false;
    friend auto operator<=>(const Read&, const Read&) = default;
  };
  struct Entry {
    std::vector<OperationIndex> before;
    std::vector<OperationIndex> after;
    std::vector<OperationIndex> readers;
  };
  static constexpr ReplayedWire kNoWire = std::numeric_limits<ReplayedWire>::max();

  static std::uint64_t key_of(OperationIndex write, ReplayedWire wire) {
    return std::uint64_t{write} << 32U | wire;
  }
  void add_register(const Register& bits);
  /// Returns the wire of bits that a condition compares; kNoWire if they have none.
  [[nodiscard]] ReplayedWire wire_of(const Register& bits) const;
  /// Returns the comparisons of an operation, or nothing if one of them is with bits without a
  /// wire.
  [[nodiscard]] std::optional<std::vector<Read>> reads_of(
      const Circuit& circuit, const Operation& operation,
      std::span<const OperationIndex> last) const;

  std::uint32_t qubits_;
  std::map<std::string, std::uint64_t> expressions_;  ///< numbers of the expressions, by their keys
  std::vector<ReplayedWire> register_of_bit_;         ///< wire of the bit's register, or kNoWire
  std::vector<Register> registers_;  ///< those that have a wire, without their names
  std::vector<Entry> conditions_;
  std::map<std::vector<Read>, ConditionCode> codes_;
  /// The conditions that read the current version of each wire, before all writes are known.
  std::vector<std::vector<ConditionCode>> open_;
  /// The conditions that read the version of a wire that a write begins.
  std::unordered_map<std::uint64_t, std::vector<ConditionCode>> reading_;
  std::vector<std::uint32_t>
      places_;  ///< place of each operation in the list of readers that has it
};

}  // namespace quartz::certify
