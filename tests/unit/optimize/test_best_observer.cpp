#include "optimize/state/best_observer.hpp"

#include <catch2/catch.hpp>
#include <future>
#include <stdexcept>
#include <vector>

#include "search_fixture.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

/// Versions of a circuit of ten gates, and their costs.
struct Versions {
  [[nodiscard]] Version of_cost(std::size_t cost) const {
    Version version = fixture.state.now();
    fixture.state.replace_in(version, 0,
                             {gates_of_cost(cost), {}, circuit::Derivation::unrecorded()});
    return version;
  }
  void offer(BestObserver& observer, std::size_t cost) const {
    const Version version = of_cost(cost);
    observer.offer(version, fixture.state.cost_of(version));
  }

  Fixture fixture;
};

}  // namespace

TEST_CASE("an observer knows the least cost without functions", "[best observer]") {
  const Versions versions;
  BestObserver observer(versions.fixture.state, versions.fixture.state.best_cost(), {}, {});
  CHECK(observer.cost().total == 10);
  for (const std::size_t cost : {8, 9, 10, 7}) versions.offer(observer, cost);
  CHECK(observer.cost().total == 7);
  CHECK_FALSE(observer.take_best().has_value());
  observer.finish();
}

TEST_CASE("each best version is passed on, and equally good ones are not", "[best observer]") {
  const Versions versions;
  std::vector<UnformedCircuit> found;
  BestObserver observer(versions.fixture.state, versions.fixture.state.best_cost(), {},
                        [&](UnformedCircuit circuit) { found.push_back(std::move(circuit)); });
  for (const std::size_t cost : {10, 8, 9, 8, 5, 6}) versions.offer(observer, cost);
  REQUIRE(found.size() == 2);
  CHECK(found[0].operations == 8);
  CHECK(found[1].form().circuit.operations == gates_of_cost(5));
  const std::optional<Version> best = observer.take_best();
  REQUIRE(best.has_value());
  CHECK(versions.fixture.state.cost_of(*best).total == 5);
  CHECK_FALSE(observer.take_best().has_value());
  observer.finish();
}

TEST_CASE("the best of the versions that are found during a call is passed on next",
          "[best observer]") {
  const Versions versions;
  std::promise<void> is_called;
  std::promise<void> may_return;
  std::promise<void> is_called_again;
  std::vector<std::size_t> called_with;
  BestObserver observer(versions.fixture.state, versions.fixture.state.best_cost(),
                        [&](const DerivedBest& best) {
                          called_with.push_back(best.found.circuit.operations.size());
                          if (called_with.size() == 1) {
                            is_called.set_value();
                            may_return.get_future().wait();
                          } else {
                            is_called_again.set_value();
                          }
                        },
                        {});
  versions.offer(observer, 8);
  is_called.get_future().wait();
  // The search does not wait for the call.
  versions.offer(observer, 7);
  versions.offer(observer, 6);
  CHECK(observer.cost().total == 6);
  may_return.set_value();
  is_called_again.get_future().wait();
  observer.finish();
  CHECK(called_with == std::vector<std::size_t>{8, 6});
}

TEST_CASE("nothing is passed on after the end", "[best observer]") {
  const Versions versions;
  std::size_t calls = 0;
  BestObserver observer(versions.fixture.state, versions.fixture.state.best_cost(),
                        [&](const DerivedBest&) { ++calls; }, {});
  observer.finish();
  versions.offer(observer, 8);
  CHECK(calls == 0);
  CHECK(observer.cost().total == 8);
}

TEST_CASE("what the function throws is thrown at the end, and it is not called again",
          "[best observer]") {
  const Versions versions;
  std::promise<void> is_called;
  BestObserver observer(versions.fixture.state, versions.fixture.state.best_cost(),
                        [&](const DerivedBest&) {
                          is_called.set_value();
                          throw std::runtime_error("the disk is full");
                        },
                        {});
  versions.offer(observer, 8);
  is_called.get_future().wait();
  versions.offer(observer, 7);
  CHECK(observer.cost().total == 7);
  CHECK_THROWS_WITH(observer.finish(), "the disk is full");
}

TEST_CASE("versions on the way are passed on and never taken as better", "[best observer]") {
  const Versions versions;
  std::size_t better = 0;
  std::size_t best = 0;
  std::vector<UnformedCircuit> found;
  BestObserver observer(
      versions.fixture.state, versions.fixture.state.best_cost(),
      [&](const DerivedBest&) { ++better; }, [&](const UnformedCircuit&) { ++best; },
      [&](UnformedCircuit circuit) { found.push_back(std::move(circuit)); });
  const auto pass_on = [&](std::size_t cost, bool is_wanted) {
    const Version version = versions.of_cost(cost);
    const SearchCost own = versions.fixture.state.cost_of(version);
    observer.pass_on_the_way(version, is_wanted ? &own : nullptr);
  };
  pass_on(3, false);
  pass_on(9, true);
  CHECK(observer.cost().total == 10);
  CHECK_FALSE(observer.take_best().has_value());
  CHECK(best == 0);
  for (const std::size_t cost : {8, 6, 4}) versions.offer(observer, cost);
  for (const std::size_t cost : {10, 7, 6, 5, 4}) pass_on(cost, true);
  CHECK(observer.cost().total == 4);
  CHECK(best == 3);
  observer.finish();
  CHECK(better <= 3);
  REQUIRE(found.size() == 7);
  CHECK(found[0].form().circuit.operations == gates_of_cost(3));
  // The costs before are 10, 8, 6 and 4.
  const std::vector<std::size_t> better_than{0, 1, 0, 2, 2, 3, 3};
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].better_than == better_than[i]);
}
