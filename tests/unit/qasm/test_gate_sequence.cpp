#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "programs.hpp"
#include "qasm/gates/gate_sequence.hpp"
#include "qasm/gates/multi_controlled.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::qasm;
using namespace quartz::test;
using enum quartz::GateKind;

namespace {

/// Returns the gate of the row on qubits `first`, `first` + 1, ..., with generic angles.
Operation call_of(const Gate& row, Qubit first) {
  Operation call;
  call.gate = row.kind;
  for (Qubit i = 0; i < row.qubits; ++i) call.qubits.push_back(first + i);
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    call.angles.push_back(Angle::radians({static_cast<std::int64_t>(3 * i) + 2, 7}));
  }
  return call;
}

Circuit circuit_of(std::uint32_t qubits, const GateSequence& sequence) {
  Circuit circuit = make_circuit(qubits, sequence.operations);
  circuit.global_phase = sequence.phase;
  return circuit;
}

/// Returns the largest difference between the circuit's unitary and the unitary that applies
/// `matrix` to the upper qubits if all lower qubits are 1, and the identity otherwise.
double distance_from_controlled(const Circuit& circuit, std::uint32_t controls,
                                const std::vector<Complex>& matrix) {
  const std::uint32_t qubits = circuit.qubit_count();
  const std::size_t dimension = std::size_t{1} << qubits;
  const std::size_t inner = std::size_t{1} << (qubits - controls);
  const std::size_t ones = (std::size_t{1} << controls) - 1;
  const std::vector<Complex> unitary = unitary_of(circuit.operations, qubits);
  const Complex phase = std::polar(1.0, circuit.global_phase.value());
  double largest = 0;
  for (std::size_t row = 0; row < dimension; ++row) {
    for (std::size_t column = 0; column < dimension; ++column) {
      Complex expected = row == column ? 1 : 0;
      if ((column & ones) == ones) {
        const bool stays = (row & ones) == ones;
        expected = stays ? matrix[(row >> controls) * inner + (column >> controls)] : 0;
      }
      largest = std::max(largest, std::abs(phase * unitary[row * dimension + column] - expected));
    }
  }
  return largest;
}

std::vector<Qubit> numbers_up_to(std::uint32_t count) {
  std::vector<Qubit> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

}  // namespace

TEST_CASE("Fractional powers are principal powers, up to no phase") {
  for (const auto& [power, gate] : std::vector<std::pair<std::string, std::string>>{
           {"pow(0.5) @ x q[0];", "sx q[0];"},
           {"pow(-0.5) @ x q[0];", "sxdg q[0];"},
           {"pow(1.5) @ x q[0];", "sx q[0]; x q[0];"},
           {"pow(0.25) @ z q[0];", "t q[0];"},
           {"pow(-0.5) @ z q[0];", "sdg q[0];"},
           {"pow(0.5) @ sdg q[0];", "tdg q[0];"},
           {"pow(0.5) @ p(3*pi/2) q[0];", "p(-pi/4) q[0];"},
           {"pow(0.5) @ sx q[0]; pow(0.5) @ sx q[0];", "sx q[0];"},
           {"pow(0.5) @ sxdg q[0]; pow(0.5) @ sxdg q[0];", "sxdg q[0];"},
           {"pow(0.5) @ y q[0];", "sdg q[0]; sx q[0]; s q[0];"},
           {"pow(0.3) @ rx(0.7) q[0];", "rx(0.21) q[0];"},
           {"pow(0.5) @ rzz(0.7) q[0], q[1];", "rzz(0.35) q[0], q[1];"},
           {"pow(0.5) @ cx q[0], q[1];", "csx q[0], q[1];"},
           {"ctrl @ pow(0.5) @ x q[0], q[1];", "csx q[0], q[1];"},
           {"pow(0.5) @ cz q[0], q[1];", "cp(pi/2) q[0], q[1];"},
           {"pow(0.5) @ gphase(pi/3);", "gphase(pi/6);"},
           {"pow(2.0) @ t q[0];", "s q[0];"}}) {
    INFO(power);
    CHECK(unitary_distance(parse_3("qubit[2] q; " + power), parse_3("qubit[2] q; " + gate)) <
          1e-12);
  }
}

TEST_CASE("Every gate of the table can have one to three controls") {
  for (const Gate& row : gate_table()) {
    for (std::uint32_t controls = 1; controls <= 3 && controls + row.qubits <= 6; ++controls) {
      INFO(row.name << " under " << controls);
      const std::vector<Complex> matrix = unitary_of(call_of(row, 0));
      const GateSequence result =
          controlled({{call_of(row, controls)}, {}}, numbers_up_to(controls));
      CHECK(result.phase.is_zero());
      CHECK(distance_from_controlled(circuit_of(controls + row.qubits, result), controls, matrix) <
            1e-9);
    }
  }
}

