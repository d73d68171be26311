#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "optimize/requirements.hpp"
#include "parity_chains/chain/dependent_rows.hpp"
#include "parity_chains/parallel_walks.hpp"
#include "parity_chains/parity_backends.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::parity_chains;

namespace {

const ParityBackend& backend(std::string_view name) {
  const auto backends = parity_backends();
  const auto found = std::ranges::find(backends, name, &ParityBackend::name);
  REQUIRE(found != backends.end());
  return *found;
}

/// Returns a table of points with a last coordinate of 1, an even number of them.
Points table_of(const std::vector<std::uint64_t>& parities, std::uint32_t dimension) {
  const std::uint64_t origin = std::uint64_t{1} << (dimension - 1);
  std::set<std::uint64_t> points;
  for (const std::uint64_t parity : parities) {
    const auto [place, is_new] = points.insert(parity | origin);
    if (!is_new) points.erase(place);
  }
  if (points.size() % 2 != 0 && !points.insert(origin).second) points.erase(origin);
  return {points.begin(), points.end()};
}

/// Returns the seven parities of each of some random products of three forms: their squares have
/// the sum zero.
ParityWalkStart random_products(FastRandom& random, std::uint32_t dimension, unsigned products) {
  std::vector<std::uint64_t> parities;
  const std::uint64_t mask = (std::uint64_t{1} << (dimension - 1)) - 1;
  for (unsigned i = 0; i < products; ++i) {
    const std::uint64_t forms[] = {random() & mask, random() & mask, random() & mask};
    for (unsigned subset = 1; subset < 8; ++subset) {
      std::uint64_t sum = 0;
      for (unsigned j = 0; j < 3; ++j) sum ^= (subset >> j & 1U) != 0 ? forms[j] : 0;
      parities.push_back(sum);
    }
  }
  return {{table_of(parities, dimension)}, dimension, true, random()};
}

/// Returns random parities, whose squares have a sum that need not be zero.
ParityWalkStart random_parities(FastRandom& random, std::uint32_t dimension, unsigned count) {
  std::vector<std::uint64_t> parities;
  for (unsigned i = 0; i < count; ++i) {
    parities.push_back(1 + random() % ((std::uint64_t{1} << (dimension - 1)) - 1));
  }
  return {{table_of(parities, dimension)}, dimension, false, random()};
}

/// Returns whether the cubes of the points of two tables have the same sum. In a table that is not
/// pure, the origin is a point like all others here.
bool have_same_cubes(const Points& left, const Points& right, std::uint32_t dimension) {
  Points all = left;
  all.insert(all.end(), right.begin(), right.end());
  for (std::uint32_t i = 0; i < dimension; ++i) {
    for (std::uint32_t j = 0; j <= i; ++j) {
      for (std::uint32_t k = 0; k <= j; ++k) {
        const std::uint64_t bits =
            std::uint64_t{1} << i | std::uint64_t{1} << j | std::uint64_t{1} << k;
        const auto count =
            std::ranges::count_if(all, [&](std::uint64_t point) { return (point & bits) == bits; });
        if (count % 2 != 0) return false;
      }
    }
  }
  return true;
}

/// Runs chains with exchanges between them, and returns their tables, sorted.
std::vector<Points> tables_after(const ParityBackend& on, const ParityWalkStart& start,
                                 std::uint32_t chains, std::uint32_t batches) {
  const auto walks = on.make(start, chains);
  REQUIRE(walks->chains() == chains);
  for (unsigned round = 0; round < 3; ++round) {
    walks->begin(batches);
    const std::vector<std::uint32_t> sizes = walks->finish();
    std::vector<std::uint32_t> sources(chains);
    std::iota(sources.begin(), sources.end(), 0U);
    const auto most = std::ranges::max_element(sizes);
    sources[static_cast<std::size_t>(most - sizes.begin())] =
        static_cast<std::uint32_t>(std::ranges::min_element(sizes) - sizes.begin());
    walks->continue_from(sources);
    if (round == 0) walks->restart(0, start.tables[0]);
  }
  std::vector<Points> tables;
  for (std::uint32_t i = 0; i < chains; ++i) {
    tables.push_back(walks->table_of(i));
    std::ranges::sort(tables.back());
  }
  return tables;
}

/// Notes how many batches each launch of a round has.
class NotedWalks final : public ParityWalks {
 public:
  explicit NotedWalks(std::vector<std::vector<std::uint32_t>>& rounds) : rounds_(rounds) {
    rounds_.assign(1, {});
  }
  [[nodiscard]] std::uint32_t chains() const override { return 1; }
  void begin(std::uint32_t batches) override { rounds_.back().push_back(batches); }
  [[nodiscard]] std::vector<std::uint32_t> finish() override { return {~0U}; }
  void continue_from(std::span<const std::uint32_t>) override { rounds_.emplace_back(); }
  void restart(std::uint32_t, const Points&) override {}
  [[nodiscard]] Points table_of(std::uint32_t) const override { return {}; }
  [[nodiscard]] std::uint64_t candidates() const override { return 0; }

