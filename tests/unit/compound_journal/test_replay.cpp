#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

Circuit program(const std::string& statements) {
  return parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[5];" + statements);
}

/// A Toffoli gate with three controls, by an ancilla that may be in any state.
const char* const kToffolis = R"(
  ccx q[0],q[1],q[3]; ccx q[3],q[2],q[4]; ccx q[0],q[1],q[3]; ccx q[3],q[2],q[4];)";
/// Two bonds of a Heisenberg chain, as XX + YY + ZZ each.
const char* const kBonds = R"(rxx(0.2) q[0],q[1]; ryy(0.2) q[0],q[1]; rzz(0.2) q[0],q[1];
  rxx(0.2) q[2],q[3]; ryy(0.2) q[2],q[3]; rzz(0.2) q[2],q[3];)";

SuperoptimizeOptions options_with(std::uint32_t ancillas) {
  SuperoptimizeOptions options;
  options.cost = Cost({CostKind::t, CostKind::total});
  options.steps = 5'000;
  options.threads = 1;
  options.cache.enabled = false;
  options.ancillas = ancillas;
  options.record_journal = true;
  return options;
}

EquivalenceReport replayed(const Circuit& input, const Circuit& output, std::string_view journal,
                           double epsilon = 0) {
  EquivalenceOptions options;
  options.ancillas = true;
  options.epsilon = epsilon;
  return replay_compound_journal(input, output, journal, "the journal", options);
}

}  // namespace

TEST_CASE("The journal of a result with gadgets certifies it") {
  const Circuit circuit = program(kToffolis);
  const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("nam"), options_with(4));
  REQUIRE(result.ancillas > 0);
  REQUIRE(is_compound_journal(result.journal));
  const EquivalenceReport report = replayed(circuit, result.circuit, result.journal);
  CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK(report.distance == 0);

  // No other circuit.
  for (std::size_t i = 0; i < result.circuit.operations.size(); i += 11) {
    Circuit other = result.circuit;
    other.operations.erase(other.operations.begin() + static_cast<std::ptrdiff_t>(i));
    CAPTURE(i);
    CHECK(replayed(circuit, other, result.journal).verdict == EquivalenceVerdict::undecided);
  }
  // Not from another input.
  CHECK(replayed(program(std::string(kToffolis) + "z q[0];"), result.circuit, result.journal)
            .verdict == EquivalenceVerdict::undecided);
  // Only with ancillas.
  CHECK(
      replay_compound_journal(circuit, result.circuit, result.journal, "the journal", {}).verdict ==
      EquivalenceVerdict::undecided);
  // Only with all of its parts.
  const std::vector<JournalPart> parts = parts_of_journal(result.journal, "the journal");
  REQUIRE(parts.size() > 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Without the barriers, the circuit is as it was, and a comparison behind a part may prove
    // both.
    const bool is_compared_later =
        i + 1 < parts.size() && std::holds_alternative<ComparedPart>(parts[i + 1]);
    if (std::holds_alternative<BarrierPart>(parts[i]) || is_compared_later) continue;
    std::vector<JournalPart> fewer = parts;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    CAPTURE(i);
    try {
      const EquivalenceReport other = replayed(circuit, result.circuit, compound_journal(fewer));
      CHECK(other.verdict == EquivalenceVerdict::undecided);
    } catch (const InputError&) {
      // The rewrites name operations that another circuit does not have.
    }
  }
}

TEST_CASE("The journal of a result with adders certifies it within the distance") {
  constexpr double kEpsilon = 1e-2;
  const Circuit circuit = program(kBonds);
  SuperoptimizeOptions options = options_with(1);
  options.epsilon = kEpsilon;
  const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("clifford_t"), options);
  REQUIRE(result.adders > 0);
  REQUIRE(is_compound_journal(result.journal));
  const EquivalenceReport report = replayed(circuit, result.circuit, result.journal, kEpsilon);
  CHECK(report.verdict == EquivalenceVerdict::within_epsilon);
  REQUIRE(report.distance);
  CHECK(*report.distance <= kEpsilon);
  CHECK(replayed(circuit, result.circuit, result.journal, *report.distance / 2).verdict ==
        EquivalenceVerdict::undecided);
  CHECK(replayed(program(std::string(kBonds) + "rz(0.1) q[0];"), result.circuit, result.journal,
                 kEpsilon)
            .verdict == EquivalenceVerdict::undecided);

  std::vector<JournalPart> parts = parts_of_journal(result.journal, "the journal");
  const auto replacements = std::find_if(parts.begin(), parts.end(), [](const JournalPart& part) {
    return std::holds_alternative<ReplacementPart>(part);
  });
  REQUIRE(replacements != parts.end());
  ReplacementPart& part = std::get<ReplacementPart>(*replacements);
  // Not with an ancilla that was used and is not reset.
  const ReplacementPart unchanged = part;
  for (Replacement& each : part.replacements) {
    std::erase_if(each.inserted, [](const Operation& operation) {
      return operation.kind == OperationKind::reset;
    });
  }
  CHECK(replayed(circuit, result.circuit, compound_journal(parts), kEpsilon).verdict ==
        EquivalenceVerdict::undecided);
  part = unchanged;
  // Not with a replacement left out.
  part.replacements.pop_back();
  CHECK(replayed(circuit, result.circuit, compound_journal(parts), kEpsilon).verdict ==
        EquivalenceVerdict::undecided);
}

TEST_CASE("A global phase that no part of a journal makes is a difference") {
  const Circuit input = program("h q[0];");
  Circuit turned = input;
  turned.global_phase = parse_angle("pi/4");
  for (const std::string& journal : {compound_journal({}), compound_journal({BarrierPart{0}}),
                                     compound_journal({ComparedPart{input}})}) {
    CHECK(replayed(input, input, journal).verdict == EquivalenceVerdict::equal);
    const EquivalenceReport report = replayed(input, turned, journal);
    CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
    REQUIRE(report.phase);
    CHECK(*report.phase == Approx(0.785398163397448));
  }
}

TEST_CASE("The journal of a result without ancillas has a part for each search that found more") {
  // A Hadamard gate between T gates that do not become fewer, and gates for annealing.
  std::string statements;
  for (const char* const control : {"0", "1", "2", "3"}) {
    statements += fmt::format(
        "t q[{0}]; h q[{0}]; t q[{0}]; cx q[{0}],q[4]; t q[4]; cx q[4],q[{0}];", control);
  }
  std::size_t with_two = 0;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    CAPTURE(seed);
    FastRandom random(seed);
    std::string gates;
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t first = random.below(5);
      const std::uint64_t second = random.below(5);
      gates += first == second ? fmt::format("h q[{}];", first)
                               : fmt::format("cx q[{}],q[{}];", first, second);
    }
    const Circuit circuit = program(statements + gates);
    SuperoptimizeOptions options = options_with(4);
    options.steps = 20;
    const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("nam"), options);
    REQUIRE(result.ancillas == 0);
    if (!is_compound_journal(result.journal)) continue;
    ++with_two;
    CHECK(parts_of_journal(result.journal, "the journal").size() == 2);
    CHECK(replay_compound_journal(circuit, result.circuit, result.journal, "the journal", {})
              .verdict == EquivalenceVerdict::equal);
  }
  CHECK(with_two > 0);
}
