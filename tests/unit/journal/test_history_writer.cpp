#include <catch2/catch.hpp>
#include <initializer_list>
#include <sstream>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "journal/history_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"

using namespace quartz;
using namespace quartz::circuit;
using enum GateKind;

namespace {

/// A journal with the number of rewrites that its writer reported.
struct Journal {
  std::string bytes;
  std::uint64_t rewrites = 0;
};

Journal journal_of(const Circuit& input, const HistoryPointer& history) {
  std::ostringstream out;
  const std::uint64_t rewrites = journal::write_journal(out, input, history);
  return {out.str(), rewrites};
}

ReplayReport replay(const Circuit& input, const Circuit& output, const Journal& journal) {
  std::istringstream in(journal.bytes);
  return replay_journal(input, output, in, "the journal");
}

/// Returns whether the journal does not certify the output. An operation more or less changes the
/// numbers that a journal refers to, so it may not be a journal for the circuit at all.
bool is_refused(const Circuit& input, const Circuit& output, const Journal& journal) {
  try {
    return !replay(input, output, journal).is_certified;
  } catch (const InputError&) {
    return true;
  }
}

/// Returns the circuits that have one more gate on the first qubit, at its start or its end.
std::vector<Circuit> with_another_gate(const Circuit& circuit) {
  std::vector<Circuit> circuits(2, circuit);
  std::vector<Operation>& first = circuits[0].operations;
  first.insert(first.begin(), make_operation(sdg, {0}));
  circuits[1].operations.push_back(make_operation(sdg, {0}));
  return circuits;
}

/// Checks that the journal of the history certifies the output, but neither another output nor the
/// way from another input. Returns the number of its rewrites.
std::uint64_t certified_rewrites(const Circuit& input, const Circuit& output,
                                 const HistoryPointer& history) {
  const Journal journal = journal_of(input, history);
  const ReplayReport report = replay(input, output, journal);
  CHECK(report.fault.empty());
  CHECK(report.is_certified);
  CHECK(report.steps == journal.rewrites);
  for (const Circuit& other : with_another_gate(output)) CHECK(is_refused(input, other, journal));
  for (const Circuit& other : with_another_gate(input)) CHECK(is_refused(other, output, journal));
  return journal.rewrites;
}

RecordedGate recorded(HistoryRecorder& recorder, const Operation& gate) {
  return {recorder.gates().code_of(gate), {gate.qubits.begin(), gate.qubits.end()}};
}

/// Returns the history of one rewrite.
HistoryPointer one_rewrite(std::size_t size, const std::vector<GateNumber>& removed,
                           const std::vector<RecordedPlace>& gaps,
                           const std::vector<Operation>& inserted, std::vector<GateNumber> order) {
  HistoryRecorder recorder(size);
  recorder.rewrite(removed, gaps, inserted);
  return std::move(recorder).finish(std::move(order));
}

/// Returns the history of a list of one gate on one qubit, after which a pair of gates is inserted.
HistoryPointer append_pair(GateKind kind, Qubit qubit) {
  const Operation gate = make_operation(kind, {qubit});
  return one_rewrite(1, {}, {{qubit, 1}}, {gate, gate}, {0, 1, 2});
}

HistoryPointer exchange_of(std::size_t size, const std::vector<Operation>& after,
                           const std::vector<std::uint32_t>& origins) {
  std::vector<const Operation*> gates;
  for (const Operation& gate : after) gates.push_back(&gate);
  return circuit::exchange_history(size, gates, origins, 3);
}

}  // namespace

TEST_CASE("No history is the journal of a circuit that stays", "[history writer]") {
  const Circuit circuit = make_circuit(2, {make_operation(h, {0}), make_operation(cx, {0, 1})});
  CHECK(certified_rewrites(circuit, circuit, nullptr) == 0);
  CHECK(in_sequence(nullptr, nullptr) == nullptr);
}

