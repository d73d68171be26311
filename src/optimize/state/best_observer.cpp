#include "optimize/state/best_observer.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace quartz::optimizer {
namespace {

using Clock = std::chrono::steady_clock;

/// Least time between two calls, and in units of the time of a call.
constexpr std::chrono::milliseconds kInterval{200};
constexpr int kMinRest = 4;

}  // namespace

BestObserver::BestObserver(const SearchState& state, const SearchCost& cost, OnBetter on_better,
                           OnBest on_best, OnBest on_the_way)
    : state_(state),
      on_better_(std::move(on_better)),
      on_best_(std::move(on_best)),
      on_the_way_(std::move(on_the_way)),
      cost_(cost) {
  if (on_the_way_) costs_.push_back(cost);
  if (!on_better_) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {
    on_better_ = {};  // there is no memory for the stack of the thread
  }
}

void BestObserver::offer(const Version& version, const SearchCost& cost) {
  {
    const std::lock_guard lock(mutex_);
    if (!(cost < cost_)) return;
    cost_ = cost;
    if (on_best_) {
      best_ = version;
      if (on_the_way_) costs_.push_back(cost);
      on_best_(state_.unformed_circuit(version));
    }
    if (!on_better_) return;
    waiting_ = version;
  }
  changed_.notify_all();
}

void BestObserver::pass_on_the_way(const Version& version, const SearchCost* cost) {
  if (!on_the_way_) return;
  const std::lock_guard lock(mutex_);
  UnformedCircuit circuit = state_.unformed_circuit(version);
  if (cost != nullptr) {
    circuit.better_than = static_cast<std::size_t>(
        std::ranges::count_if(costs_, [&](const SearchCost& each) { return *cost < each; }));
  }
  on_the_way_(std::move(circuit));
}

SearchCost BestObserver::cost() const {
  const std::lock_guard lock(mutex_);
  return cost_;
}

std::optional<Version> BestObserver::take_best() {
  const std::lock_guard lock(mutex_);
  return std::exchange(best_, std::nullopt);
}

void BestObserver::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::optional<Version> version;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return waiting_.has_value(); })) return;
      version = std::exchange(waiting_, std::nullopt);
    }
    const Clock::time_point start = Clock::now();
    try {
      on_better_({state_.derived_circuit(*version), state_.seconds()});
    } catch (...) {
      error_ = std::current_exception();
      return;
    }
    version.reset();
    const Clock::time_point next =
        start + std::max<Clock::duration>(kInterval, kMinRest * (Clock::now() - start));
    std::unique_lock lock(mutex_);
    (void)changed_.wait_until(lock, stop, next, [] { return false; });
  }
}

void BestObserver::finish() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  waiting_.reset();
  best_.reset();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace quartz::optimizer
