#include "optimize/local_optimality/shifted_segments.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "base/pace.hpp"
#include "base/random.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/local_optimality/segment_search.hpp"
#include "optimize/local_optimality/segment_team.hpp"
#include "quartz/algebra/rational.hpp"

namespace quartz::optimizer {
namespace {

using Gates = std::vector<rewrite::PlainGate>;

/// Gates of a block, and for each wire: a window of 16 gates on three wires is as a rule inside a
/// segment of two blocks, on many wires too.
constexpr std::size_t kGatesOfBlock = 256;
constexpr std::size_t kGatesOfBlockPerWire = 16;
/// The list is cut again when blocks have lost this part of their gates.
constexpr double kLeastPartOfBlock = 0.5;
/// Fraction of the time that is left for annealing once all windows are optimal.
constexpr double kAnnealingShareOfTime = 0.85;
/// Time between two calls of on_better.
constexpr std::chrono::seconds kIntervalOfBetter{2};
/// Fewest segments of a stretch for each thread: all threads wait for the last one.
constexpr std::size_t kLeastOfStretch = 3;

/// How thoroughly a segment was searched since its gates changed.
enum class Level : std::uint8_t { none, windows, annealed };

class ShiftedSegments {
 public:
  ShiftedSegments(const ClassTable& table, std::span<const Operation> gates, std::uint32_t wires,
                  const LocalSearchLimits& limits)
      : limits_(limits),
        time_(limits.budget.counts_ticks() ? limits.budget.until_stopped() : limits.budget),
        labels_(table.alphabet(), limits.value),
        size_of_block_(std::max(kGatesOfBlock, kGatesOfBlockPerWire * wires)) {
    AnnealingLabels::Interned interned = labels_.intern(gates);
    derivation_ =
        limits.record_history ? std::move(interned.derivation) : circuit::Derivation::unrecorded();
    team_.emplace(table, labels_, interned.gates, wires, limits.threads,
                  SegmentSearchOptions{limits.coupling, limits.record_pairs, limits.record_history,
                                       limits.moves_per_gate},
                  limits.workers);
    cut(interned.gates);
  }

  [[nodiscard]] LocalSearchResult run() && {
    make_windows_optimal();
    // What is left of the time is for the windows around the cuts.
    annealing_time_ = time_.share(kAnnealingShareOfTime);
    while (limits_.moves_per_gate != 0 && !limits_.budget.spent() && !annealing_time_.spent()) {
      if (!has_below(Level::annealed)) break;
      anneal_round();
      make_windows_optimal();
    }
    LocalSearchResult result{gates_now(), optimality(), {}, {}, false};
    result.is_complete = !has_below(limits_.moves_per_gate == 0 ? Level::windows : Level::annealed);
    result.counts = team_->counts();
    if (limits_.record_pairs) team_->add_used_pairs(result.used_pairs);
    return result;
  }

 private:
  /// Cuts a list of gates into blocks.
  void cut(std::span<const rewrite::PlainGate> gates) {
    blocks_.clear();
    const std::size_t count = std::max<std::size_t>(gates.size() / size_of_block_, 1);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t first = gates.size() * i / count;
      const std::size_t last = gates.size() * (i + 1) / count;
      blocks_.emplace_back(gates.begin() + static_cast<std::ptrdiff_t>(first),
                           gates.begin() + static_cast<std::ptrdiff_t>(last));
    }
    levels_.assign(std::max<std::size_t>(count - 1, 1), Level::none);
  }
  void cut_again_if_small() {
    const std::size_t gates = gate_count();
    const double size = static_cast<double>(gates) / static_cast<double>(blocks_.size());
    if (blocks_.size() == 1 || size >= kLeastPartOfBlock * static_cast<double>(size_of_block_)) {
      return;
    }
    Gates all;
    all.reserve(gates);
    for (Gates& block : blocks_) {
      all.insert(all.end(), block.begin(), block.end());
      block = {};
    }
    cut(all);
  }

  [[nodiscard]] std::size_t gate_count() const {
    std::size_t gates = 0;
    for (const Gates& block : blocks_) gates += block.size();
    return gates;
  }
  [[nodiscard]] bool has_below(Level level) const {
    return std::ranges::any_of(levels_, [&](Level each) { return each < level; });
  }

  /// Returns the segments below a level that begin with an even or an odd block.
  [[nodiscard]] std::vector<std::size_t> segments_below(Level level, std::size_t parity) const {
    std::vector<std::size_t> segments;
    for (std::size_t i = parity; i < levels_.size(); i += 2) {
      if (levels_[i] < level) segments.push_back(i);
    }
    return segments;
  }
  /// Returns those of the other parity if there are none of the next one.
  [[nodiscard]] std::vector<std::size_t> next_segments(Level level) {
    std::vector<std::size_t> segments = segments_below(level, parity_);
    if (segments.empty()) segments = segments_below(level, 1 - parity_);
    if (!segments.empty()) parity_ = 1 - segments.front() % 2;
    return segments;
  }

