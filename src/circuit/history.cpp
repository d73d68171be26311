#include "circuit/history.hpp"

#include <algorithm>
#include <set>

#include "base/leb128.hpp"
#include "circuit/record_encoding.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::circuit {
namespace {

/// Shorter records are stored as they are.
constexpr std::size_t kMinCompressed = 1024;

using formats::RecordField;
using formats::RecordKind;

/// Returns the number with which a record begins in a history.
consteval std::uint64_t number_in_history(RecordKind kind) {
  return static_cast<std::uint64_t>(std::ranges::find(formats::kHistoryRecords, kind) -
                                    formats::kHistoryRecords.begin());
}

/// Returns the records without compression.
std::string plain_records(const History::Rewrites& rewrites) {
  return is_compressed(rewrites.records) ? decompressed(rewrites.records, "a history")
                                         : rewrites.records;
}

/// With which a rewrite begins of which some operands are wires of the window. Other rewrites have
/// qubits as they are, as in files of earlier versions.
constexpr std::uint64_t kRewriteOnWindow = formats::kHistoryRecords.size();

/// Operands of a rewrite on a window: wires of the window are even, qubits are odd.
constexpr std::uint64_t encoded_operand(Qubit operand) {
  return (operand & kWindowWire) != 0 ? std::uint64_t{operand & ~kWindowWire} << 1U
                                      : (std::uint64_t{operand} << 1U) + 1;
}
constexpr Qubit decoded_operand(std::uint32_t number) {
  return (number & 1U) == 0 ? kWindowWire | number >> 1U : number >> 1U;
}

bool is_on_window(const HistoryRecordView& record) {
  return std::ranges::any_of(record.inserted, [](const RecordedGate& gate) {
    return std::ranges::any_of(gate.qubits, [](Qubit qubit) { return (qubit & kWindowWire) != 0; });
  });
}

/// Writes a field of a record to a place that has room, and returns the place behind it.
template <RecordField kField>
char* put_field(char* place, const HistoryRecordView& record, bool is_on_window) {
  const auto put = [&place](std::uint64_t number) { place = put_leb128(place, number); };
  switch (kField) {
    case RecordField::removed:
      encode_gate_numbers(put, record.removed);
      return place;
    case RecordField::context:
      encode_gate_numbers(put, record.context);
      return place;
    case RecordField::gaps:
      encode_places(put, record.places);
      return place;
    case RecordField::placed_gates:
      encode_places(put, record.places);
      encode_inserted(put, record.inserted, put);
      return place;
    case RecordField::window_gates:
      encode_inserted(put, record.inserted, [&](Qubit operand) {
        put(is_on_window ? encoded_operand(operand) : operand);
      });
      return place;
    default:
      throw InternalError("the records of a history have no such field");
  }
}

}  // namespace

History::~History() {
  // A sequence of 10^6 rewrites is as deep: the pointers are released one by one.
  std::vector<HistoryPointer> released;
  const auto take = [&](History& history) {
    for_each_child(history, [&](HistoryPointer& child) { released.push_back(std::move(child)); });
  };
  take(*this);
  while (!released.empty()) {
    const HistoryPointer last = std::move(released.back());
    released.pop_back();
    // Nobody else can gain a reference to a history that only this function refers to.
    if (last.use_count() == 1) take(const_cast<History&>(*last));
  }
}

HistoryPointer in_sequence(HistoryPointer first, HistoryPointer second) {
  if (first == nullptr) return second;
  if (second == nullptr) return first;
  return std::make_shared<History>(History::Sequence{std::move(first), std::move(second)});
}

std::vector<HistoryPointer> histories_in_sequence(const HistoryPointer& history) {
  std::vector<HistoryPointer> parts;
  std::vector<HistoryPointer> next{history};
  while (!next.empty()) {
    const HistoryPointer now = std::move(next.back());
    next.pop_back();
    if (now == nullptr) continue;
    if (const auto* const sequence = std::get_if<History::Sequence>(&now->content)) {
      next.push_back(sequence->second);
      next.push_back(sequence->first);
    } else {
      parts.push_back(now);
    }
  }
  return parts;
}

