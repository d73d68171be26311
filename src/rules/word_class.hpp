#pragma once

#include <cstdint>
#include <vector>

#include "quartz/rules/rule_set.hpp"
#include "rules/word.hpp"

namespace quartz::rules::words {

/// A circuit of a class, in normal form.
struct WordMember {
  Word word;
  Angle phase;
  bool stays = true;       ///< false once the circuit is pruned
  std::uint32_t form = 0;  ///< the same for circuits that differ only by relabelling, once set
};

/// A class during pruning: different members in canonical order, the representative first. Pruned
/// members remain listed, because the equalities they state are still true.
struct WordClass {
  std::vector<WordMember> members;
};

}  // namespace quartz::rules::words
