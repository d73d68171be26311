#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/device_error.hpp"
#include "multiplier_products.hpp"
#include "optimize/product_reduction/product_reduction.hpp"
#include "optimize/product_variants/product_variants.hpp"
#include "optimize/products/parity_phases.hpp"
#include "optimize/rank_reduction/dependent_rows.hpp"
#include "optimize/rank_reduction/flat_move.hpp"
#include "optimize/rank_reduction/point_table.hpp"
#include "optimize/rank_reduction/rank_reduction.hpp"
#include "optimize/rank_reduction/table_part.hpp"
#include "parity_chains/parity_backends.hpp"
#include "random_products.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

ParityTable random_table(FastRandom& random, std::size_t wires, std::size_t parities) {
  std::set<LinearForm> table;
  for (std::size_t i = 0; i < parities; ++i) {
    const LinearForm form = random_form(random, wires);
    if (form.any()) table.insert(form);
  }
  return {table.begin(), table.end()};
}

/// Returns the parities of products that have a phase by an odd number of eighths.
ParityTable table_of(const std::vector<Product>& products) {
  ProductNetwork network;
  network.products = products;
  ParityTable table;
  for (const auto& [form, eighths] : phases_of(network)) {
    if (eighths % 2 != 0) table.push_back(form);
  }
  return table;
}

/// Draws the tables of other sets of few products.
class TablesOfProducts : public TableSource {
 public:
  TablesOfProducts(const std::vector<Product>& given, const std::vector<Product>& fewest)
      : variants_(given, fewest) {}
  std::optional<ParityTable> draw(const Budget& budget, FastRandom& random) override {
    const auto products = variants_.draw(budget, random);
    if (!products) return std::nullopt;
    return table_of(*products);
  }
  void learn(std::size_t parities) override { variants_.learn(parities); }

 private:
  ProductVariants variants_;
};

/// Returns the number of parities that are 1 for an input.
int count_ones(const ParityTable& table, std::uint64_t input) {
  return static_cast<int>(std::ranges::count_if(table, [&](const LinearForm& parity) {
    return inner_product(parity, form_of(parity.size(), input));
  }));
}

/// Returns whether rotations by pi/4 about the parities of two tables are the same up to i^l(x)
/// (-1)^q(x) for a linear l and a quadratic q, by the phases of all inputs.
bool differ_by_clifford(const ParityTable& left, const ParityTable& right, std::size_t wires) {
  std::vector<int> phases(std::size_t{1} << wires);
  for (std::size_t x = 0; x < phases.size(); ++x) {
    phases[x] = (count_ones(left, x) - count_ones(right, x) + 8'000) % 8;
  }
  for (std::size_t x = 0; x < phases.size(); ++x) {
    int expected = 0;
    for (std::size_t i = 0; i < wires; ++i) {
      if ((x >> i & 1U) == 0) continue;
      const int linear = phases[std::size_t{1} << i];
      if (linear % 2 != 0) return false;
      expected += linear;
      for (std::size_t j = 0; j < i; ++j) {
        if ((x >> j & 1U) == 0) continue;
        const std::size_t both = (std::size_t{1} << i) | (std::size_t{1} << j);
        const int pair = phases[both] - linear - phases[std::size_t{1} << j];
        if (pair % 4 != 0) return false;
        expected += pair;
      }
    }
    if ((expected - phases[x]) % 8 != 0) return false;
  }
  return true;
}

/// Returns whether the sums of p (x) p (x) p are equal, entry by entry.
bool have_same_cubic_form(const ParityTable& left, const ParityTable& right) {
  ParityTable all = left;
  all.insert(all.end(), right.begin(), right.end());
  const std::size_t wires = all[0].size();
  // The parities that contain each wire.
  std::vector<LinearForm> rows(wires, LinearForm(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t wire = 0; wire < wires; ++wire) rows[wire][i] = all[i][wire];
  }
  for (std::size_t i = 0; i < wires; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const LinearForm both = rows[i] & rows[j];
      for (std::size_t k = 0; k <= j; ++k) {
        if ((both & rows[k]).count() % 2 != 0) return false;
      }
    }
  }
  return true;
}

