#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "enumerate/letters.hpp"
#include "fingerprint/fingerprint.hpp"

/// RepGen (Quartz, arXiv 2204.09033, section 3) enumerates all circuits of up to n letters by
/// class.
///
/// Circuits are sequences of letters modulo the commutation of gates on disjoint qubits; of all
/// sequences of one circuit, the lexicographically least is kept. A class's representative is its
/// least circuit: fewest gates, then least in lexicographic order. Every part of a representative
/// is a representative (otherwise replacing the part by its own representative would give a lesser
/// circuit of the class). All representatives are therefore found among the representatives
/// extended by one letter whose suffix, the sequence without its first letter, is a representative
/// too. If such an extension equals another representative, it is a member of that class and worth
/// keeping; every other equality follows from these. Each parameter occurs in at most one gate of a
/// circuit.
namespace quartz::enumerate {

/// Index of a class and of its representative; class 0 contains the empty circuit.
using ClassIndex = std::uint32_t;

/// A class, given by its representative: the representative `prefix` extended by `letter`. 16
/// bytes.
struct Representative {
  ClassIndex prefix = 0;
  ClassIndex suffix = 0;       ///< the representative without its first letter
  ClassIndex first_child = 0;  ///< first representative that extends this one
  LetterIndex letter = 0;
  std::uint16_t parameters = 0;  ///< parameters in use, as in Letter
};

/// A circuit that equals the representative `of`: another representative extended by one letter.
struct Member {
  ClassIndex of = 0;
  ClassIndex prefix = 0;
  LetterIndex letter = 0;
  friend bool operator==(const Member&, const Member&) = default;
};

/// All classes of circuits of up to n gates.
struct Enumeration {
  /// Ordered by level (number of gates), and lexicographically within a level.
  std::vector<Representative> representatives;
  std::vector<ClassIndex> level_begin;  ///< first class of each level, and the end
  std::vector<Member> members;          ///< in the same order, without representatives
  std::uint64_t candidates = 0;         ///< number of circuits kept, without the empty one

  [[nodiscard]] std::vector<LetterIndex> sequence(ClassIndex representative) const;
  [[nodiscard]] std::vector<LetterIndex> sequence(const Member& member) const;
};

struct EnumerationProgress {
  unsigned level = 0;
  std::uint64_t candidates = 0;
  std::uint64_t classes = 0;
};

struct EnumerationOptions {
  unsigned gates = 3;
  unsigned threads = 0;  ///< 0: all cores
  fingerprint::FieldSeed seed;
  std::string_view backend;  ///< backend of the fingerprints; empty: the best one available
  bool keep_members = true;  ///< whether to store members, or only count them
  bool suffix_rule = true;  ///< whether suffixes must be representatives; false for comparison only
  /// Bits of a key that are used. Tests of fingerprint collisions set fewer.
  fingerprint::FingerprintKey key_mask = ~fingerprint::FingerprintKey{0};
  std::function<void(const EnumerationProgress&)> on_progress;
  std::stop_token stop;
};

/// Enumerates all classes. The result is the same for any number of threads and (unless
/// fingerprints collide) any seed. Throws Stopped once a stop is requested, UsageError for more
/// than 2^32 classes.
[[nodiscard]] Enumeration enumerate_classes(const Letters& letters,
                                            const EnumerationOptions& options);

}  // namespace quartz::enumerate
