#include "journal/history_writer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/chunked_vector.hpp"
#include "journal/journal_writer.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::journal {
namespace {

using circuit::GateNumber;
using circuit::History;
using circuit::HistoryPointer;
using circuit::HistoryRecord;
using circuit::RecordedGate;
using circuit::RecordedGates;

}  // namespace

/// Codes of recorded gates in a journal.
class JournalCodes {
 public:
  explicit JournalCodes(JournalWriter& writer) : writer_(&writer) {}
  /// Begins with the codes of a journal that the writer continues.
  JournalCodes(const JournalCodes& other, JournalWriter& writer)
      : writer_(&writer), codes_of_(other.codes_of_) {}

  /// Selects the gates whose codes are translated next. They must outlive this object.
  void select(const RecordedGates& gates) {
    if (gates_ == &gates) return;
    gates_ = &gates;
    codes_ = &codes_of_[gates_];
  }
  /// Returns the journal's code of a gate, and defines it if it is new.
  [[nodiscard]] JournalWriter::Code operator[](RecordedGates::Code code) {
    if (code >= codes_->size()) {
      codes_->resize(gates_->size(), kNone);
      ensure(code < codes_->size(), "the gates of a history are those that were recorded with it");
    }
    JournalWriter::Code& result = (*codes_)[code];
    if (result == kNone) result = writer_->code_of((*gates_)[code]);
    return result;
  }

 private:
  static constexpr JournalWriter::Code kNone = ~JournalWriter::Code{0};
  using Codes = std::vector<JournalWriter::Code>;

  JournalWriter* writer_;
  const RecordedGates* gates_ = nullptr;
  Codes* codes_ = nullptr;  ///< codes of the selected gates
  std::unordered_map<const RecordedGates*, Codes> codes_of_;
};

namespace {

/// Operations are renumbered when the next number exceeds this many times their number, so that
/// numbers stay short.
constexpr std::uint64_t kNumbersPerOperation = 4;
constexpr std::uint64_t kMinNumbers = std::uint64_t{1} << 14U;

/// Returns whether parts only change the order in which their gates are listed, of which a journal
/// says nothing.
bool is_order(const History::Parts& parts) {
  return std::ranges::all_of(parts.parts,
                             [](const History::Part& part) { return part.history == nullptr; });
}

bool is_order(const History& step) {
  const auto* const parts = std::get_if<History::Parts>(&step.content);
  return parts != nullptr && is_order(*parts);
}

/// Returns whether two histories divide a circuit in the same way.
bool have_same_parts(const History::Parts& a, const History::Parts& b) {
  return std::ranges::equal(a.parts, b.parts,
                            [](const History::Part& left, const History::Part& right) {
                              return left.gates == right.gates && left.qubits == right.qubits;
                            });
}

/// Returns whether two steps are the same. Each version of a circuit has steps with parts of its
/// own, which may be equal.
bool is_same(const HistoryPointer& a, const HistoryPointer& b) {
  if (a == b) return true;
  const auto* const parts = std::get_if<History::Parts>(&a->content);
  const auto* const others = std::get_if<History::Parts>(&b->content);
  if (parts == nullptr || others == nullptr || !have_same_parts(*parts, *others)) return false;
  return std::ranges::equal(
      parts->parts, others->parts, [](const History::Part& left, const History::Part& right) {
        return std::ranges::equal(circuit::histories_in_sequence(left.history),
                                  circuit::histories_in_sequence(right.history), is_same);
      });
}

}  // namespace

/// Lemmas that were written.
class WrittenLemmas {
 public:
  /// A lemma: its number, and the qubits of its gates afterwards.
  struct Lemma {
    std::uint64_t number = 0;
    std::uint32_t wires = 0;
    std::vector<RecordedGate> after;  ///< without codes
  };

