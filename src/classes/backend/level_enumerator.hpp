#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "fingerprint/fingerprint.hpp"
#include "quartz/base/communicator.hpp"

namespace quartz::classes {

/// The letters worth trying after the last `window` letters of a shortest circuit: one mask for
/// each such suffix (see follower_index), in which bit i is letter i. A window of 0 has one mask.
struct FollowerMasks {
  unsigned window = 0;
  std::vector<std::uint64_t> masks;
};

/// All that enumeration by levels needs to know of an alphabet. There are at most 63 letters on at
/// most 4 qubits, and the global phases are sixteenth roots of unity.
struct LevelTables {
  static constexpr unsigned kMaxQubits = 4;
  static constexpr unsigned kMaxLetters = 63;
  fingerprint::FingerprintTables fingerprints;
  FollowerMasks followers;
};

struct LevelEnumeratorOptions {
  unsigned threads = 0;  ///< 0: all cores
  /// Limit in bytes, for the device's memory if it has its own. 0: all free memory.
  std::uint64_t memory = 0;
  /// Bytes of the table that a device accesses at a time: it inserts keys in an order that stays
  /// within such a part. 0: the device's own choice.
  std::uint64_t window = 0;
  /// Number of devices of this host, each with a share of the keys. 0: one, without exchange.
  unsigned devices = 0;
  /// Approximate number of keys that each device or rank exchanges at a time. 0: its own choice.
  std::uint64_t round = 0;
  /// Name of the CPU instruction set, one of instruction_sets. Empty: the best one available.
  std::string_view instructions;
  /// Processes that find the levels together, each with a share of the keys. Null: only this one.
  Communicator* ranks = nullptr;
  std::stop_token stop;
};

/// Statistics of a level: the classes whose shortest circuits have a given number of letters.
struct LevelFigures {
  std::uint64_t classes = 0;
  std::uint64_t candidates = 0;   ///< keys formed and looked up
  std::uint64_t comparisons = 0;  ///< upper bound on comparisons of two keys; see LevelKey
  std::uint64_t digest = 0;       ///< the sum of digest_of over the keys of the classes
};

/// Breadth-first enumeration of the classes of an alphabet, level by level, starting with the class
/// of the identity. Every backend finds the same keys. With several ranks, each rank must call the
/// same functions in the same order, and all ranks get the same figures.
class LevelEnumerator {
 public:
  virtual ~LevelEnumerator() = default;
  /// Returns the backend's name in fingerprint_backends().
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Returns the instruction set in use; empty if the CPU does not do the work.
  [[nodiscard]] virtual std::string_view instructions() const = 0;
  /// Finds the next level. Returns nothing if the memory does not suffice; the enumerator must not
  /// be used after that. A level that is not extended itself (no call of next or form_keys follows)
  /// takes less memory. Throws Stopped once a stop is requested.
  [[nodiscard]] virtual std::optional<LevelFigures> next(bool extended_later) = 0;
  /// Forms the keys of all extensions of the last level's classes, regardless of the masks, without
  /// looking any up. Returns their number in `candidates` and the sum of digest_of in `digest`.
  [[nodiscard]] virtual LevelFigures form_keys() = 0;
};

}  // namespace quartz::classes
