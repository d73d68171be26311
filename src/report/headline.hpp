#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "report/figures.hpp"

/// The first line of the summary and of the HTML report.
namespace quartz::report {

/// What the headline says about the check of the result; as in ResultCheck and EquivalenceReport.
struct HeadlineCheck {
  std::optional<bool> verified;
  std::optional<double> distance;
  bool drew_random_numbers = false;  ///< the verdict holds except with a tiny probability
  bool is_up_to_phase = false;       ///< the global phase was not compared
  bool has_assumptions = false;  ///< the circuits are equal if what ProgramAssumptions says is true
  bool is_within_epsilon = false;  ///< they differ, but by no more than epsilon permits
};

/// Returns what a run achieved, as in "72 gates for 162, 56% fewer, proved equal". `before` and
/// `after` are the objectives of the cost, most important first, of the translated circuit and of
/// the result. The headline is about the first objective that changed.
[[nodiscard]] std::string headline(std::span<const Figure> before, std::span<const Figure> after,
                                   const HeadlineCheck& check);

/// Returns how a figure changed, as in "72 gates for 162, 56% fewer", or "72 gates" if it did not.
[[nodiscard]] std::string comparison_text(const Figure& before, const Figure& after);

/// Returns a change in percent without a sign, such as "56%", "0.3%" or "99.7%": a change that is
/// not complete is never shown as 0% or 100%.
[[nodiscard]] std::string percent_text(double before, double after);

/// Returns a number with at most six significant digits, as reports show it; integers below 10^15
/// have all of theirs.
[[nodiscard]] std::string number_text(double value);

}  // namespace quartz::report
