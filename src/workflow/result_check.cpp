#include "workflow/result_check.hpp"

#include <fmt/format.h>

#include "quartz/base/errors.hpp"

namespace quartz::workflow {
namespace {

void require_coupled(const Circuit& result, const CouplingMap& coupling) {
  const std::optional<UncoupledGate> gate = uncoupled_gate(result, coupling);
  if (!gate) return;
  throw InternalError(
      fmt::format("the result has a gate between qubits {} and {}, which are not coupled, and "
                  "was not written; please report this with the input file and the options",
                  gate->first, gate->second));
}

[[noreturn]] void refuse(const std::string& witness, const std::string& rules_name) {
  if (!rules_name.empty()) {
    throw InputError({rules_name},
                     fmt::format("the search with these rules ended in a circuit that is not "
                                 "equal to the input, and nothing was written: {}; do not trust "
                                 "this rule set unless quartz-gen prove proves all of it, and "
                                 "please report this if it does",
                                 witness));
  }
  throw InternalError(
      fmt::format("the result is not equal to the input and was not written: {}; please report "
                  "this with the input file and the options",
                  witness));
}

}  // namespace

ResultCheck check_result(const Circuit& input, const Circuit& result, const CheckRequest& request) {
  if (request.coupling) require_coupled(result, *request.coupling);
  ResultCheck check;
  if (request.policy == CheckPolicy::off) return check;
  check.report = check_equivalence(input, result, request.equivalence);
  if (check.report.verdict == EquivalenceVerdict::not_equal) {
    refuse(check.report.witness, request.rules_name);
  }
  check.verified = check.report.verdict != EquivalenceVerdict::undecided;
  check.text = *check.verified
                   ? fmt::format("{} ({})", to_string(check.report.verdict), check.report.method)
                   : fmt::format("undecided: {}", check.report.witness);
  if (!*check.verified && request.policy == CheckPolicy::required) {
    throw Unverified(fmt::format("the result could not be verified: {}", check.text));
  }
  return check;
}

}  // namespace quartz::workflow
