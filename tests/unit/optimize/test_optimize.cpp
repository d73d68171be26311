#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

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
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

RuleSet rules_of(const GateSet& set) {
  GenerateOptions options;
  options.gates = 2;
  options.qubits = 2;
  return generate(set, options).rules;
}

/// Ends when the search converges or after a time limit; no check depends on which of them happens
/// first.
OptimizeOptions quick(const Cost& cost) {
  OptimizeOptions options;
  options.cost = cost;
  options.seconds = 0.1;
  options.threads = 2;
  return options;
}

bool has_pass(const OptimizeResult& result, std::string_view name) {
  return std::any_of(result.passes.begin(), result.passes.end(),
                     [&](const OptimizePass& pass) { return pass.name == name; });
}

/// Returns whether the set has few enough letters, with constants and a free angle, for a class
/// table.
bool has_class_table(const GateSet& set) {
  ClassTableOptions options;
  options.cost = 1;
  options.symbolic = true;
  try {
    (void)build_class_table(set, options);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

/// Returns the result, or nothing if the search does not apply; `reasons` then has the message.
std::optional<OptimizeResult> optimize_if_applicable(const Circuit& circuit, const GateSet& set,
                                                     const RuleSet& rules,
                                                     const OptimizeOptions& options,
                                                     std::set<std::string>& reasons) {
  try {
    return optimize(circuit, set, rules, options);
  } catch (const UsageError& error) {
    const std::string message = error.what();
    if (message.find("cannot be used here: ") == std::string::npos) throw;
    reasons.insert(message);
    return {};
  }
}

/// Options of annealing by steps, with a small class table.
OptimizeOptions by_steps(const Cost& cost, std::uint64_t steps) {
  OptimizeOptions options = quick(cost);
  options.seconds = 60;
  options.steps = steps;
  options.search = "anneal";
  options.find_class_table = [](const GateSet& of, ClassTableOptions wanted) {
    wanted.cost = 4;
    return build_class_table(of, wanted);
  };
  return options;
}

/// Stops the search at the first progress report of backtracking, whose course depends on time.
OptimizeOptions stopped_in_backtracking(OptimizeOptions options) {
  const auto source = std::make_shared<std::stop_source>();
  options.stop = source->get_token();
  options.on_progress = [source](const OptimizeProgress& progress) {
    if (progress.pass == "backtrack") source->request_stop();
  };
  return options;
}

/// Options for circuits that are small enough for backtracking to exhaust, regardless of the load
/// of the machine.
OptimizeOptions to_the_end(const Cost& cost) {
  OptimizeOptions options = quick(cost);
  options.seconds = 60;
  options.search = "backtrack";
  return options;
}

}  // namespace

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
      OptimizeOptions options = quick(CostKind::total);
      options.search = search.name;
      const auto result = optimize_if_applicable(circuit, set, rules, options, reasons);
      if (!result) continue;
      INFO("gate set " << name << ", search " << search.name << ", seed 46");
      const EquivalenceVerdict verdict = check_equivalence(circuit, result->circuit).verdict;
      CHECK((verdict == EquivalenceVerdict::equal ||
             verdict == EquivalenceVerdict::equal_up_to_phase));
      CHECK(count_gates(result->circuit).total <= count_gates(circuit).total);
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

TEST_CASE("optimization boundaries stay, in order, and no gate crosses them", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  using enum GateKind;
  const Circuit circuit =
      classical_circuit(2, {2},
                        {make_operation(h, {0}), measure(0, 0), barrier({0, 1}),
                         make_operation(h, {0}), conditional(make_operation(x, {1}), 0, 1),
                         make_operation(x, {1}), reset(0), make_operation(x, {1}),
                         opaque("magic", {0, 1}), make_operation(h, {0}), make_operation(h, {0})});
  const OptimizeResult result = optimize(circuit, set, rules, to_the_end(CostKind::total));
  std::vector<Operation> boundaries;
  std::vector<Operation> boundaries_before;
  for (const Operation& o : result.circuit.operations) {
    if (o.is_boundary()) boundaries.push_back(o);
  }
  for (const Operation& o : circuit.operations) {
    if (o.is_boundary()) boundaries_before.push_back(o);
  }
  CHECK(boundaries == boundaries_before);
  // h h after the last boundary and x x around the reset of the other qubit are removed; h m h
  // stays.
  CHECK(count_gates(result.circuit).total == 3);
  CHECK(check_equivalence(circuit, result.circuit).verdict != EquivalenceVerdict::not_equal);
}

TEST_CASE("gates under a condition are optimized", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  using enum GateKind;
  const auto under = [](Operation gate) { return conditional(gate, 0, 1); };
  const Angle quarter = Angle::pi_times(Rational(1, 4));
  const Circuit circuit = classical_circuit(
      2, {1, 1},
      {measure(0, 0), under(make_operation(h, {1})), under(make_operation(cx, {0, 1})),
       under(make_operation(cx, {0, 1})), under(make_operation(h, {1})),
       under(make_operation(rz, {0}, {quarter})), under(make_operation(x, {0})),
       under(make_operation(rz, {0}, {quarter})), under(make_operation(x, {0})), measure(1, 1),
       under(make_operation(h, {1})), conditional(make_operation(h, {1}), 1, 1)});
  const OptimizeResult result = optimize(circuit, set, rules, to_the_end(CostKind::total));
  // Only h under one condition, h under another one, and the measurements remain.
  CHECK(result.circuit.operations == std::vector{circuit.operations[0], circuit.operations[9],
                                                 circuit.operations[10], circuit.operations[11]});
  // A conditional phase is not part of the global phase.
  CHECK(result.circuit.global_phase.is_zero());
  CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
}

namespace {

/// Returns the gates under conditions.
std::vector<Operation> conditional_gates(const Circuit& circuit) {
  std::vector<Operation> gates;
  for (const Operation& each : circuit.operations) {
    if (each.kind == OperationKind::gate && !each.conditions().empty()) gates.push_back(each);
  }
  return gates;
}

/// Bodies of two and more gates that can be shortened in every gate set.
std::vector<std::vector<Operation>> reducible_bodies() {
  using enum GateKind;
  const auto on_1 = [](GateKind kind) { return make_operation(kind, {1}); };
  return {{on_1(x), on_1(x), on_1(z)},
          {on_1(x), on_1(x)},
          {on_1(h), on_1(h), on_1(z)},
          {on_1(x), on_1(z), on_1(x)},
          {make_operation(cx, {1, 2}), make_operation(cx, {1, 2}), on_1(z)},
          {on_1(x), on_1(x), on_1(z), on_1(s)}};
}

}  // namespace

TEST_CASE("the gates under a condition are optimized as well as without it", "[optimize]") {
  using enum GateKind;
  for (const std::string name : {"clifford_t", "nam", "ibm_heron", "rigetti", "ionq_forte"}) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    std::map<bool, std::shared_ptr<const ClassTable>> tables;
    for (const Cost& cost : {Cost(CostKind::total), Cost({CostKind::t, CostKind::total}),
                             Cost({CostKind::depth, CostKind::total})}) {
      for (const std::vector<Operation>& body : reducible_bodies()) {
        OptimizeOptions options = by_steps(cost, 8'000);
        options.search = "auto";
        options.threads = 1;
        options.find_class_table = [&](const GateSet& of, ClassTableOptions wanted) {
          wanted.cost = 4;
          if (of.digest != set.digest) return build_class_table(of, wanted);
          auto& table = tables[wanted.symbolic];
          if (table == nullptr) table = build_class_table(of, wanted);
          return table;
        };
        const Circuit plain = translate(make_circuit(3, body), set);
        Circuit circuit =
            classical_circuit(3, {2}, {make_operation(GateKind::x, {0}), measure(0, 0)});
        for (const Operation& gate : body) circuit.operations.push_back(conditional(gate, 0, 1));
        circuit.operations.push_back(measure(1, 1));
        circuit = translate(circuit, set);
        const OptimizeResult result = optimize(circuit, set, rules, options);
        INFO(name << ", cost " << cost.name() << ", " << body.size() << " gates");
        CHECK(conditional_gates(result.circuit).size() <=
              optimize(plain, set, rules, options).circuit.operations.size());
        CHECK(conditional_gates(result.circuit).size() < plain.operations.size());
        // A conditional phase is not part of the global phase.
        const EquivalenceVerdict verdict = check_equivalence(circuit, result.circuit).verdict;
        CHECK((verdict == EquivalenceVerdict::equal ||
               verdict == EquivalenceVerdict::equal_up_to_phase));
      }
    }
  }
}

TEST_CASE("gates that come together under one condition are optimized", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  // The two gates under the condition are next to each other only once the h are gone.
  const auto under = [](Operation gate) { return conditional(gate, 0, 1); };
  const Circuit circuit =
      classical_circuit(2, {1},
                        {measure(0, 0), under(make_operation(x, {1})), make_operation(h, {1}),
                         make_operation(h, {1}), under(make_operation(x, {1}))});
  OptimizeOptions options = by_steps(CostKind::total, 20'000);
  options.search = "auto";
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  CHECK(result.circuit.operations == std::vector{measure(0, 0)});
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

TEST_CASE("gates are rewritten across boundaries on other qubits", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("clifford_t");
  const Operation toffoli = make_operation(ccx, {0, 1, 2});
  const std::vector<Operation> boundaries{reset(2), measure(2, 0),
                                          conditional(make_operation(h, {2}), 0, 1), barrier({2})};
  for (const char* const search : {"auto", "anneal", "fold", "simplify"}) {
    for (const Operation& boundary : boundaries) {
      const Circuit circuit =
          translate(classical_circuit(3, {1}, {toffoli, boundary, toffoli}), set);
      OptimizeOptions options;
      options.search = search;
      options.steps = 20'000;
      options.cost = Cost(CostKind::t);
      const OptimizeResult result = optimize(circuit, set, RuleSet{}, options);
      INFO(search << ", kind " << static_cast<int>(boundary.kind));
      // Rotations about parities of the controls merge, those on the target stay.
      CHECK(count_gates(result.circuit).t <= 8);
      CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
    }
  }
}

TEST_CASE("the search of a small circuit with measurements is exhausted", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = classical_circuit(
      2, {2},
      {make_operation(h, {0}), make_operation(cx, {0, 1}), measure(0, 0), make_operation(h, {0}),
       reset(0), conditional(make_operation(x, {1}), 0, 1), make_operation(cx, {0, 1}),
       measure(0, 0), measure(1, 1)});
  OptimizeOptions options;
  options.search = "backtrack";
  options.threads = 1;
  for (const std::uint64_t steps : {50'000'000, 300'000}) {
    options.steps = steps;
    CHECK(optimize(circuit, set, rules_of(set), options).stop_reason == StopReason::exhausted);
  }
}

TEST_CASE("optimizing random circuits with measurements and conditions preserves them",
          "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  Random random(48);
  for (int round = 0; round < 10; ++round) {
    Circuit circuit = classical_circuit(3, {2, 1}, {});
    std::size_t boundaries = 0;
    while (circuit.operations.size() < 40) {
      const auto choice = below(random, 20);
      if (choice == 0 && boundaries < 4) {
        circuit.operations.push_back(measure(below(random, 3), below(random, 3)));
        ++boundaries;
      } else if (choice == 1 && boundaries < 4) {
        circuit.operations.push_back(reset(below(random, 3)));
        ++boundaries;
      } else {
        const Circuit gates = random_circuit_in(set, random, 3, 1 + below(random, 6));
        const std::uint32_t bits = below(random, 2);
        const std::uint64_t value = below(random, bits == 0 ? 4 : 2);
        const bool is_plain = below(random, 2) == 0;
        for (const Operation& gate : gates.operations) {
          circuit.operations.push_back(is_plain ? gate : conditional(gate, bits, value));
        }
      }
    }
    OptimizeOptions options = quick(CostKind::total);
    options.search = "backtrack";
    const OptimizeResult result = optimize(circuit, set, rules, options);
    INFO("seed 48, round " << round);
    CHECK(count_gates(result.circuit).total <= count_gates(circuit).total);
    const EquivalenceReport report = check_equivalence(circuit, result.circuit);
    CHECK((report.verdict == EquivalenceVerdict::equal ||
           report.verdict == EquivalenceVerdict::equal_up_to_phase));
  }
}

TEST_CASE("gates stay on coupled pairs, for every set and search", "[optimize]") {
  // The map is a line and a branch.
  CouplingMap map;
  for (const auto& [a, b] : {std::pair(0U, 1U), {1U, 2U}, {2U, 3U}, {1U, 4U}}) map.add(a, b);
  Random random(50);
  std::size_t rewritten = 0;
  std::set<std::string> reasons;
  for (const char* name : {"nam", "clifford_t", "ibm_heron", "iqm", "ibm_heron_fractional"}) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    for (const SearchName& search : search_names()) {
      for (const CostKind cost : {CostKind::total, CostKind::two_qubit}) {
        Circuit circuit = random_circuit_in(set, random, 5, 120);
        std::erase_if(circuit.operations, [&](const Operation& operation) {
          return uncoupled_pair(operation, map).has_value();
        });
        OptimizeOptions options = quick(cost);
        options.search = search.name;
        options.coupling = map;
        const auto result = optimize_if_applicable(circuit, set, rules, options, reasons);
        if (!result) continue;
        INFO(name << ", search " << search.name << ", cost " << cost_name(cost).name
                  << ", seed 50");
        CHECK_FALSE(uncoupled_gate(result->circuit, map));
        CHECK(unitary_distance(circuit, result->circuit) < 1e-8);
        rewritten += result->circuit.operations != circuit.operations ? 1U : 0U;
      }
    }
  }
  CHECK(rewritten > 10);
}

TEST_CASE("without a coupling map, gates may move to other pairs", "[optimize]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  // These four gates equal one gate between the ends of a line.
  const Circuit circuit = make_circuit(3, {make_operation(cx, {0, 1}), make_operation(cx, {1, 2}),
                                           make_operation(cx, {0, 1}), make_operation(cx, {1, 2})});
  GenerateOptions generation;
  generation.gates = 4;
  generation.qubits = 3;
  const RuleSet rules = generate(set, generation).rules;
  for (const bool anneals : {false, true}) {
    OptimizeOptions options =
        anneals ? by_steps(CostKind::total, 5000) : to_the_end(CostKind::total);
    INFO("anneals: " << anneals);
    const OptimizeResult free = optimize(circuit, set, rules, options);
    CHECK(free.circuit.operations == std::vector{make_operation(cx, {0, 2})});
    options.coupling = coupling_of(circuit);
    const OptimizeResult kept = optimize(circuit, set, rules, options);
    CHECK(kept.circuit.operations.size() == 4);
    CHECK_FALSE(uncoupled_gate(kept.circuit, *options.coupling));
  }
}

TEST_CASE("coupled pairs are also respected in the intermediate gate set", "[optimize]") {
  Random random(51);
  CouplingMap line;
  for (Qubit qubit = 0; qubit < 4; ++qubit) line.add(qubit, qubit + 1);
  Circuit given = random_circuit_in(load_gate_set("nam"), random, 5, 120);
  std::erase_if(given.operations, [&](const Operation& operation) {
    return uncoupled_pair(operation, line).has_value();
  });
  const GateSet set = load_gate_set("iqm");
  const Circuit circuit = translate(given, set);
  OptimizeOptions options = by_steps(CostKind::two_qubit, 20000);
  options.search = "auto";
  options.seconds = 1;
  options.coupling = line;
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  INFO("seed 51");
  CHECK(has_pass(result, "intermediate"));
  CHECK(count_gates(result.circuit).two_qubit < count_gates(circuit).two_qubit);
  CHECK_FALSE(uncoupled_gate(result.circuit, line));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
}

TEST_CASE("a circuit that violates the coupling map is rejected", "[optimize]") {
  const GateSet set = load_gate_set("nam");
  OptimizeOptions options = quick(CostKind::total);
  options.coupling = CouplingMap();
  const Circuit circuit = make_circuit(2, {make_operation(GateKind::cx, {1, 0})});
  CHECK_THROWS_MATCHES(
      optimize(circuit, set, RuleSet{}, options), UsageError,
      Catch::Message("the circuit has a gate between qubits 1 and 0, which are not coupled"));
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

TEST_CASE("a set without a CNOT, or with too many letters, is searched in the intermediate set",
          "[optimize]") {
  for (const char* name : {"ibm_heron", "rigetti", "ion_trap", "ibm_u"}) {
    const GateSet set = load_gate_set(name);
    Random random(47);
    const Circuit given = random_circuit_in(load_gate_set("nam"), random, 4, 60);
    const Circuit circuit = translate(given, set);
    OptimizeOptions options = by_steps(CostKind::two_qubit, 20000);
    options.search = "auto";
    options.seconds = 1;
    INFO(name << ", seed 47");
    const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
    CHECK(has_pass(result, "intermediate"));
    CHECK(count_gates(result.circuit).two_qubit < count_gates(circuit).two_qubit);
    CHECK(translate(result.circuit, set) == result.circuit);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
  }
}

TEST_CASE("a set without a class table is searched in the intermediate set even within a second",
          "[optimize]") {
  const GateSet set = load_gate_set("ionq_forte");
  REQUIRE_FALSE(has_class_table(set));
  Random random(61);
  const Circuit circuit = translate(random_circuit_in(load_gate_set("nam"), random, 3, 30), set);
  OptimizeOptions options = quick(CostKind::two_qubit);
  options.seconds = 0.9;
  INFO("seed 61");
  const OptimizeResult result =
      optimize(circuit, set, rules_of(set), stopped_in_backtracking(options));
  CHECK(has_pass(result, "intermediate"));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
}

TEST_CASE("among circuits of equal cost in the intermediate set, those with fewer blocks are found",
          "[optimize]") {
  // If the controls of its Toffolis are taken in the right order, gates before and after each
  // Toffoli share a block with its first gates: Qiskit 2.6.2 finds 10 gates on two qubits. The
  // circuits from the intermediate set with the fewest CNOTs give 10 and 11.
  const GateSet set = load_gate_set("ibm_heron_fractional");
  const Circuit given = make_circuit(
      3,
      {make_operation(GateKind::csdg, {0, 2}), make_operation(GateKind::t, {1}),
       make_operation(GateKind::ccx, {1, 0, 2}), make_operation(GateKind::y, {2}),
       make_operation(GateKind::u, {0},
                      {Angle::decimal("2.192"), Angle::decimal("4.204"), Angle::decimal("4.461")}),
       make_operation(GateKind::p, {1}, {Angle::decimal("4.649")}),
       make_operation(GateKind::cp, {1, 2}, {Angle::decimal("2.393")}),
       make_operation(GateKind::ccz, {2, 1, 0})});
  const Circuit circuit = translate(given, set);
  // Annealing gets 90% of the steps: 400,000.
  OptimizeOptions options = by_steps(Cost({CostKind::two_qubit, CostKind::total}), 444'445);
  options.search = "auto";
  options.exactness = Exactness::numeric;
  options.threads = 1;
  std::uint64_t gates = 0;
  for (options.seed = 0; options.seed < 2; ++options.seed) {
    const OptimizeResult result =
        optimize(circuit, set, rules_of(set), stopped_in_backtracking(options));
    CHECK(has_pass(result, "intermediate"));
    CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
    gates += count_gates(result.circuit).two_qubit;
  }
  CHECK(gates < 2 * 10);
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

TEST_CASE(
    "a set without a Hadamard gate is also searched in the intermediate set, and the better result "
    "is kept",
    "[optimize]") {
  for (const char* name : {"ibm", "ibm_heron", "clifford_t"}) {
    const GateSet set = load_gate_set(name);
    Random random(53);
    const Circuit given =
        random_circuit(random, {GateKind::h, GateKind::x, GateKind::t, GateKind::cx}, 4, 60);
    const Circuit circuit = translate(given, set);
    OptimizeOptions options = by_steps(CostKind::total, 20000);
    INFO(name << ", seed 53");
    const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
    CHECK(has_pass(result, "intermediate") == (name != std::string_view("clifford_t")));
    CHECK(count_gates(result.circuit).total < count_gates(circuit).total);
    CHECK(translate(result.circuit, set) == result.circuit);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
    CHECK(optimize(circuit, set, rules_of(set), options).circuit == result.circuit);
  }
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
        // In a claim of the prover, left = e^{i phase} right has its phase on the second circuit.
        CHECK(prover->prove({rewrite.right, rewrite.left, 4, rewrite.phase}).verdict ==
              ProofVerdict::proved);
      }
      // Annealing reports gains from one best circuit to the next; after backtracking it may have
      // started from another circuit of equal cost.
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
  const Circuit circuit =
      make_circuit(3, {make_operation(h, {0}), make_operation(cx, {0, 1}),
                       make_operation(rz, {1}, {Angle::pi_times(Rational(1, 4))}),
                       make_operation(cx, {1, 2}), make_operation(h, {2})});
  OptimizeOptions options = quick(CostKind::total);
  options.seconds = 3600;
  options.find_class_table = [](const GateSet& of, ClassTableOptions wanted) {
    wanted.cost = 4;
    return build_class_table(of, wanted);
  };
  const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
  CHECK(
      (result.stop_reason == StopReason::exhausted || result.stop_reason == StopReason::converged));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
  CHECK(count_gates(result.circuit).total == 5);
}

TEST_CASE("an empty circuit and one of optimization boundaries only are returned unchanged",
          "[optimize]") {
  const GateSet set = load_gate_set("nam");
  const RuleSet rules = rules_of(set);
  const Circuit empty = make_circuit(3, {});
  CHECK(optimize(empty, set, rules, quick(CostKind::total)).circuit == empty);
  const Circuit boundaries = classical_circuit(1, {1}, {measure(0, 0), reset(0), measure(0, 0)});
  CHECK(optimize(boundaries, set, rules, quick(CostKind::depth)).circuit == boundaries);
}

TEST_CASE("gates follow the directions of a coupling map, for every set and search", "[optimize]") {
  for (const char* name : {"nam", "clifford_t", "ibm", "ibm_eagle", "ibm_heron", "ionq_aria"}) {
    const GateSet set = load_gate_set(name);
    const RuleSet rules = rules_of(set);
    Random random(67);
    for (const std::string kind : {"anneal", "backtrack", "auto"}) {
      // The set has too many letters for a class table.
      if (kind == "anneal" && set.name == "ionq_aria") continue;
      // One pair has both directions, the others one.
      CouplingMap map(true);
      for (const auto& [a, b] : {std::pair(1U, 0U), std::pair(1U, 2U), std::pair(3U, 2U),
                                 std::pair(2U, 3U), std::pair(0U, 2U)}) {
        map.add(a, b);
      }
      Circuit given = random_circuit_in(set, random, 4, 80);
      std::erase_if(given.operations, [&](const Operation& operation) {
        // An ms gate cannot be reversed.
        return uncoupled_pair(operation,
                              operation.gate == GateKind::ms ? map : map.without_direction())
            .has_value();
      });
      const Circuit circuit = fix_gate_directions(given, set, map);
      INFO("gate set " << name << ", seed 67");
      CHECK(unitary_distance(given, circuit) < 1e-8);
      CHECK(count_gates(given).two_qubit == count_gates(circuit).two_qubit);
      REQUIRE_FALSE(uncoupled_gate(circuit, map));
      OptimizeOptions options = by_steps(CostKind::total, 20000);
      if (kind != "anneal") options.steps = 0;
      if (kind != "anneal") options.seconds = 0.3;
      options.search = kind;
      options.coupling = map;
      const OptimizeResult result = optimize(circuit, set, rules, options);
      CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
      CHECK_FALSE(uncoupled_gate(result.circuit, map));
      CHECK(count_gates(result.circuit).total < count_gates(circuit).total);
    }
  }
}

TEST_CASE("a gate against the direction of the map is rejected if it cannot be reversed",
          "[optimize]") {
  CouplingMap map(true);
  map.add(0, 1);
  CHECK(map.contains(1, 0));
  CHECK(map.allows(0, 1));
  CHECK_FALSE(map.allows(1, 0));
  CHECK(map.without_direction().allows(1, 0));
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = make_circuit(2, {make_operation(GateKind::cx, {1, 0})});
  OptimizeOptions options = quick(CostKind::total);
  options.coupling = map;
  CHECK_THROWS_AS(optimize(circuit, set, {}, options), UsageError);
  const Circuit controlled_h = make_circuit(2, {make_operation(GateKind::ch, {1, 0})});
  CHECK(fix_gate_directions(controlled_h, set, map) == controlled_h);
  CHECK(uncoupled_gate(controlled_h, map));
  // A gate without a direction fits either way.
  CHECK_FALSE(uncoupled_gate(make_circuit(2, {make_operation(GateKind::cz, {1, 0})}), map));
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

TEST_CASE("boundaries on many qubits take no memory for each qubit", "[optimize]") {
  using enum GateKind;
  constexpr std::uint32_t qubits = 20'000;
  std::vector<Operation> gates;
  for (Qubit q = 0; q < qubits; ++q) {
    if (q % 1000 == 0) {
      gates.push_back(make_operation(h, {q}));
      gates.push_back(make_operation(h, {q}));
    }
    gates.push_back(make_operation(h, {q}));
    gates.back().kind = OperationKind::reset;
  }
  const OptimizeResult result = optimize(make_circuit(qubits, gates), load_gate_set("nam"), {},
                                         by_steps(CostKind::total, 10'000));
  CHECK(result.circuit.operations.size() == qubits);
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
