#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "circuit/record_encoding.hpp"
#include "formats/journal_records.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/circuit/output_permutation.hpp"

/// How a list of gates was derived from another one, for the journal of a search.
namespace quartz::circuit {

struct History;
/// A null pointer is the history of a list that has not changed.
using HistoryPointer = std::shared_ptr<const History>;

/// Number of a gate within one list of rewrites. The gates of the list before have the numbers 0,
/// 1, ... in their order; each inserted gate gets the next number.
using GateNumber = std::uint32_t;

/// Gates without their qubits, as they occur in the records of a history. Several threads may use
/// an object: one reads a history while another one continues it.
class RecordedGates {
 public:
  using Code = std::uint32_t;
  /// Returns the code of a gate, a new one if it has none.
  [[nodiscard]] Code code_of(const Operation& gate);
  /// Returns the gate with a code. The reference stays valid.
  [[nodiscard]] const Operation& operator[](Code code) const;
  /// Returns the number of codes so far.
  [[nodiscard]] std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  std::deque<Operation> gates_;
  std::map<std::pair<GateKind, AngleList>, Code> codes_;
};

/// An operand of a gate that a rewrite inserts may be a wire of the removed gates in place of a
/// qubit: this bit, and the place of the wire among theirs in the order in which they first occur,
/// which takes fewer bytes.
inline constexpr Qubit kWindowWire = Qubit{1} << 31U;

/// A gate that a rewrite inserts.
struct RecordedGate {
  RecordedGates::Code code = 0;
  boost::container::static_vector<Qubit, 8> qubits;

  static constexpr std::tuple kFields{&RecordedGate::code, &RecordedGate::qubits};
};

/// The place directly after a gate on one of its wires.
struct RecordedPlace {
  Qubit wire = 0;
  /// Number of the gate plus 1; 0 for the start of the wire.
  GateNumber after = 0;

  static constexpr std::tuple kFields{&RecordedPlace::wire, &RecordedPlace::after};
};

/// The history of a list of gates: immutable, so that versions of a circuit share the histories
/// that they have in common. The fields of each kind of history are listed in the order in which
/// files have them (docs/formats/checkpoint.md); files and walks over histories follow from these
/// lists.
struct History {
  /// Rewrites, one after the other.
  struct Rewrites {
    std::string records;  ///< as HistoryRecorder writes them, compressed
    std::shared_ptr<const RecordedGates> gates;
    NumberList order;         ///< the list after the rewrites, by the numbers of its gates
    std::uint64_t steps = 0;  ///< number of records

    static constexpr std::tuple kFields{&Rewrites::gates, &Rewrites::steps, &Rewrites::order,
                                        &Rewrites::records};

    /// Returns the number of bytes that the records have without compression.
    [[nodiscard]] std::size_t record_bytes() const;
  };
  /// Two histories, one after the other.
  struct Sequence {
    HistoryPointer first;
    HistoryPointer second;

    static constexpr std::tuple kFields{&Sequence::first, &Sequence::second};
  };
  /// A part of the list with a history of its own.
  struct Part {
    NumberList gates;           ///< indices in the list before, in order
    std::vector<Qubit> qubits;  ///< numbers of its qubits; empty if they are the same
    HistoryPointer history;

    static constexpr std::tuple kFields{&Part::gates, &Part::qubits, &Part::history};
  };
  /// Parts one after the other: the list after consists of theirs. Together they contain every gate
  /// of the list before, and each wire runs through them in their order.
  struct Parts {
    std::vector<Part> parts;

    static constexpr std::tuple kFields{&Parts::parts};
  };
  /// SWAP gates were put before the final operations of the circuit (final_operations), which have
  /// moved to the wires to which these lead: the circuit is the same up to its output permutation.
  /// It is never in a part.
  struct Permutation {
    /// For each SWAP gate the places of its two operands, as in a rewrite; the SWAP gates are
    /// numbered as inserted gates.
    std::vector<std::array<RecordedPlace, 2>> swaps;
    std::vector<std::uint32_t> final_operations;  ///< their indices in the list before
    OutputPermutation places;                     ///< the wire to which each wire leads
    std::vector<GateNumber> order;                ///< the list after

