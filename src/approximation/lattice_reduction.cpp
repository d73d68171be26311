#include "approximation/lattice_reduction.hpp"

#include <cmath>
#include <utility>

namespace quartz::approximation {
namespace {

/// The constant of Lovasz' condition.
const QuadFloat kLovaszConstant = 0.99;

QuadFloat dot(const ReducedLattice::Point& a, const ReducedLattice::Point& b) {
  QuadFloat sum = 0;
  for (std::size_t i = 0; i < kLatticeSize; ++i) sum += a[i] * b[i];
  return sum;
}

Integer nearest_integer(const QuadFloat& x) { return Integer(floor(x + QuadFloat(0.5))); }

/// The search tree: the coefficient of the last row is chosen first.
class Enumeration {
 public:
  Enumeration(double square, std::uint64_t most, const std::array<double, kLatticeSize>& squares,
              const std::array<std::array<double, kLatticeSize>, kLatticeSize>& mu,
              const std::array<double, kLatticeSize>& rest,
              const std::function<bool(const std::array<std::int64_t, kLatticeSize>&)>& visit)
      : square_(square), most_(most), squares_(squares), mu_(mu), rest_(rest), visit_(visit) {}

  /// Visits all choices of the coefficients of the rows 0 .. level. Returns false to end.
  bool run(std::size_t level, double square) {
    if (++nodes_ > most_) return false;
    // The coefficient is offset - center away from the one that is closest.
    double center = rest_[level];
    for (std::size_t j = level + 1; j < kLatticeSize; ++j) center -= mu_[j][level] * distances_[j];
    const double radius = std::sqrt(std::max(0.0, square_ - square) / squares_[level]);
    const auto first = static_cast<std::int64_t>(std::ceil(center - radius));
    const auto last = static_cast<std::int64_t>(std::floor(center + radius));
    for (std::int64_t offset = first; offset <= last; ++offset) {
      const double from_center = static_cast<double>(offset) - center;
      offsets_[level] = offset;
      distances_[level] = static_cast<double>(offset) - rest_[level];
      const bool goes_on =
          level == 0 ? visit_(offsets_)
                     : run(level - 1, square + from_center * from_center * squares_[level]);
      if (!goes_on) return false;
    }
    return true;
  }

 private:
  double square_;
  std::uint64_t most_;
  std::uint64_t nodes_ = 0;
  const std::array<double, kLatticeSize>& squares_;
  const std::array<std::array<double, kLatticeSize>, kLatticeSize>& mu_;
  const std::array<double, kLatticeSize>&
      rest_;  ///< coefficients of the center, less the nearest integers
  const std::function<bool(const std::array<std::int64_t, kLatticeSize>&)>& visit_;
  std::array<std::int64_t, kLatticeSize> offsets_{};
  std::array<double, kLatticeSize> distances_{};  ///< from the coefficients of the center
};

}  // namespace

ReducedLattice::ReducedLattice(const std::array<Point, kLatticeSize>& images) {
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    rows_[i].coordinates[i] = 1;
    rows_[i].image = images[i];
  }
  reduce();
}

void ReducedLattice::orthogonalize(std::size_t row) {
  Row& now = rows_[row];
  now.orthogonal = now.image;
  for (std::size_t j = 0; j < row; ++j) {
    const Row& before = rows_[j];
    now.mu[j] = dot(now.image, before.orthogonal) / before.square;
    for (std::size_t i = 0; i < kLatticeSize; ++i)
      now.orthogonal[i] -= now.mu[j] * before.orthogonal[i];
  }
  now.square = dot(now.orthogonal, now.orthogonal);
}

void ReducedLattice::reduce_size(std::size_t row) {
  Row& now = rows_[row];
  for (std::size_t j = row; j-- > 0;) {
    const Row& before = rows_[j];
    const Integer factor = nearest_integer(now.mu[j]);
    if (factor == 0) continue;
    const QuadFloat real(factor);
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      now.coordinates[i] -= factor * before.coordinates[i];
      now.image[i] -= real * before.image[i];
    }
    for (std::size_t i = 0; i < j; ++i) now.mu[i] -= real * before.mu[i];
    now.mu[j] -= real;
  }
}

void ReducedLattice::reduce() {
  orthogonalize(0);
  for (std::size_t row = 1; row < kLatticeSize;) {
    orthogonalize(row);
    reduce_size(row);
    orthogonalize(row);  // what was subtracted may have been much larger than the rest
    const QuadFloat& mu = rows_[row].mu[row - 1];
    const QuadFloat& before = rows_[row - 1].square;
    if (rows_[row].square >= (kLovaszConstant - mu * mu) * before) {
      ++row;
      continue;
    }
    std::swap(rows_[row], rows_[row - 1]);
    orthogonalize(row - 1);
    row = std::max<std::size_t>(row - 1, 1);
  }
}

bool ReducedLattice::visit_close(const Point& center, double distance, std::uint64_t most,
                                 const std::function<bool(const Coordinates&)>& visit) const {
  // The integer vector close to the center, and what is left of its coefficients.
  std::array<Integer, kLatticeSize> base;
  std::array<double, kLatticeSize> rest{};
  Point left = center;
  for (std::size_t row = kLatticeSize; row-- > 0;) {
    const QuadFloat coefficient = dot(left, rows_[row].orthogonal) / rows_[row].square;
    const Integer nearest = nearest_integer(coefficient);
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      base[i] += nearest * rows_[row].coordinates[i];
      left[i] -= QuadFloat(nearest) * rows_[row].image[i];
    }
  }
  std::array<double, kLatticeSize> squares{};
  std::array<std::array<double, kLatticeSize>, kLatticeSize> mu{};
  // Now `left` has small coefficients; those of the rows behind count for the rows before.
  for (std::size_t row = kLatticeSize; row-- > 0;) {
    const QuadFloat coefficient = dot(left, rows_[row].orthogonal) / rows_[row].square;
    rest[row] = static_cast<double>(coefficient);
    for (std::size_t i = 0; i < kLatticeSize; ++i) left[i] -= coefficient * rows_[row].image[i];
    squares[row] = static_cast<double>(rows_[row].square);
    for (std::size_t j = 0; j < row; ++j) mu[row][j] = static_cast<double>(rows_[row].mu[j]);
  }
  Coordinates origin{};
  std::array<Coordinates, kLatticeSize> basis{};
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    origin[i] = static_cast<std::int64_t>(base[i]);
    for (std::size_t row = 0; row < kLatticeSize; ++row) {
      basis[row][i] = static_cast<std::int64_t>(rows_[row].coordinates[i]);
    }
  }
  const auto visit_offsets = [&](const std::array<std::int64_t, kLatticeSize>& offsets) {
    Coordinates point = origin;
    for (std::size_t row = 0; row < kLatticeSize; ++row) {
      for (std::size_t i = 0; i < kLatticeSize; ++i) point[i] += offsets[row] * basis[row][i];
    }
    return visit(point);
  };
  constexpr double kRounding = 1 + 1e-6;
  const std::function<bool(const std::array<std::int64_t, kLatticeSize>&)> visitor = visit_offsets;
  Enumeration search(distance * distance * kRounding, most, squares, mu, rest, visitor);
  return search.run(kLatticeSize - 1, 0);
}

}  // namespace quartz::approximation
