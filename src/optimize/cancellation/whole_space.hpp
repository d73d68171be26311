#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/cancellation/stepped_gates.hpp"

namespace quartz::optimizer {

/// Finds pairs by evaluating the operators of all gates on the space of all wires, in one pass over
/// the gates.
///
/// Every gate is diagonal on some wires, such as those that only control others. With bits for
/// these *constant wires*, the operators act on the space of the other wires, which is much
/// smaller. If there are several constant wires, a first pass therefore evaluates the operators for
/// some random choices of their bits, and the whole space is used only for what agrees there.
class WholeSpace {
 public:
  using Place = SteppedGates::Place;

  WholeSpace(SteppedGates& gates, std::uint64_t seed);

  /// Returns whether a pass is possible: no step is unknown, and the gates are on few wires.
  [[nodiscard]] bool is_possible() const;
  /// Returns the number of elements of vectors that the first pass computes, and the number that
  /// all compute if it finds anything, roughly: those that follow evaluate fewer operators.
  [[nodiscard]] double work_of_first_pass() const;
  [[nodiscard]] double work_of_all() const;
  /// Merges the pairs that are found, except those that may depend on the merge of another one.
  /// Returns whether it merged any. Merges none if the budget is spent before all are confirmed.
  bool merge_pairs(const Budget& budget);

 private:
  struct Pair {
    Place first = 0;
    Place second = 0;
    OperatorRelation relation;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct PlacedKey {
    Place place = 0;
    OperatorKey key;
  };

  [[nodiscard]] bool has_constant_wires() const;
  [[nodiscard]] double work_on(unsigned wires, bool has_operators) const;
  /// Adds the numbers of the operators at these places, which ascend, for one random point and, if
  /// `bits` is not null, for these bits of the constant wires. Returns false if the budget is
  /// spent.
  bool add_values(std::span<const Place> places, PhaseChoice& phases, const std::uint64_t* bits,
                  std::vector<OperatorValues>& values, const Budget& budget);
  void add_values_at(Place place, const std::uint64_t* bits, const OperatorProbe& probe,
                     OperatorValues& sums);
  void apply(const CircuitStep& step, const std::uint64_t* bits, std::span<const FieldWord> phases,
             OperatorProbe& probe);
  /// Returns the keys of the gates at these places on the whole space, or for several random bits
  /// of the constant wires; none if the budget is spent.
  [[nodiscard]] std::vector<PlacedKey> keys_at(std::span<const Place> places, PhaseChoice& phases,
                                               bool is_sampled, const Budget& budget);
  void apply_with_bits(const CircuitStep& step, std::uint64_t bits,
                       std::span<const FieldWord> phases, OperatorProbe& probe);
  /// Returns pairs that are confirmed, in any order.
  [[nodiscard]] std::vector<Pair> find_pairs(const Budget& budget);
  /// Returns the places of keys that occur several times.
  [[nodiscard]] static std::vector<Place> repeated(std::span<const PlacedKey> keys);
  [[nodiscard]] static std::vector<Pair> pairs_of(std::span<const PlacedKey> keys);
  /// Returns pairs of which each two are apart or one within the other: a merge changes the
  /// operators between its gates, all in the same way, and no others.
  [[nodiscard]] static std::vector<Pair> nested(std::vector<Pair> pairs);

  SteppedGates& gates_;
  FastRandom random_;
  PhaseChoice phases_;
  PhaseChoice other_phases_;       ///< with which pairs are confirmed
  std::vector<unsigned> wire_of_;  ///< for each wire of the circuit that of the probe
  unsigned wires_ = 0;
  unsigned changing_wires_ = 0;  ///< those that are not constant, which have the lowest numbers
  bool has_unknown_steps_ = false;
  std::vector<unsigned> operands_;  ///< wires of the probe for the current gate
};

}  // namespace quartz::optimizer