TEST_CASE("A sequence of rewrites with different gates is certified", "[history writer]") {
  const Circuit input =
      make_circuit(2, {make_operation(h, {0}), make_operation(cx, {0, 1}), make_operation(h, {0})});
  // Each history has its own codes of gates.
  const HistoryPointer first = one_rewrite(
      3, {1}, {}, {make_operation(h, {1}), make_operation(cz, {0, 1}), make_operation(h, {1})},
      {0, 3, 4, 5, 2});
  const HistoryPointer second =
      one_rewrite(5, {2}, {}, {make_operation(cz, {1, 0})}, {0, 1, 5, 3, 4});
  const HistoryPointer third = one_rewrite(
      5, {0}, {}, {make_operation(h, {0}), make_operation(x, {0}), make_operation(x, {0})},
      {5, 6, 7, 1, 2, 3, 4});
  const Circuit output =
      make_circuit(2, {make_operation(h, {0}), make_operation(x, {0}), make_operation(x, {0}),
                       make_operation(h, {1}), make_operation(cz, {1, 0}), make_operation(h, {1}),
                       make_operation(h, {0})});
  CHECK(certified_rewrites(input, output, in_sequence(first, in_sequence(second, third))) == 3);
  CHECK(certified_rewrites(input, output, in_sequence(in_sequence(first, second), third)) == 3);
}

TEST_CASE("Wires of a window are those of the gates that it removes", "[history writer]") {
  const Circuit input =
      make_circuit(3, {make_operation(h, {2}), make_operation(cx, {2, 0}), make_operation(h, {1})});
  HistoryRecorder recorder(2);
  const auto on = [&](GateKind kind, std::initializer_list<Qubit> operands) {
    const Operation gate =
        operands.size() == 1 ? make_operation(kind, {0}) : make_operation(kind, {0, 1});
    return RecordedGate{recorder.gates().code_of(gate), operands};
  };
  // The part has the qubits 2 and 0 as 0 and 1, and qubit 1 as 2, on which it has no gates.
  constexpr Qubit kFirst = circuit::kWindowWire;
  constexpr Qubit kSecond = circuit::kWindowWire | 1U;
  recorder.rewrite(std::vector<GateNumber>{0, 1}, std::vector<RecordedPlace>{{2, 0}},
                   std::vector{on(h, {kFirst}), on(h, {kSecond}), on(cz, {kSecond, 0}),
                               on(h, {kSecond}), on(x, {2}), on(x, {2})});
  const HistoryPointer step = std::move(recorder).finish({2, 3, 4, 5, 6, 7});
  std::vector<History::Part> parts;
  parts.push_back({{0, 1}, {2, 0, 1}, step});
  parts.push_back({{2}, {}, nullptr});
  const Circuit output =
      make_circuit(3, {make_operation(h, {2}), make_operation(h, {0}), make_operation(cz, {0, 2}),
                       make_operation(h, {0}), make_operation(x, {1}), make_operation(x, {1}),
                       make_operation(h, {1})});
  CHECK(certified_rewrites(input, output, circuit::in_parts(std::move(parts))) == 1);
}

TEST_CASE("Histories with common codes and with codes of their own alternate", "[history writer]") {
  const auto shared = std::make_shared<RecordedGates>();
  (void)shared->code_of(make_operation(t, {0}));
  const auto pair = [](std::shared_ptr<RecordedGates> gates, std::size_t size, GateKind kind) {
    HistoryRecorder recorder(size, std::move(gates));
    const std::vector<Operation> inserted(2, make_operation(kind, {0}));
    recorder.rewrite({}, std::vector<RecordedPlace>{{0, static_cast<GateNumber>(size)}}, inserted);
    std::vector<GateNumber> order(size + 2);
    for (GateNumber i = 0; i < order.size(); ++i) order[i] = i;
    return std::move(recorder).finish(std::move(order));
  };
  Circuit output = make_circuit(1, {make_operation(t, {0})});
  const Circuit input = output;
  HistoryPointer history;
  for (const GateKind kind : {x, h, x, y, h, z}) {
    const bool is_shared = kind == x || kind == y;
    history =
        in_sequence(std::move(history), pair(is_shared ? shared : std::make_shared<RecordedGates>(),
                                             output.operations.size(), kind));
    output.operations.insert(output.operations.end(), 2, make_operation(kind, {0}));
  }
  CHECK(certified_rewrites(input, output, history) == 6);
}

