#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "programs.hpp"
#include "qasm/gates/controlled_rotation.hpp"
#include "qasm/gates/gate_sequence.hpp"
#include "qasm/gates/multi_controlled.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"
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

/// Returns the largest difference between what the circuit makes of a random state, and what
/// another one makes of the part of the state in which some qubits are 1 and others are 0.
double distance_where(const Circuit& circuit, const Circuit& other, std::size_t ones,
                      std::size_t zeros) {
  const std::uint32_t qubits = circuit.qubit_count();
  std::mt19937_64 random(qubits);
  std::normal_distribution<double> normal(0, 1);
  std::vector<Complex> state(std::size_t{1} << qubits);
  for (Complex& amplitude : state) amplitude = {normal(random), normal(random)};
  std::vector<Complex> changed = state;
  const auto apply = [](const Circuit& some, std::vector<Complex>& to) {
    for (const Operation& gate : some.operations) apply_gate(gate, to);
    for (Complex& amplitude : to) amplitude *= std::polar(1.0, some.global_phase.value());
  };
  apply(other, changed);
  for (std::size_t i = 0; i < state.size(); ++i) {
    if ((i & ones) != ones || (i & zeros) != 0) changed[i] = state[i];
  }
  apply(circuit, state);
  double largest = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    largest = std::max(largest, std::abs(state[i] - changed[i]));
  }
  return largest;
}

double distance_on_random_state(const std::vector<Operation>& gates, const Operation& base,
                                std::uint32_t controls, std::uint32_t qubits) {
  return distance_where(make_circuit(qubits, gates), make_circuit(qubits, {base}),
                        (std::size_t{1} << controls) - 1, 0);
}

/// Returns the number of cx that the gates take.
std::uint64_t two_qubit_gates(const std::vector<Operation>& gates) {
  std::uint64_t count = 0;
  for (const Operation& gate : gates) {
    switch (gate.gate) {
      case ccx:
      case ccz:
      case rc3x:
        count += 6;
        break;
      case rccx:
        count += 3;
        break;
      case c3x:
        count += 14;
        break;
      case cp:
      case crz:
        count += 2;
        break;
      default:
        REQUIRE(gate.qubits.size() <= 2);
        count += gate.qubits.size() - 1;
    }
  }
  return count;
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
  const auto expansion =
      GENERATE(ControlExpansion::few_two_qubit_gates, ControlExpansion::few_rotations);
  for (std::uint32_t controls = 0; controls <= 6; ++controls) {
    for (std::uint32_t borrowed = 0; controls + borrowed <= 7; ++borrowed) {
      INFO(controls << " controls, " << borrowed << " borrowed");
      // The target is above the controls, followed by the borrowed qubits.
      std::vector<Qubit> lent(borrowed);
      std::iota(lent.begin(), lent.end(), controls + 1);
      GateSequence sequence;
      append_multi_controlled_x(numbers_up_to(controls), controls, lent, expansion,
                                sequence.operations);
      const std::vector<Complex> matrix =
          unitary_of(std::vector{make_operation(x, {0})}, 1 + borrowed);
      CHECK(distance_from_controlled(circuit_of(controls + 1 + borrowed, sequence), controls,
                                     matrix) < 1e-9);
    }
    GateSequence sequence;
    append_multi_controlled_phase(numbers_up_to(controls + 1), Angle::radians({5, 8}), {},
                                  expansion, sequence.operations);
    CHECK(distance_from_controlled(circuit_of(controls + 1, sequence), controls,
                                   unitary_of(make_operation(p, {0}, {Angle::radians({5, 8})}))) <
          1e-9);
  }
}

