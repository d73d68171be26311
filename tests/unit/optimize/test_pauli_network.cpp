#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/budget.hpp"
#include "optimize/pauli_network/clifford_phase.hpp"
#include "optimize/pauli_network/cnot_changes.hpp"
#include "optimize/pauli_network/controlled_paulis.hpp"
#include "optimize/pauli_network/pauli_columns.hpp"
#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/pauli_network/pauli_string.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"
#include "optimize/search/starts.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "search_fixture.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

/// Returns the network of gates, after the merging of controlled Pauli operators in sequences on
/// few qubits.
std::optional<circuit::PhasedGates> pauli_network(std::span<const Operation> gates,
                                                  std::uint32_t qubits, double reach,
                                                  const Budget& budget) {
  std::optional<RotationColumns> columns = rotation_columns(gates, qubits);
  if (!columns) return std::nullopt;
  if (std::optional<RotationSequence> sequence = rotation_sequence(gates, qubits)) {
    (void)merge_controlled_paulis(*sequence);
    columns = rotation_columns(*sequence);
  }
  return optimizer::pauli_network(*std::move(columns), reach, budget);
}

/// Returns the network of a circuit with its global phase.
Circuit network_of(const Circuit& circuit, double reach = 2) {
  const auto network = pauli_network(circuit.operations, circuit.qubit_count(), reach, Budget());
  REQUIRE(network);
  Circuit result = make_circuit(circuit.qubit_count(), network->gates);
  result.global_phase = circuit.global_phase + network->phase;
  return result;
}

/// Returns a random network of a circuit with its global phase.
Circuit random_network_of(const Circuit& circuit, FastRandom& random) {
  const std::optional<RotationColumns> sequence =
      rotation_columns(circuit.operations, circuit.qubit_count());
  REQUIRE(sequence);
  const auto network = random_pauli_network(*sequence, 2, 1, random, Budget());
  REQUIRE(network);
  Circuit result = make_circuit(circuit.qubit_count(), network->gates);
  result.global_phase = circuit.global_phase + network->phase;
  return result;
}

/// Appends the rotation about a random Pauli operator on all qubits, as programs have it: a ladder
/// of CNOTs, a rotation, and the same ladder.
void append_pauli_exponential(FastRandom& random, std::uint32_t qubits,
                              std::vector<Operation>& gates) {
  std::vector<Operation> before;
  for (Qubit qubit = 0; qubit < qubits; ++qubit) {
    if (random.below(2) == 0) before.push_back(make_operation(h, {qubit}));
  }
  for (Qubit qubit = 0; qubit + 1 < qubits; ++qubit) {
    before.push_back(make_operation(cx, {qubit, qubit + 1}));
  }
  gates.insert(gates.end(), before.begin(), before.end());
  gates.push_back(
      make_operation(rz, {qubits - 1}, {Angle::radians(Rational(1 + random.below(1000), 1000))}));
  gates.insert(gates.end(), before.rbegin(), before.rend());
}

std::size_t cnots(const Circuit& circuit) {
  return static_cast<std::size_t>(std::ranges::count(circuit.operations, cx, &Operation::gate));
}

/// Appends exp(-i angle/2 P) about Z on one qubit, times Z on some others.
void append_rotation(std::vector<Operation>& operations, Qubit target,
                     std::span<const Qubit> controls, int eighths) {
  for (const Qubit control : controls) operations.push_back(make_operation(cx, {control, target}));
  operations.push_back(make_operation(rz, {target}, {Angle::pi_times(Rational(eighths, 4))}));
  for (const Qubit control : controls) operations.push_back(make_operation(cx, {control, target}));
}

