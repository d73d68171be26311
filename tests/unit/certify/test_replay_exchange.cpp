#include <algorithm>
#include <catch2/catch.hpp>
#include <complex>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "exchanged_circuit.hpp"
#include "journal/journal_writer.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/unitary.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
using journal::OperationNumber;
using enum GateKind;

namespace {

/// Replays one exchange to the circuit that it leads to.
ReplayReport replay_exchange(const Circuit& input, const std::vector<OperationNumber>& removed,
                             const std::vector<Insertion>& inserted) {
  ExchangedCircuit exchanged(input);
  exchanged.exchange(removed, inserted);
  return replay(input, exchanged.circuit(), exchanged.finish());
}

bool is_accepted(const Circuit& input, const std::vector<OperationNumber>& removed,
                 const std::vector<Insertion>& inserted) {
  const ReplayReport report = replay_exchange(input, removed, inserted);
  INFO(report.fault);
  CHECK(report.distance == 0);
  CHECK_FALSE(report.log2_failure.has_value());
  return report.is_certified;
}

Operation rotation(GateKind kind, Qubit qubit, const Angle& angle) {
  return make_operation(kind, {qubit}, {angle});
}

/// Returns trace(left^dagger right) over the dimension for the gates of two circuits.
Complex inner_product(const Circuit& left, const Circuit& right) {
  const std::vector<Complex> a = unitary_of(left.operations, left.qubit_count(), {});
  const std::vector<Complex> b = unitary_of(right.operations, right.qubit_count(), {});
  Complex trace = 0;
  for (std::size_t i = 0; i < a.size(); ++i) trace += std::conj(a[i]) * b[i];
  return trace / static_cast<double>(std::size_t{1} << left.qubit_count());
}

/// The parity of inputs and of fresh variables on each qubit before each operation of a list, and
/// at its end. Bit 63 is a constant.
std::vector<std::vector<std::uint64_t>> parities_of(const std::vector<Operation>& operations,
                                                    std::uint32_t qubits) {
  constexpr std::uint64_t constant = std::uint64_t{1} << 63U;
  std::vector<std::uint64_t> state;
  for (std::uint32_t q = 0; q < qubits; ++q) state.push_back(std::uint64_t{1} << q);
  std::uint32_t variables = qubits;
  std::vector<std::vector<std::uint64_t>> result{state};
  for (const Operation& operation : operations) {
    const auto& on = operation.qubits;
    if (operation.gate == cx) state[on[1]] ^= state[on[0]];
    if (operation.gate == x) state[on[0]] ^= constant;
    if (operation.gate == swap) std::swap(state[on[0]], state[on[1]]);
    if (operation.gate == h || operation.gate == ccx) {
      state[on.back()] = std::uint64_t{1} << variables++;
    }
    result.push_back(state);
  }
  REQUIRE(variables < 63);
  return result;
}

bool is_rotation(const Operation& operation) { return operation.gate == rz || operation.gate == p; }

/// Merges two random rotations about the same parity into one at a random place of this parity.
/// Returns false if it finds none.
bool merge_at_random(ExchangedCircuit& exchanged, Random& random, std::uint32_t qubits) {
  const std::vector<OperationNumber> order = exchanged.order();
  std::vector<Operation> operations;
  for (const OperationNumber number : order) operations.push_back(exchanged.operation(number));
  const auto parities = parities_of(operations, qubits);
  constexpr std::uint64_t variables = ~(std::uint64_t{1} << 63U);
  const auto is_same = [&](std::uint64_t a, std::uint64_t b) {
    return (a & variables) == (b & variables);
  };
  for (int attempt = 0; attempt < 3000; ++attempt) {
    const std::size_t a = below(random, order.size());
    const std::size_t b = below(random, order.size());
    const std::size_t place = below(random, order.size() + 1);
    const Qubit qubit = below(random, qubits);
    if (a == b || !is_rotation(operations[a]) || !is_rotation(operations[b])) continue;
    const std::uint64_t target = parities[place][qubit];
    const std::uint64_t of_a = parities[a][operations[a].qubits[0]];
    const std::uint64_t of_b = parities[b][operations[b].qubits[0]];
    if (!is_same(of_a, target) || !is_same(of_b, target)) continue;
    Angle sum;
    sum += of_a == target ? operations[a].angles[0] : -operations[a].angles[0];
    sum += of_b == target ? operations[b].angles[0] : -operations[b].angles[0];
    OperationNumber after = 0;
    for (std::size_t i = 0; i < place; ++i) {
      if (i != a && i != b && std::ranges::count(operations[i].qubits, qubit) != 0) {
        after = order[i] + 1;
      }
    }
    REQUIRE(exchanged.exchange({order[a], order[b]},
                               {{rotation(below(random, 2) == 0 ? rz : p, qubit, sum), {after}}}));
    return true;
  }
  return false;
}

/// Returns a random place on a qubit among the operations that are left.
OperationNumber random_place(const ExchangedCircuit& exchanged, Random& random, Qubit qubit,
                             const std::vector<OperationNumber>& removed,
                             const std::vector<std::pair<Qubit, OperationNumber>>& added) {
  std::vector<OperationNumber> places{0};
  for (const OperationNumber number : exchanged.wire(qubit)) {
    if (std::ranges::count(removed, number) == 0) places.push_back(number + 1);
  }
  for (const auto& [wire, number] : added) {
    if (wire == qubit) places.push_back(number + 1);
  }
  return places[below(random, places.size())];
}

std::string file_of(const std::string& records) {
  const std::string block = compressed(records, CompressionEffort::least);
  std::string file("QUARTZJ\x01", 8);
  for (std::size_t i = 0; i < 4; ++i) file += static_cast<char>(block.size() >> 8 * i);
  return file + block + std::string(4, '\0');
}

/// Returns a journal of one exchange, from its content after the kind, in a circuit of 4
/// operations. Gate 0 is defined as `gate`.
std::string journal_of(const std::string& content, const std::string& gate = "t") {
  std::string records("\1");
  records += static_cast<char>(gate.size());
  records += gate;
  records += '\4';
  return file_of(records + content + std::string("\0\1\4", 3));
}

}  // namespace

