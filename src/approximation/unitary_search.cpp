#include "approximation/unitary_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <utility>

#include "approximation/lattice_reduction.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::approximation {
namespace {

using Vector = std::array<QuadFloat, 4>;

/// Nodes and points of the search tree of one lattice, of which a second has some 60 million. A
/// search gives up on a target for which a region has more than the expected points: one close to a
/// unitary over the ring that is not close enough.
constexpr std::uint64_t kMostNodes = 30'000'000;

/// Returns how many prefixes with the same number of T gates are searched at most, of which a
/// second has some 50,000. Most targets need a tenth of them; those close to a unitary over the
/// ring, but not close enough, may take a third more T gates, each of which doubles the number.
double most_prefixes(double epsilon, double most_points) {
  constexpr double kAlways = 20'000;
  constexpr double kTimesExpected = 12;
  return std::max(kAlways, kTimesExpected / std::sqrt(epsilon * most_points));
}

/// Returns how many nodes and points the lattices of all prefixes may have together, which is twice
/// as many as they have if no region has more than the expected points. A target just beyond the
/// distance of a unitary over the ring has a region with hundreds of times as many for every other
/// prefix, none of which has the right length.
std::uint64_t most_nodes(double prefixes, double most_points) {
  constexpr double kTimesExpected = 4;
  constexpr double kLevels = 8;  // a tree without points
  return static_cast<std::uint64_t>(kTimesExpected * prefixes * (most_points + kLevels));
}

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

/// The coordinates of two elements of Z[w], one after the other.
using Coordinates = LatticeView::Coordinates;

/// Returns whether the absolute squares of both entries add up to 2^k, without a multiple of
/// sqrt(2).
bool has_length(const Coordinates& point, unsigned k) {
  std::int64_t square = 0;
  std::int64_t root = 0;
  for (const std::size_t i : {std::size_t{0}, std::size_t{4}}) {
    const std::int64_t* c = &point[i];
    square += c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
    root += c[0] * c[1] + c[1] * c[2] + c[2] * c[3] - c[3] * c[0];
  }
  return square == std::int64_t{1} << k && root == 0;
}

/// What a unitary of the determinant w^parity approximates, up to a sign.
struct Target {
  SpecialUnitary unitary;
  unsigned parity = 0;
  Integer largest_defect;
  Integer root_two;
};

Target make_target(SpecialUnitary unitary, double epsilon, unsigned parity) {
  const unsigned bits = unitary.bits;
  if (parity != 0) {
    multiply_by_phase(half_angle_point(Angle::pi_times({1, 4}), bits), unitary);
  }
  return {std::move(unitary), parity, defect_of(epsilon, bits), root_two(bits)};
}

/// Returns the unitary whose first column is a vector over sqrt(2)^k, if it is close enough.
std::optional<ExactApproximation> approximation_by(const Coordinates& point, unsigned k,
                                                   const Target& target) {
  CyclotomicInteger upper;
  CyclotomicInteger lower;
  for (std::size_t i = 0; i < 4; ++i) {
    upper.c[i] = point[i];
    lower.c[i] = point[4 + i];
  }
  const SpecialUnitary& wanted = target.unitary;
  const unsigned bits = wanted.bits;
  const Integer one = Integer(1) << (2 * bits);
  const Integer slack = Integer(wanted.error) << bits;  // the error, times a vector of length 1
  const Integer overlap = lower_bound_of_overlap(upper, k, wanted.a, target.root_two, bits) +
                          lower_bound_of_overlap(lower, k, wanted.b, target.root_two, bits) - slack;
  const Integer defect = one - overlap;
  if (defect > target.largest_defect) return std::nullopt;
  ExactApproximation found;
  found.unitary = {{upper, turned(adjoint(lower), 4 + target.parity), lower,
                    turned(adjoint(upper), target.parity)},
                   k};
  found.gates = normal_form(found.unitary);
  found.phase = target.parity;
  found.distance = distance_of(defect, bits);
  return found;
}

/// The lattice of the vectors, in whose images the region of those that are close to a target is in
/// a ball.
class Region {
 public:
  Region(const SpecialUnitary& target, double epsilon) {
    const Vector v{real_of(target.a.cosine, target.bits), real_of(target.a.sine, target.bits),
                   real_of(target.b.cosine, target.bits), real_of(target.b.sine, target.bits)};
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
    return lattice_->expected_points(radius(k));
  }

