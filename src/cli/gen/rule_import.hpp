#pragma once

#include <string>

#include "cli/command.hpp"
#include "cli/gen/gen_options.hpp"
#include "quartz/enumerate/import_rules.hpp"
#include "quartz/target/gate_set.hpp"

/// Rules that quartz-gen takes from a file instead of enumerating circuits.
namespace quartz::cli {

struct ImportRequest {
  std::string file;  ///< a rule set, or an ECC set of the original Quartz; - is standard input
  ProofOptions proofs;
  unsigned threads = 0;
};

/// Reads the file, warns of the circuits that the gate set cannot express, and proves the rules,
/// with a progress line on a terminal and the command's stop token.
[[nodiscard]] ImportResult import_with_progress(const GateSet& set, const ImportRequest& request,
                                                const CommandContext& context);

/// Returns the statistics of an import as JSON.
[[nodiscard]] std::string import_stats(const ImportResult& result);
/// Returns the lines of the summary.
[[nodiscard]] std::string import_summary(const ImportResult& result);

}  // namespace quartz::cli
