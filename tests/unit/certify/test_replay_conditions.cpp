#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <sstream>

#include "operation_journal.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/gate.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"

using namespace quartz;
using namespace quartz::test;
using journal::OperationNumber;
using enum GateKind;

namespace {

std::string journal_of(const Circuit& input, const std::function<void(OperationJournal&)>& write) {
  std::ostringstream bytes;
  OperationJournal writer(bytes, input.operations.size());
  if (write) write(writer);
  writer.finish();
  return bytes.str();
}

/// Replays a journal without steps.
bool is_same(const Circuit& input, const Circuit& output) {
  return replay(input, output, journal_of(input, {})).is_certified;
}

Operation without_condition(Operation operation) {
  operation.classical = nullptr;
  return operation;
}

/// Returns the journal of one rewrite. The journal has no conditions.
std::string rewrite(const Circuit& input, const std::vector<OperationNumber>& removed,
                    const std::vector<Operation>& inserted) {
  return journal_of(input, [&](OperationJournal& writer) {
    std::vector<Operation> gates;
    for (const OperationNumber number : removed) gates.push_back(input.operations[number]);
    writer.rewrite(removed, gates, {}, inserted);
  });
}

/// What happens to gates before the step that a test is about. None of it changes the circuit, but
/// all of it changes the positions that the replay gives to the gates.
enum class Prelude : std::uint8_t { none, replaced, moved_back };

/// Replaces an operation of a circuit, if it is a gate, and returns its number.
OperationNumber replace(OperationJournal& writer, const Circuit& circuit, OperationNumber number,
                        Prelude prelude) {
  const Operation& gate = circuit.operations[number];
  if (gate.kind != OperationKind::gate || prelude == Prelude::none) return number;
  std::vector<Operation> inserted;
  if (prelude == Prelude::moved_back) {
    inserted.assign(4, make_operation(h, {gate.qubits[0]}));
  }
  const std::size_t added = inserted.size();
  inserted.push_back(gate);
  const OperationNumber first = writer.next_number();
  writer.rewrite(std::vector{number}, std::vector{gate}, {}, inserted);
  if (added != 0) {
    inserted.pop_back();
    writer.rewrite(std::vector{first, first + 1, first + 2, first + 3}, inserted, {}, {});
  }
  return first + added;
}

std::string exchange(const Circuit& input, const std::vector<OperationNumber>& removed,
                     const std::vector<Insertion>& inserted) {
  return journal_of(input, [&](OperationJournal& writer) { writer.exchange(removed, inserted); });
}

/// Returns why a journal of a circuit is refused.
std::string fault_of(const Circuit& input, const std::string& journal) {
  const ReplayReport report = replay(input, input, journal);
  CHECK_FALSE(report.is_certified);
  return report.fault;
}

Operation with_conditions(const Operation& operation, std::vector<Condition> conditions) {
  ClassicalPart part = operation.classical == nullptr ? ClassicalPart{} : *operation.classical;
  part.conditions = std::move(conditions);
  return with_classical(operation, std::move(part));
}

/// Returns the gate under a condition that compares the first classical register with 1.
Operation when(const Operation& operation) { return conditional(operation, 0, 1); }

/// Measures qubit 1 into bit 0 before these operations.
Circuit measured(std::vector<Operation> operations) {
  operations.insert(operations.begin(), measure(1, 0));
  return classical_circuit(4, {1, 1}, std::move(operations));
}

constexpr const char* kOtherCondition = "step 1: operation 2: the gate is under another condition";
constexpr const char* kMixedHull = ": its gates are under different conditions";
constexpr const char* kPathOut = ": a path leaves the window and returns";
constexpr const char* kDiffers = "the two sides are not proved equal: their unitaries differ";
constexpr const char* kNoOrder =
    ": a path leads from the places behind inserted gate 0 to one before it";

}  // namespace

