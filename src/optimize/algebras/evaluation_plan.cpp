#include "optimize/algebras/evaluation_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace quartz::optimizer {
namespace {

constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max() / 4;

/// Returns the number of places of a degree of the projective line over the field of 2^subfield
/// elements: of points for degree 1, else of irreducible polynomials.
std::size_t number_of_places(unsigned subfield, unsigned degree) {
  if (degree == 1) return (std::size_t{1} << subfield) + 1;
  std::size_t elements = std::size_t{1} << (subfield * degree);
  // The elements of the residue field, without those of smaller fields.
  for (unsigned divisor = 1; divisor < degree; ++divisor) {
    if (degree % divisor != 0) continue;
    const std::size_t places =
        divisor == 1 ? std::size_t{1} << subfield : number_of_places(subfield, divisor);
    elements -= divisor * places;
  }
  return elements / degree;
}

EvaluationPlan plan_over(unsigned subfield, std::size_t degree, unsigned max_residue_degree,
                         const CostOfPlace& cost_of) {
  const std::size_t needed = 2 * (degree / subfield) - 1;
  // `least` has the least cost for each sum of degrees, and is updated for each place.
  std::vector<std::size_t> least(needed + 1, kMany);
  least[0] = 0;
  std::vector<std::pair<unsigned, std::vector<std::uint8_t>>> choices;  // degree and multiplicities
  const std::size_t most = std::min<std::size_t>(max_residue_degree, (degree + 1) / 2);
  for (unsigned d = 1; subfield * d <= most; ++d) {
    std::array<std::size_t, kMaxMultiplicity> costs{};
    for (unsigned m = 1; m <= kMaxMultiplicity; ++m) costs.at(m - 1) = cost_of(subfield * d, m);
    const std::size_t places = std::min(number_of_places(subfield, d), (needed + d - 1) / d);
    for (std::size_t place = 0; place < places; ++place) {
      std::vector<std::size_t> next = least;
      std::vector<std::uint8_t> multiplicities(needed + 1, 0);
      for (std::size_t sum = 1; sum <= needed; ++sum) {
        for (unsigned m = 1; m <= kMaxMultiplicity; ++m) {
          const std::size_t rest = sum > std::size_t{m} * d ? sum - std::size_t{m} * d : 0;
          const std::size_t all = least[rest] + costs.at(m - 1);
          if (all >= next[sum]) continue;
          next[sum] = all;
          multiplicities[sum] = static_cast<std::uint8_t>(m);
        }
      }
      least = std::move(next);
      choices.emplace_back(d, std::move(multiplicities));
    }
  }
  EvaluationPlan plan{least[needed], subfield, {}};
  std::size_t sum = needed;
  for (std::size_t i = choices.size(); i-- > 0;) {
    const auto& [d, multiplicities] = choices[i];
    const unsigned m = multiplicities[sum];
    if (m == 0) continue;
    sum -= std::min(sum, std::size_t{m} * d);
    const auto same = std::ranges::find_if(plan.places, [&](const EvaluationPlan::Places& places) {
      return places.degree == d && places.multiplicity == m;
    });
    if (same == plan.places.end()) {
      plan.places.push_back({d, m, 1});
    } else {
      ++same->number;
    }
  }
  return plan;
}

}  // namespace

const std::vector<unsigned>& sums_of_truncated_product(unsigned multiplicity) {
  static const std::array<std::vector<unsigned>, kMaxMultiplicity> kSums{
      {{1}, {1, 2, 3}, {1, 2, 4, 3, 5}}};
  return kSums.at(multiplicity - 1);
}

EvaluationPlan cheapest_plan(std::size_t degree, bool is_field, unsigned max_residue_degree,
                             const CostOfPlace& cost) {
  EvaluationPlan best = plan_over(1, degree, max_residue_degree, cost);
  for (unsigned subfield = 2; is_field && subfield <= max_residue_degree && 2 * subfield <= degree;
       ++subfield) {
    if (degree % subfield != 0) continue;
    EvaluationPlan plan = plan_over(subfield, degree, max_residue_degree, cost);
    if (plan.cost < best.cost) best = std::move(plan);
  }
  return best;
}

}  // namespace quartz::optimizer
