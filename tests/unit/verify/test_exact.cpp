#include <catch2/catch.hpp>

#include "identities.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using enum GateKind;

TEST_CASE("the relative phase of equal circuits is found exactly") {
  for (const Pair& pair : true_identities()) {
    INFO(pair.name);
    const auto phase = exact_relative_phase(pair.left, pair.right, pair.qubits);
    REQUIRE(phase.has_value());
    INFO(phase->to_string());
    CHECK(same_phase(*phase, pair.phase));
  }
}

TEST_CASE("circuits that differ by more than a phase have no relative phase") {
  for (const Pair& pair : false_identities()) {
    INFO(pair.name);
    const auto phase = exact_relative_phase(pair.left, pair.right, pair.qubits);
    // Some of the pairs are wrong only in their phase.
    if (phase) CHECK_FALSE(same_phase(*phase, pair.phase));
  }
}

TEST_CASE("every decomposition and inverse of the gate table is exact") {
  for (const Pair& pair : gate_table_identities(5)) {
    INFO(pair.name);
    const auto phase = exact_relative_phase(pair.left, pair.right, pair.qubits);
    REQUIRE(phase.has_value());
    INFO(phase->to_string());
    CHECK(same_phase(*phase, pair.phase));
  }
}
