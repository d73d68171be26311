#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "multiplier_products.hpp"
#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/product_layers/product_circuit.hpp"
#include "optimize/product_synthesis/product_synthesis.hpp"
#include "optimize/products/parity_phases.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using enum GateKind;

namespace {

void append_rotation(std::vector<Operation>& operations, const LinearForm& form, int eighths) {
  const std::size_t target = form.find_first();
  std::vector<Operation> cnots;
  for (std::size_t i = form.find_next(target); i != LinearForm::npos; i = form.find_next(i)) {
    cnots.push_back(make_operation(cx, {static_cast<Qubit>(i), static_cast<Qubit>(target)}));
  }
  operations.insert(operations.end(), cnots.begin(), cnots.end());
  operations.push_back(
      make_operation(rz, {static_cast<Qubit>(target)}, {Angle::pi_times(Rational(eighths, 4))}));
  operations.insert(operations.end(), cnots.rbegin(), cnots.rend());
}

/// Appends the seven rotations of a product.
void append_product(std::vector<Operation>& operations, const Product& product) {
  const auto& [f, g, h] = product.forms;
  for (const LinearForm& form : product.forms) append_rotation(operations, form, 1);
  append_rotation(operations, f ^ g, -1);
  append_rotation(operations, f ^ h, 7);
  append_rotation(operations, g ^ h, -9);
  append_rotation(operations, f ^ g ^ h, 1);
}

/// Returns products in a frame of random gates on single qubits, and of CNOTs before and after.
Circuit circuit_of(const std::vector<Product>& products, std::size_t wires, FastRandom& random) {
  std::vector<Operation> operations;
  const auto wire = [&] { return random.below(static_cast<std::uint32_t>(wires)); };
  const auto append_cnots = [&] {
    for (std::size_t i = 0; i < 2 * wires; ++i) {
      const std::uint32_t control = wire();
      const std::uint32_t target = wire();
      if (control != target) operations.push_back(make_operation(cx, {control, target}));
    }
  };
  const std::uint32_t rotated = wire();
  operations.push_back(make_operation(h, {wire()}));
  operations.push_back(make_operation(x, {wire()}));
  operations.push_back(
      make_operation(rz, {rotated}, {Angle::pi_times(Rational(random.below(4), 2))}));
  append_cnots();
  for (const Product& product : products) append_product(operations, product);
  append_cnots();
  operations.push_back(make_operation(rz, {wire()}, {Angle::pi_times(Rational(1, 2))}));
  operations.push_back(make_operation(h, {wire()}));
  return make_circuit(static_cast<std::uint32_t>(wires), std::move(operations));
}

/// Returns the pairs of products {a, b, x} and {a, b, y}, each of which equals one product.
std::vector<Product> mergeable_products(std::size_t wires, std::size_t pairs, FastRandom& random) {
  std::vector<Product> products;
  while (products.size() < 2 * pairs) {
    const BitMatrix forms = random_invertible_matrix(random, wires);
    products.push_back({{forms[0], forms[1], forms[2]}});
    products.push_back({{forms[0], forms[1], forms[3]}});
  }
  return products;
}

/// Returns the circuit that a sequence of rotations is.
Circuit circuit_of(const PhasedSequence& rotations, std::uint32_t qubits) {
  const auto network = pauli_network(rotation_columns(rotations.sequence), 2, Budget());
  REQUIRE(network);
  Circuit result = make_circuit(qubits, network->gates);
  result.global_phase = network->phase + rotations.phase;
  return result;
}

std::vector<Operation> operations_of(std::span<const CliffordGate> gates) {
  std::vector<Operation> result;
  for (const CliffordGate& gate : gates) {
    if (gate.kind == CliffordKind::s) {
      result.push_back(make_operation(
          rz, {gate.first}, {Angle::pi_times(Rational(static_cast<int>(gate.quarters), 2))}));
    } else if (gate.kind == CliffordKind::cx) {
      result.push_back(make_operation(cx, {gate.first, gate.second}));
    } else {
      result.push_back(make_operation(gate.kind == CliffordKind::h ? h : x, {gate.first}));
    }
  }
  return result;
}

Circuit circuit_of(const FramedNetwork& framed, FastRandom& random) {
  const circuit::PhasedGates network =
      synthesize_product_network(framed.network, Budget::of_ticks(1000), random).value();
  std::vector<Operation> operations = operations_of(framed.before);
  operations.insert(operations.end(), network.gates.begin(), network.gates.end());
  const std::vector<Operation> after = operations_of(framed.after);
  operations.insert(operations.end(), after.begin(), after.end());
  Circuit result =
      make_circuit(static_cast<std::uint32_t>(framed.network.wires), std::move(operations));
  result.global_phase = framed.phase + network.phase;
  return result;
}

}  // namespace

