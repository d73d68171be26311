#include "optimize/annealing/annealer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <exception>
#include <iterator>
#include <memory>
#include <system_error>
#include <thread>

#include "base/device_error.hpp"
#include "base/pace.hpp"
#include "optimize/annealing/better_circuits.hpp"
#include "optimize/annealing/device/best_exchange.hpp"
#include "optimize/window_device/chain_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::optimizer {
namespace {

using Clock = Budget::Clock;

/// First temperatures of cooling sweeps, used in turn, in units of table cost; the temperature
/// falls geometrically. Measured on the Nam circuits at 6,000 moves per gate: starting at 1.0
/// instead of 0.6 leaves adders and Toffolis with 2% fewer gates; starting at 0.6 leaves
/// multipliers with 2% fewer gates than 1.0 and 7% fewer than 1.4.
constexpr std::array kFirstTemperatures{1.0, 0.6};
constexpr double kLastTemperature = 0.2;
/// Moves between two reads of the clock: about a millisecond.
constexpr std::uint64_t kBatch = 2000;
/// Moves per gate of a cooling sweep from the first to the last temperature; fewer if time is
/// short. With 12,000 moves per gate in total, sweeps of 100 to 1,500 moves per gate give equal
/// results, and longer sweeps give worse ones.
constexpr std::uint64_t kMovesPerGate = 500;
/// A sweep of the whole circuit starts where the last one ended, unless that circuit is worse than
/// the best one by more than this fraction plus kSlackGates times the cost of an average gate; then
/// the sweep starts at the best circuit. Continuing in this way leaves 0.6% fewer gates.
constexpr double kCostSlack = 0.005;
constexpr double kSlackGates = 4;
/// The search ends with moves at temperature 0, so that the result contains no gain within reach of
/// a single move. A budget in time reserves its last part for them.
constexpr std::uint64_t kLastMovesAGate = 40;
constexpr double kLastShare = 0.03;

/// Between two sweeps of the whole circuit there are focused sweeps, which anneal about this many
/// gates around a random one and are undone if they increase the cost. They preserve the gains in
/// one part of a circuit while other parts are still searched. All of them together have
/// kFocusedShare moves for each move of the full sweep.
constexpr std::uint32_t kMinFocus = 40;
constexpr std::uint32_t kMaxFocus = 150;
constexpr double kFocusedShare = 1;
/// Smaller circuits have full sweeps only, which leave fewer gates: barenco_tof_3 ends with 35
/// instead of 36 gates for three of six seeds; with focused sweeps, for one.
constexpr std::uint64_t kMinGatesForFocus = 150;

/// With a budget in ticks, a sweep on a device has this number of moves per gate.
constexpr std::uint32_t kDeviceMovesPerGateInTicks = 64;
/// After a sweep on a device, the host makes this number of moves per gate at the last temperature,
/// because chains on devices do not resynthesize blocks of CNOTs and rotations, and no move of
/// theirs leaves its slice.
constexpr std::uint64_t kHostMovesPerGate = 20;

/// State at the end of a full sweep of the chains of a thread: one circuit for each chain.
struct Alternative {
  std::uint64_t value = 0;  ///< sum over all circuits
  std::vector<AnnealingChain::Best> circuits;
};

/// Numbers the wires of a circuit under search. If few of the qubits have gates, only those become
/// wires, in the order of their numbers: the memory for many small circuits on many qubits is then
/// proportional to their gates.
class WireNumbers {
 public:
  /// Renumbers the wires of the gates if `may_renumber` is set and few of the qubits have gates.
  WireNumbers(std::vector<rewrite::PlainGate>& gates, std::uint32_t qubits, bool may_renumber)
      : count_(qubits) {
    if (!may_renumber || gates.size() >= qubits / 4) return;
    for (const rewrite::PlainGate& gate : gates) {
      used_.insert(used_.end(), gate.wires.begin(), gate.wires.begin() + gate.size);
    }
    std::ranges::sort(used_);
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    for (rewrite::PlainGate& gate : gates) {
      for (std::size_t i = 0; i < gate.size; ++i) {
        gate.wires[i] = static_cast<rewrite::Wire>(std::ranges::lower_bound(used_, gate.wires[i]) -
                                                   used_.begin());
      }
    }
    is_renumbered_ = true;
    count_ = static_cast<std::uint32_t>(used_.size());
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Returns a history on the wires, of a circuit with this number of gates, on their qubits.
  [[nodiscard]] circuit::HistoryPointer restored(circuit::HistoryPointer history,
                                                 std::size_t gates) const {
    if (!is_renumbered_ || history == nullptr) return history;
    circuit::History::Part part;
    for (std::uint32_t i = 0; i < gates; ++i) part.gates.push_back(i);
    part.qubits.assign(used_.begin(), used_.end());
    part.history = std::move(history);
    std::vector<circuit::History::Part> parts;
    parts.push_back(std::move(part));
    return circuit::in_parts(std::move(parts));
  }
  /// Maps gates on wires back to their qubits.
  void restore(std::vector<Operation>& gates) const {
    if (!is_renumbered_) return;
    for (Operation& gate : gates) {
      for (Qubit& qubit : gate.qubits) qubit = used_[qubit];
    }
  }

 private:
  std::uint32_t count_;
  bool is_renumbered_ = false;
  std::vector<rewrite::Wire> used_;
};

/// All chains of one thread: one for each circuit.
class Chains {
 public:
  Chains(const ClassTable& table, const AnnealingLabels& labels,
         std::span<const std::vector<rewrite::PlainGate>> circuits,
         std::span<const WireNumbers> wires, const AnnealingLimits& limits, std::uint64_t thread,
         std::uint64_t seed)
      : limits_(limits),
        thread_(thread),
        steps_(limits.budget.ticks_left()),
        random_(seed),
        start_(Clock::now()),
        proofs_(std::make_shared<WindowProofs>(table.alphabet().letters)) {
    for (std::size_t i = 0; i < circuits.size(); ++i) {
      const std::vector<rewrite::PlainGate>& gates = circuits[i];
      gates_ += gates.size();
      const std::uint64_t own_seed = random_();
      if (gates.empty()) {
        chains_.push_back(nullptr);
        continue;
      }
      chains_.push_back(std::make_unique<AnnealingChain>(
          table, labels, rewrite::WireLists(gates, wires[i].count()), own_seed, proofs_));
      chains_.back()->settings.coupling = limits.coupling;
      if (limits.record_pairs) chains_.back()->record_pairs();
      if (limits.record_history) chains_.back()->record_history();
    }
  }

