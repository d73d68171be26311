#include "certify/replay/journal_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

using formats::RecordField;

constexpr std::size_t kMaxBlock = std::size_t{1} << 24U;
constexpr std::size_t kMaxGateText = std::size_t{1} << 16U;
constexpr std::uint64_t kMaxGates = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxOperands = 8;
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 62U;

/// Returns the signed number that zigzag coding maps to `code`.
std::int64_t signed_of(std::uint64_t code) {
  return static_cast<std::int64_t>(code >> 1U) ^ -static_cast<std::int64_t>(code & 1U);
}

}  // namespace

JournalReader::JournalReader(std::istream& journal, std::string name)
    : name_(std::move(name)), file_(journal) {
  std::array<char, formats::kJournalMagic.size()> magic{};
  file_.read(magic.data(), magic.size());
  if (static_cast<std::size_t>(file_.gcount()) != magic.size() ||
      std::string_view(magic.data(), magic.size()) != formats::kJournalMagic) {
    throw InputError(name_ + ": not a journal of version 1");
  }
}

void JournalReader::fail(std::string_view found, std::string_view expected) const {
  throw InputError(
      fmt::format("{}: byte {} of the records: {}, expected {}", name_, bytes(), found, expected));
}

bool JournalReader::read_block() {
  std::array<unsigned char, 4> prefix{};
  file_.read(reinterpret_cast<char*>(prefix.data()), prefix.size());
  if (file_.gcount() != prefix.size()) fail("the file ends", "another block: it is incomplete");
  std::size_t size = 0;
  for (std::size_t i = prefix.size(); i-- > 0;) size = size << 8U | prefix[i];
  if (size == 0) return false;
  if (size > kMaxBlock) fail(fmt::format("a block of {} bytes", size), "at most 16777216 bytes");
  std::string compressed_block(size, '\0');
  file_.read(compressed_block.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::size_t>(file_.gcount()) != size) {
    fail("the file ends", "the rest of a block: it is incomplete");
  }
  bytes_before_ += block_.size();
  place_ = 0;
  block_ = decompressed(compressed_block, name_, kMaxBlock);
  return true;
}

bool JournalReader::has_next() {
  while (place_ == block_.size()) {
    if (file_.peek() == std::istream::traits_type::eof()) {
      file_.clear();  // the stream may get more
      return false;
    }
    if (!read_block()) return false;
  }
  return true;
}

void JournalReader::next_block() {
  while (place_ == block_.size()) {
    if (!read_block()) fail("the records end", "an end record");
  }
}

std::uint64_t JournalReader::long_number() {
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const std::uint8_t part = byte();
    result |= std::uint64_t{part & 0x7fU} << shift;
    if ((part & 0x80U) == 0) return result;
  }
  fail("a number of more than 9 bytes", "at most 9");
}

std::uint64_t JournalReader::number_up_to(std::uint64_t most, std::string_view what) {
  const std::uint64_t result = number();
  if (result > most) fail(fmt::format("{} {}", result, what), fmt::format("at most {}", most));
  return result;
}

void JournalReader::read_text(std::string& text) {
  text.resize(number_up_to(kMaxGateText, "bytes of a gate"));
  for (char& letter : text) letter = static_cast<char>(byte());
}

void JournalReader::read_numbers(std::vector<std::uint64_t>& numbers) {
  numbers.resize(number_up_to(kMaxGates, "operations in a list"));
  std::uint64_t last = 0;
  for (std::uint64_t& each : numbers) {
    // Sums of unsigned numbers wrap around, so that a negative result is a large number.
    last += static_cast<std::uint64_t>(signed_of(number()));
    if (last > kMaxNumber) fail("a number of an operation below 0", "0 or more");
    each = last;
  }
}

JournalRecord::Place JournalReader::place() {
  JournalRecord::Place place;
  place.wire = number();
  place.after = number();
  return place;
}

void JournalReader::read_places(std::uint64_t count, std::vector<JournalRecord::Place>& places) {
  places.resize(count);
  for (JournalRecord::Place& each : places) each = place();
}

template <typename ReadOperand>
void JournalReader::read_gates(JournalRecord& record, const ReadOperand& read_operand) {
  const std::uint64_t count = number_up_to(kMaxGates, "inserted gates");
  record.gates.clear();
  record.arities.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    record.gates.push_back(
        static_cast<std::uint32_t>(number_up_to(0xffffffffU, "as the code of a gate")));
    const std::uint64_t arity = number_up_to(kMaxOperands, "operands of a gate");
    record.arities.push_back(static_cast<std::uint32_t>(arity));
    for (std::uint64_t k = 0; k < arity; ++k) read_operand();
  }
}

template <RecordField kField>
void JournalReader::read_field(JournalRecord& record) {
  switch (kField) {
    case RecordField::steps:
      record.steps = number();
      return;
    case RecordField::operations:
      record.operations = number();
      return;
    case RecordField::text:
      return read_text(record.text);
    case RecordField::removed:
      return read_numbers(record.removed);
    case RecordField::context:
      return read_numbers(record.context);
    case RecordField::order:
      return read_numbers(record.order);
    case RecordField::gaps:
      return read_places(number_up_to(kMaxGates, "gaps"), record.places);
    case RecordField::swap_places:
      return read_places(2, record.places);
    case RecordField::window_gates:
    case RecordField::lemma_gates:
      record.operands.clear();
      return read_gates(record, [&] { record.operands.push_back(byte()); });
    case RecordField::placed_gates:
      record.places.clear();
      return read_gates(record, [&] { record.places.push_back(place()); });
    case RecordField::lemma:
      record.lemma = number();
      return;
  }
}

void JournalReader::next(JournalRecord& record) {
  const std::uint8_t kind = byte();
  if (kind >= formats::kJournalRecords.size()) {
    fail(fmt::format("a record of kind {}", kind),
         fmt::format("a kind from 0 to {}", formats::kJournalRecords.size() - 1));
  }
  if (record.kind != static_cast<formats::RecordKind>(kind)) {
    record.clear_lists();
    record.kind = static_cast<formats::RecordKind>(kind);
  }
  formats::for_each_field(record.kind, [&](auto field) { read_field<field>(record); });
}

void JournalReader::require_end() {
  if (place_ != block_.size()) fail("more records", "no records after the end record");
  while (read_block()) {
    if (!block_.empty()) fail("more records", "no records after the end record");
  }
  if (file_.peek() != std::istream::traits_type::eof()) {
    fail("more bytes", "nothing after the empty block");
  }
}

}  // namespace quartz::certify
