// Pairs of programs, equal or not, and the verdict of check_equivalence on them. A verdict is wrong
// if the channels of both programs, computed by the simulator, say otherwise.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/experiment.hpp"
#include "mutation/mutation.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"
#include "simulator/channel.hpp"

namespace quartz::differential::verdicts {
namespace {

/// The simulator's own error, with a large margin.
constexpr long double exact_tolerance = 1e-16L;
/// Decimals that mean a multiple of pi are read as it, by both sides: 1e-16 for each.
constexpr long double tolerance = 1e-14L;
/// The largest distance of any verdict `equal` (docs/soundness.md).
constexpr double largest_distance = 1e-9;
/// The estimate of a channel's distance may be this many times too large.
constexpr long double channel_factor = 12;

/// The largest differences over several values of the parameters.
struct Truth {
  long double distance = 0;
  long double distance_up_to_phase = 0;
  std::vector<long double> phases;
  bool is_unitary = true;
  bool has_conditions = false;
};

Truth truth_of(const Program& left, const Program& right) {
  Truth truth;
  const unsigned points = left.parameters.empty() && right.parameters.empty() ? 1 : 2;
  for (unsigned point = 0; point < points; ++point) {
    Values values = parameter_values(left, point);
    values.merge(parameter_values(right, point));
    const Channel l = channel_of(left, values);
    const Channel r = channel_of(right, values);
    const Difference difference = difference_between(l, r);
    truth.distance = std::max(truth.distance, difference.distance);
    truth.distance_up_to_phase =
        std::max(truth.distance_up_to_phase, difference.distance_up_to_phase);
    truth.is_unitary = l.is_unitary && r.is_unitary;
    truth.has_conditions = l.has_conditions || r.has_conditions;
    if (difference.phase) truth.phases.push_back(*difference.phase);
  }
  return truth;
}

long double angle_between(long double a, long double b) {
  return std::abs(std::remainder(a - b, 2 * std::numbers::pi_v<long double>));
}

/// Returns what is wrong with a verdict that the circuits are equal, up to a phase or not.
std::string fault_of_equal(const EquivalenceReport& report, const Truth& truth) {
  const long double stated = report.distance.value_or(-1);
  if (stated < 0 || stated > largest_distance) {
    return fmt::format("distance without meaning: {} for '{}'", static_cast<double>(stated),
                       report.method);
  }
  const bool is_up_to_phase = report.verdict == EquivalenceVerdict::equal_up_to_phase;
  const bool ignores_phase = is_up_to_phase || !truth.is_unitary;
  const long double distance = ignores_phase ? truth.distance_up_to_phase : truth.distance;
  const long double factor = truth.is_unitary ? 1 : channel_factor;
  if (distance > factor * stated + tolerance) {
    return fmt::format("equal although different: distance {:.3g}, stated {:.3g}, by '{}'",
                       static_cast<double>(distance), static_cast<double>(stated), report.method);
  }
  if (!is_up_to_phase || !truth.is_unitary || truth.has_conditions) return {};
  if (truth.distance <= exact_tolerance) {
    return fmt::format("a phase although equal: {} by '{}'", report.phase.value_or(0),
                       report.method);
  }
  for (const long double phase : truth.phases) {
    constexpr long double double_rounding = 1e-14L;
    if (report.phase && angle_between(*report.phase, phase) > stated + double_rounding) {
      return fmt::format("wrong phase: {} instead of {} by '{}'", *report.phase,
                         static_cast<double>(phase), report.method);
    }
  }
  return {};
}

std::string fault_of(const EquivalenceReport& report, const Truth& truth) {
  switch (report.verdict) {
    case EquivalenceVerdict::undecided:
      return {};
    case EquivalenceVerdict::not_equal:
      // Without a measurement, conditions may turn the phase of what they apply to.
      if (truth.distance > exact_tolerance) return {};
      return "not equal although equal: " + report.method + ", " + report.witness;
    default:
      return fault_of_equal(report, truth);
  }
}

std::string size_of_difference(const Truth& truth) {
  constexpr long double small = 1e-3L;
  if (truth.distance <= exact_tolerance) return "truth: equal";
  if (truth.distance < small) return "truth: nearly equal";
  return truth.distance_up_to_phase <= exact_tolerance ? "truth: equal up to a phase"
                                                       : "truth: different";
}

/// Returns whether a program is refused because its angles are no fractions of 64 bits.
bool is_beyond_fractions(const InputError& error) {
  return std::string_view(error.what()).find("do not fit 64-bit fractions") !=
         std::string_view::npos;
}

}  // namespace

Case draw(std::uint64_t seed) {
  Random random(seed);
  ProgramLimits limits;
  limits.qubits = 4;
  limits.statements = 14;
  limits.boundaries = 4;
  limits.only_clifford_t = one_in(random, 6);
  const Program left = random_program(random, limits);
  Program right = left;
  const unsigned rewrites = below(random, 8);
  for (unsigned i = 0; i < rewrites; ++i) rewrite_equally(right, random);
  const unsigned changes = one_in(random, 3) ? 0 : 1 + (one_in(random, 6) ? 1 : 0);
  for (unsigned i = 0; i < changes; ++i) change_meaning(right, random);
  Case drawn;
  drawn.programs = {left, right};
  if (one_in(random, 2)) std::swap(drawn.programs[0], drawn.programs[1]);
  drawn.options["seed"] = std::to_string(below(random, 1000));
  return drawn;
}

Outcome run(const Case& input) {
  const Program& left = input.programs.at(0);
  const Program& right = input.programs.at(1);
  Outcome outcome;
  EquivalenceOptions options;
  const auto seed = input.options.find("seed");
  if (seed != input.options.end()) options.seed = std::stoull(seed->second);
  const std::string left_text = write_program(left);
  const std::string right_text = write_program(right);
  EquivalenceReport report;
  try {
    report = check_equivalence(parse_qasm(left_text), parse_qasm(right_text), options);
  } catch (const InputError& error) {
    if (!is_beyond_fractions(error)) throw;
    outcome.counts = {"refused: angles beyond 64-bit fractions"};
    return outcome;
  }
  const Truth truth = truth_of(left, right);
  outcome.finding = fault_of(report, truth);
  outcome.counts = {"verdict: " + std::string(to_string(report.verdict)),
                    size_of_difference(truth)};
  if (!truth.is_unitary) outcome.counts.emplace_back("measured");
  if (truth.has_conditions) outcome.counts.emplace_back("conditions");
  if (!left.parameters.empty()) outcome.counts.emplace_back("free parameters");
  return outcome;
}

}  // namespace quartz::differential::verdicts
