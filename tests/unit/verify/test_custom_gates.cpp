#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "quartz/circuit/custom_gate.hpp"
#include "quartz/verify/proof_cache.hpp"
#include "quartz/verify/prover.hpp"

using namespace quartz;

namespace {

using Operations = std::vector<Operation>;

const Angle theta = Angle::symbol("theta");

GateKind copy_of(GateKind kind, const std::string& name) {
  const Gate& row = gate(kind);
  return define_gate(
      {name, row.qubits, {row.parameters.begin(), row.parameters.end()}, row.matrix, std::nullopt});
}

}  // namespace

TEST_CASE("Both provers support custom gates", "[custom]") {
  const GateKind xy = define_gate({"proved_xy",
                                   2,
                                   {"theta"},
                                   {},
                                   Decomposition{{make_operation(GateKind::rxx, {0, 1}, {theta}),
                                                  make_operation(GateKind::ryy, {0, 1}, {theta})},
                                                 {},
                                                 {}}});
  const GateKind p = copy_of(GateKind::p, "proved_p");
  const Angle a = Angle::symbol("p0");
  const Angle b = Angle::symbol("p1");
  struct Case {
    Operations left;
    Operations right;
    Angle phase;
    ProofVerdict verdict;
  };
  const Case cases[] = {
      {{make_operation(xy, {0, 1}, {a}), make_operation(xy, {1, 0}, {b})},
       {make_operation(xy, {0, 1}, {a + b})},
       {},
       ProofVerdict::proved},
      {{make_operation(xy, {0, 1}, {a}), make_operation(xy, {1, 0}, {b})},
       {make_operation(xy, {0, 1}, {a - b})},
       {},
       ProofVerdict::refuted},
      {{make_operation(xy, {0, 1}, {a})},
       {make_operation(GateKind::ryy, {0, 1}, {a}), make_operation(GateKind::rxx, {0, 1}, {a})},
       {},
       ProofVerdict::proved},
      {{make_operation(GateKind::rz, {0}, {a})},
       {make_operation(p, {0}, {a})},
       a * Rational(1, 2),
       ProofVerdict::proved},
      {{make_operation(GateKind::rz, {0}, {a})},
       {make_operation(p, {0}, {a})},
       {},
       ProofVerdict::refuted},
  };
  for (const auto& make : {&make_exact_prover, +[] { return make_z3_prover(10); }}) {
    const std::unique_ptr<Prover> prover = make();
    INFO(prover->name());
    for (const Case& each : cases) {
      CHECK(prover->prove({each.left, each.right, 2, each.phase}).verdict == each.verdict);
    }
  }
}

TEST_CASE("The key of a claim depends on the meaning of its custom gates", "[custom]") {
  const Operations first{make_operation(copy_of(GateKind::t, "keyed_t"), {0})};
  const Operations second{make_operation(copy_of(GateKind::t, "keyed_u"), {0})};
  const Operations table{make_operation(GateKind::t, {0})};
  const ClaimKey key = claim_key({first, table, 1, {}});
  CHECK(key == claim_key({first, table, 1, {}}));
  CHECK(key != claim_key({second, table, 1, {}}));
  CHECK(key != claim_key({table, table, 1, {}}));
}