TEST_CASE("Parts have qubits of their own", "[history writer]") {
  // The list 0, 1, 2, 3 is divided into the gates of qubits 3 and 1 and those of qubits 0 and 2.
  const Circuit input = make_circuit(4, {make_operation(cx, {3, 1}), make_operation(cx, {0, 2}),
                                         make_operation(t, {1}), make_operation(t, {2})});
  const HistoryPointer reversed =
      one_rewrite(2, {0}, {},
                  {make_operation(h, {0}), make_operation(h, {1}), make_operation(cx, {1, 0}),
                   make_operation(h, {0}), make_operation(h, {1})},
                  {2, 3, 4, 5, 6, 1});
  const auto reversed_on = [](Qubit control, Qubit target) {
    return std::vector{make_operation(h, {control}),          make_operation(h, {target}),
                       make_operation(cx, {target, control}), make_operation(h, {control}),
                       make_operation(h, {target}),           make_operation(t, {target})};
  };
  std::vector<Operation> operations = reversed_on(3, 1);
  const std::vector<Operation> others = reversed_on(0, 2);
  operations.insert(operations.end(), others.begin(), others.end());
  const Circuit output = make_circuit(4, operations);
  const auto parts = [&](std::vector<Qubit> qubits) {
    return in_parts({{{0, 2}, {3, 1}, reversed}, {{1, 3}, std::move(qubits), reversed}});
  };
  CHECK(certified_rewrites(input, output, parts({0, 2})) == 2);
  // With the wrong qubits the replacement does not act on the wires of its window.
  CHECK_THROWS_AS(journal_of(input, parts({0, 1})), InternalError);

  SECTION("and so have parts of parts") {
    // Qubits 0, 1, 2, 3 of the outer part are 2, 3, 0, 1 of the circuit.
    const HistoryPointer inner = in_parts({{{0, 2}, {1, 3}, reversed}, {{1, 3}, {2, 0}, reversed}});
    const HistoryPointer outer = in_parts({{{0, 1, 2, 3}, {2, 3, 0, 1}, inner}});
    CHECK(certified_rewrites(input, output, outer) == 2);
  }
}

TEST_CASE("A gap at the start of a part is after the operations of the parts before it",
          "[history writer]") {
  const std::vector<Operation> cxs(3, make_operation(cx, {0, 1}));
  const Circuit input = make_circuit(2, cxs);
  const Operation flip = make_operation(x, {1});
  const HistoryPointer at_start = one_rewrite(1, {}, {{1, 0}}, {flip, flip}, {1, 2, 0});
  const Circuit output =
      make_circuit(2, {flip, flip, cxs[0], flip, flip, cxs[1], flip, flip, cxs[2]});
  const HistoryPointer parts =
      in_parts({{{0}, {}, at_start}, {{1}, {}, at_start}, {{2}, {}, at_start}});
  CHECK(certified_rewrites(input, output, parts) == 3);
  // Every wire runs through the parts in their order.
  CHECK_FALSE(replay(input,
                     make_circuit(2, {flip, flip, flip, flip, cxs[0], cxs[1], flip, flip, cxs[2]}),
                     journal_of(input, parts))
                  .is_certified);

  SECTION("also after a part whose last operation was replaced") {
    const HistoryPointer swapped = one_rewrite(
        1, {0}, {}, {make_operation(cx, {0, 1}), make_operation(z, {0}), make_operation(z, {0})},
        {1, 2, 3});
    const Circuit result = make_circuit(
        2, {cxs[0], make_operation(z, {0}), make_operation(z, {0}), flip, flip, cxs[1], cxs[2]});
    CHECK(certified_rewrites(
              input, result,
              in_parts({{{0}, {}, swapped}, {{1}, {}, at_start}, {{2}, {}, nullptr}})) == 2);
  }
  SECTION("and of the parts around it, and not afterwards") {
    const HistoryPointer inner = in_parts({{{0}, {}, nullptr}, {{1}, {}, at_start}});
    const HistoryPointer outer = in_parts({{{0}, {}, nullptr}, {{1, 2}, {}, inner}});
    const HistoryPointer whole = one_rewrite(5, {}, {{1, 0}}, {flip, flip}, {5, 6, 0, 1, 2, 3, 4});
    const Circuit result = make_circuit(2, {flip, flip, cxs[0], cxs[1], flip, flip, cxs[2]});
    CHECK(certified_rewrites(input, result, in_sequence(outer, whole)) == 2);
  }
}

