#include <catch2/catch.hpp>

#include "certify/problem/problem.hpp"
#include "certify/simulation/branches.hpp"
#include "quartz/certify/equivalence.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::test;
using enum GateKind;

namespace {

using Operations = std::vector<Operation>;

EquivalenceVerdict verdict(std::uint32_t qubits, const std::vector<std::uint32_t>& bits,
                           const Operations& left, const Operations& right) {
  const EquivalenceReport report = check_equivalence(classical_circuit(qubits, bits, left),
                                                     classical_circuit(qubits, bits, right));
  UNSCOPED_INFO(report.method << ": " << report.witness);
  return report.verdict;
}

bool equal(EquivalenceVerdict verdict) {
  return verdict == EquivalenceVerdict::equal || verdict == EquivalenceVerdict::equal_up_to_phase;
}

const Operation h0 = make_operation(h, {0});
const Operation h1 = make_operation(h, {1});
const Operation x0 = make_operation(x, {0});
const Operation x1 = make_operation(x, {1});
const Operation z1 = make_operation(z, {1});
const Operation t0 = make_operation(t, {0});

}  // namespace

TEST_CASE("Gates between measurements may change, measurements may not") {
  CHECK(verdict(2, {2}, {h0, x1, x1, measure(0, 0), h0, h0, measure(1, 1)},
                {h0, measure(0, 0), measure(1, 1)}) == EquivalenceVerdict::equal);
  // Measurements of different qubits into different bits commute.
  CHECK(verdict(2, {2}, {measure(0, 0), measure(1, 1)}, {measure(1, 1), measure(0, 0)}) ==
        EquivalenceVerdict::equal);
  SECTION("a missing measurement") {
    CHECK(verdict(1, {1}, {h0, measure(0, 0)}, {h0}) == EquivalenceVerdict::not_equal);
  }
  SECTION("a measurement into another bit") {
    CHECK(verdict(2, {2}, {measure(0, 0), measure(1, 1)}, {measure(0, 1), measure(1, 0)}) ==
          EquivalenceVerdict::not_equal);
  }
  SECTION("two measurements into the same bit, in another order") {
    CHECK(verdict(2, {1}, {measure(0, 0), measure(1, 0)}, {measure(1, 0), measure(0, 0)}) ==
          EquivalenceVerdict::not_equal);
  }
  SECTION("a gate moved across a measurement") {
    CHECK(verdict(1, {1}, {h0, measure(0, 0)}, {measure(0, 0), h0}) ==
          EquivalenceVerdict::not_equal);
    CHECK(verdict(1, {1}, {x0, measure(0, 0)}, {measure(0, 0), x0}) ==
          EquivalenceVerdict::not_equal);
    // A diagonal gate may be on either side.
    CHECK(verdict(1, {1}, {t0, measure(0, 0)}, {measure(0, 0), t0}) == EquivalenceVerdict::equal);
  }
}

TEST_CASE("Equal instruments with different measurements and resets are equal") {
  CHECK(equal(verdict(1, {1}, {h0, measure(0, 0), measure(0, 0)}, {h0, measure(0, 0)})));
  CHECK(equal(verdict(1, {1}, {h0, t0, measure(0, 0)}, {h0, measure(0, 0)})));
  CHECK(equal(verdict(1, {1}, {reset(0), measure(0, 0)}, {reset(0)})));
  CHECK(equal(verdict(1, {}, {h0, reset(0), reset(0)}, {reset(0)})));
  // This is the principle of deferred measurement.
  CHECK(equal(verdict(2, {1}, {h0, make_operation(cx, {0, 1}), measure(0, 0)},
                      {h0, measure(0, 0), conditional(x1, 0, 1)})));
}

