#include <z3++.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"
#include "quartz/verify/prover.hpp"
#include "verify/claim_core.hpp"
#include "verify/witness.hpp"

/// Proof by Z3 that two circuits are equal for all parameter values.
///
/// Each symbol s of the claim gets a unit u such that every exponent of the claim is an integer
/// multiple of alpha = u s, and a real variable t = tan(alpha). Then
///     e^{i k alpha} = cos(alpha)^|k| (1 +- i t)^|k|   and   cos(alpha)^2 = 1 / (1 + t^2).
/// Within one gate all k of a symbol have the same parity (else the unit is halved, and all are
/// even), so with m the largest |k|, each entry is cos(alpha)^m times the polynomial
/// (1 +- i t)^|k| (1 + t^2)^((m - |k|)/2). The powers of cos(alpha) and of 1/sqrt(2) are counted
/// for each side, and the side with fewer is multiplied by what it lacks. What remains is an
/// equality of polynomials in the t with coefficients in Z[zeta], zeta a root of unity; over the
/// basis 1, zeta, zeta^2, ... of that ring it falls apart into equalities of rational polynomials.
/// All arithmetic on them is Z3's: our code only lays out the terms of the matrix products.
///
/// tan leaves out the angles alpha = pi/2 mod pi. Both sides are analytic in alpha, so agreement on
/// any open set of angles is agreement everywhere.
namespace quartz {
namespace {

/// A finer root of unity has a basis too long to be of use.
constexpr std::int64_t largest_order = 1024;
constexpr std::size_t most_qubits = 8;
/// Z3 keeps what it has seen: a context is replaced after so many claims.
constexpr unsigned claims_per_context = 500;

// --- the ring Z[zeta] as integer vectors ---

/// Writes powers of zeta = e^{2 pi i/order} over the basis 1, zeta, ..., zeta^(phi(order) - 1).
class PowerBasis {
 public:
  struct Part {
    unsigned index = 0;
    int factor = 0;
  };

  explicit PowerBasis(unsigned order);
  [[nodiscard]] unsigned order() const noexcept { return static_cast<unsigned>(powers_.size()); }
  [[nodiscard]] const std::vector<Part>& power(unsigned exponent) const {
    return powers_[exponent % order()];
  }

 private:
  std::vector<std::vector<Part>> powers_;
};

using Polynomial = std::vector<int>;  ///< coefficients, lowest degree first

/// p(x^k).
Polynomial spread(const Polynomial& p, unsigned k) {
  Polynomial result((p.size() - 1) * k + 1, 0);
  for (std::size_t i = 0; i < p.size(); ++i) result[i * k] = p[i];
  return result;
}

/// p / q for a monic q that divides p.
Polynomial quotient(Polynomial p, const Polynomial& q) {
  Polynomial result(p.size() - q.size() + 1, 0);
  for (std::size_t i = result.size(); i-- > 0;) {
    result[i] = p[i + q.size() - 1];
    for (std::size_t j = 0; j < q.size(); ++j) p[i + j] -= result[i] * q[j];
  }
  return result;
}

/// The minimal polynomial of e^{2 pi i/order}, prime by prime: Phi_{mp}(x) is Phi_m(x^p), divided
/// by Phi_m(x) if p is new.
Polynomial cyclotomic_polynomial(unsigned order) {
  Polynomial result = {-1, 1};
  unsigned done = 1;
  for (unsigned prime = 2; done < order; ++prime) {
    while ((order / done) % prime == 0) {
      const Polynomial next = spread(result, prime);
      result = done % prime == 0 ? next : quotient(next, result);
      done *= prime;
    }
  }
  return result;
}

PowerBasis::PowerBasis(unsigned order) {
  const Polynomial modulus = cyclotomic_polynomial(order);
  const std::size_t dimension = modulus.size() - 1;
  Polynomial power(dimension, 0);
  power[0] = 1;
  for (unsigned exponent = 0; exponent < order; ++exponent) {
    std::vector<Part>& parts = powers_.emplace_back();
    for (unsigned i = 0; i < dimension; ++i) {
      if (power[i] != 0) parts.push_back({i, power[i]});
    }
    const int carry = power.back();
    std::rotate(power.rbegin(), power.rbegin() + 1, power.rend());
    power[0] = 0;
    for (std::size_t i = 0; i < dimension; ++i) power[i] -= carry * modulus[i];
  }
}

// --- what a claim is about ---

/// A numeric symbol (radians, a long literal) counts as free: what is proved for every value
/// holds for its own.
struct Symbol {
  std::string name;  ///< empty for radians
  Rational unit;     ///< alpha = unit * symbol

