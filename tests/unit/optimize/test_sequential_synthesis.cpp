#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <span>

#include "carried_parities.hpp"
#include "optimize/product_synthesis/linear_reduction.hpp"
#include "optimize/product_synthesis/product_cluster.hpp"
#include "optimize/product_synthesis/sequential_synthesis.hpp"
#include "optimize/product_synthesis/span_reduction.hpp"
#include "optimize/product_synthesis/triple_walks.hpp"
#include "random_linear_map.hpp"
#include "random_products.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

/// Returns products of forms in the span of a few random ones for each cluster.
std::vector<Product> clustered_products(FastRandom& random, std::size_t wires, std::size_t clusters,
                                        std::size_t of_each) {
  constexpr std::size_t kDimensions = 9;
  std::vector<Product> products;
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    std::vector<LinearForm> basis;
    for (std::size_t i = 0; i < kDimensions; ++i) basis.push_back(random_form(random, wires));
    for (std::size_t i = 0; i < of_each; ++i) {
      Product product{{LinearForm(wires), LinearForm(wires), LinearForm(wires)}};
      // Each form is one of three elements, or the sum of two of them, in its slot.
      for (std::size_t slot = 0; slot < 3; ++slot) {
        const std::uint32_t first = random.below(3);
        product.forms.at(slot) = basis[3 * slot + first];
        if (random.below(2) != 0) product.forms.at(slot) ^= basis[3 * slot + (first + 1) % 3];
      }
      products.push_back(product);
    }
  }
  return products;
}

std::vector<FormBlock<1>> blocks_of(std::span<const Product> products) {
  std::vector<FormBlock<1>> blocks;
  for (const Product& product : products) {
    FormBlock<1>& block = blocks.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) block.forms.at(i) = wire_bits<1>(product.forms.at(i));
  }
  return blocks;
}

}  // namespace

TEST_CASE("A cluster of products whose forms span few dimensions is found",
          "[sequential synthesis]") {
  FastRandom random(31);
  const std::vector<FormBlock<1>> blocks = blocks_of(clustered_products(random, 60, 5, 12));
  for (const std::uint32_t first : {0U, 30U, 59U}) {
    const BlockCluster cluster = ClusterGrowth<1>(blocks, random).grow(first, 8, 30);
    // Some of the twelve products may span fewer dimensions than all of them.
    CHECK(cluster.members.size() >= 8);
    CHECK(cluster.members.size() <= 12);
    for (const std::uint32_t member : cluster.members) CHECK(member / 12 == first / 12);
  }
}

TEST_CASE("The forms of a cluster are brought to as few wires as they span dimensions",
          "[sequential synthesis]") {
  FastRandom random(32);
  for (unsigned trial = 0; trial < 10; ++trial) {
    std::vector<FormBlock<1>> blocks = blocks_of(clustered_products(random, 40, 1, 12));
    MapLeft<1> map(identity_matrix(40));
    SpanReduction<1> reduction(blocks, 40, random);
    std::size_t cnots = 0;
    while (const auto cnot = reduction.next(map)) {
      map.append(*cnot);
      for (FormBlock<1>& block : blocks) block.append(*cnot);
      ++cnots;
    }
    WireBits<1> wires{};
    for (const FormBlock<1>& block : blocks) {
      for (const WireBits<1>& form : block.forms) wires[0] |= form[0];
    }
    CHECK(count_wires(wires) <= 9);
    // Each of nine forms is on half of 31 other wires, which take 140 CNOTs one by one.
    CHECK(cnots < 90);
  }
}

TEST_CASE("Four CNOTs visit all parities of three wires, and six restore the wires",
          "[sequential synthesis]") {
  TripleWalks walks;
  const std::vector<TripleWalk>& all = walks.visiting(0x7f);
  REQUIRE_FALSE(all.empty());
  CHECK(all.front().size() == 4);
  bool restores = false;
  for (const TripleWalk& walk : all) {
    std::array<unsigned, 3> carried{1, 2, 4};
    unsigned seen = 0b0001011;
    for (const TripleCnot& cnot : walk) {
      carried.at(cnot.target) ^= carried.at(cnot.control);
      seen |= 1U << (carried.at(cnot.target) - 1);
    }
    CHECK(seen == 0x7f);
    CHECK(walk.size() <= 6);
    restores = restores || carried == std::array<unsigned, 3>{1, 2, 4};
  }
  CHECK(restores);
  std::array<unsigned, 3> carried{1, 2, 4};
  for (const TripleCnot& cnot : walks.restoring(0x7f)) {
    carried.at(cnot.target) ^= carried.at(cnot.control);
  }
  CHECK(carried == std::array<unsigned, 3>{1, 2, 4});
  CHECK(walks.restoring(0x7f).size() == 6);
  CHECK(walks.visiting(0).front().empty());
}

