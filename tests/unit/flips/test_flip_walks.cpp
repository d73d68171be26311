#include <algorithm>
#include <catch2/catch.hpp>

#include "flips/chain/flip_chain.hpp"
#include "flips/flip_backends.hpp"
#include "flips/parallel_flips.hpp"
#include "optimize/products/trivector.hpp"
#include "optimize/requirements.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::flips;

namespace {

const FlipBackend& backend(std::string_view name) {
  const auto backends = flip_backends();
  const auto found = std::ranges::find(backends, name, &FlipBackend::name);
  REQUIRE(found != backends.end());
  return *found;
}

/// Returns the products of the entries of two square matrices.
std::vector<WordProduct> matrix_products(unsigned size) {
  std::vector<WordProduct> products;
  const auto bit = [&](unsigned matrix, unsigned row, unsigned column) {
    return std::uint64_t{1} << ((matrix * size + row) * size + column);
  };
  for (unsigned i = 0; i < size; ++i) {
    for (unsigned j = 0; j < size; ++j) {
      for (unsigned k = 0; k < size; ++k) {
        products.push_back({bit(0, i, j), bit(1, j, k), bit(2, i, k)});
      }
    }
  }
  return products;
}

/// Returns products of random independent forms of three slots of `width` bits.
std::vector<WordProduct> random_graded_products(FastRandom& random, std::size_t count,
                                                unsigned width) {
  std::vector<WordProduct> products;
  for (std::size_t i = 0; i < count; ++i) {
    WordProduct product{};
    for (unsigned slot = 0; slot < 3; ++slot) {
      product[slot] = std::uint64_t{1 + random.below((1U << width) - 1)} << (slot * width);
    }
    products.push_back(product);
  }
  return products;
}

bool have_same_sum(const std::vector<WordProduct>& left, const std::vector<WordProduct>& right) {
  const auto on_wires = [](const std::vector<WordProduct>& words) {
    std::vector<optimizer::Product> products;
    for (const auto& [f, g, h] : words) {
      using optimizer::LinearForm;
      products.push_back({{LinearForm(64, f), LinearForm(64, g), LinearForm(64, h)}});
    }
    return products;
  };
  return optimizer::have_same_sum(on_wires(left), on_wires(right));
}

/// Runs chains with exchanges between them, as flipped_in_parallel does, and returns their best
/// sets.
std::vector<std::vector<WordProduct>> best_sets(const FlipBackend& on, const FlipWalkStart& start,
                                                std::uint32_t chains) {
  const auto walks = on.make(start, chains);
  REQUIRE(walks->chains() == chains);
  for (unsigned round = 0; round < 3; ++round) {
    walks->begin(500, 0);
    std::vector<std::uint32_t> sources(chains);
    const std::vector<std::uint32_t> sizes = walks->finish();
    const auto least = std::ranges::min_element(sizes);
    for (std::uint32_t i = 0; i < chains; ++i) {
      sources[i] = i % 3 == 0 ? static_cast<std::uint32_t>(least - sizes.begin()) : i;
    }
    sources[static_cast<std::size_t>(least - sizes.begin())] =
        static_cast<std::uint32_t>(least - sizes.begin());
    walks->continue_from(sources);
  }
  std::vector<std::vector<WordProduct>> sets;
  for (std::uint32_t i = 0; i < chains; ++i) sets.push_back(walks->best_of(i));
  return sets;
}

}  // namespace

TEST_CASE("every chain of flips preserves the sum of trivectors", "[flips]") {
  FastRandom random(5);
  for (int round = 0; round < 20; ++round) {
    INFO("seed 5, round " << round);
    const std::size_t count = 2 + random.below(kMaxChainProducts - 20);
    const FlipWalkStart start{random_graded_products(random, count, 3 + random.below(3)),
                              random.below(2) == 0 ? FlipKind::kGraded : FlipKind::kUngraded,
                              random()};
    for (const auto& set : best_sets(backend("emulator"), start, 5)) {
      CHECK(set.size() <= start.products.size());
      CHECK(have_same_sum(start.products, set));
    }
  }
}