TEST_CASE("Rotations are merged across CNOT gates", "[replay][exchange]") {
  const Circuit input = make_circuit(
      4, {make_operation(cx, {0, 1}), make_operation(t, {1}), make_operation(cx, {0, 1}),
          make_operation(h, {3}), make_operation(cx, {2, 3}), make_operation(h, {2}),
          make_operation(cx, {1, 0}), make_operation(t, {0}), make_operation(cx, {0, 3})});
  CHECK(is_accepted(input, {1, 7}, {{make_operation(s, {0}), {7}}}));
  CHECK(is_accepted(input, {7, 1}, {{make_operation(s, {1}), {1}}}));
  CHECK(is_accepted(input, {1}, {{make_operation(t, {0}), {7}}}));
  CHECK(is_accepted(input, {1}, {{make_operation(t, {0}), {8}}}));
  CHECK_FALSE(is_accepted(input, {1, 7}, {{make_operation(sdg, {0}), {7}}}));
  CHECK_FALSE(is_accepted(input, {1, 7}, {{make_operation(t, {0}), {7}}}));
  CHECK_FALSE(is_accepted(input, {1, 7}, {{make_operation(s, {1}), {0}}}));
  CHECK_FALSE(is_accepted(input, {1, 7}, {{make_operation(s, {0}), {0}}}));
  CHECK_FALSE(is_accepted(input, {1}, {{make_operation(s, {0}), {7}}}));
  CHECK_FALSE(is_accepted(input, {1, 7}, {}));
}