TEST_CASE("Gates with eight to eleven controls are exact on random states") {
  const auto expansion =
      GENERATE(ControlExpansion::few_two_qubit_gates, ControlExpansion::few_rotations);
  const Angle angle = Angle::radians({5, 8});
  for (std::uint32_t controls = 8; controls <= 11; ++controls) {
    INFO(controls << " controls");
    const std::vector<Qubit> qubits = numbers_up_to(controls);
    std::vector<Operation> gates;
    const RotationTarget target{controls, angle};
    append_controlled_rotations(qubits, std::span(&target, 1), {}, expansion, gates);
    const Operation rotation = make_operation(rz, {controls}, {angle});
    CHECK(distance_on_random_state(gates, rotation, controls, controls + 1) < 1e-9);
    gates.clear();
    // From nine qubits on, some of them are a counter that the others increment.
    append_multi_controlled_phase(numbers_up_to(controls + 1), angle, {}, expansion, gates);
    const Operation phase = make_operation(p, {controls}, {angle});
    CHECK(distance_on_random_state(gates, phase, controls, controls + 1) < 1e-9);
    for (const std::uint32_t borrowed : {1U, 5U}) {
      if (borrowed > 1 && controls > 8) continue;
      std::vector<Qubit> lent(borrowed);
      std::iota(lent.begin(), lent.end(), controls + 1);
      gates.clear();
      append_multi_controlled_x(qubits, controls, lent, expansion, gates);
      CHECK(distance_on_random_state(gates, make_operation(x, {controls}), controls,
                                     controls + 1 + borrowed) < 1e-9);
    }
  }
}

TEST_CASE("Rotations of several targets can have the same controls") {
  const auto expansion =
      GENERATE(ControlExpansion::few_two_qubit_gates, ControlExpansion::few_rotations);
  for (std::uint32_t controls = 0; controls <= 7; ++controls) {
    const std::uint32_t targets = controls == 7 ? 1 : 2;
    for (std::uint32_t borrowed = 0; controls + targets + borrowed <= 8; ++borrowed) {
      INFO(controls << " controls, " << borrowed << " borrowed");
      std::vector<Qubit> lent(borrowed);
      std::iota(lent.begin(), lent.end(), controls + targets);
      std::vector<RotationTarget> rotations;
      std::vector<Operation> own;
      for (std::uint32_t i = 0; i < targets; ++i) {
        rotations.push_back({controls + i, Angle::radians({3 * i + 2, 7})});
        own.push_back(make_operation(rz, {i}, {rotations.back().angle}));
      }
      GateSequence sequence;
      append_controlled_rotations(numbers_up_to(controls), rotations, lent, expansion,
                                  sequence.operations);
      CHECK(two_qubit_gates(sequence.operations) ==
            cost_of_controlled_rotations(controls, targets, borrowed, expansion));
      CHECK(distance_from_controlled(circuit_of(controls + targets + borrowed, sequence), controls,
                                     unitary_of(own, targets + borrowed)) < 1e-9);
    }
  }
}

TEST_CASE("Gates with many controls take few gates on two qubits") {
  const auto of_x = [](std::uint32_t controls, std::uint32_t borrowed) {
    std::vector<Qubit> lent(borrowed);
    std::iota(lent.begin(), lent.end(), controls + 1);
    std::vector<Operation> gates;
    append_multi_controlled_x(numbers_up_to(controls), controls, lent, {}, gates);
    return two_qubit_gates(gates);
  };
  const auto of_phase = [](std::uint32_t controls) {
    std::vector<Operation> gates;
    append_multi_controlled_phase(numbers_up_to(controls + 1), Angle::radians({5, 8}), {}, {},
                                  gates);
    return two_qubit_gates(gates);
  };
  CHECK(of_x(4, 0) == 30);
  CHECK(of_x(4, 1) == 24);
  CHECK(of_x(8, 5) == 8 * 8 - 8);
  CHECK(of_x(32, 1) == 12 * 32 - 18);
  CHECK(of_x(10, 0) == 262);
  CHECK(of_phase(4) == 30);
  CHECK(of_phase(6) == 86);
  CHECK(of_phase(10) == 262);
  CHECK(of_x(32, 0) < 2 * 32 * 32 + 8 * 32);
  std::vector<Operation> gates;
  append_multi_controlled_x(numbers_up_to(32), 32, {}, {}, gates);
  CHECK(gates.size() < 8 * 32 * 32);
  CHECK(cost_of_controlled_rotations(10, 1, 0, {}) == 112);
  CHECK(cost_of_controlled_rotations(32, 1, 0, {}) == 16 * 32 - 48);
}

