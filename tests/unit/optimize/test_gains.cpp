#include "optimize/state/gains.hpp"

#include <catch2/catch.hpp>

#include "optimize/annealing/chain_gains.hpp"

using namespace quartz;

namespace {

ChainGains::Rewrite window(std::uint8_t letter) {
  return {RewriteKind::window, {{letter, letter}, {}, 0}};
}

std::uint64_t uses(const ChainGains& gains, const ChainGains::Rewrite& rewrite) {
  const auto found = gains.gains().find(rewrite);
  return found == gains.gains().end() ? 0 : found->second.uses;
}

}  // namespace

TEST_CASE("a chain's gains add up to what it gained", "[gains]") {
  ChainGains gains(100, 50);
  CHECK_FALSE(gains.is_record(100));
  CHECK(gains.is_record(99));
  gains.add(window(1), 98, 49);
  CHECK_FALSE(gains.is_record(98));
  gains.add(window(2), 90, 47);
  CHECK(gains.gains().empty());
  gains.keep(90, 47);
  gains.add(window(1), 89, 48);
  gains.keep(89, 48);
  REQUIRE(gains.gains().size() == 2);
  const Gain& first = gains.gains().at(window(1));
  CHECK(first.uses == 2);
  CHECK(first.saved == 3);
  CHECK(first.gates_removed == 0);
  const Gain& second = gains.gains().at(window(2));
  CHECK(second.uses == 1);
  CHECK(second.saved == 8);
  CHECK(second.gates_removed == 2);
}

TEST_CASE("what a chain passed by and did not keep is no gain", "[gains]") {
  ChainGains gains(100, 50);
  gains.add(window(1), 98, 49);
  gains.add(window(2), 95, 47);
  // It went up again before it was kept.
  gains.keep(97, 48);
  CHECK(uses(gains, window(1)) == 1);
  CHECK(gains.gains().at(window(1)).saved == 3);
  CHECK(gains.gains().at(window(1)).gates_removed == 2);
  CHECK(uses(gains, window(2)) == 0);
  CHECK(gains.is_record(96));

  // The walk is undone.
  gains.add(window(3), 96, 48);
  const std::size_t open = gains.open_records();
  gains.add(window(4), 80, 40);
  gains.go_back_to(open);
  CHECK(gains.is_record(95));
  CHECK_FALSE(gains.is_record(96));
  gains.keep(96, 48);
  CHECK(uses(gains, window(3)) == 1);
  CHECK(uses(gains, window(4)) == 0);
}

TEST_CASE("gains are told pass by pass, the greatest first", "[gains]") {
  using enum GateKind;
  const std::vector<OptimizePass> passes{{"anneal", ""}, {"search", ""}};
  Rewrites rewrites;
  const std::vector<Operation> pair{make_operation(h, {0}), make_operation(h, {0})};
  const std::vector<Operation> other{make_operation(cx, {0, 1}), make_operation(cx, {0, 1})};
  const std::size_t rule = rewrites.number_of({"search", RewriteKind::rule, pair, {}, Angle()});
  const std::size_t small = rewrites.number_of({"anneal", RewriteKind::window, pair, {}, Angle()});
  const std::size_t large = rewrites.number_of({"anneal", RewriteKind::window, other, {}, Angle()});
  const std::size_t unused =
      rewrites.number_of({"anneal", RewriteKind::window, other, pair, Angle()});
  CHECK(rewrites.number_of({"search", RewriteKind::rule, pair, {}, Angle()}) == rule);
  CHECK(unused != large);
  CHECK(rewrites[large].left == other);
  Gains gains;
  gains.add(rule, {5, 10, 10});
  gains.add(small, {7, 4, 1});
  gains.add(large, {1, 2, 2});
  gains.add(rule, {1, 2, 2});
  const std::vector<RewriteGain> told = gains.in_order(rewrites, passes);
  REQUIRE(told.size() == 3);
  CHECK(told[0].rewrite.left == other);
  CHECK(told[1].uses == 7);
  CHECK(told[2].rewrite.pass == "search");
  CHECK(told[2].uses == 6);
  CHECK(told[2].gates_removed == 12);
}
