#pragma once

#include <cstdint>

#include "flips/chain/word_product.hpp"

// The code of a chain is compiled for the host and, by nvcc, for the device.
#ifdef __CUDACC__
#define QUARTZ_FLIPS_FUNCTION __host__ __device__ inline
#else
#define QUARTZ_FLIPS_FUNCTION inline
#endif

namespace quartz::flips {

/// Number of lanes that carry out a chain together: a warp of the device.
inline constexpr std::uint32_t kLanes = 32;
/// Most products of a chain: each lane looks at four of them in a draw.
inline constexpr std::uint32_t kMaxChainProducts = 128;
/// How many products a chain may have more than its best set. With 4, chains found 47 products for
/// two 4 x 4 matrices in 8 s on an H100; with 2 in 17 s, and with 3 and more patience not at all.
inline constexpr std::uint32_t kMostExtraProducts = 4;

/// A set of products, one array for each of the three forms.
struct ProductSet {
  std::uint64_t forms[3][kMaxChainProducts];  // NOLINT: an array of the device
  std::uint32_t size;
};

/// What a chain keeps between two runs, besides its sets of products.
struct ChainState {
  std::uint64_t random;    ///< state of the generator
  std::uint64_t flips;     ///< made so far; a draw without a second product is none
  std::uint32_t idle;      ///< draws since the last plus or the last best set
  std::uint32_t patience;  ///< draws without fewer products after which the chain adds a product
};

/// A chain of flips (flip_search.hpp) that 32 lanes carry out together: each draw picks a product
/// and a form at random, and all lanes look for the other products that share the form. Except for
/// this look the lanes do the same, so that `Lanes` needs three functions only: ballot(test)
/// returns the lanes, as bits, whose number passes a test, for_each_below(end, function) divides
/// the numbers below an end among the lanes, and wait() lets every lane finish its reads and
/// writes. On the host one thread takes the place of all lanes.
template <typename Lanes>
class FlipChain {
 public:
  QUARTZ_FLIPS_FUNCTION FlipChain(const Lanes& lanes, FlipKind kind, ProductSet& current,
                                  ProductSet& best, ChainState state)
      : lanes_(lanes),
        kind_(kind),
        current_(&current),
        best_(&best),
        best_size_(best.size),
        state_(state) {}

  /// Makes a number of draws, or fewer if the best set is as small as `sufficient`.
  QUARTZ_FLIPS_FUNCTION void run(std::uint32_t draws, std::uint32_t sufficient) {
    for (std::uint32_t i = 0; i < draws && best_size_ > sufficient; ++i) draw();
  }

  [[nodiscard]] QUARTZ_FLIPS_FUNCTION const ChainState& state() const { return state_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kWords = kMaxChainProducts / kLanes;

  struct Forms {
    std::uint64_t f, g, h;  // NOLINT: three forms of one product
  };

  /// Returns 32 random bits of PCG-XSH-RS (O'Neill 2014), which takes fewer instructions on the
  /// device than generators of 64 bits.
  QUARTZ_FLIPS_FUNCTION std::uint32_t random() {
    const std::uint64_t before = state_.random;
    state_.random = before * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>((before ^ (before >> 22U)) >> (22U + (before >> 61U)));
  }
  /// Returns a number below a bound of at most 2^16 from the lowest 16 bits.
  QUARTZ_FLIPS_FUNCTION static std::uint32_t below(std::uint32_t bits, std::uint32_t bound) {
    return ((bits & 0xffffU) * bound) >> 16U;
  }

  [[nodiscard]] QUARTZ_FLIPS_FUNCTION Forms product(std::uint32_t index) const {
    return {current_->forms[0][index], current_->forms[1][index], current_->forms[2][index]};
  }
  QUARTZ_FLIPS_FUNCTION void write(std::uint32_t index, const Forms& forms) {
    current_->forms[0][index] = forms.f;
    current_->forms[1][index] = forms.g;
    current_->forms[2][index] = forms.h;
  }

  QUARTZ_FLIPS_FUNCTION void draw() {
    ++state_.idle;
    const std::uint32_t size = current_->size;
    if (size < 2 || state_.idle > state_.patience) {
      state_.idle = 0;
      // A set as small as the best one takes its place, so that the chain moves on.
      if (size == best_size_) copy(*current_, *best_);
      if (size < 2 || size >= best_size_ + kMostExtraProducts) copy(*best_, *current_);
      if (current_->size >= 2) add_product();
      return;
    }
    if (kind_ == FlipKind::kGraded) {
      flip_graded();
    } else {
      flip_ungraded();
    }
    if (current_->size < best_size_) {
      copy(*current_, *best_);
      best_size_ = current_->size;
      state_.idle = 0;
    }
  }

  /// Returns a random product other than `first` that passes a test, by 16 random bits.
  template <typename Test>
  QUARTZ_FLIPS_FUNCTION std::uint32_t random_other(std::uint32_t first, std::uint32_t bits,
                                                   const Test& test) const {
    const std::uint32_t size = current_->size;
    std::uint32_t passed[kWords];  // NOLINT: registers of the device
    std::uint32_t count = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (std::uint32_t word = 0; word < kWords; ++word) {
      passed[word] = 0;
      if (word * kLanes >= size) continue;
      passed[word] = lanes_.ballot([&](std::uint32_t lane) {
        const std::uint32_t index = word * kLanes + lane;
        return index < size && index != first && test(index);
      });
      count += bits_in(passed[word]);
    }
    if (count == 0) return kNone;
    std::uint32_t rank = below(bits, count);
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (std::uint32_t word = 0; word < kWords; ++word) {
      const std::uint32_t here = bits_in(passed[word]);
      if (rank < here) {
        std::uint32_t rest = passed[word];
        for (; rank > 0; --rank) rest &= rest - 1;
        return word * kLanes + bits_in((rest & (~rest + 1)) - 1);
      }
      rank -= here;
    }
    return kNone;
  }

  QUARTZ_FLIPS_FUNCTION static std::uint32_t bits_in(std::uint32_t word) {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__popc(word));
#else
    return static_cast<std::uint32_t>(__builtin_popcount(word));
#endif
  }