  /// Returns a lemma, or null if it was not written.
  [[nodiscard]] const Lemma* find(const History* history) const {
    const auto found = lemmas_.find(history);
    return found == lemmas_.end() ? nullptr : &found->second;
  }
  /// Adds a lemma, whose history must outlive this object, with the next number.
  const Lemma& add(const History* history, std::uint32_t wires, std::vector<RecordedGate> after) {
    const std::uint64_t number = lemmas_.size();
    return lemmas_.emplace(history, Lemma{number, wires, std::move(after)}).first->second;
  }
  /// Keeps a history that refers to lemmas, so that no other one gets their addresses.
  void keep(HistoryPointer history) { kept_.push_back(std::move(history)); }

 private:
  std::unordered_map<const History*, Lemma> lemmas_;
  std::vector<HistoryPointer> kept_;
};

/// Follows the history of one circuit, that of a journal or of a lemma, and writes its rewrites, in
/// numbers of the journal.
class ListWriter {
 public:
  /// The writer and what it has written must outlive this object.
  ListWriter(JournalWriter& writer, JournalCodes& codes, WrittenLemmas& lemmas,
             std::uint32_t qubits)
      : writer_(&writer), codes_(&codes), lemmas_(&lemmas), last_(qubits, kNone) {}

  /// Continues what another one has written.
  ListWriter(const ListWriter& other, JournalWriter& writer, JournalCodes& codes,
             WrittenLemmas& lemmas)
      : ListWriter(other) {
    writer_ = &writer;
    codes_ = &codes;
    lemmas_ = &lemmas;
  }

  /// Reserves memory for this many operations of the first circuit.
  void reserve(std::size_t operations) { written_.list.reserve(operations); }
  /// Adds an operation of the first circuit.
  void add_operation(std::span<const Qubit> qubits) {
    written_.list.push_back(add(operations_.size(), qubits));
  }

  [[nodiscard]] bool can_continue_to(const HistoryPointer& history) const {
    return continuation(written_, circuit::histories_in_sequence(history)).has_value();
  }
  void continue_to(const HistoryPointer& history) {
    write(written_, circuit::histories_in_sequence(history), {});
  }

  /// Returns the numbers of the operations, in the order to which the history leads.
  [[nodiscard]] std::vector<OperationNumber> numbers() const {
    std::vector<OperationNumber> numbers;
    for (const Index index : written_.list) numbers.push_back(operations_[index].number);
    return numbers;
  }
  /// Returns the operations in this order, without their codes.
  [[nodiscard]] std::vector<RecordedGate> gates() {
    std::vector<RecordedGate> gates;
    for (const Index index : written_.list) {
      const std::span<const Qubit> qubits = qubits_of(index);
      gates.push_back({0, {qubits.begin(), qubits.end()}});
    }
    return gates;
  }

 private:
  ListWriter(const ListWriter&) = default;

