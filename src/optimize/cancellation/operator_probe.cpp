#include "optimize/cancellation/operator_probe.hpp"

#include <array>
#include <bit>
#include <utility>

#include "quartz/base/errors.hpp"

/// Probes of large segments take most of their time in the loops below, which AVX2 makes twice as
/// fast.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define QUARTZ_CLONES [[gnu::target_clones("avx2", "default")]]
#else
#define QUARTZ_CLONES
#endif

namespace quartz::optimizer {
namespace {

using Vector = std::span<FieldWord>;

/// A square root of -1.
constexpr FieldWord kImaginaryUnit = field_power(kFieldGenerator, (kFieldPrime - 1) / 4);
constexpr FieldWord kHalf = (kFieldPrime + 1) / 2;

bool has_odd_parity(std::uint64_t bits) { return std::popcount(bits) % 2 != 0; }

/// Sum of products of two elements each, without reductions in between.
class SumOfProducts {
 public:
  void add(FieldWord a, FieldWord b) {
    const std::uint64_t product = std::uint64_t{a} * b;
    low_ += product & 0xffffffffU;
    high_ += product >> 32U;
  }
  [[nodiscard]] FieldWord value() const {
    constexpr auto kTwoTo32 = static_cast<FieldWord>((std::uint64_t{1} << 32U) % kFieldPrime);
    return field_sum(static_cast<FieldWord>(low_ % kFieldPrime),
                     field_product(static_cast<FieldWord>(high_ % kFieldPrime), kTwoTo32));
  }

 private:
  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};

/// Runs of fewer elements are not worth a call for each of them.
constexpr std::size_t kShortRun = 16;

QUARTZ_CLONES void add_and_subtract(FieldWord* a, FieldWord* b, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const FieldWord sum = field_sum(a[i], b[i]);
    b[i] = field_difference(a[i], b[i]);
    a[i] = sum;
  }
}

QUARTZ_CLONES void multiply_by(FieldWord* values, std::size_t size, const FieldFactor& factor) {
  for (std::size_t i = 0; i < size; ++i) values[i] = factor.times(values[i]);
}

QUARTZ_CLONES FieldWord sum_of_products(const FieldWord* a, const FieldWord* b, std::size_t size) {
  SumOfProducts sum;
  for (std::size_t i = 0; i < size; ++i) sum.add(a[i], b[i]);
  return sum.value();
}

/// Exchanges the elements whose indices have all bits of `controls` and not the bit of `target`
/// with those that also have this bit.
void flip_where(Vector vector, std::uint64_t controls, std::uint64_t target) {
  // Runs of indices that differ in the lower bits are exchanged together.
  const std::uint64_t fixed = controls | target;
  const std::uint64_t run = fixed & -fixed;
  for (std::uint64_t i = 0; i < vector.size(); i = ((i | (run - 1) | fixed) + 1) & ~fixed) {
    const auto first = vector.begin() + static_cast<std::ptrdiff_t>(i | controls);
    std::swap_ranges(first, first + static_cast<std::ptrdiff_t>(run),
                     vector.begin() + static_cast<std::ptrdiff_t>(i | controls | target));
  }
}

}  // namespace

void OperatorProbe::add_wire() {
  const auto random = [&] {
    return 1 + static_cast<FieldWord>(random_() % (std::uint64_t{kFieldPrime} - 1));
  };
  // f_0 v_0 + f_1 v_1 = 1, so that the numbers of operators elsewhere do not change.
  const FieldWord v1 = random();
  const FieldWord f0 = random();
  const FieldWord f1 = random();
  const FieldWord v0 = field_product(field_difference(1, field_product(f1, v1)), field_inverse(f0));
  const auto extend = [](std::vector<FieldWord>& vector, FieldWord low, FieldWord high) {
    const std::size_t size = vector.size();
    vector.resize(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
      vector[size + i] = field_product(vector[i], high);
      vector[i] = field_product(vector[i], low);
    }
  };
  extend(state_, v0, v1);
  extend(functional_, f0, f1);
  ++wires_;
}