TEST_CASE("CNOTs of a linear map apply it, on few wires and on many", "[sequential synthesis]") {
  FastRandom random(5);
  for (const std::size_t wires : {1U, 2U, 5U, 12U, 70U, 130U}) {
    std::vector<LinearForm> rows = random_map(random, wires);
    std::swap(rows.front(), rows.back());
    ProductNetwork network{wires, {}, {}, rows};
    CHECK(carries_out(cnots_of_linear_map(rows), network, {}));
  }
  CHECK(cnots_of_linear_map(identity_matrix(4)).empty());
}

TEST_CASE("Products in sequence carry each parity, whatever the forms and the linear map",
          "[sequential synthesis]") {
  FastRandom random(9);
  for (const std::size_t wires : {3U, 5U, 8U, 40U, 66U, 150U}) {
    for (unsigned trial = 0; trial < 4; ++trial) {
      ProductNetwork network{wires, {}, {}, random_map(random, wires)};
      for (unsigned i = 0; i < 6; ++i) {
        Product product{
            {random_form(random, wires), random_form(random, wires), random_form(random, wires)}};
        // Dependent forms span less than three dimensions.
        if (i == 4) product.forms[2] = product.forms[0] ^ product.forms[1];
        if (i == 5) product.forms[2] = product.forms[1] = product.forms[0];
        network.products.push_back(product);
        network.phases.push_back({random_form(random, wires), 3});
      }
      const ParityPhases phases = phases_of(network);
      const auto cnots = synthesize_in_sequence(network, phases, Budget::of_ticks(3'000), random);
      REQUIRE(cnots);
      CHECK(carries_out(*cnots, network, phases));
    }
  }
}

TEST_CASE("Products in clusters take fewer CNOTs than one after the other",
          "[sequential synthesis]") {
  constexpr std::size_t kSlotWires = 32;
  constexpr std::size_t kDimensions = 6;  // number for each slot of a cluster
  FastRandom random(33);
  ProductNetwork network{3 * kSlotWires, {}, {}, identity_matrix(3 * kSlotWires)};
  const auto random_sum = [&](const std::vector<LinearForm>& forms) {
    LinearForm sum(network.wires);
    while (sum.none()) {
      for (const LinearForm& form : forms) {
        if (random.below(2) != 0) sum ^= form;
      }
    }
    return sum;
  };
  for (std::size_t cluster = 0; cluster < 10; ++cluster) {
    std::array<std::vector<LinearForm>, 3> slots;
    for (std::size_t slot = 0; slot < 3; ++slot) {
      const auto wires = std::span(network.outputs).subspan(slot * kSlotWires, kSlotWires);
      for (std::size_t i = 0; i < kDimensions; ++i) {
        slots.at(slot).push_back(random_sum({wires.begin(), wires.end()}));
      }
    }
    for (std::size_t i = 0; i < 15; ++i) {
      network.products.push_back(
          {{random_sum(slots[0]), random_sum(slots[1]), random_sum(slots[2])}});
    }
  }
  const ParityPhases phases = phases_of(network);
  const auto cnots = synthesize_in_sequence(network, phases, Budget::of_ticks(100'000), random);
  REQUIRE(cnots);
  CHECK(carries_out(*cnots, network, phases));
  CHECK(cnots->size() < 4300);
}

TEST_CASE("Wires that are only exchanged take three CNOTs", "[sequential synthesis]") {
  FastRandom random(1);
  ProductNetwork network{2, {}, {}, identity_matrix(2)};
  std::swap(network.outputs[0], network.outputs[1]);
  const auto cnots = synthesize_in_sequence(network, {}, Budget::of_ticks(100), random);
  REQUIRE(cnots);
  CHECK(cnots->size() == 3);
  CHECK(carries_out(*cnots, network, {}));
}

TEST_CASE("Products that share forms take fewer CNOTs than each for itself",
          "[sequential synthesis]") {
  // Products of the same two bits with four other ones.
  FastRandom random(3);
  ProductNetwork network{6, {}, {}, identity_matrix(6)};
  for (std::size_t i = 2; i < 6; ++i) {
    Product product{{LinearForm(6, 1), LinearForm(6, 2), LinearForm(6)}};
    product.forms[2].set(i);
    network.products.push_back(product);
  }
  const auto cnots =
      synthesize_in_sequence(network, phases_of(network), Budget::of_ticks(1'000'000), random);
  REQUIRE(cnots);
  CHECK(cnots->size() < 4 * 6);
}

TEST_CASE("A spent budget leaves no network in sequence", "[sequential synthesis]") {
  FastRandom random(3);
  ProductNetwork network{3, {}, {}, identity_matrix(3)};
  Product product{{LinearForm(3, 1), LinearForm(3, 2), LinearForm(3, 4)}};
  network.products.push_back(product);
  CHECK_FALSE(synthesize_in_sequence(network, phases_of(network), Budget::of_ticks(0), random));
}
