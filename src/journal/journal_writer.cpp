#include "journal/journal_writer.hpp"

#include <algorithm>

#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::journal {
namespace {

constexpr std::string_view kMagic = "QUARTZJ\x01";
/// Size of a block before compression.
constexpr std::size_t kBlock = std::size_t{1} << 20U;

enum class Kind : std::uint8_t { end, gate, rewrite, renumber };

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
  out_.write(kMagic.data(), kMagic.size());
}

void JournalWriter::put(std::uint64_t number) {
  while (number >= 0x80U) {
    put_byte(static_cast<std::uint8_t>(number | 0x80U));
    number >>= 7U;
  }
  put_byte(static_cast<std::uint8_t>(number));
}

void JournalWriter::put_signed(std::int64_t number) {
  put(static_cast<std::uint64_t>(number) << 1U ^ static_cast<std::uint64_t>(number >> 63U));
}

std::uint32_t JournalWriter::code_of(const Operation& gate) {
  const auto next = static_cast<std::uint32_t>(codes_.size());
  const auto [entry, is_new] = codes_.try_emplace({gate.gate, gate.angles}, next);
  if (is_new) {
    const std::string text = text_of(gate);
    put_byte(static_cast<std::uint8_t>(Kind::gate));
    put(text.size());
    block_ += text;
  }
  return entry->second;
}

void JournalWriter::rewrite(std::span<const OperationNumber> removed,
                            std::span<const Operation> removed_gates, std::span<const Gap> gaps,
                            std::span<const Operation> inserted) {
  std::vector<Qubit> wires;
  for (const Operation& gate : removed_gates) {
    for (const Qubit qubit : gate.qubits) {
      if (std::ranges::find(wires, qubit) == wires.end()) wires.push_back(qubit);
    }
  }
  for (const Gap& gap : gaps) wires.push_back(gap.wire);
  std::vector<std::uint32_t> codes;
  for (const Operation& gate : inserted) codes.push_back(code_of(gate));
  put_byte(static_cast<std::uint8_t>(Kind::rewrite));
  put(removed.size());
  OperationNumber last = 0;
  for (const OperationNumber number : removed) {
    put_signed(static_cast<std::int64_t>(number - last));
    last = number;
  }
  put(gaps.size());
  for (const Gap& gap : gaps) {
    put(gap.wire);
    put(gap.after);
  }
  put(inserted.size());
  for (std::size_t i = 0; i < inserted.size(); ++i) {
    put(codes[i]);
    put(inserted[i].qubits.size());
    for (const Qubit qubit : inserted[i].qubits) {
      const auto wire = std::ranges::find(wires, qubit);
      ensure(wire != wires.end() && wire - wires.begin() < 256,
             "a replacement acts on the wires of its window");
      put_byte(static_cast<std::uint8_t>(wire - wires.begin()));
    }
  }
  operations_ += inserted.size();
  operations_ -= removed.size();
  next_number_ += inserted.size();
  ++rewrites_;
  if (block_.size() >= kBlock) flush();
}

void JournalWriter::renumber() {
  put_byte(static_cast<std::uint8_t>(Kind::renumber));
  next_number_ = operations_;
}

void JournalWriter::flush() {
  const std::string bytes = compressed(block_, CompressionEffort::least);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    out_.put(static_cast<char>(bytes.size() >> shift & 0xffU));
  }
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  block_.clear();
}

void JournalWriter::finish() {
  put_byte(static_cast<std::uint8_t>(Kind::end));
  put(rewrites_);
  put(operations_);
  flush();
  out_.write("\0\0\0\0", 4);
}

}  // namespace quartz::journal