TEST_CASE("Gates under one condition are rewritten", "[replay][conditions]") {
  const Operation t0 = make_operation(t, {0});
  const Operation s0 = make_operation(s, {0});
  const Circuit input = measured({when(t0), when(t0), t0});
  for (const bool is_exchange : {false, true}) {
    const std::string journal =
        is_exchange ? exchange(input, {1, 2}, {{s0, {0}}}) : rewrite(input, {1, 2}, {s0});
    const ReplayReport report = replay(input, measured({when(s0), t0}), journal);
    CHECK(report.fault.empty());
    CHECK(report.is_certified);
    CHECK_FALSE(report.drops_phase);
    CHECK(as_equivalence_report(report).verdict == EquivalenceVerdict::equal);
    CHECK_FALSE(replay(input, measured({s0, t0}), journal).is_certified);
    CHECK_FALSE(replay(input, measured({when(s0), when(t0)}), journal).is_certified);
    CHECK_FALSE(replay(input, measured({conditional(s0, 0, 0), t0}), journal).is_certified);
    CHECK_FALSE(replay(input, measured({conditional(s0, 1, 1), t0}), journal).is_certified);
    CHECK_FALSE(replay(input, measured({with_conditions(s0, {{0, 1, {}, true}}), t0}), journal)
                    .is_certified);
  }
  CHECK_THAT(fault_of(input, rewrite(input, {1, 2}, {t0})),
             Catch::StartsWith("step 1: the two sides are not proved equal"));
  CHECK(replay(input, measured({t0}), rewrite(input, {1, 2}, {})).is_certified == false);
}

TEST_CASE("The phase of gates under a condition is dropped", "[replay][conditions]") {
  // x z = -i y.
  const Operation y0 = make_operation(y, {0});
  const std::vector<Operation> gates{make_operation(z, {0}), make_operation(x, {0})};
  const Circuit plain = measured(gates);
  const Circuit input = measured({when(gates[0]), when(gates[1])});
  const Circuit output = measured({when(y0)});
  const Angle quarter = Angle::pi_times(Rational(1, 2));
  for (const bool is_exchange : {false, true}) {
    const std::string journal =
        is_exchange ? exchange(input, {1, 2}, {{y0, {0}}}) : rewrite(input, {1, 2}, {y0});
    const ReplayReport report = replay(input, output, journal);
    REQUIRE(report.is_certified);
    CHECK(report.phase.is_zero());
    CHECK(report.drops_phase);
    const EquivalenceReport summary = as_equivalence_report(report);
    CHECK(summary.verdict == EquivalenceVerdict::equal_up_to_phase);
    CHECK_FALSE(summary.phase.has_value());
    CHECK(summary.verdict == check_equivalence(input, output).verdict);

    const ReplayReport unconditional = replay(plain, measured({y0}), journal);
    REQUIRE(unconditional.is_certified);
    CHECK(unconditional.phase == quarter);
    CHECK_FALSE(unconditional.drops_phase);
  }
  // One pair of circuits is used with a condition and without one.
  const Circuit both = measured({when(gates[0]), when(gates[1]), gates[0], gates[1]});
  const std::string journal = journal_of(both, [&](OperationJournal& writer) {
    writer.rewrite(std::vector<OperationNumber>{1, 2}, gates, {}, std::vector{y0});
    writer.rewrite(std::vector<OperationNumber>{3, 4}, gates, {}, std::vector{y0});
  });
  const ReplayReport report = replay(both, measured({when(y0), y0}), journal);
  REQUIRE(report.is_certified);
  CHECK(report.distinct_steps == 1);
  CHECK(report.phase == quarter);
  CHECK(report.drops_phase);
}

TEST_CASE("The phases and bounds of large exchanges under a condition", "[replay][conditions]") {
  constexpr Qubit qubits = 8;
  std::vector<Operation> operations;
  const auto rounded = Angle::decimal("0.7853981633974483");
  const auto add = [&](const Operation& gate) { operations.push_back(when(gate)); };
  add(make_operation(t, {0}));
  for (Qubit q = 0; q + 1 < qubits; ++q) add(make_operation(cx, {q, q + 1}));
  for (Qubit q = qubits - 1; q-- > 0;) add(make_operation(cx, {q, q + 1}));
  const Circuit input = classical_circuit(qubits, {1}, operations);
  const OperationNumber last = operations.size() - 1;
  for (const bool is_exact : {true, false}) {
    const Operation moved = is_exact ? make_operation(rz, {0}, {Angle::pi_times(Rational(1, 4))})
                                     : make_operation(p, {0}, {rounded});
    Circuit output = input;
    output.operations.erase(output.operations.begin());
    output.operations.push_back(when(moved));
    const ReplayReport report = replay(input, output, exchange(input, {0}, {{moved, {last + 1}}}));
    CHECK(report.fault.empty());
    REQUIRE(report.is_certified);
    CHECK(report.phase.is_zero());
    CHECK((report.distance == 0) == is_exact);
    CHECK(report.drops_phase == is_exact);
  }
}

