#pragma once

#include "fingerprint/level_enumerator.hpp"

namespace quartz {

/// The letters worth trying after each suffix of at most `window` letters (at most 3; 0: all
/// letters, always).
///
/// After the suffix s of a shortest circuit a letter a is left out if s a equals a shorter circuit,
/// or one of the same length whose last letter is less than a. No class is lost by that: take a
/// class of level d, the least letter a that any of its shortest circuits ends with, and the class
/// of level d - 1 that such a circuit has without it. Whatever shortest circuit is kept for the
/// latter, with the suffix s: were a left out after s, then the class would have a circuit of fewer
/// letters or one that ends with a lesser letter.
[[nodiscard]] FollowerMasks make_followers(const FingerprintTables& tables, unsigned window);

}  // namespace quartz
