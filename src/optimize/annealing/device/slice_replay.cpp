#include "optimize/annealing/device/slice_replay.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "circuit/common_ends.hpp"
#include "window_chains/backend/host_chain.hpp"

namespace quartz::optimizer {

using window_chains::ChainGate;
using window_chains::ChainScratch;
using window_chains::Place;

/// Observes a chain: proves its replacements, and records them.
class SliceReplay::Recorder {
 public:
  Recorder(SliceReplay& replay, const ChainSlice& slice)
      : replay_(replay), slice_(slice), numbers_(slice.gates.size()) {
    std::iota(numbers_.begin(), numbers_.end(), circuit::GateNumber{0});
    if (replay.gates_) recorder_.emplace(slice.gates.size(), replay.gates_);
  }

  /// Called by the chain after each replacement.
  void replaced(const ChainScratch& now, int phase) {
    phase_ = (phase_ + phase) & 15;
    std::array<std::uint8_t, window_chains::kMostWalk> letters;
    std::reverse_copy(now.walk, now.walk + now.walk_length, letters.begin());
    std::span<const std::uint8_t> window(now.letters, now.gate_count);
    std::span<const std::uint8_t> replacement(letters.data(), now.walk_length);
    if (recorder_) record(now, replacement);
    circuit::strip_common_ends(window, replacement);
    is_proved_ = is_proved_ && replay_.proofs_.is_proved(window, replacement, phase);
  }

  void rotation_removed(Place place) {
    if (recorder_) removed_.push_back(numbers_[place]);
  }
  void rotation_inserted(Place place, Place before, std::uint8_t wire, std::uint16_t label) {
    if (!recorder_) return;
    const circuit::GateNumber after = before == window_chains::kNoPlace ? 0 : numbers_[before] + 1;
    set_number(place,
               recorder_->next_number() + static_cast<circuit::GateNumber>(inserted_.size()));
    rewrite::PlainGate gate;
    gate.label = label;
    gate.size = 1;
    inserted_.push_back({code_of(gate), {wire}});
    places_.push_back({wire, after});
  }
  void rotations_moved(int phase) {
    phase_ = (phase_ + phase) & 15;
    if (recorder_ && !removed_.empty()) recorder_->exchange(removed_, inserted_, places_);
    removed_.clear();
    inserted_.clear();
    places_.clear();
  }

  [[nodiscard]] bool is_proved() const { return is_proved_; }
  /// Returns the circuit in the places of the chain.
  [[nodiscard]] ReplayedSlice finish(std::span<const ChainGate> places) && {
    std::vector<Place> order;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].size != 0) order.push_back(static_cast<Place>(i));
    }
    std::ranges::sort(order, {},
                      [&](Place place) { return std::pair(places[place].position, place); });
    ReplayedSlice result;
    std::vector<circuit::GateNumber> numbers;
    for (const Place place : order) {
      result.gates.push_back(gate_in(places[place]));
      if (recorder_) numbers.push_back(numbers_[place]);
    }
    result.totals = replay_.labels_.totals_of(result.gates);
    result.totals.phase = phase_;
    if (recorder_) result.history = std::move(*recorder_).finish(std::move(numbers));
    return result;
  }

 private:
  [[nodiscard]] rewrite::PlainGate gate_in(const ChainGate& place) const {
    rewrite::PlainGate gate;
    gate.label = place.label;
    gate.size = place.size;
    for (unsigned i = 0; i < place.size; ++i) gate.wires[i] = slice_.wires[place.wires[i]];
    return gate;
  }

  void set_number(Place place, circuit::GateNumber number) {
    if (numbers_.size() <= place) numbers_.resize(place + std::size_t{1});
    numbers_[place] = number;
  }
  void record(const ChainScratch& now, std::span<const std::uint8_t> replacement) {
    for (const Place place : std::span(now.gates, now.gate_count)) {
      removed_.push_back(numbers_[place]);
    }
    circuit::GateNumber next = recorder_->next_number();
    for (std::size_t i = 0; i < replacement.size(); ++i) {
      set_number(now.inserted[i], next++);
      inserted_.push_back(recorded(now, replacement[i]));
    }
    recorder_->rewrite(removed_, {}, std::span<const circuit::RecordedGate>(inserted_));
    removed_.clear();
    inserted_.clear();
  }
  [[nodiscard]] circuit::RecordedGate recorded(const ChainScratch& now, std::uint8_t letter) {
    const window_chains::ChainLetter& row = replay_.table_.alphabet.letters[letter];
    rewrite::PlainGate gate;
    gate.label = replay_.labels_.label_of(letter, now.symbol);
    gate.size = row.size;
    circuit::RecordedGate result;
    for (unsigned i = 0; i < row.size; ++i) result.qubits.push_back(now.wires[row.wires[i]]);
    result.code = code_of(gate);
    return result;
  }
  /// The code of a gate does not depend on its wires.
  [[nodiscard]] circuit::RecordedGates::Code code_of(const rewrite::PlainGate& gate) {
    if (codes_.size() <= gate.label) codes_.resize(gate.label + std::size_t{1});
    std::optional<circuit::RecordedGates::Code>& code = codes_[gate.label];
    if (!code) code = replay_.gates_->code_of(replay_.labels_.operations({&gate, 1}).front());
    return *code;
  }

  SliceReplay& replay_;
  const ChainSlice& slice_;
  std::vector<circuit::GateNumber> numbers_;  ///< numbers of the gates, by place
  std::optional<circuit::HistoryRecorder> recorder_;
  std::vector<std::optional<circuit::RecordedGates::Code>> codes_;  ///< by label
  // Parts of the current record.
  std::vector<circuit::GateNumber> removed_;
  std::vector<circuit::RecordedGate> inserted_;
  std::vector<circuit::RecordedPlace> places_;
  int phase_ = 0;
  bool is_proved_ = true;
};

SliceReplay::SliceReplay(const window_chains::HostTable& table, const ClassTable& classes,
                         const AnnealingLabels& labels, bool records_history)
    : table_(table),
      labels_(labels),
      proofs_(classes.alphabet().letters),
      gates_(records_history ? std::make_shared<circuit::RecordedGates>() : nullptr) {}

std::optional<ReplayedSlice> SliceReplay::run(const ChainSlice& slice,
                                              const window_chains::ChainRound& round,
                                              const window_chains::ChainLabels& labels,
                                              std::uint32_t chain,
                                              const window_chains::ChainEnd& end) {
  Recorder recorder(*this, slice);
  window_chains::HostChain host(table_, labels, round, chain);
  const window_chains::ChainEnd reached = host.run(recorder, end.best_move);
  const bool is_confirmed = reached.best_move == end.best_move && reached.moves == end.best_move &&
                            reached.best_value == end.best_value &&
                            reached.best_cost == end.best_cost;
  if (!is_confirmed || !recorder.is_proved()) return std::nullopt;
  ReplayedSlice result = std::move(recorder).finish(host.places());
  if (result.totals.value != end.best_value) return std::nullopt;
  return result;
}

}  // namespace quartz::optimizer
