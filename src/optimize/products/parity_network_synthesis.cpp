#include "optimize/products/parity_network_synthesis.hpp"

#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using Cnots = std::vector<NetworkCnot>;

NetworkCnot cnot(std::size_t control, std::size_t target) {
  return {static_cast<std::uint32_t>(control), static_cast<std::uint32_t>(target)};
}

/// Appends CNOTs that apply a linear map, by Gaussian elimination.
void append_linear_map(std::vector<LinearForm> rows, Cnots& cnots) {
  Cnots reduction;
  const auto append = [&](std::size_t control, std::size_t target) {
    rows[target] ^= rows[control];
    reduction.push_back(cnot(control, target));
  };
  for (std::size_t column = 0; column < rows.size(); ++column) {
    std::size_t pivot = column;
    while (pivot < rows.size() && !rows[pivot][column]) ++pivot;
    ensure(pivot < rows.size(), "the outputs of a parity network are independent");
    if (pivot != column) append(pivot, column);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (row != column && rows[row][column]) append(column, row);
    }
  }
  cnots.insert(cnots.end(), reduction.rbegin(), reduction.rend());
}

}  // namespace

Cnots synthesize_parity_network(const ParityNetworkTask& task, const Budget& /*budget*/,
                                FastRandom& /*random*/) {
  Cnots cnots;
  for (const LinearForm& parity : task.parities) {
    const std::size_t target = parity.find_first();
    Cnots sum;
    for (auto wire = parity.find_next(target); wire != LinearForm::npos;
         wire = parity.find_next(wire)) {
      sum.push_back(cnot(wire, target));
    }
    cnots.insert(cnots.end(), sum.begin(), sum.end());
    cnots.insert(cnots.end(), sum.rbegin(), sum.rend());
  }
  append_linear_map(task.outputs, cnots);
  return cnots;
}

}  // namespace quartz::optimizer