TEST_CASE("Gates under different conditions are no window", "[replay][conditions]") {
  const Operation h0 = make_operation(h, {0});
  const auto refuses = [&](const Operation& first, const Operation& second) {
    const Circuit input = measured({first, second});
    CHECK(fault_of(input, rewrite(input, {1, 2}, {})) == kOtherCondition);
    const bool is_conditional = !input.operations[1].conditions().empty();
    CHECK_THAT(fault_of(input, exchange(input, {1, 2}, {})),
               Catch::EndsWith(is_conditional ? kMixedHull : kDiffers));
    CHECK_FALSE(replay(input, measured({}), rewrite(input, {1, 2}, {})).is_certified);
  };
  const Condition is_one{0, 1};
  refuses(when(h0), h0);
  refuses(h0, when(h0));
  refuses(when(h0), conditional(h0, 0, 0));
  refuses(when(h0), conditional(h0, 1, 1));
  refuses(when(h0), with_conditions(h0, {{0, 1, {}, true}}));
  refuses(when(h0), with_conditions(h0, {is_one, {1, 1}}));
  refuses(with_conditions(h0, {is_one, {1, 1}}), with_conditions(h0, {is_one, {1, 0}}));
  const Circuit nested =
      measured({with_conditions(h0, {is_one, {1, 0}}), with_conditions(h0, {is_one, {1, 0}})});
  CHECK(replay(nested, measured({}), rewrite(nested, {1, 2}, {})).is_certified);
}

TEST_CASE("Gates under different versions of a bit are no window", "[replay][conditions]") {
  const Operation h0 = make_operation(h, {0});
  const auto written = [&](const Operation& write) {
    return measured({when(h0), write, when(h0)});
  };
  const auto refuses = [&](const Operation& write) {
    const Circuit input = written(write);
    CHECK(fault_of(input, rewrite(input, {1, 3}, {})) ==
          "step 1: operation 3: the gate is under another condition");
    CHECK_THAT(fault_of(input, exchange(input, {1, 3}, {})), Catch::EndsWith(kMixedHull));
    CHECK_FALSE(replay(input, measured({write}), rewrite(input, {1, 3}, {})).is_certified);
  };
  refuses(measure(1, 0));
  refuses(measure(2, 0));
  refuses(conditional(measure(2, 0), 1, 1));
  refuses(when(measure(2, 0)));
  // These do not write the bit.
  for (const Operation& other : {measure(2, 1), when(measure(2, 1)), when(reset(1)),
                                 when(make_operation(x, {3})), barrier({1, 2})}) {
    const Circuit input = written(other);
    CHECK(replay(input, measured({other}), rewrite(input, {1, 3}, {})).is_certified);
    CHECK(replay(input, measured({other}), exchange(input, {1, 3}, {})).is_certified);
  }
}

TEST_CASE("A gate is not moved across a write of its bit", "[replay][conditions]") {
  const Operation x0 = make_operation(x, {0});
  const Circuit input = measured({when(x0), measure(2, 0), make_operation(cx, {2, 0})});
  const Circuit moved = measured({measure(2, 0), when(x0), make_operation(cx, {2, 0})});
  CHECK(is_same(input, input));
  CHECK_FALSE(is_same(input, moved));
  CHECK_FALSE(is_same(moved, input));
  CHECK_FALSE(is_same(
      input, classical_circuit(
                 4, {1, 1}, {when(x0), measure(1, 0), measure(2, 0), make_operation(cx, {2, 0})})));
  // A rewrite that inserts the gate again leaves it in its version.
  for (const std::string& journal :
       {rewrite(input, {1}, {x0}), exchange(input, {1}, {{x0, {0}}})}) {
    CHECK(replay(input, input, journal).is_certified);
    CHECK_FALSE(replay(input, moved, journal).is_certified);
  }
  // x commutes with the target of cx, which is behind the write.
  CHECK_THAT(fault_of(input, exchange(input, {1}, {{x0, {4}}})), Catch::EndsWith(kMixedHull));
  const Circuit other_bit = measured({when(x0), measure(2, 1), make_operation(cx, {2, 0})});
  CHECK_THAT(fault_of(other_bit, exchange(other_bit, {1}, {{x0, {4}}})),
             Catch::EndsWith(kMixedHull));
  const Circuit other_gate = measured({when(x0), measure(2, 1), when(make_operation(cx, {2, 0}))});
  CHECK(replay(other_gate, measured({measure(2, 1), when(make_operation(cx, {2, 0})), when(x0)}),
               exchange(other_gate, {1}, {{x0, {4}}}))
            .is_certified);
}

