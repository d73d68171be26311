#include "optimize/search/combinators.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "optimize/search/if_expressible.hpp"
#include "random_circuits.hpp"
#include "search_fixture.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

/// A search that does what its members say and records its runs.
class FakeSearch : public Search {
 public:
  explicit FakeSearch(Outcome outcome, std::optional<std::size_t> cost = {},
                      std::uint64_t ticks = 0)
      : outcome_(outcome), cost_(cost), ticks_(ticks) {}

  [[nodiscard]] std::optional<std::string> obstacle(const Problem&) const override {
    return reason;
  }
  [[nodiscard]] bool is_bounded() const override { return bounded; }

  std::optional<std::string> reason = {};
  bool bounded = false;
  std::vector<std::uint64_t> ticks_given = {};  ///< for each run
  std::vector<double> seconds_given = {};       ///< for each run
  std::vector<std::size_t> costs_found = {};    ///< cost of the circuit at the start of each run

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    ticks_given.push_back(budget.ticks_left());
    seconds_given.push_back(budget.seconds_left());
    costs_found.push_back(state.cost().total);
    budget.spend(std::min(ticks_, budget.ticks_left()));
    if (cost_) {
      state.replace(0, {gates_of_cost(*cost_), {}, circuit::Derivation::unrecorded()});
      state.keep_best();
      if (*cost_ != 0) --*cost_;
    }
    return outcome_;
  }

  Outcome outcome_;
  std::optional<std::size_t> cost_;  ///< the next run makes a circuit that costs this much
  std::uint64_t ticks_;              ///< that a run spends if it has them
};

using FakePointer = std::shared_ptr<FakeSearch>;

FakePointer fake(Outcome outcome, std::optional<std::size_t> cost = {}, std::uint64_t ticks = 0) {
  return std::make_shared<FakeSearch>(outcome, cost, ticks);
}

FakePointer fake_that_does_not_apply(const std::string& reason = "it is a fake") {
  FakePointer search = fake(Outcome::exhausted);
  search->reason = reason;
  return search;
}

/// A rewriter that returns a circuit of each of these costs in turn, and the last one ever after.
class FakeRewriter : public SegmentRewriter {
 public:
  explicit FakeRewriter(std::vector<std::size_t> costs) : costs_(std::move(costs)) {}
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget&) override {
    sizes_given.push_back(gates.size());
    const std::size_t cost = costs_.at(std::min(sizes_given.size(), costs_.size()) - 1);
    return {gates_of_cost(cost), Angle::pi_times(Rational(1, 4)),
            circuit::Derivation::unrecorded()};
  }

  std::vector<std::size_t> sizes_given = {};

 private:
  std::vector<std::size_t> costs_;
};

std::shared_ptr<FakeRewriter> fake_rewriter(std::vector<std::size_t> costs) {
  return std::make_shared<FakeRewriter>(std::move(costs));
}

using Ticks = std::vector<std::uint64_t>;
using Sizes = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a search that does not apply is not run, and has no result", "[combinators]") {
  Fixture fixture;
  const FakePointer search = fake_that_does_not_apply();
  CHECK_FALSE(search->applies(fixture.problem));
  CHECK(search->run(fixture.state, Budget()) == Outcome::no_result);
  CHECK(search->ticks_given.empty());
}

TEST_CASE("a sequence gives each search its share of the whole budget", "[combinators]") {
  Fixture fixture;
  const FakePointer first = fake(Outcome::budget_spent, 9, 1000);
  const FakePointer second = fake(Outcome::budget_spent, 8, 1000);
  const FakePointer last = fake(Outcome::converged, 7, 5);
  const Budget budget = Budget::of_ticks(100);
  Sequence sequence({{first, 0.25}, {second, 0.5}, {last}});
  CHECK(sequence.run(fixture.state, budget) == Outcome::converged);
  CHECK(first->ticks_given == Ticks{25});
  CHECK(second->ticks_given == Ticks{50});
  CHECK(last->ticks_given == Ticks{25});
  CHECK(last->costs_found == Sizes{8});
  CHECK(budget.ticks_left() == 20);
}

