#include "certify/path_sum/sum_of_problem.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace quartz::certify {

SumVariables::SumVariables(const Problem& problem)
    : first_condition(static_cast<Variable>(problem.wires.size())), first_path(first_condition) {
  const std::set<std::uint32_t> conditions = problem.conditions();
  if (!conditions.empty()) first_path += *conditions.rbegin() + 1;
}

std::vector<BooleanPolynomial> inputs_of(const Problem& problem) {
  std::vector<BooleanPolynomial> inputs;
  for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
    inputs.push_back(problem.wires[wire].starts_zero ? BooleanPolynomial()
                                                     : BooleanPolynomial::variable(wire));
  }
  return inputs;
}

PathSum identity_sum(const Problem& problem, const SumVariables& variables, const Budget& budget) {
  return {inputs_of(problem), variables.first_condition, variables.first_path, budget};
}

void apply_steps(PathSum& sum, std::span<const Step> steps, const Budget& budget) {
  for (const Step& step : steps) {
    if (budget.spent()) throw OutOfBudget();
    sum.apply(step);
    sum.reduce(false);
  }
}

void apply_inverse_steps(PathSum& sum, std::span<const Step> steps, const Budget& budget) {
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (budget.spent()) throw OutOfBudget();
    sum.apply_inverse(*step);
    sum.reduce(false);
  }
}

}  // namespace quartz::certify
