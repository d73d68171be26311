#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "fingerprint/fingerprint.hpp"
#include "quartz/communicator.hpp"

namespace quartz {

/// Which letters are worth trying after the last `window` letters of a shortest circuit: one mask
/// for each such suffix, bit i is letter i; see follower_index. A window of 0 has one mask.
struct FollowerMasks {
  unsigned window = 0;
  std::vector<std::uint64_t> masks;
};

/// All that enumeration by levels needs to know of an alphabet of at most 63 letters on at most 4
/// qubits, whose global phases are sixteenth roots of unity.
struct LevelTables {
  static constexpr unsigned kMostQubits = 4;
  static constexpr unsigned kMostLetters = 63;
  FingerprintTables fingerprints;
  FollowerMasks followers;
};

struct LevelEnumeratorOptions {
  unsigned threads = 0;      ///< 0: all cores
  std::uint64_t memory = 0;  ///< bytes, of the device's where it has its own; 0: what is free
  /// A device inserts keys in an order in which it stays within so many bytes of the table at a
  /// time; 0: its own choice.
  std::uint64_t window = 0;
  /// So many devices of this host, each with a share of the keys; 0: one, without exchange.
  unsigned devices = 0;
  /// They, or ranks, exchange about so many keys of each at a time; 0: their own choice.
  std::uint64_t round = 0;
  /// The CPU's instructions, of those that instruction_sets lists; empty: the best there are.
  std::string_view instructions;
  /// Processes that find the levels together, each with a share of the keys; null: this one alone.
  Communicator* ranks = nullptr;
  std::stop_token stop;
};

/// What is known of a level: the classes whose shortest circuits have so many letters.
struct LevelFigures {
  std::uint64_t classes = 0;
  std::uint64_t candidates = 0;   ///< keys formed, and looked up
  std::uint64_t comparisons = 0;  ///< at most, of a key with another in the table; see LevelKey
  std::uint64_t digest = 0;       ///< the sum of digest_of over the keys of the classes
};

/// Breadth first over the classes of an alphabet, level by level, beginning with the identity's.
/// Every backend finds the same keys. Of several ranks each calls the same functions in the same
/// order, and all get the same figures.
class LevelEnumerator {
 public:
  virtual ~LevelEnumerator() = default;
  /// Of the backend, as in the list of backends.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// That it uses; empty where it is not the CPU that does the work.
  [[nodiscard]] virtual std::string_view instructions() const = 0;
  /// Finds the next level; nothing if the memory does not suffice, after which the enumerator is
  /// of no more use. A level that will not be extended itself (no call of next or form_keys comes
  /// after it) takes less memory. Throws Error if stopped.
  [[nodiscard]] virtual std::optional<LevelFigures> next(bool extended_later) = 0;
  /// Forms the keys of all extensions of the last level's classes, whatever the masks say, and
  /// looks none up: `candidates` of them with the sum `digest`.
  [[nodiscard]] virtual LevelFigures form_keys() = 0;
};

}  // namespace quartz
