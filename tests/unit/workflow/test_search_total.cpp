#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "workflow/search_total.hpp"

using namespace quartz;

namespace {

EquivalenceClass rule(std::int64_t number) {
  const auto rotation = [&](std::int64_t extra) {
    return make_operation(GateKind::rz, {0}, {Angle::pi_times({number + extra, 1'000'003})});
  };
  return {{{{rotation(0)}, {}}, {{rotation(1)}, {}}}};
}

OptimizeResult search_with_rules(std::int64_t first, std::int64_t count) {
  OptimizeResult result;
  for (std::int64_t i = 0; i < count; ++i) result.rules.push_back(rule(first + i));
  return result;
}

RewriteGain gain(std::int64_t number, std::uint64_t uses) {
  RewriteGain result;
  result.rewrite.pass = "anneal";
  result.rewrite.left = rule(number).members[0].gates;
  result.uses = uses;
  result.gates_removed = static_cast<std::int64_t>(uses);
  return result;
}

}  // namespace

TEST_CASE("rules of several searches are listed once, in the order in which they were found",
          "[search total]") {
  OptimizeResult total = search_with_rules(0, 5);
  workflow::add_search(total, search_with_rules(3, 4));
  REQUIRE(total.rules.size() == 7);
  for (std::size_t i = 0; i < total.rules.size(); ++i) {
    CHECK(total.rules[i].members[0].gates == rule(static_cast<std::int64_t>(i)).members[0].gates);
  }
  // A rule with another phase is another rule.
  OptimizeResult other = search_with_rules(0, 1);
  other.rules[0].members[1].phase = Angle::pi_times({1, 4});
  workflow::add_search(total, std::move(other));
  CHECK(total.rules.size() == 8);
}

TEST_CASE("uses of a rewrite in several searches are added", "[search total]") {
  OptimizeResult total;
  OptimizeResult first;
  first.gains = {gain(1, 2), gain(2, 1)};
  workflow::add_search(total, std::move(first));
  OptimizeResult second;
  second.gains = {gain(2, 5), gain(3, 1)};
  workflow::add_search(total, std::move(second));
  REQUIRE(total.gains.size() == 3);
  CHECK(total.gains[0].uses == 6);
  CHECK(total.gains[0].gates_removed == 6);
}

TEST_CASE("the fewest products of several searches count", "[search total]") {
  const auto with_products = [](std::optional<ProductCounts> products) {
    OptimizeResult result;
    result.products = products;
    return result;
  };
  OptimizeResult total = with_products(std::nullopt);
  workflow::add_search(total, with_products(std::nullopt));
  CHECK_FALSE(total.products.has_value());
  workflow::add_search(total, with_products(ProductCounts{64, 27}));
  CHECK(total.products == ProductCounts{64, 27});
  workflow::add_search(total, with_products(std::nullopt));
  CHECK(total.products == ProductCounts{64, 27});
  workflow::add_search(total, with_products(ProductCounts{27, 24}));
  CHECK(total.products == ProductCounts{64, 24});
}

// Comparing every rule with all others takes hours.
TEST_CASE("many rules are added", "[search total]") {
  constexpr std::int64_t count = 200'000;
  OptimizeResult total;
  workflow::add_search(total, search_with_rules(0, count));
  workflow::add_search(total, search_with_rules(count / 2, count));
  CHECK(total.rules.size() == count + count / 2);
}
