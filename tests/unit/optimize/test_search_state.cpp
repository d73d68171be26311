#include "optimize/state/search_state.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "search_fixture.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

circuit::DerivedGates unrecorded(std::vector<Operation> gates, Angle phase = {}) {
  return {std::move(gates), std::move(phase), circuit::Derivation::unrecorded()};
}

/// Returns the derivation of a list that has lost its first two gates.
circuit::Derivation without_first_pair(std::size_t size) {
  circuit::HistoryRecorder recorder(size);
  const std::vector<circuit::GateNumber> removed{0, 1};
  recorder.rewrite(removed, {}, std::span<const circuit::RecordedGate>());
  std::vector<circuit::GateNumber> order;
  for (std::size_t i = 2; i < size; ++i) order.push_back(static_cast<circuit::GateNumber>(i));
  return circuit::Derivation::by(std::move(recorder).finish(std::move(order)));
}

/// A multiple of pi so fine that the sum with 1/2 needs more than 64 bits, and a literal. No
/// literal holds the sum with prime_phase().
Angle finest_phase() { return Angle::pi_times(Rational(1, (std::int64_t{1} << 62U) + 1)); }
Angle prime_phase() { return Angle::pi_times(Rational(1, 3037000507)); }

}  // namespace

TEST_CASE("a replaced segment changes the cost and the phase", "[search state]") {
  Fixture fixture;
  fixture.state.replace(0, unrecorded(gates_of_cost(7), Angle::pi_times(Rational(1, 4))));
  fixture.state.replace(0, unrecorded(gates_of_cost(6), Angle::pi_times(Rational(1, 2))));
  CHECK(fixture.state.cost().total == 6);
  CHECK(fixture.state.gate_count() == 6);
  const Circuit now = fixture.state.circuit_of(fixture.state.now());
  CHECK(now.operations.size() == 6);
  CHECK(now.global_phase == Angle::pi_times(Rational(3, 4)));
}

TEST_CASE("gates that have not changed are shared with other versions", "[search state]") {
  Fixture fixture;
  const Version before = fixture.state.now();
  fixture.state.replace(0, circuit::DerivedGates::unchanged(fixture.state.segment(0).gates));
  CHECK(fixture.state.now().segments[0].segment == before.segments[0].segment);
}

TEST_CASE("a segment stays if the sum of the phases is beyond exact arithmetic", "[search state]") {
  Fixture fixture;
  fixture.state.replace(0, unrecorded(gates_of_cost(8), prime_phase()));
  fixture.state.replace(0, unrecorded(gates_of_cost(5), finest_phase()));
  CHECK(fixture.state.cost().total == 8);
  CHECK(fixture.state.now().phase == prime_phase());
}

TEST_CASE("the phase of gates under a condition is dropped", "[search state]") {
  Fixture fixture(circuit_with_bodies());
  REQUIRE(fixture.state.segment(1).condition != nullptr);
  fixture.state.replace(
      1, unrecorded({make_operation(GateKind::x, {0})}, Angle::pi_times(Rational(1, 4))));
  CHECK(fixture.state.now().phase.is_zero());
  CHECK(fixture.state.cost().total == 12);
}

TEST_CASE("the best version is the first of the cheapest ones", "[search state]") {
  Fixture fixture;
  std::vector<std::uint64_t> offered;
  fixture.problem.on_version = [&](const Version& version, const SearchCost& cost) {
    CHECK(fixture.state.cost_of(version) == cost);
    offered.push_back(cost.total);
  };
  fixture.state.keep_best();
  CHECK_FALSE(fixture.state.has_better());
  const Version start = fixture.state.now();
  fixture.state.replace(0, unrecorded(gates_of_cost(6)));
  fixture.state.keep_best();
  fixture.state.replace(0, unrecorded(gates_of_cost(6), Angle::pi_times(1)));
  fixture.state.keep_best();
  fixture.state.go_to(start);
  fixture.state.replace(0, unrecorded(gates_of_cost(7)));
  fixture.state.keep_best();
  CHECK(offered == std::vector<std::uint64_t>{6});
  CHECK(fixture.state.best_cost().total == 6);
  CHECK(fixture.state.best().phase.is_zero());
  CHECK(fixture.state.best_circuit().circuit.operations.size() == 6);
  CHECK(fixture.state.cost().total == 7);
}

TEST_CASE("versions share the segments in which they do not differ", "[search state]") {
  Fixture fixture(circuit_with_bodies());
  const Version before = fixture.state.now();
  fixture.state.replace(0, unrecorded({}));
  CHECK(fixture.state.now().segments[0].segment != before.segments[0].segment);
  CHECK(fixture.state.now().segments[1].segment == before.segments[1].segment);
  fixture.state.go_to(before);
  CHECK(fixture.state.circuit_of(fixture.state.now()) == fixture.circuit);
}

