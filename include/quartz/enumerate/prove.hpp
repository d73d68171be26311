#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "quartz/communicator.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/verify/prover.hpp"

namespace quartz {

struct ProveOptions {
  unsigned threads = 0;              ///< 0: all cores
  double proof_seconds = 10;         ///< limit for each proof
  std::filesystem::path checkpoint;  ///< as GenerateOptions::checkpoint
  Communicator* ranks = nullptr;     ///< as GenerateOptions::ranks; the first one gets the report
  std::function<void(const GenerateProgress&)> on_progress;  ///< called from one thread at a time
  std::stop_token stop;
};

/// An equality of a rule set that was not proved.
struct UnprovedEquality {
  std::size_t class_index = 0;   ///< in RuleSet::classes
  std::size_t member_index = 0;  ///< in its members, against the first
  ProofResult result;
};

struct ProveReport {
  std::string method;  ///< "z3 4.8.12", say
  std::uint64_t tried = 0;
  std::uint64_t proved = 0;
  std::uint64_t unknown = 0;
  std::uint64_t refuted = 0;
  std::uint64_t proofs_made = 0;           ///< as in GenerateReport
  std::uint64_t proofs_known = 0;          ///< likewise
  std::vector<UnprovedEquality> unproved;  ///< the unknown and the refuted, in order
};

/// Has Z3 prove every equality of a rule set, phases included, whoever made it: each circuit of a
/// class against the first, the shortest ones first. Exact arithmetic checks what Z3 says. Throws
/// Error if stopped, InputError as generate().
[[nodiscard]] ProveReport prove_rule_set(const RuleSet& rules, const ProveOptions& options);

}  // namespace quartz
