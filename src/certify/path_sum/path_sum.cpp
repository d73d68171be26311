#include "certify/path_sum/path_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "certify/path_sum/linear_consequences.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

constexpr std::size_t kMaxMonomialsOfAWire = 50'000;
/// Longest sum of single variables by which a variable is replaced.
constexpr std::size_t kMaxLinearMonomials = 1000;
/// Longest sum of products by which a variable is replaced. Longer ones would make the path sum
/// explode, while a few remaining sums can be evaluated by brute force.
constexpr std::size_t kMaxProductMonomials = 5000;

void require_gate(const Operation& operation) {
  if (operation.kind == OperationKind::gate) return;
  throw Unsupported{fmt::format("the opaque operation '{}'", operation.classical->opaque_name)};
}

}  // namespace

void PathSum::count_wire(Wire wire, int sign) {
  for (const Monomial& monomial : wires_[wire].monomials()) {
    for (const Variable variable : monomial) {
      wire_uses_[variable] += static_cast<std::uint32_t>(sign);
      to_try_.insert(variable);
    }
  }
}

void PathSum::set_wire(Wire wire, BooleanPolynomial value) {
  if (value.monomials().size() > kMaxMonomialsOfAWire) throw OutOfBudget();
  count_wire(wire, -1);
  wires_[wire] = std::move(value);
  count_wire(wire, 1);
}

/// The factor is (sum over y of (-1)^(y (function + value))) / 2.
void PathSum::project(Wire wire, bool value) {
  is_projected_ = true;
  BooleanPolynomial difference = wires_[wire];
  if (value) difference ^= BooleanPolynomial::one();
  set_wire(wire, value ? BooleanPolynomial::one() : BooleanPolynomial());
  if (difference.is_zero()) return;
  if (difference.is_one()) throw Vanishes();
  const Variable y = next_variable_++;
  path_variables_.insert(y);
  sqrt2_power_ += 2;
  for (const Monomial& monomial : difference.monomials()) {
    phase_.add(product(monomial, {y}), kHalfTurn);
  }
}

void PathSum::set_constant(Wire wire, bool value) {
  ensure(wires_[wire].is_zero() || wires_[wire].is_one(), "the wire carries a constant");
  set_wire(wire, value ? BooleanPolynomial::one() : BooleanPolynomial());
}

PathSum::Guard PathSum::guard_of(const Step& step) const {
  Guard guard;
  const auto require = [&guard](BooleanPolynomial function) {
    guard = guard ? *guard * function : std::move(function);
  };
  if (step.condition) require(BooleanPolynomial::variable(first_condition_ + *step.condition));
  for (const Control& control : step.controls) {
    const BooleanPolynomial& value = wires_[control.wire];
    require(control.value ? value : value ^ BooleanPolynomial::one());
  }
  return guard;
}

void PathSum::apply(const Step& step) {
  const Guard guard = guard_of(step);
  if (guard && guard->is_zero()) return;
  apply(step.operation, guard && guard->is_one() ? Guard() : guard);
}

void PathSum::apply_inverse(const Step& step) {
  const Guard guard = guard_of(step);
  if (guard && guard->is_zero()) return;
  apply_inverse(step.operation, guard && guard->is_one() ? Guard() : guard);
}

void PathSum::apply_phase(const Angle& phase, const Guard& guard) {
  phase_.add(guard.value_or(BooleanPolynomial::one()), phase);
}

void PathSum::apply(const Operation& operation, const Guard& guard) {
  require_gate(operation);
  const std::span<const Wire> wires(operation.qubits.data(), operation.qubits.size());
  const Gate& row = gate(operation.gate);
  if (is_monomial_gate(row)) {
    std::vector<BooleanPolynomial> operands;
    for (const Wire wire : wires) operands.push_back(wires_[wire]);
    MonomialAction action = action_of(operation);
    if (guard.has_value()) {
      action = controlled(action);
      operands.push_back(*guard);
    }
    apply_monomial(action, operands, wires);
    return;
  }
  if (operation.gate == GateKind::h) {
    if (!guard.has_value()) return apply_hadamard(wires[0]);
    // h = a x a^-1 with a = s h t (in program order), so only x needs the condition.
    using enum GateKind;
    for (const GateKind kind : {s, h, t}) apply(make_operation(kind, {wires[0]}), Guard());
    apply(make_operation(x, {wires[0]}), guard);
    for (const GateKind kind : {tdg, h, sdg}) apply(make_operation(kind, {wires[0]}), Guard());
    return;
  }
  const Decomposition filled = expand(operation);
  for (const Operation& step : filled.operations) apply(step, guard);
  apply_phase(filled.phase, guard);
}

