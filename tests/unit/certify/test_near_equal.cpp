#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"

/// Compares verdicts on pairs of circuits that are equal, nearly equal or different with a
/// simulator that shares nothing with the library: it builds the unitaries from the generator's own
/// description of the gates, in extended precision. The library reads the circuits as OpenQASM.
///
/// The environment variable QUARTZ_VERDICTS sets the number of pairs.
using namespace quartz;

namespace {

__extension__ typedef __float128 Wide;
using Number = std::complex<long double>;
using Random = std::mt19937_64;

const Wide pi =
    Wide(3.14159265358979323846264338327950288L) - Wide(5.01655761266833202355732708e-20L);

/// The angle constant + coefficient * t, and its OpenQASM text.
struct TestAngle {
  std::string text = "0";
  Wide constant = 0;
  Wide coefficient = 0;
};

struct TestGate {
  std::string name;  ///< name in stdgates.inc, or ccp for a doubly controlled phase gate
  std::vector<TestAngle> angles;
  std::vector<unsigned> qubits;
};

struct TestCircuit {
  unsigned qubits = 1;
  std::vector<TestGate> gates;
};

unsigned below(Random& random, unsigned limit) { return static_cast<unsigned>(random() % limit); }

long double reduced(Wide angle) {
  const Wide turns = angle / (4 * pi);
  // The number of turns is far below 2^63 for all angles in this file.
  const auto whole = static_cast<long long>(turns + (turns < 0 ? Wide(-0.5L) : Wide(0.5L)));
  return static_cast<long double>(angle - 4 * pi * whole);
}

TestAngle decimal(std::int64_t digits, int exponent) {
  Wide value = digits;
  for (int i = 0; i < exponent; ++i) value *= 10;
  for (int i = exponent; i < 0; ++i) value /= 10;
  return {fmt::format("({}e{})", digits, exponent), value, 0};
}

TestAngle pi_times(int numerator, int denominator) {
  return {fmt::format("({}*pi/{}.0)", numerator, denominator), pi * numerator / denominator, 0};
}

TestAngle times_t(const TestAngle& factor) {
  return {fmt::format("{}*t", factor.text), 0, factor.constant};
}

TestAngle sum(const TestAngle& a, const TestAngle& b) {
  return {fmt::format("{}+{}", a.text, b.text), a.constant + b.constant,
          a.coefficient + b.coefficient};
}

TestAngle difference(const TestAngle& a, const TestAngle& b) {
  return {fmt::format("{}-({})", a.text, b.text), a.constant - b.constant,
          a.coefficient - b.coefficient};
}

TestAngle random_decimal(Random& random, int digits, int exponent) {
  std::int64_t value = 0;
  for (int i = 0; i < digits; ++i) value = 10 * value + below(random, 10);
  return decimal(below(random, 2) == 0 ? value : -value, exponent);
}

TestAngle random_angle(Random& random) {
  switch (below(random, 8)) {
    case 0:
    case 1:
    case 2:
      return pi_times(static_cast<int>(below(random, 16)) - 8, 4);
    case 3:
      return pi_times(static_cast<int>(below(random, 20)) - 10, 6);
    case 4:
      return random_decimal(random, 9, static_cast<int>(below(random, 6)) - 3);  // up to 1e12
    case 5:
      return random_decimal(random, 16, -15);
    case 6:
      return times_t(below(random, 2) == 0 ? decimal(2, 0) : random_decimal(random, 2, -11));
    default:
      return random_decimal(random, 3, -2);
  }
}

std::string text_of(const TestCircuit& circuit) {
  std::string text = fmt::format(
      "OPENQASM 3.0;\ninclude \"stdgates.inc\";\ninput float t;\nqubit[{}] q;\n", circuit.qubits);
  for (const TestGate& gate : circuit.gates) {
    text += gate.name == "ccp" ? "ctrl(2) @ p" : gate.name;
    for (std::size_t i = 0; i < gate.angles.size(); ++i) {
      text += (i == 0 ? "(" : ", ") + gate.angles[i].text;
    }
    if (!gate.angles.empty()) text += ")";
    for (std::size_t i = 0; i < gate.qubits.size(); ++i) {
      text += fmt::format("{} q[{}]", i == 0 ? "" : ",", gate.qubits[i]);
    }
    text += ";\n";
  }
  return text;
}

using Matrix2 = std::array<Number, 4>;

Number exponential(long double angle) { return std::polar(1.0L, angle); }

/// Returns the one-qubit part of a gate. All qubits of the gate except the last one control it.
Matrix2 target_matrix(const TestGate& gate, Wide t) {
  std::vector<long double> a;
  for (const TestAngle& angle : gate.angles)
    a.push_back(reduced(angle.constant + angle.coefficient * t));
  const Number i(0, 1);
  const long double r = std::sqrt(0.5L);
  const std::string& name = gate.name;
  if (name == "h") return {r, r, r, -r};
  if (name == "x" || name == "cx" || name == "ccx") return {0, 1, 1, 0};
  if (name == "cz") return {1, 0, 0, -1};
  if (name == "s") return {1, 0, 0, i};
  if (name == "t") return {1, 0, 0, Number(r, r)};
  if (name == "sx")
    return {Number(0.5L, 0.5L), Number(0.5L, -0.5L), Number(0.5L, -0.5L), Number(0.5L, 0.5L)};
  if (name == "p" || name == "cp" || name == "ccp") return {1, 0, 0, exponential(a[0])};
  if (name == "rz") return {exponential(-a[0] / 2), 0, 0, exponential(a[0] / 2)};
  const long double c = std::cos(a[0] / 2);
  const long double s = std::sin(a[0] / 2);
  if (name == "rx") return {c, -i * s, -i * s, c};
  if (name == "ry") return {c, -s, s, c};
  REQUIRE(name == "U");
  return {c, -exponential(a[2]) * s, exponential(a[1]) * s, exponential(a[1] + a[2]) * c};
}

/// Returns the unitary in column-major order.
std::vector<Number> unitary(const TestCircuit& circuit, Wide t) {
  const std::size_t dimension = std::size_t{1} << circuit.qubits;
  std::vector<Number> columns(dimension * dimension);
  for (std::size_t i = 0; i < dimension; ++i) columns[i * dimension + i] = 1;
  for (const TestGate& gate : circuit.gates) {
    const Matrix2 matrix = target_matrix(gate, t);
    std::size_t controls = 0;
    for (std::size_t i = 0; i + 1 < gate.qubits.size(); ++i) {
      controls |= std::size_t{1} << gate.qubits[i];
    }
    const std::size_t target = std::size_t{1} << gate.qubits.back();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::size_t row = k % dimension;
      if ((row & controls) != controls || (row & target) != 0) continue;
      const Number zero = columns[k];
      const Number one = columns[k + target];
      columns[k] = matrix[0] * zero + matrix[1] * one;
      columns[k + target] = matrix[2] * zero + matrix[3] * one;
    }
  }
  return columns;
}

