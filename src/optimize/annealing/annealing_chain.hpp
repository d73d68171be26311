#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "enumerate/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/chain_gains.hpp"
#include "optimize/annealing/phase_region.hpp"
#include "optimize/annealing/proved_pairs.hpp"
#include "optimize/annealing/random.hpp"
#include "optimize/annealing/used_rules.hpp"
#include "optimize/annealing/window.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/verify/prover.hpp"
#include "rewrite/wire_lists.hpp"
#include "verify/window_prover.hpp"

namespace quartz {

struct AnnealingCounts {
  std::uint64_t moves = 0;    ///< windows looked at
  std::uint64_t unknown = 0;  ///< beyond the table
  std::uint64_t replaced = 0;
  std::uint64_t regions = 0;   ///< of the moves, regions written anew
  std::uint64_t rejected = 0;  ///< uphill, by the Metropolis rule
  /// Walks down the table that led nowhere: two classes shared a tag (once in 2^19 to 2^26 looks at
  /// an unknown class, by the number of letters), or the table is damaged.
  std::uint64_t strayed = 0;
  std::uint64_t refuted = 0;  ///< replacements that the exact proof found wrong; expect none

  AnnealingCounts& operator+=(const AnnealingCounts& other) {
    moves += other.moves;
    unknown += other.unknown;
    replaced += other.replaced;
    regions += other.regions;
    rejected += other.rejected;
    strayed += other.strayed;
    refuted += other.refuted;
    return *this;
  }
};

/// One chain of simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) over the circuits equal to a
/// given one. A move takes a random window, finds its class in the table, and puts a random
/// cheapest circuit of the class in its place, or one that costs more with the probability of
/// Metropolis. The walk through equal circuits is what finds the gains.
///
/// The walk goes by the table's cost, whatever the search makes small; of the circuits that it
/// comes by, the one with the least value is kept.
class AnnealingChain {
 public:
  AnnealingChain(const ClassTable& table, const AnnealingLabels& labels, WireLists circuit,
                 std::uint64_t seed);

  /// So many moves at a temperature, in units of the table's cost.
  void run(std::uint64_t moves, double temperature);

  [[nodiscard]] const WireLists& circuit() const { return circuit_; }
  /// Of the circuit now, in units of what the search makes small.
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// Of the circuit now, over the circuit it started from, in units of pi/8: the start equals
  /// e^{i pi phase / 8} times the circuit.
  [[nodiscard]] int phase() const { return phase_; }
  [[nodiscard]] const AnnealingCounts& counts() const { return counts_; }

  /// From here on moves begin at about so many gates around a random one only.
  void focus(std::size_t gates);
  /// And from here on at any gate again.
  void unfocus();

  struct Snapshot {
    WireLists circuit;
    std::uint64_t value = 0;
    std::uint64_t table_cost = 0;
    int phase = 0;
    std::size_t open_records = 0;
  };
  [[nodiscard]] Snapshot snapshot() const {
    return {circuit_, value_, table_cost(), phase_, gains_.open_records()};
  }
  /// Of the circuit now, what the walk goes by.
  [[nodiscard]] std::uint64_t table_cost() const { return labels_.cost_of(circuit_.gates()); }
  /// As restart(), without a focus.
  void restore(Snapshot from);

  struct Best {
    std::vector<PlainGate> gates;
    std::uint64_t value = 0;
    int phase = 0;
  };
  /// Puts the circuit where the chain's is.
  void restart(const Best& from);
  [[nodiscard]] const Best& best();
  [[nodiscard]] std::uint64_t best_value() const { return std::min(best_.value, value_); }

  /// What led to best().
  [[nodiscard]] const ChainGains& gains() const { return gains_; }

  /// Keeps what is replaced from here on, which is windows alone then: regions have more wires
  /// than a table's letters.
  void record_pairs() {
    used_pairs_.emplace();
    settings.regions = 0;
  }
  [[nodiscard]] const std::optional<UsedPairs>& used_pairs() const { return used_pairs_; }

  /// How windows and moves are chosen; these did best on the Nam circuits.
  struct Settings {
    std::size_t smallest_window = 2;
    std::size_t largest_window = 16;
    std::size_t beyond_table = 6;  ///< gates of a window above the table's cost
    double uphill = 0.8;           ///< share of the moves that try a letter more
    double placed = 0.5;           ///< share of the rotations that a placement moves
    unsigned moves_a_gate = 16;    ///< between two placements
    double regions = 0.01;         ///< share of the moves that write a region anew
    std::size_t smallest_region = 8;
  };
  Settings settings;
  /// Between whose pairs gates may stand; null: anywhere.
  const CouplingMap* coupling = nullptr;

 private:
  void move();
  /// A random gate to begin at; kNoGate: try again.
  [[nodiscard]] GateIndex random_gate();
  void list_focused();
  /// What came in the place of gates of which so many were in the focus.
  void move_focus(std::size_t focused, std::size_t gates);
  /// Letters on two of the window's wires that are not coupled, or not this way round.
  [[nodiscard]] LetterMask uncoupled_letters() const;
  [[nodiscard]] bool walk_down(FieldState state, UnitScalar scalar, unsigned cost,
                               LetterMask last_letters, LetterMask allowed);
  /// Whether the replacement is proved to equal the window, with the walk's phase; now or before.
  [[nodiscard]] bool proved(bool symbolic);
  [[nodiscard]] bool prove(std::span<const std::uint8_t> window,
                           std::span<const std::uint8_t> replacement, bool symbolic) const;
  void rewrite_region();
  /// What a replacement changes: the value of the gates replaced and of those in their place, and
  /// the phase.
  struct Exchange {
    std::uint64_t value = 0;
    std::uint64_t new_value = 0;
    int phase = 0;
  };
  void replace(std::span<const GateIndex> gates, std::span<const WireLists::Gap> wires,
               std::span<const PlainGate> replacement, const Exchange& exchange);
  void keep_best();
  void place();
  /// The circuit now came about by this kind of rewrite; of a window by the one looked at last.
  void note_gain(RewriteKind kind);

  const ClassTable& table_;
  const AnnealingLabels& labels_;
  const WindowProver prover_;
  std::unique_ptr<Prover> symbolic_prover_;  ///< of windows with a free angle
  ProvedPairs proved_pairs_;
  std::optional<UsedPairs> used_pairs_;
  WireLists circuit_;
  FastRandom random_;
  std::uint64_t value_ = 0;
  int phase_ = 0;
  double temperature_ = 0;
  bool is_focused_ = false;
  std::vector<GateIndex> focus_;        ///< marked gates, and places where such were
  std::vector<std::uint8_t> in_focus_;  ///< by place: whether it's in that list
  Best best_;
  ChainGains gains_;
  std::uint64_t moves_since_best_ = 0;
  std::uint64_t moves_to_placement_ = 0;
  AnnealingCounts counts_;
  /// Letters on wires 0 and 1, 0 and 2, 1 and 2 of a window, at least.
  std::array<LetterMask, 3> letters_across_{};
  /// Of letters with a direction, those with the operands (i, j) of a window's wires, by 3 * i + j.
  std::array<LetterMask, 9> letters_along_{};
  Window window_;
  boost::container::static_vector<std::uint8_t, kWindowGates> letters_;  ///< of the window
  /// Letters of the replacement, the last first, and the phase that it takes.
  boost::container::static_vector<std::uint8_t, 40> walk_;
  int walk_phase_ = 0;
  RegionSynthesis regions_;
  RegionWindow region_;
  boost::container::static_vector<std::uint8_t, 40> replacement_letters_;
};

}  // namespace quartz
