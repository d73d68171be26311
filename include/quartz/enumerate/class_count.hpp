#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/communicator.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// The name that asks for the best backend there is.
inline constexpr std::string_view kAutomaticBackend = "auto";
/// The others' names, of this build: "cpu", and "cuda" where it was built with it.
[[nodiscard]] std::vector<std::string> enumeration_backends();
/// The sets of instructions for which this build has code of its own, the preferred ones first; not
/// every machine has all of them.
[[nodiscard]] std::vector<std::string> cpu_instruction_sets();

/// The classes whose shortest circuits have so many gates.
struct CountedLevel {
  unsigned gates = 0;
  std::uint64_t classes = 0;
  std::uint64_t candidates = 0;  ///< circuits whose fingerprint was formed and looked up
  std::uint64_t digest = 0;      ///< of the set of fingerprints; the same on every backend
  double seconds = 0;            ///< for this level alone
};

struct ClassCountOptions {
  unsigned qubits = 3;  ///< at most 4
  unsigned gates = 5;
  std::string backend = std::string(kAutomaticBackend);
  std::string instructions;  ///< of the CPU, one of cpu_instruction_sets; empty: the best it has
  unsigned devices = 1;      ///< of this host, for the backend cuda
  unsigned threads = 0;      ///< of the CPU; 0: all cores
  std::uint64_t memory = 0;  ///< bytes, of the device where it has its own; 0: what is free
  std::uint64_t seed = 0;    ///< of the points where fingerprints are taken
  /// Leave out the extensions that are known beforehand to find nothing new. The classes are the
  /// same without.
  bool pruned = true;
  /// Processes that count together, on the CPU; null: this one alone. All get the same counts.
  Communicator* ranks = nullptr;
  std::function<void(const CountedLevel&)> on_level;
  std::stop_token stop;
};

struct ClassCount {
  std::string backend;       ///< that did it
  std::string instructions;  ///< that the CPU used; empty for a device
  unsigned letters = 0;
  bool complete = true;              ///< or the memory ran out before the last level asked for
  std::vector<CountedLevel> levels;  ///< from level 1
  double preparation_seconds = 0;    ///< before the first level
  /// An upper bound of the expected number of classes missed because two fingerprints agreed by
  /// chance, over all levels.
  double expected_misses = 0;
};

/// Counts the classes of the circuits of constant gates (free angles become the multiples of pi/4),
/// level by level. Throws UsageError for more than 4 qubits or 63 letters, for a backend or a set
/// of instructions that is not there, Error if stopped.
[[nodiscard]] ClassCount count_classes(const GateSet& set, const ClassCountOptions& options);

/// What the arithmetic alone costs.
struct FingerprintRate {
  std::string backend;
  std::string instructions;
  std::uint64_t fingerprints = 0;
  std::uint64_t digest = 0;  ///< the same on every backend
  double seconds = 0;
};

/// Counts the classes, then forms the fingerprints of all one-letter extensions of the last level's
/// classes `rounds` times, and looks none up.
[[nodiscard]] FingerprintRate measure_fingerprints(const GateSet& set,
                                                   const ClassCountOptions& options,
                                                   unsigned rounds);

}  // namespace quartz