/// Returns a lower bound on the operator norm of right - c left, for every c of size 1.
long double distance(const TestCircuit& left, const TestCircuit& right, Wide t) {
  const std::vector<Number> l = unitary(left, t);
  const std::vector<Number> r = unitary(right, t);
  Number overlap = 0;
  for (std::size_t i = 0; i < l.size(); ++i) overlap += std::conj(l[i]) * r[i];
  const Number phase = std::abs(overlap) > 0 ? overlap / std::abs(overlap) : Number(1);
  long double squared = 0;
  for (std::size_t i = 0; i < l.size(); ++i) squared += std::norm(r[i] - phase * l[i]);
  return std::sqrt(squared / static_cast<long double>(std::size_t{1} << left.qubits));
}

std::vector<unsigned> random_qubits(Random& random, unsigned qubits, unsigned count) {
  std::vector<unsigned> all(qubits);
  for (unsigned i = 0; i < qubits; ++i) all[i] = i;
  for (unsigned i = 0; i < count; ++i) std::swap(all[i], all[i + below(random, qubits - i)]);
  all.resize(count);
  return all;
}

TestGate random_gate(Random& random, unsigned qubits) {
  struct Row {
    const char* name;
    unsigned angles;
    unsigned qubits;
  };
  static constexpr std::array rows{
      Row{"h", 0, 1},  Row{"x", 0, 1},  Row{"s", 0, 1},   Row{"t", 0, 1},
      Row{"sx", 0, 1}, Row{"p", 1, 1},  Row{"rz", 1, 1},  Row{"rx", 1, 1},
      Row{"ry", 1, 1}, Row{"U", 3, 1},  Row{"cx", 0, 2},  Row{"cx", 0, 2},
      Row{"cz", 0, 2}, Row{"cp", 1, 2}, Row{"ccx", 0, 3}, Row{"ccp", 1, 3}};
  while (true) {
    const Row& row = rows[below(random, rows.size())];
    if (row.qubits > qubits) continue;
    TestGate gate{row.name, {}, random_qubits(random, qubits, row.qubits)};
    for (unsigned i = 0; i < row.angles; ++i) gate.angles.push_back(random_angle(random));
    return gate;
  }
}

