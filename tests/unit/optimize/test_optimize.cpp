#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "gate_set_circuits.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/state/search_state.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/verify/prover.hpp"
#include "random_costs.hpp"
#include "short_searches.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

TEST_CASE("optimizing preserves the unitary and never costs more, for every set and cost",
          "[optimize]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    Random random(41);
    for (const CostName& cost : cost_names()) {
      const Circuit circuit = random_circuit_in(set, random, 4, 25);
      const OptimizeResult result = optimize(circuit, set, rules, quick(cost.kind));
      INFO("gate set " << name << ", cost " << cost.name << ", seed 41");
      CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
      CHECK(cost_of(result.circuit, cost.kind) <= cost_of(circuit, cost.kind));
      for (const Operation& operation : result.circuit.operations) CHECK(set.contains(operation));
    }
  }
}

TEST_CASE("optimizing never costs more, for all lists of objectives", "[optimize]") {
  Random random(45);
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    for (int round = 0; round < 2; ++round) {
      // large enough for several slices
      const Circuit circuit = random_circuit_in(set, random, 5, 90);
      const Cost cost = random_cost(set, random, 5);
      OptimizeOptions options = quick(cost);
      CostValue reported;
      options.on_progress = [&](const OptimizeProgress& p) { reported = p.best_cost; };
      const OptimizeResult result = optimize(circuit, set, rules, options);
      INFO("gate set " << name << ", seed 45, round " << round << ", cost " << cost.name());
      CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
      CHECK(cost_of(result.circuit, cost) <= cost_of(circuit, cost));
      CHECK(cost_of(result.circuit, cost) == reported);
    }
  }
}

TEST_CASE("decimal angles, boundaries and free parameters are kept, for every set and search",
          "[optimize]") {
  using enum GateKind;
  std::set<std::string> reasons;
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    Random random(46);
    for (const SearchName& search : search_names()) {
      const Circuit parts[] = {
          with_decimal_angles(random_circuit_in(set, random, 3, 30), set, random),
          with_decimal_angles(random_circuit_in(set, random, 3, 30), set, random)};
      Circuit circuit = classical_circuit(3, {2}, parts[0].operations);
      circuit.operations.push_back(measure(2, 0));
      circuit.operations.push_back(
          conditional(make_operation(set.entries.front().gate, {1}, {}), 0, 1));
      if (!circuit.operations.back().angles.empty() ||
          !gate(set.entries.front().gate).parameters.empty()) {
        circuit.operations.pop_back();
      }
      circuit.operations.insert(circuit.operations.end(), parts[1].operations.begin(),
                                parts[1].operations.end());
      // One search is for critical paths alone.
      const Cost cost = search.name == "schedule" ? CostKind::two_qubit_depth : CostKind::total;
      OptimizeOptions options = quick(cost);
      options.search = search.name;
      const auto result = optimize_if_applicable(circuit, set, rules, options, reasons);
      if (!result) continue;
      INFO("gate set " << name << ", search " << search.name << ", seed 46");
      const EquivalenceVerdict verdict = check_equivalence(circuit, result->circuit).verdict;
      CHECK((verdict == EquivalenceVerdict::equal ||
             verdict == EquivalenceVerdict::equal_up_to_phase));
      CHECK(cost_of(result->circuit, cost) <= cost_of(circuit, cost));
      if (name == "clifford_t") CHECK_FALSE(result->numeric);
    }
  }
  // anneal without a class table, intermediate for nam, deletion for a cost that counts all gates,
  // states without a reset, propagation and commutation without gates for X and Z.
  for (const std::string& reason : reasons) {
    INFO(reason);
    CHECK((reason.find("'anneal'") != std::string::npos ||
           reason.find("the gate set is 'nam' itself") != std::string::npos ||
           reason.find("'local'") != std::string::npos ||
           reason.find("'propagation'") != std::string::npos ||
           reason.find("'commutation'") != std::string::npos ||
           reason.find("'deletion'") != std::string::npos ||
           reason.find("no state is known") != std::string::npos));
  }
}

TEST_CASE("two-qubit blocks never cost more, and equal steps give equal results", "[optimize]") {
  const GateSet set = load_gate_set("ibm");
  const RuleSet rules = rules_of(set);
  Random random(47);
  for (const CostKind cost : {CostKind::two_qubit, CostKind::depth}) {
    const Circuit circuit = with_decimal_angles(random_circuit_in(set, random, 4, 60), set, random);
    OptimizeOptions options = by_steps(cost, 2000);
    options.threads = 1;
    const OptimizeResult result = optimize(circuit, set, rules, options);
    INFO("cost " << cost_name(cost).name << ", seed 47");
    CHECK(unitary_distance(circuit, result.circuit) < 1e-10);
    CHECK(cost_of(result.circuit, cost) <= cost_of(circuit, cost));
    if (cost == CostKind::two_qubit) {
      CHECK(optimize(circuit, set, rules, options).circuit == result.circuit);
    }
  }
}

