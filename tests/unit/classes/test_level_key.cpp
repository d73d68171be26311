#include "classes/backend/level_key.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "fingerprint/field_point.hpp"

using namespace quartz;
using namespace quartz::algebra;
using namespace quartz::classes;
using namespace quartz::fingerprint;

TEST_CASE("the key of a class does not depend on its global phase") {
  FieldRandom random({3, 0}, "level key");
  for (int round = 0; round < 50; ++round) {
    const KeyQuotient functionals{random.next(), random.next()};
    const LevelKey key = level_key(functionals);
    for (unsigned power = 0; power < 32; ++power) {
      const Goldilocks phase = Goldilocks::root_of_unity(32).power(power);
      const LevelKey turned =
          level_key({functionals.numerator * phase, functionals.denominator * phase});
      CHECK((turned == key) == (power % 2 == 0));  // equal only for sixteenth roots of unity
    }
    CHECK_FALSE(level_key({functionals.numerator, random.next()}) == key);
    CHECK_FALSE(level_key({random.next(), functionals.denominator}).place == key.place);
  }
}

TEST_CASE("no key equals the mark of an empty slot") {
  CHECK(level_key({Goldilocks(), Goldilocks(5)}).tag != 0);
  CHECK(level_key({Goldilocks(5), Goldilocks()}).tag != 0);
}

TEST_CASE("places are spread over all slots of a table") {
  CHECK(home_slot(0, 1000) == 0);
  CHECK(home_slot(Goldilocks::kModulus - 1, 1000) == 999);
  CHECK(home_slot(Goldilocks::kModulus / 2, 1000) == 499);
}

TEST_CASE("places are evenly distributed over shares and over each share's slots") {
  FieldRandom random({6, 0}, "shares");
  for (const std::uint64_t shares : {1U, 2U, 3U, 4U, 8U}) {
    constexpr std::uint64_t slots = 10;
    constexpr std::size_t keys = 40'000;
    std::vector<std::size_t> counts(shares * slots);
    for (std::size_t i = 0; i < keys; ++i) {
      const std::uint64_t place = random.next().value();
      const KeyShare share = share_of(place, shares);
      REQUIRE(share.owner < shares);
      // Sorting keys into batches uses the same rule.
      CHECK(share.owner == home_slot(place, shares));
      ++counts[share.owner * slots + home_slot(share.place, slots)];
    }
    const double expected = static_cast<double>(keys) / static_cast<double>(shares * slots);
    for (const std::size_t count : counts) {
      CHECK(std::abs(static_cast<double>(count) - expected) < 6 * std::sqrt(expected));
    }
  }
  CHECK(share_of(12345, 1).place == 12345);
}

TEST_CASE("a link contains the parent and the last three letters") {
  ClassLink link;
  CHECK(link.letter() == ClassLink::kNoLetter);
  for (const std::uint32_t letter : {7U, 8U, 9U, 10U}) {
    link = ClassLink::extended((std::uint64_t{1} << 40U) - letter, link.suffix, letter);
  }
  const ClassLink read = ClassLink::unpack(link.pack());
  CHECK(read.parent == (std::uint64_t{1} << 40U) - 10);
  CHECK(read.letter() == 10);
  CHECK(read.suffix == 0x08'09'0aU);
}

TEST_CASE("each suffix has a mask of its own") {
  const std::uint32_t letters = 5;
  std::vector<bool> seen(6 * 6 * 6);
  const std::uint32_t digits[] = {0, 1, 2, 3, 4, ClassLink::kNoLetter};
  for (const std::uint32_t a : digits) {
    for (const std::uint32_t b : digits) {
      for (const std::uint32_t c : digits) {
        const std::size_t index = follower_index(a << 16U | b << 8U | c, 3, letters);
        REQUIRE(index < seen.size());
        CHECK_FALSE(seen[index]);
        seen[index] = true;
      }
    }
  }
  CHECK(follower_index(0x010203, 0, letters) == 0);
  CHECK(follower_index(0x010203, 1, letters) == follower_index(0x040403, 1, letters));
}
