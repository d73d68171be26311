#include "certify/path_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <span>

#include "certify/boolean_polynomial.hpp"
#include "certify/instance.hpp"
#include "certify/numbers.hpp"
#include "certify/phase_polynomial.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"

namespace quartz::certify {
namespace {

constexpr std::size_t max_monomials_of_a_wire = 50'000;
constexpr const char* method_name = "exact path sum";

/// A step that path sums have no rule for.
struct Unsupported {
  std::string what;
};

/// Gates that permute basis states up to phases: one entry of size 1 in each column.
bool is_monomial_gate(const Gate& row) {
  return row.matrix.size() == row.dimension() &&
         std::all_of(row.matrix.begin(), row.matrix.end(), [](const MatrixEntry& entry) {
           return entry.terms.size() == 1 && std::abs(entry.terms[0].coefficient) == 1 &&
                  entry.terms[0].sqrt2_power == 0;
         });
}

/// How to bring each gate of the table to monomial gates and h: by which of its decompositions.
class Expansions {
 public:
  Expansions() : decomposition_(gate_table().size()), known_(gate_table().size(), false) {
    for (const Gate& row : gate_table()) {
      known_[index(row.kind)] = row.kind == GateKind::h || is_monomial_gate(row);
    }
    for (bool again = true; again;) {
      again = false;
      for (const Gate& row : gate_table()) {
        if (!known_[index(row.kind)] && find_decomposition(row)) again = true;
      }
    }
  }

  /// Null where there is none.
  [[nodiscard]] const Decomposition* of(GateKind kind) const { return decomposition_[index(kind)]; }

 private:
  static std::size_t index(GateKind kind) { return static_cast<std::size_t>(kind); }

  bool find_decomposition(const Gate& row) {
    for (const Decomposition& candidate : row.decompositions) {
      if (!candidate.when.empty()) continue;
      if (!std::all_of(candidate.operations.begin(), candidate.operations.end(),
                       [this](const Operation& o) { return known_[index(o.gate)]; })) {
        continue;
      }
      decomposition_[index(row.kind)] = &candidate;
      known_[index(row.kind)] = true;
      return true;
    }
    return false;
  }

  std::vector<const Decomposition*> decomposition_;
  std::vector<bool> known_;
};

void require_gate(const Operation& operation) {
  if (operation.kind == OperationKind::gate) return;
  throw Unsupported{fmt::format("the opaque operation '{}'", operation.classical->opaque_name)};
}

/// What a monomial gate does to the bits of a basis state b.
struct MonomialAction {
  std::vector<unsigned> output;  ///< of each b
  std::vector<Angle> phase;      ///< of each b
};

MonomialAction action_of(const Operation& operation) {
  const Gate& row = gate(operation.gate);
  std::map<std::string, Angle> angles;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    angles.emplace(row.parameters[i], operation.angles[i]);
  }
  MonomialAction action;
  action.output.resize(row.dimension());
  action.phase.resize(row.dimension());
  for (const MatrixEntry& entry : row.matrix) {
    const PhaseTerm& term = entry.terms[0];
    action.output[entry.column] = entry.row;
    action.phase[entry.column] = term.exponent.substitute(angles);
    if (term.coefficient < 0) action.phase[entry.column] += Angle::pi_times(1);
  }
  return action;
}

/// The same with one more operand, the last: the action where it is 1, else nothing.
MonomialAction controlled(const MonomialAction& action) {
  const auto size = static_cast<unsigned>(action.output.size());
  MonomialAction result;
  result.output.resize(2 * size);
  std::iota(result.output.begin(), result.output.end(), 0U);
  result.phase.resize(2 * size);
  for (unsigned b = 0; b < size; ++b) {
    result.output[size + b] = size + action.output[b];
    result.phase[size + b] = action.phase[b];
  }
  return result;
}

/// The image of a basis state as a sum over paths, and the rules that make it shorter.
class PathSum {
 public:
  /// `inputs[w]` is what wire w holds; variables below `first_path_variable` are inputs.
  PathSum(std::vector<BooleanPolynomial> inputs, Variable first_condition,
          Variable first_path_variable, const Budget& budget)
      : wires_(std::move(inputs)),
        phase_(budget),
        budget_(budget),
        first_condition_(first_condition),
        first_path_variable_(first_path_variable),
        next_variable_(first_path_variable) {
    for (Wire wire = 0; wire < wires_.size(); ++wire) count_wire(wire, 1);
  }

