#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "qasm/text/arithmetic.hpp"

namespace quartz::qasm {

struct NamedValue;

/// A declared array, or a part of one such as `a[1]` or `a[0:2, 1]`. Parts, and parameters of
/// subroutines, share the elements of the declared array. An element has no dimensions.
struct Array {
  struct Dimension {
    std::uint32_t size = 0;
    std::int64_t stride = 1;  ///< distance of neighbors in `elements`
    friend bool operator==(const Dimension&, const Dimension&) = default;
  };

  CastType type = CastType::real;  ///< type of the elements
  std::uint64_t width = 0;         ///< width of that type in bits; 0 if it has none
  std::shared_ptr<std::vector<NamedValue>>
      elements;            ///< those of the declared array, in row-major order
  std::int64_t first = 0;  ///< index in `elements` of the first one
  std::vector<Dimension> dimensions;
  bool is_readonly = false;

  /// Returns an array whose elements have no values. `depth` is the number of scopes around it.
  [[nodiscard]] static Array declared(CastType type, std::uint64_t width,
                                      const std::vector<std::uint32_t>& sizes, std::size_t depth);
  [[nodiscard]] std::vector<std::uint32_t> sizes() const;
  /// Returns the indices in `elements`, in row-major order.
  [[nodiscard]] std::vector<std::size_t> indices() const;
  /// Returns the element that a part without dimensions is.
  [[nodiscard]] NamedValue& element() const;
};

}  // namespace quartz::qasm