  [[nodiscard]] bool is_numeric() const {
    return name.empty() || (name[0] >= '0' && name[0] <= '9');
  }
};

/// coefficient / sqrt(2)^sqrt2_power * zeta^root * product of e^{i k alpha}.
struct ExponentialTerm {
  int coefficient = 1;
  int sqrt2_power = 0;
  Rational pi_multiple;
  std::vector<std::pair<std::string, Rational>> symbols;
};

struct EntryPlan {
  unsigned row = 0;
  unsigned column = 0;
  std::vector<ExponentialTerm> terms;
};

struct GatePlan {
  const Operation* operation = nullptr;  ///< null for the global phase
  std::vector<EntryPlan> entries;
};

ExponentialTerm plan_of(int coefficient, int sqrt2_power, const Angle& exponent) {
  ExponentialTerm term{coefficient, sqrt2_power, exponent.pi_part(), {}};
  if (!exponent.radian_part().is_zero()) term.symbols.emplace_back("", exponent.radian_part());
  for (const Angle::Term& part : exponent.terms()) {
    term.symbols.emplace_back(part.symbol, part.coefficient);
  }
  return term;
}

GatePlan plan_of(const Operation& operation) {
  const Gate& row = gate(operation.gate);
  std::map<std::string, Angle> angles;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    angles.emplace(row.parameters[i], operation.angles[i]);
  }
  GatePlan plan;
  plan.operation = &operation;
  for (const MatrixEntry& entry : row.matrix) {
    EntryPlan& planned = plan.entries.emplace_back(EntryPlan{entry.row, entry.column, {}});
    for (const PhaseTerm& term : entry.terms) {
      planned.terms.push_back(
          plan_of(term.coefficient, term.sqrt2_power, term.exponent.substitute(angles)));
    }
  }
  return plan;
}

// --- numbers of Z[zeta] with polynomial components, as Z3 terms ---

struct Component {
  unsigned index = 0;
  z3::expr value;
};
/// Components that are zero for structural reasons are left out.
using Number = std::vector<Component>;

/// The common factor cos(alpha)^m / sqrt(2)^k that was left out, for each symbol in order.
struct Scale {
  int sqrt2_power = 0;
  std::vector<int> cosine_powers;
};

struct GateEntry {
  unsigned row = 0;
  unsigned column = 0;
  Number value;
};

class Encoding {
 public:
  Encoding(z3::context& context, const PowerBasis& basis, std::vector<Symbol> symbols);

  [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
  [[nodiscard]] const z3::expr& tangent(std::size_t symbol) const { return tangents_[symbol]; }

  [[nodiscard]] Number one() const { return {{0, one_}}; }
  [[nodiscard]] Number product(const Number& a, const Number& b) const;
  void add(Number& sum, const Number& addend) const;
  [[nodiscard]] Number sqrt2_power(int power) const;
  /// (1 + t^2)^power.
  [[nodiscard]] Number secant_power(std::size_t symbol, int power) const;

  /// The gate's entries without the common factor, which is multiplied into `scale`.
  [[nodiscard]] std::vector<GateEntry> entries_of(const GatePlan& plan, Scale& scale) const;

 private:
  [[nodiscard]] Number root(const Rational& pi_multiple) const;
  void add_component(Number& sum, unsigned index, int factor, const z3::expr& value) const;
  [[nodiscard]] int multiple(const ExponentialTerm& term, std::size_t symbol) const;

  z3::context* context_;
  const PowerBasis* basis_;
  std::vector<Symbol> symbols_;
  std::vector<z3::expr> tangents_;
  z3::expr one_;
};

Encoding::Encoding(z3::context& context, const PowerBasis& basis, std::vector<Symbol> symbols)
    : context_(&context), basis_(&basis), symbols_(std::move(symbols)), one_(context.real_val(1)) {
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    tangents_.push_back(context.real_const(("t" + std::to_string(i)).c_str()));
  }
}

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
      const bool left_is_one = z3::eq(left.value, one_);
      const z3::expr value = left_is_one                 ? right.value
                             : z3::eq(right.value, one_) ? left.value
                                                         : left.value * right.value;
      for (const PowerBasis::Part& part : basis_->power(left.index + right.index)) {
        add_component(result, part.index, part.factor, value);
      }
    }
  }
  return result;
}