  void apply(const Operation& operation, std::optional<std::uint32_t> condition);
  /// The inverse, in the mirror image of the steps that `apply` takes.
  void apply_inverse(const Operation& operation, std::optional<std::uint32_t> condition);
  /// Does all sums it can; the dear ones too where `thorough`.
  void reduce(bool thorough);

  [[nodiscard]] const std::vector<BooleanPolynomial>& wires() const { return wires_; }
  [[nodiscard]] const PhasePolynomial& phase() const { return phase_; }
  /// Path variables that are left.
  [[nodiscard]] const std::set<Variable>& path_variables() const { return path_variables_; }
  /// The sum has a factor 2^{-k/2}.
  [[nodiscard]] std::int64_t sqrt2_power() const { return sqrt2_power_; }

 private:
  [[nodiscard]] Decomposition expand(const Operation& operation) const;
  void apply_hadamard(Wire wire);
  void apply_monomial(const MonomialAction& action, const std::vector<BooleanPolynomial>& operands,
                      std::span<const Wire> wires);
  void add_phases(const std::vector<Angle>& phases, const std::vector<BooleanPolynomial>& operands);
  void apply_phase(const Angle& phase, std::optional<std::uint32_t> condition);
  [[nodiscard]] BooleanPolynomial named(const BooleanPolynomial& function);
  void set_wire(Wire wire, BooleanPolynomial value);
  void count_wire(Wire wire, int sign);

  /// The largest number of monomials that a rule may put in the place of a variable, and whether
  /// they may be products.
  struct Limits {
    std::size_t monomials = 0;
    std::size_t degree = 0;
  };
  bool reduce_variable(Variable variable, const Limits& limits);
  bool sum_out_quarter(Variable variable, const BooleanPolynomial& partner, Turns own,
                       const Limits& limits);
  bool sum_out_half(Variable variable, BooleanPolynomial partner, const Limits& limits);
  std::size_t places_of(Variable variable);
  void substitute(Variable variable, const BooleanPolynomial& value);
  bool reduce_changed(const Limits& limits);
  bool reduce_any(const Limits& limits);
  bool simplify_outputs();