    static constexpr std::tuple kFields{&Permutation::swaps, &Permutation::final_operations,
                                        &Permutation::places, &Permutation::order};
  };
  /// The history of a list of gates that occurs several times, on any qubits: parts that consist of
  /// these gates share it, so that a journal proves it once, and refers to it for each of them.
  struct Lemma {
    std::vector<RecordedGate> before;  ///< the list before; qubits are numbered as they first occur
    std::shared_ptr<const RecordedGates> gates;  ///< those of `before`
    HistoryPointer proof;                        ///< how the list after was derived

    static constexpr std::tuple kFields{&Lemma::gates, &Lemma::before, &Lemma::proof};
  };
  /// The gates were replaced by equal ones in a way that was not recorded.
  struct Unknown {
    static constexpr std::tuple<> kFields{};
  };

  /// The kinds of histories, in the order of their numbers in files.
  using Content = std::variant<Rewrites, Sequence, Parts, Unknown, Permutation, Lemma>;
  Content content;

  explicit History(Content some_content) : content(std::move(some_content)) {}
  History(const History&) = delete;
  History& operator=(const History&) = delete;
  /// Releases long sequences without recursion.
  ~History();
};

/// A struct with a list of its fields.
template <typename Value>
concept HasFields = requires {
  std::remove_const_t<Value>::kFields;
};

/// Calls `visit` with each field of a struct.
template <HasFields Value, typename Visit>
void for_each_field(Value& value, const Visit& visit) {
  std::apply([&](const auto&... field) { (visit(value.*field), ...); }, Value::kFields);
}

/// Calls `visit` with each pointer to a history that is a field, or in a list of structs.
template <typename Value, typename Visit>
void for_each_history_pointer(Value& value, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<Value>, HistoryPointer>) {
    visit(value);
  } else if constexpr (HasFields<Value>) {
    for_each_field(value, [&](auto& field) { for_each_history_pointer(field, visit); });
  } else if constexpr (requires { requires HasFields<typename Value::value_type>; }) {
    for (auto& each : value) for_each_history_pointer(each, visit);
  }
}

/// Calls `visit` with the pointer to each history that a history consists of; it may be null.
template <typename AnyHistory, typename Visit>
void for_each_child(AnyHistory& history, const Visit& visit) {
  std::visit([&](auto& content) { for_each_history_pointer(content, visit); }, history.content);
}

/// Calls `visit` with a history and all that it consists of, as often as each of them occurs. Does
/// not recur: a sequence of 10^6 rewrites is as deep.
template <typename Visit>
void for_each_history(const History* history, const Visit& visit) {
  std::vector<const History*> next{history};
  while (!next.empty()) {
    const History* const now = next.back();
    next.pop_back();
    if (now == nullptr) continue;
    visit(*now);
    for_each_child(*now, [&](const HistoryPointer& child) { next.push_back(child.get()); });
  }
}

[[nodiscard]] HistoryPointer in_sequence(HistoryPointer first, HistoryPointer second);
/// Returns the histories of which a history is the sequence, none of which is a sequence itself, in
/// order.
[[nodiscard]] std::vector<HistoryPointer> histories_in_sequence(const HistoryPointer& history);
[[nodiscard]] HistoryPointer in_parts(std::vector<History::Part> parts);
[[nodiscard]] HistoryPointer unknown_history();
/// Returns the history of a list of gates as one that other lists share. Its qubits are numbered in
/// the order in which they first occur.
[[nodiscard]] HistoryPointer as_lemma(std::span<const Operation> before, HistoryPointer proof);
/// Returns the number of steps that a journal has for a history: records, those of a lemma once,
/// and its uses.
[[nodiscard]] std::uint64_t steps_of(const History* history);
/// Returns whether rewrites begin with others, as those of a circuit begin with the ones that had
/// been recorded some time before.
[[nodiscard]] bool begins_with(const History::Rewrites& rewrites, const History::Rewrites& others);

