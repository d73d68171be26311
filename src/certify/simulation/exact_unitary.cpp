#include "certify/simulation/exact_unitary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "certify/problem/instance.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

constexpr const char* kExactUnitaryName = "exact unitary over Z[w, 1/sqrt 2]";

/// The number a + b w + c w^2 + d w^3 with w^4 = -1.
struct RingElement {
  std::array<std::int64_t, 4> coefficients{};
  friend bool operator==(const RingElement&, const RingElement&) = default;
  [[nodiscard]] bool is_zero() const { return *this == RingElement{}; }
};

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw OverflowError("ring coefficients overflow");
  return sum;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw OverflowError("ring coefficients overflow");
  return product;
}

RingElement operator+(const RingElement& a, const RingElement& b) {
  RingElement sum;
  for (std::size_t i = 0; i < 4; ++i) {
    sum.coefficients[i] = checked_sum(a.coefficients[i], b.coefficients[i]);
  }
  return sum;
}

RingElement operator*(const RingElement& a, const RingElement& b) {
  RingElement result;
  for (std::size_t i = 0; i < 4; ++i) {
    if (a.coefficients[i] == 0) continue;
    for (std::size_t j = 0; j < 4; ++j) {
      std::int64_t term = checked_product(a.coefficients[i], b.coefficients[j]);
      if (i + j >= 4) term = checked_product(term, -1);
      std::int64_t& place = result.coefficients[(i + j) % 4];
      place = checked_sum(place, term);
    }
  }
  return result;
}

RingElement integer(std::int64_t value) { return {{value, 0, 0, 0}}; }

/// Returns w^power.
RingElement root_of_unity(std::int64_t power) {
  const std::int64_t reduced = ((power % 8) + 8) % 8;
  RingElement result;
  result.coefficients[static_cast<std::size_t>(reduced % 4)] = reduced < 4 ? 1 : -1;
  return result;
}

const RingElement sqrt2{{0, 1, 0, -1}};

bool divisible_by_sqrt2(const RingElement& a) {
  const auto& [c0, c1, c2, c3] = a.coefficients;
  return (c0 ^ c2) % 2 == 0 && (c1 ^ c3) % 2 == 0;
}

RingElement divided_by_sqrt2(const RingElement& a) {
  RingElement result = a * sqrt2;
  for (std::int64_t& coefficient : result.coefficients) coefficient /= 2;
  return result;
}

/// A gate as e^{i phase} / sqrt(2)^power times a matrix over Z[w], by columns without zero entries.
struct RingGate {
  struct Entry {
    std::size_t row = 0;  ///< offset into a state
    RingElement value;
  };
  std::vector<std::vector<Entry>> columns;
  std::vector<std::size_t> offsets;  ///< index offset of each local basis state
  std::size_t mask = 0;
  Angle phase;
  unsigned power = 0;
};

/// Returns (angle - reference) / (pi/4). Throws Unsupported if that is not an integer.
std::int64_t eighths(const Angle& angle, const Angle& reference, std::string_view name) {
  const Angle difference = angle - reference;
  const Rational multiple = difference.pi_part() * Rational(4);
  if (!difference.is_pi_multiple() || !multiple.is_integer()) {
    throw Unsupported{fmt::format("'{}' with these angles", name)};
  }
  return multiple.numerator();
}

RingGate ring_gate(const Operation& operation) {
  if (operation.kind != OperationKind::gate) throw Unsupported{"an opaque operation"};
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  RingGate result;
  result.phase = row.matrix.front().terms.front().exponent.substitute(angles);
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms) {
      result.power = std::max(result.power, static_cast<unsigned>(term.sqrt2_power));
    }
  }
  for (std::size_t local = 0; local < row.dimension(); ++local) {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      if (((local >> i) & 1U) != 0) offset |= std::size_t{1} << operation.qubits[i];
    }
    result.offsets.push_back(offset);
    result.mask |= offset;
  }
  result.columns.resize(row.dimension());
  for (const MatrixEntry& entry : row.matrix) {
    RingElement sum;
    for (const PhaseTerm& term : entry.terms) {
      RingElement value =
          root_of_unity(eighths(term.exponent.substitute(angles), result.phase, row.name)) *
          integer(term.coefficient);
      for (unsigned i = static_cast<unsigned>(term.sqrt2_power); i < result.power; ++i) {
        value = value * sqrt2;
      }
      sum = sum + value;
    }
    if (!sum.is_zero()) result.columns[entry.column].push_back({result.offsets[entry.row], sum});
  }
  return result;
}

/// The state 1 / sqrt(2)^power times a vector of amplitudes in Z[w].
struct RingState {
  std::vector<RingElement> amplitudes;
  unsigned power = 0;

  void apply(const RingGate& gate, std::vector<RingElement>& scratch);
  /// Makes the power as small as possible, which makes the form unique.
  void normalize();
};

