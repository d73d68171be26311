#include "parity_chains/parallel_walks.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/chains/chain_population.hpp"

namespace quartz::parity_chains {

namespace {

using Clock = std::chrono::steady_clock;

/// Batches of each chain between two exchanges.
constexpr std::uint32_t kBatchesPerRound = 4000;
/// A device cannot be interrupted. With a deadline, or a user who may stop the search, a round is
/// made in launches that take about this time, the first one of which has this number of batches.
constexpr std::chrono::duration<double> kTimeOfLaunch{0.1};
constexpr std::uint32_t kFirstLaunch = 250;
/// Batches of all chains that count as a tick, which a device tests in about a microsecond.
constexpr std::uint64_t kBatchesPerTick = 2;
/// A chain that is behind goes on from another one's table after as many rounds without a smaller
/// one.
constexpr std::uint64_t kRoundsBehind = 12;

/// Makes rounds of walks.
class Rounds {
 public:
  Rounds(ParityWalks& walks, const Budget& budget)
      : walks_(walks),
        budget_(budget),
        launch_(budget.counts_ticks() ? kBatchesPerRound : kFirstLaunch) {}

  /// Returns whether there is time for a launch like the last one.
  [[nodiscard]] bool have_time() const {
    return !budget_.spent() && (!budget_.has_deadline() || budget_.seconds_left() >= last_.count());
  }
  /// Makes a round, or the part for which there is time, and calls a function while the device
  /// works. Returns the number of points of each chain's table.
  template <typename Function>
  std::vector<std::uint32_t> run(const Function& meanwhile) {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t left = kBatchesPerRound; left > 0 && (sizes.empty() || have_time());) {
      const std::uint32_t batches = std::min(left, launch_);
      const Clock::time_point start = Clock::now();
      walks_.begin(batches);
      if (sizes.empty()) meanwhile();
      const Clock::time_point wait = Clock::now();
      sizes = walks_.finish();
      last_ = Clock::now() - start;
      if (!budget_.counts_ticks()) adapt(Clock::now() - wait);
      left -= batches;
    }
    return sizes;
  }

 private:
  void adapt(std::chrono::duration<double> wait) {
    if (2 * last_ < kTimeOfLaunch) launch_ = std::min(2 * launch_, kBatchesPerRound);
    // What the host did meanwhile is no reason for shorter launches.
    if (wait > 2 * kTimeOfLaunch) launch_ = std::max(launch_ / 2, std::uint32_t{1});
  }

  ParityWalks& walks_;
  const Budget& budget_;
  std::uint32_t launch_;  ///< batches
  std::chrono::duration<double> last_{};
};

}  // namespace

ParallelWalks walked_in_parallel(const ParityBackend& backend, const ParityWalkStart& start,
                                 const WalkCallbacks& callbacks, const Budget& budget,
                                 std::uint32_t most_chains) {
  ParallelWalks result{*std::ranges::min_element(start.tables, {}, &Points::size), 0, 0};
  if (budget.spent()) return result;
  const auto walks = backend.make(start, most_chains);
  result.chains = walks->chains();
  const std::size_t capacity = std::ranges::max(start.tables, {}, &Points::size).size();
  ChainPopulation population(result.chains, capacity, kRoundsBehind, start.seed);
  Rounds rounds(*walks, budget);
  for (std::uint64_t round = 1; rounds.have_time(); ++round) {
    if (!budget.counts_ticks() && callbacks.is_over && callbacks.is_over()) break;
    std::optional<Points> drawn;
    const std::vector<std::uint32_t> sizes = rounds.run([&] {
      if (callbacks.draw) drawn = callbacks.draw();
    });
    budget.spend(std::uint64_t{kBatchesPerRound} * result.chains / kBatchesPerTick);
    const auto least = std::ranges::min_element(sizes);
    if (*least < result.points.size()) {
      result.points = walks->table_of(static_cast<std::uint32_t>(least - sizes.begin()));
    }
    walks->continue_from(population.next_sources(sizes, round));
    if (drawn && !drawn->empty() && drawn->size() <= capacity) {
      const auto most = std::ranges::max_element(sizes);
      const auto chain = static_cast<std::uint32_t>(most - sizes.begin());
      walks->restart(chain, *drawn);
      population.restart(chain, round);
    }
  }
  result.candidates = walks->candidates();
  return result;
}

}  // namespace quartz::parity_chains
