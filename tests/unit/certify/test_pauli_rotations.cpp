#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <complex>
#include <numbers>
#include <numeric>

#include "certify/pauli/pauli_rotations.hpp"
#include "multiples_of_pi.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/unitary.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::certify;
using namespace quartz::test;
using enum GateKind;

namespace {

Comparison compare_rotations_of(const Circuit& left, const Circuit& right) {
  return compare_pauli_rotations(std::get<Problem>(pose_problem(left, right)), {});
}

Outcome outcome(std::uint32_t qubits, std::vector<Operation> left, std::vector<Operation> right) {
  return compare_rotations_of(make_circuit(qubits, std::move(left)),
                              make_circuit(qubits, std::move(right)))
      .outcome;
}

/// Returns trace(left^dagger right) over the dimension for the operations of two circuits, which is
/// e^{i phase} if they are equal up to this phase.
Complex overlap(const Circuit& left, const Circuit& right, const Bindings& bindings = {}) {
  const std::vector<Complex> a = unitary_of(left.operations, left.qubit_count(), bindings);
  const std::vector<Complex> b = unitary_of(right.operations, right.qubit_count(), bindings);
  Complex trace = 0;
  for (std::size_t i = 0; i < a.size(); ++i) trace += std::conj(a[i]) * b[i];
  return trace / static_cast<double>(std::size_t{1} << left.qubit_count());
}

/// Returns how far the exact phase of an equal verdict is from the phase of dense matrices.
double phase_error(const Comparison& result, const Circuit& left, const Circuit& right,
                   const Bindings& bindings = {}) {
  REQUIRE(result.exact_phase.has_value());
  return std::abs(std::polar(1.0, result.exact_phase->value(bindings)) -
                  overlap(left, right, bindings));
}

/// Inserts operations that equal e^{i phase}.
Circuit with_phase(const Circuit& circuit, Random& random, const std::vector<Operation>& inserted) {
  Circuit result = circuit;
  result.operations.insert(result.operations.begin() + below(random, circuit.operations.size() + 1),
                           inserted.begin(), inserted.end());
  return result;
}

/// Returns a number of pi/4 that is the phase, reduced to [0, 8).
std::int64_t eighths(const Angle& phase) {
  REQUIRE(phase.is_pi_multiple());
  const Rational number = phase.reduced_modulo(2).pi_part() * Rational(4);
  REQUIRE(number.is_integer());
  return number.numerator();
}

/// Replaces gates t by rz and h by s, sx and s, so that no steps at the ends are equal.
Circuit in_other_gates(const Circuit& circuit) {
  Circuit result = make_circuit(circuit.qubit_count(), {});
  for (const Operation& operation : circuit.operations) {
    if (operation.gate == t) {
      result.operations.push_back(make_operation(rz, {operation.qubits[0]}, {pi(1, 4)}));
    } else if (operation.gate == h) {
      for (const GateKind kind : {s, sx, s}) {
        result.operations.push_back(make_operation(kind, {operation.qubits[0]}));
      }
    } else {
      result.operations.push_back(operation);
    }
  }
  return result;
}

/// Returns the phase of in_other_gates(circuit): rz(pi/4) is e^{-i pi/8} t, and s sx s is
/// e^{i pi/4} h.
Angle phase_of_other_gates(const Circuit& circuit) {
  Angle phase;
  for (const Operation& operation : circuit.operations) {
    if (operation.gate == t) phase.add_phase(pi(-1, 8));
    if (operation.gate == h) phase.add_phase(pi(1, 4));
  }
  return phase;
}

/// Returns the gates of the table that decompose into Hadamard gates, affine maps and rotations
/// about Z.
std::vector<GateKind> comparable_kinds(unsigned qubits) {
  std::vector<GateKind> kinds;
  Random random(1);
  for (const GateKind kind : kinds_up_to(qubits)) {
    const Circuit circuit = random_circuit(random, {kind}, qubits, 1);
    // This method cancels no common gates, so comparing a circuit with itself needs a real proof.
    if (compare_rotations_of(circuit, circuit).outcome == Outcome::equal) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace

TEST_CASE("Pauli rotations: every gate of the table is supported", "[pauli rotations]") {
  CHECK(comparable_kinds(3).size() == kinds_up_to(3).size());
}

TEST_CASE("Pauli rotations: an equal verdict and its phase are right", "[pauli rotations]") {
  Random random(61);
  const std::vector<GateKind> kinds = kinds_up_to(3);
  int equal = 0;
  int unequal = 0;
  for (int round = 0; round < 600; ++round) {
    const Circuit left = random_circuit(random, kinds, 3, 4 + below(random, 8));
    Circuit right = left;
    // Two gates are exchanged, or one gate is replaced, removed, or gets the opposite angle.
    const std::size_t place = below(random, right.operations.size());
    Operation& changed = right.operations[place];
    switch (below(random, 4)) {
      case 0:
        std::swap(changed, right.operations[below(random, right.operations.size())]);
        break;
      case 1:
        for (Angle& angle : changed.angles) angle = -angle;
        break;
      case 2:
        right.operations.erase(right.operations.begin() + static_cast<std::ptrdiff_t>(place));
        break;
      default:
        changed = random_gate(random, kinds, 3, 4);
    }
    INFO("seed 61, round " << round);
    const bool are_equal = std::abs(overlap(left, right)) > 1 - 1e-9;
    const Comparison result = compare_rotations_of(left, right);
    CHECK(result.outcome != Outcome::different);
    if (result.outcome == Outcome::equal) {
      CHECK(are_equal);
      CHECK(phase_error(result, left, right) < 1e-9);
      CHECK(std::abs(std::polar(1.0, *result.phase) - overlap(left, right)) < 1e-9);
    }
    ++(result.outcome == Outcome::equal ? equal : unequal);
  }
  // Both outcomes must have occurred.
  CHECK(equal > 50);
  CHECK(unequal > 200);
}

TEST_CASE("Pauli rotations: gates equal their decompositions", "[pauli rotations]") {
  for (const Gate& row : gate_table()) {
    for (const Decomposition& decomposition : row.decompositions) {
      if (!decomposition.when.empty()) continue;
      Operation whole;
      whole.gate = row.kind;
      for (Qubit operand = 0; operand < row.qubits; ++operand) whole.qubits.push_back(operand);
      for (const std::string_view name : row.parameters) {
        whole.angles.push_back(Angle::symbol(std::string(name)));
      }
      INFO(row.name);
      const Decomposition steps = instantiate(decomposition, whole);
      const Comparison result = compare_rotations_of(make_circuit(row.qubits, {whole}),
                                                     make_circuit(row.qubits, steps.operations));
      CHECK(result.outcome == Outcome::equal);
      // The gate is e^{i phase} times the product of the steps.
      CHECK(eighths(*result.exact_phase + steps.phase) == 0);
    }
  }
}

TEST_CASE("Pauli rotations: the phase is that of dense matrices", "[pauli rotations]") {
  Random random(63);
  const std::vector<GateKind> clifford_t{h, t, tdg, s, sdg, cx, cz, swap, x, y, z, sx, rz, rx, rzz};
  std::vector<int> seen(8, 0);
  int equal = 0;
  for (int round = 0; round < 300; ++round) {
    INFO("seed 63, round " << round);
    const std::vector<GateKind> kinds = round % 2 == 0 ? clifford_t : kinds_up_to(3);
    Circuit left = random_circuit(random, kinds, 4, 5 + below(random, 20));
    // Multiples of pi/4 between -8 pi and 8 pi, some with a parameter or a decimal.
    for (Operation& operation : left.operations) {
      for (Angle& angle : operation.angles) {
        angle = pi(static_cast<std::int64_t>(below(random, 64)) - 32, 4);
        const unsigned rest = below(random, 4);
        if (rest == 0) angle += Angle::symbol("theta") * Rational(below(random, 5)) - pi(7);
        if (rest == 1) angle += Angle::decimal("0.3");
      }
    }
    Circuit right = left;
    for (int i = 0; i < 4; ++i) {
      right = with_inverse_pair(right, random, kinds);
      right = with_decomposed_gate(right, random);
    }
    const Comparison result = compare_rotations_of(left, right);
    if (result.outcome != Outcome::equal) continue;
    ++equal;
    CHECK(phase_error(result, left, right, {{"theta", 0.7}}) < 1e-9);
    // Operations that are a known phase are inserted: e^{i pi/4}, then i, then -1.
    Circuit turned = right;
    const Qubit a = below(random, 4);
    const Qubit b = (a + 1) % 4;
    std::int64_t expected = 0;
    if (below(random, 2) == 1) {
      turned = with_phase(turned, random,
                          {make_operation(s, {a}), make_operation(h, {a}), make_operation(s, {a}),
                           make_operation(h, {a}), make_operation(s, {a}), make_operation(h, {a})});
      expected += 1;
    }
    if (below(random, 2) == 1) {
      turned = with_phase(turned, random,
                          {make_operation(z, {b}), make_operation(y, {b}), make_operation(x, {b})});
      expected += 2;
    }
    if (below(random, 2) == 1) {
      turned = with_phase(turned, random,
                          {make_operation(rzz, {a, b}, {pi(3, 4) + Angle::symbol("theta")}),
                           make_operation(rzz, {b, a}, {pi(5, 4) - Angle::symbol("theta")})});
      expected += 4;
    }
    const Comparison other = compare_rotations_of(left, turned);
    REQUIRE(other.outcome == Outcome::equal);
    CHECK(eighths(*other.exact_phase - *result.exact_phase) == expected);
    ++seen[static_cast<std::size_t>(expected)];
  }
  CHECK(equal > 250);
  for (const int count : seen) CHECK(count > 5);
}

TEST_CASE("Pauli rotations: a turn by 2 pi is -1", "[pauli rotations]") {
  const Angle theta = Angle::symbol("theta");
  const auto phase = [](std::vector<Operation> left, std::vector<Operation> right) {
    const Comparison result =
        compare_rotations_of(make_circuit(2, std::move(left)), make_circuit(2, std::move(right)));
    REQUIRE(result.outcome == Outcome::equal);
    return eighths(*result.exact_phase);
  };
  CHECK(phase({}, {make_operation(rz, {0}, {pi(2)})}) == 4);
  CHECK(phase({}, {make_operation(rz, {0}, {pi(-2)})}) == 4);
  CHECK(phase({}, {make_operation(rz, {0}, {pi(4)})}) == 0);
  CHECK(phase({make_operation(rx, {0}, {pi(2)})}, {}) == 4);
  CHECK(phase({make_operation(rz, {0}, {theta})}, {make_operation(rz, {0}, {theta + pi(2)})}) == 4);
  CHECK(phase({make_operation(rz, {0}, {theta - pi(3)})},
              {make_operation(rz, {0}, {theta + pi(3)})}) == 4);
  CHECK(phase({make_operation(rz, {0}, {theta - pi(5)})},
              {make_operation(rz, {0}, {theta + pi(3)})}) == 0);
  // Two rotations that merge, with a total of 2 pi; and with opposite operators.
  CHECK(phase({make_operation(rz, {0}, {theta + pi(7, 4)}),
               make_operation(rz, {0}, {pi(1, 4) - theta})},
              {}) == 4);
  CHECK(phase({make_operation(rz, {0}, {theta + pi(15, 8)}), make_operation(x, {0}),
               make_operation(rz, {0}, {theta - pi(1, 8)}), make_operation(x, {0})},
              {}) == 4);
  // Angles whose sum is computed from several parameters of one gate.
  CHECK(phase({make_operation(u3, {0}, {pi(0), pi(1, 3), pi(5, 3)})}, {}) == 0);
  CHECK(phase({make_operation(crz, {0, 1}, {pi(4)})}, {}) == 0);
  CHECK(phase({make_operation(crz, {0, 1}, {pi(2)})}, {make_operation(z, {0})}) == 0);
}

TEST_CASE("Pauli rotations: the phase decides between equal and equal up to a phase",
          "[pauli rotations]") {
  // Too many qubits for state vectors, and gates that no other method reduces.
  Random random(64);
  INFO("seed 64");
  const Circuit left = random_circuit(random, {h, cx, t, rz}, 70, 1500, 16);
  Circuit right = in_other_gates(left);
  right.global_phase = -phase_of_other_gates(left);
  EquivalenceReport report = check_equivalence(left, right);
  CHECK(report.method == "Pauli rotations");
  CHECK(report.verdict == EquivalenceVerdict::equal);
  for (const std::int64_t turned : {1, 4}) {
    INFO(turned);
    Circuit other = right;
    other.global_phase += pi(turned, 4);
    report = check_equivalence(left, other);
    CHECK(report.method == "Pauli rotations");
    CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
    CHECK(report.phase.value() ==
          Approx(static_cast<double>(turned) * std::numbers::pi / 4).margin(1e-12));
  }
}

TEST_CASE("Pauli rotations: small circuits are compared by them before states are computed",
          "[pauli rotations]") {
  // Few enough qubits for state vectors, which would take long for more gates.
  Random random(65);
  INFO("seed 65");
  const Circuit left = random_circuit(random, {h, cx, t, rz}, 14, 400, 16);
  Circuit right = in_other_gates(left);
  right.global_phase = -phase_of_other_gates(left);
  const EquivalenceReport report = check_equivalence(left, right);
  CHECK(report.method == "Pauli rotations");
  CHECK(report.verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Pauli rotations: without time or memory for the phase there is none",
          "[pauli rotations]") {
  Circuit left = make_circuit(3, {});
  for (int i = 0; i < 20; ++i) {
    left.operations.push_back(make_operation(h, {static_cast<Qubit>(i % 3)}));
  }
  Budget budget;
  budget.memory_bytes = 2000;  // the log has 5% of it, and an entry for each Hadamard gate
  const Comparison result =
      compare_pauli_rotations(std::get<Problem>(pose_problem(left, left)), budget);
  CHECK(result.outcome == Outcome::equal);
  CHECK(!result.exact_phase.has_value());
  CHECK(!result.phase.has_value());
}

TEST_CASE("Pauli rotations: phase folding is recognized", "[pauli rotations]") {
  const Angle theta = Angle::symbol("theta");
  const Angle one = Angle::radians(1);
  // Rotations merge across a CNOT pair, regardless of gates on the control.
  CHECK(outcome(2,
                {make_operation(rz, {1}, {theta}), make_operation(cx, {0, 1}),
                 make_operation(rz, {1}, {one}), make_operation(t, {0}), make_operation(cx, {0, 1}),
                 make_operation(rz, {1}, {one})},
                {make_operation(t, {0}), make_operation(rz, {1}, {theta + one}),
                 make_operation(cx, {0, 1}), make_operation(rz, {1}, {one}),
                 make_operation(cx, {0, 1})}) == Outcome::equal);
  // Two T gates merge into an S gate across a Hadamard pair. The T gate about another axis remains.
  CHECK(outcome(1,
                {make_operation(t, {0}), make_operation(h, {0}), make_operation(h, {0}),
                 make_operation(t, {0}), make_operation(h, {0}), make_operation(t, {0})},
                {make_operation(s, {0}), make_operation(h, {0}), make_operation(t, {0})}) ==
        Outcome::equal);
  // A rotation about the opposite operator has the opposite angle.
  CHECK(outcome(1,
                {make_operation(x, {0}), make_operation(rz, {0}, {theta}), make_operation(x, {0})},
                {make_operation(rz, {0}, {-theta})}) == Outcome::equal);
  CHECK(outcome(1,
                {make_operation(x, {0}), make_operation(rz, {0}, {theta}), make_operation(x, {0})},
                {make_operation(rz, {0}, {theta})}) == Outcome::unknown);
  // Rotations that do not commute remain in order.
  CHECK(outcome(1,
                {make_operation(rx, {0}, {theta}), make_operation(rz, {0}, {one}),
                 make_operation(rx, {0}, {-theta})},
                {make_operation(rz, {0}, {one})}) == Outcome::unknown);
  // A quarter turn changes the axis of the following rotations, in this direction.
  CHECK(outcome(1,
                {make_operation(rx, {0}, {pi(1, 2)}), make_operation(rz, {0}, {theta}),
                 make_operation(rx, {0}, {pi(-1, 2)})},
                {make_operation(ry, {0}, {theta})}) == Outcome::equal);
  CHECK(outcome(1,
                {make_operation(rx, {0}, {pi(1, 2)}), make_operation(rz, {0}, {theta}),
                 make_operation(rx, {0}, {pi(-1, 2)})},
                {make_operation(ry, {0}, {-theta})}) == Outcome::unknown);
}

TEST_CASE("Pauli rotations: unsupported operations are unknown", "[pauli rotations]") {
  Circuit conditional = make_circuit(1, {make_operation(x, {0}), make_operation(x, {0})});
  conditional.bit_registers.push_back({"c", 0, 1});
  ClassicalPart part;
  part.conditions.push_back({0, 1});
  for (Operation& operation : conditional.operations) {
    operation.classical = std::make_shared<const ClassicalPart>(part);
  }
  Circuit empty = conditional;
  empty.operations.clear();
  CHECK(compare_rotations_of(conditional, empty).outcome == Outcome::unknown);

  Operation opaque;
  opaque.kind = OperationKind::opaque;
  opaque.qubits = {0};
  ClassicalPart named;
  named.opaque_name = "black_box";
  opaque.classical = std::make_shared<const ClassicalPart>(named);
  CHECK(outcome(1, {opaque}, {opaque}) == Outcome::unknown);
}

TEST_CASE("Pauli rotations: many gates on many qubits", "[pauli rotations]") {
  constexpr std::uint32_t qubits = 70;
  constexpr std::size_t gates = 20'000;
  Random random(62);
  const Circuit left = random_circuit(random, {h, cx, t, rz}, qubits, gates);
  const Circuit right = in_other_gates(left);
  INFO("seed 62");
  const Comparison result = compare_rotations_of(left, right);
  CHECK(result.outcome == Outcome::equal);
  CHECK(eighths(*result.exact_phase - phase_of_other_gates(left)) == 0);
  // One additional gate makes a difference, wherever it is inserted.
  for (const std::size_t place : {std::size_t{0}, gates / 2, gates - 1}) {
    Circuit other = right;
    other.operations.insert(other.operations.begin() + static_cast<std::ptrdiff_t>(place),
                            make_operation(t, {3}));
    CHECK(compare_rotations_of(left, other).outcome == Outcome::unknown);
  }
}

namespace {

/// Appends rz about the parity of some qubits, as bits.
void append_parity(std::vector<Operation>& operations, unsigned parity, std::int64_t eighths) {
  std::vector<Operation> cnots;
  const auto target = static_cast<Qubit>(std::countr_zero(parity));
  for (Qubit qubit = target + 1; parity >> qubit != 0; ++qubit) {
    if ((parity >> qubit & 1U) != 0) cnots.push_back(make_operation(cx, {qubit, target}));
  }
  operations.insert(operations.end(), cnots.begin(), cnots.end());
  operations.push_back(make_operation(rz, {target}, {pi(eighths, 4)}));
  operations.insert(operations.end(), cnots.rbegin(), cnots.rend());
}

/// Returns the sum of the forms whose bits are set.
unsigned sum_of(const std::vector<unsigned>& forms, unsigned bits) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if ((bits >> i & 1U) != 0) sum ^= forms[i];
  }
  return sum;
}

/// Returns four independent forms.
std::vector<unsigned> independent_forms(Random& random, std::uint32_t qubits) {
  std::vector<unsigned> forms;
  while (forms.size() < 4) {
    forms.push_back(1 + below(random, (1U << qubits) - 1));
    for (unsigned bits = 1; bits < 1U << forms.size(); ++bits) {
      if (sum_of(forms, bits) != 0) continue;
      forms.pop_back();
      break;
    }
  }
  return forms;
}

/// Returns random Clifford gates.
std::vector<Operation> clifford_gates(Random& random, std::uint32_t qubits) {
  return random_circuit(random, {h, s, cx, x}, qubits, 12).operations;
}

}  // namespace

TEST_CASE("Pauli rotations: commuting rotations are compared by their polynomial",
          "[pauli rotations]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::uint32_t qubits = 4 + below(random, 2);
    // The rotations by pi/4 about all sums of four forms, with alternating signs by the number of
    // forms, are a phase: a spider nest. Odd multiples of pi/4 become even ones by it.
    const std::vector<unsigned> forms = independent_forms(random, qubits);
    std::vector<Operation> left = clifford_gates(random, qubits);
    std::vector<Operation> right = left;
    std::vector<Operation> other = left;
    const unsigned changed = 1 + below(random, 15);
    for (unsigned bits = 1; bits < 16; ++bits) {
      const std::int64_t eighths = 2 * static_cast<std::int64_t>(below(random, 16)) - 15;
      const std::int64_t even = eighths + (std::popcount(bits) % 2 != 0 ? 1 : -1);
      append_parity(left, sum_of(forms, bits), eighths);
      append_parity(right, sum_of(forms, bits), even);
      append_parity(other, sum_of(forms, bits), even + (bits == changed ? 2 : 0));
    }
    const std::vector<Operation> after = clifford_gates(random, qubits);
    for (std::vector<Operation>* gates : {&left, &right, &other}) {
      gates->insert(gates->end(), after.begin(), after.end());
    }
    const Circuit nest = make_circuit(qubits, left);
    const Circuit turns = make_circuit(qubits, right);
    const Comparison result = compare_rotations_of(nest, turns);
    REQUIRE(result.outcome == Outcome::equal);
    CHECK(phase_error(result, nest, turns) < 1e-9);
    CHECK(outcome(qubits, left, other) == Outcome::unknown);
    // The nest is undone as well if the odd rotations are those of the right circuit.
    CHECK(outcome(qubits, right, left) == Outcome::equal);
  }
}

TEST_CASE("Pauli rotations: fewer products are equal, with the phase", "[pauli rotations]") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    constexpr std::uint32_t qubits = 5;
    // (-1)^{a b c} (-1)^{a b d} = (-1)^{a b (c + d)}, in a random frame.
    std::vector<Operation> left = clifford_gates(random, qubits);
    std::vector<Operation> right = left;
    const auto append_ccz = [&](std::vector<Operation>& operations, unsigned c) {
      const std::vector<unsigned> forms{1, 2, c};
      for (unsigned bits = 1; bits < 8; ++bits) {
        const bool is_odd = std::popcount(bits) % 2 != 0;
        append_parity(operations, sum_of(forms, bits), is_odd ? 1 : -1);
      }
    };
    append_ccz(left, 4);
    append_ccz(left, 8);
    append_ccz(right, 12);
    const std::vector<Operation> after = clifford_gates(random, qubits);
    left.insert(left.end(), after.begin(), after.end());
    right.insert(right.end(), after.begin(), after.end());
    const Circuit products = make_circuit(qubits, left);
    const Circuit fewer = make_circuit(qubits, right);
    const Comparison result = compare_rotations_of(products, fewer);
    REQUIRE(result.outcome == Outcome::equal);
    CHECK(phase_error(result, products, fewer) < 1e-9);
    // A near miss: one more gate of the Clifford group, or one rotation by another angle.
    std::vector<Operation> other = right;
    other.insert(other.begin(), make_operation(s, {below(random, qubits)}));
    CHECK(outcome(qubits, left, other) == Outcome::unknown);
    other = right;
    append_parity(other, 1 + below(random, 31), 1);
    CHECK(outcome(qubits, left, other) == Outcome::unknown);
  }
}

