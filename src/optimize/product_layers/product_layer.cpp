#include "optimize/product_layers/product_layer.hpp"

#include <array>
#include <memory>
#include <utility>

#include "optimize/evaluation_tables/evaluation_tables.hpp"
#include "optimize/product_layers/layer_tables.hpp"
#include "optimize/product_reduction/product_reduction.hpp"
#include "optimize/products/merging.hpp"
#include "optimize/products/parity_phases.hpp"

namespace quartz::optimizer {
namespace {

/// The random numbers with which the structure of an algebra is looked for. Layers without one are
/// searched as if nobody had looked.
constexpr std::uint64_t kSeedOfStructure = 1;

/// The eighths of the parities of a product, in the order of RotationGroup.
constexpr std::array<int, 7> kEighthsOfProduct{1, 1, 1, -1, -1, -1, 1};

bool is_eighths(const Angle& angle) {
  return angle.is_pi_multiple() && 4 % angle.pi_part().denominator() == 0;
}

/// Returns an angle in units of pi/4 modulo 16, from -15 to 15.
int eighths_of_rotation(const Angle& angle) {
  const Rational multiple = angle.pi_part();
  return static_cast<int>(multiple.numerator() % 16 * (4 / multiple.denominator()) % 16);
}

class LayerReader {
 public:
  LayerReader(const PulledRotations& circuit, const RotationLayer& layer)
      : circuit_(circuit),
        result_{.coordinates = LayerCoordinates(circuit, layer),
                .products = {},
                .phases = {},
                .clifford = QuadraticPhase(0),
                .other_rotations = {}} {
    result_.clifford = QuadraticPhase(result_.coordinates.dimension());
    for (const RotationGroup& group : layer.groups) {
      if (is_product(group)) {
        add_product(group);
      } else {
        add_single(group[0]);
      }
    }
  }

  [[nodiscard]] ProductLayer take() { return std::move(result_); }

 private:
  /// A rotation e^{-i pi/8 eighths} e^{i pi/4 eighths f(x)}.
  struct ReadRotation {
    LinearForm form;
    int eighths = 0;
  };
  [[nodiscard]] ReadRotation read(std::uint32_t rotation) const {
    SignedForm form = result_.coordinates.form_of(circuit_.axis(rotation));
    const int eighths = eighths_of_rotation(circuit_.angles[rotation]);
    return {std::move(form.form), form.is_negative ? -eighths : eighths};
  }
  void add_product(const RotationGroup& group) {
    Product product;
    for (std::size_t i = 0; i < group.size(); ++i) {
      ReadRotation rotation = read(group[i]);
      result_.eighths = (result_.eighths + rotation.eighths) % 16;
      // The difference is even.
      const int difference = rotation.eighths - kEighthsOfProduct.at(i) + 16;
      result_.clifford.add_parity(rotation.form, static_cast<unsigned>(difference / 2 % 4));
      if (i < product.forms.size()) product.forms.at(i) = std::move(rotation.form);
    }
    result_.products.push_back(std::move(product));
  }
  void add_single(std::uint32_t index) {
    if (!is_eighths(circuit_.angles[index])) {
      result_.other_rotations.push_back(index);
      return;
    }
    ReadRotation rotation = read(index);
    result_.eighths = (result_.eighths + rotation.eighths) % 16;
    result_.phases.push_back(
        {std::move(rotation.form), static_cast<std::uint8_t>((rotation.eighths + 16) % 8)});
  }