  /// Runs all chains. Only one thread should report its progress. `better` is null unless better
  /// circuits are wanted before the end.
  void run(bool reports, BetterCircuits* better);
  /// Has all sweeps from now on made on a device, unless that fails. The object must outlive this
  /// one.
  void use(DeviceSweeps& sweeps) { device_sweeps_ = &sweeps; }
  /// Has a thread with a device continue from better circuits of other threads after sweeps.
  void exchange_with_others(BestExchange& exchange) { exchange_ = &exchange; }
  [[nodiscard]] std::uint64_t moves() const { return moves_; }
  [[nodiscard]] bool converged() const { return converged_; }
  [[nodiscard]] std::size_t circuit_count() const { return chains_.size(); }
  /// Returns null for a circuit without gates.
  [[nodiscard]] AnnealingChain* chain(std::size_t circuit) { return chains_[circuit].get(); }
  /// Returns the pairs that the chains have proved, if they are recorded.
  [[nodiscard]] const std::optional<UsedPairs>& used_pairs() const { return proofs_->used_pairs(); }
  /// Returns the circuits at the end of the last full sweeps.
  [[nodiscard]] std::deque<Alternative>& alternatives() { return alternatives_; }

 private:
  /// Returns how many moves the remaining time or steps permit, without the last moves at
  /// temperature 0.
  [[nodiscard]] double moves_left() const;
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool has_converged() const;
  /// Runs a cooling sweep of all chains, over the whole circuit.
  void sweep_everywhere();
  /// Runs a cooling sweep in a part of one chain, and undoes it if it increases the cost.
  void focused_sweep();
  /// Runs a cooling sweep of all chains on a device. Returns false if there is no time for it, or
  /// if the device has failed.
  bool sweep_on_device();
  /// Records the best value of all chains after some moves, and reports it.
  void report_moves(std::uint64_t best_value);
  void restart_from_best();
  /// Restarts at their best circuits the chains that are now much worse.
  void restart_distant_chains();
  void exchange_best_circuits();
  void keep_alternative();
  void last_moves();
  void batch(std::uint64_t moves, double temperature);
  [[nodiscard]] std::uint64_t best_value() const;