TEST_CASE("the circuit stays the same however it is divided", "[search state]") {
  Fixture fixture(circuit_with_bodies());
  SearchState& state = fixture.state;
  const SearchCost cost = state.cost();
  const auto check_same = [&](Segments kind) {
    CHECK(state.now().kind == kind);
    CHECK(state.circuit_of(state.now()) == fixture.circuit);
    CHECK(state.cost() == cost);
  };
  check_same(Segments::divided);
  CHECK(state.join_segments());
  check_same(Segments::joined);
  CHECK_FALSE(state.join_segments());
  CHECK(state.isolate_bodies());
  check_same(Segments::bodies);
  state.divide(Segments::divided);
  check_same(Segments::divided);
}

TEST_CASE("a circuit without boundaries has nothing to join or isolate", "[search state]") {
  Fixture fixture;
  CHECK_FALSE(fixture.state.join_segments());
  CHECK_FALSE(fixture.state.isolate_bodies());
  CHECK(fixture.state.now().kind == Segments::divided);
}

TEST_CASE("segments are not joined for a cost that is no sum over the gates", "[search state]") {
  Fixture fixture(circuit_with_bodies());
  fixture.problem.cost = Cost(CostKind::depth);
  SearchState state(fixture.problem);
  CHECK_FALSE(state.join_segments());
  CHECK_FALSE(state.isolate_bodies());
}

TEST_CASE("the steps of all segments are recorded, and those before they were divided anew",
          "[search state]") {
  Fixture fixture(circuit_with_bodies());
  fixture.problem.record.history = true;
  SearchState state(fixture.problem);
  REQUIRE(state.segment(1).gates.size() == 3);
  state.replace(1, {gates_of_cost(1), {}, without_first_pair(3)});
  REQUIRE(state.join_segments());
  const std::size_t size = state.segment(0).gates.size();
  state.replace(0, {{state.segment(0).gates.begin() + 2, state.segment(0).gates.end()},
                    {},
                    without_first_pair(size)});
  const circuit::DerivedCircuit derived = state.derived_circuit(state.now());
  CHECK(derived.derivation.is_recorded());
  CHECK(derived.derivation.steps() == 2);
  CHECK(derived.circuit == state.circuit_of(state.now()));
  state.replace(0, unrecorded(gates_of_cost(1)));
  CHECK_FALSE(state.derived_circuit(state.now()).derivation.is_recorded());
}

TEST_CASE("the first version shares the gates of a circuit without boundaries", "[search state]") {
  std::optional<Fixture> fixture(std::in_place);
  SearchState& state = fixture->state;
  CHECK(state.segment(0).gates.are_shared());
  CHECK(state.segment(0).gates.begin() == fixture->problem.circuit.operations.data());
  const Circuit circuit = fixture->problem.circuit;
  CHECK(state.circuit_of(state.now()) == circuit);
  const UnformedCircuit unformed = state.unformed_circuit(state.now());
  state.replace(0, unrecorded(gates_of_cost(7)));
  CHECK_FALSE(state.segment(0).gates.are_shared());
  fixture.reset();
  CHECK(unformed.form().circuit == circuit);
}

TEST_CASE("circuits with boundaries and other divisions have gates of their own",
          "[search state]") {
  Fixture fixture(circuit_with_bodies());
  CHECK_FALSE(fixture.state.segment(0).gates.are_shared());
  Fixture plain;
  plain.state.divide(Segments::joined);
  CHECK_FALSE(plain.state.segment(0).gates.are_shared());
}

TEST_CASE("without records only rounding is remembered", "[search state]") {
  Fixture fixture;
  fixture.state.replace(0, {gates_of_cost(8), {}, without_first_pair(10)});
  CHECK_FALSE(fixture.state.derived_circuit(fixture.state.now()).derivation.is_recorded());
  CHECK_FALSE(fixture.state.derived_circuit(fixture.state.now()).derivation.is_numeric());
  fixture.state.replace(0, {gates_of_cost(7), {}, circuit::Derivation::unrecorded(true)});
  fixture.state.replace(0, unrecorded(gates_of_cost(6)));
  CHECK(fixture.state.derived_circuit(fixture.state.now()).derivation.is_numeric());
}

