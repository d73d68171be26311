#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "quartz/approximation/one_qubit_product.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz {
namespace {

/// Approximations of one product, the closest first: each has fewer T gates and a larger distance
/// than the one before, and saves at most as many T gates per distance.
using Staircase = std::vector<RotationApproximation>;

/// The distances that are considered for a rotation, as multiples of an equal part of the budget,
/// and how many approximations these are, about.
constexpr double kLargestPart = 16;
constexpr double kSmallestPart = 0.25;
constexpr double kApproximations = 20;
/// The next distance that is asked for, as a fraction of the last one. Grid problems whose segment
/// ends right beside a power of w have many points outside of it.
constexpr double kNextDistance = 0.99;
/// The same if the last one has as many T gates as the one before.
constexpr double kNextDistanceForTGates = 0.75;
/// Words for rotations one by one have more T gates than this many times those of one word.
constexpr double kGivenUp = 1.7;

/// Seconds that one search takes on a core: for a rotation; for a product at once, at a distance of
/// 1e-6 and above; and for a product at once at 1e-10, which grows with the root of the inverse.
constexpr double kSecondsOfRotation = 0.003;
constexpr double kSecondsOfProduct = 0.01;
constexpr double kSecondsOfCloseProduct = 0.15;
constexpr double kFarProduct = 1e-6;
constexpr double kCloseProduct = 1e-10;

/// Returns the T gates that the second approximation saves, per distance.
double saving(const RotationApproximation& closer, const RotationApproximation& farther) {
  const auto t_gates = static_cast<double>(closer.t_count) - static_cast<double>(farther.t_count);
  return t_gates / (farther.distance - closer.distance);
}

/// Removes the approximations that save less per distance than the one after them.
Staircase convex(const Staircase& all) {
  Staircase kept;
  for (const RotationApproximation& each : all) {
    while (kept.size() >= 2 &&
           saving(kept[kept.size() - 2], kept.back()) <= saving(kept.back(), each)) {
      kept.pop_back();
    }
    kept.push_back(each);
  }
  return kept;
}

/// Returns whether a product consists of Clifford+T gates.
bool is_exact(const OneQubitProduct& product) {
  return std::all_of(product.begin(), product.end(), [](const OneQubitFactor& factor) {
    return factor.gate != GateKind::rz || is_clifford_t_rotation(factor.angle);
  });
}

/// Different products, and how often each of them occurs.
struct DistinctProducts {
  std::vector<OneQubitProduct> products;
  std::vector<std::size_t> uses;
};

DistinctProducts distinct_products(std::span<const OneQubitProduct> products) {
  std::vector<OneQubitProduct> sorted(products.begin(), products.end());
  std::sort(sorted.begin(), sorted.end());
  DistinctProducts distinct;
  for (OneQubitProduct& product : sorted) {
    if (distinct.products.empty() || distinct.products.back() != product) {
      distinct.products.push_back(std::move(product));
      distinct.uses.push_back(0);
    }
    ++distinct.uses.back();
  }
  return distinct;
}

/// What the searches for approximations share.
struct Limits {
  double part = 0;                       ///< an equal part of the budget
  double largest = 0;                    ///< largest distance that is asked for
  double smallest = 0;                   ///< a staircase ends at this distance
  std::vector<double> smallest_at_once;  ///< that of each product (ProductOptions)
};

/// Returns the limits of searches that take a number of seconds, for products of which each has an
/// equal part of the budget of a distance.
Limits limits_of(double part, double budget, const DistinctProducts& distinct, double seconds) {
  // Those that occur most often come first.
  std::vector<std::size_t> at_once;
  for (std::size_t i = 0; i < distinct.products.size(); ++i) {
    if (is_better_at_once(distinct.products[i])) at_once.push_back(i);
  }
  std::stable_sort(at_once.begin(), at_once.end(), [&](std::size_t a, std::size_t b) {
    return distinct.uses[a] > distinct.uses[b];
  });
  // A word for a product has a third of the T gates or fewer, of which a division of the budget
  // saves some hundredths: first, one search is made for as many products as the seconds permit.
  const double seconds_at_once =
      kSecondsOfProduct + kSecondsOfCloseProduct * std::sqrt(kCloseProduct / part);
  const auto permitted = static_cast<std::size_t>(std::min(1e9, seconds / seconds_at_once));
  Limits limits;
  limits.part = part;
  limits.smallest_at_once.assign(distinct.products.size(), kFarProduct);
  double seconds_each =
      kSecondsOfRotation * static_cast<double>(distinct.products.size() - at_once.size());
  for (std::size_t i = 0; i < at_once.size(); ++i) {
    if (i < permitted) limits.smallest_at_once[at_once[i]] = kSmallestProductEpsilon;
    seconds_each += i < permitted ? seconds_at_once : kSecondsOfProduct;
  }
  const double approximations = std::clamp(seconds / seconds_each, 1.0, kApproximations);
  const double breadth = (approximations - 1) / (kApproximations - 1);
  limits.largest = std::min(part * std::pow(kLargestPart, breadth), budget);
  limits.smallest = part * std::pow(kSmallestPart, breadth);
  return limits;
}

/// Returns approximations of a product, of which the closest takes at most an equal part of the
/// budget.
Staircase staircase(const OneQubitProduct& product, const Limits& limits, ProductOptions options) {
  if (is_exact(product)) return {approximate_product(product, 0)};
  Staircase result;
  double limit = limits.largest;
  do {
    if (options.stop.stop_requested()) throw Stopped("stopped while approximating rotations");
    result.push_back(approximate_product(product, limit, options));
    limit = result.back().distance * kNextDistance;
    if (result.size() < 2) continue;
    const std::size_t before = result[result.size() - 2].t_count;
    const std::size_t now = result.back().t_count;
    // Further ones with the same T gates are of no use, but a search finds any of them.
    if (now == before) limit *= kNextDistanceForTGates;
    // A search at once that gave up does so at smaller distances, too.
    if (static_cast<double>(now) > kGivenUp * static_cast<double>(before)) {
      options.smallest_at_once = 1;
    }
  } while (limit > limits.smallest || result.back().distance > limits.part);
  std::reverse(result.begin(), result.end());
  // The search for fewer T gates may have given up on a number that is too hard to factor.
  const auto is_no_better = [](const RotationApproximation& a, const RotationApproximation& b) {
    return b.t_count >= a.t_count;
  };
  result.erase(std::unique(result.begin(), result.end(), is_no_better), result.end());
  return convex(result);
}

/// A rotation takes the next approximation of its staircase.
struct Move {
  double saving = 0;
  double distance = 0;  ///< by which the distance grows
  std::size_t rotation = 0;
  std::size_t step = 0;  ///< index of the approximation
};

/// Returns for each rotation which approximation of its staircase it takes. The closest ones are
/// within the budget.
std::vector<std::size_t> chosen_steps(std::span<const Staircase* const> staircases, double budget) {
  std::vector<Move> moves;
  double spent = 0;
  for (std::size_t rotation = 0; rotation < staircases.size(); ++rotation) {
    const Staircase& staircase = *staircases[rotation];
    spent += staircase.front().distance;
    for (std::size_t step = 1; step < staircase.size(); ++step) {
      moves.push_back({saving(staircase[step - 1], staircase[step]),
                       staircase[step].distance - staircase[step - 1].distance, rotation, step});
    }
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Move& a, const Move& b) { return a.saving > b.saving; });
  std::vector<std::size_t> chosen(staircases.size(), 0);
  for (const Move& move : moves) {
    if (chosen[move.rotation] + 1 != move.step || spent + move.distance > budget) continue;
    spent += move.distance;
    chosen[move.rotation] = move.step;
  }
  return chosen;
}

