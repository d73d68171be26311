#include "certify/pauli/commuting_rotations.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace quartz::certify {
namespace {

/// Bits of a form, in words.
using FormBits = std::vector<std::uint64_t>;

bool has(const FormBits& bits, std::size_t bit) { return (bits[bit / 64] >> (bit % 64) & 1U) != 0; }
void flip(FormBits& bits, std::size_t bit) { bits[bit / 64] ^= std::uint64_t{1} << (bit % 64); }
void add(FormBits& to, const FormBits& bits) {
  for (std::size_t word = 0; word < bits.size(); ++word) to[word] ^= bits[word];
}
std::vector<std::size_t> ones_of(const FormBits& bits) {
  std::vector<std::size_t> ones;
  for (std::size_t word = 0; word < bits.size(); ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      ones.push_back(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
  return ones;
}

/// Independent operators, of which all axes are products.
class AxisBasis {
 public:
  explicit AxisBasis(const PauliTableau& paulis)
      : paulis_(paulis), form_words_((paulis.wires() + 63) / 64) {}

  [[nodiscard]] std::size_t size() const { return basis_.size(); }
  [[nodiscard]] ConstPauliRow axis(std::size_t index) const { return basis_[index]; }
  [[nodiscard]] std::size_t form_words() const { return form_words_; }

  /// Returns the elements of the basis whose product is an axis up to its sign; the axis becomes an
  /// element if there are none. There are at most as many elements as wires, if all commute.
  [[nodiscard]] FormBits form_of(ConstPauliRow axis) {
    FormBits rest(axis.begin(), axis.end() - 1);
    FormBits form(form_words_);
    for (const Row& row : rows_) {
      if (!has(rest, row.pivot)) continue;
      add(rest, row.bits);
      add(form, row.form);
    }
    const auto word = std::ranges::find_if(rest, [](std::uint64_t bits) { return bits != 0; });
    if (word == rest.end()) return form;
    const auto pivot = 64 * static_cast<std::size_t>(word - rest.begin()) +
                       static_cast<std::size_t>(std::countr_zero(*word));
    // What is left of the axis is its product with the elements in `form`.
    FormBits own(form_words_);
    flip(own, basis_.size());
    add(form, own);
    rows_.push_back({pivot, std::move(rest), std::move(form)});
    basis_.push_back(axis);
    return own;
  }
  /// Returns the product of elements.
  [[nodiscard]] std::vector<std::uint64_t> product(const FormBits& form) const {
    std::vector<std::uint64_t> row(paulis_.row_words());
    for (const std::size_t element : ones_of(form)) paulis_.multiply(row, basis_[element]);
    return row;
  }

 private:
  struct Row {
    std::size_t pivot = 0;
    FormBits bits;
    FormBits form;
  };

  const PauliTableau& paulis_;
  std::size_t form_words_;
  std::vector<ConstPauliRow> basis_;
  std::vector<Row> rows_;
};

/// The polynomial of a sum of parities with signs.
class PhaseCoefficients {
 public:
  PhaseCoefficients(std::size_t bits, std::size_t form_words)
      : linear_(bits),
        low_(bits, FormBits(form_words)),
        high_(bits, FormBits(form_words)),
        cubic_(bits * bits) {}

  /// Adds a parity, or its negative; returns the number of words that changed.
  std::size_t add_parity(const FormBits& form, bool is_negative) {
    const std::vector<std::size_t> ones = ones_of(form);
    for (std::size_t i = 0; i < ones.size(); ++i) {
      linear_[ones[i]] = (linear_[ones[i]] + (is_negative ? 7 : 1)) % 8;
      // The numbers of parities with each pair of bits, modulo 4, are in two bits for each pair.
      FormBits& low = low_[ones[i]];
      FormBits& high = high_[ones[i]];
      for (std::size_t word = 0; word < form.size(); ++word) {
        high[word] ^= form[word] & (is_negative ? ~low[word] : low[word]);
        low[word] ^= form[word];
      }
      for (std::size_t j = 0; j < i; ++j) {
        FormBits& cubic = cubic_[ones[j] * linear_.size() + ones[i]];
        if (cubic.empty()) cubic.resize(form.size());
        add(cubic, form);
      }
    }
    return (ones.size() * ones.size() / 2 + 1) * form.size();
  }

  /// Returns whether the phase is that of a Clifford operator.
  [[nodiscard]] bool is_clifford() const {
    const std::size_t bits = linear_.size();
    for (std::size_t i = 0; i < bits; ++i) {
      if (linear_[i] % 2 != 0) return false;
      for (std::size_t j = i + 1; j < bits; ++j) {
        if (has(low_[i], j)) return false;
        const FormBits& cubic = cubic_[i * bits + j];
        for (std::size_t k = j + 1; !cubic.empty() && k < bits; ++k) {
          if (has(cubic, k)) return false;
        }
      }
    }
    return true;
  }
  /// Returns l_i modulo 8.
  [[nodiscard]] unsigned linear(std::size_t bit) const { return linear_[bit]; }
  /// Returns whether the even number q_ij is 2 modulo 4.
  [[nodiscard]] bool is_pair(std::size_t i, std::size_t j) const { return has(high_[i], j); }

 private:
  std::vector<unsigned> linear_;
  std::vector<FormBits> low_;
  std::vector<FormBits> high_;
  std::vector<FormBits> cubic_;  ///< by two bits in ascending order, the third ones
};

/// Returns the turns that a polynomial with even coefficients is, without a global phase of the
/// rotations.
QuarterTurns turns_of(const PhaseCoefficients& coefficients, const AxisBasis& basis) {
  const std::size_t bits = basis.size();
  QuarterTurns result;
  std::vector<unsigned> linear(bits);
  for (std::size_t i = 0; i < bits; ++i) linear[i] = coefficients.linear(i);
  const auto append = [&](const FormBits& form, unsigned quarters) {
    if (quarters == 0) return;
    result.turns.push_back({basis.product(form), quarters});
    // e^{i quarters pi/2 x} = e^{i quarters pi/4} e^{-i quarters pi/4 (-1)^x}
    result.sixteenths += 2 * quarters;
  };
  for (std::size_t i = 0; i < bits; ++i) {
    for (std::size_t j = i + 1; j < bits; ++j) {
      if (!coefficients.is_pair(i, j)) continue;
      // (-1)^{x y} = e^{i pi/2 (x + y + 3 (x + y modulo 2))}
      linear[i] += 2;
      linear[j] += 2;
      FormBits sum(basis.form_words());
      flip(sum, i);
      flip(sum, j);
      append(sum, 3);
    }
  }
  for (std::size_t i = 0; i < bits; ++i) {
    FormBits own(basis.form_words());
    flip(own, i);
    append(own, linear[i] / 2 % 4);
  }
  result.sixteenths %= 16;
  return result;
}

}  // namespace

std::optional<QuarterTurns> as_quarter_turns(const PauliTableau& paulis,
                                             std::span<const ConstPauliRow> axes,
                                             const std::function<void(std::size_t)>& count_work) {
  AxisBasis basis(paulis);
  std::vector<FormBits> forms;
  for (const ConstPauliRow axis : axes) {
    const std::size_t before = basis.size();
    // Operators that commute with a basis commute with each other.
    for (std::size_t i = 0; i < before; ++i) {
      if (!paulis.relation(basis.axis(i), axis).commute) return std::nullopt;
    }
    forms.push_back(basis.form_of(axis));
    count_work(2 * (before + 1) * axis.size());
  }
  PhaseCoefficients coefficients(basis.size(), basis.form_words());
  unsigned sixteenths = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::vector<std::uint64_t> product = basis.product(forms[i]);
    const bool is_negative = paulis.phase(ConstPauliRow(product)) != paulis.phase(axes[i]);
    // e^{-i pi/8 (-1)^x} = e^{-i pi/8} e^{i pi/4 x}
    sixteenths += is_negative ? 1 : 15;
    count_work(coefficients.add_parity(forms[i], is_negative));
  }
  if (!coefficients.is_clifford()) return std::nullopt;
  QuarterTurns result = turns_of(coefficients, basis);
  result.sixteenths = (result.sixteenths + sixteenths) % 16;
  return result;
}

}  // namespace quartz::certify