TestCircuit random_circuit(Random& random) {
  TestCircuit circuit;
  circuit.qubits = 1 + below(random, 3);
  const unsigned gates = below(random, 11);
  for (unsigned i = 0; i < gates; ++i) {
    circuit.gates.push_back(random_gate(random, circuit.qubits));
  }
  return circuit;
}

std::size_t random_place(Random& random, const TestCircuit& circuit) {
  return below(random, static_cast<unsigned>(circuit.gates.size() + 1));
}

void insert(TestCircuit& circuit, std::size_t place, std::vector<TestGate> gates) {
  circuit.gates.insert(circuit.gates.begin() + static_cast<std::ptrdiff_t>(place), gates.begin(),
                       gates.end());
}

/// Changes the circuit without changing its unitary, except for the global phase.
void rewrite(TestCircuit& circuit, Random& random) {
  const std::size_t place = random_place(random, circuit);
  const unsigned qubit = below(random, circuit.qubits);
  switch (below(random, 5)) {
    case 0: {
      const TestAngle angle = random_angle(random);
      insert(circuit, place,
             {{"rx", {angle}, {qubit}}, {"rx", {difference(TestAngle{}, angle)}, {qubit}}});
      return;
    }
    case 1: {
      if (circuit.qubits < 2) return;
      const std::vector<unsigned> pair = random_qubits(random, circuit.qubits, 2);
      insert(circuit, place,
             {{"cx", {}, pair}, {"h", {}, {pair[1]}}, {"cz", {}, pair}, {"h", {}, {pair[1]}}});
      return;
    }
    case 2: {
      // Split a rotation.
      if (place == circuit.gates.size() || circuit.gates[place].angles.size() != 1) return;
      TestGate rest = circuit.gates[place];
      const TestAngle part = random_angle(random);
      circuit.gates[place].angles[0] = part;
      rest.angles[0] = difference(rest.angles[0], part);
      insert(circuit, place, {rest});
      return;
    }
    case 3: {
      // Add whole turns.
      if (place == circuit.gates.size() || circuit.gates[place].angles.empty()) return;
      TestAngle& angle = circuit.gates[place].angles.back();
      angle = sum(angle, pi_times(4 * (1 + static_cast<int>(below(random, 1000))), 1));
      return;
    }
    default:
      insert(circuit, place,
             {{"h", {}, {qubit}},
              {"sx", {}, {qubit}},
              {"h", {}, {qubit}},
              {"p", {pi_times(-1, 2)}, {qubit}}});
      // h sx h equals s up to a phase, so the four gates are the identity.
      return;
  }
}

/// Makes a small or large change that may or may not change the unitary.
void perturb(TestCircuit& circuit, Random& random) {
  const std::size_t place = random_place(random, circuit);
  const int exponent = -2 - static_cast<int>(below(random, 14));
  const TestAngle small = decimal(1 + below(random, 9), exponent);
  switch (below(random, 5)) {
    case 0:
      if (place < circuit.gates.size() && !circuit.gates[place].angles.empty()) {
        TestAngle& angle = circuit.gates[place].angles[0];
        angle = sum(angle, small);
        return;
      }
      [[fallthrough]];
    case 1:
      insert(circuit, place, {{"ry", {small}, {below(random, circuit.qubits)}}});
      return;
    case 2:
      insert(circuit, place,
             {{circuit.qubits == 3   ? "ccp"
               : circuit.qubits == 2 ? "cp"
                                     : "p",
               {small},
               random_qubits(random, circuit.qubits, circuit.qubits)}});
      return;
    case 3:
      insert(circuit, place, {{"rx", {times_t(small)}, {below(random, circuit.qubits)}}});
      return;
    default:
      if (place < circuit.gates.size()) {
        circuit.gates.erase(circuit.gates.begin() + static_cast<std::ptrdiff_t>(place));
      }
  }
}

