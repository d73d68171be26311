#include "optimize/state/gains.hpp"

#include <catch2/catch.hpp>

using namespace quartz;
using namespace quartz::optimizer;

TEST_CASE("gains are listed by pass, the greatest first", "[gains]") {
  using enum GateKind;
  const std::vector<OptimizePass> passes{{"anneal", ""}, {"backtrack", ""}};
  Rewrites rewrites;
  const std::vector<Operation> pair{make_operation(h, {0}), make_operation(h, {0})};
  const std::vector<Operation> other{make_operation(cx, {0, 1}), make_operation(cx, {0, 1})};
  const std::size_t rule = rewrites.number_of({"backtrack", RewriteKind::rule, pair, {}, Angle()});
  const std::size_t small = rewrites.number_of({"anneal", RewriteKind::window, pair, {}, Angle()});
  const std::size_t large = rewrites.number_of({"anneal", RewriteKind::window, other, {}, Angle()});
  const std::size_t unused =
      rewrites.number_of({"anneal", RewriteKind::window, other, pair, Angle()});
  CHECK(rewrites.number_of({"backtrack", RewriteKind::rule, pair, {}, Angle()}) == rule);
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
  CHECK(told[2].rewrite.pass == "backtrack");
  CHECK(told[2].uses == 6);
  CHECK(told[2].gates_removed == 12);
}
