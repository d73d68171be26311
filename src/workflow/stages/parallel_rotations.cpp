#include "workflow/stages/parallel_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/hadamard_gadgets/gadget_circuit.hpp"
#include "optimize/measured_ancillas/obstacle_to_ancillas.hpp"
#include "optimize/parallel_rotations/parallel_circuit.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/workflow/options.hpp"
#include "workflow/result_check.hpp"
#include "workflow/stages/approximated_search.hpp"
#include "workflow/stages/continued_search.hpp"
#include "workflow/stages/search_parts.hpp"
#include "workflow/stages/stage_times.hpp"

namespace quartz::workflow {
namespace {

/// The gates whose rotations are put beside each other; other gate sets are translated into it and
/// back.
constexpr std::string_view kLayerSet = "nam";

/// Searches whose results give the rotations, besides the result without ancillas: they leave few
/// Hadamard gates, so that few gadgets are needed.
constexpr std::string_view kSearchBeforeLayers = "functions,simplify";
/// Fractions of the time for the circuit without ancillas, for the circuit of these searches, and
/// for layers of the rotations of both. What is left is for the circuit with these layers.
constexpr double kShareWithoutAncillasOfLayers = 0.35;
constexpr double kShareBeforeLayers = 0.05;
constexpr double kShareOfLayers = 0.1;
/// How many numbers of gadgets are tried, up to all ancillas.
constexpr std::uint32_t kNumbersOfGadgets = 8;
/// Fraction of the time of a proof for the comparison of the regions of gadgets as they are.
constexpr double kShareOfOrder = 2.0 / 3;
/// How many circuits are tried to be proved, in equal parts of the time.
constexpr std::size_t kMostProofs = 3;

/// A circuit with rotations beside each other.
struct ParallelStart {
  const SuperoptimizeResult* from = nullptr;  ///< the result whose rotations these are
  /// The gates of the result in {h, x, rz, cx}, and with gadgets, if there are some.
  Circuit rotations;
  std::optional<optimizer::GadgetCircuit> gadgets;
  optimizer::ParallelCircuit made;
  CostValue cost = {};

  /// Returns the number of ancillas.
  [[nodiscard]] std::uint32_t ancillas() const {
    return made.ancillas + (gadgets ? gadgets->ancillas : 0);
  }
};

class SearchWithParallelRotations {
 public:
  SearchWithParallelRotations(const Circuit& circuit, const GateSet& set,
                              const SuperoptimizeOptions& options)
      : circuit_(circuit), set_(set), options_(options), layer_set_(load_gate_set(kLayerSet)) {}

