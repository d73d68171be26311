#include "certify/path_sum/outcome_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "certify/path_sum/path_sum.hpp"
#include "certify/path_sum/sum_of_problem.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kOutcomeMethod = "exact path sums, outcome by outcome";

/// Returns the steps in an order in which each of them follows those before it on its wires, and in
/// which steps with controls come as early as possible, and measurements as late as possible.
std::vector<Step> with_late_measurements(const Problem& problem) {
  const std::vector<Step>& steps = problem.right;
  std::vector<std::vector<std::size_t>> next(steps.size());
  std::vector<std::size_t> waits_for(steps.size(), 0);
  std::vector<std::optional<std::size_t>> last(problem.wires.size());
  std::vector<std::vector<std::size_t>> readers(problem.wires.size());
  const auto follow = [&](std::size_t before, std::size_t after) {
    next[before].push_back(after);
    ++waits_for[after];
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const Wire wire : steps[i].operation.qubits) {
      if (last[wire]) follow(*last[wire], i);
      for (const std::size_t reader : readers[wire]) follow(reader, i);
      readers[wire].clear();
      last[wire] = i;
    }
    for (const Control& control : steps[i].controls) {
      if (last[control.wire]) follow(*last[control.wire], i);
      readers[control.wire].push_back(i);
    }
  }
  // The class of a step and its index; the smallest pair is first.
  using Ready = std::pair<unsigned, std::size_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  const auto add = [&](std::size_t i) {
    const unsigned rank = steps[i].is_outcome ? 2 : steps[i].controls.empty() ? 1 : 0;
    ready.emplace(rank, i);
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (waits_for[i] == 0) add(i);
  }
  std::vector<Step> result;
  while (!ready.empty()) {
    const std::size_t i = ready.top().second;
    ready.pop();
    result.push_back(steps[i]);
    for (const std::size_t each : next[i]) {
      if (--waits_for[each] == 0) add(each);
    }
  }
  ensure(result.size() == steps.size(), "the order of the steps has no cycle");
  return result;
}

/// Thrown if something is not proved.
struct NotProved {
  std::string reason;
};

