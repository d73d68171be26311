#include "optimize/products/coordinates.hpp"

#include <utility>

namespace quartz::optimizer {

namespace {

/// Adds a sum of elements of a basis that may have had fewer elements then.
void add(LinearForm& sum, LinearForm elements) {
  elements.resize(sum.size());
  sum ^= elements;
}

}  // namespace

bool Coordinates::extend(const LinearForm& form) {
  LinearForm reduced = form;
  LinearForm elements(basis_.size() + 1);
  elements.set(basis_.size());
  for (const Row& row : rows_) {
    if (!reduced.test(row.pivot)) continue;
    reduced ^= row.form;
    add(elements, row.elements);
  }
  const std::size_t pivot = reduced.find_first();
  if (pivot == LinearForm::npos) return false;
  basis_.push_back(form);
  rows_.push_back({pivot, std::move(reduced), std::move(elements)});
  return true;
}

std::optional<LinearForm> Coordinates::of(LinearForm form) const {
  LinearForm elements(basis_.size());
  for (const Row& row : rows_) {
    if (!form.test(row.pivot)) continue;
    form ^= row.form;
    add(elements, row.elements);
  }
  if (form.any()) return std::nullopt;
  return elements;
}

}  // namespace quartz::optimizer
