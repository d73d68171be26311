#include "optimize/annealing/device/device_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "quartz/base/parallel_for.hpp"

namespace quartz::optimizer {

namespace {

using window_chains::ChainEnd;
using window_chains::ChainRound;

/// First temperatures of the chains, used in turn, and the last one. The best result counts, so
/// that some chains may begin at temperatures that suit few slices.
constexpr double kFirstDeviceTemperatures[] = {1.0, 0.7, 0.5, 0.35};
constexpr double kLastDeviceTemperature = 0.2;
constexpr unsigned kDeviceStages = 16;

/// A circuit with at most this number of gates is one slice. Larger ones are cut into slices of
/// kMinSlice to kMaxSlice gates, a random number in each sweep.
constexpr std::size_t kWholeCircuit = 160;
constexpr std::uint32_t kMinSlice = 60;
constexpr std::uint32_t kMaxSlice = 140;
/// Fewest chains for a slice. If a circuit has too many slices for that, a sweep anneals some.
constexpr std::uint32_t kChainsPerSlice = 8;
/// Most chains for a slice, unless these are less than a quarter of those that suit the device, or
/// the last sweep found nothing better. Fewer chains make more moves each in the same time.
constexpr std::uint32_t kWantedChainsPerSlice = 256;
/// Moves per gate that a sweep should have, and the fewest that are worth a sweep.
constexpr double kWantedMovesPerGate = 200;
constexpr double kLeastMovesPerGate = 50;
/// Part of the time that is left which sweeps may be expected to take.
constexpr double kExpectedShare = 0.9;

std::vector<rewrite::PlainGate> gates_of(std::span<const rewrite::PlainGate> circuit,
                                         const ChainSlice& slice) {
  std::vector<rewrite::PlainGate> gates;
  for (const std::uint32_t index : slice.gates) gates.push_back(circuit[index]);
  return gates;
}

/// Sets the decompositions of rotations; returns false if one of them has too many gates.
bool set_turns(const AnnealingLabels& labels, std::array<window_chains::ChainTurns, 8>& turns) {
  for (int i = 0; i < 8; ++i) {
    const ZRotationDecomposition& decomposition = labels.decomposition(i);
    window_chains::ChainTurns& each = turns[static_cast<std::size_t>(i)];
    if (decomposition.labels.size() > window_chains::kMostTurnGates) return false;
    for (const rewrite::Label label : decomposition.labels) {
      each.labels[each.count++] = static_cast<std::uint16_t>(label);
    }
    each.turns = static_cast<std::int8_t>(decomposition.eighths);
    each.phase = static_cast<std::uint8_t>(decomposition.phase);
  }
  return true;
}

bool is_better(const ChainEnd& a, const ChainEnd& b) {
  return std::tie(a.best_value, a.best_cost) < std::tie(b.best_value, b.best_cost);
}

}  // namespace

void add_start(window_chains::ChainStarts& starts, const AnnealingLabels& labels,
               std::span<const rewrite::PlainGate> gates, const ChainSlice& slice) {
  const std::vector<rewrite::PlainGate> own = gates_of(gates, slice);
  std::vector<window_chains::StartGate> circuit;
  for (const rewrite::PlainGate& gate : own) {
    window_chains::StartGate& start = circuit.emplace_back();
    start.label = static_cast<std::uint16_t>(gate.label);
    start.size = gate.size;
    for (unsigned i = 0; i < gate.size && i < gate.wires.size(); ++i) {
      start.wires[i] = slice.number_of(gate.wires[i]);
    }
  }
  const Totals totals = labels.totals_of(own);
  starts.add(circuit, totals.value, static_cast<std::uint32_t>(totals.table_cost));
}

std::vector<std::vector<window_chains::ChainStage>> device_schedules(std::uint32_t moves_per_gate) {
  std::vector<std::vector<window_chains::ChainStage>> schedules;
  for (const double first : kFirstDeviceTemperatures) {
    schedules.push_back(window_chains::cooling_stages(first, kLastDeviceTemperature, kDeviceStages,
                                                      moves_per_gate));
  }
  return schedules;
}

window_chains::ChainLabels chain_labels(const AnnealingLabels& labels, std::size_t letters) {
  window_chains::ChainLabels result;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const AnnealingLabel& label = labels[static_cast<rewrite::Label>(i)];
    window_chains::ChainLabel& added = result.labels.emplace_back();
    std::ranges::copy(label.letter, added.letter);
    added.value = label.value;
    added.symbol = label.symbol;
    added.cost = static_cast<std::uint8_t>(label.cost);
    if (label.rotation.is_rotation && label.symbol == 0) {
      added.turns = static_cast<std::int8_t>(label.rotation.eighths);
      added.phase = static_cast<std::uint8_t>(label.rotation.phase);
    }
    added.is_diagonal = label.parity_action.diagonal;
    for (std::size_t k = 0; k < label.parity_action.linear.size(); ++k) {
      if (label.parity_action.linear[k]) added.terms[k] = label.parity_action.terms[k];
      added.complement[k] = label.parity_action.complement[k];
    }
  }
  result.moves_rotations = set_turns(labels, result.turns);
  for (unsigned symbol = 0; symbol < labels.symbols(); ++symbol) {
    for (unsigned letter = 0; letter < letters; ++letter) {
      result.label_of.push_back(static_cast<std::uint16_t>(labels.label_of(letter, symbol)));
    }
  }
  return result;
}

