#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/base/communicator.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// The name that selects the best available backend.
inline constexpr std::string_view kAutomaticBackend = "auto";
/// Returns the names of the backends in this build: "cpu", and "cuda" if it was built with CUDA.
[[nodiscard]] std::vector<std::string> enumeration_backends();
/// Returns the names of the instruction sets for which this build has specialized code, in order of
/// preference. Not every machine supports all of them.
[[nodiscard]] std::vector<std::string> cpu_instruction_sets();

/// Statistics of the classes whose shortest circuits have `gates` gates.
struct CountedLevel {
  unsigned gates = 0;
  std::uint64_t classes = 0;
  std::uint64_t candidates = 0;  ///< circuits whose fingerprint was formed and looked up
  std::uint64_t digest = 0;      ///< digest of the set of fingerprints; the same on every backend
  double seconds = 0;            ///< time for this level alone
};

struct ClassCountOptions {
  static constexpr unsigned kMaxQubits = 4;
  unsigned qubits = 3;  ///< at most kMaxQubits
  unsigned gates = 5;
  std::string backend = std::string(kAutomaticBackend);
  /// CPU instruction set, one of cpu_instruction_sets(); empty: the best one available.
  std::string instructions;
  unsigned devices = 1;      ///< number of devices of this host, for the backend cuda
  unsigned threads = 0;      ///< CPU threads; 0: all cores
  std::uint64_t memory = 0;  ///< bytes, of the device if it has its own; 0: all free memory
  std::uint64_t seed = 0;    ///< seed of the points at which fingerprints are computed
  /// Omits extensions that are known in advance to find nothing new. The classes are the same
  /// without this.
  bool pruned = true;
  /// Processes that count together, on the CPU. Null: only this one. All get the same counts.
  Communicator* ranks = nullptr;
  std::function<void(const CountedLevel&)> on_level;
  std::stop_token stop;
};

struct ClassCount {
  std::string backend;       ///< the backend used
  std::string instructions;  ///< the CPU instruction set used; empty for a device
  unsigned letters = 0;
  bool complete = true;              ///< false if the memory ran out before the last level
  std::vector<CountedLevel> levels;  ///< from level 1
  double preparation_seconds = 0;    ///< time before the first level
  /// Upper bound on the expected number of classes missed because two fingerprints agreed by
  /// chance, over all levels.
  double expected_misses = 0;
};

/// Counts the classes of circuits of constant gates (free angles become the multiples of pi/4),
/// level by level. Throws UsageError for more than 4 qubits or 63 letters and for a backend or
/// instruction set that is not available, and Stopped once a stop is requested.
[[nodiscard]] ClassCount count_classes(const GateSet& set, const ClassCountOptions& options);

/// The speed of computing fingerprints alone.
struct FingerprintRate {
  std::string backend;
  std::string instructions;
  std::uint64_t fingerprints = 0;
  std::uint64_t digest = 0;  ///< the same on every backend
  double seconds = 0;
};

/// Counts the classes, then computes the fingerprints of all one-letter extensions of the last
/// level's classes `rounds` times without looking any up. Throws UsageError if the memory does not
/// suffice, and otherwise like count_classes().
[[nodiscard]] FingerprintRate measure_fingerprints(const GateSet& set,
                                                   const ClassCountOptions& options,
                                                   unsigned rounds);

}  // namespace quartz
