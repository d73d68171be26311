#include "optimize/product_layers/quadratic_phase.hpp"
#include "optimize/products/bit_matrix.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Most operations on words of the elimination: a fraction of a second.
constexpr std::size_t kMaxWorkOfPhase = 200'000'000;

/// Vectors over the integers modulo 2 in echelon form, with what they are sums of.
class Elimination {
 public:
  explicit Elimination(std::size_t vectors) : vectors_(vectors) {}

  void add(std::size_t index, LinearForm vector) {
    LinearForm sum(vectors_);
    sum.set(index);
    reduce(vector, sum);
    const std::size_t pivot = vector.find_first();
    if (pivot != LinearForm::npos) rows_.push_back({pivot, std::move(vector), std::move(sum)});
  }
  [[nodiscard]] std::size_t rank() const { return rows_.size(); }
  /// Subtracts vectors from a target, and returns which ones.
  [[nodiscard]] LinearForm solve(LinearForm& target) const {
    LinearForm sum(vectors_);
    reduce(target, sum);
    return sum;
  }

 private:
  struct Row {
    std::size_t pivot = 0;
    LinearForm vector;
    LinearForm sum;
  };

  void reduce(LinearForm& vector, LinearForm& sum) const {
    for (const Row& row : rows_) {
      if (!vector.test(row.pivot)) continue;
      vector ^= row.vector;
      sum ^= row.sum;
    }
  }

  std::size_t vectors_;
  std::vector<Row> rows_;
};

/// Writes quadratic phases as phases on parities.
class Distribution {
 public:
  Distribution(QuadraticPhase phase, std::span<const LinearForm> available)
      : phase_(std::move(phase)), available_(available), bits_(phase_.bits()) {}

  [[nodiscard]] std::vector<ParityPhase> run() {
    if (has_odd_part() && is_quick()) use_quarter_turns();
    if (!phase_.is_identity()) use_half_turns();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t equations() const { return bits_ * (bits_ + 1) / 2; }
  [[nodiscard]] bool is_quick() const {
    const std::size_t words = (equations() + available_.size()) / 64 + 1;
    return available_.size() <=
           kMaxWorkOfPhase / std::max<std::size_t>(available_.size(), 1) / words;
  }
  /// Returns whether there is anything but signs of bits.
  [[nodiscard]] bool has_odd_part() const {
    for (std::size_t i = 0; i < bits_; ++i) {
      if (phase_.linear(i) % 2 != 0 || phase_.pairs(i).any()) return true;
    }
    return false;
  }

  /// Numbers the pairs of bits, and each bit with itself.
  [[nodiscard]] static std::size_t index_of(std::size_t low, std::size_t high) {
    return high * (high + 1) / 2 + low;
  }

  /// Adds quarter turns on available parities such that no pairs are left, as far as possible.
  void use_quarter_turns() {
    Elimination elimination(available_.size());
    for (std::size_t i = 0; i < available_.size(); ++i) {
      LinearForm vector(equations());
      for_each_bit(available_[i], [&](std::size_t high) {
        for_each_bit(available_[i], [&](std::size_t low) {
          if (low <= high) vector.set(index_of(low, high));
        });
      });
      elimination.add(i, std::move(vector));
    }
    LinearForm target(equations());
    for (std::size_t high = 0; high < bits_; ++high) {
      if (phase_.linear(high) % 2 != 0) target.set(index_of(high, high));
      for_each_bit(phase_.pairs(high), [&](std::size_t low) {
        if (low < high) target.set(index_of(low, high));
      });
    }
    for_each_bit(elimination.solve(target), [&](std::size_t i) { put(available_[i], 1); });
  }

  /// Writes what is left of pairs on new parities, and signs on available ones if possible.
  void use_half_turns() {
    for (std::size_t i = 0; i < bits_; ++i) {
      for_each_bit(LinearForm(phase_.pairs(i)), [&](std::size_t j) {
        if (j <= i) return;
        LinearForm sum(bits_);
        sum.set(i).set(j);
        put(sum, 3);  // -1 for both bits is i for each of them, and -i for their parity
      });
      if (phase_.linear(i) % 2 != 0) put(single(i), 1);
    }
    LinearForm target(bits_);
    for (std::size_t i = 0; i < bits_; ++i) {
      if (phase_.linear(i) != 0) target.set(i);
    }
    if (target.none()) return;
    Elimination elimination(available_.size());
    for (std::size_t i = 0; i < available_.size() && elimination.rank() < bits_; ++i) {
      elimination.add(i, available_[i]);
    }
    for_each_bit(elimination.solve(target), [&](std::size_t i) { put(available_[i], 2); });
    for_each_bit(target, [&](std::size_t i) { put(single(i), 2); });
  }

  [[nodiscard]] LinearForm single(std::size_t bit) const {
    LinearForm form(bits_);
    form.set(bit);
    return form;
  }
  /// Moves a phase from what is left to the result.
  void put(const LinearForm& form, unsigned quarters) {
    result_.push_back({form, static_cast<std::uint8_t>(2 * quarters)});
    phase_.add_parity(form, 4 - quarters);
  }

  QuadraticPhase phase_;
  std::span<const LinearForm> available_;
  std::size_t bits_;
  std::vector<ParityPhase> result_;
};

}  // namespace

