#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "multiplier_products.hpp"
#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/product_layers/product_circuit.hpp"
#include "optimize/product_layers/quadratic_phase.hpp"
#include "optimize/product_layers/rotation_gates.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using enum GateKind;

namespace {

std::size_t count_t(const Circuit& circuit) {
  return static_cast<std::size_t>(
      std::ranges::count_if(circuit.operations, [](const Operation& gate) {
        return gate.gate == rz && gate.angles[0].pi_part().denominator() == 4;
      }));
}

/// Returns random gates in {h, x, rz, cx}, most of them rotations by multiples of pi/4 and CNOTs,
/// so that many rotations commute. A few rotations are by other angles.
Circuit random_clifford_t(FastRandom& random, std::uint32_t wires, std::size_t gates) {
  std::vector<Operation> operations;
  while (operations.size() < gates) {
    const Qubit first = random.below(wires);
    const Qubit second = random.below(wires);
    switch (random.below(16)) {
      case 0:
        if (random.below(16) == 0) operations.push_back(make_operation(h, {first}));
        break;
      case 1:
        operations.push_back(make_operation(x, {first}));
        break;
      case 2:
        if (random.below(4) == 0) {
          operations.push_back(make_operation(rz, {first}, {Angle::pi_times(Rational(1, 3))}));
        }
        break;
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
        operations.push_back(make_operation(
            rz, {first},
            {Angle::pi_times(Rational(static_cast<std::int64_t>(random.below(16)) - 8, 4))}));
        break;
      default:
        if (first != second) operations.push_back(make_operation(cx, {first, second}));
    }
  }
  return make_circuit(wires, std::move(operations));
}

/// Returns the circuit that a sequence of rotations is, in two ways.
std::vector<Circuit> circuits_of(const PhasedSequence& rotations, std::uint32_t wires) {
  std::vector<Circuit> result;
  const auto network = pauli_network(rotation_columns(rotations.sequence), 2, Budget());
  for (const circuit::PhasedGates& gates : {network.value(), gates_of(rotations.sequence)}) {
    result.push_back(make_circuit(wires, gates.gates));
    result.back().global_phase = gates.phase + rotations.phase;
  }
  return result;
}

Circuit multiplier(const std::vector<std::size_t>& modulus) {
  std::vector<Operation> operations;
  for (const Product& product : multiplier_products(modulus)) {
    const Qubit target = static_cast<Qubit>(product.forms[2].find_first());
    std::vector<Operation> cnots;
    for (auto i = product.forms[2].find_next(target); i != LinearForm::npos;
         i = product.forms[2].find_next(i)) {
      cnots.push_back(make_operation(cx, {static_cast<Qubit>(i), target}));
    }
    operations.insert(operations.end(), cnots.begin(), cnots.end());
    operations.push_back(
        make_operation(ccz, {static_cast<Qubit>(product.forms[0].find_first()),
                             static_cast<Qubit>(product.forms[1].find_first()), target}));
    operations.insert(operations.end(), cnots.rbegin(), cnots.rend());
  }
  const Circuit circuit =
      make_circuit(static_cast<std::uint32_t>(3 * modulus.front()), std::move(operations));
  return translate(circuit, load_gate_set("nam"), {});
}

/// Returns the phase of a basis state in quarter turns.
unsigned phase_of(const QuadraticPhase& phase, std::uint64_t state) {
  unsigned quarters = 0;
  for (std::size_t i = 0; i < phase.bits(); ++i) {
    if ((state >> i & 1U) == 0) continue;
    quarters += phase.linear(i);
    for (std::size_t j = 0; j < i; ++j) {
      if ((state >> j & 1U) != 0 && phase.pairs(i)[j]) quarters += 2;
    }
  }
  return quarters % 4;
}

}  // namespace

TEST_CASE("Sums of phases that are Clifford gates are found as quadratic phases", "[rank search]") {
  FastRandom random(41);
  std::size_t quadratic = 0;
  for (int round = 0; round < 200; ++round) {
    INFO("seed 41, round " << round);
    constexpr std::size_t bits = 4;
    ParityPhases phases;
    // The 15 parities of four bits are a Clifford gate together, and even eighths always are.
    const bool has_all = random.below(2) != 0;
    for (std::uint64_t form = 1; form < 16; ++form) {
      add_phase(phases, form_of(bits, form),
                2 * static_cast<int>(random.below(4)) + (has_all ? 1 : 0));
    }
    if (random.below(4) == 0) add_phase(phases, form_of(bits, 1 + random.below(15)), 1);
    const std::optional<QuadraticPhase> phase = as_quadratic_phase(phases, bits);
    bool is_even = true;
    bool is_equal = true;
    for (std::uint64_t state = 0; state < 16; ++state) {
      unsigned eighths = 0;
      for (const auto& [form, part] : phases) {
        if (inner_product(form, form_of(bits, state))) eighths += part;
      }
      is_even = is_even && eighths % 2 == 0;
      is_equal = is_equal && phase && eighths / 2 % 4 == phase_of(*phase, state);
    }
    CHECK(phase.has_value() == is_even);
    CHECK(phase.has_value() == is_equal);
    quadratic += phase ? 1 : 0;
  }
  CHECK(quadratic > 100);
  CHECK(quadratic < 200);
}