TEST_CASE("a sequence skips searches that do not apply", "[combinators]") {
  Fixture fixture;
  const FakePointer first = fake(Outcome::converged);
  const FakePointer last = fake_that_does_not_apply();
  Sequence sequence({{fake_that_does_not_apply(), 0.3}, {first, 0.3}, {last, 0.4}});
  CHECK(sequence.run(fixture.state, Budget::of_ticks(100)) == Outcome::converged);
  CHECK(first->ticks_given == Ticks{30});
  CHECK(last->ticks_given.empty());
}

TEST_CASE("the last search of a sequence that applies gets all the time that is left",
          "[combinators]") {
  Fixture fixture;
  const FakePointer first = fake(Outcome::exhausted);
  const FakePointer last = fake(Outcome::exhausted);
  Sequence sequence({{first, 0.25}, {last, 0.25}, {fake_that_does_not_apply(), 0.5}});
  (void)sequence.run(fixture.state, Budget::of_seconds(1e6));
  CHECK(first->seconds_given[0] < 0.26e6);
  CHECK(last->seconds_given[0] > 0.9e6);
}

TEST_CASE("bounded searches are left out once the whole search is overdue", "[combinators]") {
  const Budget over = Budget::of_seconds(0).ended_earlier(60);
  const auto runs = [](const Budget& whole, const Budget& budget) {
    Fixture fixture;
    fixture.problem.budget = whole;
    const std::array<FakePointer, 4> fakes{fake(Outcome::exhausted), fake(Outcome::exhausted),
                                           fake(Outcome::exhausted), fake(Outcome::exhausted)};
    Sequence sequence({{fakes[0]}, {fakes[1]}});
    FollowedBy followed(fakes[2], fakes[3]);
    (void)sequence.run(fixture.state, budget);
    (void)followed.run(fixture.state, budget);
    std::vector<std::size_t> counts;
    for (const FakePointer& each : fakes) counts.push_back(each->ticks_given.size());
    return counts;
  };
  CHECK(runs(over, over) == Sizes{1, 0, 1, 0});
  // A share of the time that is over, all the time that bounded work takes, and a number of ticks
  CHECK(runs(Budget::of_seconds(60), over) == Sizes{1, 1, 1, 1});
  CHECK(runs(over, over.until_stopped()) == Sizes{1, 1, 1, 1});
  CHECK(runs(Budget::of_ticks(0), Budget::of_ticks(0)) == Sizes{1, 1, 1, 1});
}

TEST_CASE("a sequence ends when it is stopped", "[combinators]") {
  Fixture fixture;
  std::stop_source source;
  source.request_stop();
  const FakePointer search = fake(Outcome::exhausted);
  Sequence sequence({{search}});
  CHECK(sequence.run(fixture.state, Budget::of_ticks(10, source.get_token())) ==
        Outcome::budget_spent);
  CHECK(search->ticks_given.empty());
}

TEST_CASE("a sequence is bounded if all of its searches are", "[combinators]") {
  const FakePointer bounded = fake(Outcome::exhausted);
  bounded->bounded = true;
  CHECK(Sequence({{bounded}, {bounded}}).is_bounded());
  CHECK_FALSE(Sequence({{bounded}, {fake(Outcome::exhausted)}}).is_bounded());
}

TEST_CASE("what follows a search is run also if that does not apply", "[combinators]") {
  Fixture fixture;
  const FakePointer next = fake(Outcome::exhausted, 9);
  FollowedBy followed(fake_that_does_not_apply(), next);
  CHECK(followed.run(fixture.state, Budget()) == Outcome::no_result);
  CHECK(fixture.state.best_cost().total == 9);
}

TEST_CASE("a search is tied to another one that has to apply", "[combinators]") {
  Fixture fixture;
  const FakePointer search = fake(Outcome::converged);
  IfApplies tied(fake_that_does_not_apply("there is no table"), search);
  CHECK(tied.obstacle(fixture.problem) == "there is no table");
  CHECK(tied.run(fixture.state, Budget()) == Outcome::no_result);
  CHECK(search->ticks_given.empty());
  CHECK(IfApplies(fake(Outcome::exhausted), search).run(fixture.state, Budget()) ==
        Outcome::converged);
}

