#include <z3++.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/verify/prover.hpp"
#include "verify/claim_core.hpp"
#include "verify/exponential_claim.hpp"
#include "verify/power_basis.hpp"
#include "verify/witness.hpp"

/// Proof by Z3 that two circuits are equal for all parameter values.
///
/// Each symbol s of the claim has a unit such that every exponent is an integer multiple of alpha =
/// unit * s. An entry is then a Laurent polynomial in the x = e^{i alpha} over Q(zeta, sqrt(2)) =
/// Q(zeta), and the claim is an equality of such polynomials. It holds for all x on the unit circle
/// exactly if it holds for all real x, because both sets are infinite, and only equal polynomials
/// agree on an infinite set. Therefore x becomes a real variable of Z3. Dividing both sides by the
/// lowest power of each x and by the powers of 1/sqrt(2), and multiplying one side by the
/// difference, leaves polynomials; in the basis 1, zeta, zeta^2, ... of Q(zeta) they split into
/// rational polynomials. Z3 does all arithmetic on them: our code only lays out the terms of the
/// matrix products, without the structural zeros.
///
/// (With t = tan(alpha/2) instead of x, the values of t correspond to angles too, but a rotation by
/// alpha is then a quotient of quadratic polynomials instead of a monomial: slower by a third on
/// small rules, and by a factor of hundreds on products of controlled u3 gates.)
namespace quartz {
namespace {

/// Limit for roots of unity, because the basis for a finer root is too long to be useful.
constexpr unsigned kLargestOrder = 1024;
constexpr int kLargestMultiple = 1000;
constexpr std::size_t kMaxClaimQubits = 8;
/// The context is replaced after this many claims, because Z3 keeps all terms that it has seen.
constexpr unsigned kClaimsPerContext = 500;

/// A number of Q(zeta) as its components in the power basis, each of which is a polynomial as a Z3
/// term. Components that are structurally zero are omitted.
struct Component {
  unsigned index = 0;
  z3::expr value;
};
using Number = std::vector<Component>;

/// The common factor 1/sqrt(2)^k and 1/x^m, with an m for each symbol, of a gate or of one side.
struct Scale {
  int sqrt2_power = 0;
  std::vector<int> powers;
};

struct GateEntry {
  unsigned row = 0;
  unsigned column = 0;
  Number value;
};

/// The field Q(zeta)[x, ...] in one Z3 context.
class Encoding {
 public:
  Encoding(z3::context& context, const verify::PowerBasis& basis, std::size_t symbols)
      : context_(&context), basis_(&basis), one_(context.real_val(1)) {
    for (std::size_t i = 0; i < symbols; ++i) {
      variables_.push_back(context.real_const(("x" + std::to_string(i)).c_str()));
    }
  }

  [[nodiscard]] Scale no_scale() const { return {0, std::vector<int>(variables_.size(), 0)}; }
  [[nodiscard]] Number one() const { return {{0, one_}}; }
  [[nodiscard]] Number product(const Number& a, const Number& b) const;
  void add(Number& sum, const Number& addend) const;
  [[nodiscard]] Number sqrt2_power(int power) const;
  [[nodiscard]] Number variable_power(std::size_t symbol, int power) const;

  /// Returns the term without the factor `scale`.
  [[nodiscard]] Number value_of(const verify::ExponentialTerm& term, const Scale& scale) const;
  /// Returns the gate's entries without their common factor, which is multiplied into `side`.
  [[nodiscard]] std::vector<GateEntry> entries_of(const verify::ExponentialGate& gate,
                                                  Scale& side) const;

 private:
  [[nodiscard]] Number root(unsigned exponent) const;
  [[nodiscard]] Number integer(std::int64_t value) const {
    return {{0, context_->real_val(value)}};
  }
  void add_component(Number& sum, unsigned index, int factor, const z3::expr& value) const;

