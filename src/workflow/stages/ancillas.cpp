#include "workflow/stages/ancillas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "optimize/hadamard_gadgets/gadget_circuit.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/workflow/options.hpp"

namespace quartz::workflow {
namespace {

/// The gates of which gadgets are made; other gate sets are translated into it and back.
constexpr std::string_view kGadgetSet = "nam";

/// Fractions of the time for the circuit without ancillas, for simplifying it before Hadamard gates
/// become gadgets, for fewer T gates in their regions, and for the whole circuit with them.
constexpr double kShareWithoutAncillas = 0.25;
constexpr double kShareOfGadgetStart = 0.05;
constexpr double kShareOfRegions = 0.45;
constexpr double kShareOfWholeCircuit = 0.25;
/// Fraction of the time of the check for the circuit from which the search with gadgets begins, and
/// of what is left of it for each number of ancillas that is tried.
constexpr double kShareOfStartCheck = 0.5;
constexpr double kShareOfAttempt = 0.5;
/// Time of the check of a search with a number of steps, unless it is given, in seconds.
constexpr double kCheckSecondsWithAncillas = 60;
/// Fraction of the time of the check for each search of the circuit with gadgets, which certifies
/// what it finds in comparison with where it begins.
constexpr double kShareOfSearchCheck = 0.25;

/// Throws UsageError for options with which there can be no ancillas.
void require_suitable(const SuperoptimizeOptions& options) {
  struct Conflict {
    bool exists;
    std::string_view option;
    std::string_view reason;
  };
  const std::array conflicts{
      Conflict{!std::holds_alternative<AnyCoupling>(options.coupling), "--coupling",
               "ancillas are not in the coupling map"},
      Conflict{options.record_journal, "--journal", "a journal adds no qubits"},
      Conflict{options.record_rules, "--emit-rules", "rules have no measurements"},
      Conflict{!options.checkpoint.folder.empty(), "--checkpoint", "a checkpoint is one circuit"},
      Conflict{options.qubit_order == QubitOrder::free, "--permutation free",
               "the qubits of the input stay in their places"},
      Conflict{options.assumptions.any(), "--program, --initial-state and --final-state",
               "the check does not combine them"},
      Conflict{options.epsilon > 0, "--epsilon", "the check of ancillas is exact"},
  };
  for (const Conflict& conflict : conflicts) {
    if (!conflict.exists) continue;
    throw UsageError(
        fmt::format("--ancillas cannot be combined with {}: {}", conflict.option, conflict.reason));
  }
}

/// Returns the options for a part of the time, without what concerns the whole call only.
SuperoptimizeOptions part_of(const SuperoptimizeOptions& options, double share) {
  SuperoptimizeOptions part = options;
  part.ancillas = 0;
  part.seconds *= share;
  if (options.steps != 0) {
    part.steps = std::max<std::uint64_t>(
        static_cast<std::uint64_t>(share * static_cast<double>(options.steps)), 1);
  }
  part.on_result = {};
  return part;
}

class SearchWithAncillas {
 public:
  SearchWithAncillas(const Circuit& circuit, const GateSet& set,
                     const SuperoptimizeOptions& options)
      : circuit_(circuit), set_(set), options_(options) {}

  SuperoptimizeResult run() {
    std::string obstacle = make_gadgets();
    const double share = gadgets_ ? kShareWithoutAncillas : 1;
    result_ = superoptimize(circuit_, set_, part_of(options_, share));
    if (gadgets_) {
      result_.without_ancillas = cost_of(result_.circuit, result_.cost);
      obstacle = use_gadgets();
    }
    if (!obstacle.empty() && options_.on_warning) {
      options_.on_warning("the result has no ancillas: " + obstacle);
    }
    result_.run_record.options = recorded_options(options_);
    if (options_.on_result) options_.on_result(result_);
    return std::move(result_);
  }

