#include "workflow/stages/weighted_rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/bound_text.hpp"
#include "optimize/hamming_weights/weight_circuit.hpp"
#include "optimize/measured_ancillas/obstacle_to_ancillas.hpp"
#include "optimize/passes/circuit_pass.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/workflow/options.hpp"
#include "workflow/result_check.hpp"
#include "workflow/rotations/approximated_rotations.hpp"
#include "workflow/rotations/one_qubit_runs.hpp"
#include "workflow/stages/approximated_search.hpp"
#include "workflow/stages/gadget_search.hpp"
#include "workflow/stages/search_parts.hpp"
#include "workflow/stages/stage_times.hpp"

namespace quartz::workflow {
namespace {

/// The gates whose rotations are added; other gate sets are translated into it and back.
constexpr std::string_view kWeightSet = "nam";

/// Searches that merge rotations before they are added. A simplified circuit may have fewer of
/// them, but then mostly by angles that differ.
constexpr std::array<std::string_view, 2> kWeightStarts{"fold", "simplify"};

/// Fractions of the time for the simplification before rotations are added, for the exact search
/// before another simplification, and for the choices of the rotations that are added after each.
constexpr double kShareOfStart = 0.03;
constexpr double kShareOfSearchBefore = 0.3;
constexpr double kShareOfGroups = 0.05;
/// Fraction of what is left for the circuit without ancillas. The rest is for the one with them.
constexpr double kShareWithoutWeights = 0.35;
/// The search before which another one is made, as it is the default.
constexpr std::string_view kDefaultSearch = "auto";
/// T gates of an approximated rotation for each bit of its distance: 3 log2(1 / distance), as N.
/// Ross and P. Selinger (arXiv 1403.2975) find for most angles.
constexpr double kRotationsPerBit = 3;

class SearchWithWeights {
 public:
  SearchWithWeights(const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options)
      : circuit_(circuit), set_(set), options_(options) {}

  SuperoptimizeResult run() {
    if (std::string obstacle = make_weights(); !weights_) return with_gadgets_only(obstacle);
    const double share_without = kShareWithoutWeights * left_;
    left_ -= share_without;
    result_ = without_weights(finishing(part_of(options_, share_without)));
    double seconds = result_.seconds;
    result_.without_ancillas = cost_of(result_.circuit, result_.cost);
    const std::string obstacle = use_weights(seconds);
    if (!obstacle.empty() && options_.on_warning) {
      options_.on_warning("the result has no ancillas: " + obstacle);
    }
    result_.seconds = seconds;
    result_.run_record.options = recorded_options(options_);
    if (options_.on_result) options_.on_result(result_);
    return std::move(result_);
  }

 private:
  /// Returns the result of a search without ancillas.
  [[nodiscard]] SuperoptimizeResult without_weights(const SuperoptimizeOptions& options) const {
    if (!exact_) return superoptimize_at_once(circuit_, set_, options);
    return after_exact_search(*exact_, superoptimize_at_once(exact_->circuit, set_, options), set_,
                              options_);
  }

  /// Makes a result without sums of rotations, for the given reason.
  SuperoptimizeResult with_gadgets_only(const std::string& obstacle) {
    SuperoptimizeOptions rest = finishing(part_of(options_, left_));
    rest.ancillas = options_.ancillas;
    if (options_.on_warning) {
      rest.on_warning = [&](std::string_view warning) {
        options_.on_warning(fmt::format("{}; {}", warning, obstacle));
      };
    }
    SuperoptimizeResult result =
        superoptimize_with_gadgets(exact_ ? exact_->circuit : circuit_, set_, rest);
    if (exact_) result = after_exact_search(*std::move(exact_), std::move(result), set_, options_);
    result.run_record.options = recorded_options(options_);
    if (options_.on_result) options_.on_result(result);
    return result;
  }

  /// Makes a proved circuit with weights; returns why not, if there is none.
  std::string make_weights() {
    if (std::optional<std::string> obstacle = optimizer::obstacle_to_ancillas(circuit_)) {
      return *std::move(obstacle);
    }
    try {
      find_weights(circuit_, kShareOfStart);
      use_exact_search();
    } catch (const InputError& error) {
      return error.what();
    }
    if (!weights_) {
      return obstacle_to_weights_;
    }
    if (options_.check == CheckPolicy::off) return "";
    const EquivalenceOptions limits = limits_of_check(options_, seconds_of_ancilla_check(options_));
    const auto start = std::chrono::steady_clock::now();
    proof_ = prove_weights(limits);
    proof_seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (proof_.verdict == EquivalenceVerdict::not_equal) {
      throw InternalError("a circuit with ancillas is wrong: " + proof_.witness);
    }
    if (proof_.verdict != EquivalenceVerdict::undecided) return "";
    weights_.reset();
    return "the check could not decide: " + proof_.witness;
  }

  /// Adds rotations of a circuit that equals the input, if that takes fewer T gates than what was
  /// found before. `share` is a fraction of the time.
  void find_weights(const Circuit& circuit, double share) {
    left_ -= share + kShareOfGroups;
    const Budget budget = budget_of_part(options_, kShareOfGroups);
    for (std::size_t i = 0; i < kWeightStarts.size(); ++i) {
      const Circuit start = simplified(circuit, kWeightStarts.at(i), share / kWeightStarts.size());
      obstacle_to_weights_ = optimizer::obstacle_to_rotations(start).value_or(
          "no three rotations that commute are by the same angle");
      std::optional<optimizer::WeightCircuit> made = optimizer::with_weights(
          start, limits_for(start),
          budget.share(1.0 / static_cast<double>(kWeightStarts.size() - i)));
      if (made && (!weights_ || made->t < weights_->t)) {
        weights_ = std::move(made);
        begin_ = &circuit;
      }
    }
  }

