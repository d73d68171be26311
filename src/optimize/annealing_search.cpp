#include "optimize/annealing_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <thread>

#include "quartz/errors.hpp"

namespace quartz {
namespace {

using Clock = std::chrono::steady_clock;

/// In units of the table's cost, falling geometrically, from one or the other. Measured on the Nam
/// circuits, at 6,000 moves a gate: adders and Toffolis end with 2% fewer gates from 1.0 than from
/// 0.6, multipliers with 2% fewer from 0.6 than from 1.0, and 7% fewer than from 1.4.
constexpr std::array kFirstTemperatures{1.0, 0.6};
constexpr double kLastTemperature = 0.2;
/// Moves between two looks at the clock: about a millisecond.
constexpr std::uint64_t kBatch = 2000;
/// A run from the first to the last temperature has this many moves a gate, or all that time
/// allows. Of 12,000 moves a gate, runs of 100 to 1,500 lead equally far, and runs of more less.
constexpr std::uint64_t kMovesAGate = 500;
constexpr double kMostRuns = 1e6;
/// The next run begins where the last one ended, unless that is worse than the best by this share
/// and so many times what a gate adds; then it begins there. Walking on leaves 0.6% fewer gates.
constexpr double kSlack = 0.005;
constexpr double kSlackGates = 2;
/// At the end, without temperature, so that nothing is left that one move finds; where time is
/// limited, in its last part.
constexpr std::uint64_t kLastMovesAGate = 40;
constexpr double kLastShare = 0.03;

/// All chains of one thread: one for each circuit.
class Chains {
 public:
  Chains(const ClassTable& table, const AnnealingLabels& labels,
         std::span<const std::vector<PlainGate>> circuits, std::uint32_t qubits,
         const AnnealingLimits& limits, std::uint64_t thread, std::uint64_t seed)
      : limits_(limits), thread_(thread), start_(Clock::now()) {
    FastRandom seeds(seed);
    for (const std::vector<PlainGate>& gates : circuits) {
      gates_ += gates.size();
      chains_.push_back(
          std::make_unique<AnnealingChain>(table, labels, WireLists(gates, qubits), seeds()));
      if (limits.record_pairs) chains_.back()->record_pairs();
    }
  }

  void run(bool reports);
  [[nodiscard]] bool converged() const { return converged_; }
  [[nodiscard]] AnnealingChain& chain(std::size_t circuit) { return *chains_[circuit]; }

 private:
  /// What part of the time or of the steps is over; the last moves are not part of it.
  [[nodiscard]] double progress() const;
  void restart_from_best();
  /// Likewise, but for chains that are not much worse than their best.
  void return_from_far();
  void last_moves();
  void batch(std::uint64_t moves, double temperature);
  [[nodiscard]] std::uint64_t best_value() const;

  const AnnealingLimits& limits_;
  const std::uint64_t thread_;
  const Clock::time_point start_;
  std::vector<std::unique_ptr<AnnealingChain>> chains_;
  std::uint64_t gates_ = 0;
  std::uint64_t moves_ = 0;
  std::uint64_t best_value_ = ~std::uint64_t{0};
  std::uint64_t moves_to_best_ = 0;
  bool converged_ = false;
  std::uint64_t run_ = 0;  ///< falls of the temperature that are over
};

double Chains::progress() const {
  if (limits_.steps != 0) return static_cast<double>(moves_) / static_cast<double>(limits_.steps);
  const Clock::time_point now = Clock::now();
  // Also where the time was over before the first move.
  if (now >= limits_.deadline) return 1;
  const std::chrono::duration<double> all = (1 - kLastShare) * (limits_.deadline - start_);
  const std::chrono::duration<double> done = now - start_;
  return done / all;
}

void Chains::batch(std::uint64_t moves, double temperature) {
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    const std::size_t gates = chain->circuit().size();
    chain->run(moves * gates / gates_ + 1, temperature);
  }
  moves_ += moves;
}

std::uint64_t Chains::best_value() const {
  std::uint64_t value = 0;
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) value += chain->best_value();
  return value;
}

