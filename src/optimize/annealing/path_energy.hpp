#pragma once

#include <cmath>

#include "optimize/annealing/path_levels.hpp"

namespace quartz::optimizer {

/// How much a place on long chains of gates costs, in units of the table cost. The length of the
/// longest chain alone gives the Metropolis rule no direction while several chains are equally
/// long, so shorter chains cost something, too: half as much for each unit of slack.
class PathEnergy {
 public:
  /// `unit` is the typical length of a gate, `weight` the energy of a place on a longest chain.
  PathEnergy(double unit, double weight) : unit_(unit), weight_(weight) {}

  /// Returns the energy of a place with chains of a length through it, in a circuit with a longest
  /// chain.
  [[nodiscard]] double of(PathLevels::Length through, PathLevels::Length longest) const {
    const double slack = (static_cast<double>(longest) - static_cast<double>(through)) / unit_;
    return weight_ * (slack < 0 ? 1 - kSteepness * slack : std::exp2(-slack));
  }
  /// Returns the energy of a circuit with a longest chain.
  [[nodiscard]] double of_longest(PathLevels::Length longest) const {
    return weight_ * kSteepness * static_cast<double>(longest) / unit_;
  }

 private:
  /// Energy of a unit by which a chain becomes longer than the longest one, in weights.
  static constexpr double kSteepness = 2;

  double unit_;
  double weight_;
};

}  // namespace quartz::optimizer
