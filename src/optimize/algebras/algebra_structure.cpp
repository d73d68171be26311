#include "optimize/algebras/algebra_structure.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"

namespace quartz::optimizer {

namespace {

/// Vectors without the structure that are tried before the search for it ends.
constexpr std::size_t kMostFailures = 12;
/// Unit vectors among them, which give sparser forms but may all be zero divisors.
constexpr std::size_t kMostUnitFailures = 4;

/// Returns the alternating matrix T(vector, ., .) of the sum T of trivectors.
BitMatrix contraction(std::span<const Product> products, const LinearForm& vector) {
  BitMatrix rows(vector.size(), LinearForm(vector.size()));
  const auto add = [&](const LinearForm& p, const LinearForm& q) {
    for (std::size_t i = p.find_first(); i != LinearForm::npos; i = p.find_next(i)) rows[i] ^= q;
  };
  for (const Product& product : products) {
    std::array<LinearForm, 3> forms = product.forms;
    const auto pivot = std::ranges::find_if(
        forms, [&](const LinearForm& form) { return inner_product(form, vector); });
    if (pivot == forms.end()) continue;
    std::iter_swap(forms.begin(), pivot);
    for (std::size_t i = 1; i < 3; ++i) {
      if (inner_product(forms[i], vector)) forms[i] ^= forms[0];
    }
    add(forms[1], forms[2]);
    add(forms[2], forms[1]);
  }
  return rows;
}

/// Finds the structure of one sum of trivectors.
class StructureSearch {
 public:
  StructureSearch(std::span<const Product> products, std::size_t dimension, FastRandom& random)
      : products_(products), dimension_(dimension), degree_(dimension / 3), random_(&random) {}

  std::optional<AlgebraStructure> run() {
    if (dimension_ % 3 != 0 || degree_ < 2 || !find_lines()) return std::nullopt;
    const auto multiplier = find_multiplier();
    if (!multiplier) return std::nullopt;
    return structure_of(*multiplier);
  }

 private:
  /// Finds three lines over K whose sum is the whole space.
  bool find_lines() {
    Coordinates sum;
    std::size_t failures = 0;
    for (std::size_t attempt = 0; failures < kMostFailures && lines_.size() < 3; ++attempt) {
      const bool is_unit = attempt < dimension_ && failures < kMostUnitFailures;
      const LinearForm vector =
          is_unit ? unit_vector(dimension_, attempt) : random_vector(dimension_);
      if (sum.dimension() > 0 && sum.of(vector)) continue;
      BitMatrix line = kernel(contraction(products_, vector));
      Coordinates extended = sum;
      const bool is_line = line.size() == degree_ && std::ranges::all_of(line, [&](const auto& v) {
                             return extended.extend(v);
                           });
      if (!is_line) {
        ++failures;
        continue;
      }
      sum = std::move(extended);
      lines_.push_back(std::move(line));
    }
    return lines_.size() == 3;
  }

  /// Returns the matrix of T(vector, b, c) for b in one line and c in another.
  [[nodiscard]] BitMatrix slice(const LinearForm& vector, std::size_t rows,
                                std::size_t columns) const {
    return multiply(multiply(lines_[rows], contraction(products_, vector)),
                    transpose(lines_[columns]));
  }

  /// Returns the matrix by which an element that generates K acts on the second line, a sparse one
  /// if possible.
  [[nodiscard]] std::optional<BitMatrix> find_multiplier() {
    const auto inverse_slice = inverse(slice(lines_[0][0], 1, 2));
    if (!inverse_slice) return std::nullopt;
    std::vector<std::pair<std::size_t, BitMatrix>> candidates;
    const auto add = [&](const LinearForm& vector) {
      BitMatrix matrix = multiply(slice(vector, 1, 2), *inverse_slice);
      std::size_t weight = 0;
      for (const LinearForm& row : matrix) weight += row.count();
      candidates.emplace_back(weight, std::move(matrix));
    };
    for (std::size_t i = 1; i < degree_; ++i) add(lines_[0][i]);
    for (std::size_t i = 0; i < kMostFailures; ++i) {
      add(multiply(random_vector(degree_), lines_[0]));
    }
    std::ranges::stable_sort(candidates, {}, [](const auto& each) { return each.first; });
    for (auto& [weight, matrix] : candidates) {
      if (best_start(matrix)) return std::move(matrix);
    }
    return std::nullopt;
  }