TEST_CASE("A reset discards the state of its qubit") {
  CHECK(verdict(2, {}, {h0, reset(0), x0, x0}, {h0, reset(0)}) == EquivalenceVerdict::equal);
  CHECK(verdict(1, {}, {reset(0)}, {}) == EquivalenceVerdict::not_equal);
  CHECK(verdict(1, {}, {reset(0), x0}, {reset(0)}) == EquivalenceVerdict::not_equal);
  // The outcome after a reset is part of the result: a measured 1 differs from a measured 0.
  CHECK(verdict(1, {1}, {reset(0), measure(0, 0), reset(0)},
                {reset(0), x0, measure(0, 0), reset(0)}) == EquivalenceVerdict::not_equal);
  // A gate on a state that is then discarded has no effect.
  CHECK(equal(verdict(1, {}, {t0, h0, reset(0)}, {reset(0)})));
  CHECK(verdict(2, {}, {make_operation(cx, {0, 1}), reset(0)}, {reset(0)}) ==
        EquivalenceVerdict::not_equal);
  // A swap exchanges the fresh qubit.
  CHECK(equal(verdict(2, {}, {reset(0), make_operation(swap, {0, 1})},
                      {make_operation(swap, {0, 1}), reset(1)})));
}

TEST_CASE("Conditions are compared") {
  const Operations start{h0, measure(0, 0)};
  const auto after_start = [&](Operations operations) {
    operations.insert(operations.begin(), start.begin(), start.end());
    return operations;
  };
  CHECK(verdict(2, {1}, after_start({conditional(x1, 0, 1)}),
                after_start({conditional(h1, 0, 1), conditional(z1, 0, 1),
                             conditional(h1, 0, 1)})) == EquivalenceVerdict::equal);
  CHECK(verdict(2, {1}, after_start({conditional(x1, 0, 1)}),
                after_start({conditional(x1, 0, 0)})) == EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {1}, after_start({conditional(x1, 0, 1)}), after_start({x1})) ==
        EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {1}, after_start({conditional(x1, 0, 1)}), after_start({})) ==
        EquivalenceVerdict::not_equal);
  CHECK(equal(verdict(2, {1}, after_start({conditional(x1, 0, 1), conditional(x1, 0, 0)}),
                      after_start({x1}))));
  // A phase under a condition has no physical effect, but the verdict is not plain "equal".
  CHECK(verdict(2, {1},
                after_start({conditional(make_operation(rz, {1}, {Angle::pi_times(1)}), 0, 1)}),
                after_start({conditional(z1, 0, 1)})) == EquivalenceVerdict::equal_up_to_phase);
  // A gate must not be moved across the measurement that its condition depends on.
  CHECK(verdict(2, {1}, {h0, measure(0, 0), conditional(x1, 0, 1)},
                {h0, conditional(x1, 0, 1), measure(0, 0)}) == EquivalenceVerdict::not_equal);
  SECTION("a condition on another register of the same size") {
    CHECK(verdict(2, {1, 1}, {h0, measure(0, 0), conditional(x1, 0, 1)},
                  {h0, measure(0, 0), conditional(x1, 1, 1)}) == EquivalenceVerdict::not_equal);
  }
  SECTION("a conditional measurement") {
    CHECK(verdict(2, {1, 1}, {h0, measure(0, 0), h1, h1, conditional(measure(1, 1), 0, 1)},
                  {h0, measure(0, 0), conditional(measure(1, 1), 0, 1)}) ==
          EquivalenceVerdict::equal);
    CHECK(verdict(2, {1, 1}, {h0, measure(0, 0), conditional(measure(1, 1), 0, 1)},
                  {h0, measure(0, 0), measure(1, 1)}) == EquivalenceVerdict::not_equal);
  }
}