TEST_CASE("chains of graded flips keep the slots of forms", "[flips]") {
  FastRandom random(9);
  const FlipWalkStart start{random_graded_products(random, 40, 4), FlipKind::kGraded, 9};
  for (const auto& set : best_sets(backend("emulator"), start, 6)) {
    for (const auto& [f, g, h] : set) {
      CHECK((f & ~std::uint64_t{0xf}) == 0);
      CHECK((g & ~std::uint64_t{0xf0}) == 0);
      CHECK((h & ~std::uint64_t{0xf00}) == 0);
    }
  }
}

TEST_CASE("a walk of many chains finds the algorithms of Strassen and Laderman", "[flips]") {
  const FlipBackend& emulator = backend("emulator");
  const auto products_of = [&](unsigned size, std::size_t sufficient) {
    const FlipWalkStart start{matrix_products(size), FlipKind::kGraded, 3};
    const ParallelFlips found =
        flipped_in_parallel(emulator, start, sufficient, Budget::of_ticks(20'000), 4);
    CHECK(found.chains == 4);
    CHECK(found.flips > 0);
    CHECK(have_same_sum(start.products, found.products));
    return found.products.size();
  };
  CHECK(products_of(2, 7) == 7);
  CHECK(products_of(3, 23) == 23);
}

TEST_CASE("a walk ends with its budget, and at once if there is nothing to do", "[flips]") {
  const FlipWalkStart start{matrix_products(3), FlipKind::kGraded, 1};
  const Budget budget = Budget::of_ticks(100);
  const ParallelFlips stopped = flipped_in_parallel(backend("emulator"), start, 0, budget, 2);
  CHECK(budget.spent());
  CHECK(have_same_sum(start.products, stopped.products));
  CHECK(flipped_in_parallel(backend("emulator"), start, 27, Budget(), 2).flips == 0);
  CHECK(flipped_in_parallel(backend("emulator"), {}, 0, Budget(), 2).products.empty());
}

TEST_CASE("a walk depends on its seed only", "[flips]") {
  const auto found = [](std::uint64_t seed) {
    const FlipWalkStart start{matrix_products(3), FlipKind::kGraded, seed};
    return flipped_in_parallel(backend("emulator"), start, 0, Budget::of_ticks(50), 3).products;
  };
  CHECK(found(1) == found(1));
  CHECK(found(1) != found(2));
}

TEST_CASE("a search has a device only if its options permit one", "[flips]") {
  const auto device_for = [](SearchBackend backend, std::uint64_t steps) {
    OptimizeOptions options;
    options.backend = backend;
    options.steps = steps;
    return optimizer::device_for_flips(options);
  };
  CHECK(device_for(SearchBackend::cpu, 0) == nullptr);
  CHECK(device_for(SearchBackend::cpu, 1000) == nullptr);
  CHECK(device_for(SearchBackend::automatic, 1000) == nullptr);
  const FlipBackend& first = flip_backends().front();
  CHECK((device_for(SearchBackend::automatic, 0) != nullptr) == (first.name == "cuda"));
  if (first.name == "cuda" && first.available()) {
    CHECK(device_for(SearchBackend::cuda, 1000) == &first);
  } else {
    CHECK_THROWS_AS(device_for(SearchBackend::cuda, 0), UsageError);
  }
}

TEST_CASE("chains on a device are those of the emulator", "[flips][device]") {
  for (const FlipBackend& device : flip_backends()) {
    if (device.name == "emulator" || !device.available()) continue;
    FastRandom random(14);
    for (const FlipKind kind : {FlipKind::kGraded, FlipKind::kUngraded}) {
      for (const std::size_t count : {2, 30, 64, 110}) {
        const FlipWalkStart start{random_graded_products(random, count, 5), kind, random()};
        CHECK(best_sets(device, start, 33) == best_sets(backend("emulator"), start, 33));
      }
    }
  }
}