/// Appends -iZ on a qubit under two controls, up to Clifford rotations: rotations about Z of the
/// target times any product of Z of the controls, in any order, by any odd multiples of pi/4.
void append_controlled_z(Random& random, std::vector<Operation>& operations, Qubit target,
                         std::array<Qubit, 2> controls) {
  std::array<unsigned, 4> subsets{0, 1, 2, 3};
  for (std::size_t i = subsets.size(); i > 1; --i) {
    std::swap(subsets[i - 1], subsets[below(random, i)]);
  }
  for (const unsigned subset : subsets) {
    std::vector<Qubit> factors;
    if ((subset & 1U) != 0) factors.push_back(controls[0]);
    if ((subset & 2U) != 0) factors.push_back(controls[1]);
    append_rotation(operations, target, factors, 2 * static_cast<int>(below(random, 16)) - 15);
  }
}

std::size_t odd_eighths(std::span<const Operation> operations) {
  return static_cast<std::size_t>(std::ranges::count_if(operations, [](const Operation& gate) {
    return gate.gate == rz && gate.angles[0].pi_part().denominator() == 4;
  }));
}

}  // namespace

TEST_CASE("Networks of random circuits are equal to them, with the global phase",
          "[pauli network]") {
  const std::vector<GateKind> kinds{cx, cx, h, rz, rz, x};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(1 + below(random, 6));
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < 4 + below(random, 40); ++i) {
      Operation gate = random_gate(random, qubits == 1 ? std::vector{h, rz, x} : kinds, qubits, 4);
      // Clifford rotations, also by more than a turn, and others; some by a parameter.
      if (gate.gate == rz && below(random, 2) == 0) {
        gate.angles[0] =
            Angle::pi_times(Rational(static_cast<std::int64_t>(below(random, 33)) - 16, 2));
      }
      if (gate.gate == rz && below(random, 8) == 0) gate.angles[0] = Angle::symbol("a");
      operations.push_back(std::move(gate));
    }
    const Circuit circuit = make_circuit(qubits, std::move(operations));
    const double reach = below(random, 2) == 0 ? 0.6 : 12;
    CHECK(check_equivalence(circuit, network_of(circuit, reach)).verdict ==
          EquivalenceVerdict::equal);
    FastRandom choices(seed);
    CHECK(check_equivalence(circuit, random_network_of(circuit, choices)).verdict ==
          EquivalenceVerdict::equal);
  }
}

TEST_CASE("Random networks of a circuit differ, and those of a seed are the same",
          "[pauli network]") {
  Random random(1);
  std::vector<Operation> operations;
  for (std::size_t i = 0; i < 60; ++i) {
    operations.push_back(random_gate(random, {cx, h, rz}, 4, 4));
  }
  const Circuit circuit = make_circuit(4, std::move(operations));
  const auto networks = [&](std::uint64_t seed) {
    FastRandom choices(seed);
    std::vector<std::size_t> sizes;
    for (int i = 0; i < 20; ++i) {
      sizes.push_back(random_network_of(circuit, choices).operations.size());
    }
    return sizes;
  };
  const std::vector<std::size_t> sizes = networks(3);
  CHECK(std::ranges::count(sizes, sizes.front()) < 20);
  CHECK(networks(3) == sizes);
}

