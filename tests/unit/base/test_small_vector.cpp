#include <catch2/catch.hpp>
#include <compare>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "quartz/base/small_vector.hpp"

namespace quartz {
namespace {

/// A number that is counted as long as it exists.
class Counted {
 public:
  Counted() : Counted(0) {}
  Counted(std::uint32_t number) : number_(number) { ++alive; }  // NOLINT: a number is one
  Counted(const Counted& other) noexcept : number_(other.number_) { ++alive; }
  Counted(Counted&& other) noexcept : number_(std::exchange(other.number_, 0U)) { ++alive; }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&& other) noexcept {
    number_ = std::exchange(other.number_, 0U);
    return *this;
  }
  ~Counted() { --alive; }
  friend auto operator<=>(const Counted&, const Counted&) = default;

  static inline int alive = 0;

 private:
  std::uint32_t number_;
  std::uint32_t unused_ = 0;
};

template <typename Value, std::uint32_t kInPlace>
void require_same(const SmallVector<Value, kInPlace>& found, const std::vector<Value>& expected) {
  REQUIRE(found.size() == expected.size());
  REQUIRE(std::equal(found.begin(), found.end(), expected.begin()));
}

/// Makes random changes to a small vector and to a std::vector, which remain equal.
template <typename Value, std::uint32_t kInPlace>
void compare_with_vector(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  const auto number = [&] { return Value(static_cast<std::uint32_t>(random())); };
  SmallVector<Value, kInPlace> small;
  std::vector<Value> vector;
  for (int step = 0; step < 2'000; ++step) {
    const auto place = static_cast<std::ptrdiff_t>(below(vector.size() + 1));
    switch (below(9)) {
      case 0:
      case 1: {
        const Value value = number();
        small.push_back(value);
        vector.push_back(value);
        break;
      }
      case 2: {
        const Value value = number();
        small.insert(small.begin() + place, value);
        vector.insert(vector.begin() + place, value);
        break;
      }
      case 3: {
        const std::vector<Value> values{number(), number()};
        small.insert(small.begin() + place, values.begin(), values.end());
        vector.insert(vector.begin() + place, values.begin(), values.end());
        break;
      }
      case 4:
      case 5: {
        const auto last = place + static_cast<std::ptrdiff_t>(
                                      below(vector.size() - static_cast<std::size_t>(place) + 1));
        small.erase(small.begin() + place, small.begin() + last);
        vector.erase(vector.begin() + place, vector.begin() + last);
        break;
      }
      case 6: {
        const std::size_t size = below(2 * kInPlace + 2);
        small.resize(size);
        vector.resize(size);
        break;
      }
      case 7: {
        SmallVector<Value, kInPlace> copy = small;
        small = {number()};
        small = std::move(copy);
        break;
      }
      default: {
        SmallVector<Value, kInPlace> other(vector);
        CHECK(other == small);
        small = other;
        break;
      }
    }
    require_same(small, vector);
  }
}

}  // namespace

TEST_CASE("a small vector has the elements that a vector has", "[base]") {
  compare_with_vector<std::uint32_t, 3>(1);
  compare_with_vector<Counted, 1>(2);
  compare_with_vector<Counted, 4>(3);
  CHECK(Counted::alive == 0);
}

TEST_CASE("a small vector has its first elements in place", "[base]") {
  using Small = SmallVector<std::uint32_t, 3>;
  STATIC_REQUIRE(sizeof(Small) == 16);
  STATIC_REQUIRE(alignof(Small) == 4);
  const auto is_in_place = [](const Small& small) {
    const std::less<const void*> before;
    return !before(small.data(), &small) && before(small.data(), &small + 1);
  };
  Small small{1, 2, 3};
  CHECK(is_in_place(small));
  small.push_back(4);
  CHECK_FALSE(is_in_place(small));
  small.pop_back();
  CHECK(is_in_place(small));
  CHECK(small == Small{1, 2, 3});
}

TEST_CASE("a moved small vector is empty", "[base]") {
  SmallVector<Counted, 1> one{Counted(5)};
  const SmallVector<Counted, 1> taken = std::move(one);
  CHECK(one.empty());  // NOLINT: this is what is tested
  CHECK(taken.front() == Counted(5));
}

TEST_CASE("small vectors are ordered like vectors", "[base]") {
  using Small = SmallVector<std::uint32_t, 3>;
  CHECK(Small{} < Small{0});
  CHECK(Small{1, 2} < Small{1, 2, 0});
  CHECK(Small{1, 2, 3, 4} < Small{1, 3});
  CHECK((Small{2, 1} <=> Small{2, 1}) == std::strong_ordering::equal);
  CHECK(Small{1, 2}.at(1) == 2);
  CHECK_THROWS_AS(Small{1}.at(1), std::out_of_range);
}

}  // namespace quartz
