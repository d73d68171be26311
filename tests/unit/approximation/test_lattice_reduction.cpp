#include <catch2/catch.hpp>
#include <set>

#include "approximation/lattice_reduction.hpp"
#include "base/random.hpp"

namespace quartz::approximation {
namespace {

std::array<ReducedLattice::Point, kLatticeSize> skewed_images(FastRandom& random) {
  std::array<ReducedLattice::Point, kLatticeSize> images;
  for (std::size_t i = 0; i < kLatticeSize; ++i) {
    for (std::size_t j = 0; j < kLatticeSize; ++j) {
      // The first coordinate is much longer than the others.
      const double scale = j == 0 ? 1000 : 1;
      images[i][j] = scale * (random.unit() - 0.5);
    }
  }
  return images;
}

double distance(const std::array<ReducedLattice::Point, kLatticeSize>& images,
                const ReducedLattice::Point& center, const LatticeView::Coordinates& point) {
  double square = 0;
  for (std::size_t j = 0; j < kLatticeSize; ++j) {
    QuadFloat sum = -center[j];
    for (std::size_t i = 0; i < kLatticeSize; ++i) sum += QuadFloat(point[i]) * images[i][j];
    square += static_cast<double>(sum * sum);
  }
  return std::sqrt(square);
}

}  // namespace

TEST_CASE("all lattice points in a ball are visited once", "[approximation]") {
  FastRandom random(20261127);
  std::size_t visited = 0;
  for (int round = 0; round < 4; ++round) {
    const auto images = skewed_images(random);
    const ReducedLattice lattice(images);
    // The ball is around a lattice point, so that it has one.
    LatticeView::Coordinates inside{};
    for (std::int64_t& each : inside) each = static_cast<std::int64_t>(random.below(9)) - 4;
    ReducedLattice::Point center{};
    for (std::size_t j = 0; j < kLatticeSize; ++j) {
      for (std::size_t i = 0; i < kLatticeSize; ++i)
        center[j] += QuadFloat(inside[i]) * images[i][j];
      center[j] += QuadFloat(0.1 * (random.unit() - 0.5));
    }
    const double radius = 1.5;
    std::set<LatticeView::Coordinates> found;
    std::uint64_t nodes_left = 1'000'000;
    CHECK(lattice.view_from(center).visit(radius, nodes_left, [&](const auto& point) {
      CHECK(distance(images, center, point) <= radius * 1.00001);
      CHECK(found.insert(point).second);
      return true;
    }));
    CHECK(found.count(inside) == 1);
    visited += found.size();
    // The neighbours of a point that was found, of which some are in the ball.
    for (const LatticeView::Coordinates& point : std::set(found)) {
      for (std::size_t i = 0; i < kLatticeSize; ++i) {
        for (const int step : {-1, 1}) {
          LatticeView::Coordinates next = point;
          next[i] += step;
          CHECK((found.count(next) == 1) == (distance(images, center, next) <= radius));
        }
      }
    }
  }
  CHECK(visited > 20);
}

TEST_CASE("a search for lattice points ends when it is told to", "[approximation]") {
  FastRandom random(7);
  const ReducedLattice lattice(skewed_images(random));
  int visited = 0;
  std::uint64_t nodes_left = 1'000'000;
  CHECK_FALSE(
      lattice.view_from({}).visit(3, nodes_left, [&](const auto&) { return ++visited < 2; }));
  CHECK(visited == 2);

  // Nodes and points are counted, over several searches.
  const LatticeView view = lattice.view_from({});
  std::uint64_t points = 0;
  nodes_left = 1'000'000;
  REQUIRE(view.visit(3, nodes_left, [&](const auto&) { return ++points != 0; }));
  const std::uint64_t nodes = 1'000'000 - nodes_left;
  CHECK(nodes >= points + kLatticeSize);
  REQUIRE(view.visit(3, nodes_left, [&](const auto&) { return true; }));
  CHECK(nodes_left == 1'000'000 - 2 * nodes);
  nodes_left = 2 * nodes - 1;
  CHECK(view.visit(3, nodes_left, [](const auto&) { return true; }));
  CHECK_FALSE(view.visit(3, nodes_left, [](const auto&) { return true; }));
  CHECK(nodes_left == 0);
}

}  // namespace quartz::approximation
