#include "optimize/product_layers/product_circuit.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "optimize/product_layers/affine_frame.hpp"
#include "optimize/product_layers/rotation_gates.hpp"
#include "optimize/product_layers/rotation_group.hpp"
#include "optimize/products/parity_phases.hpp"

namespace quartz::optimizer {
namespace {

/// A table of fewer parities has full rank, but for one of all parities of a space of four
/// dimensions, or with a product in it, which has seven.
constexpr std::size_t kMinOddRotations = 8;
/// Fraction of the time of a layer in which its products are reduced first.
constexpr double kShareOfProductReduction = 0.3;
/// Fraction of the budget for the layers as they are given.
constexpr double kFirstLayersShare = 0.3;
/// Walks that find nothing, after which the reduction of a layer ends: of the only layer, with
/// products that could be fewer or without, of a layer among others, and of a random one.
constexpr std::size_t kPatienceOfProducts = 20'000;
constexpr std::size_t kPatienceOfLayer = 1'000;
constexpr std::size_t kPatienceOfLayers = 60;
constexpr std::size_t kPatienceOfRandomLayers = 1;
/// Random layers that bring nothing, after which a round ends, and rounds that bring nothing, after
/// which the search ends.
constexpr std::size_t kIdleRandomLayers = 50;
constexpr std::size_t kIdleRoundsOfLayers = 3;

PauliString string_of(PauliRows::ConstRow row) {
  return {row[0], row[1], static_cast<unsigned>(row[2])};
}

/// Returns e^{i pi/8 eighths}.
Angle phase_of_eighths(int eighths) { return Angle::pi_times(Rational(eighths, 8)); }

/// Returns the eighths of a phase, from 0 to 7, as a rotation by the smallest angle.
int turns_of(std::uint8_t eighths) { return eighths > 4 ? eighths - 8 : eighths; }

/// Appends the rotations of a layer to a sequence.
void append_rotations(const PulledRotations& circuit, ProductLayer layer, PhasedSequence& result) {
  expand_clifford(layer);
  ProductNetwork network;
  network.products = layer.products;
  network.phases = layer.phases;
  int turns = -layer.eighths;
  for (const auto& [form, eighths] : phases_of(network)) {
    const int turn = turns_of(eighths);
    turns += turn;
    const std::vector<std::uint64_t> axis = layer.coordinates.axis_of(form);
    result.sequence.rotations.push_back({string_of(axis), Angle::pi_times(Rational(turn, 4))});
  }
  for (const std::uint32_t rotation : layer.other_rotations) {
    result.sequence.rotations.push_back(
        {string_of(circuit.axis(rotation)), circuit.angles[rotation]});
  }
  result.phase += phase_of_eighths(turns);
}

}  // namespace

std::optional<ProductCircuit> ProductCircuit::of(std::span<const Operation> gates,
                                                 std::uint32_t qubits) {
  std::optional<PulledRotations> rotations = pulled_rotations(gates, qubits);
  if (!rotations) return std::nullopt;
  const std::vector<RotationGroup> groups = group_rotations(*rotations);
  if (std::ranges::count_if(groups, is_product) < 2) return std::nullopt;
  ProductCircuit result(*std::move(rotations));
  result.read_layers(layers_of(result.circuit_, groups));
  if (std::ranges::none_of(result.layers_, may_have_fewer_products)) return std::nullopt;
  return result;
}

std::optional<ProductCircuit> ProductCircuit::with_rotations_of(std::span<const Operation> gates,
                                                                std::uint32_t qubits) {
  std::optional<PulledRotations> rotations = pulled_rotations(gates, qubits);
  if (!rotations || rotations->size() < kMinOddRotations) return std::nullopt;
  const std::vector<RotationGroup> groups = group_rotations(*rotations);
  ProductCircuit result(*std::move(rotations));
  result.read_layers(layers_of(result.circuit_, groups));
  if (std::ranges::none_of(result.layers_, [](const ProductLayer& layer) {
        return count_odd_rotations(layer) >= kMinOddRotations;
      })) {
    return std::nullopt;
  }
  return result;
}

void ProductCircuit::read_layers(std::span<const RotationLayer> layers) {
  for (const RotationLayer& layer : layers) layers_.push_back(product_layer(circuit_, layer));
}

std::size_t ProductCircuit::products() const {
  std::size_t sum = 0;
  for (const ProductLayer& layer : layers_) sum += layer.products.size();
  return sum;
}

std::vector<ProductCircuit> ProductCircuit::with_fewer_products(
    const Budget& budget, FastRandom& random, const flips::FlipBackend* device) const {
  ProductCircuit fewest = *this;
  ProductCircuit sparse = *this;
  bool has_fewest = false;
  bool has_sparse = false;
  std::size_t left = products();
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    // Each layer gets a share of the time by its number of products.
    const std::size_t count = layers_[i].products.size();
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(left);
    left -= count;
    const std::vector<ProductLayer> reduced =
        optimizer::with_fewer_products(layers_[i], budget.share(share), random, device);
    if (reduced.empty()) continue;
    has_fewest = true;
    has_sparse = has_sparse || reduced.size() > 1;
    fewest.layers_[i] = reduced.front();
    sparse.layers_[i] = reduced.back();
  }
  std::vector<ProductCircuit> result;
  if (has_fewest) result.push_back(std::move(fewest));
  if (has_sparse) result.push_back(std::move(sparse));
  return result;
}

