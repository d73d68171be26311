#include "approximation/unitary_search.hpp"

#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "approximation/lattice_reduction.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

using Vector = std::array<QuadFloat, 4>;

/// Nodes of the search tree of one lattice, of which a second has some 20 million.
constexpr std::uint64_t kMostNodes = 100'000'000;

/// Largest number of prefixes, of which a second has some hundred.
constexpr std::size_t kMostPrefixes = 20'000;

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

  /// Returns how many vectors with the denominator sqrt(2)^k are in the region, about.
  [[nodiscard]] double expected_points(unsigned k) const {
    return lattice_->expected_points(std::exp2(0.5 * k));
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

/// Returns the largest k of the least denominators sqrt(2)^k of unitaries with a number of T gates.
/// Those of determinant w have an odd number, the others an even one.
unsigned largest_exponent(unsigned t_count) { return t_count / 2 + 1 + t_count % 2; }

/// The part of a normal form that is applied last, and what the part before it has to approximate.
struct Prefix {
  std::vector<GateKind> gates;  ///< the one applied last first
  SpecialUnitary rest;
  unsigned phase = 0;  ///< the target is e^{-i phase pi / 8} times the gates times the rest
};

/// Appends the inverses of a syllable to the rest of a target.
class PrefixExtension {
 public:
  explicit PrefixExtension(unsigned bits)
      : t_inverse_(half_angle_point(Angle::pi_times({-1, 4}), bits)),
        s_inverse_(half_angle_point(Angle::pi_times({-1, 2}), bits)) {}

  [[nodiscard]] Prefix extended(Prefix prefix, std::span<const GateKind> syllable) const {
    for (const GateKind gate : syllable) {
      prefix.gates.push_back(gate);
      switch (gate) {
        case GateKind::t:
          apply_turn(t_inverse_, prefix.rest);
          prefix.phase += 1;
          break;
        case GateKind::s:
          apply_turn(s_inverse_, prefix.rest);
          prefix.phase += 2;
          break;
        default:  // The inverse of H is -i H, times i.
          apply_h(prefix.rest);
          prefix.phase += 16 - 4;
      }
    }
    return prefix;
  }

 private:
  CirclePoint t_inverse_;
  CirclePoint s_inverse_;
};

/// The syllables of normal forms, the gate applied last first. Only the last one may be a t alone.
constexpr std::array<GateKind, 2> kShortSyllable{GateKind::h, GateKind::t};
constexpr std::array<GateKind, 3> kLongSyllable{GateKind::s, GateKind::h, GateKind::t};

/// Returns the prefixes with one more T gate.
std::vector<Prefix> extended(const std::vector<Prefix>& prefixes, const PrefixExtension& extension) {
  std::vector<Prefix> result;
  for (const Prefix& prefix : prefixes) {
    if (prefix.gates.empty()) {
      result.push_back(extension.extended(prefix, std::span(kShortSyllable).subspan(1)));
    }
    result.push_back(extension.extended(prefix, kShortSyllable));
    result.push_back(extension.extended(prefix, kLongSyllable));
  }
  return result;
}

/// Returns the closest unitary with this number of T gates that begins with one of the prefixes.
std::optional<ExactApproximation> closest_with_prefix(const std::vector<Prefix>& prefixes,
                                                      unsigned t_count, double epsilon,
                                                      const std::stop_token& stop) {
  std::optional<ExactApproximation> best;
  for (const Prefix& prefix : prefixes) {
    if (stop.stop_requested()) throw Stopped("stopped while approximating a product");
    Determinant kind(prefix.rest, epsilon, t_count % 2);
    if (!kind.find(largest_exponent(t_count))) return std::nullopt;
    const ExactApproximation* const found = kind.with_t_count(t_count);
    if (found == nullptr || (best && best->distance <= found->distance)) continue;
    best = *found;
    const std::vector<GateKind> gates(prefix.gates.rbegin(), prefix.gates.rend());
    best->unitary = followed_by(std::move(best->unitary), gates);
    best->phase = (best->phase + prefix.phase) % 16;
  }
  if (best) best->gates = normal_form(best->unitary);
  return best;
}

/// Approximates a target whose approximations have more T gates than a lattice is searched for.
std::optional<ExactApproximation> search_with_prefixes(const SpecialUnitary& target, double epsilon,
                                                       unsigned largest_t_count,
                                                       const std::stop_token& stop) {
  const PrefixExtension extension(target.bits);
  std::vector<Prefix> prefixes(1);
  prefixes.front().rest = target;
  for (;;) {
    prefixes = extended(prefixes, extension);
    if (prefixes.size() > kMostPrefixes) return std::nullopt;
    std::optional<ExactApproximation> found =
        closest_with_prefix(prefixes, largest_t_count, epsilon, stop);
    if (found) return found;
  }
}

}  // namespace

std::optional<ExactApproximation> search_unitary(const SpecialUnitary& target, double epsilon,
                                                 const std::stop_token& stop, double most_points) {
  std::array<Determinant, 2> determinants{Determinant(target, epsilon, 0),
                                          Determinant(target, epsilon, 1)};
  for (unsigned t_count = 0;; ++t_count) {
    Determinant& kind = determinants[t_count % 2];
    if (const ExactApproximation* const known = kind.with_t_count(t_count)) return *known;
    const unsigned k = largest_exponent(t_count);
    if (t_count != 0 && kind.expected_points(k) > most_points) {
      return search_with_prefixes(target, epsilon, t_count - 1, stop);
    }
    if (!kind.find(k)) return std::nullopt;
    if (const ExactApproximation* const found = kind.with_t_count(t_count)) return *found;
  }
}

}  // namespace quartz::approximation