  const AnnealingLimits& limits_;
  const std::uint64_t thread_;
  const std::uint64_t steps_;  ///< moves of this thread, for a budget in ticks
  FastRandom random_;
  const Clock::time_point start_;
  std::shared_ptr<WindowProofs> proofs_;                 ///< shared by all chains
  std::vector<std::unique_ptr<AnnealingChain>> chains_;  ///< null for circuits without gates
  std::uint64_t gates_ = 0;
  std::uint64_t moves_ = 0;
  std::uint64_t best_value_ = ~std::uint64_t{0};
  std::uint64_t moves_to_best_ = 0;
  bool converged_ = false;
  /// What others see while the chains run.
  struct Observation {
    bool has_reports = false;
    BetterCircuits* better = nullptr;
    Pace pace{BetterCircuits::kInterval};
    std::uint64_t collected_value = 0;  ///< best value when the circuits were last collected
  };
  Observation observation_;
  std::uint64_t full_sweeps_ = 0;
  std::uint64_t focused_sweeps_ = 0;
  DeviceSweeps* device_sweeps_ = nullptr;
  BestExchange* exchange_ = nullptr;  ///< null if no thread has a device
  std::deque<Alternative> alternatives_;
};

double Chains::moves_left() const {
  if (limits_.budget.counts_ticks()) {
    return static_cast<double>(steps_) - static_cast<double>(moves_);
  }
  const Clock::time_point now = Clock::now();
  // This also covers a deadline that passed before the first move.
  if (now >= limits_.budget.deadline) return 0;
  const std::chrono::duration<double> all = (1 - kLastShare) * (limits_.budget.deadline - start_);
  const std::chrono::duration<double> done = now - start_;
  // The speed is unknown before the first moves.
  if (moves_ == 0) return static_cast<double>(kBatch);
  return static_cast<double>(moves_) * (all / done - 1);
}

bool Chains::has_converged() const {
  return moves_ - moves_to_best_ >= std::max(limits_.patience, 2 * moves_to_best_);
}

bool Chains::is_over() const {
  return has_converged() || moves_left() <= 0 || limits_.budget.stop.stop_requested();
}

void Chains::report_moves(std::uint64_t best_value) {
  if (best_value < best_value_) {
    best_value_ = best_value;
    moves_to_best_ = moves_;
  }
  auto& [has_reports, better, pace, collected_value] = observation_;
  if (has_reports && limits_.on_progress) limits_.on_progress(moves_, best_value_);
  if (better != nullptr && best_value_ < collected_value && pace.is_due()) {
    collected_value = best_value_;
    pace.run([&, to = better] {
      to->collect(thread_, chains_);
      const bool is_replayed = to->follows_one_thread();
      for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
        if (chain != nullptr) chain->leave_out_undone_changes(is_replayed);
      }
    });
  }
}

void Chains::batch(std::uint64_t moves, double temperature) {
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    if (chain == nullptr) continue;
    const std::size_t gates = chain->circuit().size();
    chain->run(moves * gates / gates_ + 1, temperature);
  }
  moves_ += moves;
  report_moves(best_value());
}

std::uint64_t Chains::best_value() const {
  std::uint64_t value = 0;
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    if (chain != nullptr) value += chain->best_value();
  }
  return value;
}

/// The sweeps of a thread use the first temperatures in turn.
double first_temperature(std::uint64_t sweep) {
  return kFirstTemperatures[sweep % kFirstTemperatures.size()];
}

/// Interpolates geometrically between the first and the last temperature.
double temperature_at(double first, double part) {
  return first * std::pow(kLastTemperature / first, part);
}

void Chains::sweep_everywhere() {
  const double first = first_temperature(full_sweeps_++ + thread_);
  const auto whole = static_cast<double>(kMovesPerGate * gates_);
  const auto start = static_cast<double>(moves_);
  for (double part = 0; part < 1 && !is_over();) {
    batch(kBatch, temperature_at(first, part));
    const double done = static_cast<double>(moves_) - start;
    const double possible = done + moves_left();
    part = done / (possible < 2 * whole ? possible : whole);
  }
  restart_distant_chains();
  exchange_best_circuits();
  keep_alternative();
}

