#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// Fingerprint -> least cost, for every class of circuits within a bound; immutable, and shared by
/// all threads.
class ClassTable;

struct ClassTableProgress {
  unsigned level = 0;  ///< the cost whose classes are being found
  std::uint64_t classes = 0;
  double seconds = 0;
};

struct ClassTableOptions {
  unsigned qubits = 3;  ///< at most 3
  unsigned cost = 5;    ///< the bound: classes that cost more are left out
  /// Cost of a gate on two or more qubits; all others cost 1.
  unsigned two_qubit_weight = 1;
  /// Also rotations by a free angle and its negative, for circuits whose angles are no multiples of
  /// pi/4.
  bool symbolic = false;
  unsigned threads = 0;                ///< 0: all cores
  std::uint64_t memory = 8ULL << 30U;  ///< bytes while it is built; the bound shrinks to fit
  std::function<void(const ClassTableProgress&)> on_progress;
  std::stop_token stop;
};

struct ClassTableSummary {
  unsigned qubits = 0;
  unsigned cost = 0;
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

/// What the table of a gate set and options is called: a digest of all it depends on.
[[nodiscard]] std::string class_table_digest(const GateSet& set, const ClassTableOptions& options);

}  // namespace quartz
