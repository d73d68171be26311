#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "optimize/product_synthesis/linear_reduction.hpp"
#include "optimize/product_synthesis/product_synthesis.hpp"
#include "optimize/products/parity_phases.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/unitary.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

LinearForm random_nonzero_form(FastRandom& random, std::size_t wires) {
  LinearForm form(wires);
  while (form.none()) {
    for (std::size_t wire = 0; wire < wires; ++wire) form[wire] = random.below(2) != 0;
  }
  return form;
}

/// Returns a network of random products and phases, with random outputs.
ProductNetwork random_network(FastRandom& random, std::size_t wires, std::size_t products,
                              std::size_t phases) {
  ProductNetwork network;
  network.wires = wires;
  for (std::size_t i = 0; i < products; ++i) {
    network.products.push_back({random_nonzero_form(random, wires),
                                random_nonzero_form(random, wires),
                                random_nonzero_form(random, wires)});
  }
  for (std::size_t i = 0; i < phases; ++i) {
    network.phases.push_back(
        {random_nonzero_form(random, wires), static_cast<std::uint8_t>(random.below(8))});
  }
  for (std::size_t wire = 0; wire < wires; ++wire) {
    network.outputs.emplace_back(wires);
    network.outputs.back().set(wire);
  }
  for (std::size_t i = 0; wires > 1 && i < 3 * wires; ++i) {
    const auto control = random.below(static_cast<std::uint32_t>(wires));
    const auto target = (control + 1 + random.below(static_cast<std::uint32_t>(wires - 1))) % wires;
    network.outputs[target] ^= network.outputs[control];
  }
  return network;
}

bool value(const LinearForm& form, const LinearForm& state) {
  return (form & state).count() % 2 != 0;
}