 private:
  std::vector<std::vector<std::uint32_t>>& rounds_;
};

/// The rounds of the last NotedWalks.
std::vector<std::vector<std::uint32_t>> noted_rounds;  // NOLINT: a backend has no state

}  // namespace

TEST_CASE("rounds have short launches, unless a budget counts ticks", "[parity_chains]") {
  const ParityBackend noting{
      "noting", [] { return true; },
      [](const ParityWalkStart&, std::uint32_t) -> std::unique_ptr<ParityWalks> {
        return std::make_unique<NotedWalks>(noted_rounds);
      }};
  FastRandom random(11);
  const ParityWalkStart start = random_parities(random, 6, 8);
  const Points& table = start.tables[0];
  CHECK(walked_in_parallel(noting, start, {}, Budget::of_ticks(1), 1).points == table);
  REQUIRE(noted_rounds.size() == 2);
  CHECK(noted_rounds[0].size() == 1);
  const std::uint32_t batches = noted_rounds[0][0];
  int left = 3;
  const WalkCallbacks callbacks{nullptr, [&] { return --left == 0; }};
  CHECK(walked_in_parallel(noting, start, callbacks, Budget::of_seconds(1000), 1).points == table);
  REQUIRE(noted_rounds.size() == 3);
  CHECK(noted_rounds[0].size() > 1);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(std::accumulate(noted_rounds[i].begin(), noted_rounds[i].end(), 0U) == batches);
  }
}

TEST_CASE("the rows of a system that vanish are those beyond its rank", "[parity_chains]") {
  FastRandom random(3);
  for (int round = 0; round < 200; ++round) {
    INFO("seed 3, round " << round);
    std::uint64_t rows[16] = {};
    const int count = static_cast<int>(1 + random.below(16));
    std::set<std::uint64_t> span{0};
    for (int i = 0; i < count; ++i) {
      rows[i] = random() & 0xffU;
      if (span.contains(rows[i])) continue;
      const std::set<std::uint64_t> before = span;
      for (const std::uint64_t vector : before) span.insert(vector ^ rows[i]);
    }
    const auto rank = static_cast<int>(std::countr_zero(span.size()));
    CHECK(count_dependent_rows<16>(rows, count) == static_cast<std::uint32_t>(count - rank));
  }
}

TEST_CASE("chains keep the sum of the cubes of their points", "[parity_chains]") {
  FastRandom random(4);
  std::size_t removed = 0;
  for (int round = 0; round < 40; ++round) {
    INFO("seed 4, round " << round);
    const std::uint32_t dimension = 4 + random.below(12);
    const bool has_products = random.below(2) != 0;
    const ParityWalkStart start = has_products
                                      ? random_products(random, dimension, 1 + random.below(9))
                                      : random_parities(random, dimension, 1 + random.below(60));
    if (!fits_chains(start)) continue;
    for (const Points& table : tables_after(backend("emulator"), start, 2, 20)) {
      CHECK(std::ranges::adjacent_find(table) == table.end());
      CHECK(table.size() % 2 == 0);
      CHECK(table.size() <= start.tables[0].size());
      CHECK(have_same_cubes(start.tables[0], table, dimension));
      removed += start.tables[0].size() - table.size();
    }
  }
  CHECK(removed > 400);
}

