#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "journal/journal_writer.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/certify/qubit_order.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/qasm/qasm.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"

using namespace quartz;
using namespace quartz::test;
using journal::JournalWriter;
using enum GateKind;

namespace {

Circuit program_of(const std::string& body) {
  return parse_qasm("OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[3] c;\n" + body);
}

bool is_proved(const EquivalenceReport& report) {
  UNSCOPED_INFO(report.method << ": " << report.witness);
  return report.verdict == EquivalenceVerdict::equal ||
         report.verdict == EquivalenceVerdict::equal_up_to_phase;
}

/// A program with a loop, and one that is wrong because its permutation is carried through the
/// loop.
struct WrongPair {
  const char* program;
  const char* wrong;
  OutputPermutation permutation;
};

/// What became of loops whose bodies move qubits when every SWAP gate was removed as if the body
/// were executed once.
const std::vector<WrongPair>& wrong_pairs() {
  static const std::vector<WrongPair> pairs{
      {"x q[0]; while (c[0]) { swap q[0],q[1]; c[0] = measure q[0]; } c[1] = measure q[0];",
       "x q[0]; while (c[0]) { c[0] = measure q[1]; } c[1] = measure q[1];",
       {1, 0, 2}},
      {"x q[0]; while (c[0]) { cx q[0],q[1]; cx q[1],q[0]; cx q[0],q[1]; c[0] = measure q[0]; } "
       "c[1] = measure q[0];",
       "x q[0]; while (c[0]) { c[0] = measure q[1]; } c[1] = measure q[1];",
       {1, 0, 2}},
      {"swap q[0],q[1]; x q[0]; while (c[0]) { swap q[1],q[2]; h q[1]; c[0] = measure q[1]; } "
       "swap q[0],q[2]; c[1] = measure q[0];",
       "x q[1]; while (c[0]) { h q[2]; c[0] = measure q[2]; } c[1] = measure q[0];",
       {0, 2, 1}},
      {"x q[0]; while (c[0]) { while (c[1]) { swap q[0],q[2]; c[1] = measure q[0]; } "
       "c[0] = measure q[0]; } c[2] = measure q[0];",
       "x q[0]; while (c[0]) { while (c[1]) { c[1] = measure q[2]; } c[0] = measure q[2]; } "
       "c[2] = measure q[2];",
       {2, 1, 0}},
      {"x q[0]; while (c[0]) { box { swap q[0],q[1]; reset q[1]; } c[0] = measure q[0]; }",
       "x q[0]; while (c[0]) { box { reset q[0]; } c[0] = measure q[1]; }",
       {1, 0, 2}},
      // Three executions of the body of a `for` leave what one leaves, but not within a `while`.
      {"x q[0]; while (c[0]) { for int i in [1:3] { swap q[0],q[1]; } c[0] = measure q[0]; }",
       "x q[0]; while (c[0]) { c[0] = measure q[1]; }",
       {1, 0, 2}},
  };
  return pairs;
}

/// Returns a journal without a step that leads from a circuit to itself.
std::string journal_of(const Circuit& circuit) {
  std::ostringstream out;
  JournalWriter writer(out, circuit.operations.size());
  writer.finish();
  return out.str();
}

ReplayReport replay_in_order(const Circuit& input, const Circuit& output,
                             const std::string& journal, const OutputPermutation& permutation) {
  ReplayOptions options;
  options.permutation = permutation;
  options.swaps = SwapGates::removed;
  return replay(input, output, journal, options);
}

}  // namespace

TEST_CASE("A permutation that a loop would carry is refused by the order of the qubits",
          "[order]") {
  for (const auto& [body, wrong, permutation] : wrong_pairs()) {
    INFO(body);
    CHECK(fault_of_order(program_of(body), program_of(wrong), permutation).reason() ==
          "the circuits do not have the same operations up to the order of their qubits");
  }
}

TEST_CASE("A permutation that a loop would carry is never found equal", "[order]") {
  for (const auto& [body, wrong, permutation] : wrong_pairs()) {
    INFO(body);
    CHECK_FALSE(
        is_proved(check_equivalence_up_to_order(program_of(body), program_of(wrong), permutation)));
    CHECK_FALSE(is_proved(check_equivalence_up_to_order(program_of(body), program_of(wrong), {})));
  }
}