HistoryPointer in_parts(std::vector<History::Part> parts) {
  return std::make_shared<History>(History::Parts{std::move(parts)});
}

HistoryPointer as_lemma(std::span<const Operation> before, HistoryPointer proof) {
  auto gates = std::make_shared<RecordedGates>();
  History::Lemma lemma;
  Qubit wires = 0;
  for (const Operation& gate : before) {
    for (const Qubit qubit : gate.qubits) {
      ensure(qubit <= wires, "the qubits of a lemma are numbered in the order of their occurrence");
      if (qubit == wires) ++wires;
    }
    lemma.before.push_back({gates->code_of(gate), {gate.qubits.begin(), gate.qubits.end()}});
  }
  lemma.gates = std::move(gates);
  lemma.proof = std::move(proof);
  return std::make_shared<History>(std::move(lemma));
}

HistoryPointer unknown_history() { return std::make_shared<History>(History::Unknown{}); }

std::uint64_t steps_of(const History* history) {
  std::uint64_t steps = 0;
  std::set<const History*> lemmas;
  std::vector<const History*> next{history};
  while (!next.empty()) {
    const History* const now = next.back();
    next.pop_back();
    if (now == nullptr) continue;
    if (const auto* const rewrites = std::get_if<History::Rewrites>(&now->content)) {
      steps += rewrites->steps;
    } else if (const auto* const swaps = std::get_if<History::Permutation>(&now->content)) {
      steps += swaps->swaps.size();
    } else if (std::holds_alternative<History::Lemma>(now->content)) {
      ++steps;
      if (!lemmas.insert(now).second) continue;
    }
    for_each_child(*now, [&](const HistoryPointer& child) { next.push_back(child.get()); });
  }
  return steps;
}

RecordedGates::Code RecordedGates::code_of(const Operation& gate) {
  const std::lock_guard lock(mutex_);
  const auto next = static_cast<Code>(gates_.size());
  const auto [entry, is_new] = codes_.try_emplace({gate.gate, gate.angles}, next);
  if (is_new) {
    Operation& added = gates_.emplace_back();
    added.gate = gate.gate;
    added.angles = gate.angles;
  }
  return entry->second;
}

const Operation& RecordedGates::operator[](Code code) const {
  const std::lock_guard lock(mutex_);
  return gates_.at(code);
}

std::size_t RecordedGates::size() const {
  const std::lock_guard lock(mutex_);
  return gates_.size();
}

template <RecordKind kKind>
void HistoryRecorder::put(const HistoryRecordView& record) {
  constexpr std::size_t kGateNumbers = 2 + decltype(RecordedGate::qubits)::static_capacity;
  const std::size_t numbers = 5 + record.removed.size() + record.context.size() +
                              2 * record.places.size() + kGateNumbers * record.inserted.size();
  if (encoded_.size() < numbers * kMaxLeb128Bytes) encoded_.resize(2 * numbers * kMaxLeb128Bytes);
  const bool is_on_window = kKind == RecordKind::rewrite && circuit::is_on_window(record);
  char* place =
      put_leb128(encoded_.data(), is_on_window ? kRewriteOnWindow : number_in_history(kKind));
  formats::for_each_field_of<kKind>(
      [&](auto field) { place = put_field<field>(place, record, is_on_window); });
  records_.append(encoded_.data(), place);
  ++steps_;
  next_number_ += static_cast<GateNumber>(record.inserted.size());
  ensure(next_number_ < GateNumber{1} << 31U, "differences of numbers fit into 32 bits");
}

