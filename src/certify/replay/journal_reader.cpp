#include "certify/replay/journal_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr std::string_view kMagic = "QUARTZJ\x01";
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
  std::array<char, kMagic.size()> magic{};
  file_.read(magic.data(), magic.size());
  if (static_cast<std::size_t>(file_.gcount()) != magic.size() ||
      std::string_view(magic.data(), magic.size()) != kMagic) {
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

void JournalReader::next(JournalRecord& record) {
  const std::uint8_t kind = byte();
  switch (kind) {
    case 0:
      record.kind = JournalRecord::Kind::end;
      record.steps = number();
      record.operations = number();
      return;
    case 1: {
      record.kind = JournalRecord::Kind::gate;
      record.gate.resize(number_up_to(kMaxGateText, "bytes of a gate"));
      for (char& letter : record.gate) letter = static_cast<char>(byte());
      return;
    }
    case 2:
      record.kind = JournalRecord::Kind::rewrite;
      read_rewrite(record);
      return;
    case 3:
      record.kind = JournalRecord::Kind::renumber;
      return;
    case 4:
    case 5:
      record.kind = JournalRecord::Kind::exchange;
      record.context.clear();
      if (kind == 5) read_numbers(record.context);
      read_exchange(record);
      return;
    case 6:
      record.kind = JournalRecord::Kind::swap;
      record.places.resize(2);
      for (JournalRecord::Place& operand : record.places) operand = place();
      return;
    case 7:
      record.kind = JournalRecord::Kind::lemma;
      read_gates_with_operands(record);
      return;
    case 8:
      record.kind = JournalRecord::Kind::end_of_lemma;
      read_numbers(record.removed);
      return;
    case 9:
      record.kind = JournalRecord::Kind::use_of_lemma;
      record.lemma = number();
      read_numbers(record.removed);
      return;
    default:
      fail(fmt::format("a record of kind {}", kind), "a kind from 0 to 9");
  }
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

template <typename ReadOperand>
void JournalReader::read_inserted(JournalRecord& record, const ReadOperand& read_operand) {
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

void JournalReader::read_rewrite(JournalRecord& record) {
  read_numbers(record.removed);
  record.places.resize(number_up_to(kMaxGates, "gaps"));
  for (JournalRecord::Place& gap : record.places) gap = place();
  read_gates_with_operands(record);
}

void JournalReader::read_gates_with_operands(JournalRecord& record) {
  record.operands.clear();
  read_inserted(record, [&] { record.operands.push_back(byte()); });
}

void JournalReader::read_exchange(JournalRecord& record) {
  read_numbers(record.removed);
  record.places.clear();
  read_inserted(record, [&] { record.places.push_back(place()); });
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