TEST_CASE("a circuit can be formed when the search has gone on", "[search state]") {
  std::optional<UnformedCircuit> unformed;
  Circuit expected;
  {
    Fixture fixture(circuit_with_bodies());
    fixture.problem.record.history = true;
    SearchState state(fixture.problem);
    state.replace(1, {gates_of_cost(1), {}, without_first_pair(3)});
    expected = state.circuit_of(state.now());
    unformed = state.unformed_circuit(state.now());
    state.replace(0, unrecorded({}));
  }
  CHECK(unformed->operations == expected.operations.size());
  CHECK(unformed->steps == 1);
  const circuit::DerivedCircuit formed = unformed->form();
  CHECK(formed.circuit == expected);
  CHECK(formed.derivation.steps() == 1);
}

TEST_CASE("operations that no search sees are counted as operations of a circuit",
          "[search state]") {
  Fixture fixture(circuit_with_bodies());
  REQUIRE(fixture.state.isolate_bodies());
  CHECK(fixture.state.unformed_circuit(fixture.state.now()).operations ==
        fixture.circuit.operations.size());
}

TEST_CASE("a search restarts from a circuit, whose derivation it continues", "[search state]") {
  Fixture fixture;
  fixture.problem.record.history = true;
  SearchState state(fixture.problem);
  Circuit start = make_circuit(1, gates_of_cost(8));
  start.global_phase = Angle::pi_times(Rational(1, 2));
  CHECK(state.restart_from({start, without_first_pair(10)}));
  CHECK(state.circuit_of(state.now()) == start);
  state.replace(0, {gates_of_cost(6), {}, without_first_pair(8)});
  CHECK(state.derived_circuit(state.now()).derivation.steps() == 2);
}

namespace {

/// Five gates in the only direction in which they may be applied.
struct DirectedFixture {
  explicit DirectedFixture(GateKind kind = GateKind::cx, GateSet set = load_gate_set("nam"))
      : fixture(make_circuit(2, std::vector<Operation>(5, make_operation(kind, {0, 1})))) {
    map.add(0, 1);
    fixture.problem.coupling = &map;
    fixture.set = std::move(set);
  }

  CouplingMap map = CouplingMap(true);
  Fixture fixture;
};

}  // namespace

TEST_CASE("gates against the direction of the coupling map are reversed", "[search state]") {
  using enum GateKind;
  DirectedFixture directed;
  SearchState state(directed.fixture.problem);
  REQUIRE(state.is_directed());
  const circuit::DerivedGates fixed =
      state.with_directions_fixed(unrecorded({make_operation(cx, {1, 0})}, Angle::pi_times(1)));
  CHECK(fixed.gates.size() == 5);
  CHECK(fixed.gates[2] == make_operation(cx, {0, 1}));
  CHECK(fixed.phase == Angle::pi_times(1));
  CHECK(state.restart_from(
      {make_circuit(2, {make_operation(cx, {1, 0})}), circuit::Derivation::unrecorded()}));
  CHECK(state.respects_directions(state.circuit_of(state.now())));
  CHECK(state.cost().total == 5);
}

TEST_CASE("a search does not restart from a circuit with gates that cannot be reversed",
          "[search state]") {
  DirectedFixture directed;
  SearchState state(directed.fixture.problem);
  // The gate is not in the set, and has a direction.
  CHECK_FALSE(
      state.restart_from({make_circuit(2, {make_operation(GateKind::crx, {1, 0}, {Angle()})}),
                          circuit::Derivation::unrecorded()}));
  CHECK(state.circuit_of(state.now()) == directed.fixture.circuit);
}

TEST_CASE("a search goes on with a phase that needs more than 64 bits", "[search state]") {
  DirectedFixture directed(GateKind::ecr, ecr_set());
  SearchState state(directed.fixture.problem);
  // A reversed gate has a phase.
  const std::vector<Operation> reversed{make_operation(GateKind::ecr, {1, 0})};
  Circuit start = make_circuit(2, reversed);
  REQUIRE(state.restart_from({start, circuit::Derivation::unrecorded()}));
  Angle expected = state.circuit_of(state.now()).global_phase;
  REQUIRE_FALSE(expected.is_zero());
  start.global_phase = finest_phase();
  CHECK(state.restart_from({start, circuit::Derivation::unrecorded()}));
  expected.add_phase(finest_phase());
  CHECK_FALSE(expected.is_pi_multiple());
  CHECK(state.circuit_of(state.now()).global_phase == expected.reduced_symmetric(2));
}

TEST_CASE("a result that costs no less is the input", "[search state]") {
  Fixture fixture;
  fixture.state.replace(0, unrecorded(gates_of_cost(10), Angle::pi_times(1)));
  fixture.state.keep_best();
  const SearchResult result = fixture.state.finish();
  CHECK(result.best.circuit == fixture.circuit);
  CHECK(result.best.derivation.is_recorded());
  CHECK(result.best.derivation.steps() == 0);
}

