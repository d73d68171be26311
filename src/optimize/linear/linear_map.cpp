#include "optimize/linear/linear_map.hpp"

#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

std::uint64_t bit_of_wire(std::size_t wire) { return std::uint64_t{1} << wire; }

}  // namespace

LinearMap::LinearMap(std::size_t wires) : rows_(wires) {
  ensure(wires <= kMaxLinearWires, "a linear map has at most 64 wires");
  for (std::size_t wire = 0; wire < wires; ++wire) rows_[wire] = bit_of_wire(wire);
}

LinearMap LinearMap::transposed() const {
  LinearMap result(wires());
  for (std::size_t i = 0; i < wires(); ++i) {
    result.rows_[i] = 0;
    for (std::size_t k = 0; k < wires(); ++k) {
      if ((rows_[k] & bit_of_wire(i)) != 0) result.rows_[i] |= bit_of_wire(k);
    }
  }
  return result;
}

LinearMap LinearMap::inverse() const {
  LinearMap left = *this;
  LinearMap result(wires());
  for (std::size_t column = 0; column < wires(); ++column) {
    std::size_t pivot = column;
    while (pivot < wires() && (left.rows_[pivot] & bit_of_wire(column)) == 0) ++pivot;
    ensure(pivot < wires(), "the map of CNOTs is invertible");
    std::swap(left.rows_[pivot], left.rows_[column]);
    std::swap(result.rows_[pivot], result.rows_[column]);
    for (std::size_t row = 0; row < wires(); ++row) {
      if (row == column || (left.rows_[row] & bit_of_wire(column)) == 0) continue;
      left.rows_[row] ^= left.rows_[column];
      result.rows_[row] ^= result.rows_[column];
    }
  }
  return result;
}

}  // namespace quartz::optimizer
