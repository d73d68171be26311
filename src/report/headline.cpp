#include "report/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/bound_text.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::report {
namespace {

/// Returns what the cost counts, in the plural. Empty if it is not a count of gates.
std::string counted_by(std::string_view cost) {
  const CostName* const named = find_cost(cost);
  if (named == nullptr) return "";
  switch (named->kind) {
    case CostKind::total:
      return "gates";
    case CostKind::two_qubit:
      return "two-qubit gates";
    case CostKind::t:
      return "T gates";
    case CostKind::depth:
    case CostKind::two_qubit_depth:
    case CostKind::t_depth:
      return "";
  }
  throw InternalError("a named cost of no kind");
}

/// Returns "72 gates", "1 gate", "depth 43" or "error 0.12".
std::string amount(const Figure& figure) {
  const std::string value = figure.value ? number_text(*figure.value) : "-";
  std::string counted = counted_by(figure.name);
  if (counted.empty()) return fmt::format("{} {}", figure.name, value);
  if (figure.value == 1.0) counted.pop_back();
  return fmt::format("{} {}", value, counted);
}

std::string verdict(const HeadlineCheck& check) {
  if (!check.verified) return "not checked";
  if (!*check.verified) return "not verified";
  constexpr double kRounding = 1e-6;  // no method that rounds has a bound above this
  if (check.distance && (check.is_within_epsilon || *check.distance > kRounding)) {
    return "verified to be within a distance of " + upper_bound_text(*check.distance);
  }
  const bool is_proof = check.distance == 0.0 && !check.drew_random_numbers;
  return fmt::format("{} equal{}{}", is_proof ? "proved" : "verified",
                     check.is_up_to_phase ? " up to global phase" : "",
                     check.has_assumptions ? " under the assumptions" : "");
}

}  // namespace

std::string number_text(double value) {
  constexpr double kExactBelow = 1e15;
  if (value == std::floor(value) && std::abs(value) < kExactBelow) {
    return fmt::format("{:.0f}", value);
  }
  return fmt::format("{:.6g}", value);
}

std::string percent_text(double before, double after) {
  const double percent = 100 * std::abs(after / before - 1);
  if (percent > 0 && percent < 1) return fmt::format("{:.1f}%", std::max(percent, 0.1));
  if (percent > 99 && percent < 100) return fmt::format("{:.1f}%", std::min(percent, 99.9));
  return fmt::format("{:.0f}%", percent);
}

std::string comparison_text(const Figure& before, const Figure& after) {
  if (!before.value || !after.value || before.value == after.value) return amount(after);
  const bool is_count = !counted_by(after.name).empty();
  const bool shrank = *after.value < *before.value;
  const std::string_view direction = !shrank ? "more" : is_count ? "fewer" : "less";
  const std::string change =
      *before.value == 0
          ? std::string(direction)
          : fmt::format("{} {}", percent_text(*before.value, *after.value), direction);
  return fmt::format("{} for {}, {}", amount(after), number_text(*before.value), change);
}

std::string headline(std::span<const Figure> before, std::span<const Figure> after,
                     const HeadlineCheck& check) {
  ensure(!after.empty() && before.size() == after.size(), "a cost has objectives");
  const auto changed = std::ranges::mismatch(before, after).in2;
  if (changed == after.end()) {
    return fmt::format("no cheaper circuit found: {}, {}", amount(after.front()), verdict(check));
  }
  const auto index = static_cast<std::size_t>(changed - after.begin());
  return fmt::format("{}, {}", comparison_text(before[index], *changed), verdict(check));
}

}  // namespace quartz::report