/// What a record of a history says. Its kind says which fields it has
/// (formats/journal_records.hpp). `List` is a vector, or a span of a list that is elsewhere.
template <template <typename> typename List>
struct HistoryRecordOf {
  formats::RecordKind kind = formats::RecordKind::rewrite;
  List<GateNumber> removed = {};
  List<GateNumber> context = {};  ///< resets
  /// The places of a window without gates, or those of the operands of all inserted gates.
  List<RecordedPlace> places = {};
  List<RecordedGate> inserted = {};
};
template <typename Element>
using RecordedList = std::vector<Element>;
using HistoryRecord = HistoryRecordOf<RecordedList>;
template <typename Element>
using RecordedView = std::span<const Element>;
using HistoryRecordView = HistoryRecordOf<RecordedView>;

/// Records rewrites of a list of gates.
class HistoryRecorder {
 public:
  /// `gates` are the codes of all gates that will be inserted; several recorders may share them.
  explicit HistoryRecorder(std::size_t size,
                           std::shared_ptr<RecordedGates> gates = std::make_shared<RecordedGates>())
      : next_number_(static_cast<GateNumber>(size)), gates_(std::move(gates)) {}

  [[nodiscard]] RecordedGates& gates() { return *gates_; }
  /// Returns the number that the next inserted gate gets.
  [[nodiscard]] GateNumber next_number() const { return next_number_; }
  [[nodiscard]] bool is_empty() const { return records_.empty(); }

  /// Records a step of a kind that histories have.
  void record(const HistoryRecordView& record);
  /// Records that gates of a window, given in an order of the circuit, are replaced by equal ones.
  /// `gaps` are the wires on which the window has no gates but gets some.
  void rewrite(std::span<const GateNumber> removed, std::span<const RecordedPlace> gaps,
               std::span<const RecordedGate> inserted);
  /// Records the same for gates that have no codes yet.
  void rewrite(std::span<const GateNumber> removed, std::span<const RecordedPlace> gaps,
               std::span<const Operation> inserted);
  /// Records that gates anywhere in the circuit are removed and others inserted, which together
  /// preserve the circuit. `places` has one element for each operand of each inserted gate. A place
  /// may be after a gate that was inserted before. `context` are resets without which the circuit
  /// would not be preserved, because they prepare qubits in |0> or discard what is on them.
  void exchange(std::span<const GateNumber> removed, std::span<const RecordedGate> inserted,
                std::span<const RecordedPlace> places, std::span<const GateNumber> context = {});

  /// Returns the history that leads to the gates with these numbers, in this order.
  [[nodiscard]] HistoryPointer finish(NumberList order) &&;

 private:
  template <formats::RecordKind kKind>
  void put(const HistoryRecordView& record);

  GateNumber next_number_;
  std::shared_ptr<RecordedGates> gates_;
  std::string records_;
  std::string encoded_;  ///< room for one record
  std::uint64_t steps_ = 0;
};

/// Records the history of a list in which every gate stays or is replaced by gates in its place.
class GateByGateHistory {
 public:
  explicit GateByGateHistory(std::size_t size) : recorder_(size) { order_.reserve(size); }
  /// The next gate stays.
  void keep() { order_.push_back(gate_++); }
  /// The next gate is replaced by equal ones.
  void replace(std::span<const Operation> gates);
  /// Returns the history; null if every gate has stayed.
  [[nodiscard]] HistoryPointer finish() &&;

 private:
  HistoryRecorder recorder_;
  std::vector<GateNumber> order_;
  GateNumber gate_ = 0;
};

/// Stands for the index of a gate that was not in the list before.
inline constexpr std::uint32_t kNewGate = ~std::uint32_t{0};

/// Returns the history of a list that is left after gates were removed and others inserted, which
/// together preserve the circuit: one exchange. `origins` has the index of each gate of the list
/// after in the list before, which had `size` gates, or kNewGate. The gates are on `qubits` qubits.
[[nodiscard]] HistoryPointer exchange_history(std::size_t size,
                                              std::span<const Operation* const> after,
                                              std::span<const std::uint32_t> origins,
                                              std::uint32_t qubits);

/// Reads the records of rewrites.
class HistoryReader {
 public:
  /// Begins behind a number of bytes, at the end of a record.
  explicit HistoryReader(const History::Rewrites& rewrites, std::size_t bytes = 0);
  /// Reads the next record; returns false at the end.
  [[nodiscard]] bool next(HistoryRecord& record);

 private:
  std::string records_;
  std::size_t place_;
};

}  // namespace quartz::circuit
