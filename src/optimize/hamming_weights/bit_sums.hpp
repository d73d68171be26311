#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// The parity of some bits, plus 1 if it is negated.
struct AffineForm {
  LinearForm form;
  bool is_negated = false;
};

/// The rotation by 2^weight times a base angle about a form.
struct WeightedForm {
  AffineForm form;
  std::size_t weight = 0;
};

/// The product of two affine forms, which a new ancilla carries.
struct FormProduct {
  AffineForm f;
  AffineForm g;
};

/// A CNOT of two bits. A form in terms of the bits before it is one in terms of those after it if
/// the control is flipped in forms with the target, and the other way round.
struct BitCnot {
  std::size_t control = 0;
  std::size_t target = 0;
};

/// One step by which rotations become fewer, or cheaper: a product of forms, if there is one, CNOTs
/// that make forms shorter, and the rotations that are left, in terms of the bits after these.
/// Ancillas are the bits behind those of the data, in the order of the steps that have products. No
/// CNOT has an ancilla as its control and a bit of the data as its target.
struct SumStep {
  std::optional<FormProduct> product;
  std::vector<BitCnot> cnots;
  std::vector<WeightedForm> rotations;
};

/// What rotations and products cost, in T gates.
struct SumCosts {
  std::function<double(std::size_t weight)> rotation;
  double product = 4;
};

/// Returns steps after which rotations about some forms cost less. Rotations by the same angle turn
/// by this angle times the number of forms that are 1 (Hamming weight phasing: C. Gidney, arXiv
/// 1709.06648), and a full adder writes the sum of three bits as one bit of the same weight and one
/// of twice the weight:
///   a + b + c = (a ^ b ^ c) + 2 ((a ^ c) (b ^ c) ^ c).
/// The first bit is a form again, and the second one a form on an ancilla, so that each full adder
/// has one rotation less, for four T gates and an ancilla. A half adder for two bits makes sense if
/// the bit of twice the weight leads to a full adder, or to a multiple of pi/4.
///
/// The first `data` bits of a form are those of the data, and all others those of ancillas, of
/// which there are as many as steps with products.
[[nodiscard]] std::vector<SumStep> sum_steps(std::vector<WeightedForm> rotations, std::size_t data,
                                             const SumCosts& costs);

/// The number of forms of each weight.
using FormCounts = std::map<std::size_t, std::size_t>;

/// Returns what different forms cost after such steps, with any number of ancillas and if no sums
/// of forms are equal.
[[nodiscard]] double cost_of_sum(FormCounts forms, const SumCosts& costs);

}  // namespace quartz::optimizer