void Chains::run(bool reports) {
  if (gates_ == 0) return;
  std::uint64_t runs = 1;  // the schedule is this many falls of the temperature
  for (bool first = true;; first = false) {
    const double done = progress();
    if (done >= 1 || limits_.stop.stop_requested()) break;
    if (moves_ - moves_to_best_ >= std::max(limits_.patience, 2 * moves_to_best_)) {
      converged_ = true;
      break;
    }
    // Once the speed is known, the number of runs is: a fixed one from there on.
    if (!first && runs == 1 && moves_ <= 2 * kBatch) {
      const double all_moves = static_cast<double>(moves_) / done;
      const double wanted = all_moves / static_cast<double>(kMovesAGate * gates_);
      runs = static_cast<std::uint64_t>(std::clamp(std::round(wanted), 1.0, kMostRuns));
    }
    const double place = done * static_cast<double>(runs);
    const double fall = place - std::floor(place);
    if (const auto run = static_cast<std::uint64_t>(place); run != run_) {
      run_ = run;
      return_from_far();
    }
    const double first_temperature =
        kFirstTemperatures[(run_ + thread_) % kFirstTemperatures.size()];
    batch(kBatch, first_temperature * std::pow(kLastTemperature / first_temperature, fall));
    if (const std::uint64_t value = best_value(); value < best_value_) {
      best_value_ = value;
      moves_to_best_ = moves_;
    }
    if (reports && limits_.on_progress) limits_.on_progress(moves_, best_value_);
  }
  restart_from_best();
  last_moves();
}

void Chains::restart_from_best() {
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    chain->restart(chain->best());
  }
}

void Chains::return_from_far() {
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    const AnnealingChain::Best& best = chain->best();
    const auto value = static_cast<double>(best.value);
    const auto gates = static_cast<double>(std::max<std::size_t>(best.gates.size(), 1));
    const double farthest = value * (1 + kSlack + kSlackGates / gates);
    if (static_cast<double>(chain->value()) > farthest) chain->restart(best);
  }
}

void Chains::last_moves() {
  const std::uint64_t end = moves_ + kLastMovesAGate * gates_;
  while (moves_ < end && !limits_.stop.stop_requested()) {
    if (limits_.steps == 0 && Clock::now() >= limits_.deadline) return;
    batch(kBatch, 0);
  }
}

}  // namespace

AnnealingResult anneal(const ClassTable& table,
                       std::span<const std::span<const Operation>> circuits, std::uint32_t qubits,
                       const AnnealingLimits& limits) {
  AnnealingResult result;
  AnnealingLabels labels(table.alphabet(), limits.value);
  std::vector<std::vector<PlainGate>> interned;
  std::vector<Angle> phases;
  for (const std::span<const Operation> gates : circuits) {
    const Angle before = labels.phase();
    interned.push_back(labels.intern(gates));
    Angle phase = labels.phase();
    phase.add_phase(-before);
    phases.push_back(phase);
  }
  std::vector<std::unique_ptr<Chains>> threads;
  FastRandom seeds(limits.seed);
  for (unsigned i = 0; i < std::max(limits.threads, 1U); ++i) {
    threads.push_back(
        std::make_unique<Chains>(table, labels, interned, qubits, limits, i, seeds()));
  }
  std::vector<std::exception_ptr> failures(threads.size());
  {
    std::vector<std::jthread> running;
    const auto work = [&](std::size_t i) {
      try {
        threads[i]->run(i == 0);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    };
    for (std::size_t i = 1; i < threads.size(); ++i) running.emplace_back(work, i);
    work(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  result.converged = std::all_of(threads.begin(), threads.end(),
                                 [](const auto& thread) { return thread->converged(); });
  for (std::size_t i = 0; i < interned.size(); ++i) {
    const AnnealingChain::Best* best = nullptr;
    for (const std::unique_ptr<Chains>& thread : threads) {
      const AnnealingChain::Best& own = thread->chain(i).best();
      if (best == nullptr || own.value < best->value) best = &own;
    }
    PhasedGates& circuit = result.circuits.emplace_back();
    circuit.gates = labels.operations(best->gates);
    circuit.phase = phases[i];
    circuit.phase.add_phase(Angle::pi_times(Rational(best->phase, 8)));
  }
  for (const std::unique_ptr<Chains>& thread : threads) {
    for (std::size_t i = 0; i < interned.size(); ++i) {
      const AnnealingChain& chain = thread->chain(i);
      result.counts += chain.counts();
      if (!chain.used_pairs()) continue;
      result.used_pairs.insert(result.used_pairs.end(), chain.used_pairs()->pairs().begin(),
                               chain.used_pairs()->pairs().end());
    }
  }
  return result;
}

}  // namespace quartz
