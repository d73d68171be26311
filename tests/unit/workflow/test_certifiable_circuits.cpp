#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "workflow/certificate/certifiable_circuits.hpp"

using namespace quartz::workflow;

namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

CertifiableCircuit circuit_with(std::uint64_t steps, std::size_t operations = 1) {
  CertifiableCircuit circuit;
  circuit.operations = operations;
  circuit.steps = steps;
  return circuit;
}

}  // namespace

TEST_CASE("circuits with histories of different lengths are remembered", "[certifiable circuits]") {
  CertifiableCircuits circuits;
  CHECK_FALSE(circuits.best_within({kNoLimit}));
  CHECK_FALSE(circuits.first());
  for (std::uint64_t steps = 5; steps < 1000; steps += 7) circuits.add(circuit_with(steps));
  CHECK(circuits.best_within({kNoLimit})->steps == 999);
  CHECK(circuits.best_within({500})->steps <= 500);
  CHECK(circuits.best_within({500})->steps >= 250);
  CHECK(circuits.first()->steps == 5);
  CHECK_FALSE(circuits.best_within({4}));
  CHECK(circuits.first_beyond(5)->steps > 5);
  CHECK_FALSE(circuits.first_beyond(999));
}

TEST_CASE("a better circuit with a shorter history takes the place of those before",
          "[certifiable circuits]") {
  CertifiableCircuits circuits;
  for (const std::uint64_t steps : {10U, 20U, 30U}) circuits.add(circuit_with(steps));
  circuits.add(circuit_with(20));
  CHECK(circuits.best_within({kNoLimit})->steps == 20);
  CHECK(circuits.best_within({19})->steps == 10);
  circuits.add(circuit_with(3));
  CHECK(circuits.best_within({kNoLimit})->steps == 3);
  CHECK(circuits.first()->steps == 3);
}

TEST_CASE("circuits are removed once they are certified or have failed", "[certifiable circuits]") {
  CertifiableCircuits circuits;
  for (const std::uint64_t steps : {10U, 20U, 40U, 80U}) circuits.add(circuit_with(steps));
  circuits.remove_up_to(circuits.best_within({20})->number);
  CHECK(circuits.first()->steps == 40);
  circuits.set_aside(circuits.first()->number);
  CHECK(circuits.first()->steps == 80);
  CHECK_FALSE(circuits.best_within({79}));
  CHECK_FALSE(circuits.best_within({79, 39}));
  CHECK(circuits.best_within({79, 40})->steps == 40);
  CHECK(circuits.best_within({80, 40})->steps == 80);
  circuits.remove_beyond(circuits.first()->number, 100);
  CHECK_FALSE(circuits.first());
  CHECK(circuits.first_beyond(0)->steps == 40);
  circuits.add(circuit_with(50));
  circuits.remove_beyond(0, 45);
  CHECK_FALSE(circuits.first());
}

TEST_CASE("few circuits of a search are kept, and its first ones", "[certifiable circuits]") {
  // Numbers of a multiplier in GF(2^128): few steps fold it, behind as many that translate it.
  constexpr std::size_t operations = 200'000;
  constexpr std::uint64_t translated = 16'384;
  constexpr std::uint64_t folded = translated + 38;
  const auto token = std::make_shared<int>(0);
  CertifiableCircuits circuits;
  const auto add = [&](std::uint64_t steps) {
    CertifiableCircuit circuit = circuit_with(steps, operations);
    circuit.form = [token] { return quartz::circuit::DerivedCircuit::first({}); };
    circuits.add(std::move(circuit));
  };
  add(translated);
  add(folded);
  for (std::uint64_t steps = 20'000; steps < 10'000'000; steps += steps / 100) add(steps);
  CHECK(circuits.best_within({folded})->steps == folded);
  CHECK(circuits.first()->steps == translated);
  CHECK(token.use_count() - 1 <=
        static_cast<long>(CertifiableCircuits::kMaxOperations / operations));

  // Three larger circuits are kept: the first, the last and one between them.
  constexpr std::size_t many = 10 * CertifiableCircuits::kMaxOperations;
  CertifiableCircuits of_large;
  for (const std::uint64_t steps : {0U, 50U}) of_large.add(circuit_with(steps, many));
  for (std::uint64_t steps = 100'000; steps < 200'000; steps += 1000) {
    of_large.add(circuit_with(steps, many));
  }
  CHECK(of_large.best_within({kNoLimit})->steps == 199'000);
  CHECK(of_large.best_within({198'000})->steps == 50);
  CHECK(of_large.best_within({49})->steps == 0);
}