TEST_CASE("a result is the best version, not the current one", "[search state]") {
  Fixture fixture;
  const Version start = fixture.state.now();
  fixture.state.replace(0, unrecorded(gates_of_cost(4), Angle::pi_times(Rational(9, 4))));
  fixture.state.keep_best();
  fixture.state.go_to(start);
  const SearchResult result = fixture.state.finish();
  CHECK(result.best.circuit.operations == gates_of_cost(4));
  CHECK(result.best.circuit.global_phase == Angle::pi_times(Rational(1, 4)));
}

TEST_CASE("a result outside the gate set is an internal error", "[search state]") {
  Fixture fixture;
  fixture.state.replace(0, unrecorded({make_operation(GateKind::sx, {0})}));
  fixture.state.keep_best();
  CHECK_THROWS_AS(fixture.state.finish(), InternalError);
}

TEST_CASE("runs of a pass are added up", "[search state]") {
  Fixture fixture;
  std::vector<std::string> reported;
  fixture.problem.on_progress = [&](std::string_view pass) { reported.emplace_back(pass); };
  SearchState& state = fixture.state;
  const auto to_cost = [&](std::size_t cost) {
    return [&state, cost] {
      state.replace(0, unrecorded(gates_of_cost(cost)));
      state.keep_best();
    };
  };
  state.run_pass({"one", "first"}, to_cost(8));
  state.run_pass({"two", "second"}, to_cost(9));
  state.run_pass({"one", "first"}, to_cost(5));
  REQUIRE(state.figures.passes.size() == 2);
  const OptimizePass& one = state.figures.passes[0];
  CHECK(one.name == "one");
  CHECK(one.runs == 2);
  CHECK(one.runs_that_paid == 2);
  CHECK(one.gates_removed == 5);
  CHECK(state.figures.passes[1].runs_that_paid == 0);
  CHECK(state.figures.passes[1].gates_removed == 0);
  CHECK(reported == std::vector<std::string>{"one", "two", "one"});
}

TEST_CASE("a pass for which exact arithmetic does not suffice changes nothing", "[search state]") {
  Fixture fixture;
  SearchState& state = fixture.state;
  state.run_pass({"one", "first"}, [&] {
    state.replace(0, unrecorded(gates_of_cost(8), prime_phase()));
    (void)(Rational(1, (std::int64_t{1} << 62U) + 1) + Rational(1, 3));
    state.keep_best();
  });
  CHECK(state.cost().total == 10);
  CHECK(state.best_cost().total == 10);
  CHECK(state.circuit_of(state.now()).global_phase.is_zero());
  REQUIRE(state.figures.passes.size() == 1);
  CHECK(state.figures.passes[0].gates_removed == 0);
  CHECK_THROWS_AS(state.run_pass({"two", "second"}, [] { throw InternalError("a mistake"); }),
                  InternalError);
}

TEST_CASE("a step for which no time is left is remembered", "[search state]") {
  Fixture fixture;
  CHECK(fixture.state.has_time_for(Budget::of_ticks(0), 1e9));
  CHECK_FALSE(fixture.state.was_cut_short());
  CHECK_FALSE(fixture.state.has_time_for(Budget::of_seconds(-1), 1));
  CHECK(fixture.state.was_cut_short());
}

TEST_CASE("a state knows whether all angles are eighth turns", "[search state]") {
  const auto rotation = [](std::int64_t denominator) {
    return make_circuit(
        1, {make_operation(GateKind::rz, {0}, {Angle::pi_times(Rational(1, denominator))})});
  };
  CHECK(Fixture(rotation(4)).state.has_only_eighth_turns());
  CHECK_FALSE(Fixture(rotation(8)).state.has_only_eighth_turns());
}

TEST_CASE("the cost of a critical path follows each change", "[search state]") {
  Fixture fixture;
  const Problem deep{.circuit = fixture.circuit,
                     .set = fixture.set,
                     .rules = fixture.rules,
                     .cost = Cost(CostKind::depth),
                     .tables = fixture.tables};
  SearchState state(deep);
  CHECK(state.cost().objectives.units[0] == 10);
  const Version before = state.now();
  state.replace(0, unrecorded(gates_of_cost(7)));
  CHECK(state.cost().objectives.units[0] == 7);
  state.replace(0, unrecorded(gates_of_cost(4)));
  CHECK(state.cost().objectives.units[0] == 4);
  state.go_to(before);
  CHECK(state.cost().objectives.units[0] == 10);
}
