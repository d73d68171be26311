#include "certify/problem/condition_cases.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace quartz::certify {
namespace {

/// The value of each bit that is known, by the bit and the number of writes to it.
using KnownBits = std::map<std::pair<ClassicalBit, std::uint32_t>, bool>;

/// Chooses the outcomes of the tests one after the other.
class Cases {
 public:
  Cases(const Problem& problem, std::size_t max_cases)
      : problem_(problem), max_visited_(max_cases), outcomes_(problem.tests.size(), false) {}

  /// Returns whether there are few enough cases.
  bool enumerate() { return choose(0, {}); }
  [[nodiscard]] std::vector<ConditionCase> found() const { return {found_.begin(), found_.end()}; }

 private:
  bool choose(std::size_t test, const KnownBits& known) {
    if (test == outcomes_.size()) return finish(known);
    return choose(test, false, known) && choose(test, true, known);
  }

  bool choose(std::size_t test, bool holds, const KnownBits& known) {
    const std::vector<BitValue>& bits = problem_.tests[test].bits;
    if (!holds && is_implied(test, known)) return true;
    KnownBits more = known;
    if (holds || bits.size() == 1) {
      for (const BitValue& each : bits) {
        const bool value = each.value == holds;
        const auto [entry, is_new] = more.try_emplace({each.bit, each.writes}, value);
        if (entry->second != value) return true;  // the test cannot have this outcome
      }
    }
    outcomes_[test] = holds;
    return choose(test + 1, more);
  }

  /// Returns whether all values that the test wants are known.
  [[nodiscard]] bool is_implied(std::size_t test, const KnownBits& known) const {
    const std::vector<BitValue>& bits = problem_.tests[test].bits;
    return !bits.empty() && std::ranges::all_of(bits, [&](const BitValue& each) {
      const auto entry = known.find({each.bit, each.writes});
      return entry != known.end() && entry->second == each.value;
    });
  }

  bool finish(const KnownBits& known) {
    if (++visited_ > max_visited_) return false;
    for (std::size_t test = 0; test < outcomes_.size(); ++test) {
      if (!outcomes_[test] && is_implied(test, known)) return true;
    }
    ConditionCase holds;
    for (const std::vector<TestOutcome>& tests : problem_.tests_of_condition) {
      holds.push_back(std::ranges::all_of(
          tests, [&](const TestOutcome& each) { return outcomes_[each.test] == each.holds; }));
    }
    found_.insert(std::move(holds));
    return true;
  }

  const Problem& problem_;
  const std::size_t max_visited_;
  std::size_t visited_ = 0;
  std::vector<bool> outcomes_;
  std::set<ConditionCase> found_;
};

}  // namespace

std::optional<std::vector<ConditionCase>> condition_cases(const Problem& problem,
                                                          std::size_t max_cases) {
  const std::set<std::uint32_t> used = problem.conditions();
  if (!used.empty() && *used.rbegin() >= problem.tests_of_condition.size()) return std::nullopt;
  Cases cases(problem, max_cases);
  if (!cases.enumerate()) return std::nullopt;
  return cases.found();
}

Problem in_case(const Problem& problem, const ConditionCase& holds) {
  Problem result;
  result.wires = problem.wires;
  result.phase = problem.phase;
  result.epsilon = problem.epsilon;
  result.outcome_symbols = problem.outcome_symbols;
  for (const auto side : {&Problem::left, &Problem::right}) {
    for (const Step& step : problem.*side) {
      if (step.condition && !holds[*step.condition]) continue;
      (result.*side).push_back({step.operation, std::nullopt});
    }
  }
  return result;
}

}  // namespace quartz::certify