Number Encoding::root(const Rational& pi_multiple) const {
  const Rational exponent = pi_multiple * Rational(basis_->order(), 2);
  ensure(exponent.is_integer(), "the root of unity lies in the ring");
  std::int64_t power = exponent.numerator() % basis_->order();
  if (power < 0) power += basis_->order();
  Number result;
  for (const PowerBasis::Part& part : basis_->power(static_cast<unsigned>(power))) {
    add_component(result, part.index, part.factor, one_);
  }
  return result;
}

Number Encoding::sqrt2_power(int power) const {
  Number result = one();
  if (power % 2 != 0) {  // sqrt(2) = e^{i pi/4} + e^{-i pi/4}
    result = root(Rational(1, 4));
    add(result, root(Rational(-1, 4)));
  }
  if (power < 2) return result;
  return product(result, {{0, context_->real_val(std::int64_t{1} << (power / 2))}});
}

Number Encoding::secant_power(std::size_t symbol, int power) const {
  const z3::expr& t = tangents_[symbol];
  z3::expr value = one_;
  for (int i = 0; i < power; ++i) value = i == 0 ? one_ + t * t : value * (one_ + t * t);
  return {{0, value}};
}

int Encoding::multiple(const ExponentialTerm& term, std::size_t symbol) const {
  for (const auto& [name, coefficient] : term.symbols) {
    if (name != symbols_[symbol].name) continue;
    const Rational k = coefficient / symbols_[symbol].unit;
    ensure(k.is_integer(), "exponents are multiples of the unit");
    if (k.numerator() > 1000 || k.numerator() < -1000) {
      throw OverflowError("a polynomial of degree above 1000");
    }
    return static_cast<int>(k.numerator());
  }
  return 0;
}

std::vector<GateEntry> Encoding::entries_of(const GatePlan& plan, Scale& scale) const {
  int sqrt2 = 0;
  std::vector<int> cosines(symbols_.size(), 0);
  for (const EntryPlan& entry : plan.entries) {
    for (const ExponentialTerm& term : entry.terms) {
      sqrt2 = std::max(sqrt2, term.sqrt2_power);
      for (std::size_t s = 0; s < symbols_.size(); ++s) {
        cosines[s] = std::max(cosines[s], std::abs(multiple(term, s)));
      }
    }
  }
  scale.sqrt2_power += sqrt2;
  scale.cosine_powers.resize(symbols_.size());
  for (std::size_t s = 0; s < symbols_.size(); ++s) scale.cosine_powers[s] += cosines[s];

  std::vector<GateEntry> entries;
  for (const EntryPlan& entry : plan.entries) {
    Number sum;
    for (const ExponentialTerm& term : entry.terms) {
      Number value = root(term.pi_multiple);
      if (term.coefficient != 1) {
        value = product(value, {{0, context_->real_val(term.coefficient)}});
      }
      if (term.sqrt2_power != sqrt2) value = product(value, sqrt2_power(sqrt2 - term.sqrt2_power));
      for (std::size_t s = 0; s < symbols_.size(); ++s) {
        const int k = multiple(term, s);
        const int missing = cosines[s] - std::abs(k);
        ensure(missing % 2 == 0, "a gate's multiples of a unit have one parity");
        if (missing != 0) value = product(value, secant_power(s, missing / 2));
        Number rotation = one();  // 1 +- i t
        add(rotation, product(root(Rational(k < 0 ? -1 : 1, 2)), {{0, tangents_[s]}}));
        for (int i = 0; i < std::abs(k); ++i) value = product(value, rotation);
      }
      add(sum, value);
    }
    if (entry.terms.size() > 1) {
      // Cosines and sines: halves cancel.
      Number simplified;
      for (const Component& component : sum) {
        const z3::expr value = component.value.simplify();
        if (!value.is_numeral() || value.get_decimal_string(1) != "0") {
          simplified.push_back({component.index, value});
        }
      }
      sum = std::move(simplified);
    }
    entries.push_back({entry.row, entry.column, std::move(sum)});
  }
  return entries;
}

// --- one side of a claim ---