void Chains::focused_sweep() {
  std::uint64_t gate = random_.below(static_cast<std::uint32_t>(gates_));
  std::size_t place = 0;
  const auto size_of = [&](std::size_t circuit) {
    return chains_[circuit] == nullptr ? 0 : chains_[circuit]->circuit().size();
  };
  while (place + 1 < chains_.size() && gate >= size_of(place)) gate -= size_of(place++);
  if (size_of(place) == 0) {
    ++moves_;
    return;
  }
  AnnealingChain& chain = *chains_[place];
  const std::size_t focus = kMinFocus + random_.below(kMaxFocus - kMinFocus + 1);
  const std::uint64_t moves = kMovesPerGate * std::min(focus, chain.circuit().size());
  const double first = first_temperature(focused_sweeps_++ + thread_);
  const std::uint64_t best_value_of_others = best_value_ - chain.best_value();
  chain.begin_sweep(focus);
  for (std::uint64_t done = 0; done < moves && !is_over(); done += kBatch) {
    chain.run(kBatch,
              temperature_at(first, static_cast<double>(done) / static_cast<double>(moves)));
    moves_ += kBatch;
    report_moves(best_value_of_others + chain.best_value());
  }
  chain.end_sweep();
}

bool Chains::sweep_on_device() {
  std::uint32_t moves_per_gate = kDeviceMovesPerGateInTicks;
  try {
    if (limits_.budget.counts_ticks()) {
      device_sweeps_->run(chains_, moves_per_gate);
    } else {
      const Clock::time_point end = limits_.budget.deadline;
      moves_per_gate = device_sweeps_->run_within(chains_, end - Clock::now());
    }
  } catch (const DeviceError&) {
    limits_.devices->give_up();
    device_sweeps_ = nullptr;
    return false;
  }
  if (moves_per_gate == 0) return false;
  moves_ += moves_per_gate * gates_;
  batch(kHostMovesPerGate * gates_, kLastTemperature);
  restart_distant_chains();
  exchange_best_circuits();
  keep_alternative();
  return true;
}

void Chains::run(bool reports, BetterCircuits* better) {
  observation_.has_reports = reports;
  observation_.better = better;
  if (gates_ == 0) return;
  observation_.collected_value = best_value();
  while (!is_over()) {
    if (device_sweeps_ != nullptr && sweep_on_device()) continue;
    sweep_everywhere();
    if (gates_ < kMinGatesForFocus) continue;
    const auto end = moves_ + static_cast<std::uint64_t>(
                                  kFocusedShare * static_cast<double>(kMovesPerGate * gates_));
    while (moves_ < end && !is_over()) focused_sweep();
  }
  converged_ = has_converged();
  restart_from_best();
  last_moves();
}

void Chains::restart_from_best() {
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    if (chain != nullptr) chain->return_to_best();
  }
}

void Chains::restart_distant_chains() {
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    if (chain == nullptr) continue;
    const auto value = static_cast<double>(chain->best_value());
    const auto gates = static_cast<double>(std::max<std::size_t>(chain->best_size(), 1));
    const double farthest = value * (1 + kCostSlack + kSlackGates / gates);
    if (static_cast<double>(chain->totals().value) > farthest) chain->return_to_best();
  }
}

void Chains::exchange_best_circuits() {
  // What depends on the time must not change a search by ticks.
  if (exchange_ == nullptr || limits_.budget.counts_ticks()) return;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (chains_[i] == nullptr) continue;
    if (device_sweeps_ != nullptr) {
      exchange_->improve(i, *chains_[i]);
    } else {
      exchange_->offer(i, *chains_[i]);
    }
  }
}

void Chains::keep_alternative() {
  const std::size_t threads = std::max(limits_.threads, 1U);
  const std::size_t most = (limits_.alternatives + threads - 1) / threads;
  if (most == 0) return;
  if (alternatives_.size() == most) alternatives_.pop_front();
  Alternative& now = alternatives_.emplace_back();
  for (const std::unique_ptr<AnnealingChain>& chain : chains_) {
    if (chain == nullptr) {
      now.circuits.emplace_back();
      continue;
    }
    now.circuits.push_back(chain->current());
    now.value += chain->totals().value;
  }
}

void Chains::last_moves() {
  const std::uint64_t end = moves_ + kLastMovesAGate * gates_;
  while (moves_ < end && !limits_.budget.stop.stop_requested()) {
    if (!limits_.budget.counts_ticks() && Clock::now() >= limits_.budget.deadline) return;
    batch(kBatch, 0);
  }
}

