#include "journal/history_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/leb128.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::journal {
namespace {

using circuit::History;
using circuit::HistoryPointer;
using circuit::RecordedGates;

constexpr std::string_view kHistoryMagic = "QUARTZH\x01";
/// A block begins with its size and the checksum of its content, 8 bytes each, little endian.
constexpr std::size_t kBlockHeader = 16;
/// Parts in parts, at most: segments, groups of qubits, wires, and once more in another gate set.
constexpr unsigned kMaxNesting = 64;

enum class NodeKind : std::uint8_t {
  gates,
  rewrites,
  sequence,
  parts,
  unknown,
  permutation,
  lemma
};

void put_text(std::string& block, std::string_view text) {
  append_leb128(block, text.size());
  block += text;
}

void put_kind(std::string& block, NodeKind kind) {
  append_leb128(block, static_cast<std::uint64_t>(kind));
}

template <typename Numbers>
void put_numbers(std::string& block, const Numbers& numbers) {
  append_leb128(block, numbers.size());
  for (const auto number : numbers) append_leb128(block, number);
}

void put_permutation(std::string& block, const History::Permutation& permutation) {
  put_kind(block, NodeKind::permutation);
  append_leb128(block, permutation.swaps.size());
  for (const auto& places : permutation.swaps) {
    for (const circuit::RecordedPlace& place : places) {
      append_leb128(block, place.wire);
      append_leb128(block, place.after);
    }
  }
  put_numbers(block, permutation.final_operations);
  put_numbers(block, permutation.places);
  put_numbers(block, permutation.order);
}

void put_word(std::string& bytes, std::uint64_t word) {
  for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(word >> 8 * i));
}

std::uint64_t word_at(std::string_view bytes, std::size_t place) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) {
    word |= std::uint64_t{static_cast<std::uint8_t>(bytes[place + i])} << 8 * i;
  }
  return word;
}

/// Reads the blocks of a file.
class HistoryReading {
 public:
  HistoryReading(std::string_view content, const std::string& name, const CustomGates& custom_gates)
      : content_(content), name_(name), custom_gates_(custom_gates) {}

  HistoryPointer run(const StoredHistory& stored) {
    if (stored.bytes > content_.size() || !content_.starts_with(kHistoryMagic)) {
      fail("it is shorter than its checkpoint says, or not a file of histories");
    }
    std::size_t place = kHistoryMagic.size();
    while (place < stored.bytes) place = read_block(place, stored.bytes);
    if (stored.node >= nodes_.size()) fail("it does not have the history of its checkpoint");
    return nodes_[stored.node].history;
  }

 private:
  struct Node {
    HistoryPointer history;
    unsigned nesting = 0;  ///< levels of parts in parts
  };

  [[noreturn]] void fail(const std::string& why) const { throw InputError({name_}, why); }
  [[noreturn]] void fail_damaged() const { fail("it is damaged"); }

  std::size_t read_block(std::size_t place, std::size_t end) {
    if (end - place < kBlockHeader) fail_damaged();
    const std::uint64_t size = word_at(content_, place);
    const std::uint64_t checksum = word_at(content_, place + 8);
    place += kBlockHeader;
    if (size > end - place) fail_damaged();
    block_ = content_.substr(place, size);
    if (checksum_of(std::as_bytes(std::span(block_))) != checksum) fail_damaged();
    while (!block_.empty()) read_entry();
    return place + size;
  }

  void read_entry() {
    switch (static_cast<NodeKind>(number())) {
      case NodeKind::gates:
        return read_gates();
      case NodeKind::rewrites:
        return read_rewrites();
      case NodeKind::sequence: {
        const Node first = node();
        const Node second = node();
        nodes_.push_back({circuit::in_sequence(first.history, second.history),
                          std::max(first.nesting, second.nesting)});
        return;
      }
      case NodeKind::parts:
        return read_parts();
      case NodeKind::unknown:
        nodes_.push_back({circuit::unknown_history(), 0});
        return;
      case NodeKind::permutation:
        return read_permutation();
      case NodeKind::lemma:
        return read_lemma();
    }
    fail_damaged();
  }

  void read_gates() {
    const std::uint64_t index = number();
    if (index > gates_.size()) fail_damaged();
    if (index == gates_.size()) gates_.push_back(std::make_shared<RecordedGates>());
    for (std::uint64_t left = count(); left != 0; --left) {
      Operation operation;
      const Gate* const row = find_gate(text(), custom_gates_);
      if (row == nullptr) fail("it has a gate that is not in the gate set");
      operation.gate = row->kind;
      for (std::uint64_t angles = count(); angles != 0; --angles) {
        operation.angles.push_back(parse_angle(text()));
      }
      const std::size_t next = gates_[index]->size();
      if (gates_[index]->code_of(operation) != next) fail_damaged();
    }
  }

