#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "circuit/phased_gates.hpp"
#include "flips/backend/flip_walks.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"
#include "optimize/product_layers/product_layer.hpp"
#include "optimize/product_layers/pulled_rotations.hpp"
#include "optimize/product_layers/rotation_group.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A sequence of rotations and a global phase.
struct PhasedSequence {
  RotationSequence sequence;
  Angle phase;
};

/// Gates in {h, x, rz, cx}: those of each layer, and those of the Clifford operator at the end.
using LayerGates = std::vector<std::vector<Operation>>;

/// Layers of an equal circuit, and the gates in place of each of them, which are equal up to a
/// phase.
struct LayerStep {
  LayerGates before;
  LayerGates after;
};

/// Gates before and after a network of products, and a global phase.
struct FramedNetwork {
  std::vector<CliffordGate> before;
  ProductNetwork network;
  std::vector<CliffordGate> after;
  Angle phase;
};

/// A circuit as layers of products, from which other circuits are made.
class ProductCircuit {
 public:
  /// Returns the layers of gates in {h, x, rz, cx}, or nothing if there are other gates, too many,
  /// or no products that could be fewer.
  [[nodiscard]] static std::optional<ProductCircuit> of(std::span<const Operation> gates,
                                                        std::uint32_t qubits);

  /// Returns the layers of gates in {h, x, rz, cx}, or nothing if there are other gates, too many,
  /// or too few rotations by odd multiples of pi/4 for there to be fewer.
  [[nodiscard]] static std::optional<ProductCircuit> with_rotations_of(
      std::span<const Operation> gates, std::uint32_t qubits);

  [[nodiscard]] std::size_t products() const;
  /// Returns the number of rotations by odd multiples of pi/4.
  [[nodiscard]] std::size_t odd_rotations() const;
  /// Returns equal circuits with fewer products: none, or one with as few products as were found,
  /// and perhaps another one with more products whose forms are sparser. The device is as in
  /// sets_of_fewer_products().
  [[nodiscard]] std::vector<ProductCircuit> with_fewer_products(
      const Budget& budget, FastRandom& random, const flips::FlipBackend* device = nullptr) const;
  /// Returns an equal circuit with fewer rotations by odd multiples of pi/4, or nothing if none was
  /// found. Layers with fewer products are among the starts of the search. Afterwards, rotations
  /// are moved to other layers at random, and these are reduced again. A single layer is searched
  /// on several threads, and on the device if there is one (RankSearchLimits).
  [[nodiscard]] std::optional<ProductCircuit> with_fewer_rotations(
      const Budget& budget, unsigned threads, FastRandom& random,
      const parity_chains::ParityBackend* device = nullptr) const;

  /// Returns the circuit as a sequence of rotations, unless it is too large for one.
  [[nodiscard]] std::optional<PhasedSequence> as_rotations() const;
  /// Returns by which steps the rotations of a circuit with fewer of them became fewer, if that
  /// took more than one layer. Between these steps, rotations only change places with others with
  /// which they commute, so that each step can be proved by itself.
  [[nodiscard]] std::span<const LayerStep> steps() const { return steps_; }
  /// Returns the circuit as one network between gates on single qubits, if it can be written so.
  [[nodiscard]] std::optional<FramedNetwork> as_network() const;

 private:
  explicit ProductCircuit(PulledRotations circuit) : circuit_(std::move(circuit)) {}
  void read_layers(std::span<const RotationLayer> layers);
  /// Reduces each layer by itself.
  void reduce_layers(const Budget& budget, const RankSearchLimits& limits, FastRandom& random);
  /// Returns the gates of the layers, or nothing if the circuit is too large.
  [[nodiscard]] std::optional<LayerGates> layer_gates() const;
  /// Moves rotations to other layers and reduces these, again and again.
  void reduce_random_layers(const Budget& budget, FastRandom& random);
  /// Returns an equal circuit in which the rotations are in other layers, or nothing if it is too
  /// large.
  [[nodiscard]] std::optional<ProductCircuit> in_random_layers(FastRandom& random) const;

  PulledRotations circuit_;
  Angle phase_;  ///< a global phase
  std::vector<LayerStep> steps_;
  std::vector<ProductLayer> layers_;
};

}  // namespace quartz::optimizer