TEST_CASE("Paths lead through writes and conditions", "[replay][conditions]") {
  const Operation first = make_operation(cx, {0, 1});
  const Operation second = make_operation(cx, {0, 2});
  const Operation x2 = make_operation(x, {2});
  const auto exchanged = [&](const std::vector<Operation>& between, bool is_right) {
    std::vector<Operation> operations{first};
    operations.insert(operations.end(), between.begin(), between.end());
    operations.push_back(second);
    const Circuit input = classical_circuit(4, {1, 1}, operations);
    const OperationNumber last = operations.size() - 1;
    const auto journal = [&](Prelude prelude, bool is_exchange) {
      return journal_of(input, [&](OperationJournal& writer) {
        for (OperationNumber i = 1; i < last; ++i) replace(writer, input, i, prelude);
        if (is_exchange) {
          writer.exchange(std::vector<OperationNumber>{0},
                          std::vector<Insertion>{{first, {last + 1, 0}}});
        } else {
          writer.rewrite(std::vector<OperationNumber>{0, last}, std::vector{first, second}, {},
                         std::vector{second, first});
        }
      });
    };
    // One order for both results: x is before the second gate, and that one before the first.
    const Circuit output =
        classical_circuit(4, {1, 1}, {between.back(), second, first, between.front()});
    for (const Prelude prelude : {Prelude::none, Prelude::replaced, Prelude::moved_back}) {
      for (const bool is_exchange : {false, true}) {
        INFO(static_cast<int>(prelude) << is_exchange);
        const ReplayReport report =
            replay(input, is_right ? output : input, journal(prelude, is_exchange));
        CHECK(report.is_certified == is_right);
        if (is_right) CHECK(report.fault.empty());
        const std::string reason = is_exchange ? kNoOrder : kPathOut;
        if (!is_right) CHECK_THAT(report.fault, Catch::EndsWith(reason));
      }
    }
  };
  exchanged({measure(1, 0), x2}, true);
  exchanged({measure(1, 0), conditional(x2, 1, 1)}, true);
  exchanged({measure(1, 0), when(x2)}, false);
  exchanged({measure(1, 0), conditional(x2, 0, 0)}, false);
  exchanged({measure(1, 0), when(measure(3, 1)), conditional(x2, 1, 1)}, false);
  // A read of the version before: the next write is behind it.
  const Operation x1 = make_operation(x, {1});
  exchanged({when(x1), measure(3, 0), when(x2)}, false);
  exchanged({when(x1), measure(3, 0), measure(2, 0)}, false);
}

TEST_CASE("A window under a condition gets other wires", "[replay][conditions]") {
  const Operation x0 = make_operation(x, {0});
  const Operation x2 = make_operation(x, {2});
  // Two gates on qubit 2, directly after an operation or at the start, come to a gate on qubit 0.
  const auto widened = [&](const Circuit& input, OperationNumber number, OperationNumber after) {
    return journal_of(input, [&](OperationJournal& writer) {
      writer.rewrite(std::vector{number}, std::vector{x0},
                     std::vector<OperationJournal::Place>{{2, after}}, std::vector{x0, x2, x2});
    });
  };
  const auto moved = [&](const Circuit& input, OperationNumber number, OperationNumber after) {
    const OperationNumber next = input.operations.size();
    return exchange(input, {number}, {{x0, {0}}, {x2, {after}}, {x2, {next + 2}}});
  };
  const auto is_accepted = [&](const Circuit& input, OperationNumber number, OperationNumber after,
                               const Circuit& output) {
    const bool is_right = replay(input, output, widened(input, number, after)).is_certified;
    CHECK(replay(input, output, moved(input, number, after)).is_certified == is_right);
    return is_right;
  };
  const Operation to_bit = make_operation(cx, {2, 1});
  const Operation h2 = make_operation(h, {2});
  // Before the write, there is nothing to read.
  const Circuit behind = classical_circuit(4, {1, 1}, {to_bit, measure(1, 0), when(x0)});
  CHECK(is_accepted(
      behind, 2, 1,
      classical_circuit(4, {1, 1}, {to_bit, measure(1, 0), when(x2), when(x2), when(x0)})));
  CHECK_THAT(fault_of(behind, widened(behind, 2, 0)), Catch::EndsWith(kPathOut));
  CHECK_FALSE(fault_of(behind, moved(behind, 2, 0)).empty());
  // The next write has to be behind an operation on qubit 2.
  const Circuit before = classical_circuit(4, {1, 1}, {when(x0), measure(3, 0), h2});
  CHECK(
      is_accepted(before, 0, 3,
                  classical_circuit(4, {1, 1}, {h2, when(x2), when(x0), when(x2), measure(3, 0)})));
  const Operation from_write = make_operation(cx, {3, 2});
  const Circuit late = classical_circuit(4, {1, 1}, {when(x0), measure(3, 0), from_write});
  CHECK_THAT(fault_of(late, widened(late, 0, 3)), Catch::EndsWith(kPathOut));
  CHECK_FALSE(fault_of(late, moved(late, 0, 3)).empty());
  CHECK(is_accepted(
      late, 0, 0,
      classical_circuit(4, {1, 1}, {when(x2), when(x0), when(x2), measure(3, 0), from_write})));
}

