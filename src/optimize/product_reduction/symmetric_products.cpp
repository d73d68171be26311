#include "optimize/product_reduction/symmetric_products.hpp"

#include <bit>
#include <utility>

#include "optimize/product_reduction/polynomial_forms.hpp"
#include "optimize/product_reduction/square_forms.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

/// Random solutions of the linear system that are tried before it counts as singular.
constexpr unsigned kMostDraws = 64;
/// The most variables with which a search finds as few squares as the structure of polynomials
/// gives.
constexpr unsigned kSearchedVariables = 7;

std::vector<unsigned> bits_of(std::uint64_t word) {
  std::vector<unsigned> bits;
  for (; word != 0; word &= word - 1) bits.push_back(static_cast<unsigned>(std::countr_zero(word)));
  return bits;
}

/// A sum of trivectors as a trilinear form on three slots, two of which are to be identified.
class SymmetricForm {
 public:
  SymmetricForm(const GradedProducts& given, std::array<unsigned, 3> order)
      : order_(order),
        rows_(bits_of(given.slots[order[0]])),
        columns_(bits_of(given.slots[order[1]])),
        layers_(bits_of(given.slots[order[2]])),
        slices_(layers_.size(), BitMatrix(rows_.size(), LinearForm(columns_.size()))) {
    for (const WordProduct& product : given.products) add(product);
  }

  /// Finds an identification; returns whether there is one.
  bool identify(FastRandom& random) {
    const std::size_t size = rows_.size();
    const BitMatrix solutions = kernel(equations());
    for (unsigned draw = 0; draw < kMostDraws && !solutions.empty(); ++draw) {
      LinearForm sum(size * size);
      for (const LinearForm& solution : solutions) {
        if (random.below(2) != 0) sum ^= solution;
      }
      BitMatrix map(size, LinearForm(size));
      for (std::size_t i = 0; i < size * size; ++i) map[i / size][i % size] = sum[i];
      auto inverse_map = inverse(map);
      if (!inverse_map) continue;
      map_ = std::move(map);
      inverse_map_ = std::move(*inverse_map);
      return true;
    }
    return false;
  }

  /// Returns the slices after the identification, as symmetric matrices.
  [[nodiscard]] std::vector<SymmetricMatrix> symmetric_slices() const {
    std::vector<SymmetricMatrix> result;
    for (const BitMatrix& slice : slices_) {
      const BitMatrix matrix = multiply(slice, map_);
      SymmetricMatrix packed = 0;
      for (unsigned row = 0; row < matrix.size(); ++row) {
        for (unsigned column = 0; column <= row; ++column) {
          if (matrix[row].test(column)) packed |= SymmetricMatrix{1} << symmetric_bit(row, column);
        }
      }
      result.push_back(packed);
    }
    return result;
  }

  /// Returns the products of forms whose squares span the slices.
  [[nodiscard]] std::vector<WordProduct> products_of(std::span<const std::uint32_t> forms) const {
    const std::vector<SymmetricMatrix> slices = symmetric_slices();
    Coordinates squares;
    std::vector<WordProduct> products;
    for (const std::uint32_t form : forms) {
      squares.extend(LinearForm(64, square_of_form(form, static_cast<unsigned>(rows_.size()))));
      const LinearForm on_columns = multiply(LinearForm(rows_.size(), form), inverse_map_);
      WordProduct product{};
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        product[order_[0]] |= std::uint64_t{form >> i & 1U} << rows_[i];
        product[order_[1]] |= std::uint64_t{on_columns.test(i)} << columns_[i];
      }
      products.push_back(product);
    }
    for (std::size_t layer = 0; layer < slices.size(); ++layer) {
      const auto sum = squares.of(LinearForm(64, slices[layer]));
      ensure(sum.has_value(), "the squares of forms do not span the slices");
      for (std::size_t i = sum->find_first(); i != LinearForm::npos; i = sum->find_next(i)) {
        products[i][order_[2]] |= std::uint64_t{1} << layers_[layer];
      }
    }
    std::erase_if(products, [&](const WordProduct& each) { return each[order_[2]] == 0; });
    return products;
  }

 private:
  void add(const WordProduct& product) {
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      if ((product[order_[2]] >> layers_[layer] & 1U) == 0) continue;
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        if ((product[order_[0]] >> rows_[row] & 1U) == 0) continue;
        for (std::size_t column = 0; column < columns_.size(); ++column) {
          if ((product[order_[1]] >> columns_[column] & 1U) != 0) {
            slices_[layer][row].flip(column);
          }
        }
      }
    }
  }

  /// Returns the matrix that maps P, row by row, to all entries above the diagonal of
  /// M_k P + (M_k P)^T.
  [[nodiscard]] BitMatrix equations() const {
    const std::size_t size = rows_.size();
    BitMatrix result(size * size, LinearForm(slices_.size() * size * (size - 1) / 2));
    std::size_t equation = 0;
    for (const BitMatrix& slice : slices_) {
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < i; ++j, ++equation) {
          for (std::size_t k = 0; k < size; ++k) {
            if (slice[i].test(k)) result[k * size + j].flip(equation);
            if (slice[j].test(k)) result[k * size + i].flip(equation);
          }
        }
      }
    }
    return result;
  }

  std::array<unsigned, 3> order_;  ///< the slots of rows, columns and layers
  std::vector<unsigned> rows_;     ///< elements of the basis
  std::vector<unsigned> columns_;
  std::vector<unsigned> layers_;
  std::vector<BitMatrix> slices_;  ///< for each layer
  BitMatrix map_;
  BitMatrix inverse_map_;
};

}  // namespace

std::optional<std::vector<WordProduct>> symmetric_products(const GradedProducts& given,
                                                           std::size_t sufficient,
                                                           const Budget& budget,
                                                           FastRandom& random) {
  constexpr std::array<std::array<unsigned, 3>, 3> kOrders{{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}};
  for (const auto& order : kOrders) {
    const auto size = static_cast<unsigned>(std::popcount(given.slots[order[0]]));
    const bool is_small = size >= 2 && size <= kSquareFormVariables;
    if (!is_small || std::popcount(given.slots[order[1]]) != static_cast<int>(size)) continue;
    SymmetricForm form(given, order);
    if (!form.identify(random)) continue;
    const std::vector<SymmetricMatrix> slices = form.symmetric_slices();
    // A search finds forms as good as these in spaces of few dimensions.
    if (size > kSearchedVariables) {
      if (const auto forms = polynomial_forms(size, slices, budget, random)) {
        return form.products_of(*forms);
      }
    }
    return form.products_of(square_forms(size, slices, sufficient, budget, random));
  }
  return std::nullopt;
}

}  // namespace quartz::optimizer
