#include "optimize/clifford_synthesis/reduction_step.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "optimize/clifford_synthesis/step_gains.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// The images of X and Z of one qubit, as operators on another one.
struct ImagePair {
  unsigned x = 0;  ///< bits_of the image of X there, or 0
  unsigned z = 0;

  [[nodiscard]] bool is_identity() const { return (x | z) == 0; }
  [[nodiscard]] bool anticommutes() const { return x != 0 && z != 0 && x != z; }
  /// Returns the number of gates that it takes to clear the qubit, times two.
  [[nodiscard]] int half_gates() const { return is_identity() ? 0 : anticommutes() ? 3 : 2; }
};

/// Applies a gate to operators on its two qubits.
void apply(unsigned& first, unsigned& second, SymplecticAxis first_axis,
           SymplecticAxis second_axis) {
  const auto anticommute = [](unsigned a, unsigned b) {
    return (((a & 1U) & (b >> 1U)) ^ ((a >> 1U) & (b & 1U))) != 0;
  };
  const bool changes_second = anticommute(first, bits_of(first_axis));
  const bool changes_first = anticommute(second, bits_of(second_axis));
  if (changes_second) second ^= bits_of(second_axis);
  if (changes_first) first ^= bits_of(first_axis);
}

/// A qubit whose images are to be finished, at one end.
struct Target {
  MapEnd end;
  std::uint32_t qubit;
};

class ReductionStep {
 public:
  ReductionStep(PartialReduction& reduction, const ReductionChoice& choice, FastRandom& random,
                const Budget& budget)
      : reduction_(reduction),
        map_(reduction.map),
        choice_(choice),
        random_(random),
        budget_(budget),
        gains_(map_.qubits(), choice.inverse_share) {}

  [[nodiscard]] bool run() {
    while (descend()) continue;
    if (map_.is_permutation()) return true;
    const Target target = next_target();
    while (half_gates_left(target) > 0) {
      if (budget_.spent()) return false;
      put(opposite(target.end), towards(target));
    }
    return true;
  }

 private:
  /// The best gate so far.
  struct Best {
    double value = -std::numeric_limits<double>::infinity();
    MapEnd end = MapEnd::start;
    ControlledPauli gate;

    [[nodiscard]] bool is_found() const { return value > -std::numeric_limits<double>::infinity(); }
  };

  void put(MapEnd end, const ControlledPauli& gate) {
    reduction_.map.put(end, gate);
    (end == MapEnd::start ? reduction_.start : reduction_.end).push_back(gate);
  }

  [[nodiscard]] double noise() { return choice_.noise * random_.unit(); }
  [[nodiscard]] StepGains::Gains gains_of(MapEnd end, std::uint32_t first, std::uint32_t second) {
    budget_.spend(1);
    return gains_.gains_of(map_, end, first, second);
  }
  static ControlledPauli gate_of(std::uint32_t first, std::uint32_t second, std::size_t index) {
    return {first, second, kSymplecticAxes[index / 3], kSymplecticAxes[index % 3]};
  }

  /// Puts the gate with the highest gain, if that is high enough. Returns whether it did.
  [[nodiscard]] bool descend() {
    if (choice_.least_gain == std::numeric_limits<double>::infinity()) return false;
    Best best;
    for (const MapEnd end : {MapEnd::start, MapEnd::end}) {
      for (std::uint32_t second = 1; second < map_.qubits(); ++second) {
        if (budget_.spent()) return false;
        for (std::uint32_t first = 0; first < second; ++first) {
          const StepGains::Gains gains = gains_of(end, first, second);
          for (std::size_t i = 0; i < gains.size(); ++i) {
            if (gains[i] <= choice_.least_gain) continue;
            const double value = gains[i] + noise();
            if (value > best.value) best = {value, end, gate_of(first, second, i)};
          }
        }
      }
    }
    if (best.value <= choice_.least_gain) return false;
    put(best.end, best.gate);
    return true;
  }

