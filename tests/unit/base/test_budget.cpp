#include "base/budget.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace quartz;

TEST_CASE("A budget without limits ends only on request", "[budget]") {
  std::stop_source source;
  Budget budget;
  budget.stop = source.get_token();
  CHECK_FALSE(budget.spent());
  CHECK_FALSE(budget.share(0.01).has_deadline());
  CHECK_FALSE(budget.limited_to({0.001, 1}).spent());
  budget.spend(1000);
  CHECK_FALSE(budget.spent());
  source.request_stop();
  CHECK(budget.spent());
  CHECK_FALSE(budget.is_over());
  CHECK(budget.share(0.5).spent());
}

TEST_CASE("Budgets in time end at their deadlines, and shares never outlive them", "[budget]") {
  CHECK(Budget::of_seconds(-1).spent());
  CHECK(Budget::of_seconds(0).spent());
  const Budget budget = Budget::of_seconds(1000);
  CHECK_FALSE(budget.spent());
  CHECK(budget.seconds_left() > 900);
  CHECK(budget.ticks_left() == 0);
  CHECK(budget.share(0.5).deadline < budget.deadline);
  CHECK(budget.share(0.5).seconds_left() > 400);
  CHECK(budget.share(2).deadline == budget.deadline);
  CHECK(budget.limited_to({1e300, 0}).deadline == budget.deadline);
  CHECK(budget.ended_earlier(10).deadline == budget.deadline - std::chrono::seconds(10));
  CHECK_FALSE(budget.is_over_for(0));
  const Budget over = Budget::of_seconds(0).ended_earlier(60);
  CHECK(over.is_over_for(60));
  CHECK_FALSE(over.is_over_for(3600));
  CHECK_FALSE(over.until_stopped().is_over_for(0));
  CHECK_FALSE(Budget::of_ticks(0).is_over_for(0));
  CHECK_FALSE(budget.until_stopped().has_deadline());
  CHECK_FALSE(Budget::of_seconds(std::numeric_limits<double>::infinity()).has_deadline());
  CHECK_FALSE(Budget::of_seconds(1e9).has_deadline());
}

TEST_CASE("Ticks are counted for all copies and shares of a budget", "[budget]") {
  const Budget budget = Budget::of_ticks(1000);
  CHECK(budget.counts_ticks());
  CHECK(budget.seconds_left() == 0);
  const Budget half = budget.share(0.5);
  CHECK(half.ticks_left() == 500);
  half.spend(200);
  CHECK(half.ticks_left() == 300);
  CHECK(budget.ticks_left() == 800);
  budget.spend(300);
  CHECK(half.spent());
  CHECK(budget.ticks_left() == 500);
  // A share has at least one tick, but none if all are spent.
  CHECK(budget.share(1e-9).ticks_left() == 1);
  budget.spend(1'000'000);
  CHECK(budget.spent());
  CHECK(budget.share(0.5).spent());
  CHECK(budget.limited_to({0, 100}).spent());
  CHECK_FALSE(budget.until_stopped().spent());
  CHECK(Budget::of_ticks(0).spent());
}

TEST_CASE("Shares of one amount do not depend on what was spent in between", "[budget]") {
  const Budget budget = Budget::of_ticks(1000);
  const Budget::Amount whole = budget.left();
  budget.spend(150);
  CHECK(budget.limited_to(whole.times(0.6)).ticks_left() == 600);
  CHECK(budget.limited_to(whole.times(0.9)).ticks_left() == 850);
}