  /// Index in `operations_`.
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};
  static constexpr OperationNumber kRemoved = ~OperationNumber{0};

  /// What was written of the history of a list of operations.
  struct Written {
    std::vector<HistoryPointer> steps;  ///< as circuit::histories_in_sequence() returns them
    std::vector<Index> list;            ///< the list after the steps
    /// If the last step has parts: what was written of each. They may be continued, because what
    /// happens to one part does not depend on what happened to the others.
    std::vector<Written> parts;
    /// If the last step is an order: what was written before it.
    struct Unordered {
      std::vector<Index> list;
      std::vector<Written> parts;
    };
    std::optional<Unordered> unordered;
    /// The gates by their numbers in the last step, or in the one before an order, if that consists
    /// of rewrites. A search that is still rewriting a circuit appends to these rewrites.
    std::vector<Index> numbered;
  };

  /// How a history continues what was written.
  struct Continuation {
    std::size_t step = 0;   ///< index of the first step that is not written, or not completely
    bool is_begun = false;  ///< whether a part of that step is written
    bool leaves_order_out = false;  ///< whether the last step that was written is an order without
                                    ///< which the history goes on
  };

  /// Most gates have so few qubits. Entries are small because most of them are not in the cache.
  static constexpr std::size_t kFewQubits = 3;
  struct Entry {
    OperationNumber number = kRemoved;
    std::uint32_t qubit_count = 0;
    std::array<Qubit, kFewQubits> qubits{};  ///< qubits of the input; unused if there are more
  };

  /// Returns how a history continues what was written, or nothing if it does not.
  [[nodiscard]] static std::optional<Continuation> continuation(
      const Written& written, std::span<const HistoryPointer> steps) {
    const std::span<const HistoryPointer> before = written.steps;
    const auto has_first = [&](std::size_t count) {
      return steps.size() >= count &&
             std::ranges::equal(before.first(count), steps.first(count), is_same);
    };
    if (has_first(before.size())) return Continuation{before.size()};
    for (const bool leaves_order_out : {false, true}) {
      if (leaves_order_out && !written.unordered) break;
      const std::size_t count = before.size() - (leaves_order_out ? 1 : 0);
      if (leaves_order_out && has_first(count)) return Continuation{count, false, true};
      if (count == 0 || steps.size() < count || !has_first(count - 1)) continue;
      const History& last = *before[count - 1];
      const History& step = *steps[count - 1];
      if (has_more_rewrites(last, step) ||
          has_more_in_parts(leaves_order_out ? written.unordered->parts : written.parts, last,
                            step)) {
        return Continuation{count - 1, true, leaves_order_out};
      }
    }
    return std::nullopt;
  }

  /// Returns whether a step consists of rewrites that begin with those of the last one.
  [[nodiscard]] static bool has_more_rewrites(const History& last, const History& step) {
    const auto* const rewrites = std::get_if<History::Rewrites>(&last.content);
    const auto* const more = std::get_if<History::Rewrites>(&step.content);
    return rewrites != nullptr && more != nullptr && circuit::begins_with(*more, *rewrites);
  }
  /// Returns whether a step has the parts of the last one, each of which may have been continued.
  [[nodiscard]] static bool has_more_in_parts(const std::vector<Written>& written,
                                              const History& last, const History& step) {
    const auto* const parts = std::get_if<History::Parts>(&last.content);
    const auto* const others = std::get_if<History::Parts>(&step.content);
    if (parts == nullptr || others == nullptr || !have_same_parts(*parts, *others)) return false;
    for (std::size_t i = 0; i < parts->parts.size(); ++i) {
      if (!continuation(written[i], circuit::histories_in_sequence(others->parts[i].history)))
        return false;
    }
    return true;
  }

  /// Writes the steps that follow those that were written. `qubits` are the numbers of the list's
  /// qubits in the circuit; empty if they are the same.
  void write(Written& written, std::vector<HistoryPointer> steps, std::span<const Qubit> qubits) {
    const std::optional<Continuation> from = continuation(written, steps);
    ensure(from.has_value(), "a history continues the one that was written");
    std::size_t next = from->step;
    if (from->leaves_order_out) {
      written.list = std::move(written.unordered->list);
      written.parts = std::move(written.unordered->parts);
      written.unordered.reset();
    }
    if (from->is_begun) {
      const History& step = *steps[next];
      if (const auto* const parts = std::get_if<History::Parts>(&step.content)) {
        write_parts(*parts, written, qubits);
      } else {
        const auto& begun = std::get<History::Rewrites>(written.steps[next]->content);
        written.list = std::move(written.numbered);
        write_rewrites(std::get<History::Rewrites>(step.content), begun.record_bytes(), written,
                       qubits);
      }
      ++next;
    }
    for (; next < steps.size(); ++next) write_step(steps[next], written, qubits);
    written.steps = std::move(steps);
  }

  void write_step(const HistoryPointer& step, Written& written, std::span<const Qubit> qubits) {
    std::vector<Written> parts_before = std::exchange(written.parts, {});
    written.unordered.reset();
    if (is_order(*step)) written.unordered.emplace(written.list, std::move(parts_before));
    std::visit([&](const auto& content) { write_content(content, step, written, qubits); },
               step->content);
  }
  void write_content(const History::Rewrites& rewrites, const HistoryPointer& /*step*/,
                     Written& written, std::span<const Qubit> qubits) {
    write_rewrites(rewrites, 0, written, qubits);
  }
  void write_content(const History::Parts& parts, const HistoryPointer& /*step*/, Written& written,
                     std::span<const Qubit> qubits) {
    if (!is_order(parts)) written.numbered.clear();
    for (const History::Part& part : parts.parts) {
      Written& own = written.parts.emplace_back();
      own.list.reserve(part.gates.size());
      for (const std::uint32_t gate : part.gates) own.list.push_back(written.list.at(gate));
    }
    write_parts(parts, written, qubits);
  }
  void write_content(const History::Permutation& permutation, const HistoryPointer& /*step*/,
                     Written& written, std::span<const Qubit> qubits) {
    ensure(qubits.empty(), "a permutation is that of a whole circuit");
    written.numbered.clear();
    write_permutation(permutation, written.list);
  }
  void write_content(const History::Lemma& lemma, const HistoryPointer& step, Written& written,
                     std::span<const Qubit> /*qubits*/) {
    written.numbered.clear();
    write_use(require_lemma(step), lemma, written.list);
  }
  void write_content(const History::Sequence& /*sequence*/, const HistoryPointer& /*step*/,
                     Written& /*written*/, std::span<const Qubit> /*qubits*/) {
    throw InternalError("a step of a history is not a sequence");
  }
  void write_content(const History::Unknown& /*unknown*/, const HistoryPointer& /*step*/,
                     Written& /*written*/, std::span<const Qubit> /*qubits*/) {
    throw InternalError("a journal has no unknown steps");
  }

  /// Writes what is new in each part, and makes the list consist of theirs.
  void write_parts(const History::Parts& parts, Written& written, std::span<const Qubit> qubits) {
    written.list.clear();
    std::vector<std::pair<Qubit, Index>> last_before;
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
      const History::Part& part = parts.parts[i];
      Written& own = written.parts[i];
      std::vector<Qubit> own_qubits;
      for (const Qubit qubit : part.qubits) own_qubits.push_back(mapped(qubit, qubits));
      write(own, circuit::histories_in_sequence(part.history),
            part.qubits.empty() ? qubits : own_qubits);
      for (const Index index : own.list) {
        for (const Qubit qubit : qubits_of(index)) {
          last_before.emplace_back(qubit, last_.at(qubit));
          last_[qubit] = index;
        }
      }
      written.list.insert(written.list.end(), own.list.begin(), own.list.end());
    }
    for (auto each = last_before.rbegin(); each != last_before.rend(); ++each) {
      last_[each->first] = each->second;
    }
  }

  /// Writes the rewrites behind a number of bytes of their records.
  void write_rewrites(const History::Rewrites& rewrites, std::size_t bytes, Written& written,
                      std::span<const Qubit> qubits) {
    std::vector<Index>& list = written.list;
    circuit::HistoryReader reader(rewrites, bytes);
    codes_->select(*rewrites.gates);
    HistoryRecord& record = record_;
    while (reader.next(record)) {
      for (RecordedGate& gate : record.inserted) gate.code = (*codes_)[gate.code];
      removed_indices_.clear();
      removed_.clear();
      for (const GateNumber number : record.removed) {
        const Index index = list.at(number);
        removed_indices_.push_back(index);
        __builtin_prefetch(&operations_[index]);  // most entries are not in the cache
      }
      map_operands(record, qubits);
      write_record(record, list);
      for (const Index index : removed_indices_) remove(index);
      renumber_if_long();
    }
    release_room();
    written.numbered = list;
    reorder(rewrites.order, list);
  }

  /// Returns a lemma, and writes it if it was not written before.
  const WrittenLemmas::Lemma& require_lemma(const HistoryPointer& history) {
    if (const WrittenLemmas::Lemma* const known = lemmas_->find(history.get())) return *known;
    lemmas_->keep(history);
    return write_lemma(*history);
  }
  /// Writes a lemma behind all those that its proof uses.
  const WrittenLemmas::Lemma& write_lemma(const History& history) {
    const auto& lemma = std::get<History::Lemma>(history.content);
    circuit::for_each_history(lemma.proof.get(), [&](const History& each) {
      if (std::holds_alternative<History::Lemma>(each.content) && lemmas_->find(&each) == nullptr) {
        write_lemma(each);
      }
    });
    codes_->select(*lemma.gates);
    std::vector<RecordedGate> before = lemma.before;
    Qubit wires = 0;
    for (RecordedGate& gate : before) {
      gate.code = (*codes_)[gate.code];
      for (const Qubit qubit : gate.qubits) wires = std::max(wires, qubit + 1);
    }
    writer_->begin_lemma(before);
    ListWriter own(*writer_, *codes_, *lemmas_, wires);
    for (const RecordedGate& gate : before) {
      own.add_operation({gate.qubits.data(), gate.qubits.size()});
    }
    own.continue_to(lemma.proof);
    writer_->end_lemma(own.numbers());
    return lemmas_->add(&history, wires, own.gates());
  }
  /// Writes that a list is replaced by the one to which a lemma leads.
  void write_use(const WrittenLemmas::Lemma& written, const History::Lemma& lemma,
                 std::vector<Index>& list) {
    ensure(list.size() == lemma.before.size(), "a lemma is used for the gates that it begins with");
    std::vector<Qubit> qubits(written.wires);
    removed_.clear();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::span<const Qubit> own = qubits_of(list[i]);
      ensure(own.size() == lemma.before[i].qubits.size(), "a lemma is used for its gates");
      for (std::size_t k = 0; k < own.size(); ++k) qubits.at(lemma.before[i].qubits[k]) = own[k];
      removed_.push_back(operations_[list[i]].number);
    }
    OperationNumber number = writer_->next_number();
    writer_->use_lemma(written.number, removed_, written.after.size());
    for (const Index index : list) remove(index);
    list.clear();
    for (RecordedGate gate : written.after) {
      for (Qubit& qubit : gate.qubits) qubit = qubits[qubit];
      list.push_back(add(number++, gate));
    }
    renumber_if_long();
  }

  void write_permutation(const History::Permutation& permutation, std::vector<Index>& list) {
    std::vector<Index> final_operations;
    for (const std::uint32_t index : permutation.final_operations) {
      final_operations.push_back(list.at(index));
    }
    for (const std::array<circuit::RecordedPlace, 2>& swap : permutation.swaps) {
      std::array<JournalWriter::Place, 2> places{};
      std::array<Qubit, 2> wires{};
      for (std::size_t i = 0; i < 2; ++i) {
        places[i] = {swap[i].wire, before(swap[i], list)};
        wires[i] = swap[i].wire;
      }
      const OperationNumber number = writer_->next_number();
      writer_->swap(places);
      list.push_back(add(number, wires));
    }
    for (const Index index : final_operations) {
      for (Qubit& qubit : qubits_of(index)) qubit = permutation.places.at(qubit);
    }
    reorder(permutation.order, list);
  }

  /// Replaces a list by the gates with these numbers in it.
  template <typename Numbers>
  static void reorder(const Numbers& order, std::vector<Index>& list) {
    std::vector<Index> after;
    after.reserve(order.size());
    for (const GateNumber number : order) after.push_back(list.at(number));
    list = std::move(after);
  }

  /// Replaces the operands of a record, which removes `removed_indices_`, by qubits of the circuit.
  void map_operands(HistoryRecord& record, std::span<const Qubit> qubits) {
    removed_qubits_.clear();
    window_wires_.clear();
    for (const Index index : removed_indices_) {
      for (const Qubit qubit : qubits_of(index)) {
        removed_qubits_.push_back(qubit);
        if (record.kind != formats::RecordKind::rewrite) continue;
        if (std::ranges::find(window_wires_, qubit) == window_wires_.end()) {
          window_wires_.push_back(qubit);
        }
      }
    }
    for (circuit::RecordedPlace& place : record.places) place.wire = mapped(place.wire, qubits);
    for (RecordedGate& gate : record.inserted) {
      for (Qubit& qubit : gate.qubits) {
        qubit = (qubit & circuit::kWindowWire) != 0
                    ? window_wires_.at(qubit & ~circuit::kWindowWire)
                    : mapped(qubit, qubits);
      }
    }
  }
  static Qubit mapped(Qubit qubit, std::span<const Qubit> qubits) {
    if (qubits.empty()) return qubit;
    ensure(qubit < qubits.size(), "a history stays on its qubits");
    return qubits[qubit];
  }

  /// Returns the number of the operation before a place plus 1, or 0.
  [[nodiscard]] OperationNumber before(const circuit::RecordedPlace& place,
                                       std::span<const Index> list) const {
    ensure(place.wire < last_.size() && place.after <= list.size(), "a place is in its circuit");
    const Index index = place.after == 0 ? last_[place.wire] : list[place.after - 1];
    return index == kNone ? 0 : operations_[index].number + 1;
  }

  /// Writes a record in numbers of the journal, and adds its gates to the list. They are in the
  /// list before their places are looked up, because a gate may be put after one of the same
  /// record.
  void write_record(const HistoryRecord& record, std::vector<Index>& list) {
    for (const Index index : removed_indices_) removed_.push_back(operations_[index].number);
    context_.clear();
    for (const GateNumber reset : record.context) {
      context_.push_back(operations_[list.at(reset)].number);
    }
    OperationNumber number = writer_->next_number();
    for (const RecordedGate& gate : record.inserted) list.push_back(add(number++, gate));
    places_.clear();
    for (const circuit::RecordedPlace& place : record.places) {
      places_.push_back({place.wire, before(place, list)});
    }
    writer_->step({.kind = record.kind,
                   .removed = removed_,
                   .removed_qubits = removed_qubits_,
                   .context = context_,
                   .places = places_,
                   .gates = record.inserted});
  }

  [[nodiscard]] std::span<Qubit> qubits_of(Index index) {
    Entry& entry = operations_[index];
    if (entry.qubit_count <= kFewQubits) return {entry.qubits.data(), entry.qubit_count};
    return many_qubits_.at(index);
  }

  [[nodiscard]] Index add(OperationNumber number, const RecordedGate& gate) {
    return add(number, {gate.qubits.data(), gate.qubits.size()});
  }
  [[nodiscard]] Index add(OperationNumber number, std::span<const Qubit> qubits) {
    Index index = static_cast<Index>(operations_.size());
    if (free_.empty()) {
      operations_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    Entry& entry = operations_[index];
    entry.number = number;
    entry.qubit_count = static_cast<std::uint32_t>(qubits.size());
    if (qubits.size() <= kFewQubits) {
      std::ranges::copy(qubits, entry.qubits.begin());
    } else {
      many_qubits_[index].assign(qubits.begin(), qubits.end());
    }
    return index;
  }
  void remove(Index index) {
    Entry& entry = operations_[index];
    entry.number = kRemoved;
    if (entry.qubit_count > kFewQubits) many_qubits_.erase(index);
    free_.push_back(index);
  }
  [[nodiscard]] std::uint64_t live_count() const { return operations_.size() - free_.size(); }

  /// Renumbers the operations if their numbers have become long.
  void renumber_if_long() {
    if (writer_->next_number() > kMinNumbers + kNumbersPerOperation * live_count()) renumber();
  }
  void renumber() {
    // It has several times as many elements as there are operations, and is not kept.
    std::vector<Index> by_number(writer_->next_number(), kNone);
    for (Index index = 0; index < operations_.size(); ++index) {
      const Entry& entry = operations_[index];
      if (entry.number != kRemoved) by_number[entry.number] = index;
    }
    OperationNumber next = 0;
    for (const Index index : by_number) {
      if (index != kNone) operations_[index].number = next++;
    }
    writer_->renumber();
  }

  /// Releases the memory of a record about a whole circuit. Most records are about a few gates.
  void release_room() {
    constexpr std::size_t kMostKept = 100'000;
    if (record_.removed.capacity() + record_.inserted.capacity() < kMostKept) return;
    record_ = HistoryRecord();
    std::vector<Index>().swap(removed_indices_);
    std::vector<OperationNumber>().swap(removed_);
    std::vector<Qubit>().swap(removed_qubits_);
    std::vector<Qubit>().swap(window_wires_);
    std::vector<JournalWriter::Place>().swap(places_);
    std::vector<OperationNumber>().swap(context_);
  }

  JournalWriter* writer_;
  JournalCodes* codes_;
  WrittenLemmas* lemmas_;
  Written written_;
  ChunkedVector<Entry> operations_;
  std::unordered_map<Index, std::vector<Qubit>> many_qubits_;
  std::vector<Index> free_;
  std::vector<Index> last_;  ///< for each qubit: the last operation before the current list
  // Parts of the current record.
  HistoryRecord record_;
  std::vector<Index> removed_indices_;
  std::vector<OperationNumber> removed_;
  std::vector<Qubit> removed_qubits_;
  std::vector<Qubit> window_wires_;
  std::vector<JournalWriter::Place> places_;
  std::vector<OperationNumber> context_;
};

