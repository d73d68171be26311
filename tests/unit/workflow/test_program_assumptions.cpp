#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "journal/history_writer.hpp"
#include "optimize/passes/simplify_around_resets.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/certify/qubit_order.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/circuit/program_assumptions.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::test;
using enum GateKind;

namespace {

std::vector<std::string> gate_names(const Circuit& circuit) {
  std::vector<std::string> names;
  for (const Operation& operation : circuit.operations) {
    if (operation.kind == OperationKind::gate) names.emplace_back(gate(operation.gate).name);
  }
  return names;
}

/// Returns the gates that are left of a circuit, which must be equal.
std::vector<std::string> simplified(const Circuit& circuit) {
  const Circuit result = optimizer::simplify_around_resets(circuit).derived.circuit;
  const EquivalenceReport report = check_equivalence(circuit, result);
  CHECK(report.verdict != EquivalenceVerdict::not_equal);
  CHECK(report.verdict != EquivalenceVerdict::undecided);
  return gate_names(result);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("Edges are resets that can be taken away again", "[program]") {
  const Circuit circuit =
      classical_circuit(2, {1}, {reset(0), make_operation(cx, {0, 1}), measure(1, 0), reset(1)});
  for (const ProgramAssumptions& assumptions :
       {ProgramAssumptions{}, {true, false}, {false, true}, {true, true}}) {
    const Circuit with = with_assumptions(circuit, assumptions);
    const std::size_t added =
        (assumptions.starts_zero ? 2 : 0) + (assumptions.ends_discarded ? 2 : 0);
    CHECK(with.operations.size() == circuit.operations.size() + added);
    CHECK(without_assumptions(with, assumptions) == circuit);
  }
  CHECK(assumptions_of_program(circuit) == ProgramAssumptions{true, true});
  const Circuit unitary = make_circuit(1, {make_operation(h, {0})});
  CHECK(assumptions_of_program(unitary) == ProgramAssumptions{true, false});
  CHECK_THROWS_AS(with_assumptions(unitary, {false, true}), UsageError);
  // A value that is assigned to a bit is no measurement, but something to observe.
  const Circuit assigned = parse_qasm(
      "OPENQASM 3.0; include \"stdgates.inc\"; qubit[2] q; bit[1] c; h q[0]; cx q[0],q[1]; "
      "c[0] = 1; t q[1];");
  CHECK(assumptions_of_program(assigned) == ProgramAssumptions{true, false});
  CHECK(without_assumptions(with_assumptions(assigned, {false, true}), {false, true}) == assigned);
  CHECK_THROWS_AS(without_assumptions(unitary, {true, false}), UsageError);
}

TEST_CASE("Gates on qubits that are prepared in a known state are simplified", "[program]") {
  const auto after_reset = [](std::vector<Operation> gates) {
    gates.insert(gates.begin(), {reset(0), reset(2)});
    return simplified(make_circuit(3, std::move(gates)));
  };
  CHECK(after_reset({make_operation(cx, {0, 1})}).empty());
  CHECK(after_reset({make_operation(x, {0}), make_operation(cx, {0, 1})}) == Names{"x", "x"});
  CHECK(after_reset({make_operation(x, {0}), make_operation(ccx, {0, 1, 2})}) == Names{"x", "cx"});
  CHECK(after_reset({make_operation(h, {0}), make_operation(cx, {1, 0})}) == Names{"h"});
  CHECK(after_reset({make_operation(h, {0}), make_operation(cx, {0, 1})}) == Names{"h", "cx"});
  CHECK(after_reset({make_operation(cx, {1, 0})}) == Names{"cx"});
  CHECK(after_reset({make_operation(h, {0}), make_operation(s, {0}),
                     make_operation(rx, {0}, {Angle::symbol("a")})}) == Names{"h", "s", "rx"});
  CHECK(after_reset({make_operation(x, {0}), make_operation(crz, {0, 1}, {Angle::symbol("a")})}) ==
        Names{"x", "rz"});
  CHECK(after_reset({make_operation(x, {0}), make_operation(rzz, {0, 1}, {Angle::symbol("a")})}) ==
        Names{"x", "rz"});
  CHECK(after_reset({make_operation(rz, {0}, {Angle::symbol("a")})}).empty());
  CHECK(after_reset({make_operation(x, {0}), make_operation(cswap, {0, 1, 2})}) ==
        Names{"x", "swap"});
}

TEST_CASE("Gates that no measurement sees are removed", "[program]") {
  const auto before_reset = [](std::vector<Operation> gates) {
    gates.insert(gates.end(), {measure(0, 0), reset(0), reset(1)});
    return simplified(classical_circuit(3, {1}, std::move(gates)));
  };
  CHECK(before_reset({make_operation(cx, {0, 1}), make_operation(h, {1})}).empty());
  CHECK(before_reset({make_operation(cx, {1, 0})}) == Names{"cx"});
  CHECK(before_reset({make_operation(t, {0}), make_operation(cx, {0, 2})}) == Names{"cx"});
  CHECK(before_reset({make_operation(t, {0}), make_operation(cx, {2, 0})}) == Names{"t", "cx"});
  CHECK(before_reset({make_operation(h, {0}), make_operation(t, {0})}) == Names{"h"});
}

TEST_CASE("Rotations that no measurement sees are removed", "[program]") {
  const auto angle = [](std::int64_t part) { return Angle::pi_times(Rational(1, part)); };
  const auto rotation = [&](Qubit qubit, std::int64_t part) {
    return make_operation(rz, {qubit}, {angle(part)});
  };
  // A rotation about Z Z, between CNOTs whose target is measured, and one by a free parameter about
  // X Z, which commutes with it.
  const Operation cnot = make_operation(cx, {1, 0});
  const Operation turn = make_operation(h, {1});
  Circuit circuit = classical_circuit(
      2, {1},
      {cnot, rotation(0, 7), cnot, turn, cnot, make_operation(rz, {0}, {Angle::symbol("a")}), cnot,
       measure(0, 0), reset(0), reset(1)});
  circuit.parameters = {{"a", "float[64]"}};
  CHECK(simplified(circuit) == Names{"cx", "cx", "h", "cx", "cx"});
  // Rotations stay that the measurement sees, directly or because a rotation behind them does.
  circuit = classical_circuit(
      2, {1},
      {make_operation(h, {0}), rotation(0, 7), make_operation(h, {0}), make_operation(h, {1}),
       rotation(1, 7), make_operation(cx, {0, 1}), make_operation(h, {1}), make_operation(t, {1}),
       measure(0, 0), measure(1, 0), reset(0), reset(1)});
  CHECK(simplified(circuit) == Names{"h", "rz", "h", "h", "rz", "cx", "h"});
  // No gate is a rotation about Z on three measured qubits.
  std::vector<Operation> parity;
  for (Qubit qubit = 0; qubit < 3; ++qubit) parity.push_back(make_operation(h, {qubit}));
  const std::vector<Operation> ladder{make_operation(cx, {0, 1}), make_operation(cx, {1, 2})};
  parity.insert(parity.end(), ladder.begin(), ladder.end());
  parity.push_back(rotation(2, 7));
  parity.insert(parity.end(), ladder.rbegin(), ladder.rend());
  for (Qubit qubit = 0; qubit < 3; ++qubit) parity.push_back(measure(qubit, qubit));
  for (Qubit qubit = 0; qubit < 3; ++qubit) parity.push_back(reset(qubit));
  CHECK(simplified(classical_circuit(3, {3}, parity)).size() == 8);
}

TEST_CASE("Nothing is known of states beyond a barrier", "[program][barrier]") {
  const auto rotation = make_operation(rz, {0}, {Angle::pi_times(Rational(1, 7))});
  const auto between = [](const Operation& wall, std::vector<Operation> gates) {
    gates.insert(gates.begin(), {reset(0), reset(1), wall});
    gates.insert(gates.end(), {wall, measure(0, 0), reset(0), reset(1)});
    return simplified(classical_circuit(3, {1}, std::move(gates)));
  };
  const std::vector<std::vector<Operation>> experiments{
      {make_operation(cx, {0, 1}), make_operation(h, {0})},  // the control is |0>
      {make_operation(x, {0}), make_operation(cx, {0, 1})},  // the target is discarded
      {make_operation(h, {0}), make_operation(t, {0})},      // only the sign of |1> changes
      {make_operation(h, {0}), make_operation(cx, {0, 1}), make_operation(h, {1}), rotation,
       make_operation(h, {1}), make_operation(cx, {0, 1})},  // the rotation moves to the end
  };
  for (const std::vector<Operation>& gates : experiments) {
    CHECK(between(barrier({0, 1}), gates) == gate_names(make_circuit(2, gates)));
    CHECK(between(barrier({2}), gates).size() < gates.size());
  }
  // Both sides of a barrier, on each of its qubits alone.
  const Operation cnot = make_operation(cx, {0, 1});
  CHECK(simplified(make_circuit(2, {reset(0), barrier({0}), cnot})) == Names{"cx"});
  CHECK(simplified(make_circuit(2, {reset(0), cnot, barrier({0}), cnot})) == Names{"cx"});
  CHECK(simplified(make_circuit(2, {reset(0), barrier({1}), cnot})).empty());
  CHECK(simplified(make_circuit(2, {cnot, reset(0), reset(1)})).empty());
  CHECK(simplified(make_circuit(2, {cnot, barrier({0}), reset(0), reset(1)})) == Names{"cx"});
  CHECK(simplified(make_circuit(2, {cnot, barrier({1}), reset(0), reset(1)})) == Names{"cx"});
  CHECK(simplified(make_circuit(1, {make_operation(x, {0}), barrier({0}), reset(0)})) ==
        Names{"x"});
}

TEST_CASE("Gates between barriers stay whatever is known around them", "[program][barrier]") {
  const std::vector<GateKind> kinds{h, cx, cx, t, rz, rzz, s, sx, ccx};
  std::size_t fewer = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::vector<Operation> gates = random_circuit(random, kinds, 3, 15).operations;
    const auto program = [&](const std::vector<Operation>& walls) {
      std::vector<Operation> operations{reset(0), reset(1), reset(2)};
      operations.insert(operations.end(), walls.begin(), walls.end());
      operations.insert(operations.end(), gates.begin(), gates.end());
      operations.insert(operations.end(), walls.begin(), walls.end());
      operations.insert(operations.end(), {measure(0, 0), reset(0), reset(1), reset(2)});
      return classical_circuit(3, {1}, std::move(operations));
    };
    const Circuit walled = program({barrier({0, 1, 2})});
    const optimizer::SimplifiedCircuit result = optimizer::simplify_around_resets(walled);
    CHECK(result.derived.circuit == walled);
    CHECK(result.changes == KnownStates{});
    if (simplified(program({})).size() < gates.size()) ++fewer;
  }
  CHECK(fewer > 30);
}

TEST_CASE("Gates that change because states are known are counted", "[program]") {
  const auto changes_of = [](const Circuit& circuit) {
    const optimizer::SimplifiedCircuit result = optimizer::simplify_around_resets(circuit);
    CHECK(circuit.operations.size() - result.derived.circuit.operations.size() ==
          result.changes.gates_removed);
    return result.changes;
  };
  const Operation toffoli = make_operation(ccx, {0, 1, 2});
  const Operation flip = make_operation(x, {0});
  CHECK(changes_of(make_circuit(3, {toffoli})) == KnownStates{0, 0});
  CHECK(changes_of(make_circuit(3, {reset(0), toffoli})) == KnownStates{1, 0});
  CHECK(changes_of(make_circuit(3, {reset(0), flip, toffoli, toffoli})) == KnownStates{0, 2});
  // A gate that is replaced and then removed counts once.
  CHECK(changes_of(make_circuit(3, {reset(0), flip, toffoli, make_operation(h, {2}), toffoli,
                                    reset(1), reset(2)})) == KnownStates{3, 0});
  CHECK(changes_of(make_circuit(4, {reset(0), flip, make_operation(ccx, {0, 1, 3}), toffoli,
                                    reset(1), reset(2)})) == KnownStates{1, 1});

  // A call reports those of the input and of what the search found.
  SuperoptimizeOptions options;
  options.steps = 300;
  options.threads = 1;
  options.cache.enabled = false;
  const GateSet set = load_gate_set("nam");
  const auto reported = [&](const Circuit& circuit) {
    options.assumptions = assumptions_of_program(circuit);
    return superoptimize(circuit, set, options).known_states;
  };
  std::vector<Operation> rounds{toffoli, measure(2, 0), reset(2), make_operation(cx, {0, 2}),
                                measure(2, 1)};
  CHECK(reported(classical_circuit(3, {2}, rounds)) == KnownStates{2, 0});
  rounds.insert(rounds.begin(), barrier({0, 1, 2}));
  rounds.push_back(barrier({0, 1, 2}));
  CHECK(reported(classical_circuit(3, {2}, rounds)) == KnownStates{0, 0});
  // The search cancels the rotations, and only then is the control |0>.
  const Angle angle = Angle::symbol("a");
  CHECK(reported(
            classical_circuit(2, {1},
                              {make_operation(rx, {0}, {angle}), make_operation(rx, {0}, {-angle}),
                               make_operation(cx, {0, 1}), measure(1, 0)})) == KnownStates{1, 0});
}

TEST_CASE("Programs without unobserved rotations are equal, with a journal", "[program][journal]") {
  const std::vector<GateKind> kinds{h, cx, cx, t, rz, rzz, s, sx, ccx};
  std::size_t removed = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(3 + below(random, 3));
    Circuit circuit = classical_circuit(qubits, {qubits}, {});
    circuit.operations = random_circuit(random, kinds, qubits, 25).operations;
    const auto middle = circuit.operations.begin() + static_cast<std::ptrdiff_t>(below(random, 20));
    circuit.operations.insert(middle, below(random, 2) == 0 ? reset(0) : measure(0, 0));
    for (Qubit qubit = 0; qubit < qubits; ++qubit) {
      if (below(random, 3) != 0) circuit.operations.push_back(measure(qubit, qubit));
      if (below(random, 4) != 0) circuit.operations.push_back(reset(qubit));
    }
    const circuit::DerivedCircuit derived = optimizer::simplify_around_resets(circuit).derived;
    const Circuit& result = derived.circuit;
    removed += circuit.operations.size() - result.operations.size();
    std::ostringstream written;
    journal::write_journal(written, circuit, derived.derivation.history());
    std::istringstream stream(written.str());
    const ReplayReport report = replay_journal(circuit, result, stream, "the journal");
    INFO(report.fault);
    CHECK(report.is_certified);
    const EquivalenceVerdict verdict = check_equivalence(circuit, result).verdict;
    CHECK(
        (verdict == EquivalenceVerdict::equal || verdict == EquivalenceVerdict::equal_up_to_phase));
  }
  CHECK(removed > 300);
}