TEST_CASE("Conditions on one bit of a register are compared") {
  const auto on_bit = [](const Operation& operation, std::uint32_t element, std::uint64_t value) {
    return with_classical(operation, {{}, {Condition{0, value, element}}, {}});
  };
  const Operations measured{h0, measure(0, 0), h0, measure(0, 1)};
  const auto after = [&](Operations more) {
    more.insert(more.begin(), measured.begin(), measured.end());
    return more;
  };
  CHECK(equal(verdict(2, {2}, after({on_bit(x1, 0, 1), on_bit(x1, 0, 1)}), after({}))));
  CHECK(verdict(2, {2}, after({on_bit(x1, 0, 1)}), after({on_bit(x1, 1, 1)})) ==
        EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {2}, after({on_bit(x1, 0, 1)}), after({on_bit(x1, 0, 0)})) ==
        EquivalenceVerdict::not_equal);
  // c[0] is 1 if c is 1 or 3: both kinds of condition are known to test the same register.
  CHECK(equal(verdict(2, {2}, after({on_bit(x1, 0, 1)}),
                      after({conditional(x1, 0, 1), conditional(x1, 0, 3)}))));
  CHECK(verdict(2, {2}, after({on_bit(x1, 0, 1)}), after({conditional(x1, 0, 1)})) ==
        EquivalenceVerdict::not_equal);
}

TEST_CASE("A negated condition is the opposite of a condition and excludes nothing else") {
  const auto unless = [](const Operation& operation, std::uint64_t value) {
    return with_classical(operation, {{}, {Condition{0, value, {}, true}}, {}});
  };
  const Operations measured{h0, measure(0, 0), h0, measure(0, 1)};
  const auto after = [&](Operations more) {
    more.insert(more.begin(), measured.begin(), measured.end());
    return more;
  };
  CHECK(equal(verdict(2, {2}, after({unless(x1, 2), conditional(x1, 0, 2)}), after({x1}))));
  CHECK(equal(verdict(2, {2}, after({unless(x1, 2), unless(x1, 2)}), after({}))));
  CHECK(equal(verdict(2, {2}, after({unless(x1, 7)}), after({x1}))));
  // Both conditions hold if the register is 1.
  CHECK(verdict(2, {2}, after({unless(x1, 2), conditional(h1, 0, 1)}),
                after({conditional(h1, 0, 1), unless(x1, 2)})) == EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {2}, after({unless(x1, 2), unless(h1, 1)}),
                after({unless(h1, 1), unless(x1, 2)})) == EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {2}, after({unless(x1, 2)}), after({unless(x1, 1)})) ==
        EquivalenceVerdict::not_equal);
}

TEST_CASE("Each of several conditions on an operation is compared") {
  const auto on = [](const Operation& operation, std::vector<Condition> conditions) {
    ClassicalPart part = operation.classical == nullptr ? ClassicalPart{} : *operation.classical;
    part.conditions = std::move(conditions);
    return with_classical(operation, std::move(part));
  };
  const Condition first{0, 1};
  const Condition second{1, 1};
  const Condition not_second{1, 0};
  const Operations measured{h0, measure(0, 0), h0, measure(0, 1)};
  const auto after = [&](Operations more) {
    more.insert(more.begin(), measured.begin(), measured.end());
    return more;
  };
  const auto verdict_of = [&](const Operations& left, const Operations& right) {
    return verdict(2, {1, 1}, after(left), after(right));
  };
  CHECK(equal(verdict_of({on(x1, {first, second}), on(x1, {first, second})}, {})));
  // The order of the conditions does not matter.
  CHECK(equal(verdict_of({on(x1, {first, second})}, {on(x1, {second, first})})));
  CHECK(equal(verdict_of({on(x1, {first, first})}, {on(x1, {first})})));
  CHECK(
      equal(verdict_of({on(x1, {first, second}), on(x1, {first, not_second})}, {on(x1, {first})})));
  CHECK(equal(verdict_of({on(x1, {second, not_second})}, {})));
  CHECK(verdict_of({on(x1, {first, second})}, {on(x1, {first})}) == EquivalenceVerdict::not_equal);
  CHECK(verdict_of({on(x1, {first, second})}, {on(x1, {first, not_second})}) ==
        EquivalenceVerdict::not_equal);
  CHECK(verdict_of({h1, on(measure(1, 0), {first, second})}, {h1, on(measure(1, 0), {first})}) ==
        EquivalenceVerdict::not_equal);
}