  /// Returns the powers of a matrix applied to a vector, from the power 0.
  [[nodiscard]] static BitMatrix orbit(LinearForm vector, const BitMatrix& matrix) {
    BitMatrix powers;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      powers.push_back(vector);
      vector = multiply(vector, matrix);
    }
    return powers;
  }
  /// Returns the unit vector whose orbit is a basis, and the sparsest one.
  [[nodiscard]] static std::optional<LinearForm> best_start(const BitMatrix& matrix) {
    std::optional<LinearForm> best;
    std::size_t least = 0;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      const LinearForm start = unit_vector(matrix.size(), i);
      const BitMatrix basis = orbit(start, matrix);
      std::size_t weight = 0;
      for (const LinearForm& row : basis) weight += row.count();
      if (best && weight >= least) continue;
      Coordinates coordinates;
      if (!std::ranges::all_of(basis, [&](const auto& v) { return coordinates.extend(v); }))
        continue;
      best = start;
      least = weight;
    }
    return best;
  }

  [[nodiscard]] std::optional<AlgebraStructure> structure_of(const BitMatrix& multiplier) const {
    const BitMatrix powers = orbit(*best_start(multiplier), multiplier);
    const BitMatrix second = multiply(powers, lines_[1]);
    const auto inverse_slice = inverse(slice(second[0], 0, 2));
    if (!inverse_slice) return std::nullopt;
    const BitMatrix first_multiplier = multiply(slice(second[1], 0, 2), *inverse_slice);
    const auto start = best_start(first_multiplier);
    if (!start) return std::nullopt;
    const BitMatrix first = multiply(orbit(*start, first_multiplier), lines_[0]);
    // The three dual bases: forms that are 1 on one vector of a basis and 0 on all others.
    BitMatrix basis = first;
    basis.insert(basis.end(), second.begin(), second.end());
    basis.insert(basis.end(), lines_[2].begin(), lines_[2].end());
    const auto inverse_basis = inverse(std::move(basis));
    if (!inverse_basis) return std::nullopt;
    const BitMatrix dual = transpose(*inverse_basis);
    const auto part = [&](std::size_t index) {
      const auto begin = dual.begin() + static_cast<std::ptrdiff_t>(index * degree_);
      return BitMatrix(begin, begin + static_cast<std::ptrdiff_t>(degree_));
    };
    AlgebraStructure structure;
    structure.first = part(0);
    structure.second = part(1);
    const BitMatrix values =
        multiply(multiply(second, contraction(products_, first[0])), transpose(lines_[2]));
    structure.third = multiply(values, part(2));
    structure.modulus = modulus_of(powers, multiplier);
    return structure;
  }

  /// Returns the polynomial f for which f(matrix) maps the first power to zero.
  [[nodiscard]] static LinearForm modulus_of(const BitMatrix& powers, const BitMatrix& matrix) {
    Coordinates coordinates;
    for (const LinearForm& power : powers) coordinates.extend(power);
    LinearForm modulus = coordinates.of(multiply(powers.back(), matrix)).value();
    modulus.push_back(true);
    return modulus;
  }

  [[nodiscard]] LinearForm random_vector(std::size_t size) {
    LinearForm vector(size);
    for (std::size_t i = 0; i < size; ++i) vector[i] = random_->below(2) != 0;
    return vector;
  }

  std::span<const Product> products_;
  std::size_t dimension_;
  std::size_t degree_;
  FastRandom* random_;
  std::vector<BitMatrix> lines_;
};

}  // namespace

std::optional<AlgebraStructure> algebra_structure_of(std::span<const Product> products,
                                                     std::size_t dimension, FastRandom& random) {
  return StructureSearch(products, dimension, random).run();
}

}  // namespace quartz::optimizer