  [[nodiscard]] Gates gates_of(std::size_t segment) const {
    Gates gates = blocks_[segment];
    if (segment + 1 < blocks_.size()) {
      const Gates& second = blocks_[segment + 1];
      gates.insert(gates.end(), second.begin(), second.end());
    }
    return gates;
  }

  void make_windows_optimal() {
    while (!time_.spent()) {
      const std::vector<std::size_t> segments = next_segments(Level::windows);
      if (segments.empty()) break;
      search_all(segments, SegmentStep::windows, time_);
      cut_again_if_small();
    }
  }

  void anneal_round() {
    std::vector<std::size_t> segments = next_segments(Level::annealed);
    if (limits_.budget.counts_ticks()) {
      // The segments that the ticks suffice for, of all threads together.
      std::uint64_t left = limits_.budget.ticks_left() * team_->threads();
      std::size_t count = 0;
      std::uint64_t spent = 0;
      for (; count < segments.size() && spent < left; ++count) {
        spent += limits_.moves_per_gate * gates_of(segments[count]).size();
      }
      segments.resize(count);
      limits_.budget.spend(std::max<std::uint64_t>(spent / team_->threads(), 1));
    }
    search_all(segments, SegmentStep::annealing, annealing_time_);
  }

  /// Searches the segments of a round, which share no block, and puts what was found in their
  /// places. If better circuits are wanted and the result may depend on the time, that is done in
  /// stretches: the first round of a large circuit takes long, and what only its end shows is
  /// certified too late.
  void search_all(std::span<const std::size_t> segments, SegmentStep step, const Budget& time) {
    ++rounds_;
    if (!limits_.on_better || limits_.budget.counts_ticks()) {
      search_stretch(segments, step, time);
      return;
    }
    const std::size_t least = kLeastOfStretch * team_->all_threads();
    std::size_t& size = size_of_stretch_[step == SegmentStep::annealing ? 1 : 0];
    while (!segments.empty() && !time.spent()) {
      size = std::max(size, least);
      const std::span<const std::size_t> some = segments.first(std::min(size, segments.size()));
      const auto start = std::chrono::steady_clock::now();
      search_stretch(some, step, time);
      const auto taken = std::chrono::steady_clock::now() - start;
      if (2 * taken < kIntervalOfBetter) size *= 2;
      if (taken > 2 * kIntervalOfBetter) size /= 2;
      segments = segments.subspan(some.size());
    }
  }

  /// Searches segments in parallel, and puts what was found in their places.
  void search_stretch(std::span<const std::size_t> segments, SegmentStep step, const Budget& time) {
    SegmentTeam::Found found =
        team_->search({step, segments.size(), [&](std::size_t i) { return gates_of(segments[i]); },
                       [&](std::size_t i) {
                         FastRandom seeds(limits_.seed ^ (rounds_ << 32U) ^ segments[i]);
                         return seeds();
                       },
                       time, time_});
    put(segments, step, found);
    report();
  }

  /// Returns how thoroughly a segment has been searched.
  [[nodiscard]] static Level level_of(SegmentStep step, const SegmentSearch::Descent& found) {
    if (step == SegmentStep::annealing && !found.improved) return Level::annealed;
    return found.is_complete ? Level::windows : Level::none;
  }

  /// Puts the results of a round into the list.
  void put(std::span<const std::size_t> segments, SegmentStep step, SegmentTeam::Found& found) {
    append_history(segments, found);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (!found[i]) continue;
      const std::size_t segment = segments[i];
      const Level level = level_of(step, *found[i]);
      levels_[segment] = std::max(levels_[segment], level);
      if (found[i]->improved) {
        levels_[segment] = level;
        if (segment != 0) levels_[segment - 1] = Level::none;
        if (segment + 1 < levels_.size()) levels_[segment + 1] = Level::none;
        phase_ = (phase_ + found[i]->improved->phase) & 15;
        divide(found[i]->improved->gates, segment);
        if (segment != 0 && found[i]->reaches_start) {
          for (rewrite::PlainGate& gate : blocks_[segment - 1]) gate.marked = false;
        }
      }
      mark(segment, found[i]->marks);
    }
  }