class OutcomeProof {
 public:
  OutcomeProof(const Problem& problem, const Budget& budget)
      : problem_(problem),
        budget_(budget),
        steps_(with_late_measurements(problem)),
        variables_(problem) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].is_outcome) measurements_.push_back(i);
    }
  }

  /// Throws NotProved.
  void prove() {
    PathSum sum = identity_sum(problem_, variables_, budget_);
    std::size_t done = 0;
    for (std::size_t i = 0; i < measurements_.size(); ++i) {
      const std::size_t end = i + 1 < measurements_.size() ? measurements_[i + 1] : steps_.size();
      apply_steps(sum, std::span(steps_).subspan(done, measurements_[i] - done), budget_);
      require_no_reader(i, end);
      prove_outcomes(sum, i, end);
      measure(sum, steps_[measurements_[i]], false);
      done = measurements_[i] + 1;
    }
    apply_steps(sum, std::span(steps_).subspan(done), budget_);
    apply_inverse_steps(sum, problem_.left, budget_);
    sum.reduce(true);
    require_identity(sum, static_cast<std::int64_t>(measurements_.size()), "the outcomes 0");
  }

 private:
  static void measure(PathSum& sum, const Step& step, bool outcome) {
    sum.project(step.operation.qubits[0], outcome);
    sum.set_constant(step.operation.qubits[1], outcome);
    sum.reduce(false);
  }

  /// Returns true if the wire is discarded and no later step than the measurement acts on it.
  [[nodiscard]] bool ends_with(Wire wire, std::size_t measurement) const {
    if (!problem_.wires[wire].is_discarded) return false;
    return std::none_of(
        steps_.begin() + static_cast<std::ptrdiff_t>(measurement) + 1, steps_.end(),
        [&](const Step& step) { return std::ranges::count(step.operation.qubits, wire) != 0; });
  }

  /// Requires that nothing behind a place depends on an outcome.
  void require_no_reader(std::size_t measurement, std::size_t end) const {
    const Wire outcome = steps_[measurements_[measurement]].operation.qubits[1];
    for (const Step& step : std::span(steps_).subspan(end)) {
      for (const Control& control : step.controls) {
        if (control.wire == outcome) {
          throw NotProved{"a correction depends on an outcome before the last one"};
        }
      }
    }
  }

  /// Proves that both outcomes of a measurement are equally likely and leave the same state. The
  /// sum is that of everything before it.
  void prove_outcomes(const PathSum& before, std::size_t number, std::size_t end) const {
    const std::size_t place = measurements_[number];
    const Step& measurement = steps_[place];
    const Wire qubit = measurement.operation.qubits[0];
    const Wire outcome = measurement.operation.qubits[1];
    const std::span<const Step> corrections = std::span(steps_).subspan(place + 1, end - place - 1);
    PathSum sum = before;
    measure(sum, measurement, true);
    apply_steps(sum, corrections, budget_);
    if (ends_with(qubit, place)) sum.apply({make_operation(GateKind::x, {qubit})});
    sum.set_constant(outcome, false);
    apply_inverse_steps(sum, corrections, budget_);
    sum.project(qubit, false);
    sum.reduce(false);
    for (std::size_t i = place; i-- > 0;) {
      if (steps_[i].is_outcome) {
        sum.project(steps_[i].operation.qubits[0], false);
        sum.reduce(false);
      } else {
        apply_inverse_steps(sum, std::span(steps_).subspan(i, 1), budget_);
      }
    }
    for (Wire wire = 0; wire < problem_.wires.size(); ++wire) {
      if (problem_.wires[wire].starts_zero) sum.project(wire, false);
    }
    sum.reduce(true);
    require_identity(sum, 2 * static_cast<std::int64_t>(number + 1),
                     fmt::format("the outcomes of measurement {}", number + 1));
  }

  /// Requires that each input is mapped to itself, times 2^{-power/2} e^{i phase}.
  void require_identity(const PathSum& sum, std::int64_t power, const std::string& what) const {
    const auto require = [&](bool holds) {
      if (!holds) throw NotProved{what + " are not proved to leave the state that they should"};
    };
    require(sum.path_variables().empty() && sum.sqrt2_power() == power);
    const auto has_input = [&](const BooleanPolynomial& function) {
      const std::set<Variable> variables = function.variables();
      return !variables.empty() && *variables.begin() < variables_.first_condition;
    };
    for (Wire wire = 0; wire < problem_.wires.size(); ++wire) {
      const WireInfo& info = problem_.wires[wire];
      const BooleanPolynomial& value = sum.wires()[wire];
      const BooleanPolynomial input =
          info.starts_zero ? BooleanPolynomial() : BooleanPolynomial::variable(wire);
      require(info.is_discarded ? !has_input(value) : value == input);
    }
    for (const auto& [monomial, coefficient] : sum.phase().dyadic_terms()) {
      require(std::ranges::none_of(monomial,
                                   [&](Variable v) { return v < variables_.first_condition; }));
    }
    for (const auto& [function, angle] : sum.phase().other_terms()) {
      require(!has_input(function) && !problem_.depends_on_outcome(angle));
    }
    require(!problem_.depends_on_outcome(sum.phase().constant_angle()));
    require(sum.phase().rounding() == 0);
  }

  const Problem& problem_;
  const Budget& budget_;
  std::vector<Step> steps_;
  std::vector<std::size_t> measurements_;  ///< places of measurements in the steps
  SumVariables variables_;
};

}  // namespace

Comparison compare_by_outcomes(const Problem& problem, const Budget& budget) {
  return compared_by_sum(kOutcomeMethod, budget, [&] {
    try {
      OutcomeProof(problem, budget).prove();
      return equal_by(kOutcomeMethod);
    } catch (const NotProved& fault) {
      return unknown_because(kOutcomeMethod, fault.reason);
    } catch (const PathSum::Vanishes&) {
      return unknown_because(kOutcomeMethod, "an outcome that was expected cannot occur");
    }
  });
}

}  // namespace quartz::certify