TEST_CASE("Reads of one version have no order", "[replay][conditions]") {
  const Operation x0 = when(make_operation(x, {0}));
  const Operation z2 = conditional(make_operation(z, {2}), 0, 0);
  const Operation measured3 = when(measure(3, 1));
  const Circuit input = measured({x0, z2, measured3, measure(1, 0), x0});
  CHECK(is_same(input, measured({z2, x0, measured3, measure(1, 0), x0})));
  CHECK(is_same(input, measured({measured3, z2, x0, measure(1, 0), x0})));
  CHECK_FALSE(is_same(input, measured({x0, z2, measure(1, 0), measured3, x0})));
  CHECK_FALSE(is_same(input, measured({x0, measured3, measure(1, 0), z2, x0})));
  CHECK_FALSE(is_same(input, measured({z2, measured3, measure(1, 0), x0, x0})));
  // A qubit orders what a bit does not.
  const Operation h0 = conditional(make_operation(h, {0}), 0, 0);
  CHECK_FALSE(is_same(measured({x0, h0}), measured({h0, x0})));
}

TEST_CASE("Conditions are compared by the bits that they test", "[replay][conditions]") {
  const auto on = [](Condition condition) {
    return with_conditions(make_operation(x, {0}), {condition});
  };
  const auto circuit = [&](const std::vector<std::uint32_t>& registers, Condition condition) {
    return classical_circuit(2, registers, {measure(0, 1), measure(1, 2), on(condition)});
  };
  const Circuit input = circuit({1, 2}, {1, 1, 0});
  CHECK(is_same(input, input));
  CHECK(is_same(input, circuit({3}, {0, 1, 1})));
  CHECK(is_same(input, circuit({1, 1, 1}, {1, 1})));
  CHECK(is_same(input, circuit({2, 1}, {0, 1, 1})));
  CHECK_FALSE(is_same(input, circuit({1, 2}, {1, 1, 1})));
  CHECK_FALSE(is_same(input, circuit({1, 2}, {1, 0, 0})));
  CHECK_FALSE(is_same(input, circuit({1, 2}, {1, 1})));
  CHECK_FALSE(is_same(input, circuit({1, 2}, {0, 1})));
  const Circuit whole = circuit({1, 2}, {1, 1});
  CHECK(is_same(whole, whole));
  CHECK(is_same(whole, circuit({1, 2}, {1, 1})));
  CHECK_FALSE(is_same(whole, input));
  CHECK_FALSE(is_same(whole, circuit({2, 1}, {0, 1})));
  CHECK_FALSE(is_same(whole, circuit({3}, {0, 1})));
  CHECK_FALSE(is_same(whole, circuit({1, 2}, {1, 2})));
  CHECK_FALSE(is_same(whole, circuit({1, 2}, {1, 1, {}, true})));
  CHECK_THROWS_AS(is_same(circuit({3}, {1, 1}), input), UsageError);
  CHECK_THROWS_AS(is_same(input, circuit({3}, {0, 1, 3})), UsageError);
}

