#include "certify/pauli/commuting_rotations.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "certify/pauli/pauli_tableau.hpp"

using namespace quartz;
using namespace quartz::certify;

namespace {

using Axis = std::vector<std::uint64_t>;

/// Returns the operators about which a doubly controlled Z gate rotates: the products of the
/// operators Z of its wires, those of two with a negative sign.
std::vector<Axis> axes_of_ccz(PauliTableau& tableau, const std::vector<Wire>& wires) {
  std::vector<Axis> axes;
  for (unsigned subset = 1; subset < 8; ++subset) {
    Axis& axis = axes.emplace_back(tableau.row_words());
    for (unsigned i = 0; i < 3; ++i) {
      if ((subset >> i & 1U) != 0) tableau.multiply(axis, tableau.z(wires[i]));
    }
    if (__builtin_popcount(subset) == 2) tableau.phase(PauliRow(axis)) = 2;
  }
  return axes;
}

}  // namespace

TEST_CASE("the forms of rotations on few wires are sparse in any order of the rotations",
          "[certify]") {
  constexpr Wire kWires = 128;
  constexpr int kGates = 400;
  INFO("seed 5");
  std::mt19937_64 random(5);
  PauliTableau tableau(kWires);
  std::vector<Axis> axes;
  for (int i = 0; i < kGates; ++i) {
    std::vector<Wire> wires(kWires);
    for (Wire wire = 0; wire < kWires; ++wire) wires[wire] = wire;
    std::ranges::shuffle(wires, random);
    const std::vector<Axis> gate = axes_of_ccz(tableau, wires);
    for (int twice = 0; twice < 2; ++twice) axes.insert(axes.end(), gate.begin(), gate.end());
  }
  std::ranges::shuffle(axes, random);
  std::vector<ConstPauliRow> rows(axes.begin(), axes.end());
  std::size_t words = 0;
  const std::optional<QuarterTurns> found =
      as_quarter_turns(tableau, rows, [&](std::size_t more) { words += more; });
  // Each gate is there twice, and its square is the identity.
  REQUIRE(found.has_value());
  // Dense forms, in a basis of rotations, take 7 million words.
  CHECK(words < 2'000'000);

  rows.pop_back();
  CHECK(!as_quarter_turns(tableau, rows, [](std::size_t) {}).has_value());
}
