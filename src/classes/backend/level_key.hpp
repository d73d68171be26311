#pragma once

#include <cstddef>
#include <cstdint>

#include "classes/backend/extension_key.hpp"

/// The arithmetic of enumeration by levels, with identical results on host and device.
namespace quartz::classes {

/// Two independent values of a class, for alphabets in which the global phase between equal
/// circuits is a sixteenth root of unity (constant angles in multiples of pi/4).
///
/// With u and v two random linear functionals of the state, a phase w (w^16 = 1) turns u^15 v into
/// w^16 u^15 v = u^15 v and u^16 into w^16 u^16 = u^16: both are invariants of the class, computed
/// without a division. `place` depends only on u and determines where in a hash table the class
/// belongs; `tag` is what is stored there. For two different classes u^15 v = u'^15 v' is one
/// linear condition on v's random functional, whatever u is: each comparison of two tags errs with
/// probability 1/p, and comparisons are made only along the probe sequence of a place. So
/// (comparisons) / p bounds the expected number of classes lost, which does not grow with the
/// square of the number of classes.
struct LevelKey {
  std::uint64_t tag = 0;  ///< never 0, which marks an empty slot
  std::uint64_t place = 0;
  friend bool operator==(const LevelKey&, const LevelKey&) = default;
};

[[nodiscard]] QUARTZ_HOST_DEVICE inline LevelKey level_key(const KeyQuotient& functionals) {
  const algebra::LooseGoldilocks u(functionals.numerator);
  const algebra::LooseGoldilocks v(functionals.denominator);
  const algebra::LooseGoldilocks u3 = u * u * u;
  const algebra::LooseGoldilocks u6 = u3 * u3;
  const algebra::LooseGoldilocks u15 = u6 * u6 * u3;
  const std::uint64_t tag = (u15 * v).canonical().value();
  return {tag == 0 ? 1 : tag, (u15 * u).canonical().value()};
}

/// Returns the slot where the search for a place begins, in a table with this number of slots.
[[nodiscard]] QUARTZ_HOST_DEVICE inline std::uint64_t home_slot(std::uint64_t place,
                                                                std::uint64_t slots) {
  return Goldilocks::multiply(place, slots).high;
}

/// The place of a key if the places are distributed over several tables: the number of the table,
/// and its place in that table (the argument of home_slot).
struct KeyShare {
  std::uint64_t owner = 0;
  std::uint64_t place = 0;
};
[[nodiscard]] QUARTZ_HOST_DEVICE inline KeyShare share_of(std::uint64_t place,
                                                          std::uint64_t shares) {
  const Goldilocks::Product product = Goldilocks::multiply(place, shares);
  return {product.high, product.low};
}

/// Returns a hash of a key. Sums of these modulo 2^64 are digests of sets of keys, independent of
/// the order.
[[nodiscard]] QUARTZ_HOST_DEVICE inline std::uint64_t digest_of(const LevelKey& key) {
  std::uint64_t word = key.tag + 0x9e37'79b9'7f4a'7c15 * key.place;
  word = (word ^ word >> 30U) * 0xbf58'476d'1ce4'e5b9;
  word = (word ^ word >> 27U) * 0x94d0'49bb'1331'11eb;
  return word ^ word >> 31U;
}

/// A class, given by a shortest circuit: its parent, the class without the last letter (an index
/// into the previous level), and its last letters, the very last one in the lowest byte of
/// `suffix`.
struct ClassLink {
  static constexpr unsigned kSuffix = 3;
  static constexpr unsigned kParentBits = 40;
  static constexpr std::uint32_t kNoLetter = 0xff;
  static constexpr std::uint32_t kNoLetters = 0xff'ffff;

  std::uint64_t parent = 0;
  std::uint32_t suffix = kNoLetters;

  [[nodiscard]] QUARTZ_HOST_DEVICE static ClassLink unpack(std::uint64_t word) {
    return {word >> (64 - kParentBits), static_cast<std::uint32_t>(word) & kNoLetters};
  }
  [[nodiscard]] QUARTZ_HOST_DEVICE std::uint64_t pack() const {
    return parent << (64 - kParentBits) | suffix;
  }
  [[nodiscard]] QUARTZ_HOST_DEVICE std::uint32_t letter() const { return suffix & 0xff; }
  /// Returns the link of class `index` of this level, which has this suffix, extended by a letter.
  [[nodiscard]] QUARTZ_HOST_DEVICE static ClassLink extended(std::uint64_t index,
                                                             std::uint32_t suffix,
                                                             std::uint32_t letter) {
    return {index, (suffix << 8U | letter) & kNoLetters};
  }
};

/// Returns the index of the mask of the letters worth trying after a suffix. The last `window`
/// letters are its digits in base letters + 1; "no letter" is the greatest digit.
[[nodiscard]] QUARTZ_HOST_DEVICE inline std::size_t follower_index(std::uint32_t suffix,
                                                                   unsigned window,
                                                                   std::uint32_t letters) {
  std::size_t index = 0;
  for (unsigned i = window; i-- > 0;) {
    const std::uint32_t letter = suffix >> (8 * i) & 0xff;
    index = index * (letters + 1) + (letter < letters ? letter : letters);
  }
  return index;
}

}  // namespace quartz::classes