  z3::context* context_;
  const verify::PowerBasis* basis_;
  std::vector<z3::expr> variables_;
  z3::expr one_;
};

void Encoding::add_component(Number& sum, unsigned index, int factor, const z3::expr& value) const {
  const auto found = std::find_if(
      sum.begin(), sum.end(), [&](const Component& component) { return component.index == index; });
  if (found == sum.end()) {
    sum.push_back({index, factor == 1    ? value
                          : factor == -1 ? -value
                                         : context_->real_val(factor) * value});
  } else if (factor == -1) {
    found->value = found->value - value;
  } else {
    found->value = found->value + (factor == 1 ? value : context_->real_val(factor) * value);
  }
}

void Encoding::add(Number& sum, const Number& addend) const {
  for (const Component& part : addend) add_component(sum, part.index, 1, part.value);
}

Number Encoding::product(const Number& a, const Number& b) const {
  Number result;
  for (const Component& left : a) {
    for (const Component& right : b) {
      const z3::expr value = z3::eq(left.value, one_)    ? right.value
                             : z3::eq(right.value, one_) ? left.value
                                                         : left.value * right.value;
      for (const verify::PowerBasis::Part& part : basis_->power(left.index + right.index)) {
        add_component(result, part.index, part.factor, value);
      }
    }
  }
  return result;
}

Number Encoding::root(unsigned exponent) const {
  Number result;
  for (const verify::PowerBasis::Part& part : basis_->power(exponent)) {
    add_component(result, part.index, part.factor, one_);
  }
  return result;
}

Number Encoding::sqrt2_power(int power) const {
  Number result = one();
  if (power % 2 != 0) {  // uses sqrt(2) = e^{i pi/4} + e^{-i pi/4}
    result = root(basis_->order() / 8);
    add(result, root(basis_->order() / 8 * 7));
  }
  for (int halves = power / 2; halves > 0; --halves) result = product(result, integer(2));
  return result;
}

Number Encoding::variable_power(std::size_t symbol, int power) const {
  if (power == 0) return one();
  z3::expr value = variables_[symbol];
  for (int i = 1; i < power; ++i) value = value * variables_[symbol];
  return {{0, value}};
}

Number Encoding::value_of(const verify::ExponentialTerm& term, const Scale& scale) const {
  Number value = root(term.root);
  if (term.coefficient != 1) value = product(value, integer(term.coefficient));
  if (term.sqrt2_power != scale.sqrt2_power) {
    value = product(value, sqrt2_power(scale.sqrt2_power - term.sqrt2_power));
  }
  for (std::size_t s = 0; s < variables_.size(); ++s) {
    value = product(value, variable_power(s, term.multiples[s] + scale.powers[s]));
  }
  return value;
}

std::vector<GateEntry> Encoding::entries_of(const verify::ExponentialGate& gate,
                                            Scale& side) const {
  Scale scale = no_scale();
  for (const verify::ExponentialEntry& entry : gate.entries) {
    for (const verify::ExponentialTerm& term : entry.terms) {
      scale.sqrt2_power = std::max(scale.sqrt2_power, term.sqrt2_power);
      for (std::size_t s = 0; s < variables_.size(); ++s) {
        scale.powers[s] = std::max(scale.powers[s], -term.multiples[s]);
      }
    }
  }
  side.sqrt2_power += scale.sqrt2_power;
  for (std::size_t s = 0; s < variables_.size(); ++s) side.powers[s] += scale.powers[s];

  std::vector<GateEntry> entries;
  for (const verify::ExponentialEntry& entry : gate.entries) {
    Number sum;
    for (const verify::ExponentialTerm& term : entry.terms) add(sum, value_of(term, scale));
    entries.push_back({entry.row, entry.column, std::move(sum)});
  }
  return entries;
}

/// One side of a claim, on the qubits in use, as a product of sparse matrices.
class Z3Circuit {
 public:
  using Column = std::map<std::size_t, Number>;  ///< keyed by row, without structural zeros

  Z3Circuit(const Encoding& encoding, const std::vector<verify::ExponentialGate>& gates)
      : encoding_(&encoding), scale_(encoding.no_scale()) {
    for (const verify::ExponentialGate& gate : gates) {
      steps_.push_back({&gate, encoding.entries_of(gate, scale_)});
    }
  }

  [[nodiscard]] const Scale& scale() const { return scale_; }

  [[nodiscard]] Column column(std::size_t index) const {
    Column amplitudes = {{index, encoding_->one()}};
    for (const Step& step : steps_) {
      Column next;
      for (const auto& [from, amplitude] : amplitudes) {
        const unsigned local = step.local_index(from);
        for (const GateEntry& entry : step.entries) {
          if (entry.column != local) continue;
          encoding_->add(next[step.with_local_index(from, entry.row)],
                         encoding_->product(entry.value, amplitude));
        }
      }
      amplitudes = std::move(next);
    }
    return amplitudes;
  }

 private:
  struct Step {
    const verify::ExponentialGate* gate = nullptr;
    std::vector<GateEntry> entries;

