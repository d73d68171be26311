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

#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// Fingerprint -> least cost, for every class of circuits within a bound; immutable, and shared by
/// all threads. Built in memory, or mapped from a file.
class ClassTable;

struct ClassTableProgress {
  unsigned level = 0;  ///< the cost whose classes are being found
  std::uint64_t classes = 0;
  double seconds = 0;
};

struct ClassTableOptions {
  unsigned qubits = 3;  ///< at most 3
  /// The bound: classes that cost more are left out. A search goes further with each level: with
  /// 5, 6 and 7 as many moves leave 193.9, 191.6 and 189.2 gates (mean of eight Nam circuits).
  unsigned cost = 6;
  /// Nor is a level begun that would bring more classes than that, as the levels before it grew.
  std::uint64_t classes = ~std::uint64_t{0};
  /// Cost of a gate on two or more qubits; all others cost 1. With more a table holds fewer of the
  /// circuits with many such gates: one of 71 MB with 2 does worse than one of 6 MB with 1, also in
  /// the number of gates on two qubits.
  unsigned two_qubit_weight = 1;
  /// Also rotations by a free angle and its negative, for circuits whose angles are no multiples of
  /// pi/4.
  bool symbolic = false;
  unsigned threads = 0;  ///< 0: all cores
  /// One of enumeration_backends: which of them does not change the table.
  std::string backend = "cpu";
  /// Bytes while it is built, of the device where it has its own; the bound shrinks to fit.
  std::uint64_t memory = 8ULL << 30U;
  std::function<void(const ClassTableProgress&)> on_progress;
  std::stop_token stop;
  /// When the bound is cut to the costs whose classes are all known by then, but to no less than 3
  /// (on the CPU).
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

struct ClassTableSummary {
  std::string gate_set;
  unsigned qubits = 0;
  unsigned cost = 0;  ///< that all classes were found up to: the bound, or less for want of memory
  unsigned two_qubit_weight = 1;
  bool symbolic = false;
  unsigned letters = 0;
  std::vector<std::uint64_t> classes;  ///< with each cost, from 0
  std::uint64_t bytes = 0;
};

/// Breadth first over the classes of the circuits of constant gates (free angles become the
/// multiples of pi/4). Throws UsageError for a gate set whose letters are too many, Error if
/// stopped.
[[nodiscard]] std::shared_ptr<const ClassTable> build_class_table(const GateSet& set,
                                                                  const ClassTableOptions& options);
[[nodiscard]] ClassTableSummary summary_of(const ClassTable& table);

/// The cost at which a table with these options ends, memory aside, given how many classes have
/// cost 0, 1, ...: by the bound on the classes if these levels tell, or else by that on the cost.
[[nodiscard]] unsigned end_of_class_table(std::span<const std::uint64_t> classes,
                                          const ClassTableOptions& options);

/// What the table of a gate set and options is called: a digest of all it depends on.
[[nodiscard]] std::string class_table_digest(const GateSet& set, const ClassTableOptions& options);

/// Version of the file format and of the meaning of its words (docs/formats/class_table.md).
inline constexpr unsigned class_table_version = 1;

/// Writes a table as a file that open_class_table maps, whole or not at all. Throws InputError if
/// it cannot be written.
void write_class_table(const ClassTable& table, const std::filesystem::path& path);

/// A table from its file: mapped, not read, so that all processes share one copy of its words. All
/// of it is checked first, on so many threads (0: all cores). Throws InputError for a file that is
/// no table, of another version or byte order, truncated, damaged, or of another gate set.
[[nodiscard]] std::shared_ptr<const ClassTable> open_class_table(const std::filesystem::path& path,
                                                                 const GateSet& set,
                                                                 unsigned threads = 0);

}  // namespace quartz