TEST_CASE("Clifford circuits are networks without rotations", "[pauli network]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(2 + below(random, 9));
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < 80; ++i) {
      Operation gate = random_gate(random, {cx, h, rz, x}, qubits, 2);
      operations.push_back(std::move(gate));
    }
    const Circuit circuit = make_circuit(qubits, std::move(operations));
    CHECK(check_equivalence(circuit, network_of(circuit)).verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("A network shares CNOTs among rotations", "[pauli network]") {
  // exp(-i a ZZZZ) and exp(-i b ZZZI): together they take the CNOTs of the first one.
  std::vector<Operation> operations;
  const auto exponential = [&](Qubit last) {
    for (Qubit q = 0; q < last; ++q) operations.push_back(make_operation(cx, {q, q + 1}));
    operations.push_back(make_operation(rz, {last}, {Angle::pi_times(Rational(1, 7))}));
    for (Qubit q = last; q-- > 0;) operations.push_back(make_operation(cx, {q, q + 1}));
  };
  exponential(3);
  exponential(2);
  const Circuit circuit = make_circuit(4, std::move(operations));
  const Circuit network = network_of(circuit);
  CHECK(cnots(network) <= 6);
  CHECK(check_equivalence(circuit, network).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Operators stored by qubits change as they do one by one", "[pauli network]") {
  Random random(41);
  for (const std::uint32_t qubits : {2U, 16U, 33U, 64U}) {
    CAPTURE(qubits);
    const std::uint64_t mask = qubits == 64 ? ~std::uint64_t{0} : bit_of(qubits) - 1;
    std::vector<PauliString> operators(2 * std::size_t{qubits} + below(random, 100));
    for (PauliString& each : operators) {
      each = {random() & mask, random() & mask, 0};
      const auto ys = static_cast<unsigned>(__builtin_popcountll(each.x & each.z));
      each.phase = (ys + 2 * static_cast<unsigned>(below(random, 2))) % 4;  // Hermitian
    }
    PauliColumns columns(operators, qubits);
    std::vector<double> factors(below(random, operators.size()));
    for (double& factor : factors) factor = static_cast<double>(below(random, 100));
    for (int step = 0; step < 200; ++step) {
      const auto first = static_cast<std::uint32_t>(below(random, qubits));
      const auto second =
          static_cast<std::uint32_t>((first + 1 + below(random, qubits - 1)) % qubits);
      const PauliCnot cnot{first, second, 1 + static_cast<LocalAxis>(below(random, 3)),
                           1 + static_cast<LocalAxis>(below(random, 3))};
      int sum = 0;
      double weighted = 0;
      for (std::size_t i = 0; i < operators.size(); ++i) {
        const int change = cnot.change(operators[i]);
        REQUIRE(columns.change(cnot, i) == change);
        sum += change;
        if (i < factors.size()) weighted += factors[i] * change;
      }
      REQUIRE(columns.change(cnot) == sum);
      REQUIRE(columns.change(cnot, factors) == weighted);
      const CliffordGate gate{static_cast<CliffordKind>(below(random, 4)), first, second,
                              1 + static_cast<unsigned>(below(random, 3))};
      columns.push(gate);
      for (PauliString& each : operators) each = pushed(each, gate);
      if (step % 8 == 0 && operators.size() > 2) {
        const auto erased = below(random, operators.size());
        columns.erase(erased);
        operators.erase(operators.begin() + static_cast<std::ptrdiff_t>(erased));
        factors.resize(std::min(factors.size(), operators.size()));
      }
      REQUIRE(columns.size() == operators.size());
      for (std::size_t i = 0; i < operators.size(); ++i) {
        REQUIRE(columns.weight(i) == weight_of(operators[i]));
        REQUIRE(columns.is_negative(i) == is_negative(operators[i]));
      }
      const std::size_t one = below(random, operators.size());
      const std::vector<std::uint64_t> anticommuting = columns.anticommuting(one);
      for (std::size_t i = 0; i < operators.size(); ++i) {
        REQUIRE(((anticommuting[i / 64] >> (i % 64) & 1U) != 0) ==
                anticommute(operators[one], operators[i]));
      }
    }
  }
}

TEST_CASE("The best CNOT is the first one that makes the operators smallest", "[pauli network]") {
  Random random(43);
  for (const std::uint32_t qubits : {1U, 2U, 7U, 66U, 100U}) {
    CAPTURE(qubits);
    PauliColumns operators(2 * std::size_t{qubits}, qubits);
    for (std::size_t i = 0; i < operators.size(); ++i) {
      for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
        if (below(random, 3) == 0)
          operators.set(i, qubit, static_cast<LocalAxis>(below(random, 4)));
      }
    }
    CnotChanges changes(operators);
    for (int step = 0; step < 12; ++step) {
      std::optional<PauliCnot> expected;
      int least = 0;
      for (std::size_t i = 0; i < operators.size(); ++i) {
        for_each_reduction(operators, i, [&](const PauliCnot& cnot) {
          if (operators.change(cnot) >= least) return;
          least = operators.change(cnot);
          expected = cnot;
        });
      }
      const std::optional<PauliCnot> best = changes.best(operators);
      REQUIRE(best.has_value() == expected.has_value());
      if (!best) break;
      CHECK(std::tuple(best->control, best->target, best->control_axis, best->target_axis) ==
            std::tuple(expected->control, expected->target, expected->control_axis,
                       expected->target_axis));
      operators.push({CliffordKind::h, best->control});
      operators.push({CliffordKind::cx, best->control, best->target});
      (void)changes.update(operators, best->control, best->target);
    }
  }
}

TEST_CASE("Sequences stored by qubits are those of Pauli strings", "[pauli network]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(2 + below(random, 63));
    std::vector<Operation> gates;
    for (std::size_t i = 0; i < 300; ++i) {
      gates.push_back(random_gate(random, {cx, cx, h, rz, x}, qubits, 4));
      if (gates.back().gate == rz && below(random, 2) == 0) {
        gates.back().angles[0] =
            Angle::pi_times(Rational(static_cast<std::int64_t>(below(random, 33)) - 16, 2));
      }
    }
    const std::optional<RotationSequence> sequence = rotation_sequence(gates, qubits);
    REQUIRE(sequence);
    const RotationColumns expected = rotation_columns(*sequence);
    const std::optional<RotationColumns> columns = rotation_columns(gates, qubits);
    REQUIRE(columns);
    CHECK(columns->angles == expected.angles);
    CHECK(columns->clifford == expected.clifford);
    CHECK(columns->is_negated == expected.is_negated);
    const auto check_equal = [&](const PauliColumns& one, const PauliColumns& other) {
      REQUIRE(one.size() == other.size());
      for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one.is_negative(i) == other.is_negative(i));
        for (std::uint32_t q = 0; q < qubits; ++q) REQUIRE(one.axis(i, q) == other.axis(i, q));
      }
    };
    check_equal(columns->axes, expected.axes);
    check_equal(columns->images, expected.images);
  }
}

