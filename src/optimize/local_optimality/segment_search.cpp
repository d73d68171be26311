#include "optimize/local_optimality/segment_search.hpp"

#include <cmath>
#include <utility>

#include "optimize/annealing/annealing_chain.hpp"

namespace quartz::optimizer {
namespace {

/// Temperatures of the sweep, in units of the table cost: it begins with one at which the segment
/// stays near its best circuit, because there is little time for each gate.
constexpr double kFirstSegmentTemperature = 0.6;
constexpr double kLastSegmentTemperature = 0.2;
/// Number of different temperatures.
constexpr std::uint64_t kTemperatures = 64;

constexpr std::uint32_t kNoNumber = ~0U;

}  // namespace

SegmentSearch::SegmentSearch(const ClassTable& table, const AnnealingLabels& labels,
                             std::uint32_t wires, const SegmentSearchOptions& options)
    : table_(table),
      labels_(labels),
      wires_(wires),
      options_(options),
      proofs_(std::make_shared<WindowProofs>(table.alphabet().letters)),
      descent_(table, labels, options.coupling, proofs_),
      number_(wires, kNoNumber) {
  if (options.record_pairs) proofs_->record_pairs();
}

rewrite::WireLists SegmentSearch::wire_lists(std::span<const rewrite::PlainGate> segment) {
  if (options_.coupling != nullptr) return {segment, wires_};
  for (const Qubit wire : used_) number_[wire] = kNoNumber;
  used_.clear();
  std::vector<rewrite::PlainGate> gates(segment.begin(), segment.end());
  for (rewrite::PlainGate& gate : gates) {
    for (std::size_t i = 0; i < gate.size; ++i) {
      std::uint32_t& number = number_[gate.wires[i]];
      if (number == kNoNumber) {
        number = static_cast<std::uint32_t>(used_.size());
        used_.push_back(gate.wires[i]);
      }
      gate.wires[i] = static_cast<rewrite::Wire>(number);
    }
  }
  return {gates, static_cast<std::uint32_t>(used_.size())};
}

ImprovedSegment SegmentSearch::restored(RewrittenCircuit::Snapshot found) const {
  ImprovedSegment result{std::move(found.gates), found.totals.phase, std::move(found.history)};
  if (options_.coupling != nullptr) return result;
  for (rewrite::PlainGate& gate : result.gates) {
    for (std::size_t i = 0; i < gate.size; ++i) {
      gate.wires[i] = static_cast<rewrite::Wire>(used_[gate.wires[i]]);
    }
  }
  result.wires = used_;
  return result;
}

SegmentSearch::Descent SegmentSearch::descend_from(RewrittenCircuit circuit,
                                                   circuit::HistoryPointer before,
                                                   std::uint64_t seed, const Budget& budget) {
  if (options_.record_history) circuit.record_history(labels_);
  const AnnealingCounts counts = descent_.counts();
  Descent result;
  result.is_complete = descent_.run(circuit, seed, budget);
  counts_.moves += descent_.counts().moves - counts.moves;
  counts_.replaced += descent_.counts().replaced - counts.replaced;
  result.reaches_start = descent_.reaches_start();
  for (const rewrite::GateIndex gate : circuit.gates().order()) {
    result.marks.push_back(circuit.gates()[gate].marked);
  }
  if (circuit.position() == 0 && before == nullptr) return result;
  RewrittenCircuit::Snapshot found = circuit.current_circuit();
  found.history = circuit::in_sequence(std::move(before), std::move(found.history));
  result.improved = restored(std::move(found));
  return result;
}

SegmentSearch::Descent SegmentSearch::descend(std::span<const rewrite::PlainGate> segment,
                                              std::uint64_t seed, const Budget& budget) {
  return descend_from({wire_lists(segment), labels_.totals_of(segment)}, nullptr, seed, budget);
}

SegmentSearch::Descent SegmentSearch::anneal(std::span<const rewrite::PlainGate> segment,
                                             std::uint64_t seed, const Budget& budget) {
  const rewrite::WireLists lists = wire_lists(segment);
  AnnealingChain chain(table_, labels_, lists, seed, proofs_);
  chain.settings.coupling = options_.coupling;
  if (options_.record_pairs) chain.record_pairs();
  if (options_.record_history) chain.record_history();
  const std::uint64_t value = chain.best_value();
  const std::uint64_t moves = options_.moves_per_gate * segment.size();
  for (std::uint64_t i = 0; i < kTemperatures; ++i) {
    const double part = static_cast<double>(i) / (kTemperatures - 1);
    chain.run(moves / kTemperatures + 1,
              kFirstSegmentTemperature *
                  std::pow(kLastSegmentTemperature / kFirstSegmentTemperature, part));
  }
  counts_ += chain.counts();
  if (chain.best_value() >= value) return {};
  const AnnealingChain::Best best = chain.best();
  Descent result = descend_from({rewrite::WireLists(best.gates, lists.wires()), best.totals},
                                best.history, seed, budget);
  if (!result.improved) result.improved = restored(best);  // without a history
  result.reaches_start = true;
  return result;
}

}  // namespace quartz::optimizer
