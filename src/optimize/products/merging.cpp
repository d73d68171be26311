#include "optimize/products/merging.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "optimize/products/trivector.hpp"

namespace quartz::optimizer {

namespace {

/// A plane in the span of a product, and a form of the product outside of it.
struct Plane {
  LinearForm first;
  LinearForm second;
  LinearForm outside;
};

/// Two of the three fingerprints of the nonzero forms of a plane: the smaller ones.
using PlaneKey = std::array<std::uint64_t, 2>;

struct PlaneKeyHash {
  std::size_t operator()(const PlaneKey& key) const { return key[0] ^ (key[1] << 1U); }
};

/// The seven planes of the span of (f, g, h) as pairs of sums of forms, bits 0 to 2 for f, g and h,
/// and the form outside of the plane. The planes of two of the forms come first.
struct PlanePattern {
  unsigned first;
  unsigned second;
  unsigned outside;
};
constexpr std::array<PlanePattern, 7> kPlanes{
    {{1, 2, 4}, {1, 4, 2}, {2, 4, 1}, {1, 6, 4}, {2, 5, 4}, {4, 3, 2}, {3, 6, 1}}};
constexpr std::size_t kPlanesOfForms = 3;

LinearForm sum_of_forms(const Product& product, unsigned forms) {
  LinearForm sum(product.forms[0].size());
  for (unsigned i = 0; i < 3; ++i) {
    if ((forms >> i & 1U) != 0) sum ^= product.forms[i];
  }
  return sum;
}

Plane plane_of(const Product& product, const PlanePattern& pattern) {
  return {sum_of_forms(product, pattern.first), sum_of_forms(product, pattern.second),
          sum_of_forms(product, pattern.outside)};
}

bool contains(const Plane& plane, const LinearForm& form) {
  return form.none() || form == plane.first || form == plane.second ||
         form == (plane.first ^ plane.second);
}

/// A hash of forms that is linear: the sum of a random number for each wire.
class FormHash {
 public:
  FormHash(std::size_t wires, FastRandom& random) {
    for (std::size_t i = 0; i < wires; ++i) numbers_.push_back(random());
  }

  [[nodiscard]] std::uint64_t of(const LinearForm& form) const {
    std::uint64_t sum = 0;
    for (std::size_t i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
      sum ^= numbers_[i];
    }
    return sum;
  }
  /// Returns the hashes of all sums of the forms of a product: bits 0 to 2 of an index for its
  /// forms.
  [[nodiscard]] std::array<std::uint64_t, 8> of_span(const Product& product) const {
    std::array<std::uint64_t, 8> sums{};
    for (unsigned i = 0; i < 3; ++i) sums[1U << i] = of(product.forms[i]);
    for (const unsigned i : {3U, 5U, 6U, 7U}) sums[i] = sums[i & (i - 1)] ^ sums[i & (~i + 1)];
    return sums;
  }

 private:
  std::vector<std::uint64_t> numbers_;  ///< for each wire
};

std::size_t wires_of(std::span<const Product> products) {
  return products.empty() ? 0 : products[0].forms[0].size();
}

/// Merges products that share a plane.
class Merger {
 public:
  Merger(std::span<const Product> products, FastRandom& random)
      : hash_(wires_of(products), random) {
    for (const Product& product : products) add(product);
  }

  /// Merges along the first planes of the list of patterns.
  void merge(std::size_t planes) {
    owner_of_.clear();
    std::vector<std::size_t> open(products_.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = open.size() - 1 - i;
    while (!open.empty()) {
      const std::size_t index = open.back();
      open.pop_back();
      if (!products_[index]) continue;
      if (const auto partner = partner_of(index, planes)) {
        const std::size_t before = products_.size();
        merge_two(index, *partner);
        if (products_.size() > before) open.push_back(before);
      }
    }
  }
  [[nodiscard]] std::vector<Product> products() const {
    std::vector<Product> result;
    for (const auto& product : products_) {
      if (product) result.push_back(*product);
    }
    return result;
  }

 private:
  void add(const Product& product) {
    if (is_independent(product)) products_.emplace_back(product);
  }
  /// Returns a product with which the one of an index shares a plane, and records its planes if
  /// there is none.
  std::optional<std::size_t> partner_of(std::size_t index, std::size_t planes) {
    const std::array<std::uint64_t, 8> sums = hash_.of_span(*products_[index]);
    for (std::size_t i = 0; i < planes; ++i) {
      const PlanePattern& pattern = kPlanes[i];
      std::array<std::uint64_t, 3> forms{sums[pattern.first], sums[pattern.second],
                                         sums[pattern.first ^ pattern.second]};
      std::ranges::sort(forms);
      const auto [owner, is_new] = owner_of_.try_emplace({forms[0], forms[1]}, Owner{index, i});
      if (is_new || owner->second.product == index) continue;
      const bool is_shared =
          products_[owner->second.product] && share_plane(index, i, owner->second);
      if (is_shared) {
        merged_ = {i, owner->second.plane};
        return owner->second.product;
      }
      owner->second = {index, i};
    }
    return std::nullopt;
  }

  struct Owner {
    std::size_t product = 0;
    std::size_t plane = 0;  ///< index of the pattern
  };

  /// Excludes that two planes only have the same fingerprints.
  [[nodiscard]] bool share_plane(std::size_t index, std::size_t pattern, const Owner& owner) const {
    const Plane left = plane_of(*products_[index], kPlanes[pattern]);
    const Plane right = plane_of(*products_[owner.product], kPlanes[owner.plane]);
    return contains(left, right.first) && contains(left, right.second);
  }
  void merge_two(std::size_t index, std::size_t partner) {
    Plane plane = plane_of(*products_[index], kPlanes[merged_[0]]);
    plane.outside ^= plane_of(*products_[partner], kPlanes[merged_[1]]).outside;
    products_[index].reset();
    products_[partner].reset();
    add({{std::move(plane.first), std::move(plane.second), std::move(plane.outside)}});
  }

  FormHash hash_;
  std::vector<std::optional<Product>> products_;  ///< nothing for a merged product
  std::unordered_map<PlaneKey, Owner, PlaneKeyHash> owner_of_;
  std::array<std::size_t, 2> merged_{};  ///< the patterns of the shared plane found last
};

}  // namespace

std::vector<Product> with_merged_products(std::span<const Product> products, FastRandom& random) {
  Merger merger(products, random);
  // Merging along the forms as they are preserves slots of forms, so that it comes first.
  merger.merge(kPlanesOfForms);
  merger.merge(kPlanes.size());
  return merger.products();
}

std::vector<Product> with_frequent_forms(std::span<const Product> products, FastRandom& random) {
  const FormHash hash(wires_of(products), random);
  std::unordered_map<std::uint64_t, std::size_t> occurrences;
  for (const Product& product : products) {
    for (const std::uint64_t form : hash.of_span(product)) ++occurrences[form];
  }
  std::vector<Product> result;
  for (const Product& product : products) {
    const std::array<std::uint64_t, 8> sums = hash.of_span(product);
    std::array<unsigned, 7> order{1, 2, 4, 3, 5, 6, 7};
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](unsigned form) { return occurrences[sums[form]]; });
    const unsigned first = order[0];
    const unsigned second = order[1];
    const unsigned third = order[2] == (first ^ second) ? order[3] : order[2];
    result.push_back({{sum_of_forms(product, first), sum_of_forms(product, second),
                       sum_of_forms(product, third)}});
  }
  return result;
}

}  // namespace quartz::optimizer