TEST_CASE("a walk of many chains finds the fewest known rotations of a multiplier of 16 elements",
          "[parity_chains]") {
  // The product of two elements a + b x of a field over that of four elements, as nine products of
  // forms in a, b and the result.
  const ParityWalkStart start = [] {
    std::vector<std::uint64_t> parities;
    const auto add_product = [&](std::uint64_t f, std::uint64_t g, std::uint64_t h) {
      for (const std::uint64_t sum : {f, g, h, f ^ g, f ^ h, g ^ h, f ^ g ^ h}) {
        parities.push_back(sum);
      }
    };
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned j = 0; j < 4; ++j) {
        std::uint64_t power = std::uint64_t{1} << (i + j);  // modulo x^4 + x + 1
        for (unsigned bit = 6; bit >= 4; --bit) {
          if ((power >> bit & 1U) != 0) power ^= std::uint64_t{0b10011} << (bit - 4);
        }
        add_product(std::uint64_t{1} << i, std::uint64_t{1} << (4 + j), power << 8U);
      }
    }
    return ParityWalkStart{{table_of(parities, 13)}, 13, true, 5};
  }();
  const ParallelWalks found =
      walked_in_parallel(backend("emulator"), start, {}, Budget::of_ticks(1), 4);
  CHECK(have_same_cubes(start.tables[0], found.points, 13));
  CHECK(found.chains == 4);
  CHECK(found.candidates > 0);
  CHECK(found.points.size() - 1 <= 41);
}

TEST_CASE("a walk through tables depends on its seed only", "[parity_chains]") {
  FastRandom random(8);
  ParityWalkStart start = random_parities(random, 10, 50);
  const auto found = [&](std::uint64_t seed) {
    start.seed = seed;
    return walked_in_parallel(backend("emulator"), start, {}, Budget::of_ticks(1), 1).points;
  };
  CHECK(found(1) == found(1));
  CHECK(found(1) != found(2));
}

TEST_CASE("a walk starts from drawn tables as well, and ends when it is told to be over",
          "[parity_chains]") {
  FastRandom random(9);
  const ParityWalkStart small = random_parities(random, 9, 12);
  ParityWalkStart start = small;
  // Affine spaces of four dimensions have no cubes.
  std::vector<std::uint64_t> more = small.tables[0];
  for (std::uint64_t i = 0; i < 16; ++i) more.push_back(std::uint64_t{0x100} | i << 3U);
  start.tables[0] = table_of(more, 9);
  unsigned draws = 0;
  const WalkCallbacks callbacks{[&] {
                                  ++draws;
                                  return std::optional(small.tables[0]);
                                },
                                [&] { return draws == 2; }};
  const ParallelWalks found =
      walked_in_parallel(backend("emulator"), start, callbacks, Budget::of_seconds(1000), 2);
  CHECK(draws == 2);
  CHECK(found.points.size() <= small.tables[0].size());
  CHECK(have_same_cubes(found.points, small.tables[0], 9));
}

TEST_CASE("tables that are too large for chains are refused", "[parity_chains]") {
  FastRandom random(10);
  CHECK(fits_chains(random_parities(random, 40, 600)));
  CHECK_FALSE(fits_chains(random_parities(random, 40, 630)));
  CHECK_FALSE(fits_chains(random_parities(random, 50, 20)));
  CHECK_FALSE(fits_chains({}));
  const ParityWalkStart start = random_parities(random, 12, 60);
  const auto walks = backend("emulator").make(start, 1);
  CHECK_THROWS_AS(walks->restart(0, random_parities(random, 12, 300).tables[0]), InternalError);
}

TEST_CASE("a search has a device for parities only if its options permit one", "[parity_chains]") {
  OptimizeOptions options;
  options.backend = SearchBackend::cpu;
  CHECK(optimizer::device_for_parities(options) == nullptr);
  options.backend = SearchBackend::automatic;
  options.steps = 1000;
  CHECK(optimizer::device_for_parities(options) == nullptr);
  options.backend = SearchBackend::cuda;
  const ParityBackend& first = parity_backends().front();
  if (first.name == "cuda" && first.available()) {
    CHECK(optimizer::device_for_parities(options) == &first);
  } else {
    CHECK_THROWS_AS(optimizer::device_for_parities(options), UsageError);
  }
}

TEST_CASE("chains of parities on a device are those of the emulator", "[parity_chains][device]") {
  for (const ParityBackend& device : parity_backends()) {
    if (device.name == "emulator" || !device.available()) continue;
    // compute-sanitizer takes minutes for the larger dimensions, which are sections to leave out.
    for (const std::uint32_t dimension : {9U, 16U, 17U, 31U, 33U, 49U}) {
      DYNAMIC_SECTION("dimension " << dimension) {
        FastRandom random(dimension);
        const ParityWalkStart products = random_products(random, dimension, 3 + dimension / 3);
        CHECK(tables_after(device, products, 5, 60) ==
              tables_after(backend("emulator"), products, 5, 60));
        const ParityWalkStart parities = random_parities(random, dimension, 4 * dimension);
        CHECK(tables_after(device, parities, 5, 60) ==
              tables_after(backend("emulator"), parities, 5, 60));
      }
    }
  }
}