TEST_CASE("A permutation that a loop would carry is refused by the replay", "[order][replay]") {
  for (const auto& [body, wrong, permutation] : wrong_pairs()) {
    INFO(body);
    const Circuit input = program_of(body);
    const Circuit output = program_of(wrong);
    CHECK_FALSE(replay_in_order(input, output, journal_of(output), permutation).is_certified);
    // A journal whose figures fit the program that it begins with.
    const Circuit first = without_swaps(input).circuit;
    CHECK_FALSE(replay_in_order(input, output, journal_of(first), permutation).is_certified);
    CHECK_FALSE(replay_in_order(input, first, journal_of(first), permutation).is_certified);
    CHECK(replay_in_order(input, first, journal_of(first), without_swaps(input).permutation)
              .is_certified);
  }
}

TEST_CASE("A final SWAP gate in the body of a loop is refused", "[order][replay]") {
  const Circuit input = program_of("while (c[0]) { h q[0]; c[0] = measure q[0]; }");
  std::ostringstream out;
  JournalWriter writer(out, input.operations.size());
  writer.swap({{{0, 3}, {1, 1}}});  // behind the measurement, and behind the start of the loop
  writer.finish();
  std::istringstream stream(out.str());
  CHECK(replay_journal(input, input, stream, "the journal").fault ==
        "step 1: an operation behind the SWAP gate is not final");
}

TEST_CASE("Programs whose loops move qubits are equal to themselves without SWAP gates",
          "[order][replay]") {
  for (const char* body :
       {"x q[0]; while (c[0]) { swap q[0],q[1]; c[0] = measure q[0]; } c[1] = measure q[0];",
        "swap q[0],q[1]; x q[0]; while (c[0]) { swap q[1],q[2]; h q[1]; c[0] = measure q[1]; } "
        "swap q[0],q[2]; c[1] = measure q[0];",
        "while (c[0]) { swap q[0],q[1]; swap q[1],q[2]; while (c[1]) { h q[0]; swap q[0],q[2]; "
        "c[1] = measure q[2]; } c[0] = measure q[0]; } reset q[0];",
        "swap q[0],q[2]; while (c[0]) { swap q[0],q[1]; h q[0]; swap q[0],q[1]; "
        "c[0] = measure q[0]; } h q[0]; reset q[1];",
        "box { swap q[0],q[1]; c[0] = measure q[0]; } while (c[0]) { box { swap q[0],q[1]; } "
        "c[0] = measure q[0]; } c[1] = measure q[0];",
        "if (c[0]) { swap q[0],q[1]; } swap q[1],q[2]; reset q[2]; if (c[1]) { h q[2]; }",
        "switch (c) { case 1 { swap q[0],q[1]; } default { h q[0]; } } swap q[0],q[1]; t q[0];",
        "while (c[0]) { swap q[0],q[1];\n#pragma note\nh q[0]; swap q[1],q[2]; "
        "c[0] = measure q[1]; } t q[0];",
        "swap q[0],q[2]; while (c[0]) { h q[0];\n#pragma note\nc[0] = measure q[1]; } t q[0];"}) {
    INFO(body);
    const Circuit input = program_of(body);
    const auto [removed, permutation] = without_swaps(input);
    CHECK_FALSE(fault_of_order(input, removed, permutation));
    CHECK(is_proved(check_equivalence_up_to_order(input, removed, permutation)));
    CHECK(replay_in_order(input, removed, journal_of(removed), permutation).is_certified);
    // Other permutations are made by SWAP gates before what is final.
    for (OutputPermutation other{0, 1, 2}; std::ranges::next_permutation(other).found;) {
      const Circuit replaced = with_output_permutation(input, other, SwapGates::removed);
      CHECK_FALSE(fault_of_order(input, replaced, other));
      CHECK(is_proved(check_equivalence_up_to_order(input, replaced, other)));
      const Circuit undone = with_permutation_undone(replaced, other);
      CHECK_FALSE(fault_of_order(input, undone, {}));
      OutputPermutation next = other;
      std::ranges::next_permutation(next);
      CHECK(fault_of_order(input, replaced, next));
    }
  }
}

