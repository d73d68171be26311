#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/budget.hpp"
#include "circuit/derivation.hpp"
#include "optimize/cost/search_cost.hpp"
#include "optimize/state/direction.hpp"
#include "optimize/state/gains.hpp"
#include "optimize/state/problem.hpp"
#include "optimize/state/search_result.hpp"
#include "optimize/state/segments.hpp"
#include "optimize/state/used_rules.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz::optimizer {

/// One version of the circuit under search. Versions share the segments in which they do not
/// differ, so a copy takes one pointer for each segment, regardless of the number of gates:
/// returning to an earlier version and keeping the best one copy no gates.
struct Version {
  struct CostedSegment {
    std::shared_ptr<const Segment> segment;
    /// sum_of_costs of the operations before, the gates, the boxed boundaries and the boundary
    SearchCost cost;
    /// How the gates were derived from those of the circuit that `origin` leads to.
    circuit::Derivation derivation = circuit::Derivation::unchanged();
    /// Their places in that circuit, if derivations are recorded.
    std::shared_ptr<const SegmentPlaces> places = {};
  };
  std::vector<CostedSegment> segments;
  /// How the circuit that was divided into the segments was derived from the input.
  circuit::Derivation origin = circuit::Derivation::unchanged();
  Angle phase;  ///< global phase of the circuit
  Segments kind = Segments::divided;
  SearchCost cost;  ///< sum over the segments; complete for additive costs
  /// The whole cost if it is not additive, once it was computed, which takes a pass over all gates.
  std::optional<SearchCost> whole_cost = {};
  Gains gains;  ///< gains of the rewrites that led to this version, if they are recorded
};

/// Name of a pass in progress lines and reports.
struct PassName {
  std::string_view name;
  std::string_view description;
};

/// The circuit under search, with the best version so far and the figures for the report. Searches
/// read the current version and replace segments of it.
class SearchState {
 public:
  explicit SearchState(const Problem& problem);

  [[nodiscard]] const Problem& problem() const { return *searched_; }

  // --- the current version ---
  /// Returns segment_wires of the problem's circuit.
  [[nodiscard]] std::uint32_t wires() const { return wires_; }
  [[nodiscard]] std::size_t segment_count() const { return now_.segments.size(); }
  [[nodiscard]] const Segment& segment(std::size_t index) const {
    return *now_.segments[index].segment;
  }
  /// Returns the number of gates and black boxes, without other optimization boundaries.
  [[nodiscard]] std::size_t gate_count() const;
  /// Returns whether all angles are multiples of pi/4.
  [[nodiscard]] bool has_only_eighth_turns() const;
  /// Takes O(1) for additive costs, and O(gates) for others after each change.
  [[nodiscard]] SearchCost cost();

  /// Replaces the gates of a segment by equal ones, unless the sum of the global phases is beyond
  /// exact arithmetic.
  void replace(std::size_t segment, circuit::DerivedGates gates) {
    replace_in(now_, segment, std::move(gates));
  }
  /// Continues with another circuit that is equal to the input. Returns false, and changes nothing,
  /// if it has gates against the direction of the coupling map that cannot be reversed, or if the
  /// sum of its phase and theirs is beyond exact arithmetic.
  [[nodiscard]] bool restart_from(circuit::DerivedCircuit start);
  /// Divides the current circuit into joined segments, unless they are joined already, or would be
  /// the same, or the cost is no sum over the gates. Returns whether it did.
  [[nodiscard]] bool join_segments();
  /// Divides the current circuit so that only the gates under conditions are seen which joined
  /// segments have as black boxes. Returns false, and changes nothing, if there are none, or if the
  /// cost is no sum over the gates, because segments are never joined then.
  [[nodiscard]] bool isolate_bodies();
  /// Divides the current circuit into segments of a kind.
  void divide(Segments kind) { now_ = divided_into(kind); }
  void add_gain(Rewrite rewrite, const Gain& gain);

  // --- other versions ---
  [[nodiscard]] const Version& now() const { return now_; }
  /// Does the same in a version.
  void replace_in(Version& version, std::size_t segment, circuit::DerivedGates gates) const;
  void go_to(Version version) { now_ = std::move(version); }
  [[nodiscard]] SearchCost cost_of(const Version& version) const;
  [[nodiscard]] Circuit circuit_of(const Version& version) const;
  /// Returns circuit_of(version), and how it was derived from the input.
  [[nodiscard]] circuit::DerivedCircuit derived_circuit(const Version& version) const;
  /// Returns a version as a circuit that can be formed after the search.
  [[nodiscard]] UnformedCircuit unformed_circuit(Version version) const;