bool QuadraticPhase::is_identity() const {
  return std::ranges::all_of(linear_, [](unsigned quarters) { return quarters == 0; }) &&
         std::ranges::none_of(pairs_, [](const LinearForm& form) { return form.any(); });
}

void QuadraticPhase::multiply(const QuadraticPhase& other) {
  for (std::size_t i = 0; i < bits(); ++i) {
    add_bit(i, other.linear_[i]);
    pairs_[i] ^= other.pairs_[i];
  }
}

void QuadraticPhase::add_pair(std::size_t first, std::size_t second) {
  pairs_[first].flip(second);
  pairs_[second].flip(first);
}

void QuadraticPhase::add_parity(const LinearForm& form, unsigned quarters) {
  // With parities modulo 2, f(x) = sum of x_i - 2 sum of x_i x_j over the pairs, modulo 4.
  for_each_bit(form, [&](std::size_t i) {
    add_bit(i, quarters);
    if (quarters % 2 == 0) return;
    pairs_[i] ^= form;
    pairs_[i].reset(i);
  });
}

void QuadraticPhase::add_symmetric(const LinearForm& left, const LinearForm& right) {
  for_each_bit(left, [&](std::size_t i) { pairs_[i] ^= right; });
  for_each_bit(right, [&](std::size_t i) { pairs_[i] ^= left; });
  for_each_bit(left, [&](std::size_t i) { pairs_[i].reset(i); });
  for_each_bit(right, [&](std::size_t i) { pairs_[i].reset(i); });
}

void QuadraticPhase::add_lower_terms(const Product& product) {
  const auto& [f, g, h] = product.forms;
  // The terms x_i x_j are those that take two factors from one bit, as x_i x_i = x_i.
  const LinearForm fg = f & g;
  const LinearForm fh = f & h;
  const LinearForm gh = g & h;
  add_symmetric(fg, h);
  add_symmetric(fh, g);
  add_symmetric(gh, f);
  for_each_bit(fg & h, [&](std::size_t i) { add_bit(i, 2); });
}

std::optional<QuadraticPhase> as_quadratic_phase(const ParityPhases& phases, std::size_t bits) {
  // A parity f(x) is sum of x_i - 2 sum of x_i x_j over the pairs, plus terms of degree 3. For each
  // pair, its phases are counted modulo 4, in two binary digits.
  std::vector<unsigned> linear(bits);
  std::vector<LinearForm> low(bits, LinearForm(bits));
  std::vector<LinearForm> high(bits, LinearForm(bits));
  for (const auto& [form, eighths] : phases) {
    for_each_bit(form, [&](std::size_t i) {
      linear[i] += eighths;
      if (eighths % 2 != 0) {
        high[i] ^= low[i] & form;
        low[i] ^= form;
      }
      if (eighths / 2 % 2 != 0) high[i] ^= form;
    });
  }
  QuadraticPhase result(bits);
  for (std::size_t i = 0; i < bits; ++i) {
    low[i].reset(i);
    if (linear[i] % 2 != 0 || low[i].any()) return std::nullopt;
    result.add_bit(i, linear[i] / 2 % 4);
    for_each_bit(high[i], [&](std::size_t j) {
      if (j < i) result.add_pair(i, j);
    });
  }
  return result;
}

std::vector<ParityPhase> on_parities(QuadraticPhase phase, std::span<const LinearForm> available) {
  return Distribution(std::move(phase), available).run();
}

}  // namespace quartz::optimizer