/// Threads of annealing, each with all its chains.
using Threads = std::span<const std::unique_ptr<Chains>>;

/// Returns the chain with the best result for a circuit, or that of the thread which is followed;
/// null for a circuit without gates.
AnnealingChain* best_chain(Threads threads, std::size_t circuit, const BetterCircuits* better) {
  if (threads.front()->chain(circuit) == nullptr) return nullptr;
  std::vector<std::uint64_t> values;
  for (const std::unique_ptr<Chains>& thread : threads) {
    values.push_back(thread->chain(circuit)->best_value());
  }
  const auto best =
      better != nullptr
          ? better->thread_at_end(circuit, values)
          : static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
  return threads[best]->chain(circuit);
}

/// The lowest first; of equal ones of a thread, the last.
std::vector<Alternative> alternatives_of(Threads threads) {
  std::vector<Alternative> all;
  for (const std::unique_ptr<Chains>& thread : threads) {
    std::move(thread->alternatives().rbegin(), thread->alternatives().rend(),
              std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Alternative& a, const Alternative& b) { return a.value < b.value; });
  return all;
}

/// Adds the moves of all threads to the result, and the pairs that their chains used.
void add_moves(Threads threads, AnnealingResult& result) {
  for (const std::unique_ptr<Chains>& thread : threads) {
    result.moves_of_thread = std::max(result.moves_of_thread, thread->moves());
    for (std::size_t i = 0; i < thread->circuit_count(); ++i) {
      const AnnealingChain* const chain = thread->chain(i);
      if (chain != nullptr) result.counts += chain->counts();
    }
    if (thread->used_pairs()) result.used_pairs.add(*thread->used_pairs());
  }
}

/// The sweeps that the last thread makes on a device.
class DeviceThread {
 public:
  DeviceThread(const ClassTable& table, const AnnealingLabels& labels,
               const AnnealingLimits& limits)
      : table_(table), labels_(labels), limits_(limits) {}

  /// Has the chains of a thread use the device. The first call for a device takes time.
  void start(Chains& chains) {
    window_chains::ChainDevice* const device = limits_.devices->with(table_);
    if (device == nullptr) return;
    chain_table_ = chain_table(table_);
    sweeps_.emplace(*device, *chain_table_, table_, labels_,
                    DeviceSweeps::Settings{limits_.record_history, limits_.threads, limits_.seed});
    chains.use(*sweeps_);
  }
  [[nodiscard]] std::optional<DeviceAnnealing> counts() const {
    return sweeps_ ? std::optional(sweeps_->counts()) : std::nullopt;
  }

 private:
  const ClassTable& table_;
  const AnnealingLabels& labels_;
  const AnnealingLimits& limits_;
  std::optional<window_chains::HostTable> chain_table_;
  std::optional<DeviceSweeps> sweeps_;
};

/// Returns whether there is a device whose sweeps can minimize the value, and record what is
/// wanted.
bool uses_device(const ClassTable& table, const AnnealingLabels& labels,
                 const AnnealingLimits& limits) {
  return labels.size() <= kMostChainLabels && limits.devices != nullptr &&
         limits.coupling == nullptr && !limits.record_pairs && limits.value.length == nullptr &&
         limits.devices->is_available_for(table);
}

/// The circuits of a search in the form in which chains rewrite them: their gates with labels, on
/// numbered wires.
class LabeledCircuits {
 public:
  LabeledCircuits(const ClassTable& table, std::span<const std::span<const Operation>> circuits,
                  std::uint32_t qubits, const AnnealingLimits& limits)
      : labels_(table.alphabet(), limits.value) {
    for (const std::span<const Operation> gates : circuits) {
      const Angle before = labels_.phase();
      AnnealingLabels::Interned interned = labels_.intern(gates);
      gates_.push_back(std::move(interned.gates));
      derivations_.push_back(limits.record_history ? std::move(interned.derivation)
                                                   : circuit::Derivation::unrecorded());
      wires_.emplace_back(gates_.back(), qubits, limits.coupling == nullptr);
      Angle phase = labels_.phase();
      phase.add_phase(-before);
      phases_.push_back(phase);
    }
  }