/// Returns the largest difference between an entry of a circuit's unitary and of the network's.
double distance(const ProductNetwork& network, const circuit::PhasedGates& circuit) {
  const std::size_t states = std::size_t{1} << network.wires;
  const std::vector<Complex> unitary =
      unitary_of(circuit.gates, static_cast<std::uint32_t>(network.wires));
  const Complex global = std::polar(1.0, circuit.phase.value());
  double largest = 0;
  for (std::size_t input = 0; input < states; ++input) {
    const LinearForm state(network.wires, input);
    unsigned eighths = 0;
    for (const Product& product : network.products) {
      const auto& [f, g, h] = product.forms;
      if (value(f, state) && value(g, state) && value(h, state)) eighths += 4;
    }
    for (const ParityPhase& phase : network.phases) {
      if (value(phase.form, state)) eighths += phase.eighths;
    }
    std::size_t output = 0;
    for (std::size_t wire = 0; wire < network.wires; ++wire) {
      if (value(network.outputs[wire], state)) output |= std::size_t{1} << wire;
    }
    for (std::size_t row = 0; row < states; ++row) {
      const Complex expected =
          row == output ? std::polar(1.0, std::numbers::pi / 4 * eighths) : Complex(0);
      largest = std::max(largest, std::abs(global * unitary[row * states + input] - expected));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("a synthesized network is the unitary of the network", "[product_synthesis]") {
  FastRandom random(21);
  for (const std::size_t wires : {1U, 2U, 3U, 4U, 6U}) {
    for (int round = 0; round < 20; ++round) {
      INFO("seed 21, wires " << wires << ", round " << round);
      const ProductNetwork network =
          random_network(random, wires, random.below(5), random.below(5));
      const auto circuit = synthesize_product_network(network, Budget::of_ticks(2000), random);
      REQUIRE(circuit);
      CHECK(distance(network, *circuit) < 1e-9);
    }
  }
}

TEST_CASE("sums of phases are compared as unitaries", "[product_synthesis]") {
  constexpr std::size_t wires = 5;
  FastRandom random(22);
  for (int round = 0; round < 50; ++round) {
    INFO("seed 22, round " << round);
    // The parities of m independent forms, with alternating signs by their number of forms, are
    // 2^(m-1) times the product of the forms.
    const std::size_t forms = 2 + random.below(3);
    ParityPhases sum;
    for (std::size_t subset = 1; subset < std::size_t{1} << forms; ++subset) {
      const LinearForm form(wires, subset);
      const int sign = form.count() % 2 != 0 ? 1 : -1;
      add_phase(sum, form, sign * (16 >> forms));
    }
    ParityPhases start;
    for (int i = 0; i < 6; ++i) {
      add_phase(start, random_nonzero_form(random, wires), static_cast<int>(random.below(8)));
    }
    ParityPhases same = start;
    for (const auto& [form, eighths] : sum) add_phase(same, form, eighths);
    CHECK(is_same_unitary(start, same));
    CHECK(agree_on_random_states(start, same, random));
    const int error = 1 + static_cast<int>(random.below(7));
    add_phase(same, random_nonzero_form(random, wires), error);
    CHECK_FALSE(is_same_unitary(start, same));
    CHECK_FALSE(agree_on_random_states(start, same, random));
  }
}

TEST_CASE("CNOTs apply linear maps on more than 64 wires", "[product_synthesis]") {
  constexpr std::uint32_t wires = 70;
  FastRandom random(23);
  std::vector<LinearForm> outputs;
  for (std::size_t wire = 0; wire < wires; ++wire) {
    outputs.emplace_back(wires);
    outputs.back().set(wire);
  }
  std::vector<LinearForm> carried = outputs;
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t control = random.below(wires);
    const std::uint32_t target = (control + 1 + random.below(wires - 1)) % wires;
    outputs[target] ^= outputs[control];
  }
  std::swap(outputs[3], outputs[66]);
  const std::vector<NetworkCnot> cnots = cnots_of_linear_map(outputs);
  for (const NetworkCnot& cnot : cnots) carried[cnot.target] ^= carried[cnot.control];
  CHECK(carried == outputs);
  // Gaussian elimination takes 308 CNOTs.
  CHECK(cnots.size() < 150);
}

TEST_CASE("A large network of products is synthesized", "[product_synthesis]") {
  FastRandom random(24);
  const ProductNetwork network = random_network(random, 70, 30, 5);
  // Every circuit is compared with the network before it is returned.
  CHECK(synthesize_product_network(network, Budget::of_ticks(100'000), random));
  CHECK_FALSE(synthesize_product_network(network, Budget::of_ticks(1), random));
}

TEST_CASE("A random linear map on 128 wires is eliminated in sections of columns",
          "[product_synthesis]") {
  constexpr std::uint32_t wires = 128;
  FastRandom random(3);
  std::vector<LinearForm> outputs;
  for (std::uint32_t wire = 0; wire < wires; ++wire) {
    outputs.emplace_back(wires);
    outputs.back().set(wire);
  }
  std::vector<LinearForm> carried = outputs;
  for (std::uint32_t i = 0; i < wires * wires; ++i) {
    const std::uint32_t control = random.below(wires);
    const std::uint32_t target = (control + 1 + random.below(wires - 1)) % wires;
    outputs[target] ^= outputs[control];
  }
  const std::vector<NetworkCnot> cnots = cnots_of_linear_map(outputs);
  for (const NetworkCnot& cnot : cnots) carried[cnot.target] ^= carried[cnot.control];
  CHECK(carried == outputs);
  // Gaussian elimination of single columns takes half of 128 x 128 CNOTs.
  CHECK(cnots.size() < 5500);
}

TEST_CASE("products beside each other equal their network", "[product synthesis]") {
  FastRandom random(71);
  constexpr std::size_t wires = 6;
  int made = 0;
  for (int round = 0; round < 60; ++round) {
    INFO("seed 71, round " << round);
    ProductNetwork network = random_network(random, wires, 0, round % 3);
    for (std::size_t i = 0; i < 1 + random.below(5); ++i) {
      std::array<LinearForm, 3> forms;
      std::uint32_t wire = random.below(wires);
      for (LinearForm& form : forms) {
        form.resize(wires);
        form.set(wire);
        wire = static_cast<std::uint32_t>((wire + 1 + random.below(2)) % wires);
      }
      if (random.below(3) == 0) forms[random.below(3)] ^= random_nonzero_form(random, wires);
      network.products.push_back({forms});
    }
    const auto circuit = synthesize_parallel_products(network, Budget(), random);
    if (!circuit) continue;
    ++made;
    CHECK(distance(network, *circuit) < 1e-9);
  }
  CHECK(made > 20);
}

TEST_CASE("disjoint products take no more time than one", "[product synthesis]") {
  FastRandom random(72);
  const auto depth_of = [&](std::size_t products) {
    ProductNetwork network = random_network(random, 1, 0, 0);
    network.wires = 3 * products;
    network.outputs.assign(network.wires, LinearForm(network.wires));
    for (std::size_t i = 0; i < network.wires; ++i) network.outputs[i].set(i);
    for (std::size_t i = 0; i < products; ++i) {
      Product& product = network.products.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) product.forms[k] = network.outputs[3 * i + k];
    }
    auto circuit = synthesize_parallel_products(network, Budget(), random);
    return count_gates(make_circuit(static_cast<std::uint32_t>(network.wires),
                                    std::move(circuit.value().gates)))
        .depth;
  };
  CHECK(depth_of(5) == depth_of(1));
}
