#include "optimize/state/used_rules.hpp"

#include <catch2/catch.hpp>

#include "quartz/verify/prover.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

/// Returns pairs with their indices as keys.
UsedPairs used(const std::vector<UsedPair>& pairs) {
  UsedPairs result;
  for (const UsedPair& pair : pairs) {
    result.add(result.size(), pair.window, pair.replacement, pair.phase);
  }
  return result;
}

const std::vector<Operation> letters{
    make_operation(GateKind::h, {0}),
    make_operation(GateKind::h, {2}),
    make_operation(GateKind::cz, {0, 1}),
    make_operation(GateKind::cz, {1, 2}),
    make_operation(GateKind::rz, {2}, {Angle::pi_times(1)}),
    make_operation(GateKind::x, {2}),
    make_operation(GateKind::rz, {0}, {Angle::pi_times(1)}),
    make_operation(GateKind::x, {0}),
};

}  // namespace

TEST_CASE("a pair is one rule, independently of its qubits and of which side is replaced",
          "[used_rules]") {
  const auto count = [](const std::vector<UsedPair>& pairs) {
    return used_rules(letters, used(pairs)).size();
  };
  CHECK(count({}) == 0);
  CHECK(count({{{0, 0}, {}, 0}, {{1, 1}, {}, 0}, {{}, {0, 0}, 0}}) == 1);
  // The operands of cz can be exchanged.
  CHECK(count({{{2, 2}, {}, 0}, {{3, 3}, {}, 0}}) == 1);
  CHECK(count({{{0, 0}, {}, 0}, {{2, 2}, {}, 0}}) == 2);
  // Another order of gates on different qubits needs no proof.
  CHECK(count({{{0, 1}, {1, 0}, 0}}) == 0);
  CHECK(count({{{0, 1, 0}, {1}, 0}, {{0, 0, 1}, {1}, 0}}) == 1);
}

TEST_CASE("a used rule has its phase on the right side", "[used_rules]") {
  // As rz(pi) = -i z and h x h = z: h x h = e^{i pi/2} rz(pi).
  for (const std::vector<UsedPair>& pairs :
       {std::vector<UsedPair>{{{1, 5, 1}, {4}, 4}}, std::vector<UsedPair>{{{6}, {0, 7, 0}, 12}}}) {
    const std::vector<EquivalenceClass> rules = used_rules(letters, used(pairs));
    REQUIRE(rules.size() == 1);
    const std::vector<ClassMember>& members = rules[0].members;
    REQUIRE(members.size() == 2);
    CHECK(members[0].gates.size() == 1);
    CHECK(members[1].phase == Angle::pi_times(Rational(1, 2)));
    CHECK(make_exact_prover()
              ->prove({members[0].gates, members[1].gates, 3, members[1].phase})
              .verdict == ProofVerdict::proved);
  }
}

TEST_CASE("pairs recorded twice are kept once", "[used_rules]") {
  UsedPairs pairs;
  const std::vector<std::uint8_t> window{1, 1};
  pairs.add(5, window, {}, 0);
  pairs.add(5, window, {}, 0);
  pairs.add(6, {}, window, 3);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0] == UsedPair{window, {}, 0});
  CHECK(pairs[1] == UsedPair{{}, window, 3});
  // Those of another annealing run, which begins with what this one has found.
  UsedPairs others;
  others.add(6, {}, window, 3);
  others.add(7, window, window, 1);
  pairs.add(others);
  pairs.add(others);
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[2] == UsedPair{window, window, 1});
}

TEST_CASE("a recorded pair takes a few bytes more than its letters", "[used_rules]") {
  UsedPairs pairs;
  const std::vector<std::uint8_t> window(9, 1);
  for (std::uint64_t run = 0; run < 3; ++run) {
    for (std::uint64_t key = 0; key < 1000; ++key) {
      pairs.add(key, window, std::span(window).first(key % 9), 0);
    }
  }
  CHECK(pairs.size() == 1000);
  CHECK(pairs.bytes() <= 40 * pairs.size());
}
