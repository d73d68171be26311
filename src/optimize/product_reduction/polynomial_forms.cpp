#include "optimize/product_reduction/polynomial_forms.hpp"

#include <algorithm>
#include <utility>

#include "optimize/product_reduction/evaluation_forms.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

constexpr std::size_t kBitsOfMatrix = 64;

/// The span of symmetric matrices.
class MatrixSpan {
 public:
  explicit MatrixSpan(std::span<const SymmetricMatrix> matrices) {
    for (const SymmetricMatrix matrix : matrices) {
      if (span_.extend(LinearForm(kBitsOfMatrix, matrix))) basis_.push_back(matrix);
    }
  }

  [[nodiscard]] const std::vector<SymmetricMatrix>& basis() const { return basis_; }
  [[nodiscard]] bool contains(SymmetricMatrix matrix) const {
    return span_.of(LinearForm(kBitsOfMatrix, matrix)).has_value();
  }

 private:
  Coordinates span_;
  std::vector<SymmetricMatrix> basis_;
};

BitMatrix unpacked(SymmetricMatrix matrix, unsigned variables) {
  BitMatrix result(variables, LinearForm(variables));
  for (unsigned row = 0; row < variables; ++row) {
    for (unsigned column = 0; column < variables; ++column) {
      result[row][column] = (matrix >> symmetric_bit(row, column) & 1U) != 0;
    }
  }
  return result;
}

/// Returns the vectors on which a form is 0.
BitMatrix zeros_of(const LinearForm& form) {
  BitMatrix column;
  for (std::size_t i = 0; i < form.size(); ++i) column.emplace_back(1, form.test(i) ? 1U : 0U);
  return kernel(column);
}

/// Finds the powers of x for given forms at 0 and at infinity.
class PowerBasis {
 public:
  PowerBasis(const MatrixSpan& span, unsigned variables, const LinearForm& zero,
             const LinearForm& infinity)
      : span_(span),
        variables_(variables),
        infinity_(infinity),
        from_(zeros_of(infinity)),
        to_(zeros_of(zero)) {
    for (const LinearForm& vector : from_) from_coordinates_.extend(vector);
  }

  /// Returns the powers of x in their order, or nothing if there is no such basis.
  [[nodiscard]] std::optional<BitMatrix> find() {
    const BitMatrix solutions = kernel(equations());
    if (solutions.size() != 1) return std::nullopt;
    const std::size_t size = from_.size();
    for (std::size_t i = 0; i < size; ++i) {
      LinearForm row(size);
      for (std::size_t j = 0; j < size; ++j) row[j] = solutions[0].test(i * size + j);
      products_.push_back(multiply(row, to_));
    }
    return powers();
  }

 private:
  /// Returns the matrix that maps the products of x and the vectors of `from_`, in the basis `to_`,
  /// row by row, to the differences between (x a) b and a (x b).
  [[nodiscard]] BitMatrix equations() const {
    const std::size_t size = from_.size();
    const std::size_t pairs = size * (size - 1) / 2;
    BitMatrix result(size * size, LinearForm(span_.basis().size() * pairs));
    std::size_t equation = 0;
    for (const SymmetricMatrix packed : span_.basis()) {
      // The entry of row j and column i is the value of the matrix at to_[j] and from_[i].
      const BitMatrix values =
          multiply(multiply(to_, unpacked(packed, variables_)), transpose(from_));
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k, ++equation) {
          for (std::size_t j = 0; j < size; ++j) {
            if (values[j].test(k)) result[i * size + j].flip(equation);
            if (values[j].test(i)) result[k * size + j].flip(equation);
          }
        }
      }
    }
    return result;
  }

  /// Returns x times a vector that is 0 at infinity.
  [[nodiscard]] LinearForm times_x(const LinearForm& vector) const {
    return multiply(from_coordinates_.of(vector).value(), products_);
  }

  [[nodiscard]] std::optional<BitMatrix> powers() const {
    // The only vector that can be multiplied by x that often is 1.
    std::vector<std::pair<LinearForm, LinearForm>> candidates;  // a vector, times a power of x
    for (const LinearForm& vector : from_) candidates.emplace_back(vector, vector);
    while (candidates.size() > 1) {
      for (auto& [vector, product] : candidates) product = times_x(product);
      const auto pivot = std::ranges::find_if(
          candidates, [&](const auto& each) { return inner_product(each.second, infinity_); });
      if (pivot == candidates.end()) return std::nullopt;
      const auto removed = std::move(*pivot);
      candidates.erase(pivot);
      for (auto& [vector, product] : candidates) {
        if (!inner_product(product, infinity_)) continue;
        vector ^= removed.first;
        product ^= removed.second;
      }
    }
    BitMatrix result{candidates[0].first};
    while (result.size() < variables_) {
      if (inner_product(result.back(), infinity_)) return std::nullopt;
      result.push_back(times_x(result.back()));
    }
    return result;
  }

  const MatrixSpan& span_;
  unsigned variables_;
  LinearForm infinity_;
  BitMatrix from_;  ///< a basis of the vectors that are 0 at infinity
  BitMatrix to_;    ///< a basis of the vectors that are 0 at 0
  Coordinates from_coordinates_;
  BitMatrix products_;  ///< x times each of `from_`
};

/// Returns the forms whose squares are in the span.
BitMatrix squares_in(const MatrixSpan& span, unsigned variables) {
  BitMatrix result;
  for (std::uint32_t form = 1; form < 1U << variables; ++form) {
    if (span.contains(square_of_form(form, variables))) result.emplace_back(variables, form);
  }
  return result;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> polynomial_forms(
    unsigned variables, std::span<const SymmetricMatrix> matrices, const Budget& budget,
    FastRandom& random) {
  const MatrixSpan span(matrices);
  if (variables < 3 || span.basis().size() != 2 * variables - 1) return std::nullopt;
  const BitMatrix points = squares_in(span, variables);
  if (points.size() != 3) return std::nullopt;
  const auto powers = PowerBasis(span, variables, points[0], points[1]).find();
  if (!powers) return std::nullopt;
  const auto to_variables = inverse(transpose(*powers));
  if (!to_variables) return std::nullopt;
  EvaluationForms evaluations(budget, random);
  std::vector<std::uint32_t> forms;
  Coordinates squares;
  for (const LinearForm& form : evaluations.of_polynomials(variables)) {
    const auto bits = static_cast<std::uint32_t>(multiply(form, *to_variables).to_ulong());
    const bool is_new = squares.extend(LinearForm(kBitsOfMatrix, square_of_form(bits, variables)));
    if (is_new) forms.push_back(bits);
  }
  const bool span_all = std::ranges::all_of(span.basis(), [&](SymmetricMatrix matrix) {
    return squares.of(LinearForm(kBitsOfMatrix, matrix)).has_value();
  });
  if (!span_all) return std::nullopt;
  return forms;
}

}  // namespace quartz::optimizer