  [[nodiscard]] LatticeView view(unsigned k) const {
    ReducedLattice::Point center{};
    center[0] = center_ * sqrt(ldexp(QuadFloat(1), static_cast<int>(k)));
    return lattice_->view_from(center);
  }

  /// Returns the radius of the ball for the denominator sqrt(2)^k.
  [[nodiscard]] static double radius(unsigned k) { return std::exp2(0.5 * k); }

 private:
  QuadFloat center_;  ///< in the direction of the target, for the denominator 1
  std::optional<ReducedLattice> lattice_;
};

/// One of the two kinds of unitaries over the ring, of determinant 1 and w.
class Determinant {
 public:
  Determinant(const SpecialUnitary& target, double epsilon, unsigned parity)
      : target_(make_target(target, epsilon, parity)), region_(target_.unitary, epsilon) {}

  [[nodiscard]] const Region& region() const { return region_; }

  /// Finds the unitaries with the denominator sqrt(2)^k. Returns false if there are too many
  /// vectors.
  bool find(unsigned k) {
    if (k <= largest_k_) return true;
    largest_k_ = k;
    std::uint64_t nodes_left = kMostNodes;
    return region_.view(k).visit(Region::radius(k), nodes_left, [&](const Coordinates& point) {
      if (has_length(point, k)) add(point, k);
      return true;
    });
  }

  /// Returns the closest unitary with this number of T gates that was found; null if there is none.
  [[nodiscard]] const ExactApproximation* with_t_count(unsigned t_count) const {
    const auto found = found_.find(t_count);
    return found == found_.end() ? nullptr : &found->second;
  }

 private:
  void add(const Coordinates& point, unsigned k) {
    std::optional<ExactApproximation> now = approximation_by(point, k, target_);
    if (!now) return;
    const std::size_t t_gates = t_count(now->gates);
    const auto place = found_.find(t_gates);
    if (place == found_.end()) {
      found_.emplace(t_gates, *std::move(now));
    } else if (now->distance < place->second.distance) {
      place->second = *std::move(now);
    }
  }

  Target target_;
  Region region_;
  unsigned largest_k_ = 0;
  std::map<std::size_t, ExactApproximation> found_;  ///< by T gates
};

/// Returns the largest k of the least denominators sqrt(2)^k of unitaries with a number of T gates.
/// Those of determinant w have an odd number, the others an even one.
unsigned largest_exponent(unsigned t_count) { return t_count / 2 + 1 + t_count % 2; }

/// Multiplies an entry by w^power, for a power of 0 .. 7.
void turn(Coordinates& point, std::size_t entry, unsigned power) {
  std::int64_t* const c = &point[4 * entry];
  for (; power != 0; --power) {
    const std::int64_t last = c[3];
    for (std::size_t i = 3; i > 0; --i) c[i] = c[i - 1];
    c[0] = -last;
  }
}

/// Multiplies both entries by sqrt(2) = w - w^3.
void multiply_by_root_two(Coordinates& point) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{4}}) {
    std::int64_t* const c = &point[i];
    const std::array<std::int64_t, 4> product{c[1] - c[3], c[0] + c[2], c[1] + c[3], c[2] - c[0]};
    std::copy(product.begin(), product.end(), c);
  }
}

/// A part of a normal form that is applied after the rest, with the T gate applied first.
enum class Syllable : std::uint8_t { t, ht, sht };

