#pragma once

#include <string>

#include "cli/command.hpp"
#include "quartz/enumerate/prove.hpp"

namespace quartz::cli {

/// `quartz-gen --prove`: proves the rule set in a file.
struct RuleProving {
  std::string file;      ///< empty: nothing is asked for; - is standard input
  std::string gate_set;  ///< if not empty, the rules must have been made for it
  std::string stats;     ///< if not empty, where figures go as JSON; - is standard output
  unsigned threads = 0;
  double proof_seconds = 10;
  std::string checkpoint;  ///< if not empty, the folder where proofs are kept
  bool quiet = false;
};

/// One line for each equality that is not proved, on the standard output (not with --quiet), and a
/// summary. The exit code is done, not_equal where one is refuted, or else undecided.
ExitCode prove_rules(const RuleProving& proving, const CommandContext& context);

}  // namespace quartz::cli