/// Replaces the angles of all gates by decimals with a random number of digits.
void round_angles(TestCircuit& circuit, Random& random) {
  const int digits = 5 + static_cast<int>(below(random, 12));
  for (TestGate& gate : circuit.gates) {
    for (TestAngle& angle : gate.angles) {
      if (angle.coefficient != 0 || angle.constant > 10 || angle.constant < -10) continue;
      Wide scaled = angle.constant;
      for (int i = 0; i < digits; ++i) scaled *= 10;
      angle = decimal(static_cast<std::int64_t>(scaled), -digits);
    }
  }
}

unsigned verdicts_wanted() {
  const char* text = std::getenv("QUARTZ_VERDICTS");
  return text == nullptr ? 4'000 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

}  // namespace

TEST_CASE("Verdicts on nearly equal circuits agree with an independent simulator") {
  const std::uint64_t seed = 20261122;
  INFO("seed " << seed);
  Random random(seed);
  std::array<unsigned, 4> verdicts{};
  unsigned numeric = 0;
  unsigned refused = 0;
  const unsigned wanted = verdicts_wanted();
  for (unsigned round = 0; round < wanted; ++round) {
    const TestCircuit left = random_circuit(random);
    TestCircuit right = left;
    const unsigned rewrites = below(random, 3);
    for (unsigned i = 0; i < rewrites; ++i) rewrite(right, random);
    bool exactly_equal = true;
    if (below(random, 2) == 0) {
      perturb(right, random);
      exactly_equal = false;
    }
    if (below(random, 4) == 0) {
      round_angles(right, random);
      exactly_equal = false;
    }
    EquivalenceOptions options;
    options.seed = round;
    EquivalenceReport report;
    try {
      report = check_equivalence(parse_qasm(text_of(left)), parse_qasm(text_of(right)), options);
    } catch (const InputError& error) {
      // Sums of multiples of t may need fractions of more than 64 bits.
      INFO(error.what());
      REQUIRE(std::string(error.what()).find("64-bit fractions") != std::string::npos);
      ++refused;
      continue;
    }
    ++verdicts[static_cast<std::size_t>(report.verdict)];
    long double largest = 0;
    for (const long double t : {0.7310585L, -2.2214414L, 1.2345e5L, 9.87654e9L, -3.21e12L}) {
      largest = std::max(largest, distance(left, right, t));
    }
    const bool says_equal = report.verdict == EquivalenceVerdict::equal ||
                            report.verdict == EquivalenceVerdict::equal_up_to_phase;
    // The simulator's own rounding, which t of 1e12 magnifies for angles such as 2*t.
    constexpr long double resolution = 1e-15L;
    bool right_verdict = true;
    if (says_equal) {
      REQUIRE(report.distance.has_value());
      if (*report.distance > 0) ++numeric;
      right_verdict = largest <= static_cast<long double>(*report.distance) + resolution;
    } else if (report.verdict == EquivalenceVerdict::not_equal) {
      right_verdict = !exactly_equal && largest > 1e-17L;
    } else {
      right_verdict = !exactly_equal && largest < 1e-7L;  // larger differences must be found
    }
    if (right_verdict) continue;
    INFO("round " << round << ": " << to_string(report.verdict) << " by " << report.method << " "
                  << report.witness << ", distance " << static_cast<double>(largest) << "\n"
                  << text_of(left) << text_of(right));
    CHECK(right_verdict);
  }
  if (wanted > 4'000) {
    WARN(fmt::format(
        "{} equal, {} up to phase, {} not equal, {} undecided, {} refused; {} by a bound",
        verdicts[0], verdicts[1], verdicts[2], verdicts[3], refused, numeric));
  }
  // Check that all verdicts were tested.
  CHECK(verdicts[0] + verdicts[1] > wanted / 5);
  CHECK(verdicts[2] > wanted / 5);
  CHECK(numeric > wanted / 100);
  CHECK(verdicts[3] < wanted / 10);
  CHECK(refused <= wanted / 1000);
}