/// Writes the journal of a circuit whose history goes on.
class HistoryWriter {
 public:
  HistoryWriter(std::ostream& out, const Circuit& input, CompressionEffort effort)
      : writer_(out, input.operations.size(), effort),
        codes_(writer_),
        list_(writer_, codes_, lemmas_, input.qubit_count()) {
    list_.reserve(input.operations.size());
    for (const Operation& operation : input.operations) {
      list_.add_operation({operation.qubits.data(), operation.qubits.size()});
    }
  }

  /// Continues what another one has written, in another stream.
  HistoryWriter(const HistoryWriter& other, std::ostream& out)
      : writer_(other.writer_, out),
        codes_(other.codes_, writer_),
        lemmas_(other.lemmas_),
        list_(other.list_, writer_, codes_, lemmas_) {}

  [[nodiscard]] bool can_continue_to(const HistoryPointer& history) const {
    return list_.can_continue_to(history);
  }
  void continue_to(const HistoryPointer& history) {
    list_.continue_to(history);
    writer_.end_block();
  }
  std::uint64_t finish() {
    writer_.finish();
    return writer_.rewrites();
  }

 private:
  JournalWriter writer_;
  JournalCodes codes_;
  WrittenLemmas lemmas_;
  ListWriter list_;
};

GrowingJournal::GrowingJournal(std::ostream& out, const Circuit& input)
    : writer_(std::make_unique<HistoryWriter>(out, input, CompressionEffort::none)) {}