  QUARTZ_FLIPS_FUNCTION void flip_graded() {
    const std::uint32_t bits = random();
    const std::uint32_t i = below(bits >> 16U, current_->size);
    const Forms left = product(i);
    const std::uint32_t j = random_other(i, bits, [&](std::uint32_t index) {
      const Forms other = product(index);
      return other.f == left.f || other.g == left.g || other.h == left.h;
    });
    if (j == kNone) return;
    ++state_.flips;
    const Forms right = product(j);
    const std::uint32_t slot = left.f == right.f ? 0 : left.g == right.g ? 1 : 2;
    const std::uint32_t turn = 1 + (random() & 1U);
    const std::uint32_t b = (slot + turn) % 3;
    const std::uint32_t x = (slot + 3 - turn) % 3;
    const std::uint64_t sum_left = current_->forms[b][i] ^ current_->forms[b][j];
    const std::uint64_t sum_right = current_->forms[x][j] ^ current_->forms[x][i];
    lanes_.wait();
    current_->forms[b][i] = sum_left;
    current_->forms[x][j] = sum_right;
    lanes_.wait();
    remove_dependent(i, sum_left == 0, j, sum_right == 0);
  }

  /// Returns a combination of the forms of a product: bit k of `choice` for form k.
  QUARTZ_FLIPS_FUNCTION static std::uint64_t combination(const Forms& forms, std::uint32_t choice) {
    return ((choice & 1U) != 0 ? forms.f : 0) ^ ((choice & 2U) != 0 ? forms.g : 0) ^
           ((choice & 4U) != 0 ? forms.h : 0);
  }
  QUARTZ_FLIPS_FUNCTION static bool spans(const Forms& forms, std::uint64_t form) {
    const std::uint64_t f = forms.f ^ form;
    const std::uint64_t sum = forms.g ^ forms.h;
    return f == 0 || forms.g == form || forms.h == form || sum == form || f == forms.g ||
           f == forms.h || f == sum;
  }
  QUARTZ_FLIPS_FUNCTION static bool is_independent(const Forms& forms) {
    return forms.f != 0 && forms.g != 0 && forms.h != 0 && forms.f != forms.g &&
           forms.f != forms.h && forms.g != forms.h && (forms.f ^ forms.g) != forms.h;
  }
  /// Returns a product with the same span whose first form is the given one, which is in the span;
  /// the other two are random.
  QUARTZ_FLIPS_FUNCTION static Forms starting_with(const Forms& forms, std::uint64_t form,
                                                   std::uint32_t choice) {
    // Two of the three forms and the given one are a basis unless they are dependent.
    std::uint64_t first = forms.f;
    std::uint64_t second = forms.g;
    if (form == first) {
      first = forms.h;
    } else if (form == second || form == (first ^ second)) {
      second = forms.h;
    }
    const std::uint64_t sum = first ^ second;
    switch (choice) {
      case 0:
        return {form, first, second};
      case 1:
        return {form, second, first};
      case 2:
        return {form, first, sum};
      case 3:
        return {form, sum, first};
      case 4:
        return {form, second, sum};
      default:
        return {form, sum, second};
    }
  }

