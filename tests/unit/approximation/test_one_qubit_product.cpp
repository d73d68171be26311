#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.hpp"
#include "precise_distance.hpp"
#include "quartz/approximation/one_qubit_product.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

using test::distance;
using test::Real;

OneQubitFactor rz(const Angle& angle) { return {GateKind::rz, angle}; }

Angle angle_of(FastRandom& random) {
  return Angle::radians({static_cast<int>(random.below(6000001)) - 3000000, 1000003});
}

/// Returns a product with this many rotations and other gates between them.
OneQubitProduct random_product(unsigned rotations, FastRandom& random) {
  constexpr std::array kGates{GateKind::h,   GateKind::s, GateKind::sdg, GateKind::t,
                              GateKind::tdg, GateKind::x, GateKind::z};
  OneQubitProduct product;
  for (unsigned i = 0; i < rotations; ++i) {
    product.push_back(rz(angle_of(random)));
    product.push_back({GateKind::h, {}});
    for (unsigned more = random.below(3); more != 0; --more) {
      product.push_back({kGates[random.below(kGates.size())], {}});
    }
  }
  return product;
}

std::size_t t_gates(const RotationApproximation& word) {
  return static_cast<std::size_t>(std::count(word.gates.begin(), word.gates.end(), GateKind::t));
}

void check(const OneQubitProduct& product, const RotationApproximation& word, double epsilon) {
  CHECK(word.t_count == t_gates(word));
  CHECK(word.distance <= epsilon);
  const Real exact = distance(word, product);
  CHECK(exact <= Real(word.distance) + Real(1e-90));
}

}  // namespace

TEST_CASE("approximated products are within the distance that they state", "[rotation][product]") {
  FastRandom random(20261127);
  for (const double epsilon : {1.0, 0.3, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
    for (unsigned trial = 0; trial < 4; ++trial) {
      const OneQubitProduct product = random_product(2 + trial % 3, random);
      INFO("trial " << trial << ", distance " << epsilon);
      const RotationApproximation word = approximate_product(product, epsilon);
      check(product, word, epsilon);
      // The bound of the region is 3 log2(1/epsilon), and a few T gates for the constant.
      CHECK(static_cast<double>(word.t_count) <= 3 * std::log2(1 / epsilon) + 6);
    }
  }
}

TEST_CASE("a product takes as many T gates as the rotation that it is", "[rotation][product]") {
  FastRandom random(3);
  for (const double epsilon : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-8}) {
    for (unsigned trial = 0; trial < (epsilon < 1e-5 ? 1U : 4U); ++trial) {
      const Angle first = angle_of(random);
      const Angle second = angle_of(random);
      const OneQubitProduct product{rz(first), rz(second)};
      INFO("trial " << trial << ", distance " << epsilon);
      const RotationApproximation word = approximate_product(product, epsilon);
      check(product, word, epsilon);
      CHECK(word.t_count == approximate_rotation(first + second, epsilon).t_count);
    }
  }
}