TEST_CASE("The phase of a controlled sequence becomes gates on the controls") {
  const GateSequence sequence{{make_operation(h, {2}), make_operation(cx, {2, 3}),
                               make_operation(rz, {3}, {Angle::radians({3, 10})}),
                               make_operation(cx, {2, 3}), make_operation(h, {2})},
                              Angle::pi_times({1, 3})};
  GateSequence inner = sequence;
  for (Operation& operation : inner.operations) {
    for (Qubit& qubit : operation.qubits) qubit -= 2;
  }
  std::vector<Complex> matrix = unitary_of(inner.operations, 2);
  for (Complex& entry : matrix) entry *= std::polar(1.0, sequence.phase.value());
  const GateSequence result = controlled(sequence, numbers_up_to(2));
  CHECK(distance_from_controlled(circuit_of(4, result), 2, matrix) < 1e-9);
  // Gates at the ends that undo one another need no controls.
  CHECK(std::count_if(result.operations.begin(), result.operations.end(),
                      [](const Operation& gate) { return gate.gate == h; }) == 2);
}

TEST_CASE("x and the phase gate can have many controls") {
  for (std::uint32_t controls = 0; controls <= 6; ++controls) {
    for (std::uint32_t borrowed = 0; borrowed <= 2; ++borrowed) {
      if (controls + borrowed > 7) continue;
      INFO(controls << " controls, " << borrowed << " borrowed");
      // The target is above the controls, followed by the borrowed qubits.
      std::vector<Qubit> lent(borrowed);
      std::iota(lent.begin(), lent.end(), controls + 1);
      GateSequence sequence;
      append_multi_controlled_x(numbers_up_to(controls), controls, lent, sequence.operations);
      const std::vector<Complex> matrix =
          unitary_of(std::vector{make_operation(x, {0})}, 1 + borrowed);
      CHECK(distance_from_controlled(circuit_of(controls + 1 + borrowed, sequence), controls,
                                     matrix) < 1e-9);
    }
    GateSequence sequence;
    append_multi_controlled_phase(numbers_up_to(controls + 1), Angle::radians({5, 8}),
                                  sequence.operations);
    CHECK(distance_from_controlled(circuit_of(controls + 1, sequence), controls,
                                   unitary_of(make_operation(p, {0}, {Angle::radians({5, 8})}))) <
          1e-9);
  }
}

TEST_CASE("The number of gates grows with the square of the number of controls") {
  std::vector<Operation> gates;
  append_multi_controlled_x(numbers_up_to(32), 32, {}, gates);
  CHECK(gates.size() < 32 * 32 * 16);
  gates.clear();
  const Qubit one = 33;
  append_multi_controlled_x(numbers_up_to(32), 32, std::span(&one, 1), gates);
  CHECK(gates.size() < 32 * 8);
}

TEST_CASE("Inverses and powers of every gate of the table are exact") {
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    const GateSequence gate{{call_of(row, 0)}, Angle::pi_times({1, 5})};
    const Circuit once = circuit_of(row.qubits, gate);
    GateSequence both = inverse(gate);
    both.operations.insert(both.operations.begin(), gate.operations.begin(), gate.operations.end());
    both.phase += gate.phase;
    CHECK(unitary_distance(circuit_of(row.qubits, both), circuit_of(row.qubits, {})) < 1e-9);
    for (const int exponent : {0, 1, 2, 5, -3}) {
      INFO("to the power of " << exponent);
      const Repetition result = power(gate, exponent);
      GateSequence expanded;
      GateSequence expected;
      for (std::uint64_t i = 0; i < result.times; ++i) {
        expanded.operations.insert(expanded.operations.end(), result.sequence.operations.begin(),
                                   result.sequence.operations.end());
        expanded.phase += result.sequence.phase;
      }
      const GateSequence factor = exponent < 0 ? inverse(gate) : gate;
      for (int i = 0; i < std::abs(exponent); ++i) {
        expected.operations.insert(expected.operations.end(), factor.operations.begin(),
                                   factor.operations.end());
        expected.phase += factor.phase;
      }
      CHECK(unitary_distance(circuit_of(row.qubits, expanded), circuit_of(row.qubits, expected)) <
            1e-9);
    }
  }
}

TEST_CASE("Powers of rotations and of self-inverse gates take no repetitions") {
  const Repetition rotation =
      power({{make_operation(crx, {0, 1}, {Angle::symbol("t")})}, {}}, 1'000'000'007);
  CHECK(rotation.times == 1);
  CHECK(rotation.sequence.operations[0].angles[0] == Angle::symbol("t") * Rational(1'000'000'007));
  CHECK(power({{make_operation(cx, {0, 1})}, {}}, 1'000'000'007).times == 1);
  CHECK(power({{make_operation(cx, {0, 1})}, {}}, 1'000'000'008).times == 0);
  CHECK(power({{make_operation(t, {0})}, {}}, 12).times == 12);
}

TEST_CASE("Sequences of too many operations are refused") {
  CHECK_NOTHROW(check_length(kMaxModifiedOperations));
  CHECK_NOTHROW(check_length(0, ~std::uint64_t{0}));
  CHECK_THROWS_AS(check_length(kMaxModifiedOperations + 1), InputError);
  CHECK_THROWS_AS(check_length(std::uint64_t{1} << 33U, std::uint64_t{1} << 33U), InputError);
}

TEST_CASE("Angles that cannot be halved often enough are refused") {
  CHECK_THROWS_AS(controlled({{make_operation(p, {32}, {Angle::radians({1, 10'000'000'019})})}, {}},
                             numbers_up_to(32)),
                  OverflowError);
}
