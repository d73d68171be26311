#include "approximation/lattice_reduction.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

/// The constant of Lovasz' condition.
constexpr double kLovaszConstant = 0.99;

template <typename Near>
using NearPoint = std::array<Near, kLatticeSize>;

template <typename Near, typename Real>
NearPoint<Near> near_point(const std::array<Real, kLatticeSize>& point) {
  NearPoint<Near> result{};
  for (std::size_t i = 0; i < kLatticeSize; ++i) result[i] = static_cast<Near>(point[i]);
  return result;
}

template <typename Near>
Near dot(const NearPoint<Near>& a, const NearPoint<Near>& b) {
  Near sum = 0;
  for (std::size_t i = 0; i < kLatticeSize; ++i) sum += a[i] * b[i];
  return sum;
}

/// The search tree: the coefficient of the last row is chosen first.
class Enumeration {
 public:
  using Basis = LatticeBasis<std::int64_t, double, double>;
  using Visit = std::function<bool(const LatticeView::Coordinates&)>;

  Enumeration(const Basis& basis, const NearPoint<double>& rest, double square,
              std::uint64_t& nodes_left, const Visit& visit)
      : rows_(basis.rows()), rest_(rest), square_(square), nodes_left_(nodes_left), visit_(visit) {}

  bool run(const LatticeView::Coordinates& origin) { return run(kLatticeSize - 1, 0, origin); }

 private:
  /// Returns false if there were too many nodes before this one.
  bool count_node() {
    if (nodes_left_ == 0) return false;
    --nodes_left_;
    return true;
  }

  /// Visits all choices of the coefficients of the rows 0 .. level, which are added to a point.
  /// Returns false to end.
  bool run(std::size_t level, double square, const LatticeView::Coordinates& from) {
    if (!count_node()) return false;
    double center = rest_[level];
    for (std::size_t j = level + 1; j < kLatticeSize; ++j) {
      center -= rows_[j].mu[level] * distances_[j];
    }
    const double length = rows_[level].square;
    const double radius = std::sqrt(std::max(0.0, square_ - square) / length);
    const auto first = static_cast<std::int64_t>(std::ceil(center - radius));
    const auto last = static_cast<std::int64_t>(std::floor(center + radius));
    if (first > last) return true;
    const LatticeView::Coordinates& row = rows_[level].point.coordinates;
    LatticeView::Coordinates point = from;
    for (std::size_t i = 0; i < kLatticeSize; ++i) point[i] += first * row[i];
    for (std::int64_t offset = first;; ++offset) {
      const double from_center = static_cast<double>(offset) - center;
      distances_[level] = static_cast<double>(offset) - rest_[level];
      const bool goes_on = level == 0
                               ? count_node() && visit_(point)
                               : run(level - 1, square + from_center * from_center * length, point);
      if (!goes_on) return false;
      // The point beyond the last one is not used.
      if (offset == last) return true;
      for (std::size_t i = 0; i < kLatticeSize; ++i) point[i] += row[i];
    }
  }

  const std::array<Basis::Row, kLatticeSize>& rows_;
  const NearPoint<double>& rest_;  ///< coefficients of the center less the origin
  double square_;
  std::uint64_t& nodes_left_;
  const Visit& visit_;
  std::array<double, kLatticeSize> distances_{};  ///< from the coefficients of the center
};

std::array<LatticePoint<Integer, QuadFloat>, kLatticeSize> unit_vectors(
    const std::array<ReducedLattice::Point, kLatticeSize>& images) {
  std::array<LatticePoint<Integer, QuadFloat>, kLatticeSize> points;
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    points[i].coordinates[i] = 1;
    points[i].image = images[i];
  }
  return points;
}

LatticeView::Point rounded(const LatticePoint<Integer, QuadFloat>& point) {
  LatticeView::Point result;
  result.image = near_point<double>(point.image);
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    result.coordinates[i] = static_cast<std::int64_t>(point.coordinates[i]);
  }
  return result;
}

}  // namespace

template <typename Coordinate, typename Real>
void LatticePoint<Coordinate, Real>::add(const Coordinate& factor, const LatticePoint& other) {
  const auto real = static_cast<Real>(factor);
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    coordinates[i] += factor * other.coordinates[i];
    image[i] += real * other.image[i];
  }
}

template <typename Coordinate, typename Real, typename Near>
LatticeBasis<Coordinate, Real, Near>::LatticeBasis(
    const std::array<LatticePoint<Coordinate, Real>, kLatticeSize>& points) {
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    rows_[i].point = points[i];
    rows_[i].rounded = near_point<Near>(points[i].image);
  }
  reduce();
}

template <typename Coordinate, typename Real, typename Near>
Near LatticeBasis<Coordinate, Real, Near>::coefficient(const std::array<Real, kLatticeSize>& image,
                                                       std::size_t row) const {
  return dot(near_point<Near>(image), rows_[row].orthogonal) / rows_[row].square;
}

template <typename Coordinate, typename Real, typename Near>
void LatticeBasis<Coordinate, Real, Near>::subtract_from(
    LatticePoint<Coordinate, Real>& point) const {
  // The first multiples may be large, and what is left after them is rounded again.
  for (bool is_small = false; !is_small;) {
    is_small = true;
    for (std::size_t row = kLatticeSize; row-- > 0;) {
      const Near exact = coefficient(point.image, row);
      if (std::abs(exact) <= Near(0.6)) continue;
      is_small = false;
      point.add(Coordinate(-std::floor(exact + Near(0.5))), rows_[row].point);
    }
  }
}

