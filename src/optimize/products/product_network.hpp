#pragma once

#include <array>
#include <boost/dynamic_bitset.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace quartz::optimizer {

/// A linear form over the integers modulo 2 in the bits of a basis state: the parity of the bits
/// that are set (bit i for wire i).
using LinearForm = boost::dynamic_bitset<std::uint64_t>;

/// The diagonal unitary |x> -> (-1)^{f(x) g(x) h(x)} |x> of three linear forms f, g and h: a CCZ on
/// three parities. Modulo Clifford gates it depends only on the space that the forms span.
struct Product {
  std::array<LinearForm, 3> forms;
};

/// The diagonal unitary |x> -> e^{i pi/4 eighths f(x)} |x> of a linear form f.
struct ParityPhase {
  LinearForm form;
  std::uint8_t eighths = 0;  ///< modulo 8
};

/// A circuit of CNOTs, products and phases: |x> -> e^{i phase(x)} |A x>, where the phase is the sum
/// over the products and phases, and the rows of A are `outputs`.
struct ProductNetwork {
  std::size_t wires = 0;
  std::vector<Product> products;
  std::vector<ParityPhase> phases;
  std::vector<LinearForm> outputs;  ///< for each wire, the parity of the inputs at the end
};

}  // namespace quartz::optimizer