  SuperoptimizeResult run() {
    std::optional<std::string> obstacle = optimizer::obstacle_to_ancillas(circuit_);
    const double share = obstacle ? 1 : kShareWithoutAncillasOfLayers;
    result_ = superoptimize_at_once(circuit_, set_, finishing(part_of(options_, share)));
    result_.without_ancillas = cost_of(result_.circuit, result_.cost);
    spend(share, seconds_of_search(result_.stages));
    seconds_ = result_.seconds;
    if (!obstacle) obstacle = use_ancillas();
    if (!obstacle->empty()) {
      seconds_ += continue_search(result_, set_, options_, left_);
      if (options_.on_warning) options_.on_warning("the result has no ancillas: " + *obstacle);
    }
    result_.seconds = seconds_;
    result_.run_record.options = recorded_options(options_);
    if (options_.on_result) options_.on_result(result_);
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  void spend(double share, double seconds) { left_ -= spent_share(options_, share, seconds); }

  /// Makes the result one with ancillas; returns why not, if it stays as it is.
  std::string use_ancillas() {
    if (options_.stop.stop_requested() || options_.end_search.stop_requested()) {
      return "the search was stopped";
    }
    try {
      search_before_layers();
      std::vector<ParallelStart> starts = cheapest_starts();
      if (starts.empty()) return obstacle_to_starts_;
      std::string obstacle;
      for (const ParallelStart& start : starts) {
        obstacle = prove(start, 1.0 / static_cast<double>(starts.size()));
        if (obstacle.empty()) return search_from(start);
      }
      return obstacle;
    } catch (const InputError& error) {
      return error.what();
    } catch (const Stopped&) {
      return "the search was stopped";
    }
  }

  /// Makes the other circuit whose rotations are put into layers.
  void search_before_layers() {
    SuperoptimizeOptions before = part_of(options_, kShareBeforeLayers);
    before.search = kSearchBeforeLayers;
    before.cost = Cost({CostKind::t, CostKind::total});
    before.rules = DefaultRules{};
    before.on_progress = {};
    before_ = superoptimize(circuit_, layer_set_, before);
    spend(kShareBeforeLayers, seconds_of_search(before_.stages));
    seconds_ += before_.seconds;
    add_stages(result_.stages, before_.stages);
  }

  /// Returns the cheapest circuits with rotations beside each other, best first. One of them has no
  /// gadgets, if there is one: it is easy to prove.
  [[nodiscard]] std::vector<ParallelStart> cheapest_starts() {
    const Clock::time_point begin = Clock::now();
    const Budget budget = budget_of_part(options_, kShareOfLayers);
    std::vector<ParallelStart> starts;
    for (const SuperoptimizeResult* from : {&result_, &before_}) add_starts(starts, *from, budget);
    spend(kShareOfLayers, seconds_since(begin));
    if (starts.empty() && budget.spent()) {
      obstacle_to_starts_ = "there was no time to put more rotations beside each other";
    }
    std::ranges::stable_sort(starts, {}, &ParallelStart::cost);
    if (starts.size() <= kMostProofs) return starts;
    const auto plain =
        std::ranges::find_if(starts, [](const ParallelStart& each) { return !each.gadgets; });
    const auto last = starts.begin() + (kMostProofs - 1);
    if (plain != starts.end() && plain > last) std::iter_swap(plain, last);
    starts.resize(kMostProofs);
    return starts;
  }

  /// Adds the circuits with the rotations of a result, for several numbers of gadgets.
  void add_starts(std::vector<ParallelStart>& starts, const SuperoptimizeResult& from,
                  const Budget& budget) {
    const Circuit rotations = translate(from.circuit, layer_set_, options_.stop);
    obstacle_to_starts_ = optimizer::obstacle_to_rotations(rotations).value_or(
        "no more rotations can be beside each other with ancillas");
    add_start(starts, {&from, rotations, std::nullopt, {}}, budget);
    std::uint32_t before = 0;
    for (std::uint32_t i = 1; i <= kNumbersOfGadgets && !budget.spent(); ++i) {
      FastRandom random(options_.seed);
      const std::uint32_t most = options_.ancillas * i / kNumbersOfGadgets;
      std::optional<optimizer::GadgetCircuit> gadgets =
          optimizer::with_gadgets(rotations, most, optimizer::Products::as_phases, budget, random);
      // With more ancillas, there are no more gadgets.
      if (!gadgets || gadgets->ancillas == before) continue;
      before = gadgets->ancillas;
      Circuit circuit =
          optimizer::without_region_barriers(gadgets->circuit, circuit_.qubit_count());
      add_start(starts, {&from, std::move(circuit), std::move(gadgets), {}}, budget);
    }
  }

  void add_start(std::vector<ParallelStart>& starts, ParallelStart start,
                 const Budget& budget) const {
    std::optional<optimizer::ParallelCircuit> made = optimizer::with_parallel_rotations(
        start.rotations, options_.ancillas - start.ancillas(), budget);
    if (!made) return;
    start.made = *std::move(made);
    start.cost = cost_of(translate(start.made.circuit, set_, options_.stop), result_.cost);
    starts.push_back(std::move(start));
  }

  /// Proves that a circuit with rotations beside each other equals the input; returns why not, if
  /// it is not proved.
  std::string prove(const ParallelStart& start, double share) {
    if (options_.check == CheckPolicy::off) return "";
    const EquivalenceReport& first = start.from->check.report;
    if (start.from->check.verified != true) {
      return "the check could not decide: " + start.from->check.text;
    }
    const Clock::time_point begin = Clock::now();
    const EquivalenceReport report =
        proof_of(start, limits_of_check(options_, share * seconds_of_ancilla_check(options_)));
    const StageTime time{std::string(to_string(SuperoptimizeStage::check)), seconds_since(begin)};
    add_stages(result_.stages, std::span(&time, 1));
    if (report.verdict == EquivalenceVerdict::not_equal) {
      throw InternalError("a circuit with ancillas is wrong: " + report.witness);
    }
    if (!is_equal(report)) return "the check could not decide: " + report.witness;
    return add_to_proof(first, report);
  }

  /// Sets the proof to that of two, the second of which begins where the first one ends; returns
  /// why not, if their distances together are too large.
  std::string add_to_proof(const EquivalenceReport& first, const EquivalenceReport& second) {
    std::optional<EquivalenceReport> report =
        chained_within_distance(first, second, options_.epsilon);
    if (!report) return "the check could not decide: rounding errors add up to too much";
    proof_ = *std::move(report);
    return "";
  }

  /// Compares a circuit with rotations beside each other with the result whose rotations it has.
  [[nodiscard]] EquivalenceReport proof_of(const ParallelStart& start,
                                           const EquivalenceOptions& limits) const {
    const Budget budget = Budget::of_seconds(limits.seconds, limits.stop);
    const Circuit& from = start.from->circuit;
    EquivalenceReport first = start.gadgets
                                  ? prove_in_parts(from, start.gadgets->grouped, start.rotations,
                                                   start.gadgets->steps, limits, kShareOfOrder)
                                  : check_equivalence(from, start.rotations, limits);
    if (!is_equal(first)) return first;
    EquivalenceOptions rest = limits;
    rest.seconds = budget.seconds_left();
    Circuit now = start.rotations;
    EquivalenceReport second = prove_replacements(
        now, circuit_, replacements_of(start.made.circuit, start.made.steps), rest);
    if (!is_equal(second)) return second;
    ensure(now.operations == start.made.circuit.operations,
           "the steps do not lead to the circuit with ancillas");
    return chained(std::move(first), second);
  }

  /// Makes what is found from a start the result; returns why not, if it stays as it is.
  std::string search_from(const ParallelStart& start) {
    SuperoptimizeOptions rest = finishing(part_of(options_, std::exchange(left_, 0)));
    // Without a verdict, the result without ancillas remains.
    if (rest.check == CheckPolicy::required) rest.check = CheckPolicy::normal;
    SuperoptimizeResult other = superoptimize(start.made.circuit, set_, rest);
    seconds_ += other.seconds;
    const CostValue cost = cost_of(other.circuit, other.cost);
    if (!(cost < *result_.without_ancillas)) {
      return fmt::format("with them, the cost is {}", other.cost.describe(cost));
    }
    if (options_.check != CheckPolicy::off) {
      if (other.check.verified != true) return "the check could not decide: " + other.check.text;
      if (std::string obstacle = add_to_proof(proof_, other.check.report); !obstacle.empty()) {
        return obstacle;
      }
      other.check.report = proof_;
      other.check.text =
          fmt::format("{}, with ancillas ({})", to_string(other.check.report.verdict),
                      other.check.report.method);
    }
    take(start, std::move(other));
    return "";
  }

  /// Makes a circuit with ancillas the result.
  void take(const ParallelStart& start, SuperoptimizeResult other) {
    other.ancillas = start.ancillas();
    other.gadgets = start.gadgets ? start.gadgets->gadgets : 0;
    other.parity_ancillas = start.made.ancillas;
    other.numeric = other.numeric || start.from->numeric;
    other.known_states += start.from->known_states;
    other.circuit = with_stated_permutation(std::move(other.circuit),
                                            permutation_with_ancillas(circuit_, other.ancillas));
    add_stages(other.stages, result_.stages);
    if (options_.record_journal) {
      other.journal = journal_of(start, std::move(other.journal));
      other.journal_rewrites += start.from->journal_rewrites;
    }
    other.translated = std::move(result_.translated);
    other.plain_translation = std::move(result_.plain_translation);
    other.without_ancillas = result_.without_ancillas;
    other.run_record = result_.run_record;
    result_ = std::move(other);
  }

  /// Returns the journal of a search that began with a start.
  [[nodiscard]] std::string journal_of(const ParallelStart& start, std::string journal) const {
    std::vector<JournalPart> parts;
    append_journal(parts, start.from->journal, start.from->circuit, set_.custom_gates());
    if (start.gadgets) {
      parts.emplace_back(ComparedPart{start.gadgets->grouped});
      parts.emplace_back(replacements_of(start.rotations, start.gadgets->steps));
    } else {
      parts.emplace_back(ComparedPart{start.rotations});
    }
    parts.emplace_back(replacements_of(start.made.circuit, start.made.steps));
    append_journal(parts, std::move(journal), std::nullopt, set_.custom_gates());
    return compound_journal(parts);
  }

  const Circuit& circuit_;
  const GateSet& set_;
  const SuperoptimizeOptions& options_;
  GateSet layer_set_;
  SuperoptimizeResult result_;      ///< without ancillas, until there is a better one
  SuperoptimizeResult before_;      ///< the result of the searches before layers
  std::string obstacle_to_starts_;  ///< why no circuit has rotations beside each other
  /// That the start of the last search equals the input, and then that its result does.
  EquivalenceReport proof_;
  double seconds_ = 0;  ///< time of all searches
  double left_ = 1;     ///< fraction of the time or of the steps
};

}  // namespace

bool is_depth_of_rotations(const GateSet& set, const SuperoptimizeOptions& options) {
  const Cost cost = options.cost.value_or(set.default_cost);
  const Objective& first = cost.objectives().front();
  if (first.additive()) return false;
  const Circuit cliffords =
      make_circuit(2, {make_operation(GateKind::h, {0}), make_operation(GateKind::s, {0}),
                       make_operation(GateKind::cx, {0, 1})});
  try {
    const Circuit translated = translate(cliffords, set, options.stop);
    return first.covers(translated) && first.units_of(translated) == 0;
  } catch (const InexpressibleGate&) {
    return false;
  }
}

SuperoptimizeResult superoptimize_with_parallel_rotations(const Circuit& circuit,
                                                          const GateSet& set,
                                                          const SuperoptimizeOptions& options) {
  return SearchWithParallelRotations(circuit, set, options).run();
}

}  // namespace quartz::workflow