  const PulledRotations& circuit_;
  ProductLayer result_;
};

/// Returns the phases of the products, the single rotations and the Clifford phase together.
ParityPhases all_phases(ProductLayer layer) {
  expand_clifford(layer);
  ProductNetwork network;
  network.products = std::move(layer.products);
  network.phases = std::move(layer.phases);
  return phases_of(network);
}

/// Returns the layer with other rotations by pi/4, which have the same cubic form; nothing if it is
/// not the same unitary up to a quadratic phase after all.
std::optional<ProductLayer> with_rotations(const ProductLayer& layer, const ParityPhases& phases,
                                           const ParityTable& parities) {
  ProductLayer result = layer;
  result.products.clear();
  result.phases.clear();
  ParityPhases difference = phases;
  for (const LinearForm& parity : parities) {
    result.phases.push_back({parity, 1});
    add_phase(difference, parity, -1);
  }
  std::optional<QuadraticPhase> clifford =
      as_quadratic_phase(difference, layer.coordinates.dimension());
  if (!clifford) return std::nullopt;
  result.clifford = *std::move(clifford);
  return result;
}

/// Returns whether a budget covers the linear algebra with the products, which no limit ends.
bool has_time_for(const ProductLayer& layer, const Budget& budget) {
  constexpr double kSecondsOfCoefficient = 2e-7;
  constexpr double kSecondsOfTick = 1e-6;
  const double seconds = kSecondsOfCoefficient * static_cast<double>(layer.products.size()) *
                         static_cast<double>(layer.coordinates.dimension());
  if (budget.counts_ticks()) {
    return seconds <= kSecondsOfTick * static_cast<double>(budget.ticks_left());
  }
  return !budget.has_deadline() || seconds <= budget.seconds_left();
}

}  // namespace

ProductLayer product_layer(const PulledRotations& circuit, const RotationLayer& layer) {
  return LayerReader(circuit, layer).take();
}

bool may_have_fewer_products(const ProductLayer& layer) {
  FastRandom random(0);
  const std::vector<Product> merged = with_merged_products(layer.products, random);
  return merged.size() < layer.products.size() || merged.size() > lower_bound_of_products(merged);
}

std::vector<ProductLayer> with_fewer_products(const ProductLayer& layer, const Budget& budget,
                                              FastRandom& random,
                                              const flips::FlipBackend* device) {
  std::vector<ProductLayer> result;
  if (!has_time_for(layer, budget)) return result;
  const ParityPhases phases = all_phases(layer);
  for (std::vector<Product>& fewer :
       sets_of_fewer_products(layer.products, budget, random, device)) {
    if (fewer.size() >= layer.products.size()) continue;
    ProductLayer reduced = layer;
    for (const Product& product : layer.products) reduced.clifford.add_lower_terms(product);
    for (const Product& product : fewer) reduced.clifford.add_lower_terms(product);
    reduced.products = std::move(fewer);
    if (agree_on_random_states(phases, all_phases(reduced), random)) {
      result.push_back(std::move(reduced));
    }
  }
  return result;
}

std::size_t count_odd_rotations(const ProductLayer& layer) { return odd_parities(layer).size(); }

std::optional<ProductLayer> with_fewer_rotations(const ProductLayer& layer,
                                                 std::span<const ProductLayer> others,
                                                 const RankSearchLimits& limits,
                                                 const Budget& budget, FastRandom& random) {
  std::vector<ParityTable> starts{odd_parities(layer)};
  const std::size_t given = starts[0].size();
  for (const ProductLayer& other : others) starts.push_back(odd_parities(other));
  MakeTableSource make_source;
  std::optional<EvaluationTables> evaluations;
  if (layer.products.size() > 1) {
    const std::vector<Product>& fewest = others.empty() ? layer.products : others[0].products;
    FastRandom of_structure(kSeedOfStructure);
    evaluations = EvaluationTables::of_products(layer.products, budget.stop, of_structure);
    const LayerTables tables(layer, fewest, evaluations ? &*evaluations : nullptr);
    if (evaluations) starts.push_back(tables.smallest(random));
    make_source = [tables] { return std::make_unique<LayerTables>(tables); };
  }
  const ParityTable fewer = with_fewer_parities(starts, make_source, limits, budget, random);
  if (fewer.size() >= given) return std::nullopt;
  const ParityPhases phases = all_phases(layer);
  std::optional<ProductLayer> result = with_rotations(layer, phases, fewer);
  if (result && !agree_on_random_states(phases, all_phases(*result), random)) return std::nullopt;
  return result;
}

void expand_clifford(ProductLayer& layer) {
  if (layer.clifford.is_identity()) return;
  const std::vector<LinearForm> odd = odd_parities(layer);
  for (ParityPhase& phase : on_parities(std::move(layer.clifford), odd)) {
    layer.phases.push_back(std::move(phase));
  }
  layer.clifford = QuadraticPhase(layer.coordinates.dimension());
}

}  // namespace quartz::optimizer
