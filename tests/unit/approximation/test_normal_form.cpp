#include <catch2/catch.hpp>

#include "approximation/exact_unitary.hpp"
#include "base/random.hpp"

namespace quartz::approximation {
namespace {

constexpr std::array kGates{GateKind::h, GateKind::t, GateKind::s,
                            GateKind::x, GateKind::z, GateKind::sdg};

std::vector<GateKind> random_word(FastRandom& random, unsigned length) {
  std::vector<GateKind> word;
  for (unsigned j = 0; j < length; ++j) word.push_back(kGates[random.below(kGates.size())]);
  return word;
}

std::size_t t_count(const std::vector<GateKind>& word) {
  return static_cast<std::size_t>(std::count(word.begin(), word.end(), GateKind::t));
}

TEST_CASE("the normal form of a product is equal to it and has no more T gates", "[normal_form]") {
  FastRandom random(1);
  for (unsigned trial = 0; trial < 300; ++trial) {
    const std::vector<GateKind> word = random_word(random, trial);
    const ExactUnitary unitary = product(word);
    const std::vector<GateKind> form = normal_form(unitary);
    CHECK(phase_between(product(form), unitary));
    CHECK(t_count(form) <= t_count(word));
    CHECK((t_count(form) + t_count(word)) % 2 == 0);
    CHECK(normal_form(product(form)) == form);
  }
}

TEST_CASE("equal unitaries have the same normal form, whatever their phase", "[normal_form]") {
  FastRandom random(2);
  const std::vector<GateKind> turn{GateKind::s, GateKind::h, GateKind::s,
                                   GateKind::h, GateKind::s, GateKind::h};  // (S H)^3 is a phase
  for (unsigned trial = 0; trial < 50; ++trial) {
    std::vector<GateKind> word = random_word(random, 40);
    const std::vector<GateKind> form = normal_form(product(word));
    word.insert(word.begin() + trial % 40, turn.begin(), turn.end());
    CHECK(normal_form(product(word)) == form);
  }
}

TEST_CASE("different unitaries have no phase between them", "[normal_form]") {
  const std::vector<GateKind> t{GateKind::t};
  const std::vector<GateKind> s{GateKind::s};
  const std::vector<GateKind> hh{GateKind::h, GateKind::h};
  CHECK_FALSE(phase_between(product(t), product(s)));
  CHECK(phase_between(product(hh), product({})) == 0U);
}

TEST_CASE("the search's bounds on the upper left entry hold for all T counts", "[normal_form]") {
  // find() in rotation_search.cpp looks for the entries u / sqrt(2)^k with these k and factors
  // only.
  FastRandom random(3);
  for (unsigned trial = 0; trial < 300; ++trial) {
    const ExactUnitary unitary = product(random_word(random, 10 + trial % 50));
    const std::vector<GateKind> form = normal_form(unitary);
    const auto count = static_cast<unsigned>(t_count(form));
    const unsigned parity = count % 2;
    const unsigned k = (count + 2 + parity) / 2;
    // u = entry sqrt(2)^(k - exponent), which must lie in the ring and have the factor 1 + w.
    CyclotomicInteger u = times_root_two(unitary.entries[0], k);
    for (unsigned j = 0; j < unitary.exponent; ++j) {
      REQUIRE(is_divisible_by_root_two(u));
      u = times_root_two(u, 1);
      for (Integer& each : u.c) each /= 2;
    }
    if (parity == 1) CHECK(is_even(u.c[0] + u.c[1] + u.c[2] + u.c[3]));
  }
}

}  // namespace
}  // namespace quartz::approximation
