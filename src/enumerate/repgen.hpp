#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "enumerate/letters.hpp"
#include "fingerprint/fingerprint.hpp"

/// RepGen (Quartz, arXiv 2204.09033, section 3): all circuits of up to n letters, class by class.
///
/// Circuits are sequences of letters modulo the commutation of gates on disjoint qubits; of the
/// orders of one circuit the lexicographically least is kept. A class's representative is its least
/// circuit: fewest gates, then least in lexicographic order. Every part of a representative is a
/// representative (were it not, putting its own representative in its place would give a lesser
/// circuit of the class), so all representatives are found among the representatives with one
/// letter added whose suffix, the sequence without its first letter, is a representative too. What
/// a representative extended in this way is equal to is a class member worth knowing: every other
/// equality follows from those. Each parameter occurs in at most one gate of a circuit.
namespace quartz {

/// Index of a class and of its representative; 0 is the empty circuit's.
using ClassIndex = std::uint32_t;

/// One class, by its representative: the representative `prefix` with `letter` added. 16 bytes.
struct Representative {
  ClassIndex prefix = 0;
  ClassIndex suffix = 0;       ///< the representative without its first letter
  ClassIndex first_child = 0;  ///< of the representatives that extend this one; see children()
  LetterIndex letter = 0;
  std::uint16_t parameters = 0;  ///< those in use, as in Letter
};

/// A circuit that is equal to a representative: another representative with one letter added.
struct Member {
  ClassIndex of = 0;
  ClassIndex prefix = 0;
  LetterIndex letter = 0;
  friend bool operator==(const Member&, const Member&) = default;
};

/// All classes of circuits of up to n gates.
struct Enumeration {
  /// Level after level (by the number of gates), each in lexicographic order.
  std::vector<Representative> representatives;
  std::vector<ClassIndex> level_begin;  ///< first class of each level, and the end
  std::vector<Member> members;          ///< in the same order; representatives left out
  std::uint64_t candidates = 0;         ///< circuits kept, the empty one left out

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
  FieldSeed seed;
  std::string_view backend;  ///< of the fingerprints; empty: the best there is
  bool keep_members = true;  ///< or count them only
  bool suffix_rule = true;   ///< without it: plain breadth-first search, for comparison
  /// Only these bits of a key count. For tests of what happens when fingerprints collide.
  FingerprintKey key_mask = ~FingerprintKey{0};
  std::function<void(const EnumerationProgress&)> on_progress;
  std::stop_token stop;
};

/// The same for any number of threads and (unless fingerprints collide) any seed. Throws Error if
/// stopped, UsageError for more than 2^32 classes.
[[nodiscard]] Enumeration enumerate_classes(const Letters& letters,
                                            const EnumerationOptions& options);

}  // namespace quartz
