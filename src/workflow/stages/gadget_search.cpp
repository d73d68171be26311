#include "workflow/stages/gadget_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optimize/hadamard_gadgets/gadget_circuit.hpp"
#include "optimize/measured_ancillas/obstacle_to_ancillas.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/workflow/options.hpp"
#include "workflow/result_check.hpp"
#include "workflow/stages/approximated_search.hpp"
#include "workflow/stages/continued_search.hpp"
#include "workflow/stages/search_parts.hpp"
#include "workflow/stages/stage_times.hpp"

namespace quartz::workflow {
namespace {

/// The gates of which gadgets are made; other gate sets are translated into it and back.
constexpr std::string_view kGadgetSet = "nam";

/// Fractions of the time for the circuit without ancillas, for simplifying it before Hadamard gates
/// become gadgets, for fewer products of parities in their regions, and for fewer T gates there.
/// What is left is for the whole circuit with gadgets, or for the one without ancillas if gadgets
/// do not help.
constexpr double kShareWithoutAncillas = 0.25;
constexpr double kShareOfGadgetStart = 0.05;
constexpr double kShareOfProducts = 0.1;
constexpr double kShareOfRegions = 0.45;
/// Searches that simplify the circuit before Hadamard gates become gadgets. Equal Boolean functions
/// leave fewer rotations, but fewer products of parities may be found without them.
constexpr std::array<std::string_view, 2> kGadgetStarts{"functions,simplify", "simplify"};
/// Fraction of the time of the check for the circuit from which the search with gadgets begins, and
/// of what is left of it for each number of ancillas that is tried.
constexpr double kShareOfStartCheck = 0.5;
/// The least fraction of the time for the circuit without ancillas if there are no gadgets.
constexpr double kLeastShareWithoutGadgets = 0.3;
constexpr double kShareOfAttempt = 0.5;
/// Fraction of an attempt for a proof region by region, and the fraction of that for the comparison
/// of the regions as they are.
constexpr double kShareOfParts = 0.75;
constexpr double kShareOfGrouped = 2.0 / 3;
/// Fraction of the time of the check for each search of the circuit with gadgets, which certifies
/// what it finds in comparison with where it begins.
constexpr double kShareOfSearchCheck = 0.25;

class SearchWithGadgets {
 public:
  SearchWithGadgets(const Circuit& circuit, const GateSet& set, const SuperoptimizeOptions& options)
      : circuit_(circuit), set_(set), options_(options) {}