TEST_CASE("Pauli rotations: the same ones in another order are equal, whatever nests they complete",
          "[pauli rotations]") {
  // Layers of commuting rotations about many parities, of which some complete spider nests, and
  // others in the other order.
  constexpr Qubit kQubits = 5;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<Operation> left;
    std::vector<Operation> right;
    for (int layer = 0; layer < 4; ++layer) {
      std::vector<unsigned> parities(31);
      std::iota(parities.begin(), parities.end(), 1U);
      std::ranges::shuffle(parities, random);
      parities.resize(22);
      for (const unsigned parity : parities) append_parity(left, parity, 1);
      std::ranges::shuffle(parities, random);
      for (const unsigned parity : parities) append_parity(right, parity, 1);
      const Operation between = make_operation(h, {below(random, kQubits)});
      left.push_back(between);
      right.push_back(between);
    }
    CHECK(outcome(kQubits, left, right) == Outcome::equal);
    right.push_back(make_operation(t, {0}));
    CHECK(outcome(kQubits, left, right) == Outcome::unknown);
  }
}

namespace {

/// Inserts the fifteen rotations of a spider nest in a random frame, except for the first few, at a
/// random place.
std::vector<Operation> with_nest(const std::vector<Operation>& gates, Random& random,
                                 std::uint32_t qubits, unsigned missing = 0) {
  std::vector<Operation> nest = clifford_gates(random, qubits);
  std::vector<Operation> back;
  for (auto gate = nest.rbegin(); gate != nest.rend(); ++gate) {
    const Decomposition inverse = inverse_of(*gate);
    back.insert(back.end(), inverse.operations.begin(), inverse.operations.end());
  }
  const std::vector<unsigned> forms = independent_forms(random, qubits);
  std::vector<unsigned> sums(15);
  std::iota(sums.begin(), sums.end(), 1U);
  std::ranges::shuffle(sums, random);
  for (std::size_t i = missing; i < sums.size(); ++i)
    append_parity(nest, sum_of(forms, sums[i]), 1);
  nest.insert(nest.end(), back.begin(), back.end());
  std::vector<Operation> result = gates;
  result.insert(result.begin() + below(random, gates.size() + 1), nest.begin(), nest.end());
  return result;
}

std::vector<Operation> clifford_and_t_gates(Random& random, std::uint32_t qubits,
                                            std::size_t count) {
  return random_circuit(random, {h, s, cx, cx, t}, qubits, count).operations;
}

}  // namespace