/// A circuit over the qubits in use, as a product of sparse matrices.
class Z3Circuit {
 public:
  Z3Circuit(const Encoding& encoding, const ClaimCore& core, const std::vector<GatePlan>& plans) {
    for (const GatePlan& plan : plans) {
      steps_.push_back({});
      for (const Qubit qubit : plan.operation->qubits) {
        steps_.back().positions.push_back(core.position(qubit));
      }
      steps_.back().entries = encoding.entries_of(plan, scale_);
    }
  }

  [[nodiscard]] const Scale& scale() const { return scale_; }

  /// A column of the unitary: row number to value, without structural zeros.
  [[nodiscard]] std::map<std::size_t, Number> column(std::size_t index,
                                                     const Encoding& encoding) const {
    std::map<std::size_t, Number> amplitudes = {{index, encoding.one()}};
    for (const Step& step : steps_) {
      std::map<std::size_t, Number> next;
      for (const auto& [from, amplitude] : amplitudes) {
        const unsigned local = step.local_index(from);
        for (const GateEntry& entry : step.entries) {
          if (entry.column != local) continue;
          encoding.add(next[step.with_local_index(from, entry.row)],
                       encoding.product(entry.value, amplitude));
        }
      }
      amplitudes = std::move(next);
    }
    return amplitudes;
  }

 private:
  struct Step {
    std::vector<unsigned> positions;
    std::vector<GateEntry> entries;

    [[nodiscard]] unsigned local_index(std::size_t index) const {
      unsigned local = 0;
      for (std::size_t i = 0; i < positions.size(); ++i) {
        local |= static_cast<unsigned>((index >> positions[i]) & 1U) << i;
      }
      return local;
    }
    [[nodiscard]] std::size_t with_local_index(std::size_t index, unsigned local) const {
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::size_t bit = std::size_t{1} << positions[i];
        index = ((local >> i) & 1U) != 0 ? index | bit : index & ~bit;
      }
      return index;
    }
  };

  std::vector<Step> steps_;
  Scale scale_;
};

// --- the prover ---

/// Everything about a claim that is settled before Z3 is asked.
struct ClaimPlan {
  std::vector<GatePlan> left;
  std::vector<GatePlan> right;
  GatePlan phase;
  unsigned order = 8;
  std::vector<Symbol> symbols;
};

template <typename Visitor>
void for_each_gate(const ClaimPlan& plan, Visitor&& visit) {
  for (const GatePlan& gate_plan : plan.left) visit(gate_plan);
  for (const GatePlan& gate_plan : plan.right) visit(gate_plan);
  visit(plan.phase);
}

Rational greatest_common_divisor(const Rational& a, const Rational& b) {
  const Rational denominator =
      Rational(a.denominator() / std::gcd(a.denominator(), b.denominator())) *
      Rational(b.denominator());
  return {std::gcd((a * denominator).numerator(), (b * denominator).numerator()),
          denominator.numerator()};
}

Rational coefficient_of(const ExponentialTerm& term, const std::string& symbol) {
  for (const auto& [name, coefficient] : term.symbols) {
    if (name == symbol) return coefficient;
  }
  return {};
}

/// The largest |k| of the symbol in a gate, k counted in units; nothing if there are even and odd
/// k.
std::optional<std::int64_t> largest_multiple(const GatePlan& plan, const Symbol& symbol) {
  std::int64_t largest = 0;
  std::int64_t seen[2] = {0, 0};
  for (const EntryPlan& entry : plan.entries) {
    for (const ExponentialTerm& term : entry.terms) {
      const std::int64_t k =
          std::abs((coefficient_of(term, symbol.name) / symbol.unit).numerator());
      largest = std::max(largest, k);
      ++seen[k % 2];
    }
  }
  if (seen[0] != 0 && seen[1] != 0) return std::nullopt;
  return largest;
}

/// Whether all powers of cos(alpha) that will have to be made up for are even.
bool has_even_powers(const ClaimPlan& plan, const Symbol& symbol) {
  std::int64_t total = 0;
  bool uniform = true;
  for_each_gate(plan, [&](const GatePlan& gate_plan) {
    const auto largest = largest_multiple(gate_plan, symbol);
    uniform = uniform && largest.has_value();
    total += largest.value_or(0);
  });
  return uniform && total % 2 == 0;
}