/// Returns the staircase of each product.
std::vector<Staircase> staircases_of(std::span<const OneQubitProduct> products,
                                     const Limits& limits, const ProductsOptions& options) {
  std::vector<Staircase> staircases(products.size());
  parallel_for(options.threads, products.size(), 1,
               [&](unsigned, std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   staircases[i] =
                       staircase(products[i], limits, {limits.smallest_at_once[i], options.stop});
                 }
               });
  return staircases;
}

}  // namespace

std::vector<RotationApproximation> approximate_products(std::span<const OneQubitProduct> products,
                                                        double epsilon,
                                                        const ProductsOptions& options) {
  const auto approximated =
      static_cast<double>(products.size() - static_cast<std::size_t>(std::count_if(
                                                products.begin(), products.end(), is_exact)));
  const double least = kSmallestRotationEpsilon * approximated / kSmallestPart;
  if (approximated != 0 && !(epsilon <= 1 && epsilon >= least)) {
    throw UsageError(
        fmt::format("the distance of {} approximated rotations must be in [{:g}, 1], "
                    "not {:g}",
                    approximated, least, epsilon));
  }
  const DistinctProducts distinct = distinct_products(products);
  // The sums of distances are rounded.
  const double budget = epsilon * (1 - 1e-9);
  const Limits limits =
      limits_of(budget / std::max(approximated, 1.0), budget, distinct, options.seconds);
  const std::vector<Staircase> staircases = staircases_of(distinct.products, limits, options);

  std::vector<const Staircase*> of_products;
  for (const OneQubitProduct& product : products) {
    const auto place =
        std::lower_bound(distinct.products.begin(), distinct.products.end(), product);
    of_products.push_back(&staircases[static_cast<std::size_t>(place - distinct.products.begin())]);
  }
  const std::vector<std::size_t> chosen = chosen_steps(of_products, budget);
  std::vector<RotationApproximation> result;
  for (std::size_t i = 0; i < products.size(); ++i) {
    result.push_back((*of_products[i])[chosen[i]]);
  }
  return result;
}

std::vector<RotationApproximation> approximate_rotations(std::span<const Angle> angles,
                                                         double epsilon, unsigned threads,
                                                         const std::stop_token& stop) {
  std::vector<OneQubitProduct> products;
  for (const Angle& angle : angles) products.push_back({{GateKind::rz, angle}});
  return approximate_products(products, epsilon, {.threads = threads, .stop = stop});
}

}  // namespace quartz