  /// Puts gates into the blocks of a segment.
  void divide(const Gates& gates, std::size_t segment) {
    if (segment + 1 == blocks_.size()) {
      blocks_[segment] = gates;
      return;
    }
    const auto middle = gates.begin() + static_cast<std::ptrdiff_t>(gates.size() / 2);
    blocks_[segment].assign(gates.begin(), middle);
    blocks_[segment + 1].assign(middle, gates.end());
  }
  void mark(std::size_t segment, const std::vector<bool>& marks) {
    auto next = marks.begin();
    for (std::size_t i = segment; i < std::min(segment + 2, blocks_.size()); ++i) {
      for (rewrite::PlainGate& gate : blocks_[i]) {
        if (next != marks.end()) gate.marked = *next++;
      }
    }
  }

  /// Appends the histories of segments, which are parts of the list, to that of the list.
  void append_history(std::span<const std::size_t> segments, SegmentTeam::Found& found) {
    if (!limits_.record_history) return;
    circuit::DerivedParts parts;
    std::uint32_t first = 0;  // place of the first gate that is in no part yet
    std::uint32_t place = 0;  // place of the first gate of the next block
    std::size_t block = 0;
    const auto add = [&](std::uint32_t end, std::vector<Qubit> wires,
                         const circuit::Derivation& derivation) {
      if (first == end) return;
      std::vector<std::uint32_t> gates(end - first);
      std::iota(gates.begin(), gates.end(), first);
      parts.add(std::move(gates), std::move(wires), derivation);
      first = end;
    };
    const auto skip_to = [&](std::size_t next) {
      for (; block < next; ++block) place += static_cast<std::uint32_t>(blocks_[block].size());
    };
    bool has_changed = false;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (!found[i] || !found[i]->improved) continue;
      has_changed = true;
      ImprovedSegment& improved = *found[i]->improved;
      skip_to(segments[i]);
      add(place, {}, circuit::Derivation::unchanged());
      skip_to(std::min(segments[i] + 2, blocks_.size()));
      add(place, std::move(improved.wires), circuit::Derivation::by(std::move(improved.history)));
    }
    if (!has_changed) return;
    skip_to(blocks_.size());
    add(place, {}, circuit::Derivation::unchanged());
    derivation_ = derivation_.then(std::move(parts).finish());
  }

  [[nodiscard]] circuit::DerivedGates gates_now() const {
    circuit::DerivedGates result{{}, labels_.phase(), derivation_};
    result.gates.reserve(gate_count());
    for (const Gates& block : blocks_) {
      std::ranges::move(labels_.operations(block), std::back_inserter(result.gates));
    }
    result.phase.add_phase(Angle::pi_times(Rational(phase_, 8)));
    return result;
  }

  /// Returns the number of gates in blocks of which all segments have reached a level.
  [[nodiscard]] std::size_t gates_at(Level level) const {
    std::size_t gates = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const bool before = i == 0 || levels_[i - 1] >= level;
      const bool behind = i >= levels_.size() || levels_[i] >= level;
      if (before && behind) gates += blocks_[i].size();
    }
    return gates;
  }
  [[nodiscard]] LocalOptimality optimality() const {
    LocalOptimality result;
    result.gates = gate_count();
    result.in_windows = gates_at(Level::windows);
    result.in_segments = gates_at(Level::annealed);
    result.gates_of_segment = 2 * result.gates / blocks_.size();
    if (blocks_.size() == 1) result.gates_of_segment = result.gates;
    result.moves_per_gate = limits_.moves_per_gate;
    return result;
  }

  void report() {
    if (limits_.on_progress) limits_.on_progress(team_->counts().moves);
    if (limits_.on_better && pace_.is_due()) {
      pace_.run([&] { limits_.on_better(gates_now()); });
    }
  }

  const LocalSearchLimits& limits_;
  const Budget time_;  ///< without ticks, which anneal_round() counts
  Budget annealing_time_;
  AnnealingLabels labels_;
  const std::size_t size_of_block_;
  std::optional<SegmentTeam> team_;
  std::vector<Gates> blocks_;
  /// For each segment, which consists of the block of this number and the next one. A list of one
  /// block is one segment.
  std::vector<Level> levels_;
  std::size_t parity_ = 0;  ///< that of the segments of the next round
  std::uint64_t rounds_ = 0;
  circuit::Derivation derivation_ = circuit::Derivation::unchanged();
  int phase_ = 0;  ///< the phase of all replacements, in units of pi/8
  /// Segments of a stretch, for each step.
  std::array<std::size_t, 2> size_of_stretch_{};
  Pace pace_{kIntervalOfBetter};
};

}  // namespace

LocalSearchResult search_shifted_segments(const ClassTable& table, std::span<const Operation> gates,
                                          std::uint32_t wires, const LocalSearchLimits& limits) {
  return ShiftedSegments(table, gates, wires, limits).run();
}

}  // namespace quartz::optimizer