  QUARTZ_FLIPS_FUNCTION void flip_ungraded() {
    const std::uint32_t bits = random();
    const std::uint32_t i = below(bits >> 16U, current_->size);
    const Forms of_i = product(i);
    const std::uint32_t more = random();
    const std::uint64_t shared = combination(of_i, 1 + more % 7);
    const std::uint32_t j =
        random_other(i, bits, [&](std::uint32_t index) { return spans(product(index), shared); });
    if (j == kNone) return;
    ++state_.flips;
    Forms left = starting_with(of_i, shared, below(more >> 8U, 6));
    Forms right = starting_with(product(j), shared, below(more >> 16U, 6));
    left.g ^= right.g;
    right.h ^= left.h;
    lanes_.wait();
    const bool keeps_left = is_independent(left);
    const bool keeps_right = is_independent(right);
    write(i, left);
    write(j, right);
    lanes_.wait();
    remove_dependent(i, !keeps_left, j, !keeps_right);
  }

  QUARTZ_FLIPS_FUNCTION void remove_dependent(std::uint32_t i, bool removes_i, std::uint32_t j,
                                              bool removes_j) {
    if (removes_i && removes_j) {
      remove(i > j ? i : j);
      remove(i > j ? j : i);
    } else if (removes_i || removes_j) {
      remove(removes_i ? i : j);
    }
  }

  /// The last product takes the place of the removed one.
  QUARTZ_FLIPS_FUNCTION void remove(std::uint32_t index) {
    const std::uint32_t last = current_->size - 1;
    const Forms moved = product(last);
    lanes_.wait();
    write(index, moved);
    current_->size = last;
    lanes_.wait();
  }

  /// a b x + c d y = a (b + d) x + a d (x + y) + (a + c) d y.
  QUARTZ_FLIPS_FUNCTION void add_product() {
    const std::uint32_t size = current_->size;
    if (size >= kMaxChainProducts) return;
    const std::uint32_t bits = random();
    const std::uint32_t i = below(bits, size);
    const std::uint32_t j = (i + 1 + below(bits >> 16U, size - 1)) % size;
    Forms left = product(i);
    Forms right = product(j);
    std::uint32_t turns = random() % 3;
    if (kind_ == FlipKind::kUngraded) {
      left = starting_with(left, left.f, random() % 6);
      for (; turns > 0; --turns) right = {right.g, right.h, right.f};
    }
    // The graded identity starts at a random slot: the forms are turned and turned back.
    for (std::uint32_t turn = turns; turn > 0; --turn) {
      left = {left.g, left.h, left.f};
      right = {right.g, right.h, right.f};
    }
    Forms middle{left.f, right.g, left.h ^ right.h};
    left.g ^= right.g;
    right.f ^= middle.f;
    if (!is_independent(left) || !is_independent(middle) || !is_independent(right)) return;
    for (std::uint32_t turn = turns; turn > 0; --turn) {
      left = {left.h, left.f, left.g};
      middle = {middle.h, middle.f, middle.g};
      right = {right.h, right.f, right.g};
    }
    lanes_.wait();
    write(i, left);
    write(j, right);
    write(size, middle);
    current_->size = size + 1;
    lanes_.wait();
  }

  QUARTZ_FLIPS_FUNCTION void copy(const ProductSet& from, ProductSet& to) {
    const std::uint32_t size = from.size;
    lanes_.wait();
    for (std::uint32_t slot = 0; slot < 3; ++slot) {
      lanes_.for_each_below(
          size, [&](std::uint32_t index) { to.forms[slot][index] = from.forms[slot][index]; });
    }
    to.size = size;
    lanes_.wait();
  }

  Lanes lanes_;
  FlipKind kind_;
  ProductSet* current_;
  ProductSet* best_;
  std::uint32_t best_size_;
  ChainState state_;
};

}  // namespace quartz::flips
