#include "approximation/unitary_search.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "approximation/lattice_reduction.hpp"

namespace quartz::approximation {
namespace {

using Vector = std::array<QuadFloat, 4>;

/// Nodes of the search tree for one denominator, of which a second has some 20 million.
constexpr std::uint64_t kMostNodes = 100'000'000;

/// The region of the vectors (u, u'), of a unitary and its conjugate, is in the ellipsoid
///   kTangential (t / epsilon)^2 + kRadial (2 d - 1)^2 + kConjugate |u'|^2 <= 1,
/// where t is the part of u that is orthogonal to the target and d the part of the largest defect:
/// on the sphere, (t / epsilon)^2 <= d <= 1. These weights, with the sum 1, make it smallest.
constexpr double kTangential = 0.375;
constexpr double kRadial = 0.125;
constexpr double kConjugate = 0.5;

QuadFloat real_of(const Integer& x, unsigned bits) {
  return ldexp(QuadFloat(x), -static_cast<int>(bits));
}

/// Returns the image of w^power, or of its conjugate.
std::pair<QuadFloat, QuadFloat> power_of_omega(unsigned power, bool is_conjugate) {
  const QuadFloat half = sqrt(QuadFloat(2)) / 2;
  const std::array<std::pair<QuadFloat, QuadFloat>, 4> powers{
      {{QuadFloat(1), QuadFloat(0)}, {half, half}, {QuadFloat(0), QuadFloat(1)}, {-half, half}}};
  auto [real, imaginary] = powers[power];
  // The conjugate of w is -w.
  if (is_conjugate && power % 2 != 0) return {-real, -imaginary};
  return {real, imaginary};
}

/// Returns orthogonal vectors of length 1, of which v is the first.
std::array<Vector, 4> frame_of(const Vector& v) {
  return {{v, {-v[1], v[0], -v[3], v[2]}, {-v[2], v[3], v[0], -v[1]}, {-v[3], -v[2], v[1], v[0]}}};
}

/// One of the two kinds of unitaries over the ring, of determinant 1 and w.
class Determinant {
 public:
  Determinant(const SpecialUnitary& target, double epsilon, unsigned parity)
      : parity_(parity),
        bits_(target.bits),
        error_(target.error),
        root_two_(root_two(bits_)),
        largest_defect_(defect_of(epsilon, bits_)),
        a_(target.a),
        b_(target.b) {
    if (parity != 0) {
      const CirclePoint turn = half_angle_point(Angle::pi_times({1, 4}), bits_);
      a_ = product(a_, turn, bits_);
      b_ = product(b_, turn, bits_);
      error_ += 8;
    }
    const Vector v{real_of(a_.cosine, bits_), real_of(a_.sine, bits_), real_of(b_.cosine, bits_),
                   real_of(b_.sine, bits_)};
    const std::array<Vector, 4> frame = frame_of(v);
    const QuadFloat half_height = QuadFloat(epsilon) * QuadFloat(epsilon) / 4;
    const QuadFloat radial = sqrt(QuadFloat(kRadial)) / half_height;
    center_ = radial * (1 - half_height);
    const QuadFloat tangential = sqrt(QuadFloat(kTangential)) / QuadFloat(epsilon);
    std::array<ReducedLattice::Point, kLatticeSize> images;
    for (unsigned i = 0; i < kLatticeSize; ++i) {
      Vector plain{};
      std::tie(plain[2 * (i / 4)], plain[2 * (i / 4) + 1]) = power_of_omega(i % 4, false);
      Vector conjugate{};
      std::tie(conjugate[2 * (i / 4)], conjugate[2 * (i / 4) + 1]) = power_of_omega(i % 4, true);
      for (unsigned j = 0; j < 4; ++j) {
        QuadFloat overlap = 0;
        for (unsigned m = 0; m < 4; ++m) overlap += plain[m] * frame[j][m];
        images[i][j] = overlap * (j == 0 ? radial : tangential);
        images[i][4 + j] = conjugate[j] * sqrt(QuadFloat(kConjugate));
      }
    }
    lattice_.emplace(images);
  }

