#include <catch2/catch.hpp>
#include <string>

#include "quartz/base/errors.hpp"
#include "workflow/result_check.hpp"

using namespace quartz;
using namespace quartz::workflow;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const Circuit input = make_circuit(2, {make_operation(GateKind::cx, {0, 1})});
const Circuit wrong = make_circuit(2, {make_operation(GateKind::cx, {1, 0})});

}  // namespace

TEST_CASE("a result that is not equal to the input is never accepted", "[result check]") {
  for (const CheckPolicy policy : {CheckPolicy::normal, CheckPolicy::required}) {
    CheckRequest request;
    request.policy = policy;
    CHECK(check_result(input, input, request).verified == true);
    CHECK_THROWS_AS(check_result(input, wrong, request), InternalError);
    CHECK_THROWS_WITH(check_result(input, wrong, request),
                      StartsWith("the result is not equal to the input and was not written: "));

    // The caller's rules may be the cause.
    request.rules_name = "rules.json";
    CHECK_THROWS_AS(check_result(input, wrong, request), InputError);
    CHECK_THROWS_WITH(check_result(input, wrong, request),
                      StartsWith("rules.json: the search with these rules ended in a circuit") &&
                          Contains("do not trust this rule set"));
  }
}

TEST_CASE("a result that violates the coupling map is rejected even without a check",
          "[result check]") {
  CheckRequest request;
  request.policy = CheckPolicy::off;
  CHECK_FALSE(check_result(input, wrong, request).verified.has_value());
  request.coupling = CouplingMap(true);
  request.coupling->add(0, 1);
  CHECK_NOTHROW(check_result(input, input, request));
  CHECK_THROWS_AS(check_result(input, wrong, request), InternalError);
  CHECK_THROWS_WITH(check_result(input, wrong, request),
                    Contains("between qubits 1 and 0, which are not coupled"));
}
