#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "circuit/history.hpp"
#include "quartz/circuit/custom_gate.hpp"

/// Histories in a file, for checkpoints: the file grows by what is new, because versions of a
/// history share their parts (docs/formats/checkpoint.md).
namespace quartz::journal {

/// A history in a file: the node with this number, in the first bytes of the file.
struct StoredHistory {
  std::uint64_t bytes = 0;
  std::uint64_t node = 0;  ///< 0: no rewrites
};

/// Writes histories to one file.
class HistoryFile {
 public:
  /// Creates the file, or empties it. Throws InputError if that is not possible.
  explicit HistoryFile(std::filesystem::path path);

  /// Appends the parts of a history that the file does not have yet, as one block. Throws
  /// InputError if the file cannot be written; what was stored before stays readable.
  [[nodiscard]] StoredHistory append(const circuit::HistoryPointer& history);

 private:
  /// A node in the file. A weak pointer keeps the address of the node in use, so that no other node
  /// gets it.
  struct Node {
    std::weak_ptr<const circuit::History> history;
    std::uint64_t number = 0;
  };
  /// Gates in the file; they can still grow in memory.
  struct Gates {
    std::weak_ptr<const circuit::RecordedGates> gates;
    std::uint64_t number = 0;
    std::size_t written = 0;
  };

  /// Returns the number of a node, or 0 if it is not in the file.
  [[nodiscard]] std::uint64_t number_of(const circuit::HistoryPointer& node) const;
  void put_node(const circuit::HistoryPointer& node, std::string& block);
  /// Writes a field of a node, whose gates and histories are in the file.
  template <typename Value>
  void put_value(const Value& value, std::string& block) const;
  /// Writes the gates that are not in the file yet.
  void put_gates(const std::shared_ptr<const circuit::RecordedGates>& gates, std::string& block);
  void write_block(const std::string& block);

  std::filesystem::path path_;
  std::ofstream file_;
  std::uint64_t bytes_ = 0;
  std::uint64_t node_count_ = 0;
  std::unordered_map<const circuit::History*, Node> nodes_;
  std::unordered_map<const circuit::RecordedGates*, Gates> gates_;
};

/// Reads a history that HistoryFile::append stored, whose gates are built in or among the custom
/// gates. Throws InputError for a file that is damaged or shorter than `stored` says.
[[nodiscard]] circuit::HistoryPointer read_history(const std::filesystem::path& path,
                                                   const StoredHistory& stored,
                                                   const CustomGates& custom_gates = {});
/// Does the same with the content of a file, which messages call `name`.
[[nodiscard]] circuit::HistoryPointer parse_history(std::string_view content,
                                                    const std::string& name,
                                                    const StoredHistory& stored,
                                                    const CustomGates& custom_gates = {});

}  // namespace quartz::journal