TEST_CASE("the first search that applies is run", "[combinators]") {
  Fixture fixture;
  const FakePointer chosen = fake(Outcome::converged);
  const FakePointer other = fake(Outcome::exhausted);
  FirstThatApplies first({fake_that_does_not_apply(), chosen, other});
  CHECK(first.applies(fixture.problem));
  CHECK(first.run(fixture.state, Budget::of_ticks(5)) == Outcome::converged);
  CHECK(chosen->ticks_given == Ticks{5});
  CHECK(other->ticks_given.empty());
  FirstThatApplies none({fake_that_does_not_apply("one"), fake_that_does_not_apply("two")});
  CHECK(none.obstacle(fixture.problem) == "one");
  CHECK(none.run(fixture.state, Budget()) == Outcome::no_result);
}

TEST_CASE("the best of several candidates is continued with", "[combinators]") {
  Fixture fixture;
  const FakePointer cheap = fake(Outcome::exhausted, 6, 100);
  const FakePointer dear = fake(Outcome::exhausted, 8, 100);
  BestOf best({{{cheap, 0.2}}, {{dear, 0.3}}});
  CHECK(best.run(fixture.state, Budget::of_ticks(100)) == Outcome::exhausted);
  CHECK(cheap->ticks_given == Ticks{20});
  CHECK(dear->ticks_given == Ticks{30});
  CHECK(dear->costs_found == Sizes{10});  // from the same version
  CHECK(fixture.state.cost().total == 6);
}

TEST_CASE("the last of equally good candidates is continued with", "[combinators]") {
  Fixture fixture;
  const auto rewriter = fake_rewriter({7});
  BestOf best({{{std::make_shared<RewriteSegments>(rewriter)}}, {{fake(Outcome::exhausted, 7)}}});
  CHECK(best.run(fixture.state, Budget()) == Outcome::exhausted);
  // The first candidate has a phase.
  CHECK(fixture.state.now().phase.is_zero());
  CHECK(rewriter->sizes_given == Sizes{10});
}

TEST_CASE("candidates without a result are dropped, and the last one left is not run",
          "[combinators]") {
  Fixture fixture;
  const FakePointer after = fake(Outcome::exhausted, 3);
  const FakePointer other = fake(Outcome::exhausted, 8);
  BestOf best({{{fake(Outcome::no_result)}, {after}}, {{other}}});
  CHECK(best.run(fixture.state, Budget()) == Outcome::no_result);
  CHECK(after->ticks_given.empty());
  CHECK(other->ticks_given.empty());
  CHECK(fixture.state.cost().total == 10);
}

TEST_CASE("rounds get equal parts, and those without a gain are undone", "[combinators]") {
  Fixture fixture;
  const FakePointer search = fake(Outcome::budget_spent, 12, 1000);  // 12, 11, 10, 9
  Rounds rounds([](const SearchState&, const Budget::Amount& amount) { return amount.ticks / 25; },
                search);
  CHECK(rounds.run(fixture.state, Budget::of_ticks(100)) == Outcome::budget_spent);
  CHECK(search->ticks_given == Ticks{25, 25, 25, 25});
  CHECK(search->costs_found == Sizes{10, 10, 10, 10});
  CHECK(fixture.state.cost().total == 9);
}

TEST_CASE("rounds end with the budget, are at least one, and may have no result", "[combinators]") {
  Fixture fixture;
  const FakePointer search = fake(Outcome::no_result);
  const auto count_of = [](std::size_t rounds) {
    return [rounds](const SearchState&, const Budget::Amount&) { return rounds; };
  };
  CHECK(Rounds(count_of(0), search).run(fixture.state, Budget::of_ticks(10)) == Outcome::no_result);
  CHECK(search->ticks_given == Ticks{10});
  CHECK(Rounds(count_of(3), search).run(fixture.state, Budget::of_ticks(0)) ==
        Outcome::budget_spent);
  CHECK(search->ticks_given.size() == 1);
}