TEST_CASE("A measurement without a bit disturbs its qubit and writes nothing") {
  const auto discard = [](Qubit qubit) { return with_classical(measure(qubit, 0), {}); };
  CHECK(equal(verdict(1, {}, {h0, discard(0), t0}, {h0, t0, discard(0)})));
  CHECK(verdict(1, {}, {h0, discard(0), h0}, {h0, h0, discard(0)}) ==
        EquivalenceVerdict::not_equal);
  CHECK(verdict(1, {}, {h0, discard(0)}, {h0}) == EquivalenceVerdict::not_equal);
  CHECK(verdict(1, {1}, {h0, discard(0)}, {h0, measure(0, 0)}) == EquivalenceVerdict::not_equal);
  // A second measurement has no further effect.
  CHECK(equal(verdict(1, {}, {h0, discard(0), discard(0)}, {h0, discard(0)})));
  CHECK(verdict(2, {}, {h0, h1, discard(0)}, {h0, h1, discard(1)}) ==
        EquivalenceVerdict::not_equal);
}

TEST_CASE("Barriers have no effect but differences are noted") {
  const EquivalenceReport report =
      check_equivalence(make_circuit(2, {h0, barrier({0, 1}), h0}), make_circuit(2, {}));
  CHECK(report.verdict == EquivalenceVerdict::equal);
  CHECK(report.notes.size() == 1);
}

TEST_CASE("An opaque operation is unknown but always the same") {
  const Operation u01 = opaque("u", {0, 1});
  CHECK(verdict(3, {}, {u01, make_operation(h, {2}), make_operation(h, {2})}, {u01}) ==
        EquivalenceVerdict::equal);
  CHECK(verdict(2, {}, {u01, h0, h0}, {u01}) == EquivalenceVerdict::equal);
  CHECK(verdict(2, {}, {h0, u01, h0, t0, h0},
                {h0, u01, t0, make_operation(tdg, {0}), h0, t0, h0}) == EquivalenceVerdict::equal);
  // Nothing is known of an operation that only one of the circuits has.
  CHECK(verdict(2, {}, {u01}, {}) == EquivalenceVerdict::undecided);
  CHECK(verdict(2, {}, {u01}, {opaque("v", {0, 1})}) == EquivalenceVerdict::undecided);
  CHECK(verdict(2, {}, {u01}, {opaque("u", {0, 1}, {Angle::pi_times(1)})}) ==
        EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {}, {u01}, {opaque("u", {1, 0})}) == EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {}, {u01, x0}, {x0, u01}) == EquivalenceVerdict::not_equal);
  CHECK(verdict(1, {}, {opaque("r", {0}, {Angle::pi_times(1)})},
                {opaque("r", {0}, {Angle::pi_times(2)})}) == EquivalenceVerdict::not_equal);
}

TEST_CASE("Parameters of opaque operations are compared exactly") {
  const auto foo = [](const char* decimal) {
    return opaque("foo", {0}, {Angle::decimal(decimal)});
  };
  CHECK(verdict(1, {}, {foo("1e-10")}, {foo("1e-10")}) == EquivalenceVerdict::equal);
  CHECK(verdict(1, {}, {foo("1e-10")}, {foo("2e-10")}) == EquivalenceVerdict::not_equal);
  const EquivalenceReport report =
      check_equivalence(make_circuit(1, {foo("1e-10")}), make_circuit(1, {foo("2e-10")}));
  CHECK(report.witness.find("'foo'") != std::string::npos);
  CHECK(report.witness.find("amplitude") == std::string::npos);  // the unitary is not known
  const Angle t = Angle::symbol("t");
  CHECK(verdict(1, {}, {opaque("foo", {0}, {t})}, {opaque("foo", {0}, {t})}) ==
        EquivalenceVerdict::equal);
  CHECK(verdict(1, {}, {opaque("foo", {0}, {t})},
                {opaque("foo", {0}, {t * Rational(10'000'000'001, 10'000'000'000)})}) ==
        EquivalenceVerdict::not_equal);
}

