#include <catch2/catch.hpp>
#include <set>
#include <span>

#include "carried_parities.hpp"
#include "optimize/product_synthesis/product_synthesis.hpp"
#include "optimize/product_synthesis/recursive_structure.hpp"
#include "optimize/product_synthesis/recursive_synthesis.hpp"
#include "optimize/product_synthesis/sequential_synthesis.hpp"
#include "random_linear_map.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

using Forms = std::vector<LinearForm>;

Forms sums(std::span<const LinearForm> one, std::span<const LinearForm> other) {
  Forms result;
  for (std::size_t i = 0; i < one.size(); ++i) result.push_back(one[i] ^ other[i]);
  return result;
}

/// Appends products whose sum of trivectors is the sum of a_i b_j c_(i + j), by Karatsuba's
/// recursion.
void append_products(std::span<const LinearForm> a, std::span<const LinearForm> b,
                     std::span<const LinearForm> c, std::vector<Product>& products) {
  if (a.size() == 1) {
    products.push_back({{a[0], b[0], c[0]}});
    return;
  }
  const std::size_t half = a.size() / 2;
  const std::size_t width = 2 * half - 1;
  const auto low = c.subspan(0, width);
  const auto middle = c.subspan(half, width);
  const auto high = c.subspan(2 * half, width);
  append_products(a.first(half), b.first(half), sums(low, middle), products);
  append_products(a.last(half), b.last(half), sums(middle, high), products);
  append_products(sums(a.first(half), a.last(half)), sums(b.first(half), b.last(half)), middle,
                  products);
}

/// Returns the network of the multiplication of two polynomials, on wires that carry these sums of
/// their coefficients.
ProductNetwork multiplication(std::size_t terms, const Forms& forms,
                              std::vector<LinearForm> outputs) {
  ProductNetwork network{forms.size(), {}, {}, std::move(outputs)};
  const std::span<const LinearForm> all(forms);
  append_products(all.first(terms), all.subspan(terms, terms), all.last(2 * terms - 1),
                  network.products);
  return network;
}
ProductNetwork multiplication(std::size_t terms, FastRandom& random) {
  const std::size_t wires = 4 * terms - 1;
  return multiplication(terms, random_map(random, wires), random_map(random, wires));
}

}  // namespace

TEST_CASE("The recursion of a list of products is found from its forms", "[recursive synthesis]") {
  FastRandom random(3);
  const ProductNetwork network = multiplication(8, random);
  const auto structure = recursive_structure_of(network.products);
  REQUIRE(structure);
  REQUIRE(structure->levels.size() == 3);
  REQUIRE(structure->groups.size() == 1);
  // The elements are the coefficients: 8 of each factor, and 15 of the product.
  CHECK(structure->groups[0][0].size() == 8);
  CHECK(structure->groups[0][1].size() == 8);
  CHECK(structure->groups[0][2].size() == 15);
}

TEST_CASE("Products without a recursion have no structure", "[recursive synthesis]") {
  FastRandom random(4);
  ProductNetwork network = multiplication(4, random);
  std::swap(network.products[1], network.products[5]);
  CHECK_FALSE(recursive_structure_of(network.products));
  CHECK_FALSE(synthesize_recursively(network, phases_of(network), Budget()));
  network.products.resize(2);
  CHECK_FALSE(recursive_structure_of(network.products));
  CHECK_FALSE(recursive_structure_of({}));
}

TEST_CASE("A recursion with dependent elements ends at the level below", "[recursive synthesis]") {
  FastRandom random(5);
  ProductNetwork network = multiplication(4, random);
  // The last coefficient of the product becomes the sum of two others.
  const auto structure = recursive_structure_of(network.products);
  REQUIRE(structure);
  const std::vector<LinearForm>& elements = structure->groups.at(0)[2];
  std::vector<LinearForm> dependent = elements;
  dependent.back() = elements[0] ^ elements[2];
  network.products.clear();
  append_products(structure->groups[0][0], structure->groups[0][1], dependent, network.products);
  const auto other = recursive_structure_of(network.products);
  REQUIRE(other);
  CHECK(other->levels.size() == 1);
  CHECK(other->groups.size() == 3);
  const ParityPhases phases = phases_of(network);
  const auto cnots = synthesize_recursively(network, phases, Budget());
  REQUIRE(cnots);
  CHECK(carries_out(*cnots, network, phases));
}

TEST_CASE("A recursive network carries each parity", "[recursive synthesis]") {
  FastRandom random(6);
  for (const std::size_t terms : {2U, 4U, 8U, 16U}) {
    const ProductNetwork network = multiplication(terms, random);
    const ParityPhases phases = phases_of(network);
    const auto cnots = synthesize_recursively(network, phases, Budget());
    REQUIRE(cnots);
    CHECK(carries_out(*cnots, network, phases));
    CHECK_FALSE(synthesize_recursively(network, phases, Budget::of_ticks(1)));
  }
}

TEST_CASE("A network with phases of other parities than those of its products is not recursive",
          "[recursive synthesis]") {
  FastRandom random(7);
  ProductNetwork network = multiplication(4, random);
  LinearForm all(network.wires);
  all.set();
  network.phases.push_back({all, 1});
  CHECK_FALSE(synthesize_recursively(network, phases_of(network), Budget()));
}

TEST_CASE("A recursive network has fewer CNOTs than one in sequence", "[recursive synthesis]") {
  constexpr std::size_t kTerms = 32;
  FastRandom random(8);
  const std::vector<LinearForm> wires = identity_matrix(4 * kTerms - 1);
  const ProductNetwork network = multiplication(kTerms, wires, wires);
  const auto circuit = synthesize_product_network(network, Budget::of_ticks(100'000), random);
  REQUIRE(circuit);
  const auto cnots = std::ranges::count_if(
      circuit->gates, [](const Operation& gate) { return gate.gate == GateKind::cx; });
  CHECK(cnots < 3200);
  const auto sequence =
      synthesize_in_sequence(network, phases_of(network), Budget::of_ticks(100'000), random);
  REQUIRE(sequence);
  CHECK(sequence->size() > 3500);
}