TEST_CASE("A register has a version for each write of a bit", "[replay][conditions]") {
  const Operation h0 = make_operation(h, {0});
  const Operation on_register = conditional(h0, 0, 1);
  const Operation on_bit = with_conditions(h0, {{0, 1, 0}});
  const auto circuit = [](std::vector<Operation> operations) {
    return classical_circuit(4, {2, 1}, std::move(operations));
  };
  // Bit 1 is not tested by a condition on bit 0.
  const Circuit bits = circuit({on_bit, measure(1, 1), on_bit});
  CHECK(replay(bits, circuit({measure(1, 1)}), rewrite(bits, {0, 2}, {})).is_certified);
  CHECK(is_same(circuit({on_bit, measure(1, 1)}), circuit({measure(1, 1), on_bit})));
  for (const ClassicalBit bit : {0, 1}) {
    const Circuit registers = circuit({on_register, measure(1, bit), on_register});
    CHECK(fault_of(registers, rewrite(registers, {0, 2}, {})) == kOtherCondition);
    CHECK_FALSE(
        is_same(circuit({on_register, measure(1, bit)}), circuit({measure(1, bit), on_register})));
  }
  const Circuit other = circuit({on_register, measure(1, 2), on_register});
  CHECK(replay(other, circuit({measure(1, 2)}), rewrite(other, {0, 2}, {})).is_certified);
  // One operation that writes a bit twice, and both bits of the register.
  Operation many = measure(1, 0);
  many.qubits = {1, 2, 3};
  many = with_classical(many, {{0, 1, 1}, {}, {}});
  const Circuit twice = circuit({on_register, many, on_register});
  CHECK(is_same(twice, twice));
  CHECK(fault_of(twice, rewrite(twice, {0, 2}, {})) == kOtherCondition);
}

TEST_CASE("Conditional operations that are not gates keep their places", "[replay][conditions]") {
  const Operation x0 = make_operation(x, {0});
  const Circuit input = measured(
      {when(measure(0, 0)), when(x0), when(reset(2)), when(opaque("u", {3})), when(measure(0, 1))});
  CHECK(is_same(input, input));
  for (OperationNumber number : {1, 3, 4, 5}) {
    const std::string begin = "step 1: operation " + std::to_string(number);
    CHECK(fault_of(input, rewrite(input, {number}, {})) == begin + ": only gates may be rewritten");
    CHECK(fault_of(input, exchange(input, {number}, {})) == begin + ": only gates may be removed");
    Circuit other = input;
    ClassicalPart part = *other.operations[number].classical;
    part.conditions[0].value = 0;
    other.operations[number].classical = std::make_shared<const ClassicalPart>(part);
    CHECK_FALSE(is_same(input, other));
    part.conditions.clear();
    other.operations[number].classical = std::make_shared<const ClassicalPart>(part);
    CHECK_FALSE(is_same(input, other));
    CHECK_FALSE(is_same(other, input));
  }
  const Circuit longer = measured({when(measure(0, 0)), when(make_operation(h, {0})),
                                   when(make_operation(z, {0})), when(make_operation(h, {0})),
                                   when(reset(2)), when(opaque("u", {3})), when(measure(0, 1))});
  CHECK(replay(longer, input, rewrite(longer, {2, 3, 4}, {x0})).is_certified);
}

