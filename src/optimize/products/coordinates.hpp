#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A basis of a space of linear forms, and the coordinates of its forms.
class Coordinates {
 public:
  /// Makes a form the next element of the basis unless the basis spans it; returns whether it did.
  bool extend(const LinearForm& form);

  [[nodiscard]] const std::vector<LinearForm>& basis() const { return basis_; }
  [[nodiscard]] std::size_t dimension() const { return basis_.size(); }
  /// Returns the elements of the basis whose sum is the form; nothing if the basis does not span
  /// it.
  [[nodiscard]] std::optional<LinearForm> of(LinearForm form) const;

 private:
  /// A form that is reduced by the rows before it, and what it is a sum of.
  struct Row {
    std::size_t pivot = 0;
    LinearForm form;
    LinearForm elements;  ///< bit i for element i of the basis; as long as the basis was then
  };

  std::vector<LinearForm> basis_;
  std::vector<Row> rows_;
};

}  // namespace quartz::optimizer
