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
  for (std::size_t bit = reduced.find_first(); bit != LinearForm::npos;
       bit = reduced.find_next(bit)) {
    const auto row = row_of_bit_.find(bit);
    if (row == row_of_bit_.end()) {
      row_of_bit_.emplace(bit, rows_.size());
      rows_.push_back({std::move(reduced), std::move(elements)});
      basis_.push_back(form);
      return true;
    }
    reduced ^= rows_[row->second].form;
    add(elements, rows_[row->second].elements);
  }
  return false;
}

std::optional<LinearForm> Coordinates::of(LinearForm form) const {
  LinearForm elements(basis_.size());
  // A row has no bits below its lowest one, so that the bits are cleared in order.
  for (std::size_t bit = form.find_first(); bit != LinearForm::npos; bit = form.find_next(bit)) {
    const auto row = row_of_bit_.find(bit);
    if (row == row_of_bit_.end()) return std::nullopt;
    form ^= rows_[row->second].form;
    add(elements, rows_[row->second].elements);
  }
  return elements;
}

}  // namespace quartz::optimizer
