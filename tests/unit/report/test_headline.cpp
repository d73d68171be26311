#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "report/headline.hpp"

using namespace quartz;
using namespace quartz::report;

namespace {

constexpr HeadlineCheck kProved{true, 0.0, false};

std::string headline_for(const std::vector<Figure>& before, const std::vector<Figure>& after,
                         const HeadlineCheck& check = kProved) {
  return headline(before, after, check);
}

}  // namespace

TEST_CASE("The headline says what is left, of how much, and how sure it is") {
  CHECK(headline_for({{"total", 162}}, {{"total", 72}}) ==
        "72 gates for 162, 56% fewer, proved equal");
  CHECK(headline_for({{"two-qubit", 4}}, {{"two-qubit", 1}}) ==
        "1 two-qubit gate for 4, 75% fewer, proved equal");
  CHECK(headline_for({{"t", 70}}, {{"t", 0}}) == "0 T gates for 70, 100% fewer, proved equal");
  CHECK(headline_for({{"depth", 80}}, {{"depth", 60}}) ==
        "depth 60 for 80, 25% less, proved equal");
  CHECK(headline_for({{"error", 0.5}}, {{"error", 0.125}}) ==
        "error 0.125 for 0.5, 75% less, proved equal");
}

TEST_CASE("The headline is about the first objective that changed") {
  CHECK(headline_for({{"t", 8}, {"total", 40}}, {{"t", 8}, {"total", 30}}) ==
        "30 gates for 40, 25% fewer, proved equal");
  CHECK(headline_for({{"t", 8}, {"total", 40}}, {{"t", 7}, {"total", 50}}) ==
        "7 T gates for 8, 12% fewer, proved equal");
  CHECK(headline_for({{"t", 8}, {"total", 40}}, {{"t", 8}, {"total", 40}}) ==
        "no cheaper circuit found: 8 T gates, proved equal");
}

TEST_CASE("The headline claims a proof only if there is one") {
  const auto end = [](const HeadlineCheck& check) {
    const std::string text = headline_for({{"total", 4}}, {{"total", 2}}, check);
    return text.substr(text.rfind(", ") + 2);
  };
  CHECK(end({true, 0.0, false}) == "proved equal");
  CHECK(end({true, 0.0, true}) == "verified equal");
  CHECK(end({true, 3e-13, false}) == "verified equal");
  CHECK(end({true, {}, false}) == "verified equal");
  CHECK(end({true, 0.01, false}) == "verified to be within a distance of 0.01");
  CHECK(end({true, 2e-8, false, false, false, true}) ==
        "verified to be within a distance of 2e-08");
  CHECK(end({true, 0.0, false, true}) == "proved equal up to global phase");
  CHECK(end({true, 0.0, false, false, true}) == "proved equal under the assumptions");
  CHECK(end({false, {}, false}) == "not verified");
  CHECK(end({{}, {}, false}) == "not checked");
}

TEST_CASE("A change that is not complete is not rounded to 0% or 100%") {
  CHECK(percent_text(1000, 999) == "0.1%");
  CHECK(percent_text(100000, 99999) == "0.1%");
  CHECK(percent_text(1000, 1) == "99.9%");
  CHECK(percent_text(100000, 1) == "99.9%");
  CHECK(percent_text(10, 0) == "100%");
  CHECK(percent_text(10, 10) == "0%");
  CHECK(percent_text(10, 34) == "240%");
}

TEST_CASE("Counts have all digits, and other numbers six") {
  CHECK(number_text(1234567) == "1234567");
  CHECK(number_text(0.123456789) == "0.123457");
  CHECK(number_text(0) == "0");
}
