#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "quartz/base/communicator.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/verify/prover.hpp"

namespace quartz {

struct ProveOptions {
  unsigned threads = 0;              ///< 0: all cores
  double proof_seconds = 10;         ///< limit for each proof
  std::filesystem::path checkpoint;  ///< see GenerateOptions::checkpoint
  Communicator* ranks = nullptr;     ///< see GenerateOptions::ranks; the first one gets the report
  std::function<void(const GenerateProgress&)> on_progress;  ///< called from one thread at a time
  std::stop_token stop;
};

/// An equality of a rule set that was not proved.
struct UnprovedEquality {
  std::size_t class_index = 0;   ///< index in RuleSet::classes
  std::size_t member_index = 0;  ///< index in the class's members; compared with member 0
  ProofResult result;
};

struct ProveReport {
  std::string method;  ///< name of the prover, such as "z3 4.8.12"
  std::uint64_t tried = 0;
  std::uint64_t proved = 0;
  std::uint64_t unknown = 0;
  std::uint64_t refuted = 0;
  std::uint64_t proofs_made = 0;           ///< as in GenerateReport
  std::uint64_t proofs_known = 0;          ///< as in GenerateReport
  std::vector<UnprovedEquality> unproved;  ///< unknown and refuted equalities, in order
};

/// Proves every equality of a rule set with Z3, including phases and regardless of the rule set's
/// origin: each circuit of a class against the first one, the shortest circuits first. Exact
/// arithmetic checks Z3's answers. Throws Stopped once a stop is requested, InternalError if exact
/// arithmetic contradicts Z3, and InputError like generate().
[[nodiscard]] ProveReport prove_rule_set(const RuleSet& rules, const ProveOptions& options);

}  // namespace quartz
