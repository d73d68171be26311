#include "journal/journal_writer.hpp"

#include <algorithm>

#include "base/leb128.hpp"
#include "circuit/record_encoding.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::journal {
namespace {

constexpr std::string_view kJournalMagic = "QUARTZJ\x01";
/// Size of a block before compression.
constexpr std::size_t kBlock = std::size_t{1} << 20U;
/// Most numbers of an inserted gate, without the places of an exchange.
constexpr std::size_t kGateNumbers = 2 + decltype(JournalWriter::Gate::qubits)::static_capacity;

enum class RecordKind : std::uint8_t {
  end,
  gate,
  rewrite,
  renumber,
  exchange,
  exchange_in_context,
  swap,
  lemma,
  end_of_lemma,
  use_of_lemma
};

// The functions below write to a place in the block, which has room, and return the place behind. A
// local place stays in a register; a member would be read again after every byte.

char* put_byte(char* place, std::uint8_t byte) {
  *place = static_cast<char>(byte);
  return place + 1;
}

char* put_kind(char* place, RecordKind kind) {
  return put_byte(place, static_cast<std::uint8_t>(kind));
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

JournalWriter::JournalWriter(std::ostream& out, std::uint64_t operations)
    : out_(out), operations_(operations), next_number_(operations) {
  out_.write(kJournalMagic.data(), kJournalMagic.size());
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
    char* place = put_leb128(put_kind(make_room(2 + text.size()), RecordKind::gate), text.size());
    advance_to(std::ranges::copy(text, place).out);
  }
  return entry->second;
}

void JournalWriter::end_step(std::size_t removed, std::size_t inserted) {
  operations_ += inserted;
  operations_ -= removed;
  next_number_ += inserted;
  ++rewrites_;
  if (used_ >= kBlock) flush();
}

void JournalWriter::rewrite(std::span<const OperationNumber> removed,
                            std::span<const Qubit> removed_qubits, std::span<const Gap> gaps,
                            std::span<const Gate> inserted) {
  wires_.clear();
  for (const Qubit qubit : removed_qubits) {
    if (std::ranges::find(wires_, qubit) == wires_.end()) wires_.push_back(qubit);
  }
  for (const Gap& gap : gaps) wires_.push_back(gap.wire);
  const std::size_t numbers = 4 + removed.size() + 2 * gaps.size() + kGateNumbers * inserted.size();
  char* place = put_kind(make_room(numbers), RecordKind::rewrite);
  const auto put = writer_at(place);
  circuit::encode_gate_numbers(put, removed);
  circuit::encode_places(put, gaps);
  circuit::encode_inserted(put, inserted, [&](Qubit qubit) {
    const auto wire = std::ranges::find(wires_, qubit);
    ensure(wire != wires_.end() && wire - wires_.begin() < 256,
           "a replacement acts on the wires of its window");
    place = put_byte(place, static_cast<std::uint8_t>(wire - wires_.begin()));
  });
  advance_to(place);
  end_step(removed.size(), inserted.size());
}

void JournalWriter::exchange(std::span<const OperationNumber> removed,
                             std::span<const Gate> inserted, std::span<const OperationNumber> after,
                             std::span<const OperationNumber> context) {
  const std::size_t numbers =
      4 + context.size() + removed.size() + after.size() + kGateNumbers * inserted.size();
  char* place = make_room(numbers);
  const auto put = writer_at(place);
  if (context.empty()) {
    place = put_kind(place, RecordKind::exchange);
  } else {
    place = put_kind(place, RecordKind::exchange_in_context);
    circuit::encode_gate_numbers(put, context);
  }
  circuit::encode_gate_numbers(put, removed);
  auto next = after.begin();
  circuit::encode_inserted(put, inserted, [&](Qubit qubit) {
    ensure(next != after.end(), "each operand of an inserted gate has a place");
    circuit::encode_place(put, Gap{qubit, *next++});
  });
  ensure(next == after.end(), "each place belongs to an operand of an inserted gate");
  advance_to(place);
  end_step(removed.size(), inserted.size());
}

void JournalWriter::swap(const std::array<Gap, 2>& places) {
  char* place = put_kind(make_room(1 + 2 * places.size()), RecordKind::swap);
  for (const Gap& each : places) circuit::encode_place(writer_at(place), each);
  advance_to(place);
  end_step(0, 1);
}

void JournalWriter::begin_lemma(std::span<const Gate> before) {
  ensure(!outside_, "no lemma begins within another one");
  char* place = put_kind(make_room(2 + kGateNumbers * before.size()), RecordKind::lemma);
  circuit::encode_inserted(writer_at(place), before, [&](Qubit wire) {
    ensure(wire < 256, "a lemma has at most 256 wires");
    place = put_byte(place, static_cast<std::uint8_t>(wire));
  });
  advance_to(place);
  outside_ = Numbering{operations_, next_number_};
  operations_ = next_number_ = before.size();
}

void JournalWriter::end_lemma(std::span<const OperationNumber> after) {
  ensure(outside_.has_value(), "a lemma that ends has begun");
  char* place = put_kind(make_room(2 + after.size()), RecordKind::end_of_lemma);
  circuit::encode_gate_numbers(writer_at(place), after);
  advance_to(place);
  operations_ = outside_->operations;
  next_number_ = outside_->next_number;
  outside_.reset();
}

void JournalWriter::use_lemma(std::uint64_t lemma, std::span<const OperationNumber> removed,
                              std::size_t inserted) {
  char* place = put_kind(make_room(3 + removed.size()), RecordKind::use_of_lemma);
  const auto put = writer_at(place);
  put(lemma);
  circuit::encode_gate_numbers(put, removed);
  advance_to(place);
  end_step(removed.size(), inserted);
}

void JournalWriter::renumber() {
  advance_to(put_kind(make_room(1), RecordKind::renumber));
  next_number_ = operations_;
}

void JournalWriter::flush() {
  const std::string bytes = compressed({block_.data(), used_}, CompressionEffort::least);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    out_.put(static_cast<char>(bytes.size() >> shift & 0xffU));
  }
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out_.flush();
  used_ = 0;
}

void JournalWriter::finish() {
  char* const place = put_leb128(put_kind(make_room(3), RecordKind::end), rewrites_);
  advance_to(put_leb128(place, operations_));
  flush();
  out_.write("\0\0\0\0", 4);
}

}  // namespace quartz::journal