void PathSum::apply_inverse(const Operation& operation, const Guard& guard) {
  require_gate(operation);
  if (operation.gate == GateKind::h) return apply(operation, guard);  // self-inverse steps
  if (is_monomial_gate(gate(operation.gate))) {
    const Decomposition inverse = inverse_of(operation);
    for (const Operation& step : inverse.operations) apply(step, guard);
    return apply_phase(inverse.phase, guard);
  }
  const Decomposition filled = expand(operation);
  for (auto step = filled.operations.rbegin(); step != filled.operations.rend(); ++step) {
    apply_inverse(*step, guard);
  }
  apply_phase(-filled.phase, guard);
}

Decomposition PathSum::expand(const Operation& operation) const {
  const Decomposition* pattern = expansions_.of(operation.gate);
  if (pattern == nullptr)
    throw Unsupported{fmt::format("the gate '{}'", gate(operation.gate).name)};
  return instantiate(*pattern, operation);
}

/// Returns a new variable z that equals the function, defined by the sum over y of
/// (-1)^(y (z + function)) / 2. The inverse of the right circuit then cancels such variables by
/// name, while expanded functions would grow with every Toffoli gate.
BooleanPolynomial PathSum::named(const BooleanPolynomial& function) {
  const Variable y = next_variable_++;
  const Variable z = next_variable_++;
  path_variables_.insert({y, z});
  sqrt2_power_ += 2;
  phase_.add(Monomial{y, z}, kHalfTurn);
  for (const Monomial& monomial : function.monomials()) {
    phase_.add(product(monomial, {y}), kHalfTurn);
  }
  return BooleanPolynomial::variable(z);
}

void PathSum::apply_hadamard(Wire wire) {
  const Variable fresh = next_variable_++;
  path_variables_.insert(fresh);
  ++sqrt2_power_;
  const BooleanPolynomial y = BooleanPolynomial::variable(fresh);
  // The phase (-1)^(y f) is y times each monomial of f, since XOR and + agree in the sign.
  for (const Monomial& monomial : wires_[wire].monomials()) {
    phase_.add(product(monomial, {fresh}), kHalfTurn);
  }
  set_wire(wire, y);
}

void PathSum::apply_monomial(const MonomialAction& action,
                             const std::vector<BooleanPolynomial>& operands,
                             std::span<const Wire> wires) {
  add_phases(action.phase, operands);
  const std::size_t size = action.output.size();
  std::vector<BooleanPolynomial> outputs;
  for (std::size_t bit = 0; bit < wires.size(); ++bit) {
    // Compute the output bit as a polynomial in the operands (Moebius transform of its truth
    // table).
    std::vector<bool> coefficient(size);
    for (std::size_t b = 0; b < size; ++b) coefficient[b] = ((action.output[b] >> bit) & 1U) != 0;
    for (std::size_t stride = 1; stride < size; stride *= 2) {
      for (std::size_t b = 0; b < size; ++b) {
        if ((b & stride) != 0) coefficient[b] = coefficient[b] != coefficient[b ^ stride];
      }
    }
    BooleanPolynomial& output = outputs.emplace_back();
    for (std::size_t b = 0; b < size; ++b) {
      if (!coefficient[b]) continue;
      BooleanPolynomial term = BooleanPolynomial::one();
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (((b >> i) & 1U) != 0) term = term * operands[i];
      }
      output ^= term;
    }
  }
  for (std::size_t bit = 0; bit < wires.size(); ++bit) {
    if (outputs[bit] == wires_[wires[bit]]) continue;
    set_wire(wires[bit], outputs[bit].degree() <= 1 ? outputs[bit] : named(outputs[bit]));
  }
}

