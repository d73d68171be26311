#include "optimize/products/trivector.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"

namespace quartz::optimizer {

namespace {

/// A sum of bivectors p ^ q as its alternating matrix, of which the rows that may differ from zero
/// are listed.
class BivectorSum {
 public:
  explicit BivectorSum(std::size_t dimension) : rows_(dimension), is_used_(dimension) {}

  void add(const LinearForm& p, const LinearForm& q) {
    add_to_rows(p, q);
    add_to_rows(q, p);
  }
  [[nodiscard]] bool is_zero() const {
    return std::ranges::all_of(used_, [&](std::size_t row) { return rows_[row].none(); });
  }
  void clear() {
    for (const std::size_t row : used_) {
      rows_[row].reset();
      is_used_[row] = false;
    }
    used_.clear();
  }

 private:
  void add_to_rows(const LinearForm& rows, const LinearForm& form) {
    for (std::size_t row = rows.find_first(); row != LinearForm::npos; row = rows.find_next(row)) {
      if (!is_used_[row]) {
        is_used_[row] = true;
        used_.push_back(row);
        rows_[row].resize(form.size());
      }
      rows_[row] ^= form;
    }
  }

  std::vector<LinearForm> rows_;
  std::vector<bool> is_used_;
  std::vector<std::size_t> used_;
};

/// Adds the contraction of a trivector with the vector of an element of the basis, or nothing if it
/// is zero.
void add_contraction(const Product& product, std::size_t element, BivectorSum& sum) {
  std::array<LinearForm, 3> forms = product.forms;
  const auto pivot =
      std::ranges::find_if(forms, [&](const auto& form) { return form.test(element); });
  if (pivot == forms.end()) return;
  std::iter_swap(forms.begin(), pivot);
  // Adding the first form to the others does not change the trivector.
  for (std::size_t i = 1; i < 3; ++i) {
    if (forms[i].test(element)) forms[i] ^= forms[0];
  }
  sum.add(forms[1], forms[2]);
}

}  // namespace

bool is_independent(const Product& product) {
  const auto& [f, g, h] = product.forms;
  if (f.none() || g.none() || h.none() || f == g || f == h || g == h) return false;
  return (f ^ g) != h;
}

bool have_same_sum(std::span<const Product> left, std::span<const Product> right) {
  std::vector<Product> all(left.begin(), left.end());
  all.insert(all.end(), right.begin(), right.end());
  const ProductsInBasis sum = in_basis(all);
  std::vector<std::vector<const Product*>> of_element(sum.dimension());
  for (const Product& product : sum.products) {
    const LinearForm support = product.forms[0] | product.forms[1] | product.forms[2];
    for (std::size_t element = support.find_first(); element != LinearForm::npos;
         element = support.find_next(element)) {
      of_element[element].push_back(&product);
    }
  }
  BivectorSum contraction(sum.dimension());
  for (std::size_t element = 0; element < sum.dimension(); ++element) {
    for (const Product* product : of_element[element]) {
      add_contraction(*product, element, contraction);
    }
    if (!contraction.is_zero()) return false;
    contraction.clear();
  }
  return true;
}

ProductsInBasis in_basis(std::span<const Product> products) {
  std::map<LinearForm, std::size_t> occurrences;
  for (const Product& product : products) {
    for (const LinearForm& form : product.forms) ++occurrences[form];
  }
  std::vector<std::pair<std::size_t, LinearForm>> by_frequency;
  for (const auto& [form, count] : occurrences) by_frequency.emplace_back(count, form);
  std::ranges::stable_sort(
      by_frequency, [](const auto& left, const auto& right) { return left.first > right.first; });
  Coordinates coordinates;
  for (const auto& [count, form] : by_frequency) coordinates.extend(form);
  std::map<LinearForm, LinearForm> in_coordinates;
  for (const auto& [count, form] : by_frequency) {
    in_coordinates.emplace(form, coordinates.of(form).value());
  }
  ProductsInBasis result{coordinates.basis(), {}};
  for (const auto& [forms] : products) {
    result.products.push_back(
        {{in_coordinates.at(forms[0]), in_coordinates.at(forms[1]), in_coordinates.at(forms[2])}});
  }
  return result;
}

std::vector<Product> on_wires(const ProductsInBasis& products) {
  std::vector<Product> result;
  for (const auto& [forms] : products.products) {
    result.push_back({{multiply(forms[0], products.basis), multiply(forms[1], products.basis),
                       multiply(forms[2], products.basis)}});
  }
  return result;
}

}  // namespace quartz::optimizer