TEST_CASE("Delays are compared by their duration") {
  const auto delay = [](const char* duration) {
    Operation operation = opaque("delay[" + std::string(duration) + "]", {0});
    ClassicalPart classical = *operation.classical;
    classical.opaque_kind = OpaqueKind::delay;
    operation.classical = std::make_shared<const ClassicalPart>(classical);
    return operation;
  };
  CHECK(verdict(1, {}, {delay("100ns")}, {delay("0.1us")}) == EquivalenceVerdict::equal);
  CHECK(verdict(1, {}, {delay("1.5e3ns")}, {delay("0.0015 ms")}) == EquivalenceVerdict::equal);
  CHECK(verdict(1, {}, {delay("1us")}, {delay("1\u00b5s")}) == EquivalenceVerdict::equal);
  CHECK(verdict(1, {}, {delay("100ns")}, {delay("100.0000001ns")}) ==
        EquivalenceVerdict::not_equal);
  CHECK(verdict(1, {}, {delay("100dt")}, {delay("100ns")}) == EquivalenceVerdict::not_equal);
  CHECK(verdict(1, {}, {delay("100ns")}, {}) == EquivalenceVerdict::not_equal);
}

TEST_CASE("A witness has no probabilities that follow from random unitaries, but all parameters") {
  const auto witness = [](const Operation& left, const Operation& right) {
    const auto circuit = [](const Operation& operation) {
      return classical_circuit(1, {1}, {h0, operation, h0, measure({0}, {0})});
    };
    return certify::search_branch_difference(circuit(left), circuit(right), {}, 1).reason;
  };
  CHECK_THAT(witness(opaque("foo", {0}), opaque("bar", {0})),
             Catch::EndsWith("the probability of the result c0=0 differs for random unitaries in "
                             "place of 'bar', 'foo'"));
  CHECK_THAT(
      witness(make_operation(rz, {0}, {Angle::symbol("t")}), x0),
      Catch::StartsWith("input all qubits 0, parameters t=") && Catch::Contains("has probability"));
}