  /// Optimizes the circuit exactly, and adds rotations of the result.
  void use_exact_search() {
    if (options_.search != kDefaultSearch) return;
    ExactResult exact = with_fewer_rotations(circuit_, options_, kShareOfSearchBefore);
    left_ -= exact.share;
    exact_ = std::move(exact.result);
    if (exact_) find_weights(exact_->circuit, kShareOfStart);
  }

  /// Proves that the circuit with weights equals the input.
  [[nodiscard]] EquivalenceReport prove_weights(const EquivalenceOptions& limits) const {
    const EquivalenceReport report =
        prove_in_parts(*begin_, weights_->grouped, weights_->circuit, weights_->steps, limits, 1);
    return is_equal(report) && is_from_exact_search() ? chained(exact_->check.report, report)
                                                      : report;
  }

  [[nodiscard]] bool is_from_exact_search() const {
    return exact_.has_value() && begin_ == &exact_->circuit;
  }

  [[nodiscard]] Circuit simplified(const Circuit& circuit, std::string_view search,
                                   double share) const {
    SuperoptimizeOptions simplify = part_of(options_, share);
    simplify.search = search;
    simplify.cost = CostKind::t;
    simplify.check = CheckPolicy::off;
    simplify.record_journal = false;
    simplify.rules = DefaultRules{};
    simplify.on_progress = {};
    simplify.epsilon = 0;
    return superoptimize(circuit, load_gate_set(kWeightSet), simplify).circuit;
  }

  [[nodiscard]] optimizer::WeightLimits limits_for(const Circuit& circuit) const {
    const auto rotations =
        static_cast<double>(std::ranges::count_if(circuit.operations, is_approximated));
    const double distance = options_.epsilon / std::max(rotations, 1.0);
    return {.ancillas = options_.ancillas,
            .rotation = kRotationsPerBit * std::log2(1 / distance),
            .negligible = distance};
  }

  /// Makes the result one with weights; returns why not, if it stays as it is.
  std::string use_weights(double& seconds) {
    if (options_.stop.stop_requested() || options_.end_search.stop_requested()) {
      return "the search was stopped";
    }
    SuperoptimizeOptions rest = part_of(options_, left_);
    // Without a verdict, the result without ancillas remains.
    if (rest.check == CheckPolicy::required) rest.check = CheckPolicy::normal;
    SuperoptimizeResult other = superoptimize(weights_->circuit, set_, rest);
    seconds += other.seconds;
    const CostValue cost = cost_of(other.circuit, other.cost);
    if (!(cost < *result_.without_ancillas)) {
      return fmt::format("with them, the cost is {}", other.cost.describe(cost));
    }
    if (options_.check != CheckPolicy::off) {
      if (other.check.verified != true) return "the check could not decide: " + other.check.text;
      EquivalenceReport report = chained(proof_, other.check.report);
      if (report.distance.value_or(1) > options_.epsilon) {
        return "the distance is only proved to be below " +
               upper_bound_text(report.distance.value_or(1));
      }
      other.check.text =
          fmt::format("{}, with ancillas ({})", to_string(report.verdict), report.method);
      other.check.report = std::move(report);
    }
    take(std::move(other));
    return "";
  }

  /// Makes a circuit with ancillas the result.
  void take(SuperoptimizeResult other) {
    other.circuit = with_stated_permutation(
        std::move(other.circuit), permutation_with_ancillas(circuit_, weights_->ancillas));
    other.translated = std::move(result_.translated);
    other.plain_translation = std::move(result_.plain_translation);
    other.without_ancillas = result_.without_ancillas;
    other.run_record = result_.run_record;
    add_stages(other.stages, result_.stages);
    const StageTime proof{std::string(to_string(SuperoptimizeStage::check)), proof_seconds_};
    add_stages(other.stages, std::span(&proof, 1));
    if (options_.record_journal) {
      std::vector<JournalPart> parts;
      if (is_from_exact_search()) {
        append_journal(parts, exact_->journal, exact_->circuit);
        other.journal_rewrites += exact_->journal_rewrites;
      }
      parts.emplace_back(ComparedPart{weights_->grouped});
      parts.emplace_back(replacements_of(weights_->circuit, weights_->steps));
      append_journal(parts, std::move(other.journal), std::nullopt, set_.custom_gates());
      other.journal = compound_journal(parts);
    }
    other.ancillas = weights_->ancillas;
    other.adders = weights_->adders;
    result_ = std::move(other);
  }

  const Circuit& circuit_;
  const GateSet& set_;
  const SuperoptimizeOptions& options_;
  std::optional<SuperoptimizeResult> exact_;  ///< what was found before any rotation was added
  std::optional<optimizer::WeightCircuit> weights_;
  std::string obstacle_to_weights_;  ///< why there are none, if there are none
  const Circuit* begin_ = nullptr;  ///< the circuit whose rotations were added: the input, or exact
  EquivalenceReport proof_;         ///< that the circuit with weights equals the input
  double proof_seconds_ = 0;
  double left_ = 1;  ///< fraction of the time or of the steps
  SuperoptimizeResult result_;
};

}  // namespace

bool has_approximated_rotations(const Circuit& circuit, const GateSet& set,
                                const SuperoptimizeOptions& options) {
  const Cost cost = options.cost.value_or(set.default_cost);
  const optimizer::PassContext context{.set = set, .cost = cost, .stop = options.stop};
  return !is_expressible(circuit, set, options.stop) &&
         !obstacle_to_approximation(circuit, context);
}

SuperoptimizeResult superoptimize_with_weights(const Circuit& circuit, const GateSet& set,
                                               const SuperoptimizeOptions& options) {
  return SearchWithWeights(circuit, set, options).run();
}

}  // namespace quartz::workflow
