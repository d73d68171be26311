#include "optimize/products/trivector.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "optimize/products/coordinates.hpp"

namespace quartz::optimizer {

namespace {

/// A sum of bivectors p ^ q as its alternating matrix, of which the rows that may differ from zero
/// are listed.
class BivectorSum {
 public:
  explicit BivectorSum(std::size_t wires) : rows_(wires), is_used_(wires) {}

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

/// Adds the contraction of a trivector with the vector of a wire, or nothing if it is zero.
void add_contraction(const Product& product, std::size_t wire, BivectorSum& sum) {
  std::array<LinearForm, 3> forms = product.forms;
  const auto pivot = std::ranges::find_if(forms, [&](const auto& form) { return form.test(wire); });
  if (pivot == forms.end()) return;
  std::iter_swap(forms.begin(), pivot);
  // Adding the first form to the others does not change the trivector.
  for (std::size_t i = 1; i < 3; ++i) {
    if (forms[i].test(wire)) forms[i] ^= forms[0];
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
  std::vector<const Product*> products;
  for (const Product& product : left) products.push_back(&product);
  for (const Product& product : right) products.push_back(&product);
  if (products.empty()) return true;
  const std::size_t wires = products.front()->forms[0].size();
  std::vector<std::vector<const Product*>> of_wire(wires);
  for (const Product* product : products) {
    const LinearForm support = product->forms[0] | product->forms[1] | product->forms[2];
    for (std::size_t wire = support.find_first(); wire != LinearForm::npos;
         wire = support.find_next(wire)) {
      of_wire[wire].push_back(product);
    }
  }
  BivectorSum contraction(wires);
  for (std::size_t wire = 0; wire < wires; ++wire) {
    for (const Product* product : of_wire[wire]) add_contraction(*product, wire, contraction);
    if (!contraction.is_zero()) return false;
    contraction.clear();
  }
  return true;
}

std::vector<LinearForm> basis_of_forms(std::span<const Product> products) {
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
  return coordinates.basis();
}

}  // namespace quartz::optimizer
