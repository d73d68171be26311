#include "approximation/lattice_reduction.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace quartz::approximation {
namespace {

/// The constant of Lovasz' condition.
constexpr long double kLovaszConstant = 0.99L;

using NearPoint = std::array<long double, kLatticeSize>;

NearPoint near_point(const ReducedLattice::Point& point) {
  NearPoint result{};
  for (std::size_t i = 0; i < kLatticeSize; ++i) result[i] = static_cast<long double>(point[i]);
  return result;
}

long double dot(const NearPoint& a, const NearPoint& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < kLatticeSize; ++i) sum += a[i] * b[i];
  return sum;
}

Integer nearest_integer(long double x) { return Integer(std::floor(x + 0.5L)); }

/// The basis in double precision, as seen from a center.
struct View {
  std::array<ReducedLattice::Coordinates, kLatticeSize> basis;
  std::array<double, kLatticeSize> squares;  ///< squared lengths of the orthogonal parts
  std::array<std::array<double, kLatticeSize>, kLatticeSize> mu;
  ReducedLattice::Coordinates origin;  ///< a lattice point close to the center
  /// Coefficients of the center less the origin.
  std::array<double, kLatticeSize> rest;
};

/// The search tree: the coefficient of the last row is chosen first.
class Enumeration {
 public:
  using Visit = std::function<bool(const ReducedLattice::Coordinates&)>;

  Enumeration(const View& view, double square, std::uint64_t most, const Visit& visit)
      : view_(view), square_(square), most_(most), visit_(visit) {}

  bool run() { return run(kLatticeSize - 1, 0, view_.origin); }

 private:
  /// Visits all choices of the coefficients of the rows 0 .. level, which are added to a point.
  /// Returns false to end.
  bool run(std::size_t level, double square, const ReducedLattice::Coordinates& from) {
    if (++nodes_ > most_) return false;
    double center = view_.rest[level];
    for (std::size_t j = level + 1; j < kLatticeSize; ++j) {
      center -= view_.mu[j][level] * distances_[j];
    }
    const double radius = std::sqrt(std::max(0.0, square_ - square) / view_.squares[level]);
    const auto first = static_cast<std::int64_t>(std::ceil(center - radius));
    const auto last = static_cast<std::int64_t>(std::floor(center + radius));
    if (first > last) return true;
    const ReducedLattice::Coordinates& row = view_.basis[level];
    ReducedLattice::Coordinates point = from;
    for (std::size_t i = 0; i < kLatticeSize; ++i) point[i] += first * row[i];
    for (std::int64_t offset = first; offset <= last; ++offset) {
      const double from_center = static_cast<double>(offset) - center;
      distances_[level] = static_cast<double>(offset) - view_.rest[level];
      const bool goes_on =
          level == 0
              ? visit_(point)
              : run(level - 1, square + from_center * from_center * view_.squares[level], point);
      if (!goes_on) return false;
      for (std::size_t i = 0; i < kLatticeSize; ++i) point[i] += row[i];
    }
    return true;
  }

  const View& view_;
  double square_;
  std::uint64_t most_;
  const Visit& visit_;
  std::uint64_t nodes_ = 0;
  std::array<double, kLatticeSize> distances_{};  ///< from the coefficients of the center
};

}  // namespace

ReducedLattice::ReducedLattice(const std::array<Point, kLatticeSize>& images) {
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    rows_[i].coordinates[i] = 1;
    rows_[i].image = images[i];
    rows_[i].rounded = near_point(images[i]);
  }
  reduce();
}

long double ReducedLattice::coefficient(const Point& point, std::size_t row) const {
  return dot(near_point(point), rows_[row].orthogonal) / rows_[row].square;
}

void ReducedLattice::orthogonalize(std::size_t row) {
  Row& now = rows_[row];
  now.orthogonal = now.rounded;
  for (std::size_t j = 0; j < row; ++j) {
    const Row& before = rows_[j];
    now.mu[j] = dot(now.rounded, before.orthogonal) / before.square;
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      now.orthogonal[i] -= now.mu[j] * before.orthogonal[i];
    }
  }
  now.square = dot(now.orthogonal, now.orthogonal);
}

void ReducedLattice::reduce_size(std::size_t row) {
  Row& now = rows_[row];
  bool is_changed = false;
  for (std::size_t j = row; j-- > 0;) {
    const Row& before = rows_[j];
    const Integer factor = nearest_integer(now.mu[j]);
    if (factor == 0) continue;
    is_changed = true;
    const QuadFloat real(factor);
    const auto multiple = static_cast<long double>(factor);
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      now.coordinates[i] -= factor * before.coordinates[i];
      now.image[i] -= real * before.image[i];
    }
    for (std::size_t i = 0; i < j; ++i) now.mu[i] -= multiple * before.mu[i];
    now.mu[j] -= multiple;
  }
  // What was subtracted may have been much larger than the rest.
  if (!is_changed) return;
  now.rounded = near_point(now.image);
  orthogonalize(row);
}

void ReducedLattice::reduce() {
  orthogonalize(0);
  for (std::size_t row = 1; row < kLatticeSize;) {
    orthogonalize(row);
    reduce_size(row);
    const long double mu = rows_[row].mu[row - 1];
    const long double before = rows_[row - 1].square;
    if (rows_[row].square >= (kLovaszConstant - mu * mu) * before) {
      ++row;
      continue;
    }
    std::swap(rows_[row], rows_[row - 1]);
    orthogonalize(row - 1);
    row = std::max<std::size_t>(row - 1, 1);
  }
}

double ReducedLattice::expected_points(double distance) const {
  // The volume of the ball, in units of the volume of a cell.
  long double points = std::pow(std::numbers::pi_v<long double>, 4) / 24;
  for (const Row& row : rows_) points *= distance / std::sqrt(row.square);
  return static_cast<double>(points);
}

bool ReducedLattice::visit_close(const Point& center, double distance, std::uint64_t most,
                                 const std::function<bool(const Coordinates&)>& visit) const {
  View view{};
  // Multiples of the rows lead to a lattice point close to the center. The first ones are large,
  // and what is left after them is rounded again.
  std::array<Integer, kLatticeSize> origin;
  Point left = center;
  for (bool is_close = false; !is_close;) {
    is_close = true;
    for (std::size_t row = kLatticeSize; row-- > 0;) {
      const long double exact = coefficient(left, row);
      if (std::abs(exact) <= 0.6L) continue;
      is_close = false;
      const Integer nearest = nearest_integer(exact);
      for (std::size_t i = 0; i < kLatticeSize; ++i) {
        origin[i] += nearest * rows_[row].coordinates[i];
        left[i] -= QuadFloat(nearest) * rows_[row].image[i];
      }
    }
  }
  // Now `left` has small coefficients.
  for (std::size_t row = kLatticeSize; row-- > 0;) {
    const long double exact = coefficient(left, row);
    view.rest[row] = static_cast<double>(exact);
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      left[i] -= QuadFloat(exact) * rows_[row].image[i];
    }
    view.squares[row] = static_cast<double>(rows_[row].square);
    for (std::size_t j = 0; j < row; ++j) view.mu[row][j] = static_cast<double>(rows_[row].mu[j]);
    view.origin[row] = static_cast<std::int64_t>(origin[row]);
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      view.basis[row][i] = static_cast<std::int64_t>(rows_[row].coordinates[i]);
    }
  }
  constexpr double kRounding = 1 + 1e-6;
  return Enumeration(view, distance * distance * kRounding, most, visit).run();
}

}  // namespace quartz::approximation