  /// Makes the current version the best one if it costs less than all earlier ones.
  void keep_best();
  [[nodiscard]] const Version& best() const { return best_; }
  [[nodiscard]] const SearchCost& best_cost() const { return best_cost_; }
  [[nodiscard]] circuit::DerivedCircuit best_circuit() const;
  /// Returns whether the best version differs from the input.
  [[nodiscard]] bool has_better() const { return has_better_; }

  /// Runs a search for a problem that differs from this one in its cost, and continues with the
  /// best version that it found for that cost. Other versions keep the costs that they had.
  void run_for(const Problem& other, const std::function<void()>& search);
  /// Computes the costs of the segments of a version for another cost, and returns its cost.
  SearchCost evaluate(Version& version, const Cost& cost) const;

  // --- directed coupling maps ---
  [[nodiscard]] bool is_directed() const { return directions_.has_value(); }
  /// Reverses gates that point against the direction of the coupling map, if possible. Throws
  /// OverflowError if the sum of the phases is beyond exact arithmetic.
  [[nodiscard]] circuit::DerivedGates with_directions_fixed(circuit::DerivedGates gates);
  [[nodiscard]] bool respects_directions(const Circuit& circuit) const;

  // --- time ---
  /// Returns whether enough time is left for work that takes as long as a number of copies of the
  /// circuit, and records it if not.
  [[nodiscard]] bool has_time_for(const Budget& budget, double copies);
  /// Returns the measured time for one copy of the circuit.
  [[nodiscard]] double copy_seconds() const { return copy_seconds_; }
  /// Returns whether some step was skipped for lack of time.
  [[nodiscard]] bool was_cut_short() const { return was_cut_short_; }

  // --- reports ---
  /// Runs a pass and adds its time and gain to the reports. If exact arithmetic does not suffice
  /// for the pass (OverflowError), the current version is that of before.
  void run_pass(const PassName& name, const std::function<void()>& pass);
  void report(std::string_view pass) const;
  /// Returns the time since the state was created.
  [[nodiscard]] double seconds() const;
  void add_alternative(const Version& version);

  /// Figures that searches accumulate for the result.
  struct Figures {
    std::uint64_t annealing_moves = 0;
    std::optional<DeviceAnnealing> device_annealing = {};
    std::atomic<std::uint64_t> circuits_popped = 0;
    std::optional<ProductCounts> products = {};
    std::optional<RepetitionCounts> repetitions = {};
    std::optional<LocalOptimality> local_optimality = {};
    std::vector<OptimizePass> passes;
    std::vector<circuit::DerivedCircuit> alternatives;
    /// Replacements that annealing proved, in letters of `table`.
    UsedPairs used_pairs;
    std::shared_ptr<const ClassTable> table;
  };
  Figures figures;

  /// Returns the result; the state must not be used afterwards.
  [[nodiscard]] SearchResult finish(bool copies_unchanged = true);

 private:
  [[nodiscard]] Circuit circuit_without_gates(const Angle& phase) const;
  /// Returns the cost of the circuit of a version, also if it is no sum.
  [[nodiscard]] SearchCost whole_cost_of(const Version& version, const Cost& cost) const;
  /// Returns the best circuit; the state has no best version afterwards.
  [[nodiscard]] Circuit take_best_circuit();
  /// Returns the version of the problem's circuit.
  [[nodiscard]] Version given_version() const;
  [[nodiscard]] Version first_version(std::span<const Operation> operations,
                                      Segments kind = Segments::divided) const;
  [[nodiscard]] Version version_of(std::vector<Segment> segments, std::vector<SegmentPlaces> places,
                                   Segments kind) const;
  [[nodiscard]] circuit::Derivation derivation_of(const Version& version) const;
  /// Returns the current version, divided into segments of a kind.
  [[nodiscard]] Version divided_into(Segments kind) const;
  /// Throws InternalError if a circuit leaves the gate set or the coupling map.
  void require_valid(const Circuit& circuit) const;

  const Problem& problem_;
  const Problem* searched_;  ///< the problem, or one that differs from it in its cost
  std::uint32_t wires_;
  const Budget::Clock::time_point start_ = Budget::Clock::now();
  std::optional<Directions> directions_;  ///< for the coupling map, if it has directions
  double copy_seconds_ = 0;
  bool was_cut_short_ = false;
  bool may_have_bodies_ = false;  ///< whether the input has several gates under conditions
  Rewrites rewrites_;
  Version now_;
  Version best_;
  SearchCost best_cost_;
  bool has_better_ = false;
};

}  // namespace quartz::optimizer