TEST_CASE("Pauli rotations: spider nests between other rotations are found, with the phase",
          "[pauli rotations]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::uint32_t qubits = 5;
    const std::vector<Operation> gates = clifford_and_t_gates(random, qubits, 60);
    std::vector<Operation> nests = gates;
    for (int i = 0; i < 3; ++i) nests = with_nest(nests, random, qubits);
    const Circuit plain = make_circuit(qubits, gates);
    const Circuit longer = make_circuit(qubits, nests);
    const Comparison result = compare_rotations_of(plain, longer);
    REQUIRE(result.outcome == Outcome::equal);
    CHECK(phase_error(result, plain, longer) < 1e-9);
    const Comparison reversed = compare_rotations_of(longer, plain);
    REQUIRE(reversed.outcome == Outcome::equal);
    CHECK(phase_error(reversed, longer, plain) < 1e-9);
    // Near misses: nests without one, two and eight of their rotations.
    for (const unsigned missing : {1U, 2U, 8U}) {
      CHECK(outcome(qubits, gates, with_nest(nests, random, qubits, missing)) == Outcome::unknown);
    }
  }
}

TEST_CASE("Pauli rotations: spider nests are found on many qubits", "[pauli rotations]") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::uint32_t qubits = 30;
    const std::vector<Operation> gates = clifford_and_t_gates(random, qubits, 600);
    std::vector<Operation> nests = gates;
    for (int i = 0; i < 5; ++i) nests = with_nest(nests, random, qubits);
    CHECK(outcome(qubits, gates, nests) == Outcome::equal);
    CHECK(outcome(qubits, nests, gates) == Outcome::equal);
    CHECK(outcome(qubits, gates, with_nest(nests, random, qubits, 1)) == Outcome::unknown);
  }
}
