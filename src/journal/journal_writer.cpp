#include "journal/journal_writer.hpp"

#include <algorithm>

#include "base/leb128.hpp"
#include "circuit/record_encoding.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::journal {
namespace {

using formats::RecordField;
using formats::RecordKind;

/// Size of a block before compression.
constexpr std::size_t kBlock = std::size_t{1} << 20U;
/// Size of a block that is not compressed: the processor's cache has it until it is read.
constexpr std::size_t kStoredBlock = std::size_t{1} << 16U;
/// Most room for records that is kept.
constexpr std::size_t kMostKept = 4 * kBlock;
/// Most numbers of a gate, without its places.
constexpr std::size_t kGateNumbers = 2 + decltype(JournalWriter::Gate::qubits)::static_capacity;

// The functions below write to a place in the block, which has room, and return the place behind. A
// local place stays in a register; a member would be read again after every byte.

char* put_byte(char* place, std::uint8_t byte) {
  *place = static_cast<char>(byte);
  return place + 1;
}

/// Returns a function that writes a number to a place in the block and moves the place behind it.
auto writer_at(char*& place) {
  return [&place](std::uint64_t number) { place = put_leb128(place, number); };
}

std::string text_of(const Operation& operation) {
  std::string text(gate(operation.gate).name);
  for (std::size_t i = 0; i < operation.angles.size(); ++i) {
    text += (i == 0 ? "(" : ",") + operation.angles[i].to_string();
  }
  if (!operation.angles.empty()) text += ")";
  return text;
}

}  // namespace

JournalWriter::JournalWriter(std::ostream& out, std::uint64_t operations, CompressionEffort effort)
    : out_(&out), effort_(effort), operations_(operations), next_number_(operations) {
  out_->write(formats::kJournalMagic.data(), formats::kJournalMagic.size());
}

char* JournalWriter::make_room(std::size_t numbers) {
  const std::size_t needed = used_ + numbers * kMaxLeb128Bytes;
  if (needed > block_.size()) block_.resize(std::max(needed, 2 * block_.size()));
  return block_.data() + used_;
}

JournalWriter::Code JournalWriter::code_of(const Operation& gate) {
  const auto next = static_cast<Code>(codes_.size());
  const auto [entry, is_new] = codes_.try_emplace({gate.gate, gate.angles}, next);
  if (is_new) {
    const std::string text = text_of(gate);
    write({.kind = RecordKind::gate, .text = text});
  }
  return entry->second;
}

template <RecordField kField>
char* JournalWriter::put_field(char* place, const Record& record) {
  const auto put = writer_at(place);
  switch (kField) {
    case RecordField::steps:
      return put_leb128(place, record.steps);
    case RecordField::operations:
      return put_leb128(place, record.operations);
    case RecordField::text:
      return std::ranges::copy(record.text, put_leb128(place, record.text.size())).out;
    case RecordField::removed:
      circuit::encode_gate_numbers(put, record.removed);
      return place;
    case RecordField::context:
      circuit::encode_gate_numbers(put, record.context);
      return place;
    case RecordField::order:
      circuit::encode_gate_numbers(put, record.order);
      return place;
    case RecordField::gaps:
      circuit::encode_places(put, record.places);
      return place;
    case RecordField::swap_places:
      for (const Place& each : record.places) circuit::encode_place(put, each);
      return place;
    case RecordField::window_gates:
      return put_window_gates(place, record);
    case RecordField::placed_gates:
      return put_placed_gates(place, record);
    case RecordField::lemma_gates:
      circuit::encode_inserted(put, record.gates, [&](Qubit wire) {
        ensure(wire < 256, "a lemma has at most 256 wires");
        place = put_byte(place, static_cast<std::uint8_t>(wire));
      });
      return place;
    case RecordField::lemma:
      return put_leb128(place, record.lemma);
  }
  throw InternalError("a record has no other fields");
}

