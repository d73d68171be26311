#pragma once

#include <cstdint>
#include <vector>

#include "quartz/rules/rule_set.hpp"
#include "rules/word.hpp"

namespace quartz::words {

/// A circuit of a class, in normal form.
struct WordMember {
  Word word;
  Angle phase;
  bool stays = true;       ///< not pruned so far
  std::uint32_t form = 0;  ///< circuits that differ only by relabelling have one number, once set
};

/// A class as pruning sees it: members in canonical order, the representative first, all of them
/// different. Members that are pruned stay listed: what they said is still true.
struct WordClass {
  std::vector<WordMember> members;
};

}  // namespace quartz::words
