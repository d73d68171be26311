#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

#include "identities.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/unitary.hpp"
#include "random_pairs.hpp"

using namespace quartz;
using enum GateKind;

namespace {

std::vector<std::unique_ptr<Prover>> provers() {
  std::vector<std::unique_ptr<Prover>> both;
  both.push_back(make_exact_prover());
  both.push_back(make_z3_prover());
  return both;
}

struct ReadWitness {
  Bindings parameters;
  std::size_t row = 0;
  std::size_t column = 0;
  Complex left;
  Complex right;
};

/// Parses "p0 = 0.5, p1 = 2: entry (row 3, column 5) is 1+0i on the left side and ...".
std::optional<ReadWitness> read_witness(const std::string& text) {
  ReadWitness witness;
  const std::size_t entry = text.find("entry ");
  if (entry == std::string::npos) return std::nullopt;
  for (std::size_t at = 0; at < entry;) {
    std::size_t end = text.find_first_of(",:", at);
    const std::size_t equals = text.find(" = ", at);
    if (end == std::string::npos || equals > end) return std::nullopt;
    witness.parameters[text.substr(at, equals - at)] =
        std::stod(text.substr(equals + 3, end - equals - 3));
    at = end + 2;
  }
  double numbers[4] = {};
  if (std::sscanf(
          text.c_str() + entry,
          "entry (row %zu, column %zu) is %lf%lfi on the left side and %lf%lfi on the right side",
          &witness.row, &witness.column, &numbers[0], &numbers[1], &numbers[2], &numbers[3]) != 6) {
    return std::nullopt;
  }
  witness.left = {numbers[0], numbers[1]};
  witness.right = {numbers[2], numbers[3]};
  return witness;
}

/// Returns whether the two sides have the values that the witness states, and differ.
bool witness_holds(const Pair& pair, const std::string& text) {
  const auto witness = read_witness(text);
  if (!witness) return false;
  const auto entry_of = [&](const std::vector<Operation>& circuit) {
    return unitary_of(circuit, pair.qubits,
                      witness->parameters)[(witness->row << pair.qubits) + witness->column];
  };
  const Complex left = std::polar(1.0, pair.phase.value(witness->parameters)) * entry_of(pair.left);
  const Complex right = entry_of(pair.right);
  return std::abs(left - right) > 1e-10 && std::abs(left - witness->left) < 1e-12 &&
         std::abs(right - witness->right) < 1e-12;
}

/// Returns the largest difference between the two sides at two points.
double numeric_difference(const Pair& pair) {
  double largest = 0;
  for (const double p0 : {0.7310585786300049, -2.0943951023931}) {
    const Bindings parameters = {{"p0", p0},           {"p1", 1.3132616875182228 - p0 / 3},
                                 {"theta", 0.2 + p0},  {"phi", 1.1 * p0},
                                 {"lambda", 2.5 - p0}, {"gamma", 0.9 * p0}};
    const auto left = unitary_of(pair.left, pair.qubits, parameters);
    const auto right = unitary_of(pair.right, pair.qubits, parameters);
    const Complex phase = std::polar(1.0, pair.phase.value(parameters));
    for (std::size_t i = 0; i < left.size(); ++i) {
      largest = std::max(largest, std::abs(phase * left[i] - right[i]));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("the provers have names") {
  CHECK(make_exact_prover()->name() == "exact");
  CHECK_THAT(std::string(make_z3_prover()->name()), Catch::Matches("z3 [0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST_CASE("known equalities are proved, and hold numerically") {
  for (const auto& prover : provers()) {
    INFO(prover->name());
    for (const Pair& pair : true_identities()) {
      INFO(pair.name);
      if (pair.qubits <= 5) CHECK(numeric_difference(pair) < 1e-12);
      const ProofResult result = prover->prove(pair.claim());
      INFO(result.witness);
      CHECK(result.verdict == ProofVerdict::proved);
    }
  }
}

TEST_CASE("wrong claims are refuted with a witness that holds") {
  for (const auto& prover : provers()) {
    INFO(prover->name());
    for (const Pair& pair : false_identities()) {
      INFO(pair.name);
      const ProofResult result = prover->prove(pair.claim());
      INFO(result.witness);
      CHECK(result.verdict == ProofVerdict::refuted);
      if (pair.qubits <= 10) CHECK(witness_holds(pair, result.witness));
    }
  }
}

TEST_CASE("every decomposition and inverse of the gate table is proved with its phase") {
  for (const auto& prover : provers()) {
    INFO(prover->name());
    for (const Pair& pair : gate_table_identities(4)) {
      INFO(pair.name);
      const ProofResult result = prover->prove(pair.claim());
      INFO(result.witness);
      CHECK(result.verdict == ProofVerdict::proved);
      Pair shifted = pair;
      shifted.phase += pi(1, 4);
      CHECK(prover->prove(shifted.claim()).verdict == ProofVerdict::refuted);
    }
  }
}

TEST_CASE("exact arithmetic, Z3 and numeric evaluation agree on random circuits") {
  const std::uint64_t seed = GENERATE(range(1, 41));
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  const auto exact = make_exact_prover();
  const auto z3 = make_z3_prover();
  for (int i = 0; i < 3; ++i) {
    const Pair equal = random_equal_pair(random, 1 + static_cast<unsigned>(seed % 3), 3, 3);
    REQUIRE(numeric_difference(equal) < 1e-9);
    const ProofResult by_arithmetic = exact->prove(equal.claim());
    INFO(by_arithmetic.witness);
    CHECK(by_arithmetic.verdict == ProofVerdict::proved);
    const ProofResult by_z3 = z3->prove(equal.claim());
    INFO(by_z3.witness);
    CHECK(by_z3.verdict == ProofVerdict::proved);
    const auto phase = exact_relative_phase(equal.left, equal.right, equal.qubits);
    REQUIRE(phase.has_value());
    CHECK(same_phase(*phase, equal.phase));

    const Pair other = mutated(random, equal);
    const bool differs = numeric_difference(other) > 1e-9;
    for (Prover* prover : {exact.get(), z3.get()}) {
      INFO(prover->name());
      const ProofResult result = prover->prove(other.claim());
      INFO(result.witness);
      CHECK(result.verdict == (differs ? ProofVerdict::refuted : ProofVerdict::proved));
      if (differs) CHECK(witness_holds(other, result.witness));
    }
  }
}

TEST_CASE("undecidable claims are unknown, never refuted") {
  const Angle first = Angle::decimal("0.78539816339744830961566");
  const Angle twice = Angle::decimal("1.57079632679489661923132");
  for (const auto& prover : provers()) {
    INFO(prover->name());
    // The claim is true, but its truth depends on the digits: both literals are symbols to the
    // provers.
    const Pair equal{"",
                     {make_operation(rz, {0}, {first}), make_operation(rz, {0}, {first})},
                     {make_operation(rz, {0}, {twice})},
                     1,
                     {}};
    CHECK(prover->prove(equal.claim()).verdict == ProofVerdict::unknown);
    // The circuits are different, and a numeric evaluation shows it.
    const Pair different{
        "", {make_operation(rz, {0}, {first})}, {make_operation(rz, {0}, {twice})}, 1, {}};
    const ProofResult result = prover->prove(different.claim());
    CHECK(result.verdict == ProofVerdict::refuted);
    CHECK(witness_holds(different, result.witness));
    // The angles are finer than the arithmetic supports.
    const Pair fine{"",
                    {make_operation(rz, {0}, {pi(1, std::int64_t{1} << 40)})},
                    {make_operation(p, {0}, {pi(1, std::int64_t{1} << 40)})},
                    1,
                    pi(1, std::int64_t{1} << 41)};
    CHECK(prover->prove(fine.claim()).verdict == ProofVerdict::unknown);
    Pair wide{"", {}, {}, 12, {}};
    for (Qubit i = 0; i + 1 < 12; ++i) wide.left.push_back(make_operation(cx, {i, i + 1}));
    const ProofResult too_wide = prover->prove(wide.claim());
    CHECK(too_wide.verdict == ProofVerdict::unknown);
    CHECK_THAT(too_wide.witness, Catch::Contains("qubits"));
  }
}

TEST_CASE("Z3 gives up at its time limit") {
  // The sides are (rx ry)^12 with all angles free, and the same with two h inserted and both ends
  // as u3.
  std::vector<Operation> left;
  for (int i = 0; i < 24; ++i) {
    left.push_back(
        make_operation(i % 2 == 0 ? rx : ry, {0}, {Angle::symbol("a" + std::to_string(i))}));
  }
  std::vector<Operation> right = left;
  right.insert(right.begin() + 12, {make_operation(h, {0}), make_operation(h, {0})});
  right.front() = make_operation(u3, {0}, {left[0].angles[0], pi(-1, 2), pi(1, 2)});
  right.back() = make_operation(u3, {0}, {left[23].angles[0], {}, {}});
  const ProofResult result = make_z3_prover(0.05)->prove({left, right, 1, {}});
  CHECK(result.verdict == ProofVerdict::unknown);
  CHECK_THAT(result.witness, Catch::Contains("z3"));
}

TEST_CASE("sides of very different length get a common scale") {
  std::vector<Operation> many;
  for (int i = 0; i < 130; ++i) many.push_back(make_operation(h, {0}));
  const std::vector<Operation> one = {make_operation(h, {0})};
  for (const auto& prover : provers()) {
    INFO(prover->name());
    CHECK(prover->prove({many, {}, 1, {}}).verdict == ProofVerdict::proved);
    CHECK(prover->prove({{}, many, 1, {}}).verdict == ProofVerdict::proved);
    CHECK(prover->prove({many, one, 1, {}}).verdict == ProofVerdict::refuted);
  }
}

TEST_CASE("each thread has provers of its own") {
  std::vector<int> failures(3, 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < failures.size(); ++i) {
      threads.emplace_back([&failures, i] {
        for (const auto& prover : provers()) {
          for (const Pair& pair : true_identities()) {
            if (prover->prove(pair.claim()).verdict != ProofVerdict::proved) ++failures[i];
          }
          for (const Pair& pair : false_identities()) {
            if (prover->prove(pair.claim()).verdict != ProofVerdict::refuted) ++failures[i];
          }
        }
      });
    }
  }
  CHECK(failures == std::vector<int>{0, 0, 0});
}

TEST_CASE("optimization boundaries and malformed gates are refused") {
  Operation measure;
  measure.kind = OperationKind::measure;
  measure.qubits = {0};
  const std::vector<Operation> boundary = {measure};
  const std::vector<Operation> outside = {make_operation(h, {2})};
  const std::vector<Operation> doubled = {make_operation(cx, {1, 1})};
  const std::vector<Operation> angleless = {make_operation(rz, {0})};
  for (const auto& circuit : {boundary, outside, doubled, angleless}) {
    CHECK_THROWS_AS(exact_relative_phase(circuit, {}, 2), UsageError);
    for (const auto& prover : provers()) {
      CHECK_THROWS_AS(prover->prove({{}, circuit, 2, {}}), UsageError);
    }
  }
}
