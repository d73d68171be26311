#include <catch2/catch.hpp>
#include <functional>
#include <sstream>

#include "circuit/permutation/final_swaps.hpp"
#include "journal/history_writer.hpp"
#include "journal/journal_writer.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"

using namespace quartz;
using namespace quartz::test;
using journal::JournalWriter;
using enum GateKind;

namespace {

ReplayReport replay_up_to(const Circuit& input, const Circuit& output, const std::string& journal,
                          const OutputPermutation& permutation) {
  ReplayOptions options;
  options.permutation = permutation;
  return replay(input, output, journal, options);
}

std::string written(const Circuit& input, const std::function<void(JournalWriter&)>& write) {
  std::ostringstream out;
  JournalWriter writer(out, input.operations.size());
  write(writer);
  writer.finish();
  return out.str();
}

/// Returns why a SWAP gate at two places is refused; empty if it is not.
std::string fault_of_swap(const Circuit& input, JournalWriter::Place first,
                          JournalWriter::Place second) {
  const std::string journal = written(input, [&](JournalWriter& writer) {
    writer.swap({first, second});
  });
  return replay_up_to(input, input, journal, {1, 0}).fault;
}

}  // namespace

TEST_CASE("A SWAP gate before final operations moves these to the other wire", "[replay]") {
  const Circuit input = classical_circuit(
      2, {2}, {make_operation(h, {0}), barrier({1, 0}), measure(0, 0), reset(0), measure(1, 1)});
  const Circuit output =
      classical_circuit(2, {2},
                        {make_operation(h, {0}), make_operation(swap, {0, 1}), barrier({0, 1}),
                         measure(1, 0), reset(1), measure(0, 1)});
  const std::string journal = written(input, [](JournalWriter& writer) {
    writer.swap({{{0, 1}, {1, 0}}});
  });
  const ReplayReport report = replay_up_to(input, output, journal, {1, 0});
  INFO(report.fault);
  CHECK(report.is_certified);
  CHECK(report.steps == 1);
  CHECK(replay_up_to(input, output, journal, {}).fault ==
        "the output permutation of the journal is [1, 0], expected [0, 1]");
  CHECK_FALSE(replay_up_to(input, output, journal, {0, 1}).is_certified);
  CHECK_FALSE(replay_up_to(input, input, journal, {1, 0}).is_certified);
}

TEST_CASE("A SWAP gate is refused if anything behind it is not final", "[replay]") {
  const std::string not_final = "step 1: an operation behind the SWAP gate is not final";
  const Circuit gates = make_circuit(2, {make_operation(h, {0}), make_operation(cx, {0, 1})});
  CHECK(fault_of_swap(gates, {0, 1}, {1, 0}) == not_final);
  CHECK(fault_of_swap(gates, {0, 0}, {1, 2}) == "step 1: a path leaves the window and returns");
  CHECK(fault_of_swap(gates, {0, 2}, {0, 2}) ==
        "step 1: wire 0: the wire is already in the window");
  CHECK(fault_of_swap(gates, {0, 2}, {2, 0}) == "step 1: the wire does not exist");
  CHECK(fault_of_swap(gates, {0, 3}, {1, 2}) == "step 1: operation 2 does not exist");
  // A barrier that reaches a gate on another qubit.
  const Circuit behind_barrier = make_circuit(3, {barrier({1, 2}), make_operation(h, {2})});
  CHECK(fault_of_swap(behind_barrier, {0, 0}, {1, 0}) == not_final);
  // A measurement whose outcome decides about a gate elsewhere.
  const Circuit tested =
      classical_circuit(3, {1}, {measure(0, 0), conditional(make_operation(x, {2}), 0, 1)});
  CHECK(fault_of_swap(tested, {0, 0}, {1, 0}) == not_final);
  // A measurement that overwrites such an outcome.
  const Circuit overwritten =
      classical_circuit(3, {1}, {conditional(make_operation(x, {2}), 0, 1), measure(0, 0)});
  CHECK(fault_of_swap(overwritten, {0, 0}, {1, 0}).find("not final") == std::string::npos);
  // An operation under a condition.
  const Circuit guarded =
      classical_circuit(2, {1, 1}, {measure(1, 1), conditional(reset(0), 1, 1)});
  CHECK(fault_of_swap(guarded, {0, 0}, {1, 1}) == not_final);
}

TEST_CASE("Random SWAP gates before final operations are certified with their permutation",
          "[replay][journal]") {
  const std::vector<GateKind> kinds{h, cx, t, ccx, rz};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(3 + below(random, 3));
    std::vector<Operation> operations = random_circuit(random, kinds, qubits, 8).operations;
    for (Qubit qubit = 0; qubit < qubits; ++qubit) {
      if (below(random, 3) == 0) operations.push_back(barrier({qubit, (qubit + 1) % qubits}));
      if (below(random, 2) == 0) operations.push_back(measure(qubit, qubit));
      if (below(random, 3) == 0) operations.push_back(reset(qubit));
    }
    const Circuit input = classical_circuit(qubits, {qubits}, std::move(operations));
    std::vector<std::array<Qubit, 2>> pairs(1 + below(random, 4));
    for (auto& [a, b] : pairs) {
      a = static_cast<Qubit>(below(random, qubits));
      b = static_cast<Qubit>((a + 1 + below(random, qubits - 1)) % qubits);
    }
    const circuit::FinalSwaps swaps = circuit::with_final_swaps(input, pairs);
    std::ostringstream out;
    (void)journal::write_journal(out, input, swaps.history);
    const ReplayReport report = replay_up_to(input, swaps.circuit, out.str(), swaps.permutation);
    INFO(report.fault);
    CHECK(report.is_certified);
    CHECK(report.steps == pairs.size());
    // with_output_permutation() brings the qubits to the same places by other SWAP gates.
    const Circuit same = with_output_permutation(input, swaps.permutation, SwapGates::kept);
    std::vector<Operation> finals(swaps.circuit.operations.begin() +
                                      static_cast<std::ptrdiff_t>(swaps.first_swap + pairs.size()),
                                  swaps.circuit.operations.end());
    CHECK(std::equal(finals.rbegin(), finals.rend(), same.operations.rbegin()));
  }
}
