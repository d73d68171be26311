#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// Marks code that runs on a CUDA device as well as on the host.
#ifdef __CUDACC__
#define QUARTZ_HOST_DEVICE __host__ __device__
#else
#define QUARTZ_HOST_DEVICE
#endif

namespace quartz::algebra {

/// An element of the Goldilocks field, the integers modulo p = 2^64 - 2^32 + 1.
///
/// p - 1 = 2^32 * 3 * 5 * 17 * 257 * 65537, so the field has a primitive 2^32-th root of unity:
/// every e^{i pi k / 2^m} with m <= 31 is an exact element, and so are i and sqrt(2). Reduction of
/// a 128-bit product takes a few integer instructions because 2^64 = 2^32 - 1 and 2^96 = -1 modulo
/// p. Values are canonical (below p) at all times, so that two elements are equal exactly if their
/// words are, and the words are the same on host and device.
class Goldilocks {
 public:
  static constexpr std::uint64_t kModulus = 0xffff'ffff'0000'0001;
  /// A generator of the multiplicative group.
  static constexpr std::uint64_t kGenerator = 7;

  constexpr Goldilocks() = default;
  QUARTZ_HOST_DEVICE constexpr explicit Goldilocks(std::uint64_t integer)
      : value_(integer >= kModulus ? integer - kModulus : integer) {}

  [[nodiscard]] QUARTZ_HOST_DEVICE constexpr std::uint64_t value() const { return value_; }
  [[nodiscard]] QUARTZ_HOST_DEVICE constexpr bool is_zero() const { return value_ == 0; }

  friend QUARTZ_HOST_DEVICE constexpr bool operator==(Goldilocks, Goldilocks) = default;

  friend QUARTZ_HOST_DEVICE constexpr Goldilocks operator+(Goldilocks a, Goldilocks b) {
    // a - (p - b) is in (-p, p), so the subtraction needs no wider word.
    return a - (b.value_ == 0 ? Goldilocks() : unreduced(kModulus - b.value_));
  }
  friend QUARTZ_HOST_DEVICE constexpr Goldilocks operator-(Goldilocks a, Goldilocks b) {
    return unreduced(a.value_ - b.value_ -
                     epsilon_if(a.value_ < b.value_));  // adds p = 2^64 - epsilon
  }
  friend QUARTZ_HOST_DEVICE constexpr Goldilocks operator*(Goldilocks a, Goldilocks b) {
    const Product product = multiply(a.value_, b.value_);
    return reduce(product.low, product.high);
  }
  QUARTZ_HOST_DEVICE constexpr Goldilocks operator-() const { return Goldilocks() - *this; }
  QUARTZ_HOST_DEVICE constexpr Goldilocks& operator+=(Goldilocks b) { return *this = *this + b; }
  QUARTZ_HOST_DEVICE constexpr Goldilocks& operator-=(Goldilocks b) { return *this = *this - b; }
  QUARTZ_HOST_DEVICE constexpr Goldilocks& operator*=(Goldilocks b) { return *this = *this * b; }

  [[nodiscard]] QUARTZ_HOST_DEVICE constexpr Goldilocks power(std::uint64_t exponent) const {
    Goldilocks result(1);
    for (Goldilocks square = *this; exponent != 0; exponent >>= 1U, square *= square) {
      if ((exponent & 1U) != 0) result *= square;
    }
    return result;
  }
  /// Returns the inverse by Fermat's little theorem; zero gives zero.
  [[nodiscard]] QUARTZ_HOST_DEVICE constexpr Goldilocks inverse() const {
    return power(kModulus - 2);
  }

  /// Returns a primitive root of unity of an order that divides p - 1. All roots are powers of one
  /// generator, so root(a*b)^b = root(a).
  [[nodiscard]] QUARTZ_HOST_DEVICE static constexpr Goldilocks root_of_unity(std::uint64_t order) {
    return Goldilocks(kGenerator).power((kModulus - 1) / order);
  }
  /// Returns w + 1/w with w = e^{i pi/4}.
  [[nodiscard]] QUARTZ_HOST_DEVICE static constexpr Goldilocks sqrt2() {
    const Goldilocks eighth = root_of_unity(8);
    return eighth + eighth.power(7);
  }

