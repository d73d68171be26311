#include "circuit/history.hpp"

#include <set>

#include "base/leb128.hpp"
#include "circuit/record_encoding.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::circuit {
namespace {

/// Shorter records are stored as they are.
constexpr std::size_t kMinCompressed = 1024;

enum class Kind : std::uint8_t { rewrite, exchange, exchange_in_context };

/// Returns the records without compression.
std::string plain_records(const History::Rewrites& rewrites) {
  return is_compressed(rewrites.records) ? decompressed(rewrites.records, "a history")
                                         : rewrites.records;
}

/// Returns a function that appends a number.
auto appender_to(std::string& records) {
  return [&records](std::uint64_t number) { append_leb128(records, number); };
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

void HistoryRecorder::end_record(std::span<const RecordedGate> inserted) {
  const auto put = appender_to(records_);
  encode_inserted(put, inserted, put);
  ++steps_;
  next_number_ += static_cast<GateNumber>(inserted.size());
  ensure(next_number_ < GateNumber{1} << 31U, "differences of numbers fit into 32 bits");
}

void HistoryRecorder::rewrite(std::span<const GateNumber> removed,
                              std::span<const RecordedPlace> gaps,
                              std::span<const RecordedGate> inserted) {
  const auto put = appender_to(records_);
  put(static_cast<std::uint64_t>(Kind::rewrite));
  encode_gate_numbers(put, removed);
  encode_places(put, gaps);
  end_record(inserted);
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
  const auto put = appender_to(records_);
  if (context.empty()) {
    put(static_cast<std::uint64_t>(Kind::exchange));
  } else {
    put(static_cast<std::uint64_t>(Kind::exchange_in_context));
    encode_gate_numbers(put, context);
  }
  encode_gate_numbers(put, removed);
  encode_places(put, places);
  end_record(inserted);
}

HistoryPointer HistoryRecorder::finish(std::vector<GateNumber> order) && {
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

bool HistoryReader::next(HistoryRecord& record) {
  if (place_ == records_.size()) return false;
  // A local variable can stay in a register.
  std::size_t place = place_;
  const auto byte = [&] {
    ensure(place < records_.size(), "the records of a history are complete");
    return std::uint32_t{static_cast<std::uint8_t>(records_[place++])};
  };
  const auto number = [&] {
    std::uint32_t result = byte();
    if (result < 0x80U) return result;
    result &= 0x7fU;
    for (unsigned shift = 7;; shift += 7) {
      const std::uint32_t next = byte();
      ensure(shift < 32, "the numbers of a history have 32 bits");
      result |= (next & 0x7fU) << shift;
      if (next < 0x80U) return result;
    }
  };
  // Each element has at least one byte, so a damaged record cannot ask for much memory.
  const auto count = [&] {
    const std::uint32_t result = number();
    ensure(result <= records_.size() - place, "the records of a history are complete");
    return result;
  };
  const auto read_numbers = [&](std::vector<GateNumber>& numbers) {
    numbers.resize(count());
    GateNumber last = 0;
    for (GateNumber& each : numbers) {
      const std::uint32_t coded = number();
      last += (coded >> 1U) ^ (0U - (coded & 1U));
      each = last;
    }
  };
  const auto kind = static_cast<Kind>(number());
  record.is_exchange = kind != Kind::rewrite;
  record.context.clear();
  if (kind == Kind::exchange_in_context) read_numbers(record.context);
  read_numbers(record.removed);
  record.places.resize(count());
  for (RecordedPlace& where : record.places) {
    where.wire = number();
    where.after = number();
  }
  record.inserted.resize(count());
  for (RecordedGate& gate : record.inserted) {
    gate.code = number();
    const std::uint32_t qubits = number();
    ensure(qubits <= gate.qubits.capacity(), "a recorded gate has few qubits");
    gate.qubits.resize(qubits);
    for (Qubit& qubit : gate.qubits) qubit = number();
  }
  place_ = place;
  return true;
}

}  // namespace quartz::circuit