  void read_rewrites() {
    const std::uint64_t index = number();
    if (index >= gates_.size()) fail_damaged();
    History::Rewrites rewrites;
    rewrites.gates = gates_[index];
    rewrites.steps = number();
    rewrites.order = numbers();
    rewrites.records = text();
    nodes_.push_back({std::make_shared<History>(std::move(rewrites)), 0});
  }

  void read_parts() {
    std::vector<History::Part> parts;
    unsigned nesting = 0;
    for (std::uint64_t left = count(); left != 0; --left) {
      History::Part part;
      part.gates = numbers();
      part.qubits = numbers();
      const Node child = node();
      part.history = child.history;
      nesting = std::max(nesting, child.nesting + 1);
      parts.push_back(std::move(part));
    }
    if (nesting > kMaxNesting) fail_damaged();
    nodes_.push_back({circuit::in_parts(std::move(parts)), nesting});
  }

  void read_permutation() {
    History::Permutation permutation;
    permutation.swaps.resize(count());
    for (auto& places : permutation.swaps) {
      for (circuit::RecordedPlace& place : places)
        place = {number_of_32_bits(), number_of_32_bits()};
    }
    permutation.final_operations = numbers();
    permutation.places = numbers();
    permutation.order = numbers();
    nodes_.push_back({std::make_shared<History>(std::move(permutation)), 0});
  }

  void read_lemma() {
    const std::uint64_t index = number();
    if (index >= gates_.size()) fail_damaged();
    History::Lemma lemma;
    lemma.gates = gates_[index];
    lemma.before.resize(count());
    Qubit wires = 0;
    for (circuit::RecordedGate& gate : lemma.before) {
      gate.code = number_of_32_bits();
      const std::vector<std::uint32_t> qubits = numbers();
      if (gate.code >= lemma.gates->size() || qubits.size() > gate.qubits.capacity()) {
        fail_damaged();
      }
      gate.qubits.assign(qubits.begin(), qubits.end());
      for (const Qubit qubit : gate.qubits) {
        if (qubit > wires) fail_damaged();
        if (qubit == wires) ++wires;
      }
    }
    const Node proof = node();
    if (proof.nesting >= kMaxNesting) fail_damaged();
    lemma.proof = proof.history;
    nodes_.push_back({std::make_shared<History>(std::move(lemma)), proof.nesting + 1});
  }

  std::uint64_t number() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (block_.empty()) fail_damaged();
      const auto byte = static_cast<std::uint8_t>(block_.front());
      block_.remove_prefix(1);
      result |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80U) return result;
    }
    fail_damaged();
  }
  /// Reads a number of elements, each of which has at least one byte.
  std::uint64_t count() {
    const std::uint64_t result = number();
    if (result > block_.size()) fail_damaged();
    return result;
  }
  std::vector<std::uint32_t> numbers() {
    std::vector<std::uint32_t> result(count());
    for (std::uint32_t& each : result) each = number_of_32_bits();
    return result;
  }
  std::uint32_t number_of_32_bits() {
    const std::uint64_t value = number();
    if (value > ~std::uint32_t{0}) fail_damaged();
    return static_cast<std::uint32_t>(value);
  }
  std::string text() {
    const std::uint64_t size = count();
    std::string result(block_.substr(0, size));
    block_.remove_prefix(size);
    return result;
  }
  Node node() {
    const std::uint64_t index = number();
    if (index >= nodes_.size()) fail_damaged();
    return nodes_[index];
  }

  std::string_view content_;
  const std::string& name_;
  const CustomGates& custom_gates_;
  std::string_view block_;          ///< the rest of the current block
  std::vector<Node> nodes_ = {{}};  ///< by number; the first one has no rewrites
  std::vector<std::shared_ptr<RecordedGates>> gates_;
};

}  // namespace

HistoryFile::HistoryFile(std::filesystem::path path)
    : path_(std::move(path)), file_(path_, std::ios::binary | std::ios::trunc) {
  file_ << kHistoryMagic << std::flush;
  if (!file_)
    throw InputError({path_.string()}, std::string("cannot write: ") + std::strerror(errno));
  bytes_ = kHistoryMagic.size();
}

std::uint64_t HistoryFile::number_of(const HistoryPointer& node) const {
  if (node == nullptr) return 0;
  const auto found = nodes_.find(node.get());
  return found == nodes_.end() ? 0 : found->second.number;
}

