#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "exchanged_circuit.hpp"
#include "instrument.hpp"
#include "quartz/certify/journal.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"

/// Replays exchanges whose context are resets.
using namespace quartz;
using namespace quartz::test;
using journal::OperationNumber;
using enum GateKind;

namespace {

/// Replays one exchange.
ReplayReport replay_exchange(const Circuit& input, const std::vector<OperationNumber>& removed,
                             const std::vector<Insertion>& inserted,
                             const std::vector<OperationNumber>& context) {
  ExchangedCircuit exchanged(input);
  REQUIRE(exchanged.exchange(removed, inserted, context));
  const Circuit output = exchanged.circuit();
  return replay(input, output, exchanged.finish());
}

Operation gate_on(GateKind kind, std::initializer_list<Qubit> qubits) {
  return make_operation(kind, qubits);
}

}  // namespace

TEST_CASE("Gates that a reset makes trivial are removed in its context", "[replay][context]") {
  const Circuit zero = make_circuit(2, {reset(0), gate_on(cx, {0, 1})});
  CHECK(replay_exchange(zero, {1}, {}, {0}).is_certified);
  CHECK_FALSE(replay_exchange(zero, {1}, {}, {}).is_certified);

  const Circuit plus = make_circuit(2, {reset(1), gate_on(h, {1}), gate_on(cx, {0, 1})});
  CHECK(replay_exchange(plus, {2}, {}, {0}).is_certified);
  const Circuit target = make_circuit(2, {reset(1), gate_on(cx, {0, 1})});
  CHECK_FALSE(replay_exchange(target, {1}, {}, {0}).is_certified);

  // A phase on a known state is a global one.
  const ReplayReport phase =
      replay_exchange(make_circuit(1, {reset(0), gate_on(x, {0}), gate_on(t, {0})}), {2}, {}, {0});
  REQUIRE(phase.is_certified);
  CHECK((phase.phase + Angle::pi_times(Rational(1, 4))).reduced_symmetric(2).is_zero());
}

TEST_CASE("Gates on a known state are replaced in its context", "[replay][context]") {
  const Circuit input = make_circuit(3, {reset(0), gate_on(x, {0}), gate_on(ccx, {0, 1, 2})});
  CHECK(replay_exchange(input, {2}, {{gate_on(cx, {1, 2}), {0, 0}}}, {0}).is_certified);
  CHECK_FALSE(replay_exchange(input, {2}, {{gate_on(cx, {2, 1}), {0, 0}}}, {0}).is_certified);
  CHECK_FALSE(replay_exchange(input, {2}, {}, {0}).is_certified);
}

TEST_CASE("Gates on qubits that are discarded are removed in the context of the resets",
          "[replay][context]") {
  const Circuit both = make_circuit(2, {gate_on(cx, {0, 1}), reset(0), reset(1)});
  CHECK(replay_exchange(both, {0}, {}, {1, 2}).is_certified);
  CHECK_FALSE(replay_exchange(both, {0}, {}, {1}).is_certified);
  const Circuit one = make_circuit(2, {gate_on(cx, {0, 1}), reset(0)});
  CHECK_FALSE(replay_exchange(one, {0}, {}, {1}).is_certified);
}

TEST_CASE("Diagonal gates before a measurement whose qubit is discarded are removed",
          "[replay][context]") {
  const auto measured = [](std::vector<Operation> gates) {
    gates.insert(gates.end(), {measure(0, 0), measure(1, 1), reset(0), reset(1)});
    return classical_circuit(2, {2}, std::move(gates));
  };
  CHECK(replay_exchange(measured({gate_on(cz, {0, 1})}), {0}, {}, {3, 4}).is_certified);
  CHECK_FALSE(replay_exchange(measured({gate_on(cx, {0, 1})}), {0}, {}, {3, 4}).is_certified);
  // The phase gate commutes with the control behind it.
  const Circuit control = measured({gate_on(t, {0}), gate_on(cx, {0, 1})});
  CHECK(replay_exchange(control, {0}, {}, {4, 5}).is_certified);
  const Circuit target = measured({gate_on(t, {1}), gate_on(cx, {0, 1})});
  CHECK_FALSE(replay_exchange(target, {0}, {}, {4, 5}).is_certified);
}

TEST_CASE("Only resets without a condition are a context", "[replay][context]") {
  const Circuit input = make_circuit(2, {gate_on(h, {0}), gate_on(cx, {0, 1})});
  CHECK(replay_exchange(input, {1}, {}, {0}).fault.find("only a reset") != std::string::npos);
  Operation conditional = with_classical(reset(0), {{}, {{0, 1}}, {}});
  const Circuit later = classical_circuit(2, {1}, {std::move(conditional), gate_on(cx, {0, 1})});
  CHECK(replay_exchange(later, {1}, {}, {0}).fault.find("only a reset") != std::string::npos);
}

TEST_CASE("Random exchanges in random contexts are accepted only if they are right",
          "[replay][context]") {
  const std::vector<GateKind> kinds{h, x, cx, cx, cz, t, s, ccx, swap};
  std::size_t accepted = 0;
  std::size_t right = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    std::vector<Operation> operations =
        random_circuit(random, kinds, 3, 2 + below(random, 5)).operations;
    const auto insert = [&](Operation operation) {
      operations.insert(operations.begin() + below(random, operations.size() + 1),
                        std::move(operation));
    };
    for (std::uint32_t i = below(random, 3); i-- > 0;) insert(measure(below(random, 3), i));
    for (std::uint32_t i = 1 + below(random, 3); i-- > 0;) insert(reset(below(random, 3)));
    const Circuit input = classical_circuit(3, {3}, std::move(operations));
    std::vector<OperationNumber> removed;
    std::vector<OperationNumber> context;
    for (OperationNumber i = 0; i < input.operations.size(); ++i) {
      const Operation& each = input.operations[i];
      if (each.kind == OperationKind::reset && below(random, 4) != 0) context.push_back(i);
      if (!each.is_boundary() && below(random, 4) == 0) removed.push_back(i);
    }
    if (context.empty()) continue;
    ExchangedCircuit exchanged(input);
    REQUIRE(exchanged.exchange(removed, {}, context));
    const Circuit output = exchanged.circuit();
    const double distance = instrument_distance(input, output);
    const ReplayReport report = replay(input, output, exchanged.finish());
    if (distance < 1e-9 && !removed.empty()) ++right;
    if (!report.is_certified) continue;
    CHECK(distance < 1e-9);
    if (!removed.empty()) ++accepted;
  }
  // Removals may be right for reasons outside of their context.
  CHECK(accepted > 60);
  CHECK(right < 3 * accepted);
}