TEST_CASE("Rotations are exchanged with Clifford gates", "[replay][exchange]") {
  const Angle theta = Angle::symbol("theta");
  const Circuit input =
      make_circuit(2, {rotation(rz, 0, theta), make_operation(h, {0}), make_operation(cx, {1, 0}),
                       make_operation(s, {0}), rotation(rz, 1, theta)});
  CHECK(is_accepted(input, {0}, {{rotation(rx, 0, theta), {2}}}));
  CHECK(is_accepted(input, {0}, {{rotation(rx, 0, theta), {3}}}));
  CHECK(is_accepted(input, {0}, {{rotation(ry, 0, theta), {4}}}));
  CHECK(is_accepted(input, {4}, {{rotation(rz, 1, theta), {0}}}));
  CHECK_FALSE(is_accepted(input, {0}, {{rotation(ry, 0, -theta), {4}}}));
  CHECK_FALSE(is_accepted(input, {0}, {{rotation(rx, 0, -theta), {2}}}));
  CHECK_FALSE(is_accepted(input, {0}, {{rotation(rz, 0, theta), {2}}}));
  CHECK_FALSE(is_accepted(input, {0}, {{rotation(rx, 0, Angle::symbol("phi")), {2}}}));
}

TEST_CASE("Rotations pass the controls of Toffoli gates", "[replay][exchange]") {
  const Circuit input =
      make_circuit(3, {rotation(rz, 0, Angle::symbol("a")), make_operation(ccx, {0, 1, 2}),
                       make_operation(h, {1}), rotation(rz, 0, Angle::symbol("b"))});
  const Angle sum = Angle::symbol("a") + Angle::symbol("b");
  CHECK(is_accepted(input, {0, 3}, {{rotation(rz, 0, sum), {2}}}));
  CHECK(is_accepted(input, {0, 3}, {{rotation(rz, 0, sum), {0}}}));
  CHECK_FALSE(is_accepted(input, {0, 3}, {{rotation(rz, 0, -sum), {0}}}));
  CHECK_FALSE(is_accepted(input, {0}, {{rotation(rz, 2, Angle::symbol("a")), {2}}}));
  const Circuit target = make_circuit(3, {make_operation(t, {2}), make_operation(ccx, {0, 1, 2})});
  CHECK_FALSE(is_accepted(target, {0}, {{make_operation(t, {2}), {2}}}));
}

TEST_CASE("Exchanges are proved without the gates that commute with what changes",
          "[replay][exchange]") {
  // Z of qubit 0 becomes an operator on three qubits that is no Pauli operator, and comes back.
  // Meanwhile qubit 1, a control, is read by gates on 57 others.
  constexpr Qubit kQubits = 60;
  const std::uint64_t seed = 12;
  INFO("seed " << seed);
  Random random(seed);
  const std::vector<Operation> away{make_operation(h, {0}),     make_operation(t, {0}),
                                    make_operation(cx, {1, 0}), make_operation(h, {0}),
                                    make_operation(t, {0}),     make_operation(cx, {2, 0}),
                                    make_operation(t, {0})};
  std::vector<Operation> operations{rotation(rz, 0, Angle::symbol("a"))};
  operations.insert(operations.end(), away.begin(), away.end());
  for (int i = 0; i < 3000; ++i) {
    const Qubit other = 3 + below(random, kQubits - 3);
    const Qubit next = other + 1 < kQubits ? other + 1 : 3;
    operations.push_back(make_operation(cx, {i % 3 == 0 ? 1 : next, other}));
    operations.push_back(rotation(ry, other, Angle::pi_times(Rational(1 + below(random, 9), 11))));
  }
  for (auto gate = away.rbegin(); gate != away.rend(); ++gate) {
    operations.push_back(gate->gate == t ? make_operation(tdg, {0}) : *gate);
  }
  const OperationNumber last = operations.size();
  operations.push_back(rotation(rz, 0, Angle::symbol("b")));
  const Circuit input = make_circuit(kQubits, operations);
  const Angle sum = Angle::symbol("a") + Angle::symbol("b");
  const auto certified = [&](const Angle& angle, OperationNumber after) {
    return replay_exchange(input, {0, last}, {{rotation(rz, 0, angle), {after}}}).is_certified;
  };
  CHECK(certified(sum, 0));
  CHECK(certified(sum, last));
  CHECK_FALSE(certified(Angle::symbol("a") - Angle::symbol("b"), 0));
  CHECK_FALSE(certified(sum, 2));
}

