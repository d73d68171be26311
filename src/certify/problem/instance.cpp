#include "certify/problem/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>

#include "algebra/exact_radians.hpp"
#include "certify/problem/delay_name.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

/// Number of amplitudes between two checks of the clock: well under a millisecond.
constexpr std::size_t kAmplitudesBetweenLooks = std::size_t{1} << 16;

/// Returns a standard complex normal number (Box and Muller).
Complex complex_normal(RandomBits& random) {
  const double radius = std::sqrt(-2 * std::log1p(-uniform(random)));
  return std::polar(radius, 2 * std::numbers::pi * uniform(random));
}

/// Returns the groups of conditions, restricted to conditions that steps use.
std::vector<std::vector<std::uint32_t>> groups_in_use(const Problem& problem) {
  const std::set<std::uint32_t> used = problem.conditions();
  std::vector<std::vector<std::uint32_t>> result;
  for (const std::vector<std::uint32_t>& group : problem.condition_groups) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t condition : group) {
      if (used.contains(condition)) kept.push_back(condition);
    }
    if (!kept.empty()) result.push_back(std::move(kept));
  }
  return result;
}

/// Subtracts from a vector its projection on a unit vector.
void subtract_projection(const std::vector<Complex>& unit, std::vector<Complex>& vector) {
  Complex product = 0;
  for (std::size_t i = 0; i < unit.size(); ++i) product += std::conj(unit[i]) * vector[i];
  for (std::size_t i = 0; i < unit.size(); ++i) vector[i] -= product * unit[i];
}

void normalize(std::vector<Complex>& vector) {
  double square = 0;
  for (const Complex& entry : vector) square += std::norm(entry);
  for (Complex& entry : vector) entry /= std::sqrt(square);
}

/// Returns a Haar distributed unitary: Q of the QR decomposition of a complex normal matrix in
/// which R has a positive diagonal (Mezzadri, math-ph/0609050). It is found by the Gram-Schmidt
/// process, twice for each column, so that rounding leaves the columns orthogonal. Eigen's
/// decompositions would take the compiler longer than the rest of this file.
std::vector<Complex> random_unitary(std::size_t dimension, RandomBits& random) {
  std::vector<std::vector<Complex>> columns;
  std::vector<Complex> result(dimension * dimension);
  for (std::size_t number = 0; number < dimension; ++number) {
    std::vector<Complex> column(dimension);
    for (Complex& entry : column) entry = complex_normal(random);
    for (int pass = 0; pass < 2; ++pass) {
      for (const std::vector<Complex>& earlier : columns) subtract_projection(earlier, column);
    }
    normalize(column);
    for (std::size_t row = 0; row < dimension; ++row) {
      result[row * dimension + number] = column[row];
    }
    columns.push_back(std::move(column));
  }
  return result;
}

/// Collects the ranges that the coefficients of a problem's symbols require.
class RangeCollector {
 public:
  void include(const Operation& operation) {
    constexpr std::int64_t kManyDigits = 1000;
    constexpr double kWide = 1e30;
    for (const Angle& angle : operation.angles) {
      const std::vector<std::string> names = angle.symbols();
      for (const Angle::Term& term : angle.terms()) {
        if (!std::binary_search(names.begin(), names.end(), term.symbol)) continue;
        const double size = std::abs(term.coefficient.to_double());
        if (size < 1) {
          double& factor = inverse_.try_emplace(term.symbol, 1).first->second;
          factor = std::max(factor, 1 / size);
        }
        if (term.coefficient.denominator() > kManyDigits) wide_[term.symbol] = kWide;
      }
    }
  }

  [[nodiscard]] std::vector<Ranges> ranges() const {
    std::vector<Ranges> result{{}};
    if (!inverse_.empty()) result.push_back(inverse_);
    if (!wide_.empty()) result.push_back(wide_);
    return result;
  }

 private:
  Ranges inverse_;
  Ranges wide_;
};

std::uint64_t fnv1a(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace

double uniform(RandomBits& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

std::vector<Complex> random_state(std::size_t dimension, RandomBits& random, const Budget& budget) {
  std::vector<Complex> state(dimension);
  double norm = 0;
  for (std::size_t i = 0; i < dimension; ++i) {
    if (i % kAmplitudesBetweenLooks == 0 && budget.spent()) throw OutOfBudget();
    state[i] = complex_normal(random);
    norm += std::norm(state[i]);
  }
  const double scale = 1 / std::sqrt(norm);
  for (Complex& amplitude : state) amplitude *= scale;
  return state;
}

Bindings random_bindings(const Problem& problem, RandomBits& random, const Ranges& ranges) {
  Bindings bindings;
  for (const std::string& symbol : problem.symbols()) {
    const auto range = ranges.find(symbol);
    bindings[symbol] =
        std::numbers::pi * (2 * uniform(random) - 1) * (range == ranges.end() ? 1 : range->second);
  }
  return bindings;
}

std::vector<Ranges> ranges_to_search(const Problem& problem) {
  RangeCollector collector;
  for (const std::vector<Step>* steps : {&problem.left, &problem.right}) {
    for (const Step& step : *steps) collector.include(step.operation);
  }
  return collector.ranges();
}

std::vector<Ranges> ranges_to_search(const Circuit& left, const Circuit& right) {
  RangeCollector collector;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) collector.include(operation);
  }
  return collector.ranges();
}