void PathSum::add_phases(const std::vector<Angle>& phases,
                         const std::vector<BooleanPolynomial>& operands) {
  const std::size_t size = phases.size();
  phase_.add(BooleanPolynomial::one(), phases[0]);
  std::vector<Angle> relative;
  std::vector<Turns> turns;
  for (const Angle& phase : phases) {
    relative.push_back(phase - phases[0]);
    if (const auto exact = exact_turns(relative.back())) turns.push_back(*exact);
  }
  if (turns.size() == size) {
    // Write the phase as a polynomial in the operands, whose products are Boolean functions again.
    for (std::size_t stride = 1; stride < size; stride *= 2) {
      for (std::size_t b = 0; b < size; ++b) {
        if ((b & stride) != 0) turns[b] -= turns[b ^ stride];
      }
    }
    for (std::size_t b = 1; b < size; ++b) {
      if (turns[b] == 0) continue;
      BooleanPolynomial function = BooleanPolynomial::one();
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (((b >> i) & 1U) != 0) function = function * operands[i];
      }
      phase_.add(function, turns[b]);
    }
    return;
  }
  // Write the phase as a sum over parities of the operands (Walsh transform): other angles do not
  // vanish in high products, and on wires that contain parities this form is unique.
  for (std::size_t parity = 1; parity < size; ++parity) {
    Angle coefficient;
    for (std::size_t b = 0; b < size; ++b) {
      const bool odd = (__builtin_popcountll(parity & b) & 1) != 0;
      coefficient += odd ? relative[b] : -relative[b];
    }
    coefficient = coefficient * Rational(2, static_cast<std::int64_t>(size));
    if (coefficient.is_zero()) continue;
    BooleanPolynomial function;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (((parity >> i) & 1U) != 0) function ^= operands[i];
    }
    phase_.add(function, coefficient);
  }
}

void PathSum::substitute(Variable variable, const BooleanPolynomial& value) {
  for (Wire wire = 0; wire < wires_.size(); ++wire) {
    if (wires_[wire].contains(variable)) set_wire(wire, wires_[wire].substitute(variable, value));
  }
  phase_.substitute(variable, value);
}

// The sum over y of e^{i(a y + pi y Q)}, for y in no output, with Q a Boolean function of the other
// variables and a a multiple of pi/2:
//   Q = 0, a = 0:       2                                                        (elimination)
//   a = 0 or pi:        2 where Q (+ 1) = 0, and 0 elsewhere                     (HH)
//   a = +-pi/2:         sqrt(2) e^{+-i pi/4} e^{-+ i pi/2 Q}                     (omega)
bool PathSum::reduce_variable(Variable variable, const Limits& limits) {
  const std::optional<OwnPhase> phase = phase_of(variable);
  if (!phase.has_value()) return false;
  const std::optional<Elimination> elimination = elimination_of(*phase, limits);
  if (!elimination.has_value()) return false;
  if (phase->own == 0) {
    sum_out_half(variable, phase->partner, elimination->solved);
  } else {
    sum_out_quarter(variable, phase->partner, phase->own);
  }
  return true;
}

std::optional<PathSum::OwnPhase> PathSum::phase_of(Variable variable) {
  const auto uses = wire_uses_.find(variable);
  if (uses != wire_uses_.end() && uses->second > 0) return std::nullopt;
  OwnPhase phase;
  for (const auto& [monomial, coefficient] : phase_.factors_of(variable)) {
    if (coefficient == kHalfTurn) {
      phase.partner.toggle(monomial);
    } else if (monomial.empty() && coefficient % kQuarterTurn == 0) {
      phase.own = coefficient;
    } else {
      return std::nullopt;
    }
  }
  if (phase_.others_contain(variable)) return std::nullopt;
  return phase;
}