  /// Finds the unitaries with the denominator sqrt(2)^k. Returns false if there are too many
  /// vectors.
  bool find(unsigned k) {
    if (k <= largest_k_) return true;
    largest_k_ = k;
    const QuadFloat scale = sqrt(ldexp(QuadFloat(1), static_cast<int>(k)));
    ReducedLattice::Point center{};
    center[0] = center_ * scale;
    return lattice_->visit_close(center, static_cast<double>(scale), kMostNodes,
                                 [&](const ReducedLattice::Coordinates& point) {
                                   add(point, k);
                                   return true;
                                 });
  }

  /// Returns the closest unitary with this number of T gates that was found; null if there is none.
  [[nodiscard]] const ExactApproximation* with_t_count(unsigned t_count) const {
    const auto found = found_.find(t_count);
    return found == found_.end() ? nullptr : &found->second;
  }

 private:
  /// Adds the unitary with this first column, if it is one and close enough.
  void add(const ReducedLattice::Coordinates& point, unsigned k) {
    // The absolute squares of both entries add up to 2^k, without a multiple of sqrt(2).
    std::int64_t square = 0;
    std::int64_t root = 0;
    for (const std::size_t i : {std::size_t{0}, std::size_t{4}}) {
      const std::int64_t* c = &point[i];
      square += c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
      root += c[0] * c[1] + c[1] * c[2] + c[2] * c[3] - c[3] * c[0];
    }
    if (square != std::int64_t{1} << k || root != 0) return;
    CyclotomicInteger upper;
    CyclotomicInteger lower;
    for (std::size_t i = 0; i < 4; ++i) {
      upper.c[i] = point[i];
      lower.c[i] = point[4 + i];
    }
    const Integer one = Integer(1) << (2 * bits_);
    const Integer slack = Integer(error_) << bits_;  // the error, times a vector of length 1
    const Integer overlap = lower_bound_of_overlap(upper, k, a_, root_two_, bits_) +
                            lower_bound_of_overlap(lower, k, b_, root_two_, bits_) - slack;
    const Integer defect = one - overlap;
    if (defect > largest_defect_) return;
    ExactApproximation now;
    now.unitary = {
        {upper, turned(adjoint(lower), 4 + parity_), lower, turned(adjoint(upper), parity_)}, k};
    now.gates = normal_form(now.unitary);
    now.phase = parity_;
    now.distance = distance_of(defect, bits_);
    const std::size_t t_gates = t_count(now.gates);
    const auto place = found_.find(t_gates);
    if (place == found_.end()) {
      found_.emplace(t_gates, std::move(now));
    } else if (now.distance < place->second.distance) {
      place->second = std::move(now);
    }
  }

  unsigned parity_;
  unsigned bits_;
  std::uint64_t error_;
  Integer root_two_;
  Integer largest_defect_;
  CirclePoint a_;
  CirclePoint b_;
  QuadFloat center_;  ///< center of the region, in the direction of the target
  std::optional<ReducedLattice> lattice_;
  unsigned largest_k_ = 0;
  std::map<std::size_t, ExactApproximation> found_;  ///< by T gates
};

}  // namespace

std::optional<ExactApproximation> search_unitary(const SpecialUnitary& target, double epsilon) {
  std::array<Determinant, 2> determinants{Determinant(target, epsilon, 0),
                                          Determinant(target, epsilon, 1)};
  for (unsigned t_count = 0;; ++t_count) {
    // Unitaries of determinant w have an odd number of T gates, the others an even one. The least
    // denominator of one with this number has k of (t_count + 2) / 2 at most, or half more.
    const unsigned parity = t_count % 2;
    Determinant& kind = determinants[parity];
    if (const ExactApproximation* const known = kind.with_t_count(t_count)) return *known;
    if (!kind.find((t_count + 2 + parity) / 2)) return std::nullopt;
    if (const ExactApproximation* const found = kind.with_t_count(t_count)) return *found;
  }
}

}  // namespace quartz::approximation
