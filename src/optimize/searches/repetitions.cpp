#include "optimize/searches/repetitions.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/repetitions/fragments.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/time_to_return.hpp"
#include "optimize/searches/simplify.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kRepetitionsPass{"repetitions", "repeated gates optimized once for all copies"};

/// Where the copies begin in each round, as a share of the period: what two copies have in common
/// is inside of a copy in the next round.
constexpr std::array kCuts{0.0, 0.5, 0.25, 0.75, 0.125, 0.625};
/// Share of what is left of the budget for the first round, and for each of the others but the last
/// one. After the first round it is known whether the fragments are promising.
constexpr double kFirstRoundShare = 0.25;
constexpr double kRoundShare = 0.5;
/// Rounds without a gain, one after the other, after which the search ends.
constexpr std::size_t kIdleRounds = 2;

/// A circuit is long if its further copies have at least this many gates, and this share of all
/// gates, and if the budget permits fewer annealing moves for each gate.
constexpr std::size_t kMinSavedGates = 400;
constexpr double kMinSavedShare = 0.5;
constexpr double kMaxMovesOfGate = 25'000;
/// Time that must be left for each gate of the circuit, in seconds: ten times that in which
/// repetitions are found.
constexpr double kMinSecondsOfGate = 1e-5;

/// The search for an equal fragment that costs less.
class FragmentSearch {
 public:
  FragmentSearch(const SearchState& state, const Fragment& fragment, std::uint64_t round)
      : circuit_(make_circuit(fragment.wires, fragment.gates)) {
    const Problem& problem = state.problem();
    circuit_.qasm_version = problem.circuit.qasm_version;
    circuit_.parameters = problem.circuit.parameters;
    circuit_.gates_in_turns = problem.circuit.gates_in_turns;
    Accuracy accuracy = problem.accuracy;
    accuracy.epsilon /= static_cast<double>(fragment.copies) * static_cast<double>(kCuts.size());
    problem_.emplace(
        Problem{.circuit = circuit_,
                .set = problem.set,
                .rules = problem.rules,
                .cost = problem.cost,
                .accuracy = accuracy,
                .threads = problem.threads,
                .seed = problem.seed + round,
                // Fragments and the whole circuit share class tables.
                .amount = problem.amount,
                .record = {.history = problem.record.history},
                .table_memory = problem.table_memory,
                .tables = problem.tables,
                .device = problem.device,
                .chain_devices = problem.chain_devices,
                .on_progress = [&state](std::string_view pass) { state.report(pass); }});
  }

  /// Returns the fragment that was found, or nothing if none costs less.
  [[nodiscard]] std::optional<circuit::DerivedGates> run(MakeSearch make, SearchState& outer,
                                                         const Budget& budget) {
    SearchState own(*problem_);
    const SearchCost before = own.cost();
    problem_->budget = with_time_to_return(budget, own);
    try {
      (void)make(*problem_)->run(own, problem_->budget);
    } catch (const Stopped&) {
      // The best circuit so far is the result.
    }
    const bool is_better = own.best_cost() < before;
    SearchResult result = own.finish();
    outer.figures.annealing_moves += result.report.annealing_moves;
    add_to(outer.figures.device_annealing, result.report.device_annealing);
    outer.figures.circuits_popped += result.report.circuits_popped;
    if (!is_better) return std::nullopt;
    return circuit::DerivedGates{std::move(result.best.circuit.operations),
                                 result.best.circuit.global_phase,
                                 result.best.derivation.as_lemma(circuit_.operations)};
  }

 private:
  Circuit circuit_;
  std::optional<Problem> problem_;
};

/// Appends a part of a list to the gates and the derivations of another one.
class CopiedGates {
 public:
  explicit CopiedGates(std::span<const Operation> before) : before_(before) {}