std::optional<PathSum::Elimination> PathSum::elimination_of(const OwnPhase& phase,
                                                            const Limits& limits) {
  const std::size_t size = phase.partner.monomials().size();
  if (phase.own != 0) {
    if (size > limits.monomials) return std::nullopt;
    return Elimination{std::nullopt, size * size};
  }
  if (phase.partner.is_zero()) return Elimination{std::nullopt, 0};
  if (phase.partner.is_one() && is_projected_) throw Vanishes();
  ensure(!phase.partner.is_one(), "a path sum of an isometry is not zero");
  if (size > limits.monomials + 1) return std::nullopt;
  // Solve Q = 0 for a path variable that is a monomial by itself and occurs in no other monomial.
  std::map<Variable, unsigned> uses;
  for (const Monomial& monomial : phase.partner.monomials()) {
    for (const Variable other : monomial) ++uses[other];
  }
  // Choose the variable in the fewest places, as each place gets a longer expression.
  std::optional<Variable> best;
  std::size_t fewest = 0;
  for (const Monomial& monomial : phase.partner.monomials()) {
    if (monomial.size() != 1 || monomial[0] < first_path_variable_ || uses[monomial[0]] != 1) {
      if (monomial.size() > limits.degree) return std::nullopt;
      continue;
    }
    const std::size_t places = places_of(monomial[0]);
    if (best.has_value() && places >= fewest) continue;
    best = monomial[0];
    fewest = places;
  }
  if (!best.has_value()) return std::nullopt;
  return Elimination{best, fewest * (size - 1)};
}

void PathSum::sum_out_quarter(Variable variable, const BooleanPolynomial& partner, Turns own) {
  phase_.substitute(variable, BooleanPolynomial());
  path_variables_.erase(variable);
  --sqrt2_power_;
  phase_.add(Monomial(), own == kQuarterTurn ? kQuarterTurn / 2 : 0 - kQuarterTurn / 2);
  phase_.add(partner, 0 - own);
}

void PathSum::sum_out_half(Variable variable, const BooleanPolynomial& partner,
                           std::optional<Variable> solved) {
  sqrt2_power_ -= 2;
  path_variables_.erase(variable);
  if (!solved.has_value()) return;
  BooleanPolynomial value = partner;
  value.toggle({*solved});
  phase_.substitute(variable, BooleanPolynomial());
  substitute(*solved, value);
  path_variables_.erase(*solved);
}

std::size_t PathSum::places_of(Variable variable) {
  const auto in_wires = wire_uses_.find(variable);
  return phase_.occurrences(variable) + (in_wires == wire_uses_.end() ? 0 : in_wires->second);
}

bool PathSum::reduce_changed(const Limits& limits) {
  bool any = false;
  while (true) {
    for (const Variable variable : phase_.take_changed()) to_try_.insert(variable);
    if (to_try_.empty()) return any;
    const Variable variable = *to_try_.rbegin();
    to_try_.erase(variable);
    if (!path_variables_.contains(variable)) continue;
    if (budget_.spent()) throw OutOfBudget();
    if (reduce_variable(variable, limits)) any = true;
  }
}

bool PathSum::reduce_cheapest(const Limits& limits) {
  std::optional<Variable> cheapest;
  std::size_t least = 0;
  for (const Variable variable : path_variables_) {
    if (budget_.spent()) throw OutOfBudget();
    const std::optional<OwnPhase> phase = phase_of(variable);
    if (!phase.has_value()) continue;
    const std::optional<Elimination> elimination = elimination_of(*phase, limits);
    if (!elimination.has_value() || (cheapest.has_value() && elimination->growth > least)) continue;
    cheapest = variable;
    least = elimination->growth;
  }
  return cheapest.has_value() && reduce_variable(*cheapest, limits);
}

/// Changes variables, y to y + f of the others (which only reorders the sum), so that outputs
/// become single variables. The other variables of these outputs may then be in no output any more.
bool PathSum::simplify_outputs() {
  std::set<Variable> outputs;
  for (const BooleanPolynomial& wire : wires_) {
    if (wire.monomials().size() == 1 && wire.degree() == 1) outputs.insert(wire.monomials()[0][0]);
  }
  bool any = false;
  for (Wire wire = 0; wire < wires_.size(); ++wire) {
    if (wires_[wire].monomials().size() < 2) continue;
    for (const Monomial& monomial : wires_[wire].monomials()) {
      if (monomial.size() != 1 || monomial[0] < first_path_variable_) continue;
      const Variable variable = monomial[0];
      BooleanPolynomial rest = wires_[wire];
      rest.toggle({variable});
      if (outputs.contains(variable) || rest.contains(variable)) continue;
      rest.toggle({variable});
      substitute(variable, rest);
      outputs.insert(variable);
      any = true;
      break;
    }
  }
  return any;
}