  /// Returns low + 2^64 high, modulo p.
  [[nodiscard]] QUARTZ_HOST_DEVICE static constexpr Goldilocks reduce(std::uint64_t low,
                                                                      std::uint64_t high) {
    return Goldilocks(reduce_loosely(low, high >> 32U, high & kEpsilon));
  }
  /// Returns low - high + 2^64 middle, modulo p, as any word of that residue class, which suffices
  /// for chains of products. `middle` must be below 2^32 and `high` below p.
  [[nodiscard]] QUARTZ_HOST_DEVICE static constexpr std::uint64_t reduce_loosely(
      std::uint64_t low, std::uint64_t high, std::uint64_t middle) {
#ifdef __CUDA_ARCH__
    // The same computation as below, with borrow and carry in a flag; all bits of `mask` are the
    // flag.
    std::uint64_t result;
    asm("{\n\t.reg .u32 r0, r1, h0, h1, mask;\n\t"
        "mov.b64 {r0, r1}, %1;\n\tmov.b64 {h0, h1}, %2;\n\t"
        "sub.cc.u32 r0, r0, h0;\n\tsubc.cc.u32 r1, r1, h1;\n\tsubc.u32 mask, 0, 0;\n\t"
        "sub.cc.u32 r0, r0, mask;\n\tsubc.u32 r1, r1, 0;\n\t"
        "mad.lo.cc.u32 r0, %3, 0xffffffff, r0;\n\tmadc.hi.cc.u32 r1, %3, 0xffffffff, r1;\n\t"
        "addc.u32 mask, 0, 0;\n\tneg.s32 mask, mask;\n\t"
        "add.cc.u32 r0, r0, mask;\n\taddc.u32 r1, r1, 0;\n\t"
        "mov.b64 %0, {r0, r1};\n\t}"
        : "=l"(result)
        : "l"(low), "l"(high), "r"(static_cast<std::uint32_t>(middle)));
    return result;
#else
    std::uint64_t result = low - high;                       // 2^96 = -1
    if (low < high) result -= kEpsilon;                      // a borrow adds 2^64 = epsilon
    const std::uint64_t product = (middle << 32U) - middle;  // 2^64 = epsilon
    result += product;
    return result + epsilon_if(result < product);  // a carry loses 2^64 = epsilon
#endif
  }

  /// The full product of two 64-bit words.
  struct Product {
    std::uint64_t low;
    std::uint64_t high;
  };
  [[nodiscard]] QUARTZ_HOST_DEVICE static constexpr Product multiply(std::uint64_t a,
                                                                     std::uint64_t b) {
#ifdef __CUDA_ARCH__
    Product result;
    asm("{\n\t.reg .u32 a0, a1, b0, b1, r0, r1, r2, r3;\n\t"
        "mov.b64 {a0, a1}, %2;\n\tmov.b64 {b0, b1}, %3;\n\t"
        "mul.lo.u32 r0, a0, b0;\n\tmul.hi.u32 r1, a0, b0;\n\t"
        "mul.lo.u32 r2, a1, b1;\n\tmul.hi.u32 r3, a1, b1;\n\t"
        "mad.lo.cc.u32 r1, a0, b1, r1;\n\tmadc.hi.cc.u32 r2, a0, b1, r2;\n\t"
        "addc.u32 r3, r3, 0;\n\t"
        "mad.lo.cc.u32 r1, a1, b0, r1;\n\tmadc.hi.cc.u32 r2, a1, b0, r2;\n\t"
        "addc.u32 r3, r3, 0;\n\t"
        "mov.b64 %0, {r0, r1};\n\tmov.b64 %1, {r2, r3};\n\t}"
        : "=l"(result.low), "=l"(result.high)
        : "l"(a), "l"(b));
    return result;
#else
    __extension__ typedef unsigned __int128 Wide;
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64U)};
#endif
  }

 private:
  static constexpr std::uint64_t kEpsilon = 0xffff'ffff;  // 2^64 modulo p
  /// Computed without a branch, because carries occur in half of all cases and cannot be predicted.
  [[nodiscard]] QUARTZ_HOST_DEVICE static constexpr std::uint64_t epsilon_if(bool carry) {
    return kEpsilon & (0 - static_cast<std::uint64_t>(carry));
  }

  [[nodiscard]] QUARTZ_HOST_DEVICE static constexpr Goldilocks unreduced(std::uint64_t value) {
    Goldilocks element;
    element.value_ = value;
    return element;
  }

  std::uint64_t value_ = 0;
};