TEST_CASE("Orders of qubits in circuits with other differences are refused", "[order]") {
  const Circuit circuit = program_of("h q[0]; swap q[0],q[1]; cx q[1],q[2]; c[0] = measure q[2];");
  const auto fault = [&](const char* body, const OutputPermutation& permutation) {
    return fault_of_order(circuit, program_of(body), permutation);
  };
  const OutputPermutation swapped{1, 0, 2};
  CHECK_FALSE(fault("h q[0]; cx q[0],q[2]; c[0] = measure q[2];", swapped));
  CHECK(fault("h q[0]; cx q[0],q[2]; c[0] = measure q[2];", {}));
  CHECK(fault("h q[0]; cx q[0],q[2]; c[0] = measure q[2];", {2, 0, 1}));
  CHECK(fault("h q[1]; cx q[0],q[2]; c[0] = measure q[2];", swapped));
  CHECK(fault("h q[0]; cx q[2],q[0]; c[0] = measure q[2];", swapped));
  CHECK(fault("cx q[0],q[2]; h q[0]; c[0] = measure q[2];", swapped));
  CHECK(fault("h q[0]; cx q[0],q[2]; c[1] = measure q[2];", swapped));
  CHECK(fault("h q[0]; cx q[0],q[2]; c[0] = measure q[0];", swapped));
  CHECK(fault("h q[0]; cx q[0],q[2]; c[0] = measure q[2]; t q[1];", swapped));
  CHECK(fault("h q[0]; cx q[0],q[2]; c[0] = measure q[2]; gphase(pi/2);", swapped));
  CHECK(fault("h q[0]; cx q[0],q[2]; if (c[1]) { c[0] = measure q[2]; }", swapped));
  Circuit unbalanced = circuit;
  unbalanced.operations.push_back(program_of("box { }").operations.back());
  CHECK(fault_of_order(unbalanced, unbalanced, {}).reason() == "a block ends that has not begun");
  unbalanced = circuit;
  unbalanced.operations.push_back(program_of("box { }").operations.front());
  CHECK(fault_of_order(unbalanced, unbalanced, {}).reason() == "a block does not end");
}

TEST_CASE("Classical operations keep their order where qubits are in another one", "[order]") {
  const Circuit circuit =
      program_of("c[0] = measure q[0]; if (c[0]) { x q[1]; } c[0] = measure q[2];");
  CHECK(fault_of_order(
      circuit, program_of("if (c[0]) { x q[1]; } c[0] = measure q[0]; c[0] = measure q[2];"), {}));
  CHECK(fault_of_order(
      circuit, program_of("c[0] = measure q[0]; c[0] = measure q[2]; if (c[0]) { x q[1]; }"), {}));
}

TEST_CASE("The order of random programs with loops is proved, and changes of them are not",
          "[order]") {
  std::size_t moved = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    std::string body;
    std::size_t open = 0;
    for (int i = 0; i < 14; ++i) {
      const auto a = below(random, 3);
      const auto b = (a + 1 + below(random, 2)) % 3;
      const std::string first = "q[" + std::to_string(a) + "]";
      const std::string second = "q[" + std::to_string(b) + "]";
      switch (below(random, 8)) {
        case 0:
        case 1:
          body += "swap " + first + "," + second + "; ";
          break;
        case 2:
          body += "cx " + first + "," + second + "; cx " + second + "," + first + "; cx " + first +
                  "," + second + "; ";
          break;
        case 3:
          body += "h " + first + "; ";
          break;
        case 4:
          body +=
              below(random, 2) == 0 ? "c[0] = measure " + first + "; " : "reset " + first + "; ";
          break;
        case 5:
          body += below(random, 3) == 0 ? "box { " : "while (c[0]) { ";
          ++open;
          break;
        case 6:
          if (open > 0) {
            body += "} ";
            --open;
          }
          break;
        default:
          body += "cx " + first + "," + second + "; ";
      }
    }
    for (; open > 0; --open) body += "} ";
    const Circuit input = program_of(body);
    INFO(body);
    const auto [removed, permutation] = without_swaps(input);
    if (!permutation.empty()) ++moved;
    CHECK_FALSE(fault_of_order(input, removed, permutation));
    CHECK(replay_in_order(input, removed, journal_of(removed), permutation).is_certified);
    Circuit other = removed;
    if (other.operations.empty()) continue;
    // One SWAP gate too many, anywhere.
    const auto place = static_cast<std::ptrdiff_t>(below(random, other.operations.size() + 1));
    other.operations.insert(other.operations.begin() + place, make_operation(swap, {0, 1}));
    CHECK(fault_of_order(input, other, permutation));
  }
  CHECK(moved > 50);
}