TEST_CASE("Networks have limits", "[pauli network]") {
  const std::vector<Operation> gates(kMaxRotations + 1,
                                     make_operation(rz, {0}, {Angle::pi_times(Rational(1, 4))}));
  CHECK_FALSE(pauli_network(gates, 1, 2, Budget()));
  CHECK(pauli_network(std::span(gates).first(20), 1, 2, Budget()));
  CHECK_FALSE(pauli_network({}, kMaxQubitsOfNetwork + 1, 2, Budget()));
  const std::vector<Operation> others{make_operation(ccx, {0, 1, 2})};
  CHECK_FALSE(pauli_network(others, 3, 2, Budget()));
}

TEST_CASE("Circuits with too many rotations for a network are replaced in stretches",
          "[pauli network]") {
  FastRandom random(5);
  constexpr std::uint32_t kQubits = 4;
  std::vector<Operation> gates;
  for (std::size_t i = 0; i < kMaxRotations + 100; ++i) {
    append_pauli_exponential(random, kQubits, gates);
  }
  const Circuit circuit = make_circuit(kQubits, gates);
  REQUIRE_FALSE(rotation_sequence(circuit.operations, kQubits));
  OptimizeOptions options;
  options.search = "pauli";
  options.steps = 1;
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
  CHECK(3 * cnots(result.circuit) < 2 * cnots(circuit));
  // Exact methods would take most of the time, and the dense unitary decides.
  EquivalenceOptions check;
  check.seconds = 5;
  CHECK(check_equivalence(circuit, result.circuit, check).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Networks pay for large circuits of Pauli exponentials", "[pauli network]") {
  FastRandom random(6);
  constexpr std::uint32_t kQubits = 8;
  constexpr std::size_t kGates = 60'000;
  std::vector<Operation> exponentials;
  while (exponentials.size() < kGates) append_pauli_exponential(random, kQubits, exponentials);
  // One CNOT for each rotation is fewer than a network has.
  std::vector<Operation> unstructured;
  while (unstructured.size() < kGates) {
    const Qubit first = random.below(kQubits);
    const Qubit second = (first + 1 + random.below(kQubits - 1)) % kQubits;
    unstructured.push_back(make_operation(h, {first}));
    unstructured.push_back(make_operation(rz, {first}, {Angle::radians(Rational(1, 3))}));
    unstructured.push_back(make_operation(cx, {first, second}));
  }
  const auto pay = [](const std::vector<Operation>& gates, std::uint32_t qubits) {
    Fixture fixture(make_circuit(qubits, gates));
    return networks_pay(fixture.problem);
  };
  CHECK(pay(exponentials, kQubits));
  CHECK(pay({exponentials.begin(), exponentials.begin() + 1000}, kQubits));  // fewer than a sample
  CHECK(pay(exponentials, kMaxQubitsOfNetwork + 1));
  CHECK_FALSE(pay(unstructured, kQubits));
}

TEST_CASE("The phase of Clifford circuits that keep the zero state is exact", "[pauli network]") {
  using enum CliffordKind;
  // (h s)^3 is a global phase: e^{i pi/4} with s = diag(1, i), which is rz times e^{i pi/4}.
  std::vector<CliffordGate> gates;
  for (int i = 0; i < 3; ++i) {
    gates.push_back({CliffordKind::h, 0});
    gates.push_back({CliffordKind::s, 0});
  }
  CHECK(phase_on_zero_state(gates, 1) == 6);
  const std::vector<CliffordGate> four{
      {CliffordKind::s, 0}, {CliffordKind::s, 0}, {CliffordKind::s, 0}, {CliffordKind::s, 0}};
  CHECK(phase_on_zero_state(four, 1) == 4);
  const std::vector<CliffordGate> flips{{CliffordKind::x, 0}};
  CHECK_FALSE(phase_on_zero_state(flips, 1));
  const std::vector<CliffordGate> bell{{CliffordKind::h, 0}, {CliffordKind::cx, 0, 1}};
  CHECK_FALSE(phase_on_zero_state(bell, 2));
  CHECK(phase_on_zero_state({}, 3) == 0);
}

TEST_CASE("Pauli operators under the same two controls are merged", "[pauli network]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    // The controls are Z, X or Y on two qubits, or operators on more of them, and the target's
    // operator changes from Z to X and back.
    std::vector<Operation> frame;
    for (std::size_t i = 0; i < 12; ++i) {
      frame.push_back(random_gate(random, {cx, h, rz}, 4, 2));
      if (frame.back().gate == rz) frame.back().angles[0] = Angle::pi_times(Rational(1, 2));
    }
    std::vector<Operation> operations = frame;
    const std::size_t groups = 2 + below(random, 3);
    for (std::size_t i = 0; i < groups; ++i) {
      append_controlled_z(random, operations, 2, {0, 1});
      operations.push_back(make_operation(h, {2}));
    }
    operations.insert(operations.end(), frame.rbegin(), frame.rend());
    const Circuit circuit = make_circuit(4, std::move(operations));
    std::optional<RotationSequence> sequence = rotation_sequence(circuit.operations, 4);
    REQUIRE(sequence);
    REQUIRE(sequence->rotations.size() == 4 * groups);
    // Clifford rotations between the groups may make the third operator that of the second one.
    CHECK(merge_controlled_paulis(*sequence).pairs >= 1);
    const Circuit network = network_of(circuit);
    CHECK(odd_eighths(network.operations) <= 4 * (groups - 1));
    CHECK(check_equivalence(circuit, network).verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("Two Toffoli gates around a Hadamard gate take four rotations", "[pauli network]") {
  const Circuit circuit = make_circuit(
      3, {make_operation(ccx, {0, 1, 2}), make_operation(h, {2}), make_operation(ccx, {0, 1, 2})});
  const Circuit translated = translate(circuit, load_gate_set("nam"));
  const Circuit network = network_of(translated);
  // The rotations about Z of the controls become Clifford gates once they are folded.
  std::optional<RotationSequence> sequence = rotation_sequence(network.operations, 3);
  REQUIRE(sequence);
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> axes;
  for (const Rotation& rotation : sequence->rotations) {
    ++axes[{rotation.axis.x, rotation.axis.z}];
  }
  CHECK(std::ranges::count_if(axes, [](const auto& axis) { return axis.second % 2 != 0; }) == 4);
  CHECK(check_equivalence(circuit, network).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Operators are merged only if they can follow each other", "[pauli network]") {
  Random random(1);
  std::vector<Operation> operations;
  append_controlled_z(random, operations, 2, {0, 1});
  // X on a control is in between: T does not commute with it on either side.
  operations.push_back(make_operation(h, {0}));
  append_rotation(operations, 0, {}, 1);
  operations.push_back(make_operation(h, {0}));
  operations.push_back(make_operation(h, {2}));
  append_controlled_z(random, operations, 2, {0, 1});
  std::optional<RotationSequence> sequence = rotation_sequence(operations, 3);
  REQUIRE(sequence);
  CHECK(merge_controlled_paulis(*sequence).pairs == 0);
  CHECK(sequence->rotations.size() == 9);
  // A sequence with other angles, and one that is too long, are left alone.
  std::vector<Operation> sixteenths;
  for (int i = 0; i < 2; ++i) {
    append_controlled_z(random, sixteenths, 2, {0, 1});
    sixteenths.push_back(make_operation(h, {2}));
  }
  std::vector<Operation> longer = sixteenths;
  for (Operation& gate : sixteenths) {
    if (gate.gate == rz) gate.angles[0] = gate.angles[0] * Rational(1, 2);
  }
  sequence = rotation_sequence(sixteenths, 3);
  CHECK(merge_controlled_paulis(*sequence).pairs == 0);
  for (std::size_t i = 0; i <= kMaxRotationsToMerge; ++i) append_rotation(longer, 1, {}, 1);
  sequence = rotation_sequence(longer, 3);
  CHECK(merge_controlled_paulis(*sequence).pairs == 0);
}

TEST_CASE("The search for pairs does not try all rotations about the same operators",
          "[pauli network]") {
  // Groups of four about the same operators: there are k^4 with k rotations about each, and k^8
  // pairs with those of the next operator.
  const auto groups_around = [](std::size_t groups, std::span<const Operation> between) {
    Random random(groups);
    std::vector<Operation> operations;
    for (std::size_t i = 0; i < groups; ++i) append_controlled_z(random, operations, 2, {0, 1});
    operations.insert(operations.end(), between.begin(), between.end());
    for (std::size_t i = 0; i < groups; ++i) append_controlled_z(random, operations, 2, {0, 1});
    return operations;
  };
  std::vector<Operation> obstacle{make_operation(h, {0})};
  append_rotation(obstacle, 0, {}, 1);
  obstacle.push_back(make_operation(h, {0}));
  obstacle.push_back(make_operation(h, {2}));
  for (const std::size_t groups : {1, 2, 4, 7}) {
    INFO(groups << " groups on each side");
    // X on a control is between the operators, so that no pair can be merged.
    std::optional<RotationSequence> sequence =
        rotation_sequence(groups_around(groups, obstacle), 3);
    REQUIRE(sequence);
    REQUIRE(sequence->rotations.size() == 8 * groups + 1);
    const MergedPaulis separated = merge_controlled_paulis(*sequence);
    CHECK(separated.pairs == 0);
    CHECK(separated.steps > 0);
    CHECK(separated.steps <= 100 * sequence->rotations.size());
    // All operators commute, so that there is nothing to look at.
    sequence = rotation_sequence(groups_around(groups, {}), 3);
    REQUIRE(sequence);
    const MergedPaulis equal = merge_controlled_paulis(*sequence);
    CHECK(equal.pairs == 0);
    CHECK(equal.steps == 0);
  }
}

TEST_CASE("The time for random rotations about few operators is bounded by their number",
          "[pauli network]") {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    // Under two controls, X, Y and Z of the target, each several times, and other operators.
    std::vector<Operation> operations;
    for (std::size_t i = 0; 4 * i < kMaxRotationsToMerge - 4; ++i) {
      append_controlled_z(random, operations, 2, {0, 1});
      if (below(random, 3) == 0) operations.push_back(make_operation(h, {2}));
      if (below(random, 6) == 0) {
        operations.push_back(make_operation(rz, {2}, {Angle::pi_times(Rational(1, 2))}));
      }
      if (below(random, 4) == 0) operations.push_back(make_operation(h, {0}));
    }
    std::optional<RotationSequence> sequence = rotation_sequence(operations, 3);
    REQUIRE(sequence);
    const std::size_t rotations = sequence->rotations.size();
    REQUIRE(rotations <= kMaxRotationsToMerge);
    const MergedPaulis merged = merge_controlled_paulis(*sequence);
    CHECK(merged.steps <= (merged.pairs + 1) * rotations * rotations);
    pairs += merged.pairs;
  }
  CHECK(pairs > 60);
}

namespace {

/// A circuit as rotations about Pauli operators, followed by what its Clifford gates make of X and
/// Z of each qubit. Written for tests alone: an operator is a list of factors, and gates conjugate
/// it by the rules of the textbook.
struct PlainRotations {
  /// Factors 'I', 'X', 'Y', 'Z' with a sign.
  struct Pauli {
    std::string factors;
    bool is_negative = false;

    /// Replaces P by G^dagger P G.
    void pull(const Operation& gate) {
      char& first = factors[gate.qubits[0]];
      switch (gate.gate) {
        case h:
          if (first == 'Y') is_negative = !is_negative;
          if (first == 'X' || first == 'Z') first = first == 'X' ? 'Z' : 'X';
          return;
        case x:
          if (first == 'Y' || first == 'Z') is_negative = !is_negative;
          return;
        case rz: {
          // S^dagger X S = -Y and S^dagger Y S = X.
          const Rational quarters = gate.angles[0].pi_part() * Rational(2);
          const std::int64_t turns = ((quarters.numerator() % 4) + 4) % 4;
          for (std::int64_t i = 0; i < turns; ++i) {
            if (first != 'X' && first != 'Y') return;
            if (first == 'X') is_negative = !is_negative;
            first = first == 'X' ? 'Y' : 'X';
          }
          return;
        }
        default:
          break;
      }
      // X of the control spreads to the target, and Z of the target to the control.
      char& second = factors[gate.qubits[1]];
      const bool has_x = first == 'X' || first == 'Y';
      const bool has_z = second == 'Z' || second == 'Y';
      if (has_x && has_z && ((first == 'X') == (second == 'Z'))) is_negative = !is_negative;
      const auto times = [](char left, char right) {
        if (left == 'I') return right;
        if (left == right) return 'I';
        return static_cast<char>('X' + 'Y' + 'Z' - left - right);
      };
      if (has_x) second = times(second, 'X');
      if (has_z) first = times(first, 'Z');
    }
    friend auto operator<=>(const Pauli&, const Pauli&) = default;
  };

  std::vector<std::pair<Pauli, Angle>> rotations;
  std::vector<Pauli> images;

  explicit PlainRotations(const Circuit& circuit) {
    const std::size_t qubits = circuit.qubit_count();
    for (std::size_t qubit = 0; qubit < qubits; ++qubit) {
      for (const char factor : {'X', 'Z'}) {
        images.push_back({std::string(qubits, 'I')});
        images.back().factors[qubit] = factor;
      }
    }
    for (auto gate = circuit.operations.rbegin(); gate != circuit.operations.rend(); ++gate) {
      if (gate->gate == rz && !is_quarters(gate->angles[0])) {
        Pauli axis{std::string(qubits, 'I')};
        axis.factors[gate->qubits[0]] = 'Z';
        rotations.emplace_back(std::move(axis), gate->angles[0]);
        continue;
      }
      for (Pauli& image : images) image.pull(*gate);
      for (auto& [axis, angle] : rotations) axis.pull(*gate);
    }
    std::ranges::reverse(rotations);
    for (auto& [axis, angle] : rotations) {
      if (std::exchange(axis.is_negative, false)) angle = -angle;
    }
  }

  static bool is_quarters(const Angle& angle) {
    return angle.is_pi_multiple() && (angle.pi_part() * Rational(2)).denominator() == 1;
  }
};

/// Returns whether one sequence of rotations becomes another one if neighbours that commute are
/// exchanged.
bool are_equal_sequences(std::vector<std::pair<PlainRotations::Pauli, Angle>> left,
                         const std::vector<std::pair<PlainRotations::Pauli, Angle>>& right) {
  const auto commute = [](const std::string& a, const std::string& b) {
    int different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      different += static_cast<int>(a[i] != 'I' && b[i] != 'I' && a[i] != b[i]);
    }
    return different % 2 == 0;
  };
  if (left.size() != right.size()) return false;
  for (const auto& next : right) {
    const auto found = std::ranges::find(left, next);
    if (found == left.end()) return false;
    for (auto before = left.begin(); before != found; ++before) {
      if (!commute(before->first.factors, next.first.factors)) return false;
    }
    left.erase(found);
  }
  return true;
}

}  // namespace

TEST_CASE(
    "Networks on more than 64 qubits have the rotations and the Clifford operator of their "
    "circuits",
    "[pauli network]") {
  for (const Qubit qubits : {64U, 65U, 100U, 130U}) {
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      INFO(qubits << " qubits, seed " << seed);
      Random random(seed);
      std::vector<Operation> gates;
      for (std::size_t i = 0; i < 10 * std::size_t{qubits}; ++i) {
        Operation gate = random_gate(random, {cx, cx, h, rz, x}, qubits, 4);
        if (gate.gate == rz) {
          // No two rotations have the same angle, so that none can be taken for another one.
          const auto index = static_cast<std::int64_t>(i);
          gate.angles[0] = below(random, 2) == 0 ? Angle::pi_times(Rational(index % 9 - 4, 2))
                                                 : Angle::radians(Rational(1 + index, 1000));
        }
        gates.push_back(std::move(gate));
      }
      const Circuit circuit = make_circuit(qubits, std::move(gates));
      const double reach = seed == 0 ? 2 : 12;
      const Circuit network = network_of(circuit, reach);
      const PlainRotations expected(circuit);
      const PlainRotations found(network);
      CHECK(2 * found.rotations.size() > qubits);
      CHECK(found.images == expected.images);
      CHECK(are_equal_sequences(found.rotations, expected.rotations));
      // The check has methods of its own, and knows the global phase.
      const EquivalenceReport report = check_equivalence(circuit, network);
      INFO(report.method << ": " << report.witness);
      CHECK(report.verdict == EquivalenceVerdict::equal);
    }
  }
}

TEST_CASE("Dense Pauli rotations on 80 qubits take less than half of their CNOTs as a network",
          "[pauli network]") {
  FastRandom random(9);
  std::vector<Operation> gates;
  for (int i = 0; i < 120; ++i) append_pauli_exponential(random, 80, gates);
  const Circuit circuit = make_circuit(80, gates);
  const Circuit network = network_of(circuit);
  CHECK(2 * cnots(network) < cnots(circuit));
  const PlainRotations expected(circuit);
  const PlainRotations found(network);
  CHECK(found.images == expected.images);
  CHECK(are_equal_sequences(found.rotations, expected.rotations));
}