TEST_CASE("an exact circuit stays exact unless decimals are requested", "[optimize]") {
  const GateSet set = load_gate_set("ibm");
  const RuleSet rules = rules_of(set);
  const Circuit circuit = deep_two_qubit_circuit(GateKind::sx, GateKind::cx);
  OptimizeOptions options = by_steps(CostKind::two_qubit, 1000);
  const OptimizeResult kept = optimize(circuit, set, rules, options);
  for (const Operation& operation : kept.circuit.operations) {
    for (const Angle& angle : operation.angles) CHECK(angle.is_pi_multiple());
  }
  options.exactness = Exactness::exact;
  CHECK_FALSE(optimize(circuit, set, rules, options).numeric);
  options.exactness = Exactness::numeric;
  const OptimizeResult any = optimize(circuit, set, rules, options);
  CHECK(any.numeric);
  CHECK(count_gates(any.circuit).two_qubit <= 3);
  CHECK(unitary_distance(circuit, any.circuit) < 1e-10);
}

TEST_CASE("weights on qubits apply to the qubits of the circuit", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  GenerateOptions generation;
  generation.gates = 3;
  generation.qubits = 2;
  const RuleSet rules = generate(set, generation).rules;
  // h; cx; h is the reversed cx between two h, which is cheap in the other direction. With the
  // numbers that the two qubits have within a slice (3 comes first), it would be expensive.
  const Circuit circuit =
      make_circuit(8, {make_operation(h, {3}), make_operation(cx, {7, 3}), make_operation(h, {3})});
  const Cost cost(
      {GateWeights("w", {{cx, {7, 3}, 100}, {cx, {}, 10}, {h, {1}, 200}}, 1), CostKind::total});
  const OptimizeResult result = optimize(circuit, set, rules, to_the_end(cost));
  CHECK(result.stop_reason == StopReason::exhausted);
  CHECK(cost_of(result.circuit, cost).units[0] == 12);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
}

TEST_CASE("folding to a place where the rotation costs more is rejected", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("clifford_t");
  const Cost cost({GateWeights("w", {{s, {}, 10}}, 1)});
  const Circuit circuit = make_circuit(1, {make_operation(t, {0}), make_operation(t, {0})});
  const auto folded = [&](const Cost& by) {
    OptimizeOptions options = quick(by);
    options.search = "fold";
    options.seconds = 60;  // it ends by itself
    return optimize(circuit, set, RuleSet{}, options).circuit;
  };
  CHECK(folded(cost) == circuit);
  CHECK(folded(CostKind::total).operations.size() == 1);
}

TEST_CASE("a cost without a weight for a gate of the set is rejected", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const Cost cost({CostKind::t, GateWeights("w", {{GateKind::cx, {}, 1}})});
  CHECK_THROWS_MATCHES(optimize(make_circuit(1, {}), set, RuleSet{}, quick(cost)), UsageError,
                       Catch::Message("the cost 'w' has no weight for h of the gate set 'nam'"));
}