std::vector<Symbol> symbols_of(const ClaimPlan& plan) {
  std::map<std::string, Rational> units;
  for_each_gate(plan, [&](const GatePlan& gate_plan) {
    for (const EntryPlan& entry : gate_plan.entries) {
      for (const ExponentialTerm& term : entry.terms) {
        for (const auto& [name, coefficient] : term.symbols) {
          units[name] = greatest_common_divisor(units[name], coefficient);
        }
      }
    }
  });
  std::vector<Symbol> symbols;
  for (const auto& [name, unit] : units) {
    Symbol symbol{name, unit};
    if (!has_even_powers(plan, symbol)) symbol.unit = unit * Rational(1, 2);
    symbols.push_back(std::move(symbol));
  }
  return symbols;
}

unsigned order_of(const ClaimPlan& plan) {
  std::int64_t order = 8;
  for_each_gate(plan, [&](const GatePlan& gate_plan) {
    for (const EntryPlan& entry : gate_plan.entries) {
      for (const ExponentialTerm& term : entry.terms) {
        const Rational needed = Rational(2) * Rational(term.pi_multiple.denominator());
        order = std::lcm(order, needed.numerator() % (2 * largest_order) == 0
                                    ? 2 * largest_order
                                    : std::min(needed.numerator(), 2 * largest_order + 1));
        if (order > largest_order) {
          throw OverflowError("multiples of pi/" + std::to_string(term.pi_multiple.denominator()) +
                              " are too fine for the encoding");
        }
      }
    }
  });
  return static_cast<unsigned>(order);
}

ClaimPlan plan_of(const ClaimCore& core, const Angle& phase) {
  ClaimPlan plan;
  for (const Operation& operation : core.left) plan.left.push_back(plan_of(operation));
  for (const Operation& operation : core.right) plan.right.push_back(plan_of(operation));
  plan.phase.entries.push_back({0, 0, {plan_of(1, 0, phase)}});
  plan.symbols = symbols_of(plan);
  plan.order = order_of(plan);
  return plan;
}

/// "Some entry of right differs from e^{i phase} left", as a Z3 formula.
z3::expr difference(z3::context& context, const Encoding& encoding, const ClaimPlan& plan,
                    const ClaimCore& core) {
  const Z3Circuit left(encoding, core, plan.left);
  const Z3Circuit right(encoding, core, plan.right);
  Scale left_scale = left.scale();
  Scale right_scale = right.scale();
  Number left_factor = encoding.entries_of(plan.phase, left_scale).front().value;
  Number right_factor = encoding.one();
  right_scale.cosine_powers.resize(encoding.symbols().size());

  // A side with more factors below one had more taken out of it: the other has to be enlarged.
  const int sqrt2 = left_scale.sqrt2_power - right_scale.sqrt2_power;
  Number& smaller = sqrt2 > 0 ? right_factor : left_factor;
  smaller = encoding.product(smaller, encoding.sqrt2_power(std::abs(sqrt2)));
  for (std::size_t s = 0; s < encoding.symbols().size(); ++s) {
    const int powers = left_scale.cosine_powers[s] - right_scale.cosine_powers[s];
    ensure(powers % 2 == 0, "both sides have the same parity in every symbol");
    Number& other = powers > 0 ? right_factor : left_factor;
    other = encoding.product(other, encoding.secant_power(s, std::abs(powers) / 2));
  }

  const z3::expr zero = context.real_val(0);
  z3::expr_vector differences(context);
  for (std::size_t column = 0; column < std::size_t{1} << core.qubits.size(); ++column) {
    const auto left_column = left.column(column, encoding);
    auto right_column = right.column(column, encoding);
    for (const auto& [row, amplitude] : left_column) {
      const Number value = encoding.product(left_factor, amplitude);
      Number other = encoding.product(right_factor, right_column[row]);
      right_column.erase(row);
      for (const Component& component : value) {
        const auto found = std::find_if(other.begin(), other.end(), [&](const Component& c) {
          return c.index == component.index;
        });
        differences.push_back(component.value != (found == other.end() ? zero : found->value));
        if (found != other.end()) other.erase(found);
      }
      for (const Component& component : other) differences.push_back(component.value != zero);
    }
    for (const auto& [row, amplitude] : right_column) {
      for (const Component& component : encoding.product(right_factor, amplitude)) {
        differences.push_back(component.value != zero);
      }
    }
  }
  return z3::mk_or(differences);
}

double real_value(const z3::expr& value) {
  // Algebraic numbers end in a question mark, which strtod leaves alone.
  return std::strtod(value.get_decimal_string(20).c_str(), nullptr);
}

