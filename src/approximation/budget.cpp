#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// Seconds that one search takes on a core: for a rotation; for a product at once, at a distance of
/// 1e-6 and above; and for a product at once at 1e-10, which grows with the root of the inverse.
constexpr double kSecondsOfRotation = 0.003;
constexpr double kSecondsOfProduct = 0.01;
constexpr double kSecondsOfCloseProduct = 0.5;
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

/// What the searches for approximations share.
struct Limits {
  double largest = 0;           ///< largest distance that is asked for
  double smallest = 0;          ///< a staircase ends at this distance
  double smallest_at_once = 0;  ///< as in ProductOptions
};

/// Returns the limits for approximations of a number of products, of which some are equal.
Limits limits_of(double budget, double products, std::span<const OneQubitProduct> distinct,
                 double seconds) {
  const double part = budget / std::max(products, 1.0);
  const auto at_once =
      static_cast<double>(std::count_if(distinct.begin(), distinct.end(), is_better_at_once));
  Limits limits;
  // One approximation of each product takes the seconds at this distance. One word has a third of
  // the T gates, of which a division of the budget saves some hundredths.
  const double close = at_once * kSecondsOfCloseProduct / seconds;
  limits.smallest_at_once =
      std::clamp(kCloseProduct * close * close, kSmallestProductEpsilon, kFarProduct);
  double seconds_each = kSecondsOfRotation * (static_cast<double>(distinct.size()) - at_once);
  seconds_each += at_once * kSecondsOfProduct;
  if (part >= limits.smallest_at_once) {
    seconds_each += at_once * kSecondsOfCloseProduct * std::sqrt(kCloseProduct / part);
  }
  const double approximations = std::clamp(seconds / seconds_each, 1.0, kApproximations);
  const double breadth = (approximations - 1) / (kApproximations - 1);
  limits.largest = std::min(part * std::pow(kLargestPart, breadth), budget);
  limits.smallest = part * std::pow(kSmallestPart, breadth);
  return limits;
}

/// Returns approximations of a product, of which the closest takes at most an equal part of the
/// budget.
Staircase staircase(const OneQubitProduct& product, const Limits& limits,
                    const std::stop_token& stop) {
  if (is_exact(product)) return {approximate_product(product, 0)};
  Staircase result;
  double limit = limits.largest;
  do {
    if (stop.stop_requested()) throw Stopped("stopped while approximating rotations");
    result.push_back(approximate_product(product, limit, {limits.smallest_at_once, stop}));
    limit = result.back().distance * (1 - 1e-9);
  } while (limit > limits.smallest);
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
  parallel_for(options.threads, products.size(), 1, [&](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      staircases[i] = staircase(products[i], limits, options.stop);
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
  std::vector<OneQubitProduct> distinct(products.begin(), products.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  // The sums of distances are rounded.
  const double budget = epsilon * (1 - 1e-9);
  const std::vector<Staircase> staircases =
      staircases_of(distinct, limits_of(budget, approximated, distinct, options.seconds), options);

  std::vector<const Staircase*> of_products;
  for (const OneQubitProduct& product : products) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), product);
    of_products.push_back(&staircases[static_cast<std::size_t>(place - distinct.begin())]);
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