void OperatorProbe::apply_hadamard(unsigned wire) {
  const std::size_t half = std::size_t{1} << wire;
  for (std::vector<FieldWord>* const vector : {&state_, &functional_}) {
    for (std::size_t i = 0; i < vector->size(); i += 2 * half) {
      if (half >= kShortRun) {
        add_and_subtract(vector->data() + i, vector->data() + i + half, half);
        continue;
      }
      for (std::size_t k = i; k < i + half; ++k) {
        const FieldWord sum = field_sum((*vector)[k], (*vector)[k + half]);
        (*vector)[k + half] = field_difference((*vector)[k], (*vector)[k + half]);
        (*vector)[k] = sum;
      }
    }
  }
  scale_ = field_product(scale_, kHalf);
}

void OperatorProbe::apply_phase(std::uint64_t parity, FieldWord phase) {
  const FieldFactor factor(phase);
  const FieldFactor inverse(field_inverse(phase));
  const std::size_t run = parity & -parity;
  for (std::size_t i = 0; i < state_.size(); i += run) {
    if (!has_odd_parity(i & parity)) continue;
    if (run >= kShortRun) {
      multiply_by(state_.data() + i, run, factor);
      multiply_by(functional_.data() + i, run, inverse);
      continue;
    }
    for (std::size_t k = i; k < i + run; ++k) {
      state_[k] = factor.times(state_[k]);
      functional_[k] = inverse.times(functional_[k]);
    }
  }
}

void OperatorProbe::apply_flip(std::uint64_t controls, unsigned target) {
  flip_where(state_, controls, std::uint64_t{1} << target);
  flip_where(functional_, controls, std::uint64_t{1} << target);
}

void OperatorProbe::apply(const CircuitStep& step, std::span<const unsigned> wires,
                          std::span<const FieldWord> phases) {
  using Kind = CircuitStep::Kind;
  const auto bit = [&](std::size_t i) { return std::uint64_t{1} << wires[i]; };
  switch (step.kind) {
    case Kind::hadamard:
      return apply_hadamard(wires[0]);
    case Kind::flip:
      return apply_flip(0, wires[0]);
    case Kind::controlled_not:
      return apply_flip(bit(0), wires[1]);
    case Kind::toffoli:
      return apply_flip(bit(0) | bit(1), wires[2]);
    case Kind::swap:
      apply_flip(bit(0), wires[1]);
      apply_flip(bit(1), wires[0]);
      return apply_flip(bit(0), wires[1]);
    case Kind::controlled_z:
      apply_hadamard(wires[1]);
      apply_flip(bit(0), wires[1]);
      return apply_hadamard(wires[1]);
    case Kind::phase: {
      std::uint64_t parity = 0;
      for (std::size_t i = 0; i < step.wire_count; ++i) parity |= bit(i);
      return apply_phase(parity, phases[step.phase]);
    }
    case Kind::measured:
    case Kind::unknown:
      break;
  }
  ensure(false, "a step of a probe is known");
}

FieldWord OperatorProbe::value_of(const ProbedPauli& pauli) const {
  // The index i is mapped to i xor x, and the sign is that of the parity of i & z.
  const std::uint64_t both = pauli.x | pauli.z;
  const std::size_t run = both == 0 ? state_.size() : both & -both;
  FieldWord sum = 0;
  if (run >= kShortRun) {
    for (std::size_t i = 0; i < state_.size(); i += run) {
      const FieldWord part =
          sum_of_products(functional_.data() + (i ^ pauli.x), state_.data() + i, run);
      sum = has_odd_parity(i & pauli.z) ? field_difference(sum, part) : field_sum(sum, part);
    }
  } else {
    std::array<SumOfProducts, 2> sums;
    for (std::size_t i = 0; i < state_.size(); ++i) {
      sums[has_odd_parity(i & pauli.z) ? 1 : 0].add(functional_[i ^ pauli.x], state_[i]);
    }
    sum = field_difference(sums[0].value(), sums[1].value());
  }
  const auto ys = static_cast<unsigned>(std::popcount(pauli.x & pauli.z));
  return field_product(field_product(sum, scale_), field_power(kImaginaryUnit, ys));
}

}  // namespace quartz::optimizer