namespace {

bool reads(const Circuit& circuit, const Operation& operation, ClassicalBit bit) {
  return std::ranges::any_of(operation.conditions(), [&](const Condition& condition) {
    const Register bits = tested_bits(circuit, condition);
    return bit >= bits.first && bit < bits.first + bits.size;
  });
}

bool writes(const Operation& operation, ClassicalBit bit) {
  return operation.classical != nullptr && std::ranges::count(operation.classical->bits, bit) != 0;
}

/// Returns whether operations must keep their order, by what they act on.
bool are_ordered(const Circuit& circuit, const Operation& a, const Operation& b) {
  for (const Qubit qubit : a.qubits) {
    if (std::ranges::count(b.qubits, qubit) != 0) return true;
  }
  for (ClassicalBit bit = 0; bit < circuit.bit_count(); ++bit) {
    if (writes(a, bit) && (writes(b, bit) || reads(circuit, b, bit))) return true;
    if (writes(b, bit) && reads(circuit, a, bit)) return true;
  }
  return false;
}

/// Returns a circuit on bits c0[2] and c1[1]. Diagonal gates are frequent, because they commute.
Circuit random_conditional_circuit(Random& random, std::uint32_t qubits, std::size_t size) {
  const std::vector<GateKind> kinds{t, tdg, s, cz, cz, cx, h, x};
  const std::vector<std::vector<Condition>> conditions{
      {}, {}, {}, {{0, 1, 0}}, {{0, 1, 0}}, {{1, 1}}, {{0, 2}}, {{1, 0}, {0, 1, 1}}};
  std::vector<Operation> operations;
  while (operations.size() < size) {
    Operation operation = random_gate(random, kinds, qubits, 4);
    if (below(random, 5) == 0) operation = measure(below(random, qubits), below(random, 3));
    if (below(random, 20) == 0) operation = reset(below(random, qubits));
    const std::vector<Condition>& chosen = conditions[below(random, conditions.size())];
    if (!chosen.empty()) operation = with_conditions(operation, chosen);
    // Runs of gates under one condition.
    for (std::uint32_t i = below(random, 3) + 1; i-- > 0;) {
      operations.push_back(operation);
      if (operation.kind != OperationKind::gate) break;
      Operation next = random_gate(random, kinds, qubits, 4);
      next.classical = operation.classical;
      operation = next;
    }
  }
  return classical_circuit(qubits, {2, 1}, std::move(operations));
}

bool is_equal(const Circuit& input, const Circuit& output) {
  const EquivalenceVerdict verdict = check_equivalence(input, output).verdict;
  CHECK(verdict != EquivalenceVerdict::undecided);
  return verdict == EquivalenceVerdict::equal || verdict == EquivalenceVerdict::equal_up_to_phase;
}

/// A circuit that random rewrites lead to, and their journal.
struct Rewritten {
  Circuit circuit;
  std::string journal;
};

Rewritten rewritten_at_random(const Circuit& input, Random& random) {
  std::vector<Operation> operations = input.operations;
  std::vector<OperationNumber> numbers(operations.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  std::string journal = journal_of(input, [&](OperationJournal& writer) {
    for (int step = 0; step < 200; ++step) {
      const std::size_t i = below(random, operations.size() - 1);
      Operation& a = operations[i];
      Operation& b = operations[i + 1];
      if (!are_ordered(input, a, b) &&
          (a.kind == OperationKind::gate || b.kind == OperationKind::gate)) {
        std::swap(a, b);
        std::swap(numbers[i], numbers[i + 1]);
        continue;
      }
      // A gate becomes itself and two Hadamard gates; neighbours under one condition as well.
      if (a.kind != OperationKind::gate) continue;
      const bool has_both = b.kind == OperationKind::gate && below(random, 2) == 0 &&
                            std::ranges::equal(a.conditions(), b.conditions());
      std::vector<Operation> window{a};
      if (has_both) window.push_back(b);
      const std::vector<OperationNumber> removed(numbers.begin() + i,
                                                 numbers.begin() + i + window.size());
      std::vector<Operation> inserted = window;
      for (int k = 0; k < 2 && operations.size() < 60; ++k) {
        inserted.push_back(make_operation(h, {window[0].qubits[0]}));
        inserted.back().classical = a.classical;
      }
      std::vector<OperationJournal::Place> gaps;
      const Qubit added_qubit = below(random, 4);
      const auto acts_there = [&](const Operation& operation) {
        return std::ranges::count(operation.qubits, added_qubit) != 0;
      };
      if (operations.size() < 60 && std::ranges::none_of(window, acts_there)) {
        std::size_t place = i;
        while (place > 0 && !acts_there(operations[place - 1])) --place;
        gaps.push_back({added_qubit, place == 0 ? 0 : numbers[place - 1] + 1});
        inserted.insert(inserted.end(), 2, make_operation(x, {added_qubit}));
        for (Operation& gate : inserted) gate.classical = a.classical;
      }
      const OperationNumber first = writer.next_number();
      writer.rewrite(removed, window, gaps, inserted);
      const auto replace = [&](auto& list, const auto& by) {
        list.erase(list.begin() + i, list.begin() + i + window.size());
        list.insert(list.begin() + i, by.begin(), by.end());
      };
      std::vector<OperationNumber> added(inserted.size());
      for (std::size_t k = 0; k < added.size(); ++k) added[k] = first + k;
      replace(operations, inserted);
      replace(numbers, added);
    }
  });
  return {classical_circuit(4, {2, 1}, operations), std::move(journal)};
}

}  // namespace

TEST_CASE("Orders of conditional circuits are recognized", "[replay][conditions]") {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Circuit input = random_conditional_circuit(random, 4, 20);
    Circuit output = input;
    const auto exchange_neighbours = [&](bool must_be_ordered) {
      const std::size_t i = below(random, output.operations.size() - 1);
      Operation& a = output.operations[i];
      Operation& b = output.operations[i + 1];
      // The replay keeps the order of all writes into a register that is compared as a whole.
      const bool are_both_writes = a.kind == OperationKind::measure && b.kind == a.kind;
      if (are_both_writes || are_ordered(input, a, b) != must_be_ordered || a == b) return false;
      std::swap(a, b);
      return true;
    };
    for (int i = 0; i < 100; ++i) exchange_neighbours(false);
    CHECK(is_same(input, output));
    for (int i = 0; i < 100; ++i) {
      if (!exchange_neighbours(true)) continue;
      CHECK_FALSE(is_same(input, output));
      ++refused;
      break;
    }
  }
  CHECK(refused > 150);
}