    [[nodiscard]] unsigned local_index(std::size_t index) const {
      unsigned local = 0;
      for (std::size_t i = 0; i < gate->positions.size(); ++i) {
        local |= static_cast<unsigned>((index >> gate->positions[i]) & 1U) << i;
      }
      return local;
    }
    [[nodiscard]] std::size_t with_local_index(std::size_t index, unsigned local) const {
      for (std::size_t i = 0; i < gate->positions.size(); ++i) {
        const std::size_t bit = std::size_t{1} << gate->positions[i];
        index = ((local >> i) & 1U) != 0 ? index | bit : index & ~bit;
      }
      return index;
    }
  };

  const Encoding* encoding_;
  std::vector<Step> steps_;
  Scale scale_;
};

/// Returns the factors of both sides that make up for the different common factors taken out of
/// them; the phase belongs to the left side.
std::pair<Number, Number> factors_of(const Encoding& encoding, const verify::ExponentialTerm& phase,
                                     const Scale& left, const Scale& right) {
  Scale of_phase = encoding.no_scale();
  for (std::size_t s = 0; s < of_phase.powers.size(); ++s) {
    of_phase.powers[s] = std::max(0, -phase.multiples[s]);
  }
  Number left_factor = encoding.value_of(phase, of_phase);
  Number right_factor = encoding.one();
  const int sqrt2 = left.sqrt2_power - right.sqrt2_power;
  Number& without_sqrt2 = sqrt2 > 0 ? right_factor : left_factor;
  without_sqrt2 = encoding.product(without_sqrt2, encoding.sqrt2_power(std::abs(sqrt2)));
  for (std::size_t s = 0; s < of_phase.powers.size(); ++s) {
    const int powers = left.powers[s] + of_phase.powers[s] - right.powers[s];
    Number& without = powers > 0 ? right_factor : left_factor;
    without = encoding.product(without, encoding.variable_power(s, std::abs(powers)));
  }
  return {left_factor, right_factor};
}

/// Adds "a differs from b" for each component.
void add_differences(const Number& a, Number b, const z3::expr& zero,
                     z3::expr_vector& differences) {
  for (const Component& component : a) {
    const auto found = std::find_if(b.begin(), b.end(),
                                    [&](const Component& c) { return c.index == component.index; });
    differences.push_back(component.value != (found == b.end() ? zero : found->value));
    if (found != b.end()) b.erase(found);
  }
  for (const Component& component : b) differences.push_back(component.value != zero);
}

/// Returns the formula "some entry of right differs from e^{i phase} left".
z3::expr negation_of(const verify::ExponentialClaim& claim, std::size_t dimension,
                     const Encoding& encoding, z3::context& context) {
  const Z3Circuit left(encoding, claim.left);
  const Z3Circuit right(encoding, claim.right);
  const auto [left_factor, right_factor] =
      factors_of(encoding, claim.phase, left.scale(), right.scale());
  const z3::expr zero = context.real_val(0);
  z3::expr_vector differences(context);
  for (std::size_t index = 0; index < dimension; ++index) {
    const Z3Circuit::Column left_column = left.column(index);
    Z3Circuit::Column right_column = right.column(index);
    for (const auto& [row, amplitude] : left_column) {
      add_differences(encoding.product(left_factor, amplitude),
                      encoding.product(right_factor, right_column[row]), zero, differences);
      right_column.erase(row);
    }
    for (const auto& [row, amplitude] : right_column) {
      add_differences({}, encoding.product(right_factor, amplitude), zero, differences);
    }
  }
  return z3::mk_or(differences);
}

/// Returns formulas of which at least one holds exactly if the goal holds.
z3::expr_vector disjuncts_of(const z3::goal& goal) {
  const z3::expr formula = goal.as_expr();
  z3::expr_vector disjuncts(formula.ctx());
  if (formula.is_or()) {
    for (unsigned i = 0; i < formula.num_args(); ++i) disjuncts.push_back(formula.arg(i));
  } else {
    disjuncts.push_back(formula);
  }
  return disjuncts;
}

/// A Z3 context, and the objects that are created once for it.
struct Session {
  explicit Session(double seconds)
      : milliseconds(static_cast<unsigned>(std::clamp(seconds * 1000, 1.0, 4e9))),
        normalise(z3::try_for(sum_of_monomials(context), milliseconds)) {}

