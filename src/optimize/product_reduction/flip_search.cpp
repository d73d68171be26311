#include "optimize/product_reduction/flip_search.hpp"

#include <algorithm>
#include <utility>

#include "optimize/product_reduction/shared_forms.hpp"

namespace quartz::optimizer {

namespace {

/// Flips between two looks at the clock, and their microseconds.
constexpr std::uint64_t kFlipsPerCheck = 2000;
constexpr std::uint64_t kTicksOfGraded = 150;
constexpr std::uint64_t kTicksOfUngraded = 600;
/// Flips without fewer products after which one more product is allowed, and how many more than the
/// least there may be.
constexpr std::uint64_t kFlipsBeforePlus = 2000;
constexpr std::size_t kMostExtra = 2;
/// The walk ends after as many flips without fewer products than ever as the square of their
/// number, times kWalkPatience, plus kWalkPatienceFactor times the flips that the last decrease
/// took.
constexpr std::uint64_t kWalkPatience = 6000;
constexpr std::uint64_t kWalkPatienceFactor = 4;
/// One of how many redrawn sets comes from a set with one more product, and the most flips there
/// and afterwards.
constexpr std::uint32_t kDrawsOfPlus = 2;
constexpr std::uint32_t kMostFlipsOfPlus = 100;
constexpr std::uint32_t kMostFlipsOfDraw = 20;

bool is_independent(const WordProduct& product) {
  const auto& [f, g, h] = product;
  return f != 0 && g != 0 && h != 0 && f != g && f != h && g != h && (f ^ g) != h;
}

/// Products with the table of their forms: of the three for graded flips, else of all seven in the
/// span.
class Products {
 public:
  Products(FlipKind kind, std::size_t capacity)
      : forms_of_product_(kind == FlipKind::kGraded ? 3 : 7),
        products_(capacity),
        shared_(capacity * forms_of_product_) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const WordProduct& operator[](std::size_t index) const { return products_[index]; }
  [[nodiscard]] const SharedForms& shared() const { return shared_; }
  [[nodiscard]] std::size_t product_of(SharedForms::Entry entry) const {
    return entry / forms_of_product_;
  }
  [[nodiscard]] std::vector<WordProduct> list() const {
    return {products_.begin(), products_.begin() + static_cast<std::ptrdiff_t>(size_)};
  }

  void clear() {
    while (size_ > 0) remove(size_ - 1);
  }
  void add(const WordProduct& product) { set(size_++, product); }
  /// The last product takes the place of the removed one.
  void remove(std::size_t index) {
    --size_;
    if (index != size_) set(index, products_[size_]);
    set(size_, {0, 0, 0});
  }
  void set(std::size_t index, const WordProduct& product) {
    products_[index] = product;
    const auto first = static_cast<SharedForms::Entry>(index * forms_of_product_);
    const auto& [f, g, h] = product;
    shared_.set(first, f);
    shared_.set(first + 1, g);
    shared_.set(first + 2, h);
    if (forms_of_product_ == 3) return;
    shared_.set(first + 3, f ^ g);
    shared_.set(first + 4, f ^ h);
    shared_.set(first + 5, g ^ h);
    shared_.set(first + 6, f ^ g ^ h);
  }

 private:
  std::uint32_t forms_of_product_;
  std::size_t size_ = 0;
  std::vector<WordProduct> products_;
  SharedForms shared_;
};

class FlipSearch {
 public:
  FlipSearch(std::vector<WordProduct> products, FlipKind kind, FastRandom& random)
      : kind_(kind),
        random_(&random),
        best_(std::move(products)),
        products_(kind, best_.size() + kMostExtra + 1) {
    start_from_best();
  }

  std::vector<WordProduct> run(std::size_t sufficient, const Budget& budget) {
    std::uint64_t flips = 0;
    std::uint64_t last_better = 0;
    while (best_.size() > sufficient && !budget.spent() &&
           flips - last_better <
               kWalkPatience * best_.size() * best_.size() + kWalkPatienceFactor * last_better) {
      const std::size_t before = best_.size();
      for (std::uint64_t i = 0; i < kFlipsPerCheck && best_.size() > sufficient; ++i) step();
      flips += kFlipsPerCheck;
      budget.spend(kind_ == FlipKind::kGraded ? kTicksOfGraded : kTicksOfUngraded);
      if (best_.size() < before) last_better = flips;
    }
    return best_;
  }

  std::vector<WordProduct> redraw(std::size_t most, const Budget& budget) {
    if (products_.size() >= 2 && (best_.size() > most || random_->below(kDrawsOfPlus) == 0)) {
      add_product();
      wander(kMostFlipsOfPlus);
      best_ = products_.list();
      (void)run(most, budget);
      start_from_best();
    }
    wander(kMostFlipsOfDraw);
    return products_.list();
  }

 private:
  /// Flips a random number of times.
  void wander(std::uint32_t most_flips) {
    for (std::uint32_t i = 1 + random_->below(most_flips); i > 0; --i) {
      if (products_.shared().shared() > 0) flip_random_pair();
    }
  }

  void start_from_best() {
    products_.clear();
    for (const WordProduct& product : best_) products_.add(product);
    idle_ = 0;
  }

  void step() {
    ++idle_;
    if (products_.shared().shared() == 0 || idle_ > kFlipsBeforePlus) {
      idle_ = 0;
      if (products_.size() < 2 || products_.size() >= best_.size() + kMostExtra) {
        start_from_best();
      }
      if (products_.size() >= 2) add_product();
      return;
    }
    flip_random_pair();
    if (products_.size() < best_.size()) {
      best_ = products_.list();
      idle_ = 0;
    }
  }