TEST_CASE("a search that does not apply is an error that says why", "[optimize]") {
  using enum GateKind;
  const Circuit circuit = make_circuit(2, {make_operation(x, {0}), make_operation(x, {0})});
  CouplingMap line;
  line.add(0, 1);
  const auto message_of = [&](const std::string& name, OptimizeOptions options) -> std::string {
    const GateSet set = load_gate_set(name);
    try {
      (void)optimize(translate(circuit, set), set, RuleSet{}, options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const auto named = [](const std::string& search) {
    OptimizeOptions options = quick(CostKind::two_qubit);
    options.search = search;
    return options;
  };
  const std::string prefix = "cannot be used here: ";
  CHECK(message_of("ionq_forte", named("anneal")) ==
        "the search 'anneal' " + prefix +
            "the gates of 'ionq_forte' have too many different angles for a class table; 'auto' "
            "and 'intermediate' anneal in the gate set 'nam' and translate back");
  CHECK(message_of("ionq_forte", named("fold,anneal")) ==
        message_of("ionq_forte", named("anneal")));
  CHECK(message_of("nam", named("intermediate")) ==
        "the search 'intermediate' " + prefix + "the gate set is 'nam' itself; use 'anneal'");
  OptimizeOptions short_search = named("intermediate");
  short_search.seconds = 0.0625;
  CHECK_THAT(message_of("ibm_heron", short_search),
             Catch::Contains("it needs 0.1 s, and 0.06") &&
                 Catch::EndsWith(" s of the time limit are for it"));
  OptimizeOptions recorded = named("intermediate");
  recorded.record_rules = true;
  CHECK(message_of("ibm_heron", recorded) ==
        "the search 'intermediate' " + prefix +
            "rules are to be recorded, and it records none in gates of the target");
  OptimizeOptions coupled = named("pauli");
  coupled.coupling = line;
  CHECK(message_of("nam", coupled) ==
        "the search 'pauli' " + prefix + "it does not keep gates on the pairs of a coupling map");
  coupled.search = "controlled";
  CHECK_FALSE(message_of("nam", coupled).empty());
  OptimizeOptions exact = named("deletion");
  exact.exactness = Exactness::exact;
  CHECK(message_of("ibm_heron", exact) ==
        "the search 'deletion' " + prefix +
            "all angles are exact, and it would replace them by others: permit that by the "
            "exactness 'numeric', or by an epsilon");
  OptimizeOptions by_depth = named("deletion");
  by_depth.cost = Cost(CostKind::depth);
  CHECK(message_of("ibm_heron", by_depth) ==
        "the search 'deletion' " + prefix + "the cost is not a sum over the gates");
  // Chains of gates only break the ties between equal sums here.
  by_depth.cost = Cost({CostKind::two_qubit, CostKind::depth});
  by_depth.exactness = Exactness::numeric;
  CHECK(message_of("ibm_heron", by_depth).empty());
  // A later part of a search leaves such a search out, and so does auto.
  coupled.continues = true;
  CHECK(message_of("nam", coupled).empty());
  CHECK(message_of("ionq_forte", named("auto")).empty());
}

TEST_CASE("without time only bounded searches are run, or else rotations are folded",
          "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("ibm");
  const Circuit circuit =
      make_circuit(1, {make_operation(sx, {0}), make_operation(sx, {0}), make_operation(sx, {0}),
                       make_operation(sx, {0}), make_operation(x, {0})});
  const auto passes_of = [&](const std::string& search) {
    OptimizeOptions options = quick(CostKind::total);
    options.seconds = 0;
    options.search = search;
    const OptimizeResult result = optimize(circuit, set, RuleSet{}, options);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-10);
    std::vector<std::string> names;
    for (const OptimizePass& pass : result.passes) names.emplace_back(pass.name);
    return std::pair(names, result.circuit.operations.size());
  };
  using Names = std::vector<std::string>;
  CHECK(passes_of("simplify") == std::pair(Names{"simplify"}, std::size_t{1}));
  CHECK(passes_of("blocks") == std::pair(Names{"blocks"}, std::size_t{1}));
  CHECK(passes_of("simplify,anneal").first == Names{"simplify"});
  for (const std::string search : {"auto", "anneal", "backtrack", "intermediate", "fold"}) {
    CHECK(passes_of(search).first == Names{"fold"});
  }
}

TEST_CASE("a circuit outside the gate set is rejected", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = make_circuit(2, {make_operation(GateKind::swap, {0, 1})});
  CHECK_THROWS_AS(optimize(circuit, set, RuleSet{}, quick(CostKind::total)), UsageError);
}

TEST_CASE("a stop ends the search with the best circuit so far", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  Random random(43);
  const Circuit circuit =
      random_circuit(random, {GateKind::h, GateKind::x, GateKind::rz, GateKind::cx}, 5, 200);
  OptimizeOptions options = quick(CostKind::total);
  options.seconds = 3600;
  std::stop_source source;
  options.stop = source.get_token();
  options.on_progress = [&](const OptimizeProgress& progress) {
    if (progress.pass == "simplify") source.request_stop();
  };
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  CHECK(result.stop_reason == StopReason::interrupted);
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
  CHECK(count_gates(result.circuit).total < 200);
}

TEST_CASE("alternatives are equal to the circuit, and the same for the same steps", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  Random random(67);
  const Circuit circuit = random_circuit_in(set, random, 4, 40);
  const OptimizeOptions options = by_steps(CostKind::two_qubit, 200'000);
  const RuleSet rules;
  const auto search_keeping = [&](std::size_t alternatives) {
    optimizer::ClassTables tables(options);
    const optimizer::Problem problem{.circuit = circuit,
                                     .set = set,
                                     .rules = rules,
                                     .cost = options.cost,
                                     .threads = 2,
                                     .budget = Budget::of_ticks(options.steps),
                                     .amount = {options.seconds, options.steps},
                                     .record = {.alternatives = alternatives},
                                     .table_memory = options.table_memory,
                                     .tables = tables};
    optimizer::SearchState state(problem);
    (void)optimizer::make_search(options, true, problem)->run(state, problem.budget);
    return state.finish();
  };
  INFO("seed 67");
  const optimizer::SearchResult result = search_keeping(5);
  const optimizer::SearchResult again = search_keeping(5);
  REQUIRE(result.alternatives.size() > 1);
  CHECK(result.alternatives.size() <= 6);  // the same number on each thread
  REQUIRE(result.alternatives.size() == again.alternatives.size());
  for (std::size_t i = 0; i < result.alternatives.size(); ++i) {
    const Circuit& each = result.alternatives[i].circuit;
    CHECK(each == again.alternatives[i].circuit);
    CHECK(unitary_distance(circuit, each) < 1e-8);
    CHECK(count_gates(each).two_qubit >= count_gates(result.best.circuit).two_qubit);
    CHECK(count_gates(each).two_qubit < count_gates(circuit).two_qubit);
  }
  CHECK(result.alternatives[0].circuit != result.alternatives[1].circuit);
  CHECK(search_keeping(0).alternatives.empty());
}

TEST_CASE("the rewrites that led to the result are equalities, and add up to the gain",
          "[optimize]") {
  const std::unique_ptr<Prover> prover = make_exact_prover();
  for (const char* name : {"nam", "ibm", "clifford_t"}) {
    for (const std::string kind : {"anneal", "backtrack"}) {
      const GateSet set = load_gate_set(name);
      Random random(59);
      Circuit circuit = random_circuit_in(set, random, 4, 60);
      // Rotations by 0 are removed before the search, without a rewrite.
      std::erase_if(circuit.operations, is_identity);
      OptimizeOptions options = by_steps(CostKind::total, 20000);
      if (kind == "backtrack") options.seconds = 0.3;
      options.search = kind;
      options.record_gains = true;
      INFO(name << ", seed 59, " << kind);
      const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
      std::map<std::string_view, std::int64_t> removed;
      for (const RewriteGain& gain : result.gains) {
        const Rewrite& rewrite = gain.rewrite;
        CHECK(gain.uses > 0);
        removed[rewrite.pass] += gain.gates_removed;
        const bool has_sides =
            rewrite.kind == RewriteKind::rule || rewrite.kind == RewriteKind::window;
        CHECK((rewrite.kind == RewriteKind::rule) == (rewrite.pass == "backtrack"));
        CHECK(has_sides != (rewrite.left.empty() && rewrite.right.empty()));
        // A window that is replaced gains what it loses, and never what others have lost before.
        if (rewrite.kind == RewriteKind::window) {
          const auto each = static_cast<std::int64_t>(rewrite.left.size()) -
                            static_cast<std::int64_t>(rewrite.right.size());
          CHECK(gain.gates_removed == static_cast<std::int64_t>(gain.uses) * each);
          if (rewrite.pass == "anneal") CHECK(gain.gates_removed > 0);
        }
        // In a claim of the prover, left = e^{i phase} right has its phase on the second circuit.
        CHECK(prover->prove({rewrite.right, rewrite.left, 4, rewrite.phase}).verdict ==
              ProofVerdict::proved);
      }
      // After backtracking, annealing may have started from another circuit of equal cost.
      for (const OptimizePass& pass : result.passes) {
        // This does not hold if the better of two starts is annealed.
        if (pass.name == "anneal" && !has_pass(result, "intermediate"))
          CHECK(removed[pass.name] == pass.gates_removed);
        if (pass.name == "backtrack") CHECK(removed[pass.name] >= pass.gates_removed);
      }
      options.record_gains = false;
      CHECK(optimize(circuit, set, rules_of(set), options).gains.empty());
    }
  }
}

TEST_CASE("a small circuit does not exhaust a long time limit", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = make_circuit(
      2, {make_operation(h, {0}), make_operation(cx, {0, 1}),
          make_operation(rz, {1}, {Angle::pi_times(Rational(1, 4))}), make_operation(h, {1})});
  OptimizeOptions options = quick(CostKind::total);
  options.seconds = 3600;
  options.threads = 1;
  options.find_class_table = [](const GateSet& of, const ClassTableOptions& wanted) {
    return shared_table(of, wanted, 4);
  };
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  CHECK(
      (result.stop_reason == StopReason::exhausted || result.stop_reason == StopReason::converged));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
  CHECK(count_gates(result.circuit).total == 4);
}

TEST_CASE("a circuit on more qubits than annealing has wires is optimized", "[optimize]") {
  using enum GateKind;
  constexpr std::uint32_t qubits = 70'000;
  std::vector<Operation> gates;
  for (Qubit q = 0; q < qubits; q += 1000) {
    gates.push_back(make_operation(h, {q}));
    gates.push_back(make_operation(cx, {q, q + 999}));
    gates.push_back(make_operation(cx, {q, q + 999}));
    gates.push_back(make_operation(h, {q}));
  }
  const Circuit circuit = make_circuit(qubits, gates);
  const OptimizeResult result =
      optimize(circuit, load_gate_set("nam"), {}, by_steps(CostKind::total, 200'000));
  CHECK(result.circuit.operations.empty());
}

TEST_CASE("a search that is stopped before it begins returns the input", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  Random random(12);
  const Circuit circuit = random_circuit_in(set, random, 4, 40);
  for (const SearchName& search : search_names()) {
    std::stop_source source;
    source.request_stop();
    OptimizeOptions options = quick(CostKind::total);
    options.seconds = 60;
    options.search = search.name;
    options.stop = source.get_token();
    options.continues = true;  // some of them do not apply to nam
    const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
    CHECK(result.circuit == circuit);
    CHECK(result.stop_reason == StopReason::interrupted);
  }
}

namespace {

/// Returns a round of checks of the rotated surface code of distance 3. Its two-qubit depth is the
/// least there is, and a search for fewer gates alone lengthens it.
Circuit surface_code_round() {
  using enum GateKind;
  constexpr int kDistance = 3;
  struct Check {
    bool is_x = false;
    Qubit ancilla = 0;
    int row = 0;
    int column = 0;
  };
  std::vector<Check> checks;
  Qubit next = kDistance * kDistance;
  for (int row = 0; row <= kDistance; ++row) {
    for (int column = 0; column <= kDistance; ++column) {
      const bool is_x = (row + column) % 2 == 0;
      const bool at_row_end = row == 0 || row == kDistance;
      const bool at_column_end = column == 0 || column == kDistance;
      if (at_row_end && at_column_end) continue;
      if ((at_row_end && !is_x) || (at_column_end && is_x)) continue;
      checks.push_back({is_x, next++, row, column});
    }
  }
  Circuit circuit = make_circuit(next, {});
  const auto add_hadamards = [&] {
    for (const Check& check : checks) {
      if (check.is_x) circuit.operations.push_back(make_operation(h, {check.ancilla}));
    }
  };
  add_hadamards();
  for (const int step : {0, 1, 2, 3}) {
    for (const Check& check : checks) {
      const bool is_swapped = !check.is_x && (step == 1 || step == 2);
      const int corner = is_swapped ? 3 - step : step;
      const int row = check.row - 1 + corner / 2;
      const int column = check.column - corner % 2;
      if (row < 0 || row >= kDistance || column < 0 || column >= kDistance) continue;
      const auto data = static_cast<Qubit>(row * kDistance + column);
      circuit.operations.push_back(check.is_x ? make_operation(cx, {check.ancilla, data})
                                              : make_operation(cx, {data, check.ancilla}));
    }
  }
  add_hadamards();
  return circuit;
}

}  // namespace

TEST_CASE("a circuit whose critical path no search shortens is simplified at the end",
          "[optimize]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit translated = translate(surface_code_round(), set);
  OptimizeOptions options = quick(set.default_cost);
  options.seconds = 60;
  options.steps = 100;
  options.threads = 1;
  const OptimizeResult result = optimize(translated, set, rules_of(set), options);
  const CostValue before = cost_of(translated, set.default_cost);
  const CostValue after = cost_of(result.circuit, set.default_cost);
  CHECK(count_gates(translated).two_qubit == 24);
  CHECK(after.units[0] == before.units[0]);
  CHECK(after.units[1] == before.units[1]);
  CHECK(count_gates(translated).total == 192);
  CHECK(count_gates(result.circuit).total <= 120);
  const EquivalenceVerdict verdict = check_equivalence(translated, result.circuit).verdict;
  CHECK((verdict == EquivalenceVerdict::equal || verdict == EquivalenceVerdict::equal_up_to_phase));
}