ParityTable reduced(const ParityTable& table, std::uint64_t seed, std::uint64_t ticks = 200'000) {
  FastRandom random(seed);
  return with_fewer_parities(std::vector<ParityTable>{table}, nullptr, {24, 1},
                             Budget::of_ticks(ticks), random);
}

bool is_table(const ParityTable& table) {
  const std::set<LinearForm> different(table.begin(), table.end());
  return different.size() == table.size() &&
         std::ranges::all_of(table, [](const LinearForm& parity) { return parity.any(); });
}

/// Returns the parities of a space of four dimensions in which all wires occur. They are Clifford
/// gates together.
ParityTable clifford_table(FastRandom& random, std::size_t wires) {
  const BitMatrix basis = random_invertible_matrix(random, wires);
  ParityTable table;
  for (std::uint64_t bits = 1; bits < 16; ++bits) {
    LinearForm parity(wires);
    for (std::size_t i = 0; i < 4; ++i) {
      if ((bits >> i & 1U) != 0) parity ^= basis[i];
    }
    table.push_back(std::move(parity));
  }
  return table;
}

}  // namespace

TEST_CASE("fewer parities differ from those given by a Clifford unitary", "[rank_reduction]") {
  FastRandom random(5);
  std::size_t removed = 0;
  for (int round = 0; round < 60; ++round) {
    INFO("seed 5, round " << round);
    const std::size_t wires = 2 + random.below(6);
    const ParityTable table = random_table(random, wires, 1 + random.below(40));
    if (table.empty()) continue;
    const ParityTable fewer = reduced(table, 1, 20'000);
    CHECK(is_table(fewer));
    CHECK(fewer.size() <= table.size());
    CHECK(differ_by_clifford(table, fewer, wires));
    CHECK(have_same_cubic_form(table, fewer));
    removed += table.size() - fewer.size();
  }
  CHECK(removed > 100);
}

TEST_CASE("other tables differ by more than a Clifford unitary", "[rank_reduction]") {
  FastRandom random(6);
  const ParityTable table = random_table(random, 6, 20);
  for (std::size_t i = 0; i < table.size(); ++i) {
    ParityTable other = table;
    other.erase(other.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(differ_by_clifford(table, other, 6));
    CHECK_FALSE(have_same_cubic_form(table, other));
  }
}

TEST_CASE("parities that are Clifford gates together vanish, on any number of wires",
          "[rank_reduction]") {
  FastRandom random(7);
  for (const std::size_t wires : {4, 30, 60, 130}) {
    INFO(wires << " wires");
    CHECK(reduced(clifford_table(random, wires), 1).empty());
    // Independent parities are left alone, with as many dimensions as wires.
    ParityTable table = clifford_table(random, wires);
    for (const LinearForm& form : random_invertible_matrix(random, wires)) {
      if (std::ranges::find(table, form) == table.end()) table.push_back(form);
    }
    const ParityTable fewer = reduced(table, 1);
    CHECK(is_table(fewer));
    CHECK(fewer.size() <= wires);
    CHECK(have_same_cubic_form(table, fewer));
  }
}

TEST_CASE("tables of more dimensions than the limit are returned as they are", "[rank_reduction]") {
  ParityTable table;
  for (std::size_t i = 0; i <= kMaxDimensionOfTable; ++i) {
    table.push_back(unit_vector(kMaxDimensionOfTable + 1, i));
  }
  CHECK(reduced(table, 1) == table);
}

TEST_CASE("an empty table and single parities need no search", "[rank_reduction]") {
  CHECK(reduced({}, 1).empty());
  const ParityTable single{form_of(3, 0b101)};
  CHECK(reduced(single, 1) == single);
}

TEST_CASE("multipliers of the field of 16 elements need at most 47 rotations by pi/4",
          "[rank_reduction][figures]") {
  const ParityTable table = table_of(multiplier_products({4, 1, 0}));
  const ParityTable fewer = reduced(table, 1, 3'000'000);
  CHECK(fewer.size() <= 47);
  CHECK(have_same_cubic_form(table, fewer));
}

TEST_CASE(
    "multipliers of the fields of 8, 16 and 32 elements need 29, 41 and 65 rotations at most "
    "if sets of few products are among the starts",
    "[rank_reduction][figures]") {
  struct Row {
    std::vector<std::size_t> modulus;
    std::size_t rotations;
  };
  for (const auto& [modulus, rotations] :
       {Row{{3, 1, 0}, 29}, Row{{4, 1, 0}, 41}, Row{{5, 2, 0}, 65}}) {
    INFO("degree " << modulus[0]);
    const std::vector<Product> products = multiplier_products(modulus);
    FastRandom random(1);
    const std::vector<Product> fewest =
        with_fewer_products(products, Budget::of_ticks(300'000), random);
    const std::vector<ParityTable> starts{table_of(products), table_of(fewest)};
    const ParityTable fewer = with_fewer_parities(
        starts, [&] { return std::make_unique<TablesOfProducts>(products, fewest); }, {3'000, 1},
        Budget::of_ticks(300'000), random);
    CHECK(fewer.size() <= rotations);
    CHECK(is_table(fewer));
    CHECK(have_same_cubic_form(starts[0], fewer));
  }
}

TEST_CASE(
    "a source of tables is told how many parities are left, and other dimensions are passed "
    "over",
    "[rank_reduction]") {
  struct Source : TableSource {
    Source(ParityTable table, std::vector<std::size_t>& told)
        : table_(std::move(table)), told_(told) {}
    std::optional<ParityTable> draw(const Budget& budget, FastRandom& random) override {
      budget.spend(1);
      // A parity on another wire is not in the span of the starts.
      if (random.below(2) == 0) return ParityTable{unit_vector(table_[0].size(), 6)};
      return table_;
    }
    void learn(std::size_t parities) override { told_.push_back(parities); }

    ParityTable table_;
    std::vector<std::size_t>& told_;
  };
  FastRandom random(11);
  ParityTable table = random_table(random, 6, 30);
  for (LinearForm& parity : table) parity.resize(7);
  std::vector<std::size_t> told;
  const ParityTable fewer = with_fewer_parities(
      std::vector<ParityTable>{table}, [&] { return std::make_unique<Source>(table, told); },
      {200, 1}, Budget::of_ticks(300'000), random);
  REQUIRE_FALSE(told.empty());
  CHECK(std::ranges::all_of(told, [&](std::size_t size) { return size >= fewer.size(); }));
  CHECK(have_same_cubic_form(table, fewer));
}

TEST_CASE("the budget in ticks ends a patient search for fewer parities", "[rank_reduction]") {
  FastRandom random(12);
  const ParityTable table = table_of(multiplier_products({4, 1, 0}));
  const Budget budget = Budget::of_ticks(200'000);
  const Budget part = budget.limited_to({0, 50'000});
  (void)with_fewer_parities(std::vector<ParityTable>{table}, nullptr, {1'000'000'000, 2}, part,
                            random);
  CHECK(part.is_over());
  CHECK(budget.ticks_left() > 140'000);
}

TEST_CASE("searches on two threads give equal tables in a budget of ticks", "[rank_reduction]") {
  const ParityTable table = table_of(multiplier_products({3, 1, 0}));
  const auto search = [&] {
    FastRandom random(13);
    return with_fewer_parities(std::vector<ParityTable>{table}, nullptr, {200, 2},
                               Budget::of_ticks(100'000), random);
  };
  CHECK(search() == search());
}

TEST_CASE("chains of a device walk beside the threads", "[rank_reduction]") {
  const auto backends = parity_chains::parity_backends();
  const auto emulator =
      std::ranges::find(backends, "emulator", &parity_chains::ParityBackend::name);
  REQUIRE(emulator != backends.end());
  const ParityTable table = table_of(multiplier_products({4, 1, 0}));
  const auto found = [&](const parity_chains::ParityBackend* device, std::uint64_t ticks) {
    FastRandom random(3);
    return with_fewer_parities(std::vector<ParityTable>{table}, nullptr, {1, 1, device},
                               Budget::of_ticks(ticks), random);
  };
  // The thread alone ends after a walk; the chains use what is left of the ticks.
  const ParityTable fewer = found(&*emulator, 5'000);
  CHECK(is_table(fewer));
  CHECK(have_same_cubic_form(table, fewer));
  CHECK(fewer.size() < found(nullptr, 5'000).size());
  CHECK(fewer == found(&*emulator, 5'000));
}

TEST_CASE("a device that fails leaves what the threads have found", "[rank_reduction]") {
  const parity_chains::ParityBackend failing{
      "failing", [] { return true; },
      [](const parity_chains::ParityWalkStart&,
         std::uint32_t) -> std::unique_ptr<parity_chains::ParityWalks> {
        throw DeviceError("the device is lost");
      }};
  const ParityTable table = table_of(multiplier_products({4, 1, 0}));
  FastRandom random(3);
  const ParityTable fewer =
      with_fewer_parities(std::vector<ParityTable>{table}, nullptr, {24, 1, &failing},
                          Budget::of_ticks(200'000), random);
  CHECK(fewer.size() < table.size());
  CHECK(have_same_cubic_form(table, fewer));
}

TEST_CASE("systems of rows are dependent if one of their sums is zero", "[rank_reduction]") {
  FastRandom random(14);
  std::size_t dependent = 0;
  for (int round = 0; round < 200; ++round) {
    INFO("seed 14, round " << round);
    std::vector<RowsOfSystems> rows(1 + random.below(9));
    for (RowsOfSystems& row : rows) {
      for (std::uint64_t& bits : row) bits = random() & random() & 0x8000'0000'0000'03ffU;
    }
    unsigned expected = 0;
    for (std::size_t system = 0; system < kSystems; ++system) {
      for (std::size_t sum = 1; sum < std::size_t{1} << rows.size(); ++sum) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if ((sum >> i & 1U) != 0) bits ^= rows[i][system];
        }
        if (bits == 0) expected |= 1U << system;
      }
    }
    CHECK(dependent_systems(rows) == expected);
    dependent += static_cast<std::size_t>(std::popcount(expected));
  }
  CHECK(dependent > 100);
  CHECK(dependent < 1'500);
}

TEST_CASE("affine spaces and parts of tables keep the cubic form", "[rank_reduction]") {
  FastRandom random(15);
  const ParityTable table = table_of(multiplier_products({3, 1, 0}));
  std::vector<PackedParity<1>> parities;
  for (const LinearForm& parity : table) parities.push_back({{parity.to_ulong()}});
  const PointSpace<1> space(9, parities);
  REQUIRE(space.is_pure());
  const PointTable<1> points = space.table_of(parities);
  CHECK(points.size() % 2 == 0);
  const auto unpacked = [&](const PointTable<1>& packed) {
    ParityTable result;
    for (const PackedParity<1>& parity : space.parities_of(packed)) {
      result.push_back(form_of(9, parity.words[0]));
    }
    return result;
  };
  std::size_t changes = 0;
  std::size_t changes_of_parts = 0;
  for (int round = 0; round < 40; ++round) {
    PointTable<1> changed = points;
    FlatMove<1>(random).apply(changed, 20);
    if (changed != points) ++changes;
    CHECK(have_same_cubic_form(table, unpacked(changed)));

    const TablePart<1> part(points, 3 + random.below(4), random);
    CHECK(part.points().size() + part.others().size() == points.size());
    CHECK(part.table_with(part.points()) == points);
    PointTable<1> other = part.points();
    FlatMove<1>(random).apply(other, 20);
    if (other != part.points()) ++changes_of_parts;
    CHECK(have_same_cubic_form(table, unpacked(part.table_with(other))));
  }
  CHECK(changes > 20);
  CHECK(changes_of_parts > 10);
}

TEST_CASE("the search for fewer parities uses the best of several starts", "[rank_reduction]") {
  FastRandom random(9);
  const ParityTable table = random_table(random, 6, 30);
  const ParityTable fewer = reduced(table, 1);
  REQUIRE(fewer.size() < table.size());
  FastRandom other(2);
  const ParityTable best = with_fewer_parities(std::vector<ParityTable>{table, fewer}, nullptr,
                                               {24, 1}, Budget::of_ticks(1), other);
  CHECK(best.size() <= fewer.size());
  CHECK(have_same_cubic_form(table, best));
}

TEST_CASE("equal seeds give equal tables in a budget of ticks", "[rank_reduction]") {
  FastRandom random(10);
  const ParityTable table = random_table(random, 8, 60);
  CHECK(reduced(table, 3) == reduced(table, 3));
}