/// Returns the Q of variables y whose sum vanishes unless Q = 0 (a = 0 above), where no y occurs in
/// another Q.
std::vector<BooleanPolynomial> PathSum::independent_constraints() {
  std::vector<BooleanPolynomial> constraints;
  std::set<Variable> taken;
  std::set<Variable> in_constraints;
  for (const Variable variable : path_variables_) {
    if (in_constraints.contains(variable)) continue;
    std::optional<OwnPhase> phase = phase_of(variable);
    if (!phase.has_value() || phase->own != 0) continue;
    const std::set<Variable> others = phase->partner.variables();
    if (std::any_of(others.begin(), others.end(),
                    [&](Variable other) { return taken.contains(other); })) {
      continue;
    }
    taken.insert(variable);
    in_constraints.insert(others.begin(), others.end());
    constraints.push_back(std::move(phase->partner));
  }
  return constraints;
}

/// If all constraints hold, the factor (sum over y of (-1)^(y f)) / 2 is 1 for each f that they
/// imply to be 0; otherwise the sum is 0 anyway. So the factor may be inserted, and if f is linear
/// it shows which variables of left and right are the same function although they were computed
/// differently.
bool PathSum::add_linear_consequences() {
  const std::vector<BooleanPolynomial> constraints = independent_constraints();
  std::vector<BooleanPolynomial> found = linear_consequences(constraints, budget_);
  if (found.empty()) {
    const std::vector<BooleanPolynomial> more = with_multiples(constraints, budget_);
    if (more.size() > constraints.size()) found = linear_consequences(more, budget_);
  }
  // No rule would use longer ones, and they would be found repeatedly.
  std::erase_if(found, [](const BooleanPolynomial& function) {
    return function.monomials().size() > kMaxLinearMonomials;
  });
  for (const BooleanPolynomial& function : found) {
    const std::set<Variable> variables = function.variables();
    if (is_projected_ && (variables.empty() || *variables.rbegin() < first_path_variable_)) {
      throw Vanishes();
    }
    ensure(!variables.empty() && *variables.rbegin() >= first_path_variable_,
           "a path sum of an isometry is zero for no input");
    const Variable fresh = next_variable_++;
    path_variables_.insert(fresh);
    sqrt2_power_ += 2;
    for (const Monomial& monomial : function.monomials()) {
      phase_.add(product(monomial, {fresh}), kHalfTurn);
    }
  }
  return !found.empty();
}

void PathSum::reduce(bool thorough) {
  // Replace one variable by another first: this cancels what the right circuit undoes of the left
  // one before it can grow. Use functions of more variables, and products, only if nothing else is
  // left, and then the one that adds least first: in any other order the last sums of large
  // circuits explode.
  constexpr Limits kCheap{2, 1};
  constexpr Limits kLinear{kMaxLinearMonomials, 1};
  constexpr Limits kAny{kMaxProductMonomials, std::numeric_limits<std::size_t>::max()};
  reduce_changed(kCheap);
  if (!thorough) return;
  std::size_t left_at_last_change = path_variables_.size() + 1;
  std::size_t left_without_consequences = 2 * path_variables_.size();
  const auto find_consequences = [&] {
    // If there were none, there are rarely any after a few more sums, and the search takes long.
    if (path_variables_.size() * 20 > left_without_consequences * 19) return false;
    if (add_linear_consequences()) return true;
    left_without_consequences = path_variables_.size();
    return false;
  };
  while (true) {
    if (!reduce_cheapest(kLinear) && !find_consequences() && !reduce_cheapest(kAny)) {
      if (path_variables_.size() >= left_at_last_change || !simplify_outputs()) return;
      left_at_last_change = path_variables_.size();
    }
    reduce_changed(kCheap);
  }
}

}  // namespace quartz::certify
