#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

#include "algebra/goldilocks.hpp"

using namespace quartz;
using namespace quartz::algebra;

namespace {

__extension__ typedef unsigned __int128 Wide;
constexpr std::uint64_t p = Goldilocks::kModulus;

/// Returns words around every boundary of the reduction, and random words.
std::vector<std::uint64_t> interesting_words() {
  std::vector<std::uint64_t> words = {0, 1, 2, p - 2, p - 1};
  for (const std::uint64_t boundary :
       {std::uint64_t{1} << 31U, std::uint64_t{1} << 32U, std::uint64_t{1} << 63U, p / 2}) {
    for (const std::uint64_t word : {boundary - 1, boundary, boundary + 1}) words.push_back(word);
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 50; ++i) words.push_back(random() % p);
  return words;
}

std::uint64_t remainder(Wide value) { return static_cast<std::uint64_t>(value % p); }

}  // namespace

TEST_CASE("Goldilocks arithmetic is arithmetic modulo p") {
  for (const std::uint64_t a : interesting_words()) {
    for (const std::uint64_t b : interesting_words()) {
      INFO(a << " and " << b);
      REQUIRE((Goldilocks(a) + Goldilocks(b)).value() == remainder(Wide{a} + b));
      REQUIRE((Goldilocks(a) - Goldilocks(b)).value() == remainder(Wide{a} + p - b));
      REQUIRE((Goldilocks(a) * Goldilocks(b)).value() == remainder(Wide{a} * b));
    }
    REQUIRE((-Goldilocks(a) + Goldilocks(a)).is_zero());
  }
  CHECK(Goldilocks(p).is_zero());
  CHECK(Goldilocks(std::numeric_limits<std::uint64_t>::max()).value() ==
        (std::uint64_t{1} << 32U) - 2);
}

TEST_CASE("any 128 bits are reduced modulo p") {
  std::vector<std::uint64_t> words = interesting_words();
  for (std::uint64_t i = 0; i < 20; ++i) words.push_back(p + i);
  words.push_back(std::numeric_limits<std::uint64_t>::max());
  for (const std::uint64_t low : words) {
    for (const std::uint64_t high : words) {
      INFO(low << " + 2^64 * " << high);
      REQUIRE(Goldilocks::reduce(low, high).value() == remainder((Wide{high} << 64U) | low));
    }
  }
}

TEST_CASE("sums of any number of products are reduced once") {
  for (const std::uint64_t word : {p - 1, p / 2, std::uint64_t{3}}) {
    GoldilocksSum sum;
    Goldilocks expected;
    for (int i = 0; i < 5000; ++i) {
      const Goldilocks other(p - 1 - static_cast<std::uint64_t>(i));
      sum.add_product(Goldilocks(word), other);
      expected += Goldilocks(word) * other;
      REQUIRE(sum.value() == expected);
    }
  }
}

TEST_CASE("chains of products need no canonical intermediate words") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 1000; ++round) {
    // Any word is a residue, including words from the modulus on.
    const std::uint64_t word = round % 2 == 0 ? random() : ~std::uint64_t{0} - random() % 5;
    const Goldilocks factor(random());
    LooseGoldilocks loose(word);
    Goldilocks exact(word);
    for (int i = 0; i < 5; ++i) {
      loose = loose * LooseGoldilocks(factor) * loose;
      exact = exact * factor * exact;
    }
    CHECK(loose.canonical() == exact);
  }
}

TEST_CASE("powers and inverses") {
  for (const std::uint64_t word : interesting_words()) {
    const Goldilocks a(word);
    CHECK(a.power(0) == Goldilocks(1));
    CHECK(a.power(5) == a * a * a * a * a);
    CHECK(a * a.inverse() == Goldilocks(word == 0 ? 0 : 1));
  }
}

TEST_CASE("no power of the generator by a proper divisor of p - 1 is 1") {
  for (const std::uint64_t prime : {2U, 3U, 5U, 17U, 257U, 65537U}) {
    REQUIRE((p - 1) % prime == 0);
    CHECK(Goldilocks(Goldilocks::kGenerator).power((p - 1) / prime) != Goldilocks(1));
  }
}

TEST_CASE("roots of unity are exact and consistent with each other") {
  const std::uint64_t order = std::uint64_t{1} << 32U;
  const Goldilocks root = Goldilocks::root_of_unity(order);
  CHECK(root.power(order / 2) == -Goldilocks(1));
  for (std::uint64_t divisor = 1; divisor <= order; divisor *= 2) {
    CHECK(Goldilocks::root_of_unity(divisor) == root.power(order / divisor));
  }
  const Goldilocks i = Goldilocks::root_of_unity(4);
  CHECK(i * i == -Goldilocks(1));
  CHECK(Goldilocks::sqrt2() * Goldilocks::sqrt2() == Goldilocks(2));
  CHECK(Goldilocks::sqrt2() * Goldilocks::root_of_unity(8) == Goldilocks(1) + i);
  CHECK(Goldilocks::root_of_unity(6) + Goldilocks::root_of_unity(6).inverse() == Goldilocks(1));
}

TEST_CASE("many elements are inverted with one field inversion") {
  const std::uint64_t seed = 11;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 513U}) {
    for (const unsigned zero_every : {1U, 3U, 1000U}) {
      std::vector<Goldilocks> elements(size);
      for (std::size_t i = 0; i < size; ++i) {
        if (i % zero_every != zero_every - 1) elements[i] = Goldilocks(random() % p);
      }
      std::vector<Goldilocks> inverses = elements;
      std::vector<Goldilocks> scratch(size);
      invert_all(inverses, scratch);
      for (std::size_t i = 0; i < size; ++i) REQUIRE(inverses[i] == elements[i].inverse());
    }
  }
}