GrowingJournal::GrowingJournal(const GrowingJournal& other, std::ostream& out)
    : writer_(std::make_unique<HistoryWriter>(*other.writer_, out)) {}
GrowingJournal::GrowingJournal(GrowingJournal&&) noexcept = default;
GrowingJournal& GrowingJournal::operator=(GrowingJournal&&) noexcept = default;
GrowingJournal::~GrowingJournal() = default;

bool GrowingJournal::can_continue_to(const circuit::HistoryPointer& history) const {
  return writer_->can_continue_to(history);
}
void GrowingJournal::continue_to(const circuit::HistoryPointer& history) {
  ensure(is_complete(history.get()), "a journal has no unknown steps");
  writer_->continue_to(history);
}
std::uint64_t GrowingJournal::finish() { return writer_->finish(); }

bool is_complete(const History* history) {
  bool is_complete = true;
  circuit::for_each_history(history, [&](const History& each) {
    is_complete = is_complete && !std::holds_alternative<History::Unknown>(each.content);
  });
  return is_complete;
}

std::uint64_t write_journal(std::ostream& out, const Circuit& input,
                            const circuit::HistoryPointer& history) {
  ensure(is_complete(history.get()), "a journal has no unknown steps");
  HistoryWriter writer(out, input, CompressionEffort::least);
  writer.continue_to(history);
  return writer.finish();
}

}  // namespace quartz::journal
