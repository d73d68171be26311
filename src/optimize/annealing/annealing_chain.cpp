#include "optimize/annealing/annealing_chain.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace quartz::optimizer {
namespace {

/// The log is emptied between sweeps once it has a change for every second gate, but at least and
/// at most these many: a change takes some 250 bytes, and to empty the log the time of a few passes
/// over the gates.
constexpr std::size_t kMinForgottenChanges = 4096;
constexpr std::size_t kMaxForgottenChanges = 250'000;

/// In a circuit that exceeds the processor's cache, the moves of a run begin within one stretch of
/// this many places (96 KiB), and the next run uses the next stretch: at 10^6 gates this doubles
/// the moves per second.
constexpr std::size_t kPlacesOfStretch = 2048;
constexpr std::size_t kPlacesInCache = 4 * kPlacesOfStretch;

/// Energy of a place on a longest chain, in units of the table cost, if the critical path is the
/// first objective and if it breaks ties. A weight of 0.5 leaves 3% more depth than one of 2.
constexpr double kWeightOfFirstPath = 2;
constexpr double kWeightOfLaterPath = 0.3;

RewrittenCircuit with_totals(const AnnealingLabels& labels, rewrite::WireLists circuit) {
  const Totals totals = labels.totals_of(circuit.gates());
  return {std::move(circuit), totals};
}

std::int64_t difference(std::uint64_t before, std::uint64_t after) {
  return static_cast<std::int64_t>(before) - static_cast<std::int64_t>(after);
}

}  // namespace

AnnealingChain::AnnealingChain(const ClassTable& table, const AnnealingLabels& labels,
                               rewrite::WireLists circuit, std::uint64_t seed,
                               std::shared_ptr<WindowProofs> proofs)
    : labels_(labels),
      circuit_(with_totals(labels, std::move(circuit))),
      random_(seed),
      window_move_(table, labels, std::move(proofs)),
      parity_move_(labels),
      first_size_(this->circuit().size()),
      first_value_(best_value()) {
  if (labels.lengths().empty()) return;
  circuit_.follow_paths(labels.lengths(), labels.value_per_length());
  first_value_ = best_value();
  const auto unit = std::max<PathLevels::Length>(std::ranges::max(labels.lengths()), 1);
  path_energy_.emplace(static_cast<double>(unit),
                       labels.is_path_first() ? kWeightOfFirstPath : kWeightOfLaterPath);
}

double AnnealingChain::energy() const {
  const auto table_cost = static_cast<double>(circuit_.totals().table_cost);
  if (!path_energy_) return table_cost;
  return table_cost + path_energy_->of_longest(circuit_.levels()->longest());
}

bool AnnealingChain::accepts_chains(const MoveContext& context, const Exchange& exchange) const {
  if (!path_energy_) return true;
  const PathLevels& levels = *circuit_.levels();
  const PathLevels::Length before = levels.through(circuit(), exchange.removed);
  const PathLevels::Length after = levels.through_instead(exchange.gaps, exchange.inserted);
  if (after <= before) return true;
  const double change =
      path_energy_->of(after, levels.longest()) - path_energy_->of(before, levels.longest());
  // An exchange that costs more by itself has been accepted already.
  const double gain = static_cast<double>(exchange.before.table_cost) -
                      static_cast<double>(exchange.after.table_cost);
  return context.accepts(change - std::max(gain, 0.0));
}

rewrite::GateIndex AnnealingChain::gate_of_window() {
  const rewrite::GateIndex first = random_gate();
  if (!path_energy_) return first;
  const rewrite::GateIndex second = random_gate();
  if (first == rewrite::kNoGate || second == rewrite::kNoGate) return first;
  const PathLevels& levels = *circuit_.levels();
  return levels.through(circuit(), second) > levels.through(circuit(), first) ? second : first;
}

void AnnealingChain::begin_sweep(std::size_t gates) {
  sweep_start_ = circuit_.position();
  energy_at_sweep_start_ = energy();
  focus_.set(circuit_, gates, random_);
}

void AnnealingChain::end_sweep() {
  const std::size_t start = *std::exchange(sweep_start_, std::nullopt);
  focus_.clear(circuit_);
  // This compares table costs, which guide the chain: when two-qubit gates are minimized, it leaves
  // 0.5% fewer of them than a comparison of values.
  if (energy() <= energy_at_sweep_start_) return;
  if (circuit_.is_best_after(start)) {
    circuit_.return_to_best();
  } else {
    circuit_.undo_to(start);
  }
}

rewrite::GateIndex AnnealingChain::random_gate() {
  if (focus_.is_set()) return focus_.random_gate(circuit(), random_);
  const std::size_t places = circuit().places();
  std::size_t first = 0;
  std::size_t count = places;
  if (places > kPlacesInCache) {
    first = first_place_ < places ? first_place_ : 0;
    count = std::min(kPlacesOfStretch, places - first);
  }
  const auto gate =
      static_cast<rewrite::GateIndex>(first + random_.below(static_cast<std::uint32_t>(count)));
  return circuit()[gate].size == 0 ? rewrite::kNoGate : gate;
}

