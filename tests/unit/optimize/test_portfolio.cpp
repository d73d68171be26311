#include "optimize/search/portfolio.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "optimize/search/search.hpp"
#include "search_fixture.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();

/// Returns the circuit of which starts are made; it costs 30.
Circuit given_circuit() { return make_circuit(1, gates_of_cost(30)); }

/// A search that spends some ticks, and replaces a circuit of one cost by a circuit of another one;
/// it has no result if there is no other one.
class CostChange : public Search {
 public:
  using Change = std::function<std::optional<std::size_t>(std::size_t)>;

  CostChange(std::uint64_t ticks, Change change) : ticks_(ticks), change_(std::move(change)) {}

  std::vector<std::size_t> costs_found = {};  ///< cost of the circuit at the start of each run

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    costs_found.push_back(state.cost().total);
    budget.spend(std::min(ticks_, budget.ticks_left()));
    const std::optional<std::size_t> cost = change_(state.cost().total);
    if (!cost) return Outcome::no_result;
    state.replace(0, {gates_of_cost(*cost), {}, circuit::Derivation::unrecorded()});
    state.keep_best();
    return Outcome::budget_spent;
  }

  std::uint64_t ticks_;
  Change change_;
};

std::shared_ptr<CostChange> to_cost(std::optional<std::size_t> cost) {
  return std::make_shared<CostChange>(0, [cost](std::size_t) { return cost; });
}

std::shared_ptr<CostChange> by(std::uint64_t ticks, CostChange::Change change) {
  return std::make_shared<CostChange>(ticks, std::move(change));
}