TEST_CASE("two searches alternate in proportion until neither gains", "[combinators]") {
  Fixture fixture;
  const FakePointer first = fake(Outcome::converged, {}, 50);
  const FakePointer second = fake(Outcome::budget_spent, {}, 1000);
  UntilNoGain both(0.5, first, second);
  CHECK(both.run(fixture.state, Budget::of_ticks(10'000)) == Outcome::converged);
  CHECK(second->ticks_given == Ticks{50});
  CHECK(first->ticks_given.size() == 1);
  // The second search finds something better in each turn, so they go on until the end.
  const FakePointer gaining = fake(Outcome::budget_spent, 9, 1000);
  CHECK(UntilNoGain(0.5, first, gaining).run(fixture.state, Budget::of_ticks(300)) ==
        Outcome::budget_spent);
  CHECK(gaining->ticks_given == Ticks{50, 50, 50});
}

TEST_CASE("the second of two searches gets all the rest unless the first one converges",
          "[combinators]") {
  Fixture fixture;
  const FakePointer second = fake(Outcome::exhausted);
  UntilNoGain both(0.9, fake(Outcome::budget_spent, {}, 60), second);
  CHECK(both.run(fixture.state, Budget::of_ticks(100)) == Outcome::exhausted);
  CHECK(second->ticks_given == Ticks{40});
  // One that does not apply does not converge.
  CHECK(UntilNoGain(0.9, fake_that_does_not_apply(), second)
            .run(fixture.state, Budget::of_ticks(100)) == Outcome::exhausted);
  CHECK(second->ticks_given == Ticks{40, 100});
}

TEST_CASE("a share of a budget is a share of what is left", "[combinators]") {
  Fixture fixture;
  const FakePointer search = fake(Outcome::budget_spent);
  const Budget budget = Budget::of_ticks(100);
  budget.spend(20);
  CHECK(Share(0.5, search).run(fixture.state, budget) == Outcome::budget_spent);
  CHECK(search->ticks_given == Ticks{40});
}

TEST_CASE("a pass is reported, and has the outcome of its search", "[combinators]") {
  Fixture fixture;
  Pass pass({"fake", "a fake"}, fake(Outcome::converged, 7));
  CHECK(pass.run(fixture.state, Budget()) == Outcome::converged);
  REQUIRE(fixture.state.figures.passes.size() == 1);
  CHECK(fixture.state.figures.passes[0].gates_removed == 3);
  CHECK(fixture.state.figures.passes[0].runs_that_paid == 1);
}

namespace {

/// Records the sizes of the segments that it sees.
class SegmentSizes : public Search {
 public:
  explicit SegmentSizes(std::vector<Outcome> outcomes) : outcomes_(std::move(outcomes)) {}
  std::vector<Sizes> runs = {};

 private:
  Outcome run_applicable(SearchState& state, const Budget&) override {
    Sizes& sizes = runs.emplace_back();
    for (std::size_t i = 0; i < state.segment_count(); ++i) {
      sizes.push_back(state.segment(i).gates.size());
    }
    return outcomes_.at(std::min(runs.size(), outcomes_.size()) - 1);
  }

  std::vector<Outcome> outcomes_;
};

}  // namespace

TEST_CASE("divided segments are searched first, then joined ones", "[combinators]") {
  Fixture fixture(circuit_with_bodies());
  const auto sizes =
      std::make_shared<SegmentSizes>(std::vector<Outcome>{Outcome::exhausted, Outcome::no_result});
  DividedThenJoined both(sizes);
  CHECK(both.run(fixture.state, Budget()) == Outcome::exhausted);
  CHECK(sizes->runs == std::vector<Sizes>{{2, 3, 2, 1, 1, 5}, {9, 5}});
  // The next time, only the bodies are divided from the rest.
  (void)both.run(fixture.state, Budget());
  REQUIRE(sizes->runs.size() == 4);
  CHECK(sizes->runs[2] == Sizes{3, 0});
  CHECK(sizes->runs[3] == Sizes{9, 5});
}

TEST_CASE("a joined run without a result does not hide the result of the divided one",
          "[combinators]") {
  Fixture fixture(circuit_with_bodies());
  CHECK(DividedThenJoined(std::make_shared<SegmentSizes>(std::vector<Outcome>{Outcome::no_result}))
            .run(fixture.state, Budget()) == Outcome::no_result);
}

TEST_CASE("bodies are searched first, in a tenth of the budget", "[combinators]") {
  Fixture fixture(circuit_with_bodies());
  const auto sizes = std::make_shared<SegmentSizes>(std::vector<Outcome>{Outcome::exhausted});
  CHECK(BodiesFirst(sizes).run(fixture.state, Budget()) == Outcome::exhausted);
  CHECK(sizes->runs == std::vector<Sizes>{{3, 0}, {2, 3, 2, 1, 1, 5}});
  const FakePointer search = fake(Outcome::exhausted);
  (void)BodiesFirst(search).run(fixture.state, Budget::of_ticks(100));
  CHECK(search->ticks_given == Ticks{10, 100});
  // Without conditions there is one run.
  Fixture plain;
  (void)BodiesFirst(search).run(plain.state, Budget::of_ticks(100));
  CHECK(search->ticks_given == Ticks{10, 100, 100});
}

TEST_CASE("what replaces a body is put under its condition, in its place", "[combinators]") {
  Fixture fixture(circuit_with_bodies());
  REQUIRE(fixture.state.isolate_bodies());
  CHECK(fixture.state.circuit_of(fixture.state.now()) == fixture.circuit);
  CHECK(fixture.state.cost().total == 14);
  fixture.state.replace(
      0, {{make_operation(GateKind::x, {1})}, {}, circuit::Derivation::unrecorded()});
  CHECK(fixture.state.cost().total == 12);
  Circuit expected = fixture.circuit;
  expected.operations.erase(expected.operations.begin() + 3, expected.operations.begin() + 5);
  Operation gate = make_operation(GateKind::x, {1});
  gate.classical = expected.operations[2].classical;
  expected.operations[2] = gate;
  CHECK(fixture.state.circuit_of(fixture.state.now()) == expected);
  fixture.state.divide(Segments::joined);
  CHECK(fixture.state.circuit_of(fixture.state.now()) == expected);
  CHECK(fixture.state.cost().total == 12);
}

TEST_CASE("rewriters are applied in turn as long as the cost falls", "[combinators]") {
  const Fixture fixture;
  const auto one = fake_rewriter({8, 6, 6});
  const auto other = fake_rewriter({7, 9, 6});
  FixedPoint fixed(fixture.problem, {one, other});
  const circuit::DerivedGates result = fixed.rewrite(gates_of_cost(10), Budget());
  // 8, 7, 6, 9 (dropped), 6: two steps without a gain end it.
  CHECK(one->sizes_given == Sizes{10, 7, 6});
  CHECK(other->sizes_given == Sizes{8, 6});
  CHECK(result.gates.size() == 6);
  // The phase of a dropped step is dropped, too.
  CHECK(result.phase == Angle::pi_times(Rational(4, 4)));
}

TEST_CASE("a fixed point ends with the budget, and after some rounds", "[combinators]") {
  const Fixture fixture;
  const auto rewriter = fake_rewriter({9, 8, 7, 6, 5, 4, 3, 2, 1});
  FixedPoint fixed(fixture.problem, {rewriter});
  CHECK(fixed.rewrite(gates_of_cost(10), Budget::of_ticks(0)).gates.size() == 10);
  CHECK(rewriter->sizes_given.empty());
  CHECK(fixed.rewrite(gates_of_cost(10), Budget()).gates.size() == 4);
}

TEST_CASE("the cheapest of several rewriters is chosen, the first of equal ones", "[combinators]") {
  const Fixture fixture;
  const auto first = fake_rewriter({8});
  const auto cheapest = fake_rewriter({5});
  const auto equal = fake_rewriter({5});
  CheapestOf choice(fixture.problem, 20, {first, cheapest, equal});
  CHECK(choice.rewrite(gates_of_cost(10), Budget()).gates.size() == 5);
  CHECK(equal->sizes_given == Sizes{10});
  // Larger segments get only the first one.
  CHECK(choice.rewrite(gates_of_cost(21), Budget()).gates.size() == 8);
  CHECK(cheapest->sizes_given == Sizes{10});
}

TEST_CASE("only the first of several rewriters is applied if no time is left", "[combinators]") {
  const Fixture fixture;
  const auto other = fake_rewriter({5});
  CheapestOf choice(fixture.problem, 20, {fake_rewriter({8}), other});
  CHECK(choice.rewrite(gates_of_cost(10), Budget::of_seconds(-1)).gates.size() == 8);
  CHECK(other->sizes_given.empty());
}

TEST_CASE("segments are rewritten, and a circuit that gets worse is undone", "[combinators]") {
  Fixture fixture;
  RewriteSegments cheaper(fake_rewriter({7}));
  CHECK(cheaper.is_bounded());
  CHECK(cheaper.run(fixture.state, Budget::of_ticks(0)) == Outcome::exhausted);
  CHECK(fixture.state.best_cost().total == 7);
  CHECK(fixture.state.best().phase == Angle::pi_times(Rational(1, 4)));
  // Work that is not bounded ends with the ticks.
  const auto rewriter = fake_rewriter({6});
  RewriteSegments unbounded(rewriter, true);
  CHECK_FALSE(unbounded.is_bounded());
  CHECK(unbounded.run(fixture.state, Budget::of_ticks(0)) == Outcome::exhausted);
  CHECK(rewriter->sizes_given.empty());
  // A cost that is not a sum over the gates may rise.
  Fixture by_depth;
  by_depth.problem.cost = Cost(CostKind::depth);
  SearchState state(by_depth.problem);
  CHECK(RewriteSegments(fake_rewriter({12})).run(state, Budget()) == Outcome::no_result);
  CHECK(state.cost().total == 10);
  CHECK(state.now().phase.is_zero());
}

namespace {

/// A rewriter that returns a reversed gate with a phase to which that of the circuit cannot be
/// added.
class FinestPhase : public SegmentRewriter {
 public:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation>,
                                                  const Budget&) override {
    return {{make_operation(GateKind::ecr, {1, 0})},
            Angle::pi_times(Rational(1, (std::int64_t{1} << 62U) + 1)),
            circuit::Derivation::unrecorded()};
  }
};

}  // namespace

TEST_CASE("a segment stays if its phase cannot be added to that of the circuit", "[combinators]") {
  Circuit circuit =
      make_circuit(2, std::vector<Operation>(9, make_operation(GateKind::ecr, {0, 1})));
  circuit.global_phase = Angle::pi_times(Rational(1, 3037000507));
  Fixture fixture(circuit);
  CouplingMap map(true);
  map.add(0, 1);
  fixture.problem.coupling = &map;
  fixture.set = ecr_set();
  SearchState state(fixture.problem);
  (void)RewriteSegments(std::make_shared<FinestPhase>()).run(state, Budget());
  CHECK(state.circuit_of(state.now()) == fixture.circuit);
}

namespace {

/// A rewriter for which exact arithmetic does not suffice.
class OverflowingRewriter : public SegmentRewriter {
 public:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation>,
                                                  const Budget&) override {
    throw OverflowError("a sum needs more than 64 bits");
  }
};

}  // namespace

TEST_CASE("gates stay if exact arithmetic does not suffice to rewrite them", "[combinators]") {
  const std::vector<Operation> gates = gates_of_cost(3);
  const circuit::DerivedGates result = OverflowingRewriter().rewrite(gates, Budget());
  CHECK(result.gates == gates);
  CHECK(result.phase.is_zero());
  CHECK(result.derivation.history() == nullptr);
  // The result of the rewriters before it is kept.
  Fixture fixture;
  FixedPoint both(fixture.problem, {fake_rewriter({7}), std::make_shared<OverflowingRewriter>()});
  CHECK(both.rewrite(fixture.circuit.operations, Budget()).gates.size() == 7);
}

TEST_CASE("what cannot be expressed is left out, and a stop goes on", "[combinators]") {
  using Number = std::optional<int>;
  CHECK(if_expressible([] { return Number(1); }) == 1);
  CHECK_FALSE(if_expressible([]() -> Number { throw InputError("the set has no such gate"); }));
  CHECK_FALSE(if_expressible([]() -> Number { throw OverflowError("too large"); }));
  CHECK_THROWS_AS(if_expressible([]() -> Number { throw Stopped("stopped"); }), Stopped);
}