TEST_CASE("Circuits with fewer products are equal to the given ones, with the global phase",
          "[product layers]") {
  FastRandom random(31);
  std::size_t networks = 0;
  for (int round = 0; round < 20; ++round) {
    INFO("seed 31, round " << round);
    const std::size_t wires = 4 + random.below(3);
    const std::size_t pairs = 1 + random.below(2);
    const Circuit circuit = circuit_of(mergeable_products(wires, pairs, random), wires, random);
    auto products = ProductCircuit::of(circuit.operations, circuit.qubit_count());
    REQUIRE(products);
    CHECK(products->products() == 2 * pairs);
    const auto fewer = products->with_fewer_products(Budget::of_ticks(100'000), random);
    REQUIRE(!fewer.empty());
    CHECK(fewer.front().products() <= pairs);
    const auto rotations = fewer.front().as_rotations();
    REQUIRE(rotations);
    CHECK(test::unitary_distance(circuit_of(*rotations, circuit.qubit_count()), circuit) < 1e-9);
    const auto framed = fewer.front().as_network();
    if (!framed) continue;
    ++networks;
    CHECK(test::unitary_distance(circuit_of(*framed, random), circuit) < 1e-9);
  }
  CHECK(networks > 0);
}

TEST_CASE("Layers that do not commute are reduced each", "[product layers]") {
  FastRandom random(32);
  for (int round = 0; round < 10; ++round) {
    INFO("seed 32, round " << round);
    constexpr std::size_t wires = 5;
    Circuit circuit = circuit_of(mergeable_products(wires, 1, random), wires, random);
    for (Qubit qubit = 0; qubit < wires; ++qubit) {
      circuit.operations.push_back(make_operation(h, {qubit}));
      circuit.operations.push_back(
          make_operation(rz, {qubit}, {Angle::pi_times(Rational(1, 3 + qubit))}));
    }
    const Circuit second = circuit_of(mergeable_products(wires, 1, random), wires, random);
    circuit.operations.insert(circuit.operations.end(), second.operations.begin(),
                              second.operations.end());
    auto products = ProductCircuit::of(circuit.operations, circuit.qubit_count());
    REQUIRE(products);
    CHECK(products->products() == 4);
    const auto fewer = products->with_fewer_products(Budget::of_ticks(100'000), random);
    REQUIRE(!fewer.empty());
    CHECK(fewer.front().products() <= 3);
    const auto rotations = fewer.front().as_rotations();
    REQUIRE(rotations);
    CHECK(test::unitary_distance(circuit_of(*rotations, wires), circuit) < 1e-9);
  }
}

TEST_CASE("A multiplier has as few products after a linear change of its wires",
          "[product layers]") {
  FastRandom random(33);
  for (int round = 0; round < 3; ++round) {
    INFO("seed 33, round " << round);
    const std::vector<Product> products =
        in_variables(multiplier_products({3, 1, 0}), random_invertible_matrix(random, 9));
    const Circuit circuit = circuit_of(products, 9, random);
    auto layers = ProductCircuit::of(circuit.operations, circuit.qubit_count());
    REQUIRE(layers);
    CHECK(layers->products() == 9);
    const auto fewer = layers->with_fewer_products(Budget::of_ticks(1'000'000), random);
    REQUIRE(!fewer.empty());
    CHECK(fewer.front().products() == 6);
    const auto framed = fewer.back().as_network();
    if (!framed) continue;
    CHECK(test::random_state_distance(circuit_of(*framed, random), circuit, 33) < 1e-9);
  }
}

TEST_CASE("A large multiplier gets fewer products in a short time", "[product layers][figures]") {
  std::vector<Operation> operations;
  for (const Product& product : multiplier_products({64, 4, 3, 1, 0})) {
    append_product(operations, product);
  }
  const auto layers = ProductCircuit::of(operations, 192);
  REQUIRE(layers);
  FastRandom random(36);
  const auto fewer = layers->with_fewer_products(Budget::of_ticks(2'000'000), random);
  REQUIRE(fewer.size() == 2);
  CHECK(fewer.back().products() <= 729);
}

TEST_CASE("Circuits without two products have no layers to reduce", "[product layers]") {
  FastRandom random(34);
  std::vector<Operation> operations;
  append_product(operations, product_of(4, 1, 2, 4));
  CHECK_FALSE(ProductCircuit::of(operations, 4));
  append_rotation(operations, form_of(4, 9), 1);
  CHECK_FALSE(ProductCircuit::of(operations, 4));
  CHECK_FALSE(ProductCircuit::of({}, 4));
}

TEST_CASE("The search for fewer products returns equal circuits that are no worse",
          "[product layers]") {
  FastRandom random(35);
  for (int round = 0; round < 5; ++round) {
    INFO("seed 35, round " << round);
    constexpr std::size_t wires = 5;
    const Circuit circuit = circuit_of(mergeable_products(wires, 2, random), wires, random);
    OptimizeOptions options;
    options.search = "products";
    options.steps = 200'000;
    const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
    CHECK(result.circuit.operations.size() < circuit.operations.size() / 2);
    CHECK(test::unitary_distance(result.circuit, circuit) < 1e-9);
    REQUIRE(result.products.has_value());
    CHECK(result.products->before == 4);
    CHECK(result.products->after <= 2);
  }
}

TEST_CASE("Products are counted only where there may be fewer", "[product layers]") {
  FastRandom random(37);
  for (const bool has_fewer : {false, true}) {
    const auto products = mergeable_products(4, has_fewer ? 1 : 0, random);
    OptimizeOptions options;
    options.search = "products";
    options.steps = 10'000;
    const Circuit circuit = circuit_of(products, 4, random);
    const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
    CHECK(result.products == (has_fewer ? std::optional(ProductCounts{2, 1}) : std::nullopt));
  }
}

TEST_CASE("The default search makes multipliers with fewer products", "[product layers]") {
  std::vector<Operation> operations;
  for (const Product& product : multiplier_products({4, 1, 0})) append_product(operations, product);
  const Circuit circuit = make_circuit(12, operations);
  OptimizeOptions options;
  options.steps = 100'000;
  const OptimizeResult result = optimize(circuit, load_gate_set("nam"), {}, options);
  const auto rotations =
      std::ranges::count_if(result.circuit.operations, [](const Operation& gate) {
        return gate.gate == rz && gate.angles[0].pi_part().denominator() == 4;
      });
  // Nine products have 63 rotations, and folding alone leaves 68 of the 112 of sixteen products.
  CHECK(rotations <= 63);
  CHECK(check_equivalence(circuit, result.circuit).verdict == EquivalenceVerdict::equal);
}