TEST_CASE("no product of fewer T gates is as close", "[rotation][product]") {
  // All normal forms with up to 7 T gates, up to Clifford gates in front.
  std::vector<std::vector<GateKind>> words{{}};
  const auto cliffords = [] {
    std::vector<std::vector<GateKind>> all;
    for (const std::vector<GateKind>& first :
         {std::vector<GateKind>{}, {GateKind::h}, {GateKind::s, GateKind::h}}) {
      for (const std::vector<GateKind>& turn :
           {std::vector<GateKind>{}, {GateKind::s}, {GateKind::z}, {GateKind::sdg}}) {
        for (const std::vector<GateKind>& flip : {std::vector<GateKind>{}, {GateKind::x}}) {
          std::vector<GateKind> gates = flip;
          gates.insert(gates.end(), turn.begin(), turn.end());
          gates.insert(gates.end(), first.begin(), first.end());
          all.push_back(gates);
        }
      }
    }
    return all;
  }();
  std::vector<std::vector<std::vector<GateKind>>> by_t_count{cliffords};
  for (unsigned t = 1; t <= 4; ++t) {
    std::vector<std::vector<GateKind>> next;
    for (const std::vector<GateKind>& word : by_t_count.back()) {
      for (const std::vector<GateKind>& coset :
           {std::vector<GateKind>{}, {GateKind::h}, {GateKind::s, GateKind::h}}) {
        std::vector<GateKind> longer = word;
        longer.push_back(GateKind::t);
        longer.insert(longer.end(), coset.begin(), coset.end());
        next.push_back(longer);
      }
    }
    by_t_count.push_back(next);
  }
  const auto overlap = [](const std::vector<GateKind>& word, const OneQubitProduct& product) {
    using C = std::complex<double>;
    std::array<C, 4> m{1, 0, 0, 1};
    std::array<C, 4> v{1, 0, 0, 1};
    const auto apply = [](std::array<C, 4>& to, GateKind gate, double angle) {
      const double root = std::sqrt(0.5);
      const auto turn = [&](double by) {
        to[2] *= std::polar(1.0, by);
        to[3] *= std::polar(1.0, by);
      };
      const double pi = std::acos(-1.0);
      switch (gate) {
        case GateKind::rz:
          return turn(angle);
        case GateKind::t:
          return turn(pi / 4);
        case GateKind::tdg:
          return turn(-pi / 4);
        case GateKind::s:
          return turn(pi / 2);
        case GateKind::sdg:
          return turn(-pi / 2);
        case GateKind::z:
          return turn(pi);
        case GateKind::x:
          std::swap(to[0], to[2]);
          return std::swap(to[1], to[3]);
        default:
          to = {(to[0] + to[2]) * root, (to[1] + to[3]) * root, (to[0] - to[2]) * root,
                (to[1] - to[3]) * root};
      }
    };
    for (const GateKind gate : word) apply(m, gate, 0);
    for (const OneQubitFactor& factor : product) {
      apply(v, factor.gate, static_cast<double>(test::real_value(factor.angle)));
    }
    C trace = 0;
    for (std::size_t i = 0; i < 4; ++i) trace += std::conj(m[i]) * v[i];
    return std::abs(trace) / 2;
  };
  FastRandom random(11);
  for (unsigned trial = 0; trial < 12; ++trial) {
    const OneQubitProduct product = random_product(2, random);
    // Up to phases that are multiples of pi/8, of which the word has one; the others are farther.
    const double epsilon = 0.25 + 0.2 * random.unit();
    const RotationApproximation word = approximate_product(product, epsilon);
    check(product, word, epsilon);
    INFO("trial " << trial << ", distance " << epsilon << ", T gates " << word.t_count);
    for (std::size_t t = 0; t < std::min<std::size_t>(word.t_count, by_t_count.size()); ++t) {
      for (const std::vector<GateKind>& other : by_t_count[t]) {
        CHECK(std::sqrt(std::max(0.0, 2 - 2 * overlap(other, product))) > epsilon * (1 - 1e-9));
      }
    }
  }
}

TEST_CASE("products that are too close are approximated one rotation after the other",
          "[rotation][product]") {
  FastRandom random(5);
  const OneQubitProduct product = random_product(3, random);
  const double epsilon = kSmallestProductEpsilon / 2;
  const RotationApproximation word = approximate_product(product, epsilon);
  check(product, word, epsilon);
  // A caller cannot ask for distances that the lattice does not resolve.
  check(product, approximate_product(product, 1e-20, {.smallest_at_once = 0}), 1e-20);
}

TEST_CASE("products without rotations are exact", "[rotation][product]") {
  FastRandom random(6);
  for (unsigned trial = 0; trial < 20; ++trial) {
    OneQubitProduct product = random_product(3, random);
    for (OneQubitFactor& factor : product) {
      if (factor.gate == GateKind::rz) {
        factor.angle = Angle::pi_times({static_cast<int>(random.below(17)) - 8, 4});
      }
    }
    const RotationApproximation word = approximate_product(product, 0);
    CHECK(word.distance == 0);
    CHECK(distance(word, product) < Real(1e-90));
  }
  CHECK_THROWS_AS(approximate_product({{GateKind::cx, {}}}, 0.1), UsageError);
  CHECK_FALSE(is_factor_of_products(GateKind::cx));
}

TEST_CASE("the distances of several products add up to the budget at most", "[rotation][product]") {
  FastRandom random(9);
  std::vector<OneQubitProduct> products;
  for (unsigned i = 0; i < 4; ++i) products.push_back(random_product(1 + i % 2, random));
  products.push_back(products.front());
  const double epsilon = 1e-2;
  const std::vector<RotationApproximation> words =
      approximate_products(products, epsilon, {.threads = 2, .seconds = 60});
  REQUIRE(words.size() == products.size());
  double sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    check(products[i], words[i], epsilon);
    sum += words[i].distance;
  }
  CHECK(sum <= epsilon);
}

}  // namespace quartz