std::uint64_t truth_choices(const Problem& problem) {
  std::uint64_t choices = 1;
  for (const std::vector<std::uint32_t>& group : groups_in_use(problem)) {
    if (choices > std::numeric_limits<std::uint32_t>::max()) break;
    choices *= group.size() + 1;
  }
  return choices;
}

void for_each_truth(const Problem& problem,
                    const std::function<bool(const std::vector<bool>&)>& visit) {
  const std::vector<std::vector<std::uint32_t>> groups = groups_in_use(problem);
  const std::set<std::uint32_t> used = problem.conditions();
  const std::size_t size = used.empty() ? 0 : std::size_t{*used.rbegin()} + 1;
  // A mixed-radix counter: digit i chooses the true condition of group i, or none.
  std::vector<std::size_t> digits(groups.size(), 0);
  while (true) {
    std::vector<bool> truth(size, false);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (digits[i] > 0) truth[groups[i][digits[i] - 1]] = true;
    }
    if (!visit(truth)) return;
    std::size_t i = 0;
    while (i < groups.size() && digits[i] == groups[i].size()) digits[i++] = 0;
    if (i == groups.size()) return;
    ++digits[i];
  }
}

std::vector<Complex> matrix_of(const Operation& operation, const Bindings& bindings,
                               std::uint64_t opaque_seed) {
  if (operation.kind == OperationKind::gate) return unitary_of(operation, bindings);
  ensure(operation.kind == OperationKind::opaque, "a step is a gate or opaque");
  RandomBits random(opaque_hash(operation, opaque_seed));
  return random_unitary(std::size_t{1} << operation.qubits.size(), random);
}

namespace {

long double extended(const Rational& number) {
  return static_cast<long double>(number.numerator()) /
         static_cast<long double>(number.denominator());
}

long double extended_value(const Angle& angle) {
  return extended(angle.reduced_modulo(Rational(4)).pi_part()) * std::numbers::pi_v<long double> +
         extended(angle.radian_part());
}

}  // namespace

bool has_extended_matrix(const Operation& operation) {
  constexpr std::int64_t kMaxRadians = 16;
  if (operation.kind != OperationKind::gate) return false;
  return std::ranges::all_of(operation.angles, [](const Angle& angle) {
    const Rational& radians = angle.radian_part();
    return angle.terms().empty() && radians <= Rational(kMaxRadians) &&
           Rational(-kMaxRadians) <= radians;
  });
}

std::vector<std::complex<long double>> extended_matrix_of(const Operation& operation) {
  ensure(has_extended_matrix(operation),
         "only some operations have a matrix in extended precision");
  const Gate& row = gate(operation.gate);
  const auto value_of = [&](const Angle& exponent) {
    long double value = extended_value(exponent);
    for (const Angle::Term& term : exponent.terms()) {
      const auto parameter = std::ranges::find(row.parameters, term.symbol);
      const auto index = static_cast<std::size_t>(parameter - row.parameters.begin());
      value += extended(term.coefficient) * extended_value(operation.angles.at(index));
    }
    return value;
  };
  std::vector<std::complex<long double>> matrix(std::size_t{row.dimension()} * row.dimension());
  for (const MatrixEntry& entry : row.matrix) {
    std::complex<long double> sum = 0;
    for (const PhaseTerm& term : entry.terms) {
      const long double size = std::pow(2.0L, -0.5L * static_cast<long double>(term.sqrt2_power)) *
                               static_cast<long double>(term.coefficient);
      sum += size * std::polar(1.0L, value_of(term.exponent));
    }
    matrix[std::size_t{entry.row} * row.dimension() + entry.column] = sum;
  }
  return matrix;
}

std::string described_parameters(const Bindings& bindings, const std::set<std::string>& hidden) {
  constexpr std::size_t kMost = 8;
  std::string text;
  std::size_t count = 0;
  for (const auto& [symbol, value] : bindings) {
    if (hidden.contains(symbol)) continue;
    if (++count > kMost) return text + ", ...";
    text += fmt::format("{}{}={:.17g}", count == 1 ? ", parameters " : ", ", symbol, value);
  }
  return text;
}

std::uint64_t opaque_hash(const Operation& operation, std::uint64_t seed) {
  const std::string name =
      operation.classical == nullptr ? std::string() : comparable_name(*operation.classical);
  if (operation.qubits.size() > kMaxOpaqueQubits) {
    throw Unsupported{
        fmt::format("the opaque operation '{}' on {} qubits", name, operation.qubits.size())};
  }
  std::string key = fmt::format("{} on {}", name, operation.qubits.size());
  for (const Angle& angle : operation.angles) {
    key += fmt::format(" ({})*pi + {}", algebra::exact_pi_multiple(angle).str(),
                       algebra::exact_radians(angle).str());
    const std::vector<std::string> names = angle.symbols();
    for (const Angle::Term& term : angle.terms()) {
      if (!std::binary_search(names.begin(), names.end(), term.symbol)) continue;
      key += fmt::format(" + ({})*{}", term.coefficient.to_string(), term.symbol);
    }
  }
  return fnv1a(key, seed);
}

}  // namespace quartz::certify