  /// Returns the tactic that transforms polynomials into a normal form, in which an identity
  /// becomes trivial; it expands products as far as the time limit permits.
  static z3::tactic sum_of_monomials(z3::context& context) {
    z3::params settings(context);
    settings.set("som", true);
    settings.set("som_blowup", std::numeric_limits<unsigned>::max());
    return z3::with(z3::tactic(context, "simplify"), settings);
  }

  z3::context context;
  unsigned milliseconds;
  z3::tactic normalise;
};

class Z3Prover final : public Prover {
 public:
  explicit Z3Prover(double seconds_per_claim) : seconds_(seconds_per_claim) {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned build = 0;
    unsigned revision = 0;
    Z3_get_version(&major, &minor, &build, &revision);
    name_ =
        "z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
  }

  [[nodiscard]] std::string_view name() const override { return name_; }

  [[nodiscard]] ProofResult prove(const Claim& claim) override {
    try {
      const verify::ClaimCore core = verify::core_of(claim.left, claim.right, claim.qubits);
      if (core.qubits.size() > kMaxClaimQubits) {
        return {ProofVerdict::unknown,
                "more than " + std::to_string(kMaxClaimQubits) + " qubits in one claim"};
      }
      return decide(claim, core);
    } catch (const z3::exception& error) {
      session_.reset();
      return {ProofVerdict::unknown, std::string("z3: ") + error.msg()};
    } catch (const OverflowError& error) {
      return {ProofVerdict::unknown, error.what()};
    }
  }

 private:
  [[nodiscard]] ProofResult decide(const Claim& claim, const verify::ClaimCore& core) {
    const verify::ExponentialClaim exponential =
        verify::exponential_claim(core, claim.phase, kLargestOrder, kLargestMultiple);
    Session& session = fresh_session();
    const Encoding encoding(session.context, basis(exponential.order), exponential.symbols.size());
    z3::goal goal(session.context);
    goal.add(
        negation_of(exponential, std::size_t{1} << core.qubits.size(), encoding, session.context));
    const z3::apply_result normal = session.normalise(goal);
    ensure(normal.size() == 1, "normalization does not split a goal");
    if (normal[0].is_decided_unsat()) return {ProofVerdict::proved, {}};

    // The remaining polynomials are most likely not zero everywhere. Each is decided separately,
    // which finds a model soonest.
    const ProofResult rest = decide_one_of(disjuncts_of(normal[0]), session);
    if (rest.verdict != ProofVerdict::refuted) return rest;
    // The values x of the model need not be on the unit circle, but polynomials that differ at all
    // differ at almost all angles. A single number among the symbols behaves like a free symbol (it
    // is transcendental); for several numbers this is not known.
    const auto numbers = std::count_if(exponential.symbols.begin(), exponential.symbols.end(),
                                       [](const auto& symbol) { return symbol.is_number(); });
    return verify::refutation(claim, numbers <= 1);
  }

  /// Returns refuted if one of the formulas has a model, and proved if none has.
  [[nodiscard]] static ProofResult decide_one_of(const z3::expr_vector& disjuncts,
                                                 Session& session) {
    z3::solver solver = z3::tactic(session.context, "qfnra-nlsat").mk_solver();
    solver.set("timeout", session.milliseconds);
    for (unsigned i = 0; i < disjuncts.size(); ++i) {
      solver.reset();
      solver.add(disjuncts[i]);
      switch (solver.check()) {
        case z3::sat:
          return {ProofVerdict::refuted, {}};
        case z3::unknown:
          return {ProofVerdict::unknown, "z3: " + solver.reason_unknown()};
        case z3::unsat:
          break;
      }
    }
    return {ProofVerdict::proved, {}};
  }

  Session& fresh_session() {
    if (!session_ || claims_ % kClaimsPerContext == 0) {
      session_.reset();
      session_ = std::make_unique<Session>(seconds_);
    }
    ++claims_;
    return *session_;
  }

  const verify::PowerBasis& basis(unsigned order) {
    return bases_.try_emplace(order, order).first->second;
  }

  double seconds_;
  std::string name_;
  std::map<unsigned, verify::PowerBasis> bases_;
  std::unique_ptr<Session> session_;
  std::uint64_t claims_ = 0;
};

}  // namespace

std::unique_ptr<Prover> make_z3_prover(double seconds_per_claim) {
  return std::make_unique<Z3Prover>(seconds_per_claim);
}

}  // namespace quartz