TEST_CASE("Random rewrites of conditional gates are accepted", "[replay][conditions]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Circuit input = random_conditional_circuit(random, 4, 25);
    const auto [output, journal] = rewritten_at_random(input, random);
    const ReplayReport report = replay(input, output, journal);
    CHECK(report.fault.empty());
    CHECK_FALSE(report.drops_phase);
  }
}

TEST_CASE("Damaged journals of conditional circuits certify nothing wrong",
          "[replay][conditions]") {
  std::size_t read = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Circuit input = random_conditional_circuit(random, 4, 12);
    const auto [output, journal] = rewritten_at_random(input, random);
    Circuit other = output;
    for (Operation& operation : other.operations) {
      if (!operation.conditions().empty()) operation = conditional(operation, 1, 0);
    }
    if (other == output) continue;
    const std::string records =
        decompressed(journal.substr(12, journal.size() - 16), "the records");
    for (int i = 0; i < 100; ++i) {
      INFO("seed " << seed << ", change " << i);
      std::string damaged = records;
      for (std::uint32_t changes = 1 + below(random, 3); changes-- > 0;) {
        damaged[below(random, damaged.size())] = static_cast<char>(below(random, 40));
      }
      const std::string block = compressed(damaged, CompressionEffort::least);
      std::string file = journal.substr(0, 8);
      for (std::size_t k = 0; k < 4; ++k) file += static_cast<char>(block.size() >> 8 * k);
      file += block + std::string(4, '\0');
      try {
        const bool is_certified = replay(input, other, file).is_certified;
        CHECK_FALSE(is_certified);
        ++read;
      } catch (const InputError&) {
        continue;
      }
    }
  }
  CHECK(read > 500);
}

TEST_CASE("Only right steps of conditional circuits are certified", "[replay][conditions]") {
  constexpr std::uint32_t qubits = 3;
  std::size_t certified = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Circuit input = random_conditional_circuit(random, qubits, 7);
    const std::size_t size = input.operations.size();
    const std::size_t a = below(random, size);
    const std::size_t b = below(random, size);
    if (a >= b || input.operations[a].kind != OperationKind::gate ||
        input.operations[b].kind != OperationKind::gate) {
      continue;
    }
    const Operation& first = input.operations[a];
    const Operation& second = input.operations[b];
    std::string journal;
    if (below(random, 2) == 0) {
      journal = rewrite(input, {a, b}, {second, first});
    } else {
      // The first gate is put behind the second one, where they share a qubit, or removed.
      Insertion moved{without_condition(first), {}};
      for (const Qubit qubit : first.qubits) {
        OperationNumber after = 0;
        for (std::size_t i = 0; i <= b; ++i) {
          if (i != a && std::ranges::count(input.operations[i].qubits, qubit) != 0) after = i + 1;
        }
        moved.after.push_back(after);
      }
      journal = exchange(input, {a}, {moved});
    }
    bool is_certified = false;
    // The order of the circuit after the step is not known: all places for both gates are tried.
    for (std::size_t i = a; i <= b && !is_certified; ++i) {
      Circuit output = input;
      output.operations.erase(output.operations.begin() + static_cast<std::ptrdiff_t>(b));
      output.operations.erase(output.operations.begin() + static_cast<std::ptrdiff_t>(a));
      const auto place =
          output.operations.begin() + static_cast<std::ptrdiff_t>(std::min(i, b - 1));
      output.operations.insert(output.operations.insert(place, first), second);
      std::swap(output.operations[std::min(i, b - 1)], output.operations[std::min(i, b - 1) + 1]);
      is_certified = replay(input, output, journal).is_certified;
      if (is_certified) CHECK(is_equal(input, output));
    }
    ++(is_certified ? certified : refused);
  }
  CHECK(certified > 100);
  CHECK(refused > 300);
}