StoredHistory HistoryFile::append(const HistoryPointer& history) {
  std::string block;
  // A sequence of 10^6 rewrites is as deep, so this does not recur.
  std::vector<HistoryPointer> next{history};
  while (!next.empty()) {
    const HistoryPointer now = next.back();
    if (now == nullptr || number_of(now) != 0) {
      next.pop_back();
      continue;
    }
    const std::size_t size = next.size();
    circuit::for_each_child(*now, [&](const HistoryPointer& child) {
      if (child != nullptr && number_of(child) == 0) next.push_back(child);
    });
    if (next.size() != size) continue;
    next.pop_back();
    put_node(now, block);
  }
  if (!block.empty()) write_block(block);
  return {bytes_, number_of(history)};
}

void HistoryFile::put_node(const HistoryPointer& node, std::string& block) {
  struct Visitor {
    HistoryFile& file;
    std::string& block;
    void operator()(const History::Rewrites& rewrites) const { file.put_content(rewrites, block); }
    void operator()(const History::Sequence& sequence) const { file.put_content(sequence, block); }
    void operator()(const History::Parts& parts) const { file.put_content(parts, block); }
    void operator()(const History::Permutation& swaps) const { put_permutation(block, swaps); }
    void operator()(const History::Lemma& lemma) const { file.put_content(lemma, block); }
    void operator()(const History::Unknown& /*unknown*/) const {
      put_kind(block, NodeKind::unknown);
    }
  };
  std::visit(Visitor{*this, block}, node->content);
  nodes_[node.get()] = {node, ++node_count_};
}

void HistoryFile::put_content(const History::Rewrites& rewrites, std::string& block) {
  const std::uint64_t gates = put_gates(rewrites.gates, block);
  put_kind(block, NodeKind::rewrites);
  append_leb128(block, gates);
  append_leb128(block, rewrites.steps);
  put_numbers(block, rewrites.order);
  put_text(block, rewrites.records);
}

void HistoryFile::put_content(const History::Sequence& sequence, std::string& block) const {
  put_kind(block, NodeKind::sequence);
  append_leb128(block, number_of(sequence.first));
  append_leb128(block, number_of(sequence.second));
}

void HistoryFile::put_content(const History::Parts& parts, std::string& block) const {
  put_kind(block, NodeKind::parts);
  append_leb128(block, parts.parts.size());
  for (const History::Part& part : parts.parts) {
    put_numbers(block, part.gates);
    put_numbers(block, part.qubits);
    append_leb128(block, number_of(part.history));
  }
}

void HistoryFile::put_content(const History::Lemma& lemma, std::string& block) {
  const std::uint64_t gates = put_gates(lemma.gates, block);
  put_kind(block, NodeKind::lemma);
  append_leb128(block, gates);
  append_leb128(block, lemma.before.size());
  for (const circuit::RecordedGate& gate : lemma.before) {
    append_leb128(block, gate.code);
    put_numbers(block, gate.qubits);
  }
  append_leb128(block, number_of(lemma.proof));
}

std::uint64_t HistoryFile::put_gates(const std::shared_ptr<const RecordedGates>& gates,
                                     std::string& block) {
  const auto [entry, is_new] =
      gates_.try_emplace(gates.get(), Gates{gates, std::uint64_t{gates_.size()}, 0});
  Gates& known = entry->second;
  const std::size_t size = gates->size();
  if (!is_new && known.written == size) return known.number;
  put_kind(block, NodeKind::gates);
  append_leb128(block, known.number);
  append_leb128(block, size - known.written);
  for (; known.written < size; ++known.written) {
    const Operation& operation = (*gates)[static_cast<RecordedGates::Code>(known.written)];
    put_text(block, gate(operation.gate).name);
    append_leb128(block, operation.angles.size());
    for (const Angle& angle : operation.angles) put_text(block, angle.to_string());
  }
  return known.number;
}

void HistoryFile::write_block(const std::string& block) {
  std::string header;
  put_word(header, block.size());
  put_word(header, checksum_of(std::as_bytes(std::span(block))));
  errno = 0;
  file_ << header << block << std::flush;
  if (!file_)
    throw InputError({path_.string()}, std::string("cannot write: ") + std::strerror(errno));
  bytes_ += header.size() + block.size();
}

HistoryPointer read_history(const std::filesystem::path& path, const StoredHistory& stored,
                            const CustomGates& custom_gates) {
  if (stored.node == 0) return nullptr;
  return parse_history(read_text_file(path, {.max_bytes = ~std::uint64_t{0}}), path.string(),
                       stored, custom_gates);
}

HistoryPointer parse_history(std::string_view content, const std::string& name,
                             const StoredHistory& stored, const CustomGates& custom_gates) {
  try {
    return HistoryReading(content, name, custom_gates).run(stored);
  } catch (const InputError& error) {
    if (error.location().file == name) throw;
    throw InputError({name}, std::string("it is damaged: ") + error.what());
  }
}

}  // namespace quartz::journal