  /// Keeps the gates up to this place.
  void keep_up_to(std::size_t end) {
    if (place_ == end) return;
    const std::span<const Operation> kept = before_.subspan(place_, end - place_);
    gates_.insert(gates_.end(), kept.begin(), kept.end());
    parts_.add(next_places(kept.size()), {}, circuit::Derivation::unchanged());
  }
  /// Replaces the next gates, as many as `size`, by others, whose qubits are these.
  void replace(std::size_t size, const circuit::DerivedGates& other,
               const std::vector<Qubit>& qubits) {
    for (Operation gate : other.gates) {
      for (Qubit& qubit : gate.qubits) qubit = qubits[qubit];
      gates_.push_back(std::move(gate));
    }
    phase_.add_phase(other.phase);
    parts_.add(next_places(size), qubits, other.derivation);
  }
  [[nodiscard]] circuit::DerivedGates finish() && {
    keep_up_to(before_.size());
    return {std::move(gates_), phase_, std::move(parts_).finish()};
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> next_places(std::size_t size) {
    std::vector<std::uint32_t> places(size);
    std::iota(places.begin(), places.end(), static_cast<std::uint32_t>(place_));
    place_ += size;
    return places;
  }

  std::span<const Operation> before_;
  std::size_t place_ = 0;
  std::vector<Operation> gates_;
  Angle phase_;
  circuit::DerivedParts parts_;
};

/// Returns the fragments of the current version. In long circuits, parts that repeat themselves on
/// other qubits, such as the full adders of an adder, are better searched with all gates around
/// them.
Fragments fragments_of(const SearchState& state, double cut, RepetitionsIn circuits) {
  Fragments fragments(circuits == RepetitionsIn::all_circuits);
  for (std::size_t i = 0; i < state.segment_count(); ++i) {
    fragments.add_list(state.segment(i).gates, cut);
  }
  return fragments;
}

RepetitionCounts counts_of(const Fragments& fragments) {
  RepetitionCounts counts;
  for (const Fragment& each : fragments.fragments()) {
    if (each.copies < 2) continue;
    ++counts.fragments;
    counts.copies += each.copies;
    counts.gates += each.copies * each.gates.size();
  }
  return counts;
}

class Repetitions : public Search {
 public:
  Repetitions(MakeSearch make, RepetitionsIn circuits, SearchPointer polish)
      : make_(make), circuits_(circuits), polish_(std::move(polish)) {}

  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (problem.coupling != nullptr) return "a fragment has no coupling map";
    if (problem.record.rules) return "it records no rules";
    if (!problem.cost.additive()) return "the cost of a fragment is not a sum over its gates";
    return {};
  }

