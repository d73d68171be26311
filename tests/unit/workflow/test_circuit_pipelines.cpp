#include "workflow/circuit_pipelines.hpp"

#include <catch2/catch.hpp>
#include <stop_token>

#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::workflow;
using circuit::Derivation;
using circuit::DerivedCircuit;
using enum GateKind;

namespace {

const Operation forth = make_operation(cx, {0, 1});
const Operation back = make_operation(cx, {1, 0});
/// A SWAP gate and one CNOT, for which the search needs two.
const Circuit two_cnots = make_circuit(3, {forth, back});
/// with_free_swaps puts a SWAP gate behind the first two CNOTs, and then behind the others.
const Circuit two_pairs = make_circuit(
    4, {forth, back, make_operation(cx, {2, 3}), make_operation(cx, {3, 2}), forth, back});

struct Target {
  GateSet set = load_gate_set("nam");
  Cost cost = CostKind::two_qubit;

  [[nodiscard]] optimizer::PassContext context(std::stop_token stop = {}) const {
    return {set, cost, nullptr, std::move(stop)};
  }
};

/// Resynthesizes blocks on two qubits.
DerivedCircuit resynthesized(const Circuit& circuit) {
  OptimizeOptions options;
  options.search = "blocks";
  options.seconds = 0;
  options.cost = CostKind::two_qubit;
  options.threads = 1;
  return {optimize(circuit, load_gate_set("nam"), {}, options).circuit, Derivation::unrecorded()};
}

}  // namespace

TEST_CASE("SWAP gates are taken that make the simplified circuit cheaper", "[circuit pipelines]") {
  const Target target;
  DerivedCircuit now = DerivedCircuit::first(two_cnots);
  REQUIRE(take_free_swaps(now, target.context(), resynthesized));
  CHECK(cost_of(now.circuit, target.cost) == CostValue{1});
  CHECK(now.permutation == OutputPermutation{1, 0, 2});
  const Circuit undone = with_permutation_undone(now.circuit, now.permutation);
  CHECK(check_equivalence(two_cnots, undone).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("SWAP gates that make nothing cheaper are not taken", "[circuit pipelines]") {
  const Target target;
  DerivedCircuit now = DerivedCircuit::first(two_cnots);
  int calls = 0;
  const auto as_it_is = [&](const Circuit& circuit) {
    ++calls;
    return DerivedCircuit::first(circuit);
  };
  CHECK_FALSE(take_free_swaps(now, target.context(), as_it_is));
  CHECK(calls == 1);
  CHECK(now.circuit == two_cnots);
  CHECK(now.permutation.empty());
  CHECK(now.derivation.is_recorded());
}

TEST_CASE("a circuit without cheaper SWAP gates is not simplified", "[circuit pipelines]") {
  const Target target;
  DerivedCircuit now = DerivedCircuit::first(make_circuit(2, {forth}));
  CHECK_FALSE(take_free_swaps(now, target.context(), [](const Circuit&) -> DerivedCircuit {
    throw std::logic_error("not expected");
  }));
}

TEST_CASE("SWAP gates are taken in a few rounds, and their permutations are composed",
          "[circuit pipelines]") {
  const Target target;
  DerivedCircuit now = DerivedCircuit::first(make_circuit(3, std::vector<Operation>(50, forth)));
  now.circuit.operations.insert(now.circuit.operations.end(), {forth, back});
  std::size_t calls = 0;
  // Always offers two CNOTs at the end, but fewer before them.
  const auto shorter = [&](const Circuit&) {
    ++calls;
    Circuit next = make_circuit(3, std::vector<Operation>(50 - calls, make_operation(cx, {1, 2})));
    next.operations.insert(next.operations.end(), {forth, back});
    return DerivedCircuit{next, Derivation::unrecorded()};
  };
  CHECK(take_free_swaps(now, target.context(), shorter));
  CHECK(calls == 4);
  CHECK(now.permutation.empty());  // an even number of exchanges of the same qubits
}

TEST_CASE("what was taken before a stop is kept", "[circuit pipelines]") {
  const Target target;
  std::stop_source source;
  DerivedCircuit now = DerivedCircuit::first(two_pairs);
  const auto stopped = [&](const Circuit& circuit) {
    source.request_stop();
    return resynthesized(circuit);
  };
  CHECK(take_free_swaps(now, target.context(source.get_token()), stopped));
  CHECK(cost_of(now.circuit, target.cost) < cost_of(two_pairs, target.cost));
  CHECK_FALSE(take_free_swaps(now, target.context(source.get_token()), stopped));
  DerivedCircuit other = DerivedCircuit::first(two_cnots);
  CHECK_FALSE(take_free_swaps(other, target.context(), [](const Circuit&) -> DerivedCircuit {
    throw Stopped("the search was stopped");
  }));
  CHECK(other.circuit == two_cnots);
}