/// Returns the vectors that a syllable takes to those of a view. `is_odd` is whether it is the
/// first, the third, ... T gate: of two T gates, one has the factor w^-1, so that both have the
/// determinant 1 together, as S has with this factor, and H with w^-2.
LatticeView before(const LatticeView& view, Syllable syllable, bool is_odd) {
  LatticeView::Points basis = view.basis();
  LatticeView::Point center = view.center();
  const auto change_all = [&](auto change) {
    for (LatticeView::Point& row : basis) change(row.coordinates);
    change(center.coordinates);
  };
  if (syllable == Syllable::sht) {
    change_all([](Coordinates& point) {
      turn(point, 0, 1);
      turn(point, 1, 7);
    });
  }
  if (syllable != Syllable::t) {
    // With one denominator sqrt(2) more, H takes integer vectors to those with equal parities of
    // the entries. The conjugate of sqrt(2) is -sqrt(2).
    multiply_by_root_two(center.coordinates);
    for (std::size_t i = 0; i < kLatticeSize; ++i) {
      center.image[i] *= i < 4 ? std::numbers::sqrt2 : -std::numbers::sqrt2;
    }
    keep_even(basis, center, [](const Coordinates& point) {
      unsigned parities = 0;
      for (unsigned i = 0; i < 4; ++i) {
        parities |= static_cast<unsigned>((point[i] ^ point[4 + i]) & 1) << i;
      }
      return parities;
    });
    change_all([](Coordinates& point) {
      for (std::size_t i = 0; i < 4; ++i) {
        const std::int64_t sum = point[i] + point[4 + i];
        point[4 + i] = (point[i] - point[4 + i]) / 2;
        point[i] = sum / 2;
      }
      turn(point, 0, 2);
      turn(point, 1, 2);
    });
    for (LatticeView::Point& row : basis) {
      for (double& each : row.image) each *= std::numbers::sqrt2 / 2;
    }
    for (double& each : center.image) each *= std::numbers::sqrt2 / 2;
  }
  change_all([&](Coordinates& point) { turn(point, is_odd ? 1 : 0, is_odd ? 7 : 1); });
  return {basis, center};
}

std::span<const GateKind> gates_of(Syllable syllable) {
  static constexpr std::array<GateKind, 3> kGates{GateKind::s, GateKind::h, GateKind::t};
  return std::span(kGates).subspan(2 - static_cast<std::size_t>(syllable));
}

/// Searches for unitaries that end with a prefix of a normal form: syllables that are applied last.
/// What is before them has a constant number of T gates.
class PrefixSearch {
 public:
  /// `t_count`, the T gates before the prefix, is even. The search ends after `most_nodes`.
  PrefixSearch(const SpecialUnitary& target, const std::array<Determinant, 2>& determinants,
               double epsilon, unsigned t_count, std::uint64_t most_nodes,
               const std::stop_token& stop)
      : target_(make_target(target, epsilon, 0)),
        t_inverse_(half_angle_point(Angle::pi_times({-1, 4}), target.bits)),
        s_inverse_(half_angle_point(Angle::pi_times({-1, 2}), target.bits)),
        t_count_(t_count),
        exponent_(largest_exponent(t_count)),
        nodes_left_(most_nodes),
        roots_{determinants[0].region().view(exponent_), determinants[1].region().view(exponent_)},
        stop_(stop) {}

  /// Finds the closest of all unitaries whose prefix has this number of T gates. Returns false if
  /// there are too many vectors.
  bool find(unsigned prefix) {
    best_.reset();
    return extend(roots_[prefix % 2], prefix);
  }

  /// Returns what was found last.
  [[nodiscard]] std::optional<ExactApproximation> found() const {
    std::optional<ExactApproximation> best = best_;
    if (best) best->gates = normal_form(best->unitary);
    return best;
  }