/// Too few steps for slices after the trials.
Budget few_steps() { return Budget::of_ticks(1'000); }

}  // namespace

TEST_CASE("A portfolio continues with the start that leads furthest", "[portfolio]") {
  Fixture fixture(given_circuit());
  // The second start costs more before its trial and less after it.
  const auto improvement = by(10, [](std::size_t cost) { return cost == 24 ? 12 : cost - 1; });
  const SearchPointer portfolio = make_portfolio(
      fixture.problem, {{{to_cost(20), 0.1, 1.2}, {to_cost(24), 0.1, 1.5}}, {}, improvement});
  (void)portfolio->run(fixture.state, few_steps());
  CHECK(fixture.state.cost().total == 12);
  CHECK(improvement->costs_found == std::vector<std::size_t>{20, 24});
}

TEST_CASE("A portfolio does not try a start that costs too much, or that there is not",
          "[portfolio]") {
  Fixture fixture(given_circuit());
  const auto improvement = by(10, [](std::size_t cost) { return cost - 1; });
  const SearchPointer portfolio = make_portfolio(
      fixture.problem, {{{to_cost(20), 0.1, 1.2}, {to_cost(31), 0.1, 1.5}, {to_cost({}), 0.1, 1.5}},
                        {},
                        improvement});
  (void)portfolio->run(fixture.state, few_steps());
  CHECK(fixture.state.cost().total == 20);
  CHECK(improvement->costs_found.empty());
}

TEST_CASE("A portfolio tries starts that are not improved yet beside one that is", "[portfolio]") {
  for (const bool is_improved : {false, true}) {
    Fixture fixture(given_circuit());
    Start improved{to_cost(10), 0.1, 1.2};
    improved.is_improved = is_improved;
    // The other start costs twice as much, and less after its trial.
    const auto improvement = by(10, [](std::size_t cost) { return cost == 20 ? 5 : cost - 1; });
    const SearchPointer portfolio = make_portfolio(
        fixture.problem,
        {{{to_cost(20), 0.1, 1.0}, {to_cost(21), 0.1, 1.0}, improved}, {}, improvement});
    (void)portfolio->run(fixture.state, few_steps());
    if (is_improved) {
      CHECK(improvement->costs_found == std::vector<std::size_t>{10, 20});
      CHECK(fixture.state.cost().total == 5);
    } else {
      CHECK(improvement->costs_found.empty());
      CHECK(fixture.state.cost().total == 10);
    }
  }
}

TEST_CASE("A portfolio that is overdue makes one start", "[portfolio]") {
  const auto starts_made = [](const Budget& budget) {
    Fixture fixture(given_circuit());
    fixture.problem.budget = budget;
    const auto missing = to_cost({});
    const auto first = to_cost(20);
    const auto second = to_cost(19);
    const SearchPointer portfolio = make_portfolio(
        fixture.problem, {{{missing, 0.1, 1.2}, {first, 0.1, 1.2}, {second, 0.1, 1.2}},
                          {},
                          by(10, [](std::size_t cost) { return cost; })});
    (void)portfolio->run(fixture.state, budget);
    return missing->costs_found.size() + first->costs_found.size() + second->costs_found.size();
  };
  CHECK(starts_made(few_steps()) == 3);
  CHECK(starts_made(Budget::of_seconds(0).ended_earlier(60)) == 1);
}

TEST_CASE("A portfolio takes detours and makes starts again while they bring gains",
          "[portfolio]") {
  Fixture fixture(given_circuit());
  const auto start = to_cost(25);
  // Only circuits after a detour are improved, down to a cost of 17.
  const auto detour = by(10'000, [](std::size_t cost) { return cost + 100; });
  const auto improvement =
      by(200'000, [](std::size_t cost) { return cost > 117 ? cost - 101 : cost; });
  const SearchPointer portfolio = make_portfolio(
      fixture.problem,
      {{{to_cost(20), 0.1, 1.2}, {start, 0.1, 1.5, kAlways}}, {detour}, improvement});
  const Budget budget = Budget::of_ticks(1'000'000'000);
  (void)portfolio->run(fixture.state, budget);
  CHECK(fixture.state.cost().total == 17);
  // They start at the best circuit or at a new start.
  REQUIRE(detour->costs_found.size() > 3);
  CHECK(std::ranges::count(detour->costs_found, 20) > 0);
  CHECK(std::ranges::count(detour->costs_found, 19) > 0);
  CHECK(std::ranges::count(detour->costs_found, 25) > 0);
  // A start is made of the given circuit.
  REQUIRE(start->costs_found.size() > 1);
  CHECK(start->costs_found[1] == 30);
  // The portfolio ends when there is no more to gain.
  CHECK_FALSE(budget.spent());
}

TEST_CASE("A portfolio does not make a start again in circuits that are too large for it",
          "[portfolio]") {
  for (const std::uint64_t most_gates : {19, 20}) {
    Fixture fixture(given_circuit());
    const auto start = to_cost(25);
    const SearchPointer portfolio =
        make_portfolio(fixture.problem, {{{to_cost(20), 0.1, 1.2}, {start, 0.1, 1.5, most_gates}},
                                         {},
                                         by(200'000, [](std::size_t cost) { return cost; })});
    (void)portfolio->run(fixture.state, Budget::of_ticks(1'000'000'000));
    CHECK((start->costs_found.size() > 1) == (most_gates == 20));
  }
}

TEST_CASE("A portfolio continues for longer without a gain if the circuit has few gates",
          "[portfolio]") {
  const auto runs = [](std::size_t gates) {
    Fixture fixture(make_circuit(1, gates_of_cost(gates)));
    const auto improvement = by(200'000, [](std::size_t cost) { return cost; });
    const Budget budget = Budget::of_ticks(1'000'000'000);
    (void)make_portfolio(fixture.problem, {{{to_cost(gates), 0.1, 1.2}}, {}, improvement})
        ->run(fixture.state, budget);
    CHECK_FALSE(budget.spent());
    return improvement->costs_found.size();
  };
  CHECK(runs(99) > 10 * runs(100));
}

TEST_CASE("A portfolio leaves small circuits to other searches after the trials", "[portfolio]") {
  Fixture fixture(given_circuit());
  const auto detour = to_cost(3);
  const SearchPointer portfolio =
      make_portfolio(fixture.problem, {{{to_cost(10), 0.1, 1.2}}, {detour}, to_cost(2)});
  (void)portfolio->run(fixture.state, Budget::of_ticks(1'000'000'000));
  CHECK(fixture.state.cost().total == 10);
  CHECK(detour->costs_found.empty());
}

TEST_CASE("A second run of a portfolio has no starts of the first one", "[portfolio]") {
  Fixture fixture(given_circuit());
  std::optional<std::size_t> cost = 25;
  const auto start = by(0, [&](std::size_t) { return cost; });
  const SearchPointer portfolio =
      make_portfolio(fixture.problem, {{{to_cost(20), 0.1, 1.2}, {start, 0.1, 1.5, kAlways}},
                                       {},
                                       by(200'000, [](std::size_t found) { return found; })});
  (void)portfolio->run(fixture.state, Budget::of_ticks(1'000'000'000));
  const std::size_t runs = start->costs_found.size();
  CHECK(runs > 1);
  cost.reset();
  (void)portfolio->run(fixture.state, Budget::of_ticks(1'000'000'000));
  CHECK(start->costs_found.size() == runs + 1);
}

TEST_CASE("A start that is made again is made by its other search, in each run of a portfolio",
          "[portfolio]") {
  Fixture fixture(given_circuit());
  const auto first = to_cost(25);
  const auto other = to_cost(24);
  const SearchPointer portfolio =
      make_portfolio(fixture.problem, {{{to_cost(20), 0.1, 1.2}, {first, 0.1, 1.5, kAlways, other}},
                                       {},
                                       by(200'000, [](std::size_t found) { return found; })});
  for (std::size_t run = 1; run <= 2; ++run) {
    const std::size_t before = other->costs_found.size();
    (void)portfolio->run(fixture.state, Budget::of_ticks(1'000'000'000));
    CHECK(first->costs_found.size() == run);
    CHECK(other->costs_found.size() > before + 1);
  }
}
