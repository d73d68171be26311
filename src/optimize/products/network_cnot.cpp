#include "optimize/products/network_cnot.hpp"

#include <limits>
#include <utility>

#include "optimize/linear/linear_synthesis.hpp"
#include "optimize/products/linear_descent.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

NetworkCnot network_cnot(std::size_t control, std::size_t target) {
  return {static_cast<std::uint32_t>(control), static_cast<std::uint32_t>(target)};
}

/// Appends CNOTs that apply a linear map, by Gaussian elimination.
void append_eliminated(std::vector<LinearForm> rows, std::vector<NetworkCnot>& cnots) {
  std::vector<NetworkCnot> reduction;
  const auto append = [&](std::size_t control, std::size_t target) {
    rows[target] ^= rows[control];
    reduction.push_back(network_cnot(control, target));
  };
  for (std::size_t column = 0; column < rows.size(); ++column) {
    std::size_t pivot = column;
    while (pivot < rows.size() && !rows[pivot][column]) ++pivot;
    ensure(pivot < rows.size(), "the outputs of a parity network are independent");
    if (!rows[column][column]) append(pivot, column);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (row != column && rows[row][column]) append(column, row);
    }
  }
  cnots.insert(cnots.end(), reduction.rbegin(), reduction.rend());
}

/// Returns a circuit of CNOTs for a linear map, given by what each wire has at the end.
LinearMap linear_map_of(const std::vector<LinearForm>& rows) {
  std::vector<NetworkCnot> cnots;
  append_eliminated(rows, cnots);
  LinearMap map(rows.size());
  for (const NetworkCnot& cnot : cnots) {
    map.append({static_cast<std::uint8_t>(cnot.control), static_cast<std::uint8_t>(cnot.target)});
  }
  return map;
}

}  // namespace

void append_linear_map(const std::vector<LinearForm>& rows, std::vector<NetworkCnot>& cnots) {
  if (rows.size() <= kMaxLinearWires) {
    const auto synthesized =
        synthesize_linear_map(linear_map_of(rows), std::numeric_limits<std::size_t>::max());
    if (synthesized) {
      for (const LinearCnot& cnot : *synthesized) {
        cnots.push_back(network_cnot(cnot.control, cnot.target));
      }
      return;
    }
  }
  std::vector<LinearForm> reduced = rows;
  const std::vector<NetworkCnot> descent = descend_towards_permutation(reduced);
  append_eliminated(std::move(reduced), cnots);
  cnots.insert(cnots.end(), descent.rbegin(), descent.rend());
}

}  // namespace quartz::optimizer