DeviceSweeps::DeviceSweeps(window_chains::ChainDevice& device,
                           const window_chains::HostTable& table, const ClassTable& classes,
                           const AnnealingLabels& labels, const Settings& settings)
    : device_(device),
      labels_(labels),
      chain_labels_(chain_labels(labels, classes.alphabet().letters.size())),
      records_history_(settings.records_history),
      random_(settings.seed) {
  for (unsigned i = 0; i < std::max(settings.threads, 1U); ++i) {
    replays_.push_back(
        std::make_unique<SliceReplay>(table, classes, labels, settings.records_history));
  }
}

std::vector<DeviceSweeps::CutCircuit> DeviceSweeps::cut(
    std::span<const std::unique_ptr<AnnealingChain>> chains) {
  std::vector<CutCircuit> circuits;
  for (const std::unique_ptr<AnnealingChain>& chain : chains) {
    if (chain == nullptr || chain->circuit().size() == 0) continue;
    CutCircuit& circuit = circuits.emplace_back(CutCircuit{chain.get(), chain->current(), {}, {}});
    const std::size_t gates = circuit.before.gates.size();
    const std::size_t size =
        gates <= kWholeCircuit ? gates : kMinSlice + random_.below(kMaxSlice - kMinSlice + 1);
    circuit.slices = chain_slices(circuit.before.gates, chain->circuit().wires(), size, random_);
    circuit.replaced.resize(circuit.slices.size());
  }
  return circuits;
}

std::vector<DeviceSweeps::ChosenSlice> DeviceSweeps::chosen(
    const std::vector<CutCircuit>& circuits) {
  std::vector<ChosenSlice> slices;
  for (std::size_t i = 0; i < circuits.size(); ++i) {
    for (std::size_t k = 0; k < circuits[i].slices.size(); ++k) slices.push_back({i, k});
  }
  const std::size_t most = std::max(device_.chains() / kChainsPerSlice, 1U);
  if (slices.size() <= most) return slices;
  for (std::size_t i = 0; i < most; ++i) {
    std::swap(slices[i], slices[i + random_.below(static_cast<std::uint32_t>(slices.size() - i))]);
  }
  slices.resize(most);
  return slices;
}

DeviceSweeps::Plan DeviceSweeps::plan(std::span<const std::unique_ptr<AnnealingChain>> chains) {
  Plan plan;
  plan.circuits = cut(chains);
  plan.slices = chosen(plan.circuits);
  for (const ChosenSlice& each : plan.slices) {
    const std::size_t gates = plan.circuits[each.circuit].slices[each.slice].gates.size();
    plan.most_gates = std::max(plan.most_gates, gates);
  }
  const std::uint32_t all = device_.chains();
  const auto wanted = static_cast<std::uint32_t>(plan.slices.size()) * kWantedChainsPerSlice;
  plan.chains = has_stagnated_ ? all : std::clamp(wanted, (all + 3) / 4, all);
  return plan;
}

ChainRound DeviceSweeps::round_of(const Plan& plan, std::uint32_t moves_per_gate) {
  ChainRound round;
  for (const ChosenSlice& each : plan.slices) {
    const CutCircuit& circuit = plan.circuits[each.circuit];
    add_start(round.starts, labels_, circuit.before.gates, circuit.slices[each.slice]);
  }
  round.schedules = device_schedules(moves_per_gate);
  round.chains = plan.chains;
  round.seed = random_();
  return round;
}

std::uint32_t DeviceSweeps::best_chain(std::span<const ChainEnd> ends, std::size_t slice,
                                       std::size_t slices) {
  auto best = static_cast<std::uint32_t>(slice);
  std::uint32_t equal = 1;
  for (std::size_t i = slice + slices; i < ends.size(); i += slices) {
    if (is_better(ends[best], ends[i])) continue;
    equal = is_better(ends[i], ends[best]) ? 1 : equal + 1;
    if (random_.below(equal) == 0) best = static_cast<std::uint32_t>(i);
  }
  return best;
}

