#pragma once

#include "enumerate/proofs.hpp"
#include "quartz/enumerate/prove.hpp"

namespace quartz::enumerate {

/// Like prove_rule_set(), with another prover.
[[nodiscard]] ProveReport prove_rule_set_with(const ProverFactory& make_prover,
                                              const RuleSet& rules, const ProveOptions& options);

}  // namespace quartz::enumerate
