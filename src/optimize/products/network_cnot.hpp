#pragma once

#include <cstdint>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A CNOT on two of any number of wires.
struct NetworkCnot {
  std::uint32_t control = 0;
  std::uint32_t target = 0;
  friend bool operator==(const NetworkCnot&, const NetworkCnot&) = default;
};

/// Appends CNOTs that apply a linear map, given by the parity that each wire has at the end. Throws
/// InternalError if the parities are not independent.
void append_linear_map(const std::vector<LinearForm>& rows, std::vector<NetworkCnot>& cnots);

}  // namespace quartz::optimizer