TEST_CASE("Exchanges span any number of qubits", "[replay][exchange]") {
  constexpr Qubit qubits = 300;
  std::vector<Operation> operations;
  const auto add_block = [&] {
    for (Qubit q = 0; q + 1 < qubits; ++q) operations.push_back(make_operation(cx, {q, q + 1}));
    operations.push_back(make_operation(t, {qubits - 1}));
    for (Qubit q = qubits - 1; q-- > 0;) operations.push_back(make_operation(cx, {q, q + 1}));
  };
  add_block();
  add_block();
  const Circuit input = make_circuit(qubits, operations);
  const OperationNumber first = qubits - 1;
  const OperationNumber second = first + 2 * (qubits - 1) + 1;
  REQUIRE(operations[second].gate == t);
  const Operation merged = make_operation(s, {qubits - 1});
  CHECK(is_accepted(input, {first, second}, {{merged, {first}}}));
  CHECK(is_accepted(input, {first, second}, {{merged, {second}}}));
  CHECK_FALSE(is_accepted(input, {first, second}, {{merged, {first + 2}}}));
  CHECK_FALSE(is_accepted(input, {first, second}, {{make_operation(z, {qubits - 1}), {first}}}));
}

TEST_CASE("Exchanges add up their phases", "[replay][exchange]") {
  // t x = e^{i pi/4} x tdg.
  const Circuit input =
      make_circuit(1, {make_operation(t, {0}), make_operation(x, {0}), make_operation(t, {0})});
  ExchangedCircuit exchanged(input);
  REQUIRE(exchanged.exchange({0}, {{make_operation(tdg, {0}), {2}}}));
  const ReplayReport report = replay(input, exchanged.circuit(), exchanged.finish());
  REQUIRE(report.is_certified);
  CHECK(report.phase == Angle::pi_times(Rational(-1, 4)));
  CHECK(std::abs(inner_product(input, exchanged.circuit()) -
                 std::polar(1.0, report.phase.value())) < 1e-12);
}

TEST_CASE("The phases and bounds of exchanges that are proved once add up", "[replay][exchange]") {
  constexpr Qubit qubits = 8;
  std::vector<Operation> operations{make_operation(t, {0})};
  for (Qubit q = 0; q + 1 < qubits; ++q) operations.push_back(make_operation(cx, {q, q + 1}));
  for (Qubit q = qubits - 1; q-- > 0;) operations.push_back(make_operation(cx, {q, q + 1}));
  const OperationNumber last = operations.size();
  operations.push_back(make_operation(t, {0}));
  const Circuit input = make_circuit(qubits, operations);
  SECTION("a phase") {
    ExchangedCircuit exchanged(input);
    const Angle quarter = Angle::pi_times(Rational(1, 4));
    REQUIRE(exchanged.exchange(
        {0, last}, {{rotation(rz, 0, quarter), {last}}, {rotation(rz, 0, quarter), {0}}}));
    REQUIRE(exchanged.exchange({1}, {{make_operation(cx, {0, 1}), {last + 3, 0}}}));
    const ReplayReport report = replay(input, exchanged.circuit(), exchanged.finish());
    CHECK(report.fault.empty());
    REQUIRE(report.is_certified);
    CHECK(report.distinct_steps == 2);
    CHECK(report.phase == -quarter);
    CHECK(report.distance == 0);
  }
  SECTION("a bound") {
    ExchangedCircuit exchanged(input);
    const Angle rounded = Angle::decimal("0.7853981633974483");
    REQUIRE(exchanged.exchange(
        {0, last}, {{rotation(p, 0, rounded), {last}}, {rotation(p, 0, rounded), {0}}}));
    const ReplayReport report = replay(input, exchanged.circuit(), exchanged.finish());
    CHECK(report.fault.empty());
    REQUIRE(report.is_certified);
    CHECK(report.distance > 0);
    CHECK(report.distance < 1e-10);
  }
}