/// A residue modulo p as any 64-bit word, for chains of products of which only the last must be
/// canonical.
class LooseGoldilocks {
 public:
  QUARTZ_HOST_DEVICE constexpr explicit LooseGoldilocks(std::uint64_t word) : word_(word) {}
  QUARTZ_HOST_DEVICE constexpr explicit LooseGoldilocks(Goldilocks element)
      : word_(element.value()) {}
  [[nodiscard]] QUARTZ_HOST_DEVICE constexpr Goldilocks canonical() const {
    return Goldilocks(word_);
  }
  friend QUARTZ_HOST_DEVICE constexpr LooseGoldilocks operator*(LooseGoldilocks a,
                                                                LooseGoldilocks b) {
    const Goldilocks::Product product = Goldilocks::multiply(a.word_, b.word_);
    return LooseGoldilocks(
        Goldilocks::reduce_loosely(product.low, product.high >> 32U, product.high & 0xffff'ffff));
  }

 private:
  std::uint64_t word_;
};

/// Adds up to 2^31 products and reduces once at the end.
#ifdef __CUDA_ARCH__
class GoldilocksSum {
 public:
  __device__ void add_product(Goldilocks a, Goldilocks b) {
    // There are two chains of carries: the products of equal halves, and the mixed products.
    asm("{\n\t.reg .u32 a0, a1, b0, b1;\n\t"
        "mov.b64 {a0, a1}, %8;\n\tmov.b64 {b0, b1}, %9;\n\t"
        "mad.lo.cc.u32 %0, a0, b0, %0;\n\tmadc.hi.cc.u32 %1, a0, b0, %1;\n\t"
        "madc.lo.cc.u32 %2, a1, b1, %2;\n\tmadc.hi.cc.u32 %3, a1, b1, %3;\n\t"
        "addc.u32 %4, %4, 0;\n\t"
        "mad.lo.cc.u32 %5, a0, b1, %5;\n\tmadc.hi.cc.u32 %6, a0, b1, %6;\n\t"
        "addc.u32 %7, %7, 0;\n\t"
        "mad.lo.cc.u32 %5, a1, b0, %5;\n\tmadc.hi.cc.u32 %6, a1, b0, %6;\n\t"
        "addc.u32 %7, %7, 0;\n\t}"
        : "+r"(equal_[0]), "+r"(equal_[1]), "+r"(equal_[2]), "+r"(equal_[3]), "+r"(equal_[4]),
          "+r"(mixed_[0]), "+r"(mixed_[1]), "+r"(mixed_[2])
        : "l"(a.value()), "l"(b.value()));
  }
  [[nodiscard]] __device__ Goldilocks value() const {
    std::uint32_t word[5] = {equal_[0], equal_[1], equal_[2], equal_[3], equal_[4]};
    asm("add.cc.u32 %0, %0, %4;\n\taddc.cc.u32 %1, %1, %5;\n\t"
        "addc.cc.u32 %2, %2, %6;\n\taddc.u32 %3, %3, 0;"
        : "+r"(word[1]), "+r"(word[2]), "+r"(word[3]), "+r"(word[4])
        : "r"(mixed_[0]), "r"(mixed_[1]), "r"(mixed_[2]));
    // 2^96 = -1 and 2^128 = -2^32.
    return Goldilocks(Goldilocks::reduce_loosely(std::uint64_t{word[1]} << 32U | word[0],
                                                 std::uint64_t{word[4]} << 32U | word[3], word[2]));
  }

 private:
  std::uint32_t equal_[5] = {};
  std::uint32_t mixed_[3] = {};  ///< to be multiplied by 2^32
};
#else
class GoldilocksSum {
 public:
  constexpr void add_product(Goldilocks a, Goldilocks b) {
    const Wide product = static_cast<Wide>(a.value()) * b.value();
    top_ += __builtin_add_overflow(sum_, product, &sum_) ? 1 : 0;
  }
  [[nodiscard]] constexpr Goldilocks value() const {
    // 2^96 = -1 and 2^128 = -2^32.
    const auto high = static_cast<std::uint64_t>(sum_ >> 64U);
    return Goldilocks(Goldilocks::reduce_loosely(static_cast<std::uint64_t>(sum_),
                                                 top_ << 32U | high >> 32U, high & 0xffff'ffff));
  }

 private:
  __extension__ typedef unsigned __int128 Wide;
  Wide sum_ = 0;
  std::uint64_t top_ = 0;
};
#endif

/// Inverts every element in place with one field inversion (Montgomery's trick: invert the product
/// of all, then divide the factors out from the back). Zeros stay zero. `products` is scratch space
/// of at least the same length. Four interleaved chains hide the latency of the multiplications.
inline void invert_all(std::span<Goldilocks> elements, std::span<Goldilocks> products) {
  constexpr std::size_t kChains = 4;
  Goldilocks running[kChains] = {Goldilocks(1), Goldilocks(1), Goldilocks(1), Goldilocks(1)};
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Goldilocks& chain = running[i % kChains];
    products[i] = chain;
    if (!elements[i].is_zero()) chain *= elements[i];
  }
  const Goldilocks front = running[0] * running[1];
  const Goldilocks back = running[2] * running[3];
  const Goldilocks all = (front * back).inverse();
  const Goldilocks front_inverse = all * back;
  const Goldilocks back_inverse = all * front;
  Goldilocks inverse[kChains] = {front_inverse * running[1], front_inverse * running[0],
                                 back_inverse * running[3], back_inverse * running[2]};
  for (std::size_t i = elements.size(); i-- > 0;) {
    if (elements[i].is_zero()) continue;
    Goldilocks& chain = inverse[i % kChains];
    const Goldilocks element = elements[i];
    elements[i] = chain * products[i];
    chain *= element;
  }
}

}  // namespace quartz::algebra