void RingState::apply(const RingGate& gate, std::vector<RingElement>& scratch) {
  scratch.assign(amplitudes.size(), RingElement{});
  for (std::size_t base = 0; base < amplitudes.size(); ++base) {
    if ((base & gate.mask) != 0) continue;
    for (std::size_t column = 0; column < gate.columns.size(); ++column) {
      const RingElement& before = amplitudes[base | gate.offsets[column]];
      if (before.is_zero()) continue;
      for (const RingGate::Entry& entry : gate.columns[column]) {
        RingElement& after = scratch[base | entry.row];
        after = after + entry.value * before;
      }
    }
  }
  amplitudes.swap(scratch);
  power += gate.power;
  if (gate.power > 0) normalize();
}

void RingState::normalize() {
  while (power > 0 && std::all_of(amplitudes.begin(), amplitudes.end(), divisible_by_sqrt2)) {
    for (RingElement& amplitude : amplitudes) amplitude = divided_by_sqrt2(amplitude);
    --power;
  }
}

/// One of the two circuits: its gates, and the sum of their phases.
struct RingCircuit {
  std::vector<RingGate> gates;
  Angle phase;
};

RingCircuit ring_circuit(const std::vector<Step>& steps, const std::vector<bool>& truth) {
  RingCircuit circuit;
  for (const Step& step : steps) {
    if (step.condition.has_value() && !truth[*step.condition]) continue;
    circuit.gates.push_back(ring_gate(step.operation));
    circuit.phase += circuit.gates.back().phase;
  }
  return circuit;
}

RingState image(const RingCircuit& circuit, std::size_t input, std::size_t dimension,
                const Budget& budget) {
  RingState state{std::vector<RingElement>(dimension), 0};
  state.amplitudes[input] = integer(1);
  std::vector<RingElement> scratch;
  for (const RingGate& gate : circuit.gates) {
    if (budget.spent()) throw OutOfBudget();
    state.apply(gate, scratch);
  }
  return state;
}

/// Returns the j with right = w^j left, if there is one. (A number of size 1 in Z[w, 1/sqrt 2] is a
/// power of w: there is one prime above 2, so the number and its inverse, which is its conjugate,
/// are integral, and Kronecker's theorem applies.)
std::optional<std::int64_t> relative_power(const RingState& left, const RingState& right) {
  if (left.power != right.power) return std::nullopt;
  for (std::int64_t j = 0; j < 8; ++j) {
    const RingElement factor = root_of_unity(j);
    const auto matches = [&](const RingElement& a, const RingElement& b) {
      return factor * a == b;
    };
    if (std::equal(left.amplitudes.begin(), left.amplitudes.end(), right.amplitudes.begin(),
                   matches)) {
      return j;
    }
  }
  return std::nullopt;
}

/// Compares all columns for one choice of truth values. Returns the phase, or sets a witness.
std::optional<Angle> compare_columns(const Problem& problem, const std::vector<bool>& truth,
                                     const Budget& budget, std::string& witness) {
  const RingCircuit left = ring_circuit(problem.left, truth);
  const RingCircuit right = ring_circuit(problem.right, truth);
  const std::size_t dimension = std::size_t{1} << problem.wires.size();
  std::optional<std::int64_t> common;
  for (std::size_t input = 0; input < dimension; ++input) {
    bool is_input = true;
    for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
      if (problem.wires[wire].starts_zero && ((input >> wire) & 1U) != 0) is_input = false;
    }
    if (!is_input) continue;
    const std::optional<std::int64_t> power = relative_power(
        image(left, input, dimension, budget), image(right, input, dimension, budget));
    if (!power.has_value()) {
      witness = fmt::format("input {}: the outputs differ", describe_basis_state(problem, input));
      return std::nullopt;
    }
    if (common.has_value() && *common != *power) {
      witness = fmt::format(
          "input {}: the phase between the outputs differs by {}*pi/4 from that "
          "of the input with all qubits 0",
          describe_basis_state(problem, input), *power - *common);
      return std::nullopt;
    }
    common = power;
  }
  return (right.phase - left.phase + Angle::pi_times(Rational(*common, 4))).reduced_modulo(2);
}

}  // namespace

Comparison compare_exact_unitaries(const Problem& problem, const Budget& budget) {
  Comparison result = equal_by(kExactUnitaryName);
  std::set<Angle> phases;
  try {
    for_each_truth(problem, [&](const std::vector<bool>& truth) {
      std::string witness;
      const std::optional<Angle> phase = compare_columns(problem, truth, budget, witness);
      if (phase.has_value()) {
        phases.insert(*phase);
        return true;
      }
      result.outcome = Outcome::different;
      result.reason = witness;
      return false;
    });
  } catch (const Unsupported& unsupported) {
    return unknown_because(kExactUnitaryName, unsupported.what + " is not in the ring");
  } catch (const OverflowError& error) {
    return unknown_because(kExactUnitaryName, error.what());
  } catch (const OutOfBudget&) {
    return out_of_time(kExactUnitaryName);
  }
  if (result.outcome == Outcome::equal && phases.size() == 1) {
    result.exact_phase = *phases.begin();
    result.phase = result.exact_phase->value_modulo(2);
  }
  return result;
}

}  // namespace quartz::certify