std::size_t ProductCircuit::odd_rotations() const {
  std::size_t sum = 0;
  for (const ProductLayer& layer : layers_) sum += count_odd_rotations(layer);
  return sum;
}

void ProductCircuit::reduce_layers(const Budget& budget, const RankSearchLimits& limits,
                                   FastRandom& random) {
  const std::optional<LayerGates> before = layers_.size() > 1 ? layer_gates() : std::nullopt;
  bool has_changed = false;
  std::size_t left = odd_rotations();
  for (ProductLayer& layer : layers_) {
    // Each layer gets a share of the time by its number of rotations.
    const std::size_t count = count_odd_rotations(layer);
    if (count == 0) continue;
    const Budget of_layer = budget.share(static_cast<double>(count) / static_cast<double>(left));
    left -= count;
    if (count < kMinOddRotations) continue;
    std::vector<ProductLayer> others;
    if (layer.products.size() > 1 && may_have_fewer_products(layer)) {
      others =
          optimizer::with_fewer_products(layer, of_layer.share(kShareOfProductReduction), random);
    }
    std::optional<ProductLayer> reduced =
        optimizer::with_fewer_rotations(layer, others, limits, of_layer, random);
    if (!reduced) continue;
    layer = *std::move(reduced);
    has_changed = true;
  }
  if (!has_changed || !before) return;
  steps_.push_back({*before, layer_gates().value()});
}

std::optional<LayerGates> ProductCircuit::layer_gates() const {
  if (circuit_.qubits > kMaxQubitsOfPauliString || circuit_.size() > kMaxRotations) {
    return std::nullopt;
  }
  LayerGates result;
  for (const ProductLayer& layer : layers_) {
    PhasedSequence rotations;
    append_rotations(circuit_, layer, rotations);
    result.push_back(gates_of(rotations.sequence).gates);
  }
  result.push_back(gates_of(circuit_.clifford));
  return result;
}

std::optional<ProductCircuit> ProductCircuit::in_random_layers(FastRandom& random) const {
  const std::optional<PhasedSequence> rotations = as_rotations();
  if (!rotations) return std::nullopt;
  const circuit::PhasedGates gates = gates_of(rotations->sequence);
  std::optional<PulledRotations> pulled = pulled_rotations(gates.gates, circuit_.qubits);
  if (!pulled) return std::nullopt;
  std::vector<RotationGroup> groups;
  for (std::uint32_t rotation = 0; rotation < pulled->size(); ++rotation) {
    groups.push_back({rotation});
  }
  ProductCircuit result(*std::move(pulled));
  result.phase_ = gates.phase + rotations->phase;
  result.steps_ = steps_;
  result.read_layers(random_layers_of(result.circuit_, groups, random));
  return result;
}