  std::vector<BooleanPolynomial> wires_;
  PhasePolynomial phase_;
  const Budget& budget_;
  Expansions expansions_;
  Variable first_condition_;
  Variable first_path_variable_;
  Variable next_variable_;
  std::set<Variable> path_variables_;
  std::map<Variable, std::uint32_t> wire_uses_;  ///< in how many monomials of wires
  std::set<Variable> to_try_;
  std::int64_t sqrt2_power_ = 0;
};

void PathSum::count_wire(Wire wire, int sign) {
  for (const Monomial& monomial : wires_[wire].monomials()) {
    for (const Variable variable : monomial) {
      wire_uses_[variable] += static_cast<std::uint32_t>(sign);
      to_try_.insert(variable);
    }
  }
}

void PathSum::set_wire(Wire wire, BooleanPolynomial value) {
  if (value.monomials().size() > max_monomials_of_a_wire) throw OutOfBudget();
  count_wire(wire, -1);
  wires_[wire] = std::move(value);
  count_wire(wire, 1);
}

void PathSum::apply_phase(const Angle& phase, std::optional<std::uint32_t> condition) {
  phase_.add(condition.has_value() ? BooleanPolynomial::variable(first_condition_ + *condition)
                                   : BooleanPolynomial::one(),
             phase);
}

void PathSum::apply(const Operation& operation, std::optional<std::uint32_t> condition) {
  require_gate(operation);
  const std::span<const Wire> wires(operation.qubits.data(), operation.qubits.size());
  const Gate& row = gate(operation.gate);
  if (is_monomial_gate(row)) {
    std::vector<BooleanPolynomial> operands;
    for (const Wire wire : wires) operands.push_back(wires_[wire]);
    MonomialAction action = action_of(operation);
    if (condition.has_value()) {
      action = controlled(action);
      operands.push_back(BooleanPolynomial::variable(first_condition_ + *condition));
    }
    apply_monomial(action, operands, wires);
    return;
  }
  if (operation.gate == GateKind::h) {
    if (!condition.has_value()) return apply_hadamard(wires[0]);
    // h = a x a^-1 with a = s h t (in program order), so that only x needs the condition.
    using enum GateKind;
    for (const GateKind kind : {s, h, t}) apply(make_operation(kind, {wires[0]}), std::nullopt);
    apply(make_operation(x, {wires[0]}), condition);
    for (const GateKind kind : {tdg, h, sdg}) apply(make_operation(kind, {wires[0]}), std::nullopt);
    return;
  }
  const Decomposition filled = expand(operation);
  for (const Operation& step : filled.operations) apply(step, condition);
  apply_phase(filled.phase, condition);
}

void PathSum::apply_inverse(const Operation& operation, std::optional<std::uint32_t> condition) {
  require_gate(operation);
  if (operation.gate == GateKind::h) return apply(operation, condition);  // mirrors itself
  if (is_monomial_gate(gate(operation.gate))) {
    const Decomposition inverse = inverse_of(operation);
    for (const Operation& step : inverse.operations) apply(step, condition);
    return apply_phase(inverse.phase, condition);
  }
  const Decomposition filled = expand(operation);
  for (auto step = filled.operations.rbegin(); step != filled.operations.rend(); ++step) {
    apply_inverse(*step, condition);
  }
  apply_phase(-filled.phase, condition);
}

Decomposition PathSum::expand(const Operation& operation) const {
  const Decomposition* pattern = expansions_.of(operation.gate);
  if (pattern == nullptr)
    throw Unsupported{fmt::format("the gate '{}'", gate(operation.gate).name)};
  return instantiate(*pattern, operation);
}

/// A new variable z that stands for the function, by the sum over y of (-1)^(y (z + function)) / 2.
/// What the inverse of right undoes then cancels by name, while functions written out would grow
/// with every Toffoli gate.
BooleanPolynomial PathSum::named(const BooleanPolynomial& function) {
  const Variable y = next_variable_++;
  const Variable z = next_variable_++;
  path_variables_.insert({y, z});
  sqrt2_power_ += 2;
  phase_.add(Monomial{y, z}, half_turn);
  for (const Monomial& monomial : function.monomials()) {
    phase_.add(product(monomial, {y}), half_turn);
  }
  return BooleanPolynomial::variable(z);
}

void PathSum::apply_hadamard(Wire wire) {
  const Variable fresh = next_variable_++;
  path_variables_.insert(fresh);
  ++sqrt2_power_;
  const BooleanPolynomial y = BooleanPolynomial::variable(fresh);
  // (-1)^(y f): y times each monomial of f, since XOR and + agree in the sign.
  for (const Monomial& monomial : wires_[wire].monomials()) {
    phase_.add(product(monomial, {fresh}), half_turn);
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
    // The output bit as a polynomial in the operands (Moebius transform of its truth table).
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
    // As a polynomial in the operands, whose products are Boolean functions again.
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
  // As a sum over parities of the operands (Walsh transform): other angles do not vanish in high
  // products, and on wires that hold parities this form is unique.
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

// The sum over y of e^{i(a y + pi y Q)}, for y in no output, with Q a Boolean function of the
// others and a a multiple of pi/2:
//   Q = 0, a = 0:       2                                                        (elimination)
//   a = 0 or pi:        2 where Q (+ 1) = 0, else nothing                        (HH)
//   a = +-pi/2:         sqrt(2) e^{+-i pi/4} e^{-+ i pi/2 Q}                     (omega)
bool PathSum::reduce_variable(Variable variable, const Limits& limits) {
  const auto uses = wire_uses_.find(variable);
  if (uses != wire_uses_.end() && uses->second > 0) return false;
  BooleanPolynomial partner;
  Turns own = 0;
  for (const auto& [monomial, coefficient] : phase_.factors_of(variable)) {
    if (monomial.empty()) {
      own = coefficient;
    } else if (coefficient == half_turn) {
      partner.toggle(monomial);
    } else {
      return false;
    }
  }
  if (own % quarter_turn != 0 || phase_.others_contain(variable)) return false;
  if (own == quarter_turn || own == half_turn + quarter_turn) {
    return sum_out_quarter(variable, partner, own, limits);
  }
  if (own == half_turn) partner.toggle({});
  return sum_out_half(variable, std::move(partner), limits);
}

bool PathSum::sum_out_quarter(Variable variable, const BooleanPolynomial& partner, Turns own,
                              const Limits& limits) {
  if (partner.monomials().size() > limits.monomials) return false;
  phase_.substitute(variable, BooleanPolynomial());
  path_variables_.erase(variable);
  --sqrt2_power_;
  phase_.add(Monomial(), own == quarter_turn ? quarter_turn / 2 : 0 - quarter_turn / 2);
  phase_.add(partner, 0 - own);
  return true;
}

bool PathSum::sum_out_half(Variable variable, BooleanPolynomial partner, const Limits& limits) {
  if (partner.is_zero()) {
    path_variables_.erase(variable);
    sqrt2_power_ -= 2;
    return true;
  }
  ensure(!partner.is_one(), "a path sum of an isometry is not zero");
  if (partner.monomials().size() > limits.monomials + 1) return false;
  // Solve Q = 0 for a path variable that stands alone in one monomial and in no other.
  std::map<Variable, unsigned> uses;
  for (const Monomial& monomial : partner.monomials()) {
    for (const Variable other : monomial) ++uses[other];
  }
  // The one in the fewest places: it is replaced by a longer expression in each of them.
  std::optional<Variable> best;
  std::size_t fewest = 0;
  for (const Monomial& monomial : partner.monomials()) {
    if (monomial.size() != 1 || monomial[0] < first_path_variable_ || uses[monomial[0]] != 1) {
      continue;
    }
    const std::size_t places = places_of(monomial[0]);
    if (best.has_value() && places >= fewest) continue;
    best = monomial[0];
    fewest = places;
  }
  if (!best.has_value()) return false;
  partner.toggle({*best});
  if (partner.degree() > limits.degree) return false;
  phase_.substitute(variable, BooleanPolynomial());
  substitute(*best, partner);
  path_variables_.erase(variable);
  path_variables_.erase(*best);
  sqrt2_power_ -= 2;
  return true;
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

bool PathSum::reduce_any(const Limits& limits) {
  const std::set<Variable> all = path_variables_;
  for (auto variable = all.rbegin(); variable != all.rend(); ++variable) {
    if (budget_.spent()) throw OutOfBudget();
    if (path_variables_.contains(*variable) && reduce_variable(*variable, limits)) return true;
  }
  return false;
}

/// Changes variables, y to y + f of the others (which only reorders the sum), so that outputs
/// become single variables. What else they were made of may then be in no output.
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

void PathSum::reduce(bool thorough) {
  // Replacing one variable by another first: what right undoes of left then cancels before it can
  // grow. Functions of more variables, and products, only where nothing else is left.
  constexpr Limits cheap{2, 1};
  reduce_changed(cheap);
  if (!thorough) return;
  constexpr Limits stages[] = {{4, 1}, {16, 1}, {1000, 1}, {2, 2}, {4, 4}, {16, 16}, {200, 200}};
  std::size_t left_at_last_change = path_variables_.size() + 1;
  for (std::size_t stage = 0; stage <= std::size(stages);) {
    if (stage < std::size(stages) && !reduce_any(stages[stage])) {
      ++stage;
      continue;
    }
    if (stage == std::size(stages)) {
      if (path_variables_.size() >= left_at_last_change || !simplify_outputs()) return;
      left_at_last_change = path_variables_.size();
    }
    reduce_changed(cheap);
    stage = 0;
  }
}

/// The inputs that are 1 in the monomial, and the conditions that are true.
std::string describe_input(const Problem& problem, const Monomial& monomial) {
  std::string text;
  for (const Variable variable : monomial) {
    if (!text.empty()) text += " ";
    text += variable < problem.wires.size()
                ? problem.wires[variable].name + "=1"
                : fmt::format("condition {} true", variable - problem.wires.size());
  }
  return text.empty() ? "all qubits 0" : text + " (all others 0)";
}

bool only_conditions(const Monomial& monomial, Variable first_condition) {
  return std::all_of(monomial.begin(), monomial.end(),
                     [first_condition](Variable v) { return v >= first_condition; });
}

/// The shortest monomial: setting its variables and no others makes the polynomial 1, since all
/// its other monomials have a variable besides.
const Monomial& shortest(const std::vector<Monomial>& monomials) {
  return *std::min_element(
      monomials.begin(), monomials.end(),
      [](const Monomial& a, const Monomial& b) { return a.size() < b.size(); });
}

bool value_of(const Monomial& monomial, const std::vector<bool>& values) {
  return std::all_of(monomial.begin(), monomial.end(), [&](Variable v) { return values[v]; });
}

bool value_of(const BooleanPolynomial& function, const std::vector<bool>& values) {
  bool value = false;
  for (const Monomial& monomial : function.monomials()) {
    if (value_of(monomial, values)) value = !value;
  }
  return value;
}

/// Where sums are left: does the few that are by brute force, for some inputs x. The amplitude of x
/// after left and the inverse of right must be one number of size 1.
class AmplitudeProbe {
 public:
  AmplitudeProbe(const Problem& problem, const PathSum& sum, Variable first_path_variable)
      : problem_(problem),
        sum_(sum),
        path_variables_(sum.path_variables().begin(), sum.path_variables().end()),
        inputs_(first_path_variable),
        values_(path_variables_.back() + 1, false) {
    Bindings bindings;
    RandomBits random(1);
    for (const std::string& symbol : problem.symbols()) {
      bindings[symbol] = std::numbers::pi * (2 * uniform(random) - 1);
    }
    constant_ = sum.phase().constant_angle().value(bindings);
    for (const auto& [function, angle] : sum.phase().other_terms()) {
      others_.emplace_back(&function, angle.value(bindings));
    }
  }

  void set_input(RandomBits& random) {
    for (Variable v = 0; v < inputs_; ++v) {
      const bool is_zero = v < problem_.wires.size() && problem_.wires[v].starts_zero;
      values_[v] = !is_zero && (random() & 1U) != 0;
    }
  }

  [[nodiscard]] std::string describe_input() const {
    Monomial ones;
    for (Variable v = 0; v < inputs_; ++v) {
      if (values_[v]) ones.push_back(v);
    }
    return certify::describe_input(problem_, ones);
  }

  Complex amplitude(const Budget& budget) {
    Complex total = 0;
    for (std::uint64_t path = 0; path < (std::uint64_t{1} << path_variables_.size()); ++path) {
      if (budget.spent()) throw OutOfBudget();
      for (std::size_t i = 0; i < path_variables_.size(); ++i) {
        values_[path_variables_[i]] = ((path >> i) & 1U) != 0;
      }
      if (returns_to_input()) total += std::polar(1.0, phase());
    }
    return total * std::exp2(-0.5 * static_cast<double>(sum_.sqrt2_power()));
  }

 private:
  [[nodiscard]] bool returns_to_input() const {
    for (Wire wire = 0; wire < problem_.wires.size(); ++wire) {
      if (value_of(sum_.wires()[wire], values_) != values_[wire]) return false;
    }
    return true;
  }

  [[nodiscard]] double phase() const {
    Turns turns = 0;
    for (const auto& [monomial, coefficient] : sum_.phase().dyadic_terms()) {
      if (value_of(monomial, values_)) turns += coefficient;
    }
    double radians = radians_of(turns) + constant_;
    for (const auto& [function, angle] : others_) {
      if (value_of(*function, values_)) radians += angle;
    }
    return radians;
  }

  const Problem& problem_;
  const PathSum& sum_;
  std::vector<Variable> path_variables_;
  Variable inputs_;
  std::vector<bool> values_;
  double constant_ = 0;
  std::vector<std::pair<const BooleanPolynomial*, double>> others_;
};

Comparison compare_amplitudes(const Problem& problem, const PathSum& sum,
                              Variable first_path_variable, const Budget& budget) {
  constexpr std::size_t max_sums = 12;
  constexpr int inputs = 32;
  Comparison result = unknown_because(
      method_name, fmt::format("{} sums are left that no rule does", sum.path_variables().size()));
  if (sum.path_variables().size() > max_sums) return result;
  AmplitudeProbe probe(problem, sum, first_path_variable);
  RandomBits random(1);
  Complex first = 0;
  for (int i = 0; i < inputs; ++i) {
    if (i > 0) probe.set_input(random);
    const Complex amplitude = probe.amplitude(budget);
    if (i == 0) first = amplitude;
    const bool has_size_one = std::abs(std::abs(amplitude) - 1) <= 10 * tolerance;
    if (has_size_one && std::abs(amplitude - first) <= 10 * tolerance) continue;
    result.outcome = Outcome::different;
    result.method = "path sum, some amplitudes of which in double precision";
    result.reason = fmt::format(
        "input {}: left and the inverse of right give it back with "
        "amplitude {}",
        probe.describe_input(), describe(amplitude));
    if (i > 0)
      result.reason += fmt::format(", the input with all qubits 0 with {}", describe(first));
    return result;
  }
  return result;
}

/// Reads off the verdict where no path variable is left.
Comparison read_off(const Problem& problem, const PathSum& sum,
                    const std::vector<BooleanPolynomial>& inputs, Variable first_condition) {
  ensure(sum.sqrt2_power() == 0, "a unitary without branching has entries of size 1");
  Comparison result{Outcome::equal, method_name, "", std::nullopt};
  for (Wire wire = 0; wire < inputs.size(); ++wire) {
    const BooleanPolynomial difference = sum.wires()[wire] ^ inputs[wire];
    if (difference.is_zero()) continue;
    result.outcome = Outcome::different;
    result.reason = fmt::format("input {}: after left and the inverse of right, {} has changed",
                                describe_input(problem, shortest(difference.monomials())),
                                problem.wires[wire].name);
    return result;
  }
  std::vector<Monomial> dependence;
  bool conditional_phase = false;
  for (const auto& [monomial, coefficient] : sum.phase().dyadic_terms()) {
    if (monomial.empty()) continue;
    if (only_conditions(monomial, first_condition)) {
      conditional_phase = true;
    } else {
      dependence.push_back(monomial);
    }
  }
  for (const auto& [function, angle] : sum.phase().other_terms()) {
    for (const Monomial& monomial : function.monomials()) {
      if (!only_conditions(monomial, first_condition)) {
        return unknown_because(method_name, "angles are left that it cannot compare");
      }
    }
    conditional_phase = true;
  }
  if (!dependence.empty()) {
    const Monomial& input = shortest(dependence);
    const double difference = -radians_of(sum.phase().dyadic_terms().at(input));
    if (sum.phase().rounding() > 0 && std::abs(difference) < tolerance) {
      return unknown_because(method_name, "what is left is too small to tell from rounding");
    }
    result.outcome = Outcome::different;
    result.reason = fmt::format(
        "input {}: its phase differs by {:.9g} more than that of the input with all qubits 0",
        describe_input(problem, input), difference);
    return result;
  }
  for (const std::string& symbol : sum.phase().constant_angle().symbols()) {
    if (problem.outcome_symbols.contains(symbol)) {
      return unknown_because(method_name, "the phase depends on a measured bit");
    }
  }
  const Angle& constant = sum.phase().constant_angle();
  if (!conditional_phase && constant.is_constant()) {
    result.phase = -(radians_of(sum.phase().constant_turns()) + constant.value());
  }
  return result;
}

}  // namespace

Comparison compare_path_sums(const Problem& problem, const Budget& budget) {
  std::vector<BooleanPolynomial> inputs;
  for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
    inputs.push_back(problem.wires[wire].starts_zero ? BooleanPolynomial()
                                                     : BooleanPolynomial::variable(wire));
  }
  const auto first_condition = static_cast<Variable>(inputs.size());
  const std::set<std::uint32_t> conditions = problem.conditions();
  const Variable first_path_variable =
      first_condition + (conditions.empty() ? 0 : *conditions.rbegin() + 1);
  try {
    PathSum sum(inputs, first_condition, first_path_variable, budget);
    for (const Step& step : problem.left) {
      if (budget.spent()) throw OutOfBudget();
      sum.apply(step.operation, step.condition);
      sum.reduce(false);
    }
    for (auto step = problem.right.rbegin(); step != problem.right.rend(); ++step) {
      if (budget.spent()) throw OutOfBudget();
      sum.apply_inverse(step->operation, step->condition);
      sum.reduce(false);
    }
    sum.reduce(true);
    if (sum.phase().rounding() > tolerance) {
      return unknown_because(method_name, "too many rounded angles");
    }
    if (!sum.path_variables().empty()) {
      return compare_amplitudes(problem, sum, first_path_variable, budget);
    }
    return read_off(problem, sum, inputs, first_condition);
  } catch (const OutOfBudget&) {
    return unknown_because(method_name, "out of time or memory");
  } catch (const Unsupported& unsupported) {
    return unknown_because(method_name, unsupported.what + " has no path sum");
  }
}

}  // namespace quartz::certify
