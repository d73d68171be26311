#include "journal/history_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
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

/// An entry of this kind adds gates to a list. The kinds of histories have the numbers from 1, in
/// the order in which History::Content lists them.
constexpr std::uint64_t kGatesEntry = 0;

using GatesPointer = std::shared_ptr<const RecordedGates>;
template <typename Value>
concept HasFixedSize = requires {
  std::tuple_size<Value>::value;
};
template <typename Value>
concept HasCapacity = requires {
  Value::static_capacity;
};

void put_text(std::string& block, std::string_view text) {
  append_leb128(block, text.size());
  block += text;
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
    const std::uint64_t kind = number();
    if (kind == kGatesEntry) return read_gates();
    nesting_ = 0;
    History::Content content = content_of_kind(kind - 1);
    std::visit(
        [&](auto& some) {
          read(some);
          check(some);
        },
        content);
    if (nesting_ > kMaxNesting) fail_damaged();
    nodes_.push_back({std::make_shared<History>(std::move(content)), nesting_});
  }

  /// Returns an empty history of the kind with this index.
  template <std::size_t kIndex = 0>
  [[nodiscard]] History::Content content_of_kind(std::uint64_t index) const {
    if constexpr (kIndex < std::variant_size_v<History::Content>) {
      if (index == kIndex) return std::variant_alternative_t<kIndex, History::Content>();
      return content_of_kind<kIndex + 1>(index);
    } else {
      fail_damaged();
    }
  }

  /// Reads a field, or all fields of a struct.
  template <typename Value>
  void read(Value& value) {
    if constexpr (std::is_same_v<Value, std::uint64_t>) {
      value = number();
    } else if constexpr (std::is_same_v<Value, std::uint32_t>) {
      value = number_of_32_bits();
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = text();
    } else if constexpr (std::is_same_v<Value, HistoryPointer>) {
      const Node child = node();
      value = child.history;
      nesting_ = std::max(nesting_, child.nesting);
    } else if constexpr (std::is_same_v<Value, GatesPointer>) {
      const std::uint64_t index = number();
      if (index >= gates_.size()) fail_damaged();
      value = gates_[index];
    } else if constexpr (circuit::HasFields<Value>) {
      circuit::for_each_field(value, [&](auto& field) { read(field); });
    } else if constexpr (HasFixedSize<Value>) {
      for (auto& each : value) read(each);
    } else if constexpr (std::is_same_v<Value, circuit::NumberList>) {
      for (std::uint64_t left = count(); left != 0; --left) value.push_back(number_of_32_bits());
    } else {
      std::uint64_t left = count();
      if constexpr (HasCapacity<Value>) {
        if (left > Value::static_capacity) fail_damaged();
      }
      for (; left != 0; --left) read(value.emplace_back());
    }
  }

  template <typename AnyContent>
  void check(const AnyContent& /*content*/) {}
  void check(const History::Parts& /*parts*/) { ++nesting_; }
  void check(const History::Lemma& lemma) {
    ++nesting_;
    Qubit wires = 0;
    for (const circuit::RecordedGate& gate : lemma.before) {
      if (gate.code >= lemma.gates->size()) fail_damaged();
      for (const Qubit qubit : gate.qubits) {
        if (qubit > wires) fail_damaged();
        if (qubit == wires) ++wires;
      }
    }
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
  unsigned nesting_ = 0;  ///< that of the current node
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
  std::visit(
      [&](const auto& content) {
        circuit::for_each_field(content, [&](const auto& field) {
          if constexpr (std::is_same_v<decltype(field), const GatesPointer&>) {
            put_gates(field, block);
          }
        });
        append_leb128(block, node->content.index() + 1);
        put_value(content, block);
      },
      node->content);
  nodes_[node.get()] = {node, ++node_count_};
}

template <typename Value>
void HistoryFile::put_value(const Value& value, std::string& block) const {
  if constexpr (std::is_unsigned_v<Value>) {
    append_leb128(block, value);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    put_text(block, value);
  } else if constexpr (std::is_same_v<Value, HistoryPointer>) {
    append_leb128(block, number_of(value));
  } else if constexpr (std::is_same_v<Value, GatesPointer>) {
    append_leb128(block, gates_.at(value.get()).number);
  } else if constexpr (circuit::HasFields<Value>) {
    circuit::for_each_field(value, [&](const auto& field) { put_value(field, block); });
  } else {
    if constexpr (!HasFixedSize<Value>) append_leb128(block, value.size());
    for (const auto& each : value) put_value(each, block);
  }
}

void HistoryFile::put_gates(const GatesPointer& gates, std::string& block) {
  const auto [entry, is_new] =
      gates_.try_emplace(gates.get(), Gates{gates, std::uint64_t{gates_.size()}, 0});
  Gates& known = entry->second;
  const std::size_t size = gates->size();
  if (!is_new && known.written == size) return;
  append_leb128(block, kGatesEntry);
  append_leb128(block, known.number);
  append_leb128(block, size - known.written);
  for (; known.written < size; ++known.written) {
    const Operation& operation = (*gates)[static_cast<RecordedGates::Code>(known.written)];
    put_text(block, gate(operation.gate).name);
    append_leb128(block, operation.angles.size());
    for (const Angle& angle : operation.angles) put_text(block, angle.to_string());
  }
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