TEST_CASE("SWAP gates are removed if qubits may end in another order", "[program]") {
  const std::vector<GateKind> kinds{h, cx, t, swap, swap, ccx};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Circuit circuit = random_circuit(random, kinds, 4, 20);
    const PermutedCircuit permuted = without_swaps(circuit);
    CHECK(std::ranges::count(permuted.circuit.operations, swap, &Operation::gate) == 0);
    const Circuit undone = with_permutation_undone(permuted.circuit, permuted.permutation);
    CHECK(check_equivalence(circuit, undone).verdict == EquivalenceVerdict::equal);
    CHECK(stated_permutation(with_stated_permutation(undone, permuted.permutation)) ==
          permuted.permutation);
  }
  // A swap before measurements only changes what is measured into which bit.
  const Circuit measured =
      classical_circuit(2, {2}, {make_operation(swap, {0, 1}), measure(0, 0), measure(1, 1)});
  const PermutedCircuit permuted = without_swaps(measured);
  CHECK(permuted.circuit.operations == std::vector<Operation>{measure(1, 0), measure(0, 1)});
  CHECK(permuted.permutation == OutputPermutation{1, 0});
}

TEST_CASE("Qubits are in their places where a pragma may name them", "[program]") {
  const std::string head = "OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[1] c; ";
  const std::string swaps = "h q[0]; swap q[0], q[1]; swap q[1], q[2]; t q[2]; ";
  const std::string pragma = "\n#pragma braket result expectation x(q[2])\n";
  const Circuit before = parse_qasm(head + swaps + pragma, "before.qasm");
  CHECK(without_swaps(before).permutation.empty());
  CHECK(std::ranges::count(without_swaps(before).circuit.operations, swap, &Operation::gate) == 2);
  // SWAP gates behind it are removed.
  const Circuit around = parse_qasm(head + swaps + pragma + swaps, "around.qasm");
  CHECK(without_swaps(around).permutation == OutputPermutation{1, 2, 0});
  CHECK(std::ranges::count(without_swaps(around).circuit.operations, swap, &Operation::gate) == 2);
  for (const Circuit& circuit : {before, around}) {
    const PermutedCircuit permuted = without_swaps(circuit);
    const Circuit undone = with_permutation_undone(permuted.circuit, permuted.permutation);
    CHECK(check_equivalence(circuit, undone).verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("Programs with loops are equal up to a permutation when they are read again",
          "[program]") {
  const Circuit input = parse_qasm(
      "OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[2] c; h q[0]; swap q[0], q[1]; "
      "swap q[1], q[2]; t q[2]; c[0] = measure q[0]; "
      "while (c[0]) { h q[0]; x q[1]; c[0] = measure q[0]; } c[1] = measure q[2];",
      "loop.qasm");
  const PermutedCircuit permuted = without_swaps(input);
  CHECK(permuted.permutation == OutputPermutation{1, 2, 0});
  const Circuit again = parse_qasm(write_qasm(permuted.circuit), "again.qasm");
  const Circuit undone = with_permutation_undone(again, permuted.permutation);
  CHECK(check_equivalence(input, undone).verdict == EquivalenceVerdict::equal);
  Circuit other = undone;
  other.operations.push_back(make_operation(t, {0}));
  CHECK(check_equivalence(input, other).verdict != EquivalenceVerdict::equal);
}

TEST_CASE("SWAP gates bring qubits back at the end of a loop's body", "[program][order]") {
  const auto removed = [](const std::string& body) {
    return without_swaps(
        parse_qasm("OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[2] c; " + body));
  };
  const auto operations = [](const std::string& body) {
    return parse_qasm("OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[2] c; " + body)
        .operations;
  };
  PermutedCircuit result =
      removed("while (c[0]) { swap q[0],q[1]; c[0] = measure q[0]; } c[1] = measure q[0];");
  CHECK(result.permutation.empty());
  CHECK(result.circuit.operations ==
        operations("while (c[0]) { c[0] = measure q[1]; swap q[0],q[1]; } c[1] = measure q[0];"));
  // The order at the start of the loop need not be that of the input, and stays behind it.
  result = removed("swap q[0],q[1]; while (c[0]) { swap q[1],q[2]; c[0] = measure q[1]; } h q[0];");
  CHECK(result.permutation == OutputPermutation{1, 0, 2});
  CHECK(result.circuit.operations ==
        operations("while (c[0]) { c[0] = measure q[2]; swap q[0],q[2]; } h q[1];"));
  // Bodies that leave the qubits where they were need no SWAP gate.
  result = removed("while (c[0]) { swap q[0],q[1]; h q[0]; swap q[0],q[1]; c[0] = measure q[0]; }");
  CHECK(result.circuit.operations == operations("while (c[0]) { h q[1]; c[0] = measure q[0]; }"));
  // The body of a loop in another one, and of a box, which is executed once.
  result = removed(
      "while (c[0]) { swap q[0],q[2]; while (c[1]) { swap q[0],q[1]; c[1] = measure q[0]; } "
      "swap q[0],q[2]; c[0] = measure q[0]; }");
  CHECK(result.circuit.operations ==
        operations("while (c[0]) { while (c[1]) { c[1] = measure q[1]; swap q[1],q[2]; } "
                   "c[0] = measure q[0]; }"));
  result = removed("box { swap q[0],q[1]; h q[0]; } h q[0];");
  CHECK(result.permutation == OutputPermutation{1, 0, 2});
  CHECK(result.circuit.operations == operations("box { h q[1]; } h q[1];"));
}

TEST_CASE("SWAP gates that undo a permutation are never within a block", "[program][order]") {
  const Circuit input = parse_qasm(
      "OPENQASM 3.0; include \"stdgates.inc\"; qubit[2] q; bit[2] c; h q[0]; while (c[0]) {\n"
      "#pragma note\nbox { x q[0]; } c[0] = measure q[0]; } box { h q[0]; } t q[0];");
  const Circuit undone = with_permutation_undone(input, {1, 0});
  std::vector<std::string> names;
  for (const Operation& operation : undone.operations) {
    if (operation.kind == OperationKind::opaque) names.push_back(operation.classical->opaque_name);
    if (operation.kind == OperationKind::gate) names.emplace_back(gate(operation.gate).name);
  }
  CHECK(names == Names{"h", "while (c[0]) {", "#pragma note", "box {", "x", "}", "}", "swap",
                       "box {", "h", "}", "t"});
}

TEST_CASE("Loops whose bodies move qubits are optimized in any order", "[program][order]") {
  const std::string head = "OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[3] c; x q[0]; ";
  SuperoptimizeOptions options;
  options.steps = 200;
  options.threads = 1;
  options.check = CheckPolicy::required;
  options.record_journal = true;
  options.cache.enabled = false;
  options.qubit_order = QubitOrder::free;
  for (const char* body :
       {"while (c[0]) { swap q[0],q[1]; c[0] = measure q[0]; } c[1] = measure q[0];",
        "while (c[0]) { cx q[0],q[1]; cx q[1],q[0]; cx q[0],q[1]; c[0] = measure q[0]; } "
        "c[1] = measure q[0];",
        "swap q[0],q[1]; while (c[0]) { swap q[1],q[2]; h q[1]; c[0] = measure q[1]; } "
        "swap q[0],q[2]; c[1] = measure q[0];",
        "while (c[0]) { while (c[1]) { swap q[0],q[2]; c[1] = measure q[2]; } reset q[0]; "
        "swap q[1],q[2]; c[0] = measure q[1]; } c[2] = measure q[0];",
        "for int i in [1:3] { swap q[0],q[1]; h q[0]; } while (c[0]) { for int i in [1:3] { "
        "swap q[1],q[2]; } if (c[1]) { swap q[0],q[1]; } c[0] = measure q[1]; }"}) {
    for (const char* name : {"nam", "ibm_heron"}) {
      for (const bool is_program : {false, true}) {
        INFO(name << ": " << body);
        const Circuit input = parse_qasm(head + body);
        if (is_program) options.assumptions = assumptions_of_program(input);
        const SuperoptimizeResult result = superoptimize(input, load_gate_set(name), options);
        options.assumptions = {};
        CHECK(result.check.verified == true);
        const EquivalenceVerdict verdict =
            check_equivalence_up_to_order(input, result.circuit, result.permutation,
                                          result.assumptions)
                .verdict;
        CHECK((verdict == EquivalenceVerdict::equal ||
               verdict == EquivalenceVerdict::equal_up_to_phase));
        std::istringstream journal(result.journal);
        ReplayOptions replay;
        replay.permutation = result.permutation;
        replay.swaps = SwapGates::removed;
        replay.assumptions = result.assumptions;
        CHECK(replay_journal(input, result.circuit, journal, "the journal", replay).is_certified);
      }
    }
  }
}

TEST_CASE("Permutations are composed, and wrong ones are refused", "[program]") {
  CHECK(composed({1, 2, 0}, {2, 0, 1}).empty());
  CHECK(composed({1, 0, 2}, {0, 2, 1}) == OutputPermutation{2, 0, 1});
  CHECK(composed({}, {1, 0}) == OutputPermutation{1, 0});
  Circuit circuit = make_circuit(3, {make_operation(h, {0})});
  CHECK(stated_permutation(circuit).empty());
  CHECK_THROWS_AS(with_permutation_undone(circuit, {0, 1, 1}), UsageError);
  for (const char* text : {"[0, 1]", "[0, 1, 1]", "[0, 1, 3]", "[0,1,2]", "[0, 1, 2", "0, 1, 2]",
                           "[0, 1, 99999999999]", "[]", ""}) {
    INFO(text);
    circuit.header_comments = {std::string("output permutation: ") + text};
    CHECK_THROWS_AS(stated_permutation(circuit), InputError);
  }
}

TEST_CASE("Results with a free order state the permutation", "[program][journal]") {
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options;
  options.steps = 200;
  options.threads = 1;
  options.check = CheckPolicy::required;
  options.record_journal = true;
  options.cache.enabled = false;
  options.qubit_order = QubitOrder::free;
  const Circuit input = make_circuit(
      3, {make_operation(h, {0}), make_operation(swap, {0, 1}), make_operation(cx, {1, 2})});
  const SuperoptimizeResult result = superoptimize(input, set, options);
  CHECK(result.permutation == OutputPermutation{1, 0, 2});
  CHECK(stated_permutation(result.circuit) == result.permutation);
  CHECK(gate_names(result.circuit) == Names{"h", "cx"});
  // An input that states a permutation itself is followed by that of its result.
  const SuperoptimizeResult again =
      superoptimize(with_stated_permutation(input, {2, 1, 0}), set, options);
  CHECK(stated_permutation(again.circuit) == composed({2, 1, 0}, {1, 0, 2}));
}

TEST_CASE("The last gates on two qubits use that the qubits may be exchanged", "[program]") {
  const GateSet set = load_gate_set("rigetti_ankaa");
  SuperoptimizeOptions options;
  options.steps = 50;
  options.threads = 1;
  options.check = CheckPolicy::required;
  options.cache.enabled = false;
  options.qubit_order = QubitOrder::free;
  // A CNOT takes two iswap gates, and one if a SWAP gate follows; the first CNOT is not the last
  // gate on its qubits until the second one is followed by a SWAP gate, and stays as it is.
  const Circuit input = classical_circuit(
      3, {2},
      {make_operation(cx, {0, 1}), make_operation(cx, {1, 2}), barrier({0, 1, 2}), measure(2, 0)});
  const auto iswaps = [](const SuperoptimizeResult& result) {
    return std::ranges::count(result.circuit.operations, GateKind::iswap, &Operation::gate);
  };
  options.coupling = CouplingOfCircuit{};
  const SuperoptimizeResult coupled = superoptimize(input, set, options);
  CHECK(coupled.permutation == OutputPermutation{0, 2, 1});
  CHECK(iswaps(coupled) == 3);
  CHECK(coupled.circuit.operations.back() == measure(1, 0));
  options.qubit_order = QubitOrder::keep;
  CHECK(iswaps(superoptimize(input, set, options)) == 4);
}

TEST_CASE("Replacements with an output permutation are equal up to it", "[program]") {
  const std::vector<GateKind> kinds{h, cx, cx, t, swap};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Circuit gates = random_circuit(random, kinds, 4, 20);
    std::vector<Operation> operations = gates.operations;
    if (seed % 5 == 1) operations.push_back(barrier({0, 1, 2, 3}));
    for (Qubit qubit = 0; qubit < seed % 3; ++qubit) operations.push_back(measure(qubit, qubit));
    const Circuit circuit = classical_circuit(4, {2}, operations);
    OutputPermutation permutation{0, 1, 2, 3};
    for (std::uint64_t i = 0; i < seed; ++i) std::ranges::next_permutation(permutation);
    for (const SwapGates swaps : {SwapGates::removed, SwapGates::kept}) {
      const Circuit replacement = with_output_permutation(circuit, permutation, swaps);
      CHECK(check_equivalence(circuit, with_permutation_undone(replacement, permutation)).verdict ==
            EquivalenceVerdict::equal);
    }
    const OutputPermutation first{2, 0, 3, 1};
    CHECK(composed(first, remaining_permutation(first, permutation)) ==
          composed({}, std::ranges::is_sorted(permutation) ? OutputPermutation() : permutation));
  }
}

TEST_CASE("Three CNOTs that make a SWAP gate are removed like one", "[program]") {
  const Operation forth = make_operation(cx, {0, 1});
  const Operation back = make_operation(cx, {1, 0});
  const auto names_without = [](const std::vector<Operation>& operations) {
    return gate_names(without_swaps(make_circuit(3, operations)).circuit);
  };
  CHECK(without_swaps(make_circuit(2, {forth, back, forth})).permutation ==
        OutputPermutation{1, 0});
  CHECK(names_without({forth, back, forth}).empty());
  CHECK(names_without({forth, back, make_operation(h, {2}), forth}) == Names{"h"});
  CHECK(names_without({forth, back, make_operation(h, {1}), forth}).size() == 4);
  CHECK(names_without({forth, forth, forth}).size() == 3);
  CHECK(names_without({forth, back, back}).size() == 3);
  CHECK(names_without({forth, back, forth, back}) == Names{"cx"});
  // The SWAP gate in the middle makes the outer CNOTs one.
  CHECK(names_without({forth, make_operation(cx, {1, 2}), make_operation(cx, {2, 1}),
                       make_operation(cx, {1, 2}), forth}) == Names{"cx", "cx"});
}

TEST_CASE("Measurements that are not final stay where they are", "[program]") {
  const Operation guarded = conditional(make_operation(h, {1}), 0, 1);
  const Circuit circuit =
      classical_circuit(2, {1}, {measure(0, 0), guarded, make_operation(cx, {0, 1})});
  const Circuit replacement = with_output_permutation(circuit, {1, 0}, SwapGates::kept);
  CHECK(replacement.operations == std::vector<Operation>{measure(0, 0), guarded,
                                                         make_operation(cx, {0, 1}),
                                                         make_operation(swap, {0, 1})});
  CHECK_THROWS_AS(with_output_permutation(circuit, {1, 1}, SwapGates::kept), UsageError);
}

TEST_CASE("A SWAP gate in the middle of a program is free, and in its journal",
          "[program][journal]") {
  // Two CNOTs in both directions, and gates behind them on other pairs.
  std::vector<Operation> operations{
      make_operation(h, {0}),     make_operation(cx, {0, 1}), make_operation(cx, {1, 0}),
      make_operation(t, {0}),     make_operation(h, {1}),     make_operation(cx, {1, 2}),
      make_operation(t, {2}),     make_operation(h, {2}),     make_operation(cx, {2, 3}),
      make_operation(tdg, {3}),   make_operation(cx, {3, 0}), make_operation(h, {0}),
      make_operation(cx, {0, 2}),
  };
  for (Qubit qubit = 0; qubit < 4; ++qubit) operations.push_back(measure(qubit, qubit));
  const Circuit input = classical_circuit(4, {4}, std::move(operations));
  SuperoptimizeOptions options;
  options.cost = CostKind::two_qubit;
  options.steps = 3000;
  options.threads = 1;
  options.record_journal = true;
  options.cache.enabled = false;
  const GateSet set = load_gate_set("nam");
  const auto two_qubit_gates = [](const Circuit& circuit) {
    return std::ranges::count_if(circuit.operations, [](const Operation& each) {
      return each.kind == OperationKind::gate && each.qubits.size() == 2;
    });
  };
  const SuperoptimizeResult kept = superoptimize(input, set, options);
  options.qubit_order = QubitOrder::free;
  const SuperoptimizeResult result = superoptimize(input, set, options);
  CHECK(two_qubit_gates(kept.circuit) == 6);
  CHECK(two_qubit_gates(result.circuit) == 5);
  CHECK(result.permutation == OutputPermutation{1, 0, 2, 3});
  CHECK(result.check.verified == true);
  const auto replay = [&](const OutputPermutation& permutation) {
    std::istringstream journal(result.journal);
    ReplayOptions replay_options;
    replay_options.permutation = permutation;
    return replay_journal(input, result.circuit, journal, "the journal", replay_options);
  };
  CHECK(replay(result.permutation).is_certified);
  CHECK_FALSE(replay({}).is_certified);
}

TEST_CASE("Programs are optimized between their assumptions, with a journal",
          "[program][journal]") {
  const auto name = GENERATE("nam", "ibm_heron", "clifford_t");
  const GateSet set = load_gate_set(name);
  const std::vector<GateKind> kinds{h, x, cx, cx, cz, t, s, ccx, swap, tdg};
  SuperoptimizeOptions options;
  options.steps = 300;
  options.threads = 1;
  options.check = CheckPolicy::required;
  options.check_seconds = 60;
  options.record_journal = true;
  options.cache.enabled = false;
  std::size_t fewer = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    INFO(name << ", seed " << seed);
    Random random(seed);
    std::vector<Operation> operations = random_circuit(random, kinds, 4, 16).operations;
    for (Qubit qubit = 0; qubit < 1 + below(random, 4); ++qubit) {
      operations.push_back(measure(qubit, qubit));
    }
    const Circuit input = classical_circuit(4, {4}, std::move(operations));
    options.assumptions = {};
    const SuperoptimizeResult plain = superoptimize(input, set, options);
    options.assumptions = assumptions_of_program(input);
    const SuperoptimizeResult result = superoptimize(input, set, options);
    CHECK(result.assumptions == options.assumptions);
    std::istringstream journal(result.journal);
    CHECK(replay_journal(with_assumptions(input, options.assumptions),
                         with_assumptions(result.circuit, options.assumptions), journal,
                         "the journal")
              .is_certified);
    if (result.circuit.operations.size() < plain.circuit.operations.size()) ++fewer;
  }
  CHECK(fewer >= 3);
}
