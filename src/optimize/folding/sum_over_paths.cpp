#include "optimize/folding/sum_over_paths.hpp"

#include <algorithm>
#include <utility>

namespace quartz::optimizer {

SumOverPaths::SumOverPaths(std::size_t wires) : wires_(wires) {
  for (std::size_t wire = 0; wire < wires; ++wire) {
    const Variable variable = new_variable(false);
    variables_[variable].is_input = true;
    set(wire, functions_.variable(variable));
  }
}

Variable SumOverPaths::new_variable(bool is_summed) {
  variables_.emplace_back().is_summed = is_summed;
  return static_cast<Variable>(variables_.size() - 1);
}

void SumOverPaths::set(std::size_t wire, BooleanFunction function) {
  for (const Variable each : functions_.variables_of(wires_[wire])) --variables_[each].wires;
  for (const Variable each : functions_.variables_of(function)) {
    VariableState& state = variables_[each];
    ++state.wires;
    // Inputs are never replaced.
    if (!state.is_input) state.on_wires.push_back(static_cast<std::uint32_t>(wire));
  }
  wires_[wire] = std::move(function);
}

void SumOverPaths::hide(const BooleanFunction& function) {
  for (const Variable each : functions_.variables_of(function)) variables_[each].is_summed = false;
}

void SumOverPaths::add(std::size_t wire, const BooleanFunction& function) {
  BooleanFunction sum = BooleanFunctions::exclusive_or(wires_[wire], function);
  if (!is_too_large(sum)) return set(wire, std::move(sum));
  hide(sum);
  set(wire, functions_.variable(new_variable(false)));
}

void SumOverPaths::hadamard(std::size_t wire) {
  const BooleanFunction before = wires_[wire];
  const Variable variable = new_variable(true);
  BooleanFunction after = functions_.variable(variable);
  (void)add_term(kHalfTurn, functions_.conjunction(after, before), false);
  set(wire, std::move(after));
  eliminate(functions_.variables_of(before));
}

void SumOverPaths::read(std::size_t wire) { hide(wires_[wire]); }

void SumOverPaths::overwrite(std::size_t wire) {
  read(wire);
  set(wire, functions_.variable(new_variable(false)));
}

std::optional<BooleanFunction> SumOverPaths::conjunction(const BooleanFunction& a,
                                                         const BooleanFunction& b) {
  if (a.size() * b.size() > kMaxMonomials) return std::nullopt;
  BooleanFunction result = functions_.conjunction(a, b);
  if (is_too_large(result)) return std::nullopt;
  return result;
}

std::optional<std::int64_t> SumOverPaths::units_of(const Angle& angle) {
  if (!angle.is_pi_multiple()) return std::nullopt;
  const std::int64_t denominator = angle.pi_part().denominator();
  if (kHalfTurn % denominator != 0) return std::nullopt;
  return angle.pi_part().numerator() % (2 * denominator) * (kHalfTurn / denominator);
}

SumOverPaths::Term SumOverPaths::add_term(std::optional<std::int64_t> units,
                                          BooleanFunction function, bool is_open) {
  const auto term = static_cast<Term>(terms_.size());
  PhaseTerm& added = terms_.emplace_back();
  added.units = units;
  added.function = std::move(function);
  added.is_open = is_open;
  index(term);
  if (is_open) open(term);
  return term;
}

SumOverPaths::Term SumOverPaths::add_rotation(const Angle& angle, const BooleanFunction& function) {
  return add_term(units_of(angle), function, true);
}

void SumOverPaths::add_phase(const Angle& angle, const BooleanFunction& function) {
  (void)add_term(units_of(angle), function, false);
}

/// Takes the constant out of the function, and registers the term at its variables.
void SumOverPaths::index(Term term) {
  PhaseTerm& each = terms_[term];
  if (!each.function.empty() && each.function.front() == BooleanFunctions::kOne) {
    each.function.erase(each.function.begin());
    each.is_complemented = !each.is_complemented;
    if (each.units) each.units = -*each.units;
  }
  for (const Variable variable : functions_.variables_of(each.function)) {
    std::vector<Term>& terms = variables_[variable].terms;
    if (terms.empty() || terms.back() != term) terms.push_back(term);
  }
}

void SumOverPaths::open(Term term) {
  if (terms_[term].function.empty()) return;
  const auto [found, is_new] = open_.try_emplace(terms_[term].function, term);
  if (is_new) return;
  const Term other = found->second;
  if (other == term) return;
  found->second = std::min(term, other);
  coincidences_.emplace_back(std::min(term, other), std::max(term, other));
}

void SumOverPaths::close(Term term) {
  const auto found = open_.find(terms_[term].function);
  if (found != open_.end() && found->second == term) open_.erase(found);
}

std::optional<SumOverPaths::Coincidence> SumOverPaths::take_coincidence() {
  while (!coincidences_.empty()) {
    const auto [first, second] = coincidences_.front();
    coincidences_.pop_front();
    const PhaseTerm& a = terms_[first];
    const PhaseTerm& b = terms_[second];
    // The term with which this one coincided may have merged into yet another one.
    if (!a.is_open && b.is_open) open(second);
    if (!a.is_open || !b.is_open || a.function != b.function) continue;
    return Coincidence{first, second, a.is_complemented != b.is_complemented};
  }
  return std::nullopt;
}

void SumOverPaths::merge(const Merge& terms) {
  close(terms.from);
  PhaseTerm& into = terms_[terms.into];
  PhaseTerm& from = terms_[terms.from];
  // The units contain the signs of complements.
  if (into.units && from.units) {
    into.units = (*into.units + *from.units) % (2 * kHalfTurn);
  } else {
    into.units = std::nullopt;
  }
  from.is_open = false;
  from.units = 0;
  from.function.clear();
  // A rotation that has vanished takes up no other one.
  if (into.units == 0) {
    close(terms.into);
    into.is_open = false;
  } else {
    open_.try_emplace(into.function, terms.into);
  }
}

void SumOverPaths::keep_apart(const Coincidence& pair) {
  close(pair.first);
  terms_[pair.first].is_open = false;
  open_.try_emplace(terms_[pair.second].function, pair.second);
}

void SumOverPaths::eliminate(std::vector<Variable> candidates) {
  while (!candidates.empty()) {
    const Variable variable = candidates.back();
    candidates.pop_back();
    if (!variables_[variable].is_summed || variables_[variable].wires != 0) continue;
    const std::vector<Variable> changed = try_elimination(variable);
    candidates.insert(candidates.end(), changed.begin(), changed.end());
  }
}

std::vector<SumOverPaths::Term> SumOverPaths::terms_with(Variable variable) {
  std::vector<Term> result = variables_[variable].terms;
  std::ranges::sort(result);
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  std::erase_if(result, [&](Term term) {
    return !std::ranges::binary_search(functions_.variables_of(terms_[term].function), variable);
  });
  variables_[variable].terms = result;
  return result;
}

std::vector<std::uint32_t> SumOverPaths::wires_with(Variable variable) {
  std::vector<std::uint32_t>& wires = variables_[variable].on_wires;
  std::ranges::sort(wires);
  const auto repeated = std::ranges::unique(wires);
  wires.erase(repeated.begin(), repeated.end());
  std::erase_if(wires, [&](std::uint32_t wire) {
    return !std::ranges::binary_search(functions_.variables_of(wires_[wire]), variable);
  });
  return wires;
}

std::vector<Variable> SumOverPaths::try_elimination(Variable variable) {
  const std::vector<Term> terms = terms_with(variable);
  if (terms.size() > kMaxTermsOfVariable) {
    variables_[variable].is_summed = false;  // it is not looked at again
    return {};
  }
  const std::optional<BooleanFunction> q = factor(variable, terms);
  if (!q) return {};
  std::optional<Variable> solved;
  BooleanFunction value;
  std::vector<Term> of_solved;
  if (!q->empty()) {
    solved = solved_variable(*q);
    if (!solved) return {};
    value = functions_.split(*q, *solved).second;
    of_solved = terms_with(*solved);
    if (!can_substitute(*solved, value, of_solved)) return {};
  }
  variables_[variable].is_summed = false;
  for (const Term term : terms) {
    // The phase of the paths that are left is that for the value 0 of the variable.
    close(term);
    terms_[term].is_open = false;
    terms_[term].function = functions_.split(terms_[term].function, variable).second;
    index(term);
  }
  if (!solved) return {};
  substitute(*solved, value, of_solved);
  std::vector<Variable> changed = functions_.variables_of(value);
  for (const Term term : of_solved) {
    const std::vector<Variable> others = functions_.variables_of(terms_[term].function);
    changed.insert(changed.end(), others.begin(), others.end());
  }
  return changed;
}

std::optional<BooleanFunction> SumOverPaths::factor(Variable variable,
                                                    std::span<const Term> terms) {
  Polynomial sum;
  for (const Term term : terms) {
    if (!terms_[term].units) return std::nullopt;
    const std::int64_t units = *terms_[term].units;
    // With f = v a xor b, f(v = 1) - f(v = 0) = a - 2 a b.
    const auto [a, b] = functions_.split(terms_[term].function, variable);
    if (!add_to(sum, units, a)) return std::nullopt;
    const bool is_half_turn = units % kHalfTurn == 0;
    if (is_half_turn || b.empty()) continue;
    const std::optional<BooleanFunction> both = conjunction(a, b);
    if (!both || !add_to(sum, -2 * units, *both)) return std::nullopt;
  }
  BooleanFunction q;
  for (const auto& [monomial, coefficient] : sum) {
    if (coefficient % kHalfTurn != 0) return std::nullopt;
    if (coefficient % (2 * kHalfTurn) != 0) q.push_back(monomial);
  }
  std::ranges::sort(q);
  return q;
}

bool SumOverPaths::add_to(Polynomial& sum, std::int64_t units, const BooleanFunction& function) {
  // The exclusive or of x and y is x + y - 2 x y.
  std::unordered_map<MonomialNumber, std::int64_t> expanded;
  for (const MonomialNumber each : function) {
    std::vector<std::pair<MonomialNumber, std::int64_t>> products;
    for (const auto& [monomial, coefficient] : expanded) {
      const std::int64_t doubled = -2 * coefficient % (2 * kHalfTurn);
      if (doubled != 0) products.emplace_back(functions_.product(monomial, each), doubled);
    }
    products.emplace_back(each, units);
    for (const auto& [monomial, coefficient] : products) {
      std::int64_t& total = expanded[monomial];
      total = (total + coefficient) % (2 * kHalfTurn);
    }
    if (expanded.size() > kMaxPolynomial) return false;
  }
  for (const auto& [monomial, coefficient] : expanded) {
    std::int64_t& total = sum[monomial];
    total = (total + coefficient) % (2 * kHalfTurn);
  }
  return sum.size() <= kMaxPolynomial;
}

std::optional<Variable> SumOverPaths::solved_variable(const BooleanFunction& q) {
  const std::vector<Variable> variables = functions_.variables_of(q);
  for (auto each = variables.rbegin(); each != variables.rend(); ++each) {
    if (variables_[*each].is_input) continue;
    if (functions_.split(q, *each).first == BooleanFunction{BooleanFunctions::kOne}) return *each;
  }
  return std::nullopt;
}

bool SumOverPaths::can_substitute(Variable variable, const BooleanFunction& value,
                                  std::span<const Term> terms) {
  const auto fits = [&](const BooleanFunction& function) {
    const auto [with, without] = functions_.split(function, variable);
    return with.empty() || (with.size() * value.size() + without.size() <= 4 * kMaxMonomials &&
                            !is_too_large(functions_.substituted(function, variable, value)));
  };
  return std::ranges::all_of(wires_with(variable),
                             [&](std::uint32_t wire) { return fits(wires_[wire]); }) &&
         std::ranges::all_of(terms, [&](Term term) { return fits(terms_[term].function); });
}

void SumOverPaths::substitute(Variable variable, const BooleanFunction& value,
                              std::span<const Term> terms) {
  // A part of something unknown that depends on the variable depends on the value instead.
  if (!variables_[variable].is_summed) hide(value);
  variables_[variable].is_summed = false;
  for (const std::uint32_t wire : wires_with(variable)) {
    set(wire, functions_.substituted(wires_[wire], variable, value));
  }
  for (const Term term : terms) {
    close(term);
    terms_[term].function = functions_.substituted(terms_[term].function, variable, value);
    index(term);
    if (terms_[term].is_open) open(term);
  }
}

}  // namespace quartz::optimizer
