#pragma once

#include "classes/backend/level_enumerator.hpp"

namespace quartz::classes {

/// Returns the letters worth trying after each suffix of at most `window` letters. The window is at
/// most 3; with 0, all letters are always tried.
///
/// A letter a is omitted after the suffix s of a shortest circuit if s a equals a shorter circuit,
/// or one of the same length whose last letter is less than a. This loses no class. Proof: take a
/// class of level d, the least letter a that any of its shortest circuits ends with, and the class
/// of level d - 1 of such a circuit without that letter. Let s be the suffix of whichever shortest
/// circuit is kept for the latter class. If a were omitted after s, then the class of level d would
/// have a circuit of fewer letters or one that ends with a lesser letter, a contradiction.
[[nodiscard]] FollowerMasks make_followers(const fingerprint::FingerprintTables& tables,
                                           unsigned window);

}  // namespace quartz::classes
