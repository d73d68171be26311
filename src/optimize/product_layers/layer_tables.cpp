#include "optimize/product_layers/layer_tables.hpp"

#include <set>
#include <utility>

#include "optimize/products/parity_phases.hpp"

namespace quartz::optimizer {
namespace {

/// Tables of each kind that are drawn before the averages count, and one of how many tables is of
/// other products in any case.
constexpr std::size_t kTrials = 3;
constexpr std::uint32_t kDrawsOfVariant = 8;

}  // namespace

std::vector<LinearForm> odd_parities(const ProductLayer& layer) {
  std::vector<LinearForm> result;
  ProductNetwork network;
  network.products = layer.products;
  network.phases = layer.phases;
  for (const auto& [form, eighths] : phases_of(network)) {
    if (eighths % 2 != 0) result.push_back(form);
  }
  return result;
}

LayerTables::LayerTables(const ProductLayer& layer, std::span<const Product> fewest,
                         const EvaluationTables* evaluations)
    : layer_{.coordinates = layer.coordinates,
             .products = {},
             .phases = layer.phases,
             .clifford = QuadraticPhase(0),
             .other_rotations = {}},
      phases_(odd_parities(layer_)),
      variants_(layer.products, fewest),
      evaluations_(evaluations) {}

LayerTables::LayerTables(const LayerTables& other)
    : TableSource(),
      layer_(other.layer_),
      phases_(other.phases_),
      variants_(other.variants_),
      evaluations_(other.evaluations_),
      records_(other.records_),
      failures_(other.failures_),
      drawn_(other.drawn_) {}

std::optional<ParityTable> LayerTables::draw(const Budget& budget, FastRandom& random) {
  drawn_ = chosen_kind(random);
  if (drawn_ == kEvaluated) {
    budget.spend(1);
    return with_phases(evaluations_->draw(random));
  }
  auto products = variants_.draw(budget, random);
  if (!products) {
    ++failures_;
    return std::nullopt;
  }
  layer_.products = *std::move(products);
  return odd_parities(layer_);
}

void LayerTables::learn(std::size_t parities) {
  Record& record = records_.at(drawn_);
  ++record.draws;
  record.sum += parities;
  if (drawn_ == kVariant) variants_.learn(parities);
}

ParityTable LayerTables::smallest(FastRandom& random) const {
  return with_phases(evaluations_->smallest(random));
}

ParityTable LayerTables::with_phases(ParityTable table) const {
  std::set<LinearForm> parities(phases_.begin(), phases_.end());
  for (LinearForm& parity : table) {
    const auto [entry, is_new] = parities.insert(std::move(parity));
    if (!is_new) parities.erase(entry);
  }
  return {parities.begin(), parities.end()};
}

LayerTables::Kind LayerTables::chosen_kind(FastRandom& random) const {
  if (evaluations_ == nullptr) return kVariant;
  if (records_[kEvaluated].draws < kTrials) return kEvaluated;
  const bool has_variants = records_[kVariant].draws >= kTrials;
  if (!has_variants && failures_ < kTrials) return kVariant;
  if (random.below(kDrawsOfVariant) == 0) return kVariant;
  if (!has_variants) return kEvaluated;
  return records_[kEvaluated].average() <= records_[kVariant].average() ? kEvaluated : kVariant;
}

}  // namespace quartz::optimizer