void DeviceSweeps::join(CutCircuit& circuit) const {
  AnnealingChain::Best after;
  after.totals = circuit.before.totals;
  std::vector<circuit::History::Part> parts;
  for (std::size_t i = 0; i < circuit.slices.size(); ++i) {
    const ChainSlice& slice = circuit.slices[i];
    const std::vector<rewrite::PlainGate> before = gates_of(circuit.before.gates, slice);
    circuit::History::Part& part = parts.emplace_back();
    part.gates = slice.gates;
    if (!circuit.replaced[i]) {
      after.gates.insert(after.gates.end(), before.begin(), before.end());
      continue;
    }
    const ReplayedSlice& replaced = *circuit.replaced[i];
    const Totals totals = labels_.totals_of(before);
    after.gates.insert(after.gates.end(), replaced.gates.begin(), replaced.gates.end());
    after.totals.value = after.totals.value - totals.value + replaced.totals.value;
    after.totals.table_cost =
        after.totals.table_cost - totals.table_cost + replaced.totals.table_cost;
    after.totals.phase = (after.totals.phase + replaced.totals.phase) & 15;
    part.qubits.assign(slice.wires.begin(), slice.wires.end());
    part.history = replaced.history;
  }
  if (records_history_) {
    after.history =
        circuit::in_sequence(circuit.before.history, circuit::in_parts(std::move(parts)));
  }
  circuit.chain->continue_from(after);
}

std::uint32_t DeviceSweeps::run(std::span<const std::unique_ptr<AnnealingChain>> chains,
                                std::uint32_t moves_per_gate) {
  Plan next = plan(chains);
  if (!next.slices.empty()) run(std::move(next), moves_per_gate);
  return moves_per_gate;
}

std::uint32_t DeviceSweeps::run_within(std::span<const std::unique_ptr<AnnealingChain>> chains,
                                       std::chrono::duration<double> left) {
  const auto start = std::chrono::steady_clock::now();
  Plan next = plan(chains);
  if (next.slices.empty()) return 0;
  double& seconds_of_move = seconds_of_move_[uses_all_chains(next) ? 1 : 0];
  const auto most_gates = static_cast<double>(next.most_gates);
  const double possible = kExpectedShare * left.count() / (seconds_of_move * most_gates);
  if (possible < kLeastMovesPerGate) return 0;
  const double sweeps = std::max(1.0, std::round(possible / kWantedMovesPerGate));
  const auto moves_per_gate =
      static_cast<std::uint32_t>(std::min(possible / sweeps, 2 * kWantedMovesPerGate));
  run(std::move(next), moves_per_gate);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  seconds_of_move = seconds.count() / (moves_per_gate * most_gates);
  return moves_per_gate;
}

void DeviceSweeps::replay(Plan& plan, const ChainRound& round, std::span<const ChainEnd> ends) {
  struct Replay {
    const ChainSlice* slice;
    std::uint32_t chain;
    std::optional<ReplayedSlice>* replaced;
  };
  std::vector<Replay> replays;
  for (std::size_t i = 0; i < plan.slices.size(); ++i) {
    CutCircuit& circuit = plan.circuits[plan.slices[i].circuit];
    const std::size_t slice = plan.slices[i].slice;
    const std::uint32_t chain = best_chain(ends, i, plan.slices.size());
    if (ends[chain].best_move == 0) continue;
    replays.push_back({&circuit.slices[slice], chain, &circuit.replaced[slice]});
  }
  const auto threads = static_cast<unsigned>(replays_.size());
  parallel_for(threads, replays.size(), 1, [&](unsigned worker, std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      const auto& [slice, chain, replaced] = replays[i];
      *replaced = replays_[worker]->run(*slice, round, chain_labels_, chain, ends[chain]);
    }
  });
  has_stagnated_ = true;
  for (const auto& [slice, chain, replaced] : replays) {
    ++(*replaced ? counts_.confirmed : counts_.refuted);
    const std::uint64_t before = round.starts.circuits[round.circuit_of(chain)].value;
    if (*replaced && ends[chain].best_value < before) has_stagnated_ = false;
  }
}

void DeviceSweeps::run(Plan plan, std::uint32_t moves_per_gate) {
  const ChainRound round = round_of(plan, moves_per_gate);
  const std::vector<ChainEnd> ends = device_.run(round, chain_labels_);
  ++counts_.sweeps;
  counts_.devices = device_.devices();
  counts_.chains = std::max<std::uint64_t>(counts_.chains, ends.size());
  for (const ChainEnd& end : ends) counts_.moves += end.moves;
  replay(plan, round, ends);
  for (CutCircuit& circuit : plan.circuits) {
    if (std::ranges::any_of(circuit.replaced, [](const auto& each) { return each.has_value(); })) {
      join(circuit);
    }
  }
}

}  // namespace quartz::optimizer
