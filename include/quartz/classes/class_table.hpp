#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "quartz/target/gate_set.hpp"

namespace quartz {

/// Maps the fingerprint of every class of circuits within a bound to its least cost. Immutable, and
/// shared by all threads. Built in memory, or mapped from a file.
class ClassTable;

struct ClassTableProgress {
  unsigned level = 0;  ///< the cost whose classes are being found
  std::uint64_t classes = 0;
  double seconds = 0;
};

struct ClassTableOptions {
  static constexpr unsigned kMaxQubits = 3;
  unsigned qubits = 3;  ///< at most kMaxQubits
  /// Classes that cost more than this are omitted. A search reaches better results with each level:
  /// with a cost of 5, 6 and 7 the same number of moves leaves 193.9, 191.6 and 189.2 gates (mean
  /// of eight Nam circuits).
  unsigned cost = 6;
  /// A level is not started if it would bring more classes than this, as extrapolated from the
  /// levels before it.
  std::uint64_t classes = ~std::uint64_t{0};
  /// Most classes of a table from the cache, which takes memory, but not the time for which
  /// `classes` limits what is built.
  std::uint64_t cached_classes = ~std::uint64_t{0};
  /// Cost of a gate on two or more qubits; all others cost 1. A larger weight leaves room for fewer
  /// circuits with many such gates: a table of 71 MB with weight 2 gives worse results than one of
  /// 6 MB with weight 1, even in the number of gates on two qubits.
  unsigned two_qubit_weight = 1;
  /// Also includes rotations by a free angle and its negative, for circuits whose angles are not
  /// multiples of pi/4.
  bool symbolic = false;
  unsigned threads = 0;  ///< 0: all cores
  /// One of enumeration_backends(). The table does not depend on the backend.
  std::string backend = "cpu";
  /// Bytes used during construction, on the device if it has its own memory. The bound on the cost
  /// is lowered if necessary.
  std::uint64_t memory = 8ULL << 30U;
  std::function<void(const ClassTableProgress&)> on_progress;
  std::stop_token stop;
  /// Time at which the cost is limited to those whose classes are all known by then, but to no less
  /// than 3 (on the CPU).
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

struct ClassTableSummary {
  std::string gate_set;
  unsigned qubits = 0;
  /// All classes up to this cost were found: the bound of the options, or less if memory was short.
  unsigned cost = 0;
  unsigned two_qubit_weight = 1;
  bool symbolic = false;
  unsigned letters = 0;
  std::vector<std::uint64_t> classes;  ///< number of classes with each cost, from 0
  std::uint64_t bytes = 0;
};

/// Builds the table of a gate set by breadth-first search over the classes of circuits of constant
/// gates (free angles become the multiples of pi/4). Throws UsageError for a gate set with too many
/// letters or for options out of range, and Stopped once a stop is requested.
[[nodiscard]] std::shared_ptr<const ClassTable> build_class_table(const GateSet& set,
                                                                  const ClassTableOptions& options);
[[nodiscard]] ClassTableSummary summary_of(const ClassTable& table);

/// Returns the cost at which a table with these options ends, disregarding memory, given the number
/// of classes of cost 0, 1, ...: determined by the bound on the classes if these levels suffice for
/// that, and otherwise by the bound on the cost.
[[nodiscard]] unsigned end_of_class_table(std::span<const std::uint64_t> classes,
                                          const ClassTableOptions& options);

/// Returns the name of the table of a gate set and options: a digest of everything it depends on.
[[nodiscard]] std::string class_table_digest(const GateSet& set, const ClassTableOptions& options);

/// Version of the file format and of the meaning of its words (docs/formats/class_table.md).
inline constexpr unsigned class_table_version = 1;

/// Writes a table as a file for open_class_table, completely or not at all. Throws InputError if it
/// cannot be written.
void write_class_table(const ClassTable& table, const std::filesystem::path& path);

/// Opens the table in a file. The file is mapped, not read, so that all processes share one copy of
/// its words. All of it is checked first, on `threads` threads (0: all cores). Throws InputError
/// for a file that is not a table, has another version or byte order, is truncated or damaged, or
/// belongs to another gate set.
[[nodiscard]] std::shared_ptr<const ClassTable> open_class_table(const std::filesystem::path& path,
                                                                 const GateSet& set,
                                                                 unsigned threads = 0);

}  // namespace quartz