 private:
  /// Visits what is before the prefixes with `left` more syllables.
  bool extend(const LatticeView& view, unsigned left) {
    if (left == 0) return visit(view);
    for (const Syllable syllable : {Syllable::t, Syllable::ht, Syllable::sht}) {
      if (syllable == Syllable::t && !prefix_.empty()) continue;
      prefix_.push_back(syllable);
      const bool is_complete = extend(before(view, syllable, prefix_.size() % 2 != 0), left - 1);
      prefix_.pop_back();
      if (!is_complete) return false;
    }
    return true;
  }

  bool visit(const LatticeView& view) {
    if (stop_.stop_requested()) throw Stopped("stopped while approximating a product");
    return view.visit(Region::radius(exponent_), nodes_left_, [&](const Coordinates& point) {
      if (has_length(point, exponent_)) add(point);
      return true;
    });
  }

  void add(const Coordinates& point) {
    Target rest = target_;
    std::vector<GateKind> gates;
    unsigned phase = 0;  // the target is e^{-i phase pi / 8} times the gates times the rest
    for (const Syllable syllable : prefix_) {
      for (const GateKind gate : gates_of(syllable)) {
        gates.push_back(gate);
        phase += apply_inverse(gate, rest.unitary);
      }
    }
    std::optional<ExactApproximation> found = approximation_by(point, exponent_, rest);
    if (!found || quartz::approximation::t_count(found->gates) != t_count_) return;
    if (best_ && best_->distance <= found->distance) return;
    std::reverse(gates.begin(), gates.end());
    found->unitary = followed_by(std::move(found->unitary), gates);
    found->phase = phase % 16;
    best_ = std::move(found);
  }

  /// Multiplies by the inverse of a gate of determinant 1, and returns the phase by which the gate
  /// differs from that one, in multiples of pi / 8.
  [[nodiscard]] unsigned apply_inverse(GateKind gate, SpecialUnitary& unitary) const {
    switch (gate) {
      case GateKind::t:
        apply_turn(t_inverse_, unitary);
        return 1;
      case GateKind::s:
        apply_turn(s_inverse_, unitary);
        return 2;
      default:
        apply_inverse_h(unitary);
        return 4;
    }
  }

  Target target_;
  CirclePoint t_inverse_;
  CirclePoint s_inverse_;
  unsigned t_count_;
  unsigned exponent_;
  std::uint64_t nodes_left_;
  std::array<LatticeView, 2> roots_;  ///< by the parity of the T gates of the prefix
  std::stop_token stop_;
  std::vector<Syllable> prefix_;  ///< the one applied last first
  std::optional<ExactApproximation> best_;
};

}  // namespace

std::optional<ExactApproximation> search_unitary(const SpecialUnitary& target, double epsilon,
                                                 const std::stop_token& stop, double most_points) {
  std::array<Determinant, 2> determinants{Determinant(target, epsilon, 0),
                                          Determinant(target, epsilon, 1)};
  unsigned t_count = 0;
  for (;; ++t_count) {
    Determinant& kind = determinants[t_count % 2];
    if (const ExactApproximation* const known = kind.with_t_count(t_count)) return *known;
    const unsigned k = largest_exponent(t_count);
    // An odd number has the exponent of the even one after it.
    if (t_count % 2 != 0 && kind.region().expected_points(k) > most_points) break;
    if (!kind.find(k)) return std::nullopt;
    if (const ExactApproximation* const found = kind.with_t_count(t_count)) return *found;
  }
  const double most = most_prefixes(epsilon, most_points);
  PrefixSearch search(target, determinants, epsilon, t_count - 1, most_nodes(most, most_points),
                      stop);
  for (unsigned prefix = 1; std::ldexp(1.5, static_cast<int>(prefix)) <= most; ++prefix) {
    if (!search.find(prefix)) return std::nullopt;
    if (std::optional<ExactApproximation> found = search.found()) return found;
  }
  return std::nullopt;
}

}  // namespace quartz::approximation
