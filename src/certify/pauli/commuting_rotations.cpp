#include "certify/pauli/commuting_rotations.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace quartz::certify {
namespace {

/// Number of independent operators of a spider nest.
constexpr std::size_t kBasisOfNest = 4;

/// Words after which work is counted in long loops.
constexpr std::size_t kWorkOfCall = std::size_t{1} << 16U;

/// Bits of a form, in words.
using FormBits = std::vector<std::uint64_t>;

bool has(std::span<const std::uint64_t> bits, std::size_t bit) {
  return (bits[bit / 64] >> (bit % 64) & 1U) != 0;
}
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

/// Calls `visit` with each bit above another one that is set.
template <typename Visit>
void for_each_one_behind(std::span<const std::uint64_t> bits, std::size_t bit, const Visit& visit) {
  const std::size_t first = (bit + 1) / 64;
  for (std::size_t word = first; word < bits.size(); ++word) {
    const std::uint64_t mask =
        word == first ? ~std::uint64_t{0} << ((bit + 1) % 64) : ~std::uint64_t{0};
    for (std::uint64_t left = bits[word] & mask; left != 0; left &= left - 1) {
      visit(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

/// Independent commuting operators.
using Basis = std::span<const ConstPauliRow>;

/// Returns the words of a form: at most as many operators as wires are independent and commute.
std::size_t words_of_form(const PauliTableau& paulis) { return (paulis.wires() + 63) / 64; }

/// Independent axes, of which all axes are products.
class AxisBasis {
 public:
  explicit AxisBasis(const PauliTableau& paulis) : form_words_(words_of_form(paulis)) {}

  [[nodiscard]] Basis elements() const { return basis_; }

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

 private:
  struct Row {
    std::size_t pivot = 0;
    FormBits bits;
    FormBits form;
  };

  std::size_t form_words_;
  std::vector<ConstPauliRow> basis_;
  std::vector<Row> rows_;
};

/// Independent operators in reduced row echelon form, of which all axes are products. Each has a
/// bit that no other one has, by which the form of an axis is read off. Circuits whose rotations
/// act on few qubits each get forms with few elements, where products of axes have hundreds: the
/// time for a phase polynomial grows with the square of their number.
class EchelonBasis {
 public:
  explicit EchelonBasis(const PauliTableau& paulis) : paulis_(paulis) {}

  /// Makes the axis a product of elements. Returns false, and changes nothing, if it does not
  /// commute with all of them. Throws what `count_work` throws.
  [[nodiscard]] bool add(ConstPauliRow axis, const std::function<void(std::size_t)>& count_work) {
    rest_.assign(axis.begin(), axis.end());
    std::size_t work = rest_.size();
    for (const Row& row : rows_) {
      if (!has(axis, row.pivot)) continue;
      paulis_.multiply(rest_, row.element);
      work += rest_.size();
    }
    count_work(work);
    const auto bits = std::span(rest_).first(rest_.size() - 1);
    const auto word = std::ranges::find_if(bits, [](std::uint64_t each) { return each != 0; });
    if (word == bits.end()) return true;
    count_work(2 * rows_.size() * rest_.size());
    for (const Row& row : rows_) {
      if (!paulis_.relation(row.element, rest_).commute) return false;
    }
    const auto pivot = 64 * static_cast<std::size_t>(word - bits.begin()) +
                       static_cast<std::size_t>(std::countr_zero(*word));
    for (Row& row : rows_) {
      if (has(row.element, pivot)) paulis_.multiply(row.element, rest_);
    }
    rows_.push_back({pivot, rest_});
    return true;
  }

  [[nodiscard]] std::vector<ConstPauliRow> elements() const {
    std::vector<ConstPauliRow> elements;
    for (const Row& row : rows_) elements.emplace_back(row.element);
    return elements;
  }
  /// Returns the elements whose product an axis is, up to its sign. The axis must have been added.
  [[nodiscard]] FormBits form_of(ConstPauliRow axis) const {
    FormBits form(words_of_form(paulis_));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (has(axis, rows_[i].pivot)) flip(form, i);
    }
    return form;
  }

 private:
  struct Row {
    std::size_t pivot = 0;
    std::vector<std::uint64_t> element;
  };

  const PauliTableau& paulis_;
  std::vector<Row> rows_;
  std::vector<std::uint64_t> rest_;
};

/// Returns the product of the elements of a basis that are in a form.
std::vector<std::uint64_t> product_of(const PauliTableau& paulis, Basis basis,
                                      const FormBits& form) {
  std::vector<std::uint64_t> row(paulis.row_words());
  for (const std::size_t element : ones_of(form)) paulis.multiply(row, basis[element]);
  return row;
}

/// The polynomial of a sum of parities with signs.
class PhaseCoefficients {
 public:
  PhaseCoefficients(std::size_t bits, std::size_t form_words)
      : form_words_(form_words),
        linear_(bits),
        low_(bits, FormBits(form_words)),
        high_(bits, FormBits(form_words)) {}

  /// Adds a parity, or its negative; returns the number of words that changed.
  std::size_t add_parity(const FormBits& form, bool is_negative) {
    const std::vector<std::size_t> ones = ones_of(form);
    for (const std::size_t one : ones) {
      linear_[one] = (linear_[one] + (is_negative ? 7 : 1)) % 8;
      // The numbers of parities with each pair of bits, modulo 4, are in two bits for each pair.
      FormBits& low = low_[one];
      FormBits& high = high_[one];
      for (std::size_t word = 0; word < form.size(); ++word) {
        high[word] ^= form[word] & (is_negative ? ~low[word] : low[word]);
        low[word] ^= form[word];
      }
    }
    return (ones.size() + 1) * form.size();
  }

  /// Returns whether the phase is that of a Clifford operator. `forms` are the parities that were
  /// added, and `count_work` is called with numbers of words.
  [[nodiscard]] bool is_clifford(std::span<const FormBits> forms,
                                 const std::function<void(std::size_t)>& count_work) const {
    const std::size_t bits = linear_.size();
    for (std::size_t i = 0; i < bits; ++i) {
      if (linear_[i] % 2 != 0) return false;
      for (std::size_t j = i + 1; j < bits; ++j) {
        if (has(low_[i], j)) return false;
      }
    }
    // The coefficients of one bit after another: those of all bits together are hundreds of
    // megabytes for thousands of wires, and would not stay in the processor's cache for hundreds.
    std::vector<std::uint64_t> rows(bits * form_words_);
    for (std::size_t i = 0; i < bits; ++i) {
      if (!has_even_triples(i, forms, rows, count_work)) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t bits() const { return linear_.size(); }
  /// Returns l_i modulo 8.
  [[nodiscard]] unsigned linear(std::size_t bit) const { return linear_[bit]; }
  /// Returns whether the even number q_ij is 2 modulo 4.
  [[nodiscard]] bool is_pair(std::size_t i, std::size_t j) const { return has(high_[i], j); }

 private:
  /// Returns whether even numbers of parities have a bit together with any two that come after it.
  /// `rows` has the words of a form for each bit.
  [[nodiscard]] bool has_even_triples(std::size_t bit, std::span<const FormBits> forms,
                                      std::span<std::uint64_t> rows,
                                      const std::function<void(std::size_t)>& count_work) const {
    std::ranges::fill(rows, 0);
    std::size_t work = rows.size();
    for (const FormBits& bits : forms) {
      if (!has(bits, bit)) continue;
      for_each_one_behind(bits, bit, [&](std::size_t second) {
        std::uint64_t* const row = &rows[second * form_words_];
        for (std::size_t word = second / 64; word < form_words_; ++word) row[word] ^= bits[word];
        work += form_words_ - second / 64;
      });
      if (work < kWorkOfCall) continue;
      count_work(std::exchange(work, 0));
    }
    count_work(work);
    for (std::size_t second = bit + 1; second < linear_.size(); ++second) {
      bool is_even = true;
      for_each_one_behind(rows.subspan(second * form_words_, form_words_), second,
                          [&](std::size_t) { is_even = false; });
      if (!is_even) return false;
    }
    return true;
  }

  std::size_t form_words_;
  std::vector<unsigned> linear_;
  std::vector<FormBits> low_;
  std::vector<FormBits> high_;
};

/// Returns the turns that a polynomial with even coefficients is, without a global phase of the
/// rotations.
QuarterTurns turns_of(const PhaseCoefficients& coefficients, const PauliTableau& paulis,
                      Basis basis) {
  const std::size_t bits = coefficients.bits();
  QuarterTurns result;
  std::vector<unsigned> linear(bits);
  for (std::size_t i = 0; i < bits; ++i) linear[i] = coefficients.linear(i);
  const auto append = [&](const FormBits& form, unsigned quarters) {
    if (quarters == 0) return;
    result.turns.push_back({product_of(paulis, basis, form), quarters});
    // e^{i quarters pi/2 x} = e^{i quarters pi/4} e^{-i quarters pi/4 (-1)^x}
    result.sixteenths += 2 * quarters;
  };
  for (std::size_t i = 0; i < bits; ++i) {
    for (std::size_t j = i + 1; j < bits; ++j) {
      if (!coefficients.is_pair(i, j)) continue;
      // (-1)^{x y} = e^{i pi/2 (x + y + 3 (x + y modulo 2))}
      linear[i] += 2;
      linear[j] += 2;
      FormBits sum(words_of_form(paulis));
      flip(sum, i);
      flip(sum, j);
      append(sum, 3);
    }
  }
  for (std::size_t i = 0; i < bits; ++i) {
    FormBits own(words_of_form(paulis));
    flip(own, i);
    append(own, linear[i] / 2 % 4);
  }
  result.sixteenths %= 16;
  return result;
}

/// Returns whether an operator commutes with all of a basis, and thus with all their products.
bool commutes_with(Basis basis, ConstPauliRow axis, const PauliTableau& paulis) {
  return std::ranges::all_of(
      basis, [&](ConstPauliRow each) { return paulis.relation(each, axis).commute; });
}

/// A product of rotations e^{-i pi/8 P} about commuting operators.
class CommutingProduct {
 public:
  CommutingProduct(const PauliTableau& paulis, std::size_t bits)
      : paulis_(paulis), coefficients_(bits, words_of_form(paulis)) {}

  /// Adds a rotation about an operator with its form in the basis; returns the number of words that
  /// changed.
  std::size_t add(ConstPauliRow axis, const FormBits& form, Basis basis) {
    const std::vector<std::uint64_t> product = product_of(paulis_, basis, form);
    const bool is_negative = paulis_.phase(ConstPauliRow(product)) != paulis_.phase(axis);
    // e^{-i pi/8 (-1)^x} = e^{-i pi/8} e^{i pi/4 x}
    sixteenths_ += is_negative ? 1 : 15;
    return coefficients_.add_parity(form, is_negative);
  }
  /// `forms` are those of the rotations.
  [[nodiscard]] bool is_clifford(std::span<const FormBits> forms,
                                 const std::function<void(std::size_t)>& count_work) const {
    return coefficients_.is_clifford(forms, count_work);
  }
  /// Returns the product, which must be a Clifford operator.
  [[nodiscard]] QuarterTurns turns(Basis basis) const {
    QuarterTurns result = turns_of(coefficients_, paulis_, basis);
    result.sixteenths = (result.sixteenths + sixteenths_) % 16;
    return result;
  }

 private:
  const PauliTableau& paulis_;
  PhaseCoefficients coefficients_;
  unsigned sixteenths_ = 0;
};

}  // namespace

std::optional<QuarterTurns> as_quarter_turns(const PauliTableau& paulis,
                                             std::span<const ConstPauliRow> axes,
                                             const std::function<void(std::size_t)>& count_work) {
  EchelonBasis basis(paulis);
  for (const ConstPauliRow axis : axes) {
    if (!basis.add(axis, count_work)) return std::nullopt;
  }
  const std::vector<ConstPauliRow> elements = basis.elements();
  CommutingProduct product(paulis, elements.size());
  std::vector<FormBits> forms;
  for (const ConstPauliRow axis : axes) {
    forms.push_back(basis.form_of(axis));
    count_work(elements.size() + product.add(axis, forms.back(), elements));
  }
  if (!product.is_clifford(forms, count_work)) return std::nullopt;
  return product.turns(elements);
}

std::optional<FewerRotations> with_rest_of_nest(
    const PauliTableau& paulis, std::span<const ConstPauliRow> axes,
    const std::function<void(std::size_t)>& count_work) {
  AxisBasis basis(paulis);
  std::vector<FormBits> forms;
  std::uint32_t occurring = 0;  // forms by their bits
  for (const ConstPauliRow axis : axes) {
    count_work(2 * (basis.elements().size() + 1) * axis.size());
    if (!commutes_with(basis.elements(), axis, paulis)) break;
    FormBits form = basis.form_of(axis);  // a fifth element ends the loop, and is not used
    if (basis.elements().size() > kBasisOfNest || (occurring >> form[0] & 1U) != 0) break;
    occurring |= std::uint32_t{1} << form[0];
    forms.push_back(std::move(form));
  }
  if (forms.size() <= kRotationsOfNest / 2) return std::nullopt;
  CommutingProduct product(paulis, kBasisOfNest);
  for (std::size_t i = 0; i < forms.size(); ++i) product.add(axes[i], forms[i], basis.elements());
  FewerRotations result;
  result.replaced = forms.size();
  for (std::uint32_t rest = 1; rest <= kRotationsOfNest; ++rest) {
    if ((occurring >> rest & 1U) != 0) continue;
    FormBits form(words_of_form(paulis));
    form[0] = rest;
    std::vector<std::uint64_t> axis = product_of(paulis, basis.elements(), form);
    product.add(axis, form, basis.elements());
    // The inverse of a rotation about P is the one about -P.
    paulis.phase(PauliRow(axis)) = (paulis.phase(ConstPauliRow(axis)) + 2) % 4;
    result.axes.push_back(std::move(axis));
  }
  result.product = product.turns(basis.elements());
  return result;
}

}  // namespace quartz::certify