void JournalWriter::write(const Record& record) {
  const std::size_t numbers = 8 + record.text.size() + record.removed.size() +
                              record.context.size() + record.order.size() +
                              2 * record.places.size() + kGateNumbers * record.gates.size();
  char* place = put_byte(make_room(numbers), static_cast<std::uint8_t>(record.kind));
  formats::for_each_field(record.kind,
                          [&](auto field) { place = put_field<field>(place, record); });
  used_ = static_cast<std::size_t>(place - block_.data());
}

char* JournalWriter::put_window_gates(char* place, const Record& record) {
  wires_.clear();
  for (const Qubit qubit : record.removed_qubits) {
    if (std::ranges::find(wires_, qubit) == wires_.end()) wires_.push_back(qubit);
  }
  for (const Place& gap : record.places) wires_.push_back(gap.wire);
  circuit::encode_inserted(writer_at(place), record.gates, [&](Qubit qubit) {
    const auto wire = std::ranges::find(wires_, qubit);
    ensure(wire != wires_.end() && wire - wires_.begin() < 256,
           "a replacement acts on the wires of its window");
    place = put_byte(place, static_cast<std::uint8_t>(wire - wires_.begin()));
  });
  return place;
}

char* JournalWriter::put_placed_gates(char* place, const Record& record) {
  const auto put = writer_at(place);
  auto next = record.places.begin();
  circuit::encode_inserted(put, record.gates, [&](Qubit qubit) {
    ensure(next != record.places.end() && next->wire == qubit,
           "each operand of an inserted gate has a place");
    circuit::encode_place(put, *next++);
  });
  ensure(next == record.places.end(), "each place belongs to an operand of an inserted gate");
  return place;
}

void JournalWriter::end_step(std::size_t removed, std::size_t inserted) {
  operations_ += inserted;
  operations_ -= removed;
  next_number_ += inserted;
  ++rewrites_;
  if (used_ >= (effort_ == CompressionEffort::none ? kStoredBlock : kBlock)) flush();
}

void JournalWriter::step(const Record& record) {
  write(record);
  end_step(record.removed.size(), record.gates.size());
}

void JournalWriter::swap(const std::array<Place, 2>& places) {
  write({.kind = RecordKind::final_swap, .places = places});
  end_step(0, 1);
}

void JournalWriter::begin_lemma(std::span<const Gate> before) {
  ensure(!outside_, "no lemma begins within another one");
  write({.kind = RecordKind::lemma, .gates = before});
  outside_ = Numbering{operations_, next_number_};
  operations_ = next_number_ = before.size();
}

void JournalWriter::end_lemma(std::span<const OperationNumber> after) {
  ensure(outside_.has_value(), "a lemma that ends has begun");
  write({.kind = RecordKind::end_of_lemma, .order = after});
  operations_ = outside_->operations;
  next_number_ = outside_->next_number;
  outside_.reset();
}

void JournalWriter::use_lemma(std::uint64_t lemma, std::span<const OperationNumber> removed,
                              std::size_t inserted) {
  write({.kind = RecordKind::use_of_lemma, .removed = removed, .lemma = lemma});
  end_step(removed.size(), inserted);
}

void JournalWriter::renumber() {
  write({.kind = RecordKind::renumber});
  next_number_ = operations_;
}

void JournalWriter::flush() {
  const std::string bytes = compressed({block_.data(), used_}, effort_);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    out_->put(static_cast<char>(bytes.size() >> shift & 0xffU));
  }
  out_->write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out_->flush();
  used_ = 0;
  // A record about a whole circuit has needed much more room than others do.
  if (block_.size() > kMostKept) std::string().swap(block_);
}

void JournalWriter::finish() {
  write({.kind = RecordKind::end, .steps = rewrites_, .operations = operations_});
  flush();
  out_->write("\0\0\0\0", 4);
}

}  // namespace quartz::journal