  [[nodiscard]] std::size_t size() const { return gates_.size(); }
  [[nodiscard]] const AnnealingLabels& labels() const { return labels_; }
  /// Returns the chains of each thread, and of one more for a device. They refer to these circuits.
  [[nodiscard]] std::vector<std::unique_ptr<Chains>> make_threads(const ClassTable& table,
                                                                  const AnnealingLimits& limits,
                                                                  bool with_device) const {
    std::vector<std::unique_ptr<Chains>> threads;
    FastRandom seeds(limits.seed);
    const unsigned count = std::max(limits.threads, 1U) + (with_device ? 1 : 0);
    for (unsigned i = 0; i < count; ++i) {
      threads.push_back(
          std::make_unique<Chains>(table, labels_, gates_, wires_, limits, i, seeds()));
    }
    return threads;
  }
  /// Returns a rewritten form of a circuit as gates on its qubits; null for a circuit whose gates
  /// are all identities.
  [[nodiscard]] circuit::DerivedGates restored(const AnnealingChain::Best* found,
                                               std::size_t circuit) const {
    if (found == nullptr) return {{}, phases_[circuit], derivations_[circuit]};
    circuit::DerivedGates gates{
        labels_.operations(found->gates), phases_[circuit],
        derivations_[circuit].then(circuit::Derivation::by(
            wires_[circuit].restored(found->history, gates_[circuit].size())))};
    wires_[circuit].restore(gates.gates);
    gates.phase.add_phase(Angle::pi_times(Rational(found->totals.phase, 8)));
    return gates;
  }

 private:
  AnnealingLabels labels_;
  std::vector<std::vector<rewrite::PlainGate>> gates_;
  std::vector<circuit::Derivation> derivations_;  ///< from the circuits to `gates_`
  std::vector<WireNumbers> wires_;
  std::vector<Angle> phases_;
};

}  // namespace

AnnealingResult anneal(const ClassTable& table,
                       std::span<const std::span<const Operation>> circuits, std::uint32_t qubits,
                       const AnnealingLimits& limits) {
  const LabeledCircuits labeled(table, circuits, qubits, limits);
  const bool with_device = uses_device(table, labeled.labels(), limits);
  const std::vector<std::unique_ptr<Chains>> threads =
      labeled.make_threads(table, limits, with_device);
  std::optional<BetterCircuits> better;
  if (limits.on_better) {
    better.emplace(
        labeled.size(), limits.follows_one_thread,
        [&](const AnnealingChain::Best* found, std::size_t i) {
          return labeled.restored(found, i);
        },
        limits.on_better);
  }
  DeviceThread device(table, labeled.labels(), limits);
  BestExchange exchange(labeled.size());
  if (with_device) {
    for (const std::unique_ptr<Chains>& thread : threads) thread->exchange_with_others(exchange);
  }
  const auto run = [&](std::size_t i) { threads[i]->run(i == 0, better ? &*better : nullptr); };
  std::exception_ptr failure;
  {
    // A thread of its own, because the threads of a parallel loop have no further threads.
    std::jthread device_thread;
    const auto run_device = [&] {
      try {
        device.start(*threads.back());
        run(threads.size() - 1);
      } catch (...) {
        failure = std::current_exception();
      }
    };
    try {
      if (with_device) device_thread = std::jthread(run_device);
    } catch (const std::system_error&) {
      // There is no memory for the stack of the thread: the others go on without the device.
    }
    on_threads(threads.size() - (with_device ? 1 : 0), run);
  }
  if (failure) std::rethrow_exception(failure);
  AnnealingResult result;
  result.device = device.counts();
  result.converged =
      std::ranges::all_of(threads, [](const auto& thread) { return thread->converged(); });
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    AnnealingChain* const chain = best_chain(threads, i, better ? &*better : nullptr);
    if (chain == nullptr) {
      result.circuits.push_back(labeled.restored(nullptr, i));
      continue;
    }
    const AnnealingChain::Best best = chain->best();
    result.circuits.push_back(labeled.restored(&best, i));
    for (const auto& [rewrite, gain] : chain->gains().gains()) result.gains[rewrite] += gain;
    const Gain detours = chain->detours();
    if (detours.gates_removed != 0 || detours.saved != 0) {
      result.gains[{RewriteKind::detours, UsedPair()}] += detours;
    }
  }
  for (const Alternative& alternative : alternatives_of(threads)) {
    std::vector<circuit::DerivedGates>& found = result.alternatives.emplace_back();
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      found.push_back(labeled.restored(&alternative.circuits[i], i));
    }
  }
  add_moves(threads, result);
  return result;
}

}  // namespace quartz::optimizer
