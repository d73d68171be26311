#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "optimize/clifford_synthesis/symplectic_map.hpp"

namespace quartz::optimizer {

/// Returns the logarithm of the weight of an image, which is at least 1, rounded to about six
/// decimal places.
[[nodiscard]] double measure_of(std::uint32_t weight);

/// Computes by how much gates would make a map simpler. The measure is the sum of the logarithms of
/// the weights of all images, those under the inverse counting `inverse_share` times as much as
/// those at the end at which a gate is put. It is 0 if the map only exchanges qubits. A sum of
/// logarithms prefers to finish images that have few operators left (de Brugiere, Baboulin,
/// Valiron, Martiel, Allouche, arXiv 2201.06508, for maps of CNOTs).
class StepGains {
 public:
  StepGains(std::uint32_t qubits, double inverse_share);

  /// The gains of the nine gates on two qubits, by first_axis * 3 + second_axis.
  using Gains = std::array<double, 9>;
  [[nodiscard]] Gains gains_of(const SymplecticMap& map, MapEnd end, std::uint32_t first,
                               std::uint32_t second) const;
  /// Returns the gains by the images that each gate multiplies, a part of all gains.
  [[nodiscard]] Gains own_gains(const SymplecticMap& map, MapEnd end, std::uint32_t first,
                                std::uint32_t second) const;
  /// Returns the rest of a gate's gain, which takes most of the time.
  [[nodiscard]] double rest_of_gain(const SymplecticMap& map, MapEnd end,
                                    const ControlledPauli& gate) const {
    return inverse_share_ * inverse_gain(map, end, gate);
  }

 private:
  /// Returns the gain by the images under the inverse.
  [[nodiscard]] double inverse_gain(const SymplecticMap& map, MapEnd end,
                                    const ControlledPauli& gate) const;

  double inverse_share_;
  std::vector<double> logarithms_;  ///< by weight
};

}  // namespace quartz::optimizer