/// A context and what is made once in it.
struct Session {
  explicit Session(double seconds)
      : milliseconds(static_cast<unsigned>(std::clamp(seconds * 1000, 1.0, 4e9))),
        normalise(z3::try_for(sum_of_monomials(context), milliseconds)) {}

  /// Brings polynomials into a normal form, which shows an identity to be one; expands whatever
  /// it takes within the time.
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
      const ClaimCore core = core_of(claim.left, claim.right, claim.qubits);
      if (core.qubits.size() > most_qubits) {
        return {ProofVerdict::unknown,
                "more than " + std::to_string(most_qubits) + " qubits in one claim"};
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
  [[nodiscard]] ProofResult decide(const Claim& claim, const ClaimCore& core) {
    const ClaimPlan plan = plan_of(core, claim.phase);
    Session& session = fresh_session();
    z3::context& context = session.context;
    const Encoding encoding(context, basis(plan.order), plan.symbols);
    z3::goal goal(context);
    goal.add(difference(context, encoding, plan, core));
    const z3::apply_result normal = session.normalise(goal);
    ensure(normal.size() == 1, "normalisation does not split a goal");
    if (normal[0].is_decided_unsat()) return {ProofVerdict::proved, {}};

    return decide_rest(claim, encoding, session, disjuncts_of(normal[0]));
  }

  /// Normalisation left something over: polynomials that are not zero everywhere, one would think.
  /// Each is asked about alone, which finds a model soonest.
  [[nodiscard]] static ProofResult decide_rest(const Claim& claim, const Encoding& encoding,
                                               Session& session, const z3::expr_vector& disjuncts) {
    z3::solver solver = z3::tactic(session.context, "qfnra-nlsat").mk_solver();
    solver.set("timeout", session.milliseconds);
    for (unsigned i = 0; i < disjuncts.size(); ++i) {
      solver.reset();
      solver.add(disjuncts[i]);
      const z3::check_result answer = solver.check();
      if (answer == z3::sat) return refuted(claim, encoding, solver.get_model());
      if (answer == z3::unknown) {
        return {ProofVerdict::unknown, "z3: " + solver.reason_unknown()};
      }
    }
    return {ProofVerdict::proved, {}};
  }

  /// The formulas of which one holds exactly if the goal does.
  static z3::expr_vector disjuncts_of(const z3::goal& goal) {
    const z3::expr formula = goal.as_expr();
    z3::expr_vector disjuncts(formula.ctx());
    if (formula.is_or()) {
      for (unsigned i = 0; i < formula.num_args(); ++i) disjuncts.push_back(formula.arg(i));
    } else {
      disjuncts.push_back(formula);
    }
    return disjuncts;
  }

  /// The model names the parameter values; that the claim fails there is checked numerically.
  [[nodiscard]] static ProofResult refuted(const Claim& claim, const Encoding& encoding,
                                           const z3::model& model) {
    Bindings parameters;
    for (const std::string& name : parameters_of(claim)) parameters[name] = 0;
    std::size_t numeric = 0;
    for (std::size_t s = 0; s < encoding.symbols().size(); ++s) {
      const Symbol& symbol = encoding.symbols()[s];
      if (symbol.is_numeric()) {
        ++numeric;
      } else {
        const double t = real_value(model.eval(encoding.tangent(s), true));
        parameters[symbol.name] = std::atan(t) / symbol.unit.to_double();
      }
    }
    if (const auto witness = witness_at(claim, parameters)) {
      return {ProofVerdict::refuted, witness->to_string()};
    }
    return refutation(claim, numeric <= 1);
  }

  Session& fresh_session() {
    if (!session_ || claims_ % claims_per_context == 0) {
      session_.reset();
      session_ = std::make_unique<Session>(seconds_);
    }
    ++claims_;
    return *session_;
  }

  const PowerBasis& basis(unsigned order) { return bases_.try_emplace(order, order).first->second; }

  double seconds_;
  std::string name_;
  std::map<unsigned, PowerBasis> bases_;
  std::unique_ptr<Session> session_;
  std::uint64_t claims_ = 0;
};

}  // namespace

std::unique_ptr<Prover> make_z3_prover(double seconds_per_claim) {
  return std::make_unique<Z3Prover>(seconds_per_claim);
}

}  // namespace quartz