void ProductCircuit::reduce_random_layers(const Budget& budget, FastRandom& random) {
  std::size_t least = odd_rotations();
  for (std::size_t idle = 0; idle < kIdleRandomLayers && layers_.size() > 1 && !budget.spent();
       ++idle) {
    std::optional<ProductCircuit> next = in_random_layers(random);
    if (!next) break;
    next->reduce_layers(budget, {kPatienceOfRandomLayers, 1}, random);
    const std::size_t rotations = next->odd_rotations();
    if (rotations > least) continue;
    if (rotations < least) idle = 0;
    least = rotations;
    *this = *std::move(next);
  }
}

std::optional<ProductCircuit> ProductCircuit::with_fewer_rotations(
    const Budget& budget, unsigned threads, FastRandom& random,
    const parity_chains::ParityBackend* device) const {
  ProductCircuit best = *this;
  if (layers_.size() > 1) {
    best.reduce_layers(budget.share(kFirstLayersShare), {kPatienceOfLayers, 1}, random);
  } else {
    const bool has_products = std::ranges::any_of(layers_, may_have_fewer_products);
    best.reduce_layers(
        budget, {has_products ? kPatienceOfProducts : kPatienceOfLayer, threads, device}, random);
  }
  best.reduce_random_layers(budget, random);
  std::size_t least = best.odd_rotations();
  for (std::size_t idle = 0; idle < kIdleRoundsOfLayers && layers_.size() > 1 && !budget.spent();
       ++idle) {
    std::optional<ProductCircuit> next = in_random_layers(random);
    if (!next) break;
    next->reduce_random_layers(budget, random);
    const std::size_t rotations = next->odd_rotations();
    if (rotations >= least) continue;
    least = rotations;
    best = *std::move(next);
    idle = 0;
  }
  if (least >= odd_rotations()) return std::nullopt;
  return best;
}

std::optional<PhasedSequence> ProductCircuit::as_rotations() const {
  if (circuit_.qubits > kMaxQubitsOfPauliString) return std::nullopt;
  PhasedSequence result;
  result.phase = phase_;
  for (const ProductLayer& layer : layers_) append_rotations(circuit_, layer, result);
  if (result.sequence.rotations.size() > kMaxRotations) return std::nullopt;
  result.sequence.clifford = circuit_.clifford;
  result.sequence.is_negated = circuit_.is_negated;
  for (std::uint32_t qubit = 0; qubit < circuit_.qubits; ++qubit) {
    result.sequence.images.push_back(string_of(circuit_.image_of_x(qubit)));
    result.sequence.images.push_back(string_of(circuit_.image_of_z(qubit)));
  }
  return result;
}

std::optional<FramedNetwork> ProductCircuit::as_network() const {
  if (layers_.size() != 1) return std::nullopt;
  ProductLayer layer = layers_[0];
  if (!layer.coordinates.is_local() || !layer.other_rotations.empty()) return std::nullopt;
  std::optional<AffineFrame> frame = affine_frame(circuit_, layer.coordinates);
  if (!frame) return std::nullopt;
  layer.clifford.multiply(frame->diagonal);
  expand_clifford(layer);
  FramedNetwork result;
  result.before = std::move(frame->before);
  result.after = std::move(frame->after);
  result.network.wires = circuit_.qubits;
  result.network.products = std::move(layer.products);
  result.network.phases = std::move(layer.phases);
  result.network.outputs = std::move(frame->outputs);
  const int eighths =
      2 * static_cast<int>(frame->eighths) - layer.eighths + (circuit_.is_negated ? 8 : 0);
  result.phase = phase_ + phase_of_eighths(eighths);
  return result;
}

}  // namespace quartz::optimizer