void HistoryRecorder::record(const HistoryRecordView& record) {
  const bool is_known = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return ((record.kind == formats::kHistoryRecords[kIndex] &&
             (put<formats::kHistoryRecords[kIndex]>(record), true)) ||
            ...);
  }
  (std::make_index_sequence<formats::kHistoryRecords.size()>());
  ensure(is_known, "a history has records of this kind");
}

void HistoryRecorder::rewrite(std::span<const GateNumber> removed,
                              std::span<const RecordedPlace> gaps,
                              std::span<const RecordedGate> inserted) {
  put<RecordKind::rewrite>({.removed = removed, .places = gaps, .inserted = inserted});
}

void HistoryRecorder::rewrite(std::span<const GateNumber> removed,
                              std::span<const RecordedPlace> gaps,
                              std::span<const Operation> inserted) {
  std::vector<RecordedGate> gates;
  gates.reserve(inserted.size());
  for (const Operation& gate : inserted) {
    gates.push_back({gates_->code_of(gate), {gate.qubits.begin(), gate.qubits.end()}});
  }
  rewrite(removed, gaps, gates);
}

void HistoryRecorder::exchange(std::span<const GateNumber> removed,
                               std::span<const RecordedGate> inserted,
                               std::span<const RecordedPlace> places,
                               std::span<const GateNumber> context) {
  record({.kind = context.empty() ? RecordKind::exchange : RecordKind::exchange_in_context,
          .removed = removed,
          .context = context,
          .places = places,
          .inserted = inserted});
}

HistoryPointer HistoryRecorder::finish(NumberList order) && {
  if (records_.size() >= kMinCompressed) {
    records_ = compressed(records_, CompressionEffort::least);
  }
  records_.shrink_to_fit();
  return std::make_shared<History>(
      History::Rewrites{std::move(records_), std::move(gates_), std::move(order), steps_});
}

void GateByGateHistory::replace(std::span<const Operation> gates) {
  for (std::size_t i = 0; i < gates.size(); ++i) {
    order_.push_back(recorder_.next_number() + static_cast<GateNumber>(i));
  }
  recorder_.rewrite({&gate_, 1}, {}, gates);
  ++gate_;
}

HistoryPointer GateByGateHistory::finish() && {
  if (recorder_.is_empty()) return nullptr;
  return std::move(recorder_).finish(std::move(order_));
}

HistoryPointer exchange_history(std::size_t size, std::span<const Operation* const> after,
                                std::span<const std::uint32_t> origins, std::uint32_t qubits) {
  HistoryRecorder recorder(size);
  std::vector<bool> stays(size, false);
  std::vector<GateNumber> last(qubits, 0);  // for each wire: the last gate's number plus 1
  std::vector<GateNumber> order;
  std::vector<RecordedGate> inserted;
  std::vector<RecordedPlace> places;
  order.reserve(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool is_new = origins[i] == kNewGate;
    const auto number = static_cast<GateNumber>(is_new ? size + inserted.size() : origins[i]);
    order.push_back(number);
    if (is_new) {
      inserted.push_back({recorder.gates().code_of(*after[i]),
                          {after[i]->qubits.begin(), after[i]->qubits.end()}});
      for (const Qubit wire : after[i]->qubits) places.push_back({wire, last[wire]});
    } else {
      stays[number] = true;
    }
    for (const Qubit wire : after[i]->qubits) last[wire] = number + 1;
  }
  std::vector<GateNumber> removed;
  for (std::size_t i = 0; i < size; ++i) {
    if (!stays[i]) removed.push_back(static_cast<GateNumber>(i));
  }
  if (removed.empty() && inserted.empty()) return nullptr;
  recorder.exchange(removed, inserted, places);
  return std::move(recorder).finish(std::move(order));
}

std::size_t History::Rewrites::record_bytes() const { return plain_records(*this).size(); }

bool begins_with(const History::Rewrites& rewrites, const History::Rewrites& others) {
  if (rewrites.gates != others.gates || rewrites.steps < others.steps) return false;
  return plain_records(rewrites).starts_with(plain_records(others));
}