TEST_CASE("A large opaque operation makes the verdict undecided where it matters") {
  const Operation wide = opaque("wide", {0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(verdict(8, {}, {wide, h0, h0}, {wide}) == EquivalenceVerdict::equal);
  CHECK(verdict(8, {}, {h0, wide}, {wide, h0}) == EquivalenceVerdict::undecided);
  CHECK(verdict(8, {1}, {measure(0, 0), wide}, {wide, measure(0, 0)}) ==
        EquivalenceVerdict::undecided);
}

TEST_CASE("Branches of a reset qubit that differ by a phase between outcomes are not equal") {
  // The flipped qubit is |0>, so only the measurement in between depends on it.
  const auto flipped = [](const Operation& flip) {
    return Operations{h1, measure(1, 0), reset(0), flip, measure(0, 1), flip};
  };
  const Operations plain{h1, measure(1, 0), reset(0), measure(0, 1)};
  CHECK(verdict(2, {1, 1}, flipped(x0), plain) == EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {1, 1}, flipped(conditional(x0, 0, 1)), plain) == EquivalenceVerdict::not_equal);
}

TEST_CASE("A rare outcome counts as much as others") {
  const Operation slight = make_operation(ry, {0}, {Angle::decimal("0.00002")});
  const Operations start{reset(0), slight, measure(0, 0)};
  Operations flipped = start;
  flipped.push_back(conditional(x1, 0, 1));
  CHECK(verdict(2, {1}, flipped, start) == EquivalenceVerdict::not_equal);
  CHECK(verdict(2, {1}, {reset(0), slight, measure(0, 0), reset(0)},
                {reset(0), measure(0, 0), reset(0)}) == EquivalenceVerdict::not_equal);
}

TEST_CASE("With too many measurements to follow, differences are found and equality is undecided") {
  Operations left;
  for (Qubit q = 0; q < 5; ++q) {
    for (ClassicalBit i = 0; i < 4; ++i) {
      left.push_back(make_operation(h, {q}));
      left.push_back(measure(q, 4 * q + i));
    }
  }
  Operations dropped = left;
  dropped.pop_back();
  CHECK(verdict(5, {20}, left, dropped) == EquivalenceVerdict::not_equal);
  Operations twice = left;
  twice.push_back(left.back());
  CHECK(verdict(5, {20}, left, twice) == EquivalenceVerdict::undecided);
}

TEST_CASE("Families of unitaries and branches agree on random circuits with measurements") {
  const std::uint64_t seed = 77;
  INFO("seed " << seed);
  Random random(seed);
  const std::vector<GateKind> kinds{h, t, x, cx, s};
  for (int round = 0; round < 40; ++round) {
    INFO("round " << round);
    Operations operations;
    for (int i = 0; i < 12; ++i) {
      const Operation gate_operation = random_gate(random, kinds, 3, 4);
      switch (below(random, 6)) {
        case 0:
          operations.push_back(measure(below(random, 3), below(random, 3)));
          break;
        case 1:
          operations.push_back(conditional(gate_operation, below(random, 2), below(random, 3)));
          break;
        case 2:
          if (round % 2 == 0) operations.push_back(reset(below(random, 3)));
          break;
        default:
          operations.push_back(gate_operation);
      }
    }
    const Circuit circuit = classical_circuit(3, {2, 1}, operations);
    Circuit rewritten = with_inverse_pair(circuit, random, kinds);
    rewritten = with_inverse_pair(rewritten, random, kinds);
    CHECK(check_equivalence(circuit, rewritten).verdict == EquivalenceVerdict::equal);
    CHECK(certify::compare_branches_in_field(circuit, rewritten, {}, 1).outcome ==
          certify::Outcome::equal);
    CHECK(certify::search_branch_difference(circuit, rewritten, {}, 1).outcome ==
          certify::Outcome::unknown);

    Circuit damaged = rewritten;
    const auto place = damaged.operations.begin() + below(random, damaged.operations.size() + 1);
    damaged.operations.insert(place, make_operation(ry, {0}, {Angle::pi_times(Rational(1, 5))}));
    const bool branches_equal =
        certify::search_branch_difference(circuit, damaged, {}, 1).outcome ==
        certify::Outcome::unknown;
    CHECK(branches_equal == (certify::compare_branches_in_field(circuit, damaged, {}, 1).outcome ==
                             certify::Outcome::equal));
    // The inserted ry has no effect just before a reset.
    CHECK(equal(check_equivalence(circuit, damaged).verdict) == branches_equal);
  }
}

TEST_CASE("Following all branches is not started if it cannot finish in time", "[boundaries]") {
  std::vector<Operation> operations;
  for (Qubit qubit = 0; qubit < 24; ++qubit) {
    operations.push_back(make_operation(h, {qubit}));
    operations.push_back(make_operation(cx, {qubit, (qubit + 1) % 24}));
  }
  operations.push_back(measure(0, 0));
  const Circuit circuit = classical_circuit(24, {1}, operations);
  Budget budget;
  budget.deadline = Budget::Clock::now() + std::chrono::milliseconds(100);
  const certify::Comparison comparison =
      certify::compare_branches_in_field(circuit, circuit, budget, 1);
  CHECK(comparison.outcome == certify::Outcome::unknown);
  CHECK(comparison.reason == "too many qubits and gates for the time left");
}