TEST_CASE("Inserted gates are put behind each other", "[replay][exchange]") {
  const Circuit input = classical_circuit(
      3, {1}, {measure(0, 0), make_operation(h, {1}), measure(0, 0), make_operation(cx, {1, 2})});
  // Between the measurements, the hull has only the inserted gates.
  CHECK(is_accepted(input, {},
                    {{make_operation(cx, {1, 0}), {2, 1}}, {make_operation(cx, {1, 0}), {5, 5}}}));
  // Qubit 2 gets x z x z, which is -1.
  const std::vector<Insertion> pauli_operators{{make_operation(x, {2}), {0}},
                                               {make_operation(x, {2}), {0}},
                                               {make_operation(z, {2}), {6}},
                                               {make_operation(z, {2}), {5}}};
  CHECK(is_accepted(input, {}, pauli_operators));
  CHECK_FALSE(is_accepted(input, {}, {pauli_operators.begin(), pauli_operators.begin() + 3}));
  CHECK(is_accepted(input, {}, {}));
}

TEST_CASE("Exchanges move rotations past boundaries on whose qubits they do not act",
          "[replay][exchange]") {
  const Circuit input =
      classical_circuit(2, {1},
                        {make_operation(t, {0}), measure(0, 0), make_operation(t, {0}),
                         barrier({0, 1}), make_operation(x, {1})});
  const auto fault = [&](const std::vector<OperationNumber>& removed,
                         const std::vector<Insertion>& inserted) {
    const ReplayReport report = replay_exchange(input, removed, inserted);
    CHECK_FALSE(report.is_certified);
    return report.fault;
  };
  // A measurement commutes with Z.
  CHECK(is_accepted(input, {0, 2}, {{make_operation(s, {0}), {2}}}));
  CHECK(is_accepted(input, {0}, {{make_operation(t, {0}), {2}}}));
  CHECK_THAT(fault({2}, {{make_operation(t, {0}), {4}}}), Catch::Contains("not proved equal"));
  CHECK_THAT(fault({4}, {{make_operation(x, {1}), {0}}}), Catch::Contains("not proved equal"));
  CHECK(fault({1}, {}) == "step 1: operation 1: only gates may be removed");
  const Circuit opaque_input =
      make_circuit(2, {make_operation(t, {0}), make_operation(cx, {0, 1}), opaque("u", {1}),
                       make_operation(cx, {0, 1}), make_operation(t, {0})});
  CHECK(is_accepted(opaque_input, {0, 4}, {{make_operation(s, {0}), {0}}}));
  const Circuit on_its_qubit =
      make_circuit(1, {make_operation(t, {0}), opaque("u", {0}), make_operation(t, {0})});
  CHECK_FALSE(is_accepted(on_its_qubit, {0, 2}, {{make_operation(s, {0}), {2}}}));
}

TEST_CASE("Exchanges without an order are refused", "[replay][exchange]") {
  const Circuit input = make_circuit(4, {make_operation(cx, {0, 1}), make_operation(cx, {1, 2}),
                                         make_operation(cx, {2, 3}), make_operation(cx, {0, 3})});
  ExchangedCircuit exchanged(input);
  SECTION("behind an operation that depends on the place") {
    REQUIRE_FALSE(exchanged.exchange(
        {}, {{make_operation(cz, {1, 3}), {1, 3}}, {make_operation(cz, {0, 3}), {0, 4}}}));
    CHECK_THAT(replay(input, input, exchanged.finish()).fault,
               Catch::StartsWith("step 1: a path leads from"));
  }
  SECTION("between two inserted gates") {
    REQUIRE_FALSE(exchanged.exchange(
        {}, {{make_operation(cz, {0, 3}), {1, 0}}, {make_operation(cz, {0, 3}), {1, 5}}}));
    CHECK_THAT(replay(input, input, exchanged.finish()).fault,
               Catch::StartsWith("step 1: a path leads from"));
  }
}