  /// Flips two products that share a form; there are some.
  void flip_random_pair() {
    const SharedForms::Entry entry = products_.shared().random_shared(*random_);
    SharedForms::Entry other = products_.shared().next(entry);
    for (std::uint32_t i = random_->below(4); i > 0; --i) {
      const SharedForms::Entry next = products_.shared().next(other);
      if (next != entry) other = next;
    }
    if (kind_ == FlipKind::kGraded) {
      flip_graded(entry, other);
    } else {
      flip_ungraded(products_.shared().value(entry), products_.product_of(entry),
                    products_.product_of(other));
    }
  }

  void flip_graded(SharedForms::Entry entry, SharedForms::Entry other) {
    const std::size_t i = products_.product_of(entry);
    const std::size_t j = products_.product_of(other);
    const std::uint32_t slot = entry % 3;
    const std::uint32_t turn = 1 + random_->below(2);
    const std::uint32_t b = (slot + turn) % 3;
    const std::uint32_t x = (slot + 3 - turn) % 3;
    WordProduct left = products_[i];
    WordProduct right = products_[j];
    left[b] ^= right[b];
    right[x] ^= products_[i][x];
    replace(i, left, left[b] != 0, j, right, right[x] != 0);
  }

  /// Returns a random basis (b, x) of the span of a product modulo a form in it.
  [[nodiscard]] std::array<std::uint64_t, 2> complement(const WordProduct& product,
                                                        std::uint64_t form) {
    // Two of the three forms and the given one are a basis unless they are dependent.
    std::array<std::uint64_t, 2> pair{product[0], product[1]};
    if (form == pair[0] || form == pair[1] || form == (pair[0] ^ pair[1])) {
      pair[form == pair[0] ? 0 : 1] = product[2];
    }
    switch (random_->below(6)) {
      case 0:
        return pair;
      case 1:
        return {pair[1], pair[0]};
      case 2:
        return {pair[0], pair[0] ^ pair[1]};
      case 3:
        return {pair[0] ^ pair[1], pair[0]};
      case 4:
        return {pair[1], pair[0] ^ pair[1]};
      default:
        return {pair[0] ^ pair[1], pair[1]};
    }
  }

  void flip_ungraded(std::uint64_t a, std::size_t i, std::size_t j) {
    const auto [b, x] = complement(products_[i], a);
    const auto [c, y] = complement(products_[j], a);
    const WordProduct left{a, b ^ c, x};
    const WordProduct right{a, c, x ^ y};
    replace(i, left, is_independent(left), j, right, is_independent(right));
  }

  /// Replaces two products by those that are products of independent forms.
  void replace(std::size_t i, const WordProduct& left, bool keeps_left, std::size_t j,
               const WordProduct& right, bool keeps_right) {
    if (keeps_left) products_.set(i, left);
    if (keeps_right) products_.set(j, right);
    if (!keeps_left && !keeps_right) {
      products_.remove(std::max(i, j));
      products_.remove(std::min(i, j));
    } else if (!keeps_left || !keeps_right) {
      products_.remove(keeps_left ? j : i);
    }
  }

  /// a b x + c d y = a (b + d) x + a d (x + y) + (a + c) d y.
  void add_product() {
    const auto size = static_cast<std::uint32_t>(products_.size());
    const std::size_t i = random_->below(size);
    const std::size_t j = (i + 1 + random_->below(size - 1)) % size;
    WordProduct left = products_[i];
    WordProduct right = products_[j];
    if (kind_ == FlipKind::kUngraded) {
      std::swap(left[0], left[random_->below(3)]);
      std::swap(right[0], right[random_->below(3)]);
    }
    const std::uint32_t slot = kind_ == FlipKind::kGraded ? random_->below(3) : 0;
    const std::uint32_t second = (slot + 1) % 3;
    const std::uint32_t third = (slot + 2) % 3;
    WordProduct middle = left;
    middle[second] = right[second];
    middle[third] ^= right[third];
    left[second] ^= right[second];
    right[slot] ^= middle[slot];
    const std::array<WordProduct, 3> all{left, middle, right};
    if (!std::ranges::all_of(all, [](const auto& each) { return is_independent(each); })) return;
    products_.set(i, left);
    products_.set(j, right);
    products_.add(middle);
  }

  FlipKind kind_;
  FastRandom* random_;
  std::vector<WordProduct> best_;
  Products products_;
  std::uint64_t idle_ = 0;  ///< flips since the last plus or new best
};

}  // namespace

std::vector<WordProduct> flipped_products(std::vector<WordProduct> products, FlipKind kind,
                                          std::size_t sufficient, const Budget& budget,
                                          FastRandom& random) {
  std::erase_if(products, [](const WordProduct& product) { return !is_independent(product); });
  return FlipSearch(std::move(products), kind, random).run(sufficient, budget);
}

std::vector<WordProduct> redrawn_products(std::vector<WordProduct> products, FlipKind kind,
                                          std::size_t most, const Budget& budget,
                                          FastRandom& random) {
  std::erase_if(products, [](const WordProduct& product) { return !is_independent(product); });
  return FlipSearch(std::move(products), kind, random).redraw(most, budget);
}

}  // namespace quartz::optimizer