template <typename Coordinate, typename Real, typename Near>
void LatticeBasis<Coordinate, Real, Near>::orthogonalize(std::size_t row) {
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

template <typename Coordinate, typename Real, typename Near>
void LatticeBasis<Coordinate, Real, Near>::reduce_size(std::size_t row) {
  Row& now = rows_[row];
  bool is_changed = false;
  for (std::size_t j = row; j-- > 0;) {
    const Row& before = rows_[j];
    const Near factor = std::floor(now.mu[j] + Near(0.5));
    if (factor == 0) continue;
    is_changed = true;
    now.point.add(Coordinate(-factor), before.point);
    for (std::size_t i = 0; i < j; ++i) now.mu[i] -= factor * before.mu[i];
    now.mu[j] -= factor;
  }
  // What was subtracted may have been much larger than the rest.
  if (!is_changed) return;
  now.rounded = near_point<Near>(now.point.image);
  orthogonalize(row);
}

template <typename Coordinate, typename Real, typename Near>
void LatticeBasis<Coordinate, Real, Near>::reduce() {
  orthogonalize(0);
  bool is_orthogonal = false;  // whether the orthogonal part of the row is known
  for (std::size_t row = 1; row < kLatticeSize;) {
    if (!is_orthogonal) orthogonalize(row);
    reduce_size(row);
    const Near mu = rows_[row].mu[row - 1];
    const Near before = rows_[row - 1].square;
    if (rows_[row].square >= (Near(kLovaszConstant) - mu * mu) * before) {
      ++row;
      is_orthogonal = false;
      continue;
    }
    std::swap(rows_[row], rows_[row - 1]);
    orthogonalize(row - 1);
    is_orthogonal = row > 1;
    row = std::max<std::size_t>(row - 1, 1);
  }
}

LatticeView::LatticeView(const Points& basis, const Point& center)
    : basis_(basis), center_(center) {
  basis_.subtract_from(center_);
}

bool LatticeView::visit(double distance, std::uint64_t& nodes_left,
                        const std::function<bool(const Coordinates&)>& visit) const {
  NearPoint<double> rest{};
  NearPoint<double> left = center_.image;
  for (std::size_t row = kLatticeSize; row-- > 0;) {
    rest[row] = basis_.coefficient(left, row);
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      left[i] -= rest[row] * basis_.rows()[row].point.image[i];
    }
  }
  Coordinates origin = center_.coordinates;
  for (std::int64_t& each : origin) each = -each;
  constexpr double kRounding = 1 + 1e-6;
  return Enumeration(basis_, rest, distance * distance * kRounding, nodes_left, visit).run(origin);
}

LatticeView::Points LatticeView::basis() const {
  Points points;
  for (std::size_t i = 0; i < kLatticeSize; ++i) points[i] = basis_.rows()[i].point;
  return points;
}

void keep_even(LatticeView::Points& basis, LatticeView::Point& center,
               const std::function<unsigned(const LatticeView::Coordinates&)>& parities) {
  // Gaussian elimination: a row with a bit that those before lack is a pivot, and is added to
  // whatever has the bit. Twice the pivot is even.
  unsigned of_center = parities(center.coordinates);
  std::array<unsigned, kLatticeSize> of_rows{};
  for (std::size_t i = 0; i < kLatticeSize; ++i) of_rows[i] = parities(basis[i].coordinates);
  for (std::size_t row = 0; row < kLatticeSize; ++row) {
    const unsigned pivot = of_rows[row];
    if (pivot == 0) continue;
    const unsigned bit = pivot & (~pivot + 1);
    for (std::size_t i = row + 1; i < kLatticeSize; ++i) {
      if ((of_rows[i] & bit) == 0) continue;
      basis[i].add(1, basis[row]);
      of_rows[i] ^= pivot;
    }
    if ((of_center & bit) != 0) {
      center.add(-1, basis[row]);
      of_center ^= pivot;
    }
    const LatticeView::Point once = basis[row];
    basis[row].add(1, once);
  }
  ensure(of_center == 0, "a basis of a lattice lacks a parity of one of its points");
}

ReducedLattice::ReducedLattice(const std::array<Point, kLatticeSize>& images)
    : basis_(unit_vectors(images)) {}

double ReducedLattice::expected_points(double distance) const {
  // The volume of the ball, in units of the volume of a cell.
  long double points = std::pow(std::numbers::pi_v<long double>, 4) / 24;
  for (const auto& row : basis_.rows()) points *= distance / std::sqrt(row.square);
  return static_cast<double>(points);
}

LatticeView ReducedLattice::view_from(const Point& center) const {
  LatticePoint<Integer, QuadFloat> left;
  left.image = center;
  basis_.subtract_from(left);
  LatticeView::Points points;
  for (std::size_t i = 0; i < kLatticeSize; ++i) points[i] = rounded(basis_.rows()[i].point);
  return {points, rounded(left)};
}

template class LatticeBasis<Integer, QuadFloat, long double>;
template class LatticeBasis<std::int64_t, double, double>;

}  // namespace quartz::approximation
