#include "optimize/phase_polynomial/phase_polynomial.hpp"

#include <bit>
#include <catch2/catch.hpp>

using namespace quartz;
using namespace quartz::optimizer;

namespace {

constexpr RotationWeights kAlike{0, 1, 1, 1, 1, 1, 1, 1};

/// Returns the phase of each basis state, in units of pi/8.
std::vector<unsigned> phases_of(const PhasePolynomial& polynomial) {
  std::vector<unsigned> phases;
  for (unsigned state = 0; state < 1U << kParityWires; ++state) {
    unsigned phase = polynomial.phase;
    for (unsigned y = 0; y < polynomial.eighths.size(); ++y) {
      if (std::popcount(y & state) % 2 != 0) phase += 2U * polynomial.eighths[y];
    }
    phases.push_back(phase & 15U);
  }
  return phases;
}

PhasePolynomial random_polynomial(FastRandom& random, unsigned wires, unsigned rotations) {
  PhasePolynomial polynomial;
  const std::uint32_t parities = (1U << wires) - 1;
  for (unsigned i = 0; i < rotations; ++i) {
    polynomial.add_rotation(static_cast<WireParity>(1 + random.below(parities)),
                            random.below(2) != 0, static_cast<int>(random.below(16)) - 8);
  }
  return polynomial;
}

int odd_parities(const PhasePolynomial& polynomial) {
  int count = 0;
  for (const unsigned eighths : polynomial.eighths) count += static_cast<int>(eighths & 1U);
  return count;
}

}  // namespace

TEST_CASE("a rotation of a parity has opposite phases on both sides", "[phase_polynomial]") {
  PhasePolynomial polynomial;
  polynomial.add_rotation(0b101, false, 3);
  const std::vector<unsigned> phases = phases_of(polynomial);
  CHECK(phases[0b000] == 16 - 3);
  CHECK(phases[0b001] == 3);
  CHECK(phases[0b101] == 16 - 3);
  PhasePolynomial of_complement;
  of_complement.add_rotation(0b101, true, -3);
  CHECK(phases_of(of_complement) == phases);
}

TEST_CASE("changing the parities preserves the phases", "[phase_polynomial]") {
  FastRandom random(3);
  unsigned changed = 0;
  for (int round = 0; round < 400; ++round) {
    INFO("seed 3, round " << round);
    PhasePolynomial polynomial =
        random_polynomial(random, 4 + random.below(3), 4 + random.below(40));
    const std::vector<unsigned> before = phases_of(polynomial);
    const int odd = odd_parities(polynomial);
    const int parities = std::popcount(polynomial.parities());
    change_even_parities(polynomial, kAlike, random);
    CHECK(phases_of(polynomial) == before);
    CHECK(odd_parities(polynomial) == odd);
    // Half turns need one additional parity if no set of the others has their sum.
    CHECK(std::popcount(polynomial.parities()) <= parities + 1);
    if (!change_odd_parities(polynomial, kAlike, random)) continue;
    ++changed;
    CHECK(phases_of(polynomial) == before);
  }
  CHECK(changed > 50);
}

TEST_CASE("eight rotations of a multiplexer become seven", "[phase_polynomial]") {
  // The phases are (-1)^(t (a b + (1 - a) c)), by the product formula for three bits twice and for
  // two bits once.
  constexpr WireParity a = 1, b = 2, c = 4, t = 8;
  PhasePolynomial polynomial;
  const auto add_product = [&](std::vector<unsigned> bits, int scale) {
    for (unsigned some = 1; some < 1U << bits.size(); ++some) {
      unsigned parity = 0;
      for (std::size_t i = 0; i < bits.size(); ++i) {
        if ((some >> i & 1U) != 0) parity ^= bits[i];
      }
      const bool negative = std::popcount(some) % 2 == 0;
      polynomial.add_phase(static_cast<WireParity>(parity), false, negative ? -scale : scale);
    }
  };
  add_product({a, b, t}, 1);
  add_product({a, c, t}, -1);
  add_product({c, t}, 2);
  for (unsigned state = 0; state < 16; ++state) {
    const bool selected = ((state & a) != 0 ? state & b : state & c) != 0;
    REQUIRE(phases_of(polynomial)[state] == (selected && (state & t) != 0 ? 8U : 0U));
  }
  REQUIRE(odd_parities(polynomial) == 8);
  FastRandom random(4);
  int least = 8;
  for (int round = 0; round < 50; ++round) {
    PhasePolynomial other = polynomial;
    if (change_odd_parities(other, kAlike, random)) least = std::min(least, odd_parities(other));
  }
  CHECK(least == 7);
}