void AnnealingChain::run(std::uint64_t moves, double temperature) {
  if (!sweep_start_ &&
      circuit_.position() >
          std::clamp(circuit_.gates().size() / 2, kMinForgottenChanges, kMaxForgottenChanges)) {
    circuit_.forget_changes();
  }
  first_place_ += kPlacesOfStretch;
  if (first_place_ >= circuit().places()) first_place_ = 0;
  const MoveContext context{circuit(), settings.coupling, temperature, random_, counts_};
  for (std::uint64_t i = 0; i < moves && circuit().size() != 0; ++i) {
    if (moves_to_rotation_move_ == 0) {
      if (settings.moves_per_gate != 0) make_rotation_move();
      moves_to_rotation_move_ = circuit().size() * settings.moves_per_gate + 1;
      if (circuit().size() == 0) return;  // the last rotations have merged and cancelled
    }
    --moves_to_rotation_move_;
    const bool is_parity_move =
        parity_move_.is_possible() && random_.unit() < settings.parity_share;
    ++counts_.moves;
    const rewrite::GateIndex start = is_parity_move ? random_gate() : gate_of_window();
    if (start == rewrite::kNoGate) continue;
    if (is_parity_move) {
      make_parity_move(context, start);
    } else {
      make_window_move(context, start);
    }
  }
}

void AnnealingChain::apply(const Exchange& exchange) {
  if (!focus_.is_set()) {
    circuit_.apply(exchange);
    return;
  }
  const auto marked = std::ranges::count_if(
      exchange.removed, [&](rewrite::GateIndex index) { return circuit()[index].marked; });
  const std::size_t removed = exchange.removed.size();
  circuit_.apply(exchange);
  if (removed != 0) focus_.follow(circuit_, removed, static_cast<std::size_t>(marked), random_);
}

void AnnealingChain::make_window_move(const MoveContext& context, rewrite::GateIndex start) {
  const Exchange* const exchange = window_move_.propose(context, start);
  if (exchange == nullptr) return;
  if (!accepts_chains(context, *exchange)) {
    ++counts_.rejected;
    return;
  }
  const Sizes before = sizes();
  apply(*exchange);
  ++counts_.replaced;
  count_gain(RewriteKind::window, before);
}

void AnnealingChain::make_parity_move(const MoveContext& context, rewrite::GateIndex start) {
  const Exchange* const exchange = parity_move_.propose(context, start);
  if (exchange == nullptr) return;
  const int change =
      static_cast<int>(exchange->after.table_cost) - static_cast<int>(exchange->before.table_cost);
  // The cost to minimize may differ from the table cost.
  const bool gains = exchange->after.value < exchange->before.value;
  if ((!gains && !context.accepts(change)) || !accepts_chains(context, *exchange)) {
    ++counts_.rejected;
    return;
  }
  const Sizes before = sizes();
  apply(*exchange);
  ++counts_.blocks;
  count_gain(RewriteKind::parity, before);
}

void AnnealingChain::make_rotation_move() {
  const RotationExchange rotations =
      propose_rotations(circuit(), labels_, settings.moved_rotations, random_, circuit_.levels());
  const Sizes before = sizes();
  // The removals are part of the same rewrite as the insertions; the last change completes it.
  std::size_t left = rotations.removed.size() + rotations.inserted.size();
  const auto apply_next = [&](Exchange exchange, const rewrite::WireLists::Gap& gap) {
    exchange.kind = RewriteKind::rotations;
    exchange.gaps = {&gap, 1};
    --left;
    if (left == 0) exchange.after.phase = rotations.phase;
    circuit_.apply(exchange, left != 0);
  };
  for (const rewrite::GateIndex index : rotations.removed) {
    const rewrite::WiredGate& gate = circuit()[index];
    const AnnealingLabel& label = labels_[gate.label];
    Exchange exchange;
    exchange.removed = {&index, 1};
    exchange.before = {label.value, label.cost, 0};
    apply_next(exchange, {gate.wires[0], gate.previous[0], gate.next[0]});
  }
  for (const RotationInsertion& insertion : rotations.inserted) {
    const rewrite::Wire wire = insertion.gate.wires[0];
    const AnnealingLabel& label = labels_[insertion.gate.label];
    rewrite::GateIndex after = circuit().first_on(wire);
    if (insertion.before != rewrite::kNoGate) {
      const rewrite::WiredGate& gate_before = circuit()[insertion.before];
      after = gate_before.next[gate_before.operand_of(wire)];
    }
    Exchange exchange;
    exchange.inserted = {&insertion.gate, 1};
    exchange.after = {label.value, label.cost, 0};
    apply_next(exchange, {wire, insertion.before, after});
    if (focus_.is_set() && insertion.gate.marked) focus_.add(circuit().replaced()[0]);
  }
  count_gain(RewriteKind::rotations, before);
  if (sweep_start_) return;
  // A window takes the gate with the lowest position next. Even positions let it grow in all
  // directions: with those that inserted rotations have, circuits end with up to 1% more gates.
  circuit_.forget_changes();
  circuit_.order_gates();
}

void AnnealingChain::count_gain(RewriteKind kind, const Sizes& before) {
  if (best_value() >= before.best_value) return;
  gains_.add(
      {kind, kind == RewriteKind::window ? window_move_.last_pair() : UsedPair()},
      {1, difference(before.gates, circuit().size()), difference(before.value, totals().value)});
}

Gain AnnealingChain::detours() const {
  Gain rest{counts_.replaced + counts_.blocks, difference(first_size_, best_size()),
            difference(first_value_, best_value())};
  for (const auto& [rewrite, gain] : gains_.gains()) {
    if (rewrite.first != RewriteKind::rotations) rest.uses -= gain.uses;
    rest.gates_removed -= gain.gates_removed;
    rest.saved -= gain.saved;
  }
  return rest;
}

}  // namespace quartz::optimizer
