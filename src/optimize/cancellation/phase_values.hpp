#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/cancellation/word_field.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::optimizer {

/// Maps e^{i angle} to elements of the field such that sums of angles become products. Multiples of
/// pi whose denominators divide 15 * 2^26 become roots of unity. A symbol, a radian, and pi with
/// another denominator become a random element for each denominator, so an equality between
/// operators that holds at random elements holds, with the probability of a random test, for all
/// values of the symbols.
class PhaseValues {
 public:
  explicit PhaseValues(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] FieldWord of(const Angle& angle);

 private:
  /// Returns the element for a multiple of a unit, which is a symbol, "1" or "pi".
  [[nodiscard]] FieldWord power_of(const std::string& unit, const Rational& multiple);

  FastRandom random_;
  /// The elements for 1 / denominator of a unit.
  std::map<std::pair<std::string, std::int64_t>, FieldWord> units_;
};

}  // namespace quartz::optimizer