  SuperoptimizeResult run() {
    const Clock::time_point start = Clock::now();
    std::string obstacle = make_gadgets();
    const double share = gadgets_ ? kShareWithoutAncillas : share_left_since(start);
    // With an epsilon, the circuit comes from the exact search of the caller.
    result_ = superoptimize_at_once(circuit_, set_, finishing(part_of(options_, share)));
    if (gadgets_) {
      spend(share, result_);
      result_.without_ancillas = cost_of(result_.circuit, result_.cost);
      obstacle = use_gadgets();
      if (!obstacle.empty()) seconds_ += continue_search(result_, set_, options_, left_);
    }
    if (!obstacle.empty() && options_.on_warning) {
      options_.on_warning("the result has no ancillas: " + obstacle);
    }
    if (gadgets_) result_.seconds = seconds_;
    result_.run_record.options = recorded_options(options_);
    if (options_.on_result) options_.on_result(result_);
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Returns the fraction of the time that is left for a search without gadgets, if the making of
  /// gadgets, which began at this time, has failed.
  [[nodiscard]] double share_left_since(Clock::time_point start) const {
    if (options_.steps != 0 || options_.seconds <= 0) return 1;
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    return std::max(1 - spent / options_.seconds, kLeastShareWithoutGadgets);
  }

  /// Makes a circuit with gadgets; returns why not, if there is none.
  std::string make_gadgets() {
    if (std::optional<std::string> obstacle = optimizer::obstacle_to_ancillas(circuit_)) {
      return *std::move(obstacle);
    }
    try {
      gadgets_ = with_gadgets();
    } catch (const InputError& error) {
      return error.what();
    }
    if (gadgets_) return "";
    if (start_.verdict == EquivalenceVerdict::undecided && !start_.witness.empty()) {
      return "the check could not decide: " + start_.witness;
    }
    return obstacle_to_gadgets_;
  }

  /// Returns why a simplified circuit has no gadgets.
  [[nodiscard]] static std::string obstacle_to_gadgets(const Circuit& simplified) {
    if (std::optional<std::string> obstacle = optimizer::obstacle_to_rotations(simplified)) {
      return *std::move(obstacle);
    }
    std::size_t hadamards = 0;
    std::size_t eighth_turns = 0;
    for (const Operation& operation : simplified.operations) {
      if (operation.is_boundary()) continue;
      if (operation.gate == GateKind::h) ++hadamards;
      if (operation.gate != GateKind::rz || !operation.angles[0].is_pi_multiple()) continue;
      if (operation.angles[0].pi_part().denominator() == 4) ++eighth_turns;
    }
    if (eighth_turns == 0)
      return "the simplified circuit has no rotation by an odd multiple of pi/4";
    const std::string products =
        ", and no product of three parities takes fewer T gates with an ancilla";
    if (hadamards == 0) return "the simplified circuit has no Hadamard gate" + products;
    return fmt::format(
        "the simplified circuit has {} and {} by odd multiples of pi/4, but no "
        "Hadamard gate is between rotations{}",
        counted(hadamards, "Hadamard gate"), counted(eighth_turns, "rotation"), products);
  }

  /// Makes the result one with gadgets; returns why not, if it stays as it is. Ends early if fewer
  /// T gates in the regions do not make the circuit cheaper: the search of the whole circuit would
  /// have to find what neither the regions nor the circuit without gadgets have.
  std::string use_gadgets() {
    if (is_stopped()) return "the search was stopped";
    try {
      SuperoptimizeResult fewer = search_regions(*gadgets_);
      if (std::string obstacle = obstacle_to(fewer); !obstacle.empty()) return obstacle;
      if (std::string obstacle = prove_regions(fewer); !obstacle.empty()) return obstacle;
      begin_journal(fewer);
      SuperoptimizeResult other = search_whole(fewer);
      if (std::string obstacle = obstacle_to(other); !obstacle.empty()) return obstacle;
      if (options_.check == CheckPolicy::off) {
        continue_journal(other);
        take(std::move(other));
        return "";
      }
      EquivalenceReport report = certify(other);
      require_not_wrong(report);
      if (report.verdict != EquivalenceVerdict::undecided) {
        continue_journal(other);
        take_proved(std::move(other), std::move(report));
      } else {
        fewer.circuit =
            optimizer::without_region_barriers(std::move(fewer.circuit), circuit_.qubit_count());
        take_proved(std::move(fewer), start_);
      }
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  /// Returns why a circuit with gadgets cannot be the result because of its cost, if it cannot.
  [[nodiscard]] std::string obstacle_to(const SuperoptimizeResult& other) const {
    const CostValue cost = cost_of(other.circuit, other.cost);
    if (cost < *result_.without_ancillas) return "";
    return fmt::format("with them, the cost is {}", other.cost.describe(cost));
  }

  [[nodiscard]] bool is_stopped() const {
    return options_.stop.stop_requested() || options_.end_search.stop_requested();
  }

  /// Counts a search that was permitted a fraction of the time or of the steps.
  void spend(double share, const SuperoptimizeResult& search) {
    seconds_ += search.seconds;
    left_ -= spent_share(options_, share, seconds_of_search(search.stages));
  }

  /// Returns the simplified circuit with gadgets. If it is not proved to equal the input, products
  /// stay phases, and if it is not proved then, there are fewer ancillas than are permitted:
  /// regions with fewer gadgets are easier to prove.
  std::optional<optimizer::GadgetCircuit> with_gadgets() {
    const std::vector<Circuit> starts = simplified();
    obstacle_to_gadgets_ = obstacle_to_gadgets(
        *std::ranges::min_element(starts, {}, optimizer::most_rotations_of_stretch));
    double seconds = kShareOfStartCheck * seconds_of_check();
    optimizer::Products products = optimizer::Products::measured;
    const Budget attempts = Budget::of_seconds(seconds, options_.stop);
    // With a number of steps, the result must not depend on the time.
    const auto is_over = [&] { return options_.steps == 0 ? attempts.spent() : is_stopped(); };
    for (std::uint32_t ancillas = options_.ancillas; ancillas > 0 && !is_over();) {
      std::optional<optimizer::GadgetCircuit> made = with_gadgets(starts, ancillas, products);
      if (!made || options_.check == CheckPolicy::off) return made;
      start_ = proved_start(*made, kShareOfAttempt * seconds);
      seconds *= 1 - kShareOfAttempt;
      if (start_.verdict == EquivalenceVerdict::equal_up_to_phase) return made;
      require_not_wrong(start_);
      if (made->products == 0) ancillas = 2 * made->ancillas / 3;
      products = optimizer::Products::as_phases;
    }
    return std::nullopt;
  }

  /// Compares a circuit with gadgets with the input: region by region, or at once if that does not
  /// decide.
  [[nodiscard]] EquivalenceReport proved_start(const optimizer::GadgetCircuit& made,
                                               double seconds) {
    const Budget budget = Budget::of_seconds(seconds, options_.stop);
    EquivalenceReport in_parts =
        prove_in_parts(circuit_, made.grouped, made.circuit, made.steps,
                       limits_of_check(options_, kShareOfParts * seconds), kShareOfGrouped);
    is_proved_in_parts_ = is_equal(in_parts);
    if (is_proved_in_parts_) return in_parts;
    return check_equivalence(circuit_, made.circuit, limits_with_ancillas(budget.seconds_left()));
  }

  /// Returns the circuit, simplified in several ways.
  [[nodiscard]] std::vector<Circuit> simplified() const {
    SuperoptimizeOptions simplify =
        part_of(options_, kShareOfGadgetStart / static_cast<double>(kGadgetStarts.size()));
    simplify.check = CheckPolicy::off;
    simplify.record_journal = false;
    simplify.epsilon = 0;
    simplify.rules = DefaultRules{};
    simplify.on_progress = {};
    const GateSet gadget_set = load_gate_set(kGadgetSet);
    std::vector<Circuit> circuits;
    for (const std::string_view search : kGadgetStarts) {
      simplify.search = search;
      circuits.push_back(superoptimize(circuit_, gadget_set, simplify).circuit);
    }
    return circuits;
  }

  /// Returns the circuit with gadgets that takes the fewest T gates, of those that are made of
  /// several equal circuits.
  [[nodiscard]] std::optional<optimizer::GadgetCircuit> with_gadgets(
      std::span<const Circuit> starts, std::uint32_t ancillas, optimizer::Products products) const {
    const Budget budget = budget_of_part(options_, kShareOfProducts);
    // The first start has the fewest phases, and is the easiest one to prove.
    if (products == optimizer::Products::as_phases) starts = starts.first(1);
    std::optional<optimizer::GadgetCircuit> best;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      FastRandom random(options_.seed);
      const Budget part = budget.share(1.0 / static_cast<double>(starts.size() - i));
      std::optional<optimizer::GadgetCircuit> made =
          optimizer::with_gadgets(starts[i], ancillas, products, part, random);
      if (made && (!best || made->rotations < best->rotations)) best = std::move(made);
    }
    return best;
  }

  static void require_not_wrong(const EquivalenceReport& report) {
    if (report.verdict != EquivalenceVerdict::not_equal) return;
    throw InternalError("a circuit with ancillas is wrong: " + report.witness);
  }

  [[nodiscard]] double seconds_of_check() const { return seconds_of_ancilla_check(options_); }

  [[nodiscard]] EquivalenceOptions limits_with_ancillas(double seconds) const {
    EquivalenceOptions limits = limits_of_check(options_, seconds);
    limits.ancillas = true;
    return limits;
  }

  /// Searches for fewer T gates in the regions.
  SuperoptimizeResult search_regions(const optimizer::GadgetCircuit& gadgets) {
    SuperoptimizeOptions regions = part_of(options_, kShareOfRegions);
    regions.search = "ranks";
    regions.barriers = Barriers::keep;
    SuperoptimizeResult fewer = search_with(gadgets.circuit, regions);
    spend(kShareOfRegions, fewer);
    return fewer;
  }

  /// Searches for a cheaper circuit across the regions, with the time that is left.
  SuperoptimizeResult search_whole(const SuperoptimizeResult& fewer) {
    const Circuit whole = optimizer::without_region_barriers(fewer.circuit, circuit_.qubit_count());
    SuperoptimizeOptions options = part_of(options_, left_);
    options.epsilon = 0;
    SuperoptimizeResult result = search_with(whole, options);
    result.approximated_rotations = fewer.approximated_rotations;
    spend(left_, result);
    return result;
  }

  [[nodiscard]] SuperoptimizeResult search_with(const Circuit& circuit,
                                                SuperoptimizeOptions options) const {
    // Without a verdict, the result without ancillas remains.
    if (options.check == CheckPolicy::required) options.check = CheckPolicy::normal;
    options.check_seconds = kShareOfSearchCheck * seconds_of_check();
    return superoptimize(circuit, set_, options);
  }

  /// Proves that what was found in the regions equals the input; returns why not, if it is not
  /// proved.
  std::string prove_regions(const SuperoptimizeResult& fewer) {
    if (options_.check == CheckPolicy::off) return "";
    if (fewer.check.verified == true) {
      if (auto report = chained_within_distance(start_, fewer.check.report, options_.epsilon)) {
        start_ = *std::move(report);
        return "";
      }
    }
    if (options_.epsilon > 0) return "the check could not decide: " + fewer.check.text;
    start_ = check_equivalence(circuit_, fewer.circuit, limits_with_ancillas(seconds_of_check()));
    require_not_wrong(start_);
    if (start_.verdict != EquivalenceVerdict::undecided) return "";
    return "the check could not decide: " + start_.witness;
  }

  /// Makes a circuit with ancillas the result, with what proves it.
  void take_proved(SuperoptimizeResult other, EquivalenceReport report) {
    other.check.verified = true;
    other.check.text =
        fmt::format("{} for every outcome ({})", to_string(report.verdict), report.method);
    other.check.report = std::move(report);
    take(std::move(other));
  }

  /// Makes a circuit with ancillas the result.
  void take(SuperoptimizeResult other) {
    other.circuit = with_stated_permutation(
        std::move(other.circuit), permutation_with_ancillas(circuit_, gadgets_->ancillas));
    other.translated = std::move(result_.translated);
    other.plain_translation = std::move(result_.plain_translation);
    other.without_ancillas = result_.without_ancillas;
    other.run_record = result_.run_record;
    if (options_.record_journal) {
      other.journal = compound_journal(parts_);
      other.journal_rewrites = rewrites_;
    }
    other.ancillas = gadgets_->ancillas;
    other.gadgets = gadgets_->gadgets;
    other.measured_toffolis = gadgets_->products;
    result_ = std::move(other);
  }

  /// Begins the journal: it leads to what was found in the regions.
  void begin_journal(SuperoptimizeResult& fewer) {
    if (!options_.record_journal) return;
    if (is_proved_in_parts_) {
      parts_.emplace_back(ComparedPart{gadgets_->grouped});
      parts_.emplace_back(replacements_of(gadgets_->circuit, gadgets_->steps));
    }
    parts_.emplace_back(ComparedPart{gadgets_->circuit});
    parts_.emplace_back(RewritePart{std::move(fewer.journal), fewer.circuit});
    parts_.emplace_back(BarrierPart{circuit_.qubit_count()});
    rewrites_ = fewer.journal_rewrites;
  }

  /// Adds the search of the whole circuit to the journal.
  void continue_journal(SuperoptimizeResult& whole) {
    if (!options_.record_journal) return;
    parts_.emplace_back(RewritePart{std::move(whole.journal), std::nullopt});
    rewrites_ += whole.journal_rewrites;
  }

  /// Compares a circuit with gadgets with the input. Only its parts prove a distance in general.
  [[nodiscard]] EquivalenceReport certify(const SuperoptimizeResult& other) const {
    EquivalenceReport direct;
    if (options_.epsilon == 0) {
      direct = check_equivalence(circuit_, other.circuit, limits_with_ancillas(seconds_of_check()));
    }
    const bool is_decided = direct.verdict != EquivalenceVerdict::undecided;
    if (is_decided || !other.check.verified.value_or(false)) return direct;
    return chained_within_distance(start_, other.check.report, options_.epsilon)
        .value_or(std::move(direct));
  }

  const Circuit& circuit_;
  const GateSet& set_;
  const SuperoptimizeOptions& options_;
  std::optional<optimizer::GadgetCircuit> gadgets_;
  /// What the check says of the circuit with gadgets, and then of it after its regions.
  EquivalenceReport start_;
  std::string obstacle_to_gadgets_;  ///< why there are none, if there are none
  bool is_proved_in_parts_ = false;  ///< whether that is proved region by region
  std::vector<JournalPart> parts_;   ///< the journal of a result with ancillas
  std::uint64_t rewrites_ = 0;       ///< in these parts
  SuperoptimizeResult result_;
  double left_ =
      1 - kShareOfGadgetStart - kShareOfProducts;  ///< fraction of the time or of the steps
  double seconds_ = 0;                             ///< time of all searches since the start
};

}  // namespace

SuperoptimizeResult superoptimize_with_gadgets(const Circuit& circuit, const GateSet& set,
                                               const SuperoptimizeOptions& options) {
  return SearchWithGadgets(circuit, set, options).run();
}

}  // namespace quartz::workflow