TEST_CASE("Parts contain operations on many qubits", "[history writer]") {
  Operation barrier;
  barrier.kind = OperationKind::barrier;
  barrier.qubits = {0, 1, 2, 3, 4};
  const Circuit input = make_circuit(5, {make_operation(h, {4}), barrier, make_operation(h, {4})});
  const HistoryPointer at_start =
      one_rewrite(1, {}, {{4, 0}}, {make_operation(x, {4}), make_operation(x, {4})}, {1, 2, 0});
  const Circuit output = make_circuit(5, {make_operation(h, {4}), barrier, make_operation(x, {4}),
                                          make_operation(x, {4}), make_operation(h, {4})});
  CHECK(certified_rewrites(input, output, in_parts({{{0, 1}, {}, nullptr}, {{2}, {}, at_start}})) ==
        1);
  SECTION("and gates on many qubits are replaced") {
    const Circuit wide =
        make_circuit(5, {make_operation(c4x, {4, 3, 2, 1, 0}), make_operation(h, {4})});
    const HistoryPointer permuted =
        one_rewrite(2, {0}, {}, {make_operation(c4x, {1, 2, 3, 4, 0})}, {2, 1});
    const HistoryPointer again = one_rewrite(
        2, {0}, {},
        {make_operation(x, {4}), make_operation(x, {4}), make_operation(c4x, {4, 3, 2, 1, 0})},
        {2, 3, 4, 1});
    CHECK(certified_rewrites(
              wide,
              make_circuit(5, {make_operation(x, {4}), make_operation(x, {4}),
                               make_operation(c4x, {4, 3, 2, 1, 0}), make_operation(h, {4})}),
              in_sequence(permuted, again)) == 2);
  }
}

TEST_CASE("Exchanges are followed", "[history writer]") {
  // Rotations by t are merged through two CNOTs.
  const Circuit input = make_circuit(2, {make_operation(t, {1}), make_operation(cx, {0, 1}),
                                         make_operation(cx, {0, 1}), make_operation(t, {1})});
  const Circuit output = make_circuit(
      2, {make_operation(cx, {0, 1}), make_operation(cx, {0, 1}), make_operation(s, {1})});
  HistoryRecorder recorder(4);
  const RecordedGate merged = recorded(recorder, make_operation(s, {1}));
  recorder.exchange(std::vector<GateNumber>{0, 3}, {&merged, 1},
                    std::vector<RecordedPlace>{{1, 3}});
  const HistoryPointer exchange = std::move(recorder).finish({1, 2, 4});
  CHECK(certified_rewrites(input, output, exchange) == 1);

  const std::vector<std::uint32_t> origins{1, 2, kNewGate};
  CHECK(certified_rewrites(input, output, exchange_of(4, output.operations, origins)) == 1);
  const std::vector<std::uint32_t> same{0, 1, 2, 3};
  CHECK(exchange_of(4, input.operations, same) == nullptr);

  SECTION("on the qubits of a part, at the start of its wires") {
    const Circuit larger =
        make_circuit(3, {make_operation(h, {2}), make_operation(t, {2}), make_operation(cx, {0, 2}),
                         make_operation(cx, {0, 2}), make_operation(t, {2})});
    const std::vector<Operation> after{make_operation(s, {1}), make_operation(cx, {0, 1}),
                                       make_operation(cx, {0, 1})};
    const HistoryPointer moved = exchange_of(4, after, std::vector<std::uint32_t>{kNewGate, 1, 2});
    const Circuit result =
        make_circuit(3, {make_operation(h, {2}), make_operation(s, {2}), make_operation(cx, {0, 2}),
                         make_operation(cx, {0, 2})});
    CHECK(certified_rewrites(larger, result,
                             in_parts({{{0}, {}, nullptr}, {{1, 2, 3, 4}, {0, 2}, moved}})) == 1);
  }
}