TEST_CASE("Wrong records of exchanges are refused", "[replay][exchange]") {
  const Circuit input = make_circuit(2, {make_operation(t, {0}), make_operation(h, {1}),
                                         make_operation(cx, {0, 1}), make_operation(t, {0})});
  const auto fault = [&](const std::string& content, const std::string& gate = "t") {
    const ReplayReport report = replay(input, input, journal_of(content, gate));
    CHECK_FALSE(report.is_certified);
    return report.fault;
  };
  const auto text = [](std::initializer_list<int> bytes) {
    return std::string(bytes.begin(), bytes.end());
  };
  // A right one: t is moved from the end to the beginning.
  const Circuit output = make_circuit(2, {make_operation(t, {0}), make_operation(t, {0}),
                                          make_operation(h, {1}), make_operation(cx, {0, 1})});
  CHECK(replay(input, output, journal_of(text({1, 6, 1, 0, 1, 0, 1}))).fault.empty());
  CHECK(fault(text({1, 6, 1, 1, 1, 0, 1})) == "step 1: gate 1 is not defined");
  CHECK(fault(text({2, 6, 0, 1, 0, 1, 0, 1})) == "step 1: operation 3 does not exist");
  CHECK(fault(text({1, 8, 1, 0, 1, 0, 1})) == "step 1: operation 4 does not exist");
  CHECK(fault(text({1, 6, 1, 0, 1, 0, 4})) == "step 1: wire 0: operation 3 does not exist");
  CHECK(fault(text({1, 6, 1, 0, 1, 0, 5})) == "step 1: wire 0: operation 4 does not exist");
  CHECK(fault(text({1, 6, 1, 0, 1, 0, 2})) ==
        "step 1: wire 0: the operation before the place is not on the wire");
  CHECK(fault(text({1, 6, 1, 0, 1, 2, 0})) == "step 1: wire 2: the wire does not exist");
  CHECK(fault(text({1, 6, 1, 0, 1, 2, 5})) == "step 1: wire 2: the wire does not exist");
  CHECK(fault(text({1, 6, 1, 0, 2, 0, 1, 1, 0})) == "step 1: 't' with 2 operands");
  CHECK(fault(text({1, 6, 1, 0, 0})) == "step 1: 't' with 0 operands");
  CHECK(fault(text({0, 1, 0, 2, 0, 1, 0, 1}), "cz") ==
        "step 1: wire 0: the wire is already in the window");
  CHECK(fault(text({0, 2, 0, 1, 0, 1, 0, 1, 1, 5})) ==
        "step 1: wire 1: the operation before the place is not on the wire");
  CHECK_THROWS_AS(fault(text({1, 5, 0})), InputError);                     // a number below 0
  CHECK_THROWS_AS(fault(text({0, 1, 0, 9})), InputError);                  // nine operands
  CHECK_THROWS_AS(fault(text({1, 6, 1, 0, 1, 0})), InputError);            // no end
  CHECK_THROWS_AS(fault(std::string(9, '\xff') + text({0})), InputError);  // ten bytes
  CHECK_THROWS_AS(fault(text({0, 0xff, 0xff, 0xff, 0x7f})), InputError);   // too many gates
}

TEST_CASE("Exchanges end with the time limit", "[replay][exchange]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  ExchangedCircuit exchanged(input);
  exchanged.exchange({0}, {{make_operation(t, {0}), {0}}});
  const TemporaryFolder folder;
  const auto path = folder / "exchanges.qj";
  std::ofstream(path, std::ios::binary) << exchanged.finish();
  ReplayOptions options;
  CHECK(replay_journal(input, input, path, options).is_certified);
  options.seconds = 0;
  const ReplayReport report = replay_journal(input, input, path, options);
  CHECK_FALSE(report.is_certified);
  CHECK(report.fault == "step 1: the time limit is reached");
}