 private:
  /// Makes a circuit with gadgets; returns why not, if there is none.
  std::string make_gadgets() {
    if (std::optional<std::string> obstacle = optimizer::obstacle_to_gadgets(circuit_)) {
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
    return "no Hadamard gate is between rotations by odd multiples of pi/4, or there are too many "
           "rotations";
  }

  /// Makes the result one with gadgets; returns why not, if it stays as it is.
  std::string use_gadgets() {
    if (options_.stop.stop_requested() || options_.end_search.stop_requested()) {
      return "the search was stopped";
    }
    SuperoptimizeResult other;
    try {
      other = search_with(*gadgets_);
    } catch (const InputError& error) {
      return error.what();
    }
    const CostValue cost = cost_of(other.circuit, other.cost);
    if (!(cost < *result_.without_ancillas)) {
      return fmt::format("with them, the cost is {}", other.cost.describe(cost));
    }
    return check_and_take(*gadgets_, std::move(other));
  }

  /// Returns the simplified circuit with gadgets, with fewer ancillas than are permitted if it is
  /// not proved to equal the input otherwise: regions with fewer gadgets are easier to prove.
  std::optional<optimizer::GadgetCircuit> with_gadgets() {
    SuperoptimizeOptions simplify = part_of(options_, kShareOfGadgetStart);
    simplify.search = "functions,simplify";
    simplify.check = CheckPolicy::off;
    simplify.rules = DefaultRules{};
    simplify.on_progress = {};
    const GateSet gadget_set = load_gate_set(kGadgetSet);
    const Circuit simplified = superoptimize(circuit_, gadget_set, simplify).circuit;
    double seconds = kShareOfStartCheck * seconds_of_check();
    for (std::uint32_t ancillas = options_.ancillas; ancillas > 0;) {
      std::optional<optimizer::GadgetCircuit> made =
          optimizer::with_hadamard_gadgets(simplified, ancillas);
      if (!made || options_.check == CheckPolicy::off) return made;
      start_ =
          check_equivalence(circuit_, made->circuit, limits_of_check(kShareOfAttempt * seconds));
      seconds *= 1 - kShareOfAttempt;
      if (start_.verdict == EquivalenceVerdict::equal_up_to_phase) return made;
      require_not_wrong(start_);
      ancillas = 2 * made->ancillas / 3;
    }
    return std::nullopt;
  }

  static void require_not_wrong(const EquivalenceReport& report) {
    if (report.verdict != EquivalenceVerdict::not_equal) return;
    throw InternalError("a circuit with ancillas is wrong: " + report.witness);
  }

  /// Returns the time of the check of the result. Nothing of it was certified during the search.
  [[nodiscard]] double seconds_of_check() const {
    const double usual = options_.steps != 0 ? kCheckSecondsWithAncillas
                                             : std::max(options_.seconds,
                                                        default_check_seconds(options_.seconds, 0));
    return options_.check_seconds.value_or(usual);
  }

  [[nodiscard]] EquivalenceOptions limits_of_check(double seconds) const {
    EquivalenceOptions limits;
    limits.seconds = seconds;
    limits.memory_bytes = options_.check_memory_bytes;
    limits.seed = options_.seed;
    limits.stop = options_.stop;
    limits.ancillas = true;
    return limits;
  }

  /// Searches for fewer T gates in the regions, and then for a cheaper circuit across them.
  SuperoptimizeResult search_with(const optimizer::GadgetCircuit& gadgets) {
    SuperoptimizeOptions regions = part_of(options_, kShareOfRegions);
    regions.search = "ranks";
    regions.barriers = Barriers::keep;
    // Without a verdict, the result without ancillas remains.
    if (options_.check == CheckPolicy::required) regions.check = CheckPolicy::normal;
    regions.check_seconds = kShareOfSearchCheck * seconds_of_check();
    const SuperoptimizeResult fewer = superoptimize(gadgets.circuit, set_, regions);
    SuperoptimizeOptions whole = part_of(options_, kShareOfWholeCircuit);
    whole.check = regions.check;
    whole.check_seconds = regions.check_seconds;
    SuperoptimizeResult result = superoptimize(
        optimizer::without_region_barriers(fewer.circuit, circuit_.qubit_count()), set_, whole);
    if (!fewer.check.verified.value_or(true)) result.check = fewer.check;
    result.seconds += fewer.seconds;
    return result;
  }

  /// Returns why the result with ancillas cannot be certified, if it cannot.
  std::string check_and_take(const optimizer::GadgetCircuit& gadgets, SuperoptimizeResult other) {
    if (options_.check != CheckPolicy::off) {
      EquivalenceReport report = certify(other);
      require_not_wrong(report);
      if (report.verdict == EquivalenceVerdict::undecided) {
        return "the check could not decide: " + report.witness;
      }
      other.check.verified = true;
      other.check.text =
          fmt::format("{} for every outcome ({})", to_string(report.verdict), report.method);
      other.check.report = std::move(report);
    }
    other.circuit = with_stated_permutation(std::move(other.circuit),
                                            permutation_with_ancillas(gadgets.ancillas));
    other.translated = std::move(result_.translated);
    other.without_ancillas = result_.without_ancillas;
    other.seconds += result_.seconds;
    other.run_record = result_.run_record;
    other.ancillas = gadgets.ancillas;
    other.gadgets = gadgets.gadgets;
    result_ = std::move(other);
    return "";
  }

  /// Returns the output permutation that the input states, with the ancillas in their places.
  [[nodiscard]] OutputPermutation permutation_with_ancillas(std::uint32_t ancillas) const {
    OutputPermutation permutation = stated_permutation(circuit_);
    if (permutation.empty()) return permutation;
    for (std::uint32_t i = 0; i < ancillas; ++i) {
      permutation.push_back(static_cast<Qubit>(permutation.size()));
    }
    return permutation;
  }

  [[nodiscard]] EquivalenceReport certify(const SuperoptimizeResult& other) const {
    EquivalenceReport direct =
        check_equivalence(circuit_, other.circuit, limits_of_check(seconds_of_check()));
    if (direct.verdict != EquivalenceVerdict::undecided) return direct;
    if (!other.check.verified.value_or(false)) return direct;
    EquivalenceReport report = start_;
    report.method += ", and from there: " + other.check.report.method;
    return report;
  }

  const Circuit& circuit_;
  const GateSet& set_;
  const SuperoptimizeOptions& options_;
  std::optional<optimizer::GadgetCircuit> gadgets_;
  EquivalenceReport start_;  ///< what the check says of the circuit with gadgets
  SuperoptimizeResult result_;
};

}  // namespace

SuperoptimizeResult superoptimize_with_ancillas(const Circuit& circuit, const GateSet& set,
                                                const SuperoptimizeOptions& options) {
  require_suitable(options);
  return SearchWithAncillas(circuit, set, options).run();
}

}  // namespace quartz::workflow