TEST_CASE("Numbers stay right when the writer renumbers operations", "[history writer]") {
  // A small circuit is renumbered after about 2^14 insertions.
  constexpr std::size_t kRewrites = 30'000;
  const Circuit input =
      make_circuit(2, {make_operation(h, {0}), make_operation(cx, {0, 1}), make_operation(h, {1})});
  HistoryRecorder recorder(3);
  const RecordedGate hadamard = recorded(recorder, make_operation(h, {0}));
  const RecordedGate controlled = recorded(recorder, make_operation(cx, {0, 1}));
  std::vector<GateNumber> order{0, 1, 2};
  for (std::size_t i = 0; i < kRewrites; ++i) {
    // The first two gates take turns, so that the numbers are not in the order of the circuit.
    const std::size_t place = i % 2;
    const GateNumber next = recorder.next_number();
    recorder.rewrite({&order[place], 1}, {}, std::span(place == 0 ? &hadamard : &controlled, 1));
    order[place] = next;
  }
  const Operation flip = make_operation(x, {1});
  const GateNumber next = recorder.next_number();
  recorder.rewrite({}, std::vector<RecordedPlace>{{1, order[1] + 1}}, std::vector{flip, flip});
  const HistoryPointer history =
      std::move(recorder).finish({order[0], order[1], next, next + 1, order[2]});
  const Circuit output =
      make_circuit(2, {input.operations[0], input.operations[1], flip, flip, input.operations[2]});
  CHECK(certified_rewrites(input, output, history) == kRewrites + 1);
}

TEST_CASE("Gates are replaced one by one", "[history writer]") {
  const Circuit input = make_circuit(2, {make_operation(cx, {1, 0}), make_operation(t, {0}),
                                         make_operation(s, {1}), make_operation(y, {0})});
  GateByGateHistory steps(4);
  const std::vector<Operation> reversed{make_operation(h, {0}), make_operation(cz, {1, 0}),
                                        make_operation(h, {0})};
  const std::vector<Operation> halves{make_operation(t, {1}), make_operation(t, {1})};
  steps.replace(reversed);
  steps.keep();
  steps.replace(halves);
  steps.keep();
  const Circuit output =
      make_circuit(2, {reversed[0], reversed[1], reversed[2], input.operations[1], halves[0],
                       halves[1], input.operations[3]});
  CHECK(certified_rewrites(input, output, std::move(steps).finish()) == 2);

  GateByGateHistory nothing(4);
  for (int i = 0; i < 4; ++i) nothing.keep();
  CHECK(std::move(nothing).finish() == nullptr);
}

TEST_CASE("The journal of a wrong history is refused", "[history writer]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  const Circuit output = make_circuit(1, {make_operation(s, {0})});
  const Journal journal = journal_of(input, one_rewrite(1, {0}, {}, {make_operation(s, {0})}, {1}));
  CHECK(journal.rewrites == 1);
  const ReplayReport report = replay(input, output, journal);
  CHECK_FALSE(report.is_certified);
  CHECK_THAT(report.fault, Catch::StartsWith("step 1"));
}

TEST_CASE("A history with an unknown step has no journal", "[history writer]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  const HistoryPointer known = append_pair(x, 0);
  CHECK(journal::is_complete(nullptr));
  CHECK(journal::is_complete(known.get()));
  CHECK(journal::is_complete(in_sequence(known, append_pair(h, 0)).get()));
  const HistoryPointer unknown = unknown_history();
  for (const HistoryPointer& history :
       {unknown, in_sequence(known, unknown), in_sequence(unknown, known),
        in_parts({{{0}, {}, nullptr}, {{}, {}, in_sequence(known, unknown)}})}) {
    CHECK_FALSE(journal::is_complete(history.get()));
    CHECK_THROWS_AS(journal_of(input, history), InternalError);
  }
}

TEST_CASE("Long sequences need no deep stack", "[history writer]") {
  constexpr std::size_t kSteps = 1'000'000;
  const Circuit circuit = make_circuit(1, {make_operation(t, {0})});
  const HistoryPointer same = one_rewrite(1, {0}, {}, {make_operation(t, {0})}, {1});
  HistoryPointer left;
  HistoryPointer right;
  SECTION("that grow at their ends") {
    for (std::size_t i = 0; i < kSteps; ++i) left = in_sequence(std::move(left), same);
    CHECK(journal::is_complete(left.get()));
    left.reset();
    CHECK(same.use_count() == 1);
  }
  SECTION("that grow at their starts") {
    for (std::size_t i = 0; i < kSteps; ++i) right = in_sequence(same, std::move(right));
    CHECK(journal::is_complete(right.get()));
    right.reset();
    CHECK(same.use_count() == 1);
  }
  SECTION("and are written") {
    for (std::size_t i = 0; i < 20'000; ++i) {
      left = in_sequence(std::move(left), same);
      right = in_sequence(same, std::move(right));
    }
    CHECK(certified_rewrites(circuit, circuit, in_sequence(left, right)) == 40'000);
  }
}
