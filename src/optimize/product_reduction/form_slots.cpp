#include "optimize/product_reduction/form_slots.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace quartz::optimizer {

namespace {

constexpr unsigned kSlots = 3;

/// Attempts to put a product in order after which the elements count as not divisible.
constexpr std::size_t kMostAttempts = 20'000;

/// Puts the forms of products in order one after the other, and returns to earlier ones where an
/// order of their forms turns out wrong.
class SlotAssignment {
 public:
  explicit SlotAssignment(std::span<const WordProduct> products)
      : open_(products.begin(), products.end()) {}

  std::optional<GradedProducts> run() {
    if (!assign(0)) return std::nullopt;
    result_.products = std::move(open_);
    return std::move(result_);
  }

 private:
  /// Puts all products from an index on in order; returns whether that was possible.
  bool assign(std::size_t index) {
    if (index == open_.size()) return true;
    // The more slots of a product are known, the fewer ways there are to order its forms.
    std::size_t next = index;
    for (std::size_t i = index + 1; i < open_.size() && known_slots(open_[next]) < 3; ++i) {
      if (known_slots(open_[i]) > known_slots(open_[next])) next = i;
    }
    std::swap(open_[index], open_[next]);
    const WordProduct given = open_[index];
    const std::array<std::uint64_t, kSlots> before = result_.slots;
    std::array<unsigned, kSlots> order{0, 1, 2};
    do {
      const WordProduct product{given[order[0]], given[order[1]], given[order[2]]};
      if (++attempts_ > kMostAttempts) return false;
      if (!is_in_order(product)) continue;
      for (unsigned slot = 0; slot < kSlots; ++slot) result_.slots[slot] |= product[slot];
      open_[index] = product;
      if (assign(index + 1)) return true;
      result_.slots = before;
      // Any order of the forms of the first product is as good as another.
      if (index == 0) return false;
    } while (std::ranges::next_permutation(order).found);
    return false;
  }

  [[nodiscard]] int known_slots(const WordProduct& product) const {
    const std::uint64_t known = result_.slots[0] | result_.slots[1] | result_.slots[2];
    return static_cast<int>(
        std::ranges::count_if(product, [&](std::uint64_t form) { return (form & known) != 0; }));
  }
  [[nodiscard]] bool is_in_order(const WordProduct& product) const {
    for (unsigned form = 0; form < kSlots; ++form) {
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        if (slot == form) continue;
        if ((product[form] & (result_.slots[slot] | product[slot])) != 0) return false;
      }
    }
    return true;
  }

  std::vector<WordProduct> open_;  ///< in order up to the index under work
  GradedProducts result_;
  std::size_t attempts_ = 0;
};

}  // namespace

std::optional<GradedProducts> in_slots(std::span<const WordProduct> products) {
  return SlotAssignment(products).run();
}

}  // namespace quartz::optimizer
