#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
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
  /// A form without the lowest bits of the rows before it, and the elements whose sum it is.
  struct Row {
    LinearForm form;
    LinearForm elements;  ///< bit i for element i of the basis; as long as the basis was then
  };

  std::vector<LinearForm> basis_;
  std::vector<Row> rows_;
  std::unordered_map<std::size_t, std::size_t> row_of_bit_;  ///< by the lowest bit of its form
};

}  // namespace quartz::optimizer