TEST_CASE("Gates with many controls take few rotations for gate sets without any") {
  constexpr auto few = ControlExpansion::few_rotations;
  const auto rotations = [](const std::vector<Operation>& gates) {
    return std::ranges::count_if(gates, [](const Operation& gate) {
      return !gate.angles.empty() && !(gate.angles[0] * Rational(4)).reduced_symmetric(1).is_zero();
    });
  };
  for (std::uint32_t controls = 3; controls <= 12; ++controls) {
    INFO(controls << " controls");
    std::vector<Operation> gates;
    const RotationTarget target{controls, Angle::radians({5, 8})};
    append_controlled_rotations(numbers_up_to(controls), std::span(&target, 1), {}, few, gates);
    CHECK(rotations(gates) == 4);
    for (std::uint32_t borrowed = 1; borrowed <= 10; ++borrowed) {
      std::vector<Qubit> lent(borrowed);
      std::iota(lent.begin(), lent.end(), controls + 1);
      gates.clear();
      append_multi_controlled_x(numbers_up_to(controls), controls, lent, few, gates);
      CHECK(std::ranges::all_of(gates, [](const Operation& gate) {
        constexpr std::array kinds{h, t, tdg, x, cx, ccx, rccx, rc3x};
        return std::ranges::find(kinds, gate.gate) != kinds.end();
      }));
    }
    gates.clear();
    append_multi_controlled_x(numbers_up_to(controls), controls, {}, few, gates);
    // The first of the controlled rotations has multiples of pi/4, and cp with three controls too.
    CHECK(rotations(gates) == 4 * (controls - 2) + (controls > 3 ? 1 : 0));
  }
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

TEST_CASE("Modifiers in any order and number apply to gates with many controls") {
  struct Case {
    std::string modified;
    std::string plain;  ///< what it does where the controls are as they must be
    std::size_t ones;
    std::size_t zeros;
  };
  const std::string controls = " q[0], q[1], q[2], q[3], q[4], q[5]";
  const std::string before = "gate pair(t) a, b { gphase(t/3); h a; cx a, b; u(t, 0.3, 1) b; }";
  for (const auto& [modified, plain, ones, zeros] : std::vector<Case>{
           {"inv @ ctrl(2) @ pow(3) @ negctrl(3) @ ry(0.7)" + controls, "ry(-2.1) q[5]", 3, 28},
           {"ctrl @ negctrl @ ctrl @ negctrl @ ctrl @ rx(0.7)" + controls, "rx(0.7) q[5]", 21, 10},
           {"pow(2) @ ctrl(4) @ inv @ negctrl @ rz(0.3)" + controls, "rz(-0.6) q[5]", 15, 16},
           {"ctrl(5) @ u(0.4, 0.5, 0.6)" + controls, "u(0.4, 0.5, 0.6) q[5]", 31, 0},
           {"negctrl(5) @ sx" + controls, "sx q[5]", 0, 31},
           {"ctrl(5) @ pow(1/2) @ p(0.5)" + controls, "p(0.25) q[5]", 31, 0},
           {"ctrl(4) @ cx" + controls, "cx q[4], q[5]", 15, 0},
           {"ctrl(4) @ swap" + controls, "swap q[4], q[5]", 15, 0},
           {"ctrl(4) @ rzz(0.7)" + controls, "rzz(0.7) q[4], q[5]", 15, 0},
           {"ctrl(6) @ gphase(0.7)" + controls, "gphase(0.7)", 63, 0},
           {"ctrl(2) @ negctrl @ inv @ ctrl @ pair(0.7)" + controls, "inv @ pair(0.7) q[4], q[5]",
            11, 4}}) {
    for (const std::uint32_t qubits : {6U, 7U, 9U}) {
      INFO(modified << " of " << qubits);
      const std::string declared = before + " qubit[" + std::to_string(qubits) + "] q; ";
      const Circuit expected = parse_3(declared + plain + ";");
      const Circuit circuit = parse_3(declared + modified + ";");
      CHECK(distance_where(circuit, expected, ones, zeros) < 1e-9);
    }
  }
}

TEST_CASE("A gate with many controls borrows no qubit that has been measured or reset") {
  const auto qubits_of = [](const std::string& before) {
    const Circuit circuit =
        parse_3("qubit[8] q; bit c; " + before + "ctrl(5) @ x q[0], q[1], q[2], q[3], q[4], q[5];");
    std::set<Qubit> qubits;
    for (const Operation& operation : circuit.operations) {
      if (operation.kind != OperationKind::gate) continue;
      qubits.insert(operation.qubits.begin(), operation.qubits.end());
    }
    return qubits;
  };
  CHECK(qubits_of("") == std::set<Qubit>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(qubits_of("c = measure q[6];") == std::set<Qubit>{0, 1, 2, 3, 4, 5, 7});
  CHECK(qubits_of("c = measure q[7]; reset q[6];") == std::set<Qubit>{0, 1, 2, 3, 4, 5});
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
