#include "optimize/clifford_synthesis/step_gains.hpp"

#include <cmath>
#include <cstddef>

namespace quartz::optimizer {
namespace {

/// Returns the number of qubits on which the product of two images is not the identity.
std::uint32_t weight_of_product(const std::uint64_t* one, const std::uint64_t* other,
                                std::size_t words) {
  std::uint32_t weight = 0;
  for (std::size_t i = 0; i < words; ++i) {
    weight += static_cast<std::uint32_t>(
        __builtin_popcountll((one[i] ^ other[i]) | (one[words + i] ^ other[words + i])));
  }
  return weight;
}

/// Returns on which qubits an image anticommutes with an axis: on which qubits' images under the
/// inverse it has a part.
std::uint64_t anticommuting(const std::uint64_t* image, std::size_t words, SymplecticAxis axis,
                            std::size_t word) {
  switch (axis) {
    case SymplecticAxis::x:
      return image[words + word];
    case SymplecticAxis::z:
      return image[word];
    case SymplecticAxis::y:
      break;
  }
  return image[word] ^ image[words + word];
}

}  // namespace

double measure_of(std::uint32_t weight) {
  // Sums of multiples of a power of two have no rounding errors, which would differ with the
  // compiler.
  constexpr double kParts = 1 << 20U;
  return std::round(std::log(static_cast<double>(weight)) * kParts) / kParts;
}

StepGains::StepGains(std::uint32_t qubits, double inverse_share)
    : inverse_share_(inverse_share), logarithms_(std::size_t{qubits} + 1) {
  for (std::size_t weight = 1; weight < logarithms_.size(); ++weight) {
    logarithms_[weight] = measure_of(static_cast<std::uint32_t>(weight));
  }
}

StepGains::Gains StepGains::gains_of(const SymplecticMap& map, MapEnd end, std::uint32_t first,
                                     std::uint32_t second) const {
  Gains gains = own_gains(map, end, first, second);
  for (const SymplecticAxis one : kSymplecticAxes) {
    for (const SymplecticAxis other : kSymplecticAxes) {
      gains[3 * static_cast<std::size_t>(one) + static_cast<std::size_t>(other)] +=
          rest_of_gain(map, end, {first, second, one, other});
    }
  }
  return gains;
}

StepGains::Gains StepGains::own_gains(const SymplecticMap& map, MapEnd end, std::uint32_t first,
                                      std::uint32_t second) const {
  Gains of_product{};  // the logarithm of the weight of each product
  for (std::size_t i = 0; i < of_product.size(); ++i) {
    of_product[i] =
        logarithms_[weight_of_product(map.image(end, first, kSymplecticAxes[i / 3]),
                                      map.image(end, second, kSymplecticAxes[i % 3]), map.words())];
  }
  Gains gains{};
  for (std::size_t i = 0; i < gains.size(); ++i) {
    for (std::size_t other = 0; other < 3; ++other) {
      if (other != i / 3) {
        gains[i] += logarithms_[map.weight(end, first, kSymplecticAxes[other])];
        gains[i] -= of_product[3 * other + i % 3];
      }
      if (other != i % 3) {
        gains[i] += logarithms_[map.weight(end, second, kSymplecticAxes[other])];
        gains[i] -= of_product[3 * (i / 3) + other];
      }
    }
  }
  return gains;
}

double StepGains::inverse_gain(const SymplecticMap& map, MapEnd end,
                               const ControlledPauli& gate) const {
  const std::size_t words = map.words();
  const std::uint64_t* const own = map.image(end, gate.first, gate.first_axis);
  const std::uint64_t* const changed = map.image(end, gate.first, next_to(gate.first_axis));
  const std::uint64_t* const other = map.image(end, gate.second, gate.second_axis);
  const std::uint64_t* const other_changed = map.image(end, gate.second, next_to(gate.second_axis));
  double gain = 0;
  for (const SymplecticAxis axis : kSymplecticAxes) {
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t a = anticommuting(own, words, axis, word);
      const std::uint64_t b = anticommuting(changed, words, axis, word);
      const std::uint64_t c = anticommuting(other, words, axis, word);
      const std::uint64_t d = anticommuting(other_changed, words, axis, word);
      // The qubits whose images under the inverse have a part on `first` and `second`, before and
      // after.
      const std::uint64_t first_before = a | b;
      const std::uint64_t first_after = a | (b ^ c);
      const std::uint64_t second_before = c | d;
      const std::uint64_t second_after = c | (d ^ a);
      std::uint64_t changes = (first_before ^ first_after) | (second_before ^ second_after);
      for (; changes != 0; changes &= changes - 1) {
        const auto bit = static_cast<unsigned>(__builtin_ctzll(changes));
        const auto at = [&](std::uint64_t bits) {
          return static_cast<std::size_t>(bits >> bit & 1U);
        };
        const auto qubit = static_cast<std::uint32_t>(64 * word + bit);
        const std::size_t before = map.weight(opposite(end), qubit, axis);
        const std::size_t after =
            before + at(first_after) + at(second_after) - at(first_before) - at(second_before);
        gain += logarithms_[before] - logarithms_[after];
      }
    }
  }
  return gain;
}

}  // namespace quartz::optimizer