TEST_CASE("Random merges of rotations are accepted", "[replay][exchange]") {
  const std::vector<GateKind> kinds{h, cx, cx, rz, rz, p, x, swap, ccx, s, cz};
  std::size_t merges = 0;
  for (std::uint64_t seed = 0; seed < 90; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::uint32_t qubits = 3 + below(random, 4);
    const Circuit input = random_circuit(random, kinds, qubits, 20 + below(random, 60));
    ExchangedCircuit exchanged(input);
    for (int i = 0; i < 6; ++i) {
      if (merge_at_random(exchanged, random, qubits)) ++merges;
      if (i == 3) exchanged.renumber();
    }
    const ReplayReport report = replay(input, exchanged.circuit(), exchanged.finish());
    CHECK(report.fault.empty());
    REQUIRE(report.is_certified);
    CHECK(report.distance == 0);
    CHECK(std::abs(inner_product(input, exchanged.circuit()) -
                   std::polar(1.0, report.phase.value())) < 1e-9);
  }
  CHECK(merges > 200);
}

/// Returns the circuit with a random unitary in place of each boundary, the same one for the same
/// boundary in the same seed, and a diagonal one for a measurement. Equality of circuits is linear
/// in each boundary, so with random unitaries it implies equality with the Kraus operators, which
/// they span.
Circuit with_unitaries(const Circuit& circuit, std::uint64_t seed) {
  Circuit result = make_circuit(circuit.qubit_count(), {});
  std::map<Qubit, unsigned> boundaries;  // number of those so far whose first qubit it is
  for (const Operation& operation : circuit.operations) {
    if (!operation.is_boundary()) {
      result.operations.push_back(operation);
      continue;
    }
    Random random(seed * 1000 + 10 * boundaries[operation.qubits[0]]++ + operation.qubits[0]);
    const auto angle = [&] { return Angle::decimal("0." + std::to_string(below(random, 100000))); };
    for (const Qubit qubit : operation.qubits) {
      result.operations.push_back(operation.kind == OperationKind::measure
                                      ? make_operation(rz, {qubit}, {angle()})
                                      : make_operation(u3, {qubit}, {angle(), angle(), angle()}));
    }
    if (operation.qubits.size() == 2) {
      result.operations.push_back(
          make_operation(rxx, {operation.qubits[0], operation.qubits[1]}, {angle()}));
    }
  }
  return result;
}

struct RandomExchanges {
  std::size_t right = 0;
  std::size_t without_order = 0;
};

Circuit random_circuit_with_boundaries(Random& random, std::uint32_t qubits,
                                       std::uint32_t boundaries) {
  const std::vector<GateKind> kinds{h, cx, cx, t, tdg, rz, x, s, cz};
  std::vector<Operation> operations =
      random_circuit(random, kinds, qubits, 4 + below(random, 8)).operations;
  for (std::uint32_t i = 0; i < boundaries; ++i) {
    const Qubit qubit = below(random, qubits);
    // No classical bit orders them.
    const std::vector<Operation> all{measure(qubit, i), reset(qubit), opaque("u", {qubit}),
                                     barrier({qubit, (qubit + 1) % qubits})};
    operations.insert(operations.begin() + below(random, operations.size() + 1),
                      all[below(random, all.size())]);
  }
  return classical_circuit(qubits, {std::max(boundaries, 1U)}, std::move(operations));
}