HistoryReader::HistoryReader(const History::Rewrites& rewrites, std::size_t bytes)
    : records_(plain_records(rewrites)), place_(bytes) {
  ensure(bytes <= records_.size(), "a history has the bytes that were read");
}

namespace {

/// Reads numbers of 32 bits from the records of a history.
class NumberReader {
 public:
  NumberReader(std::string_view bytes, std::size_t place)
      : begin_(bytes.data()), place_(bytes.data() + place), end_(bytes.data() + bytes.size()) {}

  /// Returns the number of bytes before the next number.
  [[nodiscard]] std::size_t place() const { return static_cast<std::size_t>(place_ - begin_); }
  [[nodiscard]] std::uint32_t number() {
    std::uint32_t result = byte();
    if (result < 0x80U) return result;
    result &= 0x7fU;
    for (unsigned shift = 7;; shift += 7) {
      const std::uint32_t next = byte();
      ensure(shift < 32, "the numbers of a history have 32 bits");
      result |= (next & 0x7fU) << shift;
      if (next < 0x80U) return result;
    }
  }
  template <RecordField kField>
  void read_field(HistoryRecord& record, bool is_on_window) {
    switch (kField) {
      case RecordField::removed:
        return read_numbers(record.removed);
      case RecordField::context:
        return read_numbers(record.context);
      case RecordField::gaps:
        return read_places(record.places);
      case RecordField::placed_gates:
        read_places(record.places);
        return read_gates(record.inserted, false);
      case RecordField::window_gates:
        return read_gates(record.inserted, is_on_window);
      default:
        throw InternalError("the records of a history have no such field");
    }
  }

 private:
  [[nodiscard]] std::uint32_t byte() {
    ensure(place_ != end_, "the records of a history are complete");
    return static_cast<std::uint8_t>(*place_++);
  }
  /// Reads a number of elements. Each element has at least one byte, so a damaged record cannot ask
  /// for much memory.
  [[nodiscard]] std::uint32_t count() {
    const std::uint32_t result = number();
    ensure(result <= end_ - place_, "the records of a history are complete");
    return result;
  }
  void read_numbers(std::vector<GateNumber>& numbers) {
    numbers.resize(count());
    GateNumber last = 0;
    for (GateNumber& each : numbers) {
      const std::uint32_t coded = number();
      last += (coded >> 1U) ^ (0U - (coded & 1U));
      each = last;
    }
  }
  void read_places(std::vector<RecordedPlace>& places) {
    places.resize(count());
    for (RecordedPlace& where : places) {
      where.wire = number();
      where.after = number();
    }
  }
  void read_gates(std::vector<RecordedGate>& gates, bool is_on_window) {
    gates.resize(count());
    for (RecordedGate& gate : gates) {
      gate.code = number();
      const std::uint32_t qubits = number();
      ensure(qubits <= gate.qubits.capacity(), "a recorded gate has few qubits");
      gate.qubits.resize(qubits);
      for (Qubit& qubit : gate.qubits) {
        qubit = is_on_window ? decoded_operand(number()) : number();
      }
    }
  }

  const char* begin_;
  const char* place_;
  const char* end_;
};

}  // namespace

bool HistoryReader::next(HistoryRecord& record) {
  if (place_ == records_.size()) return false;
  NumberReader reader(records_, place_);  // a local variable can stay in registers
  const std::uint32_t number = reader.number();
  ensure(number <= kRewriteOnWindow, "a history has no records of another kind");
  const bool is_on_window = number == kRewriteOnWindow;
  record.kind = is_on_window ? RecordKind::rewrite : formats::kHistoryRecords[number];
  record.removed.clear();
  record.context.clear();
  record.places.clear();
  record.inserted.clear();
  formats::for_each_field(record.kind,
                          [&](auto field) { reader.read_field<field>(record, is_on_window); });
  place_ = reader.place();
  return true;
}

}  // namespace quartz::circuit