TEST_CASE("Circuits with fewer rotations are equal to the given ones, with the global phase",
          "[rank search]") {
  FastRandom random(42);
  std::size_t reduced = 0;
  for (int round = 0; round < 12; ++round) {
    INFO("seed 42, round " << round);
    const std::uint32_t wires = 4 + random.below(3);
    const Circuit circuit = random_clifford_t(random, wires, 200);
    const auto layers = ProductCircuit::with_rotations_of(circuit.operations, wires);
    if (!layers) continue;
    const auto fewer = layers->with_fewer_rotations(Budget::of_ticks(50'000), 1, random);
    if (!fewer) continue;
    ++reduced;
    CHECK(fewer->odd_rotations() < layers->odd_rotations());
    const auto rotations = fewer->as_rotations();
    REQUIRE(rotations);
    for (const Circuit& result : circuits_of(*rotations, wires)) {
      CHECK(count_t(result) <= fewer->odd_rotations());
      CHECK(test::unitary_distance(result, circuit) < 1e-9);
    }
  }
  CHECK(reduced > 8);
}

TEST_CASE("Multipliers beside single rotations begin with the tables of smaller fields",
          "[rank search][figures]") {
  FastRandom random(44);
  Circuit circuit = multiplier({3, 1, 0});
  circuit.global_phase = Angle();  // layers know of the gates only
  for (const Qubit qubit : {0U, 4U}) {
    circuit.operations.push_back(make_operation(cx, {8, qubit}));
    circuit.operations.push_back(make_operation(rz, {qubit}, {Angle::pi_times(Rational(1, 4))}));
  }
  const auto layers = ProductCircuit::of(circuit.operations, 9);
  REQUIRE(layers);
  // The tables of the field have 38 rotations before any search.
  const auto fewer = layers->with_fewer_rotations(Budget::of_ticks(200'000), 1, random);
  REQUIRE(fewer);
  CHECK(fewer->odd_rotations() <= 32);
  const auto rotations = fewer->as_rotations();
  REQUIRE(rotations);
  for (const Circuit& result : circuits_of(*rotations, 9)) {
    CHECK(test::unitary_distance(result, circuit) < 1e-9);
  }
}

TEST_CASE("Circuits with few rotations have no layers to reduce", "[rank search]") {
  std::vector<Operation> operations;
  for (Qubit qubit = 0; qubit < 7; ++qubit) {
    operations.push_back(make_operation(rz, {qubit}, {Angle::pi_times(Rational(1, 4))}));
  }
  CHECK_FALSE(ProductCircuit::with_rotations_of(operations, 8));
  operations.push_back(make_operation(rz, {7}, {Angle::pi_times(Rational(1, 4))}));
  CHECK(ProductCircuit::with_rotations_of(operations, 8));
  operations.push_back(make_operation(cz, {0, 1}));
  CHECK_FALSE(ProductCircuit::with_rotations_of(operations, 8));
}

TEST_CASE("The search for fewer rotations returns equal circuits that are no worse",
          "[rank search]") {
  FastRandom random(43);
  std::size_t saved = 0;
  for (int round = 0; round < 3; ++round) {
    INFO("seed 43, round " << round);
    const Circuit circuit = random_clifford_t(random, 5, 200);
    OptimizeOptions options;
    options.cost = Cost({CostKind::t, CostKind::total});
    options.search = "simplify";
    options.steps = 300'000;
    const GateSet set = load_gate_set("nam");
    const OptimizeResult simplified = optimize(circuit, set, {}, options);
    options.search = "ranks";
    const OptimizeResult result = optimize(circuit, set, {}, options);
    CHECK(cost_of(result.circuit, options.cost) <= cost_of(simplified.circuit, options.cost));
    CHECK(test::unitary_distance(result.circuit, circuit) < 1e-9);
    saved += count_t(simplified.circuit) - count_t(result.circuit);
  }
  CHECK(saved > 5);
}

TEST_CASE("The default search reduces ranks where T costs more than S", "[rank search]") {
  const Circuit circuit = multiplier({4, 1, 0});
  OptimizeOptions options;
  options.steps = 80'000;
  options.cost = Cost({CostKind::t, CostKind::total});
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
  // Nine products have 63 rotations.
  CHECK(count_t(result.circuit) <= 49);
  CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
}
