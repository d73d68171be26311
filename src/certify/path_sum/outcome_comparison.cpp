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
      apply_steps(sum, std::span(steps_).subspan(done, measurements_[i] - done), budget_);
      require_no_reader(i);
      prove_outcomes(sum, i);
      measure(sum, steps_[measurements_[i]], false);
      done = measurements_[i] + 1;
    }
    apply_steps(sum, std::span(steps_).subspan(done), budget_);
    apply_inverse_steps(sum, problem_.left, budget_);
    sum.reduce(true);
    sum.remove_constant_phases();
    require_identity(problem_, sum, static_cast<std::int64_t>(measurements_.size()),
                     "the outcomes 0");
  }

 private:
  static void measure(PathSum& sum, const Step& step, bool outcome) {
    sum.project(step.operation.qubits[0], outcome);
    sum.set_constant(step.operation.qubits[1], outcome);
    sum.reduce(true);
  }

  /// Returns true if the wire is discarded and no later step than the measurement acts on it.
  [[nodiscard]] bool ends_with(Wire wire, std::size_t measurement) const {
    if (!problem_.wires[wire].is_discarded) return false;
    return std::none_of(
        steps_.begin() + static_cast<std::ptrdiff_t>(measurement) + 1, steps_.end(),
        [&](const Step& step) { return std::ranges::count(step.operation.qubits, wire) != 0; });
  }

  /// Requires that nothing behind a place depends on an outcome.
  void require_no_reader(std::size_t measurement) const {
    const Wire outcome = steps_[measurements_[measurement]].operation.qubits[1];
    for (const Step& step : std::span(steps_).subspan(end_of(measurement))) {
      for (const Control& control : step.controls) {
        if (control.wire == outcome) {
          throw NotProved{"a correction depends on an outcome before the last one"};
        }
      }
    }
  }

  /// Proves that both outcomes of a measurement are equally likely and leave the same state. The
  /// sum is that of everything before it.
  void prove_outcomes(const PathSum& before, std::size_t number) const {
    if (is_proved_locally(number)) return;
    prove_outcomes(problem_, before, std::span(steps_).first(measurements_[number]), number);
  }

  /// Returns where the corrections of a measurement end.
  [[nodiscard]] std::size_t end_of(std::size_t number) const {
    return number + 1 < measurements_.size() ? measurements_[number + 1] : steps_.size();
  }

  /// Adds the ancillas that a measurement is about: those that its corrections flip, which take the
  /// measured state, or else the measured one.
  void add_ancillas_of(std::size_t number, std::set<Wire>& wires) const {
    const std::size_t place = measurements_[number];
    bool is_taken = false;
    const auto add = [&](Wire wire) {
      if (!problem_.wires[wire].starts_zero) return;
      wires.insert(wire);
      is_taken = true;
    };
    for (std::size_t i = place + 1; i < end_of(number); ++i) {
      const Step& step = steps_[i];
      const bool flips = step.operation.gate == GateKind::x && !step.controls.empty();
      if (flips) add(step.operation.qubits[0]);
    }
    if (!is_taken) add(steps_[place].operation.qubits[0]);
  }

  /// Steps before a measurement, and what is known of the wires where they begin.
  struct LateSteps {
    std::vector<Step> steps;
    std::set<std::size_t> measurements;  ///< among the steps
    Problem problem;
  };

  /// Returns the steps before a place that depend on ancillas. All others can be made before them,
  /// so that they are part of any state from which these begin.
  [[nodiscard]] LateSteps steps_after(const std::set<Wire>& ancillas, std::size_t place) const {
    LateSteps late{{}, {}, problem_};
    std::set<Wire> known = ancillas;
    for (std::size_t i = 0; i < place; ++i) {
      const std::vector<Wire> wires = wires_of(steps_[i]);
      if (std::ranges::any_of(wires, [&](Wire wire) { return known.contains(wire); })) {
        known.insert(wires.begin(), wires.end());
        late.steps.push_back(steps_[i]);
        if (steps_[i].is_outcome) {
          const auto number = std::ranges::lower_bound(measurements_, i) - measurements_.begin();
          late.measurements.insert(static_cast<std::size_t>(number));
        }
      } else {
        for (const Wire wire : wires) late.problem.wires[wire].starts_zero = false;
      }
    }
    return late;
  }

  /// Returns whether the steps since the preparation of the ancillas of a measurement, and of those
  /// of measurements in between, prove the same by themselves, from any state.
  [[nodiscard]] bool is_proved_locally(std::size_t number) const {
    const std::size_t place = measurements_[number];
    std::set<Wire> ancillas;
    add_ancillas_of(number, ancillas);
    if (ancillas.empty()) return false;
    LateSteps late = steps_after(ancillas, place);
    for (std::size_t known = 0; known < ancillas.size();) {
      known = ancillas.size();
      for (const std::size_t other : late.measurements) add_ancillas_of(other, ancillas);
      if (ancillas.size() > known) late = steps_after(ancillas, place);
    }
    if (late.steps.size() == place) return false;
    try {
      PathSum sum = identity_sum(late.problem, variables_, budget_);
      apply_with_outcomes_0(sum, late.steps);
      prove_outcomes(late.problem, sum, late.steps, number);
    } catch (const NotProved&) {
      return false;
    } catch (const PathSum::Vanishes&) {
      return false;
    }
    return true;
  }

  /// Applies steps with the outcome 0 of measurements.
  void apply_with_outcomes_0(PathSum& sum, std::span<const Step> steps) const {
    for (const Step& step : steps) {
      if (step.is_outcome) {
        measure(sum, step, false);
      } else {
        apply_steps(sum, std::span(&step, 1), budget_);
      }
    }
  }

  /// Returns all wires on which a step depends or acts.
  [[nodiscard]] static std::vector<Wire> wires_of(const Step& step) {
    std::vector<Wire> wires(step.operation.qubits.begin(), step.operation.qubits.end());
    for (const Control& control : step.controls) wires.push_back(control.wire);
    return wires;
  }

  /// Returns for each step the wires that start in |0> and on which it is the first one.
  [[nodiscard]] static std::vector<std::vector<Wire>> zero_wires_that_start(
      const Problem& problem, std::span<const Step> steps) {
    std::vector<std::vector<Wire>> started(steps.size());
    std::set<Wire> known;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (const Wire wire : wires_of(steps[i])) {
        if (known.insert(wire).second && problem.wires[wire].starts_zero) {
          started[i].push_back(wire);
        }
      }
    }
    return started;
  }

  /// Proves the same from earlier steps and the states in which the wires of a problem start. The
  /// sum is that of the earlier steps.
  void prove_outcomes(const Problem& problem, const PathSum& before, std::span<const Step> earlier,
                      std::size_t number) const {
    const std::size_t place = measurements_[number];
    const Step& measurement = steps_[place];
    const Wire qubit = measurement.operation.qubits[0];
    const Wire outcome = measurement.operation.qubits[1];
    const std::span<const Step> corrections =
        std::span(steps_).subspan(place + 1, end_of(number) - place - 1);
    PathSum sum = before;
    measure(sum, measurement, true);
    apply_steps(sum, corrections, budget_);
    if (ends_with(qubit, place)) sum.apply({make_operation(GateKind::x, {qubit})});
    sum.set_constant(outcome, false);
    apply_inverse_steps(sum, corrections, budget_);
    sum.project(qubit, false);
    sum.reduce(false);
    // A wire that starts in |0> is projected before its first step, which ends its sums early.
    const std::vector<std::vector<Wire>> started = zero_wires_that_start(problem, earlier);
    for (std::size_t i = earlier.size(); i-- > 0;) {
      if (earlier[i].is_outcome) {
        sum.project(earlier[i].operation.qubits[0], false);
        sum.reduce(false);
      } else {
        apply_inverse_steps(sum, earlier.subspan(i, 1), budget_);
      }
      for (const Wire wire : started[i]) sum.project(wire, false);
      if (!started[i].empty()) sum.reduce(true);
    }
    sum.reduce(true);
    sum.remove_constant_phases();
    const std::int64_t measured = 1 + std::ranges::count_if(earlier, &Step::is_outcome);
    require_identity(problem, sum, 2 * measured, "the outcomes of a measurement");
  }

  /// Requires that each input is mapped to itself, times 2^{-power/2} e^{i phase}.
  void require_identity(const Problem& problem, const PathSum& sum, std::int64_t power,
                        const std::string& what) const {
    const auto require = [&](bool holds) {
      if (!holds) throw NotProved{what + " are not proved to leave the state that they should"};
    };
    require(sum.path_variables().empty() && sum.sqrt2_power() == power);
    const auto has_input = [&](const BooleanPolynomial& function) {
      const std::set<Variable> variables = function.variables();
      return !variables.empty() && *variables.begin() < variables_.first_condition;
    };
    for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
      const WireInfo& info = problem.wires[wire];
      const BooleanPolynomial& value = sum.wires()[wire];
      const BooleanPolynomial input =
          info.starts_zero ? BooleanPolynomial() : BooleanPolynomial::variable(wire);
      const bool may_differ = info.is_discarded && info.starts_zero;
      require(may_differ ? !has_input(value) : value == input);
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