 private:
  using Found = std::vector<std::optional<circuit::DerivedGates>>;

  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    if (!has_time_to_find(state, budget)) return Outcome::no_result;
    const Fragments fragments = fragments_of(state, kCuts.front(), circuits_);
    if (!pays(fragments, state, budget)) return Outcome::no_result;
    const double share =
        static_cast<double>(fragments.saved_gates()) / static_cast<double>(state.gate_count());
    // What is left is for the gates that are not repeated.
    const Budget own = circuits_ == RepetitionsIn::all_circuits ? budget : budget.share(share);
    replace_copies(state, fragments,
                   better_fragments(state, fragments, own.share(kFirstRoundShare), 0));
    if (circuits_ == RepetitionsIn::long_circuits && !is_promising(state, budget)) {
      return Outcome::no_result;
    }
    state.figures.repetitions = counts_of(fragments);
    state.keep_best();
    run_further_rounds(state, own);
    if (polish_ != nullptr) (void)polish_->run(state, budget);
    return budget.spent() ? Outcome::budget_spent : Outcome::exhausted;
  }

  /// Returns whether the current version leads to a circuit that costs less than the best one,
  /// which other searches found in all gates at once.
  [[nodiscard]] bool is_promising(SearchState& state, const Budget& budget) const {
    const SearchCost best = state.best_cost();
    if (state.cost() < best) return true;
    const Version now = state.now();
    if (polish_ != nullptr) (void)polish_->run(state, budget);
    const bool is_better = state.cost() < best;
    state.go_to(now);
    return is_better;
  }

  void run_further_rounds(SearchState& state, const Budget& budget) const {
    std::size_t idle = 0;
    for (std::size_t round = 1; round < kCuts.size() && !budget.spent(); ++round) {
      const Fragments fragments = fragments_of(state, kCuts[round], circuits_);
      const SearchCost before = state.cost();
      const bool is_last = round + 1 == kCuts.size();
      const Budget part = is_last ? budget : budget.share(kRoundShare);
      replace_copies(state, fragments, better_fragments(state, fragments, part, round));
      state.keep_best();
      idle = state.cost() < before ? 0 : idle + 1;
      if (idle == kIdleRounds) break;
    }
  }

  [[nodiscard]] static bool has_time_to_find(const SearchState& state, const Budget& budget) {
    return budget.counts_ticks() ||
           budget.seconds_left() > kMinSecondsOfGate * static_cast<double>(state.gate_count());
  }

  /// Returns whether fragments are worth more than a search of all gates at once.
  [[nodiscard]] bool pays(const Fragments& fragments, const SearchState& state,
                          const Budget& budget) const {
    const auto saved = static_cast<double>(fragments.saved_gates());
    if (saved == 0) return false;
    if (circuits_ == RepetitionsIn::all_circuits) return true;
    const auto gates = static_cast<double>(state.gate_count());
    if (saved < kMinSavedGates || saved < kMinSavedShare * gates) return false;
    const Budget::Amount left = budget.left();
    const double moves =
        budget.counts_ticks() ? static_cast<double>(left.ticks) : left.seconds / kSecondsOfMove;
    return moves < kMaxMovesOfGate * gates;
  }

  /// Searches each fragment with several copies in a part of the budget in proportion to its size.
  [[nodiscard]] Found better_fragments(SearchState& state, const Fragments& fragments,
                                       const Budget& budget, std::uint64_t round) const {
    Found found(fragments.fragments().size());
    auto left = static_cast<double>(fragments.fragment_gates());
    for (std::size_t i = 0; i < found.size() && !budget.spent(); ++i) {
      const Fragment& fragment = fragments.fragments()[i];
      if (fragment.copies < 2) continue;
      const auto size = static_cast<double>(fragment.gates.size());
      const Budget own = size < left ? budget.share(size / left) : budget;
      left -= size;
      found[i] = FragmentSearch(state, fragment, round).run(make_, state, own);
    }
    return found;
  }

  static void replace_copies(SearchState& state, const Fragments& fragments, const Found& found) {
    for (std::size_t i = 0; i < state.segment_count(); ++i) {
      CopiedGates copied(state.segment(i).gates);
      bool has_changed = false;
      try {
        for (const FragmentCopy& copy : fragments.copies(i)) {
          if (!found[copy.fragment]) continue;
          copied.keep_up_to(copy.first);
          copied.replace(fragments.fragments()[copy.fragment].gates.size(), *found[copy.fragment],
                         copy.qubits);
          has_changed = true;
        }
      } catch (const OverflowError&) {
        continue;  // the exact sum of the phases does not fit 64 bits
      }
      if (has_changed) state.replace(i, std::move(copied).finish());
    }
  }

  MakeSearch make_;
  RepetitionsIn circuits_;
  SearchPointer polish_;
};

}  // namespace

SearchPointer make_repetitions(MakeSearch make, RepetitionsIn circuits, SearchPointer polish) {
  return std::make_shared<Pass>(kRepetitionsPass,
                                std::make_shared<Repetitions>(make, circuits, std::move(polish)));
}

SearchPointer make_repetitions_search(const Problem& problem) {
  return make_repetitions(&make_auto_search, RepetitionsIn::all_circuits,
                          std::make_shared<Simplify>(problem));
}

}  // namespace quartz::optimizer