  [[nodiscard]] ImagePair pair_at(const Target& target, std::uint32_t qubit) const {
    return {map_.operator_at(target.end, target.qubit, SymplecticAxis::x, qubit),
            map_.operator_at(target.end, target.qubit, SymplecticAxis::z, qubit)};
  }
  /// Returns twice the number of gates that it takes to finish a qubit.
  [[nodiscard]] int half_gates_left(const Target& target) const {
    int half_gates = -3;  // one qubit is left
    for (std::uint32_t qubit = 0; qubit < map_.qubits(); ++qubit) {
      half_gates += pair_at(target, qubit).half_gates();
    }
    return half_gates;
  }
  /// Returns the qubit that takes the fewest gates, and is not finished.
  [[nodiscard]] Target next_target() {
    Target next{};
    double least = std::numeric_limits<double>::infinity();
    for (const MapEnd end : {MapEnd::start, MapEnd::end}) {
      for (std::uint32_t qubit = 0; qubit < map_.qubits(); ++qubit) {
        const Target target{end, qubit};
        const int half_gates = half_gates_left(target);
        if (half_gates == 0) continue;
        const bool stays = pair_at(target, qubit).anticommutes();
        const double value = half_gates + (choice_.stay > 0 && !stays ? 1 : 0) + random_.unit();
        if (value >= least) continue;
        least = value;
        next = target;
      }
    }
    return next;
  }

  /// Returns the best gate, at the other end, that brings a qubit nearer to its end.
  [[nodiscard]] ControlledPauli towards(const Target& target) {
    std::vector<std::uint32_t> qubits;  // those that the images are on
    std::vector<ImagePair> pairs;
    for (std::uint32_t qubit = 0; qubit < map_.qubits(); ++qubit) {
      const ImagePair pair = pair_at(target, qubit);
      if (pair.is_identity()) continue;
      qubits.push_back(qubit);
      pairs.push_back(pair);
    }
    const std::size_t all = qubits.size() * (qubits.size() - 1) / 2;
    Best best;
    // Gates that bring it nearer may be missing among those that are drawn.
    for (const bool is_sampled : {all > choice_.most_pairs, false}) {
      for (std::size_t second = 1; second < qubits.size(); ++second) {
        for (std::size_t first = 0; first < second; ++first) {
          if (is_sampled && random_.below(static_cast<std::uint32_t>(all)) >= choice_.most_pairs) {
            continue;
          }
          consider(target, {qubits[first], qubits[second]}, {pairs[first], pairs[second]}, best);
        }
      }
      if (best.is_found()) return best.gate;
    }
    throw InternalError("no gate brings the images of a qubit nearer to one qubit");
  }
  void consider(const Target& target, std::array<std::uint32_t, 2> qubits,
                std::array<ImagePair, 2> pairs, Best& best) {
    const int half_gates = pairs[0].half_gates() + pairs[1].half_gates();
    std::optional<StepGains::Gains> own_gains;
    for (std::size_t i = 0; i < 9; ++i) {
      std::array<ImagePair, 2> after = pairs;
      apply(after[0].x, after[1].x, kSymplecticAxes[i / 3], kSymplecticAxes[i % 3]);
      apply(after[0].z, after[1].z, kSymplecticAxes[i / 3], kSymplecticAxes[i % 3]);
      if (after[0].half_gates() + after[1].half_gates() != half_gates - 2) continue;
      const MapEnd end = opposite(target.end);
      if (!own_gains) {
        budget_.spend(1);
        own_gains = gains_.own_gains(map_, end, qubits[0], qubits[1]);
      }
      // Few of the nine gates get here.
      const ControlledPauli gate = gate_of(qubits[0], qubits[1], i);
      double value = (*own_gains)[i] + gains_.rest_of_gain(map_, end, gate) + noise();
      for (std::size_t j = 0; j < 2; ++j) {
        if (qubits[j] != target.qubit) continue;
        if (pairs[j].anticommutes() && !after[j].anticommutes()) value -= choice_.stay;
        if (!pairs[j].anticommutes() && after[j].anticommutes()) value += choice_.stay;
      }
      if (value > best.value) {
        best = {value, end, gate};
      }
    }
  }

  PartialReduction& reduction_;
  const SymplecticMap& map_;
  const ReductionChoice& choice_;
  FastRandom& random_;
  const Budget& budget_;
  StepGains gains_;
};

}  // namespace

bool finish_qubit(PartialReduction& reduction, const ReductionChoice& choice, FastRandom& random,
                  const Budget& budget) {
  return ReductionStep(reduction, choice, random, budget).run();
}

}  // namespace quartz::optimizer