/// Exchanges random gates of a random circuit, and checks the verdict on it.
void exchange_at_random(std::uint64_t seed, std::uint32_t boundaries, RandomExchanges& counts) {
  const std::vector<GateKind> inserted_kinds{t, tdg, rz, z, s, x, cz, cx};
  constexpr std::uint32_t qubits = 3;
  INFO("seed " << seed);
  Random random(seed);
  const Circuit input = random_circuit_with_boundaries(random, qubits, boundaries);
  ExchangedCircuit exchanged(input);
  std::set<OperationNumber> chosen;
  for (std::uint32_t i = below(random, 3); i-- > 0;) {
    const OperationNumber number = below(random, input.operations.size());
    if (!input.operations[number].is_boundary()) chosen.insert(number);
  }
  std::vector<OperationNumber> removed(chosen.begin(), chosen.end());
  std::ranges::shuffle(removed, random);
  std::vector<Insertion> inserted;
  std::vector<std::pair<Qubit, OperationNumber>> added;
  for (std::size_t i = 0; i < removed.size() || (removed.empty() && i < 2); ++i) {
    // Often a gate that was removed is put back, at the same place or at another one.
    Operation gate = !removed.empty() && below(random, 4) != 0
                         ? input.operations[removed[i]]
                         : random_gate(random, inserted_kinds, qubits, 4);
    if (removed.empty()) gate = make_operation(cz, {0, 1 + below(random, 2)});
    Insertion insertion{gate, {}};
    for (const Qubit qubit : gate.qubits) {
      insertion.after.push_back(random_place(exchanged, random, qubit, removed, added));
    }
    for (const Qubit qubit : gate.qubits) {
      added.emplace_back(qubit, input.operations.size() + inserted.size());
    }
    inserted.push_back(std::move(insertion));
  }
  if (!exchanged.exchange(removed, inserted)) {
    ++counts.without_order;
    CHECK_FALSE(replay(input, input, exchanged.finish()).is_certified);
    return;
  }
  const ReplayReport report = replay(input, exchanged.circuit(), exchanged.finish());
  const Complex phase =
      inner_product(with_unitaries(input, seed), with_unitaries(exchanged.circuit(), seed));
  const bool is_right = std::abs(std::abs(phase) - 1) < 1e-9;
  INFO(report.fault);
  CHECK(report.is_certified == is_right);
  if (!is_right || !report.is_certified) return;
  ++counts.right;
  CHECK(std::abs(phase - std::polar(1.0, report.phase.value())) < 1e-9);
}

TEST_CASE("Random exchanges are accepted if and only if they are right", "[replay][exchange]") {
  RandomExchanges counts;
  for (std::uint64_t seed = 0; seed < 400; ++seed) exchange_at_random(seed, 0, counts);
  CHECK(counts.right > 40);
  CHECK(counts.right < 300);
  CHECK(counts.without_order > 5);
}

TEST_CASE("Random exchanges past boundaries are accepted if and only if they are right",
          "[replay][exchange]") {
  RandomExchanges counts;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    exchange_at_random(seed, 1 + static_cast<std::uint32_t>(seed % 3), counts);
  }
  CHECK(counts.right > 60);
  CHECK(counts.right < 450);
}

TEST_CASE("Damaged exchanges certify nothing wrong", "[replay][exchange]") {
  const std::vector<GateKind> kinds{h, cx, cx, rz, p, x};
  constexpr std::uint32_t qubits = 3;
  std::size_t certified = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Circuit input = random_circuit(random, kinds, qubits, 25);
    ExchangedCircuit exchanged(input);
    for (int i = 0; i < 4; ++i) merge_at_random(exchanged, random, qubits);
    const Circuit output = exchanged.circuit();
    Circuit other = output;
    other.operations.push_back(make_operation(t, {0}));
    const Complex phase = inner_product(input, output);
    const std::string journal = exchanged.finish();
    const std::string records =
        decompressed(journal.substr(12, journal.size() - 16), "the records");
    for (int i = 0; i < 100; ++i) {
      INFO("seed " << seed << ", change " << i);
      std::string damaged = records;
      for (std::uint32_t changes = 1 + below(random, 3); changes-- > 0;) {
        // Small numbers are meaningful more often than others.
        damaged[below(random, damaged.size())] = static_cast<char>(below(random, 40));
      }
      try {
        const bool is_wrong = replay(input, other, file_of(damaged)).is_certified;
        CHECK_FALSE(is_wrong);
        const ReplayReport report = replay(input, output, file_of(damaged));
        if (!report.is_certified) continue;
        ++certified;
        CHECK(std::abs(phase - std::polar(1.0, report.phase.value())) < 1e-9);
      } catch (const InputError&) {
        continue;
      }
    }
  }
  CHECK(certified > 0);
}
