#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "matrices.hpp"
#include "quartz/circuit/gate.hpp"

using namespace quartz;
using namespace quartz::testing;

namespace {

const Complex i(0, 1);
const double r = std::sqrt(0.5);

Complex turn(double angle) { return std::polar(1.0, angle); }

using Angles = std::vector<double>;

/// The textbook matrix of a gate as a function of its angles, independent of the table, with
/// operand 0 as the least significant bit of an index. It is plain data, because compilers take
/// minutes for a table of objects with destructors under sanitizers.
struct Definition {
  std::string_view name;
  Matrix (*matrix)(const Angles&);
};

Matrix u3_matrix(double theta, double phi, double lambda) {
  const double c = std::cos(theta / 2);
  const double s = std::sin(theta / 2);
  return {c, -turn(lambda) * s, turn(phi) * s, turn(phi + lambda) * c};
}

/// Returns the controlled gate, with operand 0 as the control: the odd indices.
Matrix controlled(const Matrix& base) {
  const std::size_t n = dimension_of(base);
  Matrix result(4 * n * n);
  for (std::size_t row = 0; row < n; ++row) {
    result[(2 * row) * 2 * n + 2 * row] = 1;
    for (std::size_t column = 0; column < n; ++column) {
      result[(2 * row + 1) * 2 * n + 2 * column + 1] = base[row * n + column];
    }
  }
  return result;
}

/// Returns exp(-i angle/2 P) = cos(angle/2) - i sin(angle/2) P, for P with P*P = 1.
Matrix exponential(double angle, const Matrix& pauli) {
  Matrix result = times(-i * std::sin(angle / 2), pauli);
  const std::size_t n = dimension_of(pauli);
  for (std::size_t k = 0; k < n; ++k) result[k * n + k] += std::cos(angle / 2);
  return result;
}

/// Returns high (x) low, with `low` on operand 0.
Matrix kronecker(const Matrix& high, const Matrix& low) {
  const std::size_t h = dimension_of(high);
  const std::size_t l = dimension_of(low);
  Matrix result(h * h * l * l);
  for (std::size_t a = 0; a < h * l; ++a) {
    for (std::size_t b = 0; b < h * l; ++b) {
      result[a * h * l + b] = high[(a / l) * h + b / l] * low[(a % l) * l + b % l];
    }
  }
  return result;
}

Matrix diagonal(const std::vector<Complex>& entries) {
  Matrix result(entries.size() * entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) result[k * entries.size() + k] = entries[k];
  return result;
}

const Matrix kX = {0, 1, 1, 0};
const Matrix kY = {0, -i, i, 0};
const Matrix kZ = {1, 0, 0, -1};
const Matrix kH = {r, r, r, -r};
const Matrix kSx = {(1.0 + i) / 2.0, (1.0 - i) / 2.0, (1.0 - i) / 2.0, (1.0 + i) / 2.0};
const Matrix kSwap = {1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1};

const double kQuarter = std::numbers::pi / 4;

const Definition kDefinitions[] = {
    {"id", [](const Angles&) -> Matrix { return identity(2); }},
    {"x", [](const Angles&) -> Matrix { return kX; }},
    {"y", [](const Angles&) -> Matrix { return kY; }},
    {"z", [](const Angles&) -> Matrix { return kZ; }},
    {"h", [](const Angles&) -> Matrix { return kH; }},
    {"s",
     [](const Angles&) -> Matrix {
       return {1, 0, 0, i};
     }},
    {"sdg",
     [](const Angles&) -> Matrix {
       return {1, 0, 0, -i};
     }},
    {"t",
     [](const Angles&) -> Matrix {
       return {1, 0, 0, turn(kQuarter)};
     }},
    {"tdg",
     [](const Angles&) -> Matrix {
       return {1, 0, 0, turn(-kQuarter)};
     }},
    {"sx", [](const Angles&) -> Matrix { return kSx; }},
    {"sxdg", [](const Angles&) -> Matrix { return adjoint(kSx); }},
    {"rx", [](const Angles& a) -> Matrix { return exponential(a[0], kX); }},
    {"ry", [](const Angles& a) -> Matrix { return exponential(a[0], kY); }},
    {"rz", [](const Angles& a) -> Matrix { return exponential(a[0], kZ); }},
    {"p",
     [](const Angles& a) -> Matrix {
       return diagonal({1, turn(a[0])});
     }},
    {"u1",
     [](const Angles& a) -> Matrix {
       return diagonal({1, turn(a[0])});
     }},
    {"u2", [](const Angles& a) -> Matrix { return u3_matrix(std::numbers::pi / 2, a[0], a[1]); }},
    {"u3", [](const Angles& a) -> Matrix { return u3_matrix(a[0], a[1], a[2]); }},
    {"u", [](const Angles& a) -> Matrix { return u3_matrix(a[0], a[1], a[2]); }},
    {"r",
     [](const Angles& a) -> Matrix {
       Matrix axis = times(std::cos(a[1]), kX);
       for (std::size_t k = 0; k < 4; ++k) axis[k] += std::sin(a[1]) * kY[k];
       return exponential(a[0], axis);
     }},
    // The source is "native gates" of IonQ's documentation, in which the angles are in turns.
    {"gpi",
     [](const Angles& a) -> Matrix {
       return {0, turn(-a[0]), turn(a[0]), 0};
     }},
    {"gpi2",
     [](const Angles& a) -> Matrix {
       return {r, -i * r * turn(-a[0]), -i * r * turn(a[0]), r};
     }},
    {"cx", [](const Angles&) -> Matrix { return controlled(kX); }},
    {"cy", [](const Angles&) -> Matrix { return controlled(kY); }},
    {"cz",
     [](const Angles&) -> Matrix {
       return diagonal({1, 1, 1, -1});
     }},
    {"ch", [](const Angles&) -> Matrix { return controlled(kH); }},
    {"cs",
     [](const Angles&) -> Matrix {
       return diagonal({1, 1, 1, i});
     }},
    {"csdg",
     [](const Angles&) -> Matrix {
       return diagonal({1, 1, 1, -i});
     }},
    {"csx", [](const Angles&) -> Matrix { return controlled(kSx); }},
    {"crx", [](const Angles& a) -> Matrix { return controlled(exponential(a[0], kX)); }},
    {"cry", [](const Angles& a) -> Matrix { return controlled(exponential(a[0], kY)); }},
    {"crz", [](const Angles& a) -> Matrix { return controlled(exponential(a[0], kZ)); }},
    {"cp",
     [](const Angles& a) -> Matrix {
       return diagonal({1, 1, 1, turn(a[0])});
     }},
    {"cu1",
     [](const Angles& a) -> Matrix {
       return diagonal({1, 1, 1, turn(a[0])});
     }},
    {"cu3", [](const Angles& a) -> Matrix { return controlled(u3_matrix(a[0], a[1], a[2])); }},
    {"cu",
     [](const Angles& a) -> Matrix {
       return controlled(times(turn(a[3]), u3_matrix(a[0], a[1], a[2])));
     }},
    {"swap", [](const Angles&) -> Matrix { return kSwap; }},
    {"iswap",
     [](const Angles&) -> Matrix { return {1, 0, 0, 0, 0, 0, i, 0, 0, i, 0, 0, 0, 0, 0, 1}; }},
    {"iswapdg",
     [](const Angles&) -> Matrix { return {1, 0, 0, 0, 0, 0, -i, 0, 0, -i, 0, 0, 0, 0, 0, 1}; }},
    // These are the square roots of iswap and iswapdg with eigenvalue 1 on the first and last
    // state.
    {"sqrtiswap",
     [](const Angles&) -> Matrix {
       return {1, 0, 0, 0, 0, r, i * r, 0, 0, i * r, r, 0, 0, 0, 0, 1};
     }},
    {"sqrtiswapdg",
     [](const Angles&) -> Matrix {
       return {1, 0, 0, 0, 0, r, -i * r, 0, 0, -i * r, r, 0, 0, 0, 0, 1};
     }},
    // Qiskit defines ecr as (IX - XY) / sqrt(2), with its right factor on operand 0.
    {"ecr",
     [](const Angles&) -> Matrix {
       Matrix sum = kronecker(identity(2), kX);
       const Matrix xy = kronecker(kX, kY);
       for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = r * (sum[k] - xy[k]);
       return sum;
     }},
    {"rxx", [](const Angles& a) -> Matrix { return exponential(a[0], kronecker(kX, kX)); }},
    {"ms",
     [](const Angles& a) -> Matrix {
       const Matrix low = {0, turn(-a[0]), turn(a[0]), 0};
       const Matrix high = {0, turn(-a[1]), turn(a[1]), 0};
       return exponential(a[2], kronecker(high, low));
     }},
    {"ryy", [](const Angles& a) -> Matrix { return exponential(a[0], kronecker(kY, kY)); }},
    {"rzz", [](const Angles& a) -> Matrix { return exponential(a[0], kronecker(kZ, kZ)); }},
    // Z acts on operand 0, X on operand 1.
    {"rzx", [](const Angles& a) -> Matrix { return exponential(a[0], kronecker(kX, kZ)); }},
    {"ccx", [](const Angles&) -> Matrix { return controlled(controlled(kX)); }},
    {"ccz",
     [](const Angles&) -> Matrix {
       return diagonal({1, 1, 1, 1, 1, 1, 1, -1});
     }},
    {"cswap", [](const Angles&) -> Matrix { return controlled(kSwap); }},
    {"c3x", [](const Angles&) -> Matrix { return controlled(controlled(controlled(kX))); }},
    {"c4x",
     [](const Angles&) -> Matrix { return controlled(controlled(controlled(controlled(kX)))); }},
    {"c3sqrtx", [](const Angles&) -> Matrix { return controlled(controlled(controlled(kSx))); }},
    // Margolus gate, a Toffoli gate up to relative phases; Qiskit's RCCXGate.
    {"rccx",
     [](const Angles&) -> Matrix {
       return {1, 0, 0, 0, 0, 0,  0, 0,   //
               0, 1, 0, 0, 0, 0,  0, 0,   //
               0, 0, 1, 0, 0, 0,  0, 0,   //
               0, 0, 0, 0, 0, 0,  0, -i,  //
               0, 0, 0, 0, 1, 0,  0, 0,   //
               0, 0, 0, 0, 0, -1, 0, 0,   //
               0, 0, 0, 0, 0, 0,  1, 0,   //
               0, 0, 0, i, 0, 0,  0, 0};
     }},
    // Qiskit's RC3XGate.
    {"rc3x",
     [](const Angles&) -> Matrix {
       Matrix matrix = identity(16);
       matrix[3 * 16 + 3] = i;
       matrix[11 * 16 + 11] = -i;
       matrix[7 * 16 + 7] = matrix[15 * 16 + 15] = 0;
       matrix[7 * 16 + 15] = 1;
       matrix[15 * 16 + 7] = -1;
       return matrix;
     }},
};

const Definition* find_definition(std::string_view name) {
  for (const Definition& definition : kDefinitions) {
    if (definition.name == name) return &definition;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("Every gate of the table has its textbook matrix") {
  const std::uint64_t seed = 1;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    const Definition* definition = find_definition(row.name);
    REQUIRE(definition != nullptr);
    for (int round = 0; round < 3; ++round) {
      const Bindings bindings = random_bindings(row, random);
      std::vector<double> angles;
      for (const std::string_view name : row.parameters) {
        angles.push_back(bindings.at(std::string(name)));
      }
      CHECK(distance(unitary_of(symbolic_gate(row), bindings), definition->matrix(angles)) < 1e-12);
    }
  }
}

TEST_CASE("Every gate is unitary, with entries sorted and within its dimension") {
  const std::uint64_t seed = 2;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    const Matrix matrix = unitary_of(symbolic_gate(row), random_bindings(row, random));
    CHECK(distance(product(matrix, adjoint(matrix)), identity(row.dimension())) < 1e-12);
    for (std::size_t k = 0; k < row.matrix.size(); ++k) {
      CHECK(row.matrix[k].row < row.dimension());
      CHECK(row.matrix[k].column < row.dimension());
      CHECK_FALSE(row.matrix[k].terms.empty());
      if (k == 0) continue;
      CHECK(std::pair(row.matrix[k - 1].column, row.matrix[k - 1].row) <
            std::pair(row.matrix[k].column, row.matrix[k].row));
    }
  }
}

TEST_CASE("A matrix contains the gate's own parameters, in multiples of 1/2") {
  for (const Gate& row : gate_table()) {
    for (const MatrixEntry& entry : row.matrix) {
      for (const PhaseTerm& term : entry.terms) {
        INFO(row.name);
        CHECK(term.exponent.radian_part().is_zero());
        for (const Angle::Term& part : term.exponent.terms()) {
          CHECK((part.coefficient * Rational(2)).is_integer());
          CHECK(std::find(row.parameters.begin(), row.parameters.end(), part.symbol) !=
                row.parameters.end());
        }
      }
    }
  }
}

TEST_CASE("Gates are found by name and alias, and by nothing else") {
  std::set<std::string_view> names;
  for (const Gate& row : gate_table()) {
    CHECK(find_gate(row.name) == &row);
    CHECK(&gate(row.kind) == &row);
    CHECK(names.insert(row.name).second);
    for (const std::string_view alias : row.aliases) {
      CHECK(find_gate(alias) == &row);
      CHECK(names.insert(alias).second);
    }
  }
  CHECK(find_gate("cnot") == &gate(GateKind::cx));
  CHECK(find_gate("toffoli") == &gate(GateKind::ccx));
  CHECK(find_gate("phase") == &gate(GateKind::p));
  CHECK(find_gate("c3sx") == &gate(GateKind::c3sqrtx));
  for (const char* name : {"", "H", "CX", "cxx", "measure", "barrier", "c3"}) {
    CHECK(find_gate(name) == nullptr);
  }
}

TEST_CASE("Diagonal gates are recognized by their matrices") {
  const std::set<std::string_view> diagonal_gates = {"id",  "z",  "s",   "sdg", "t",  "tdg",
                                                     "rz",  "p",  "u1",  "cz",  "cs", "csdg",
                                                     "crz", "cp", "cu1", "rzz", "ccz"};
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    CHECK(row.diagonal == diagonal_gates.contains(row.name));
  }
}

TEST_CASE("Symmetric operands are recognized by the matrix") {
  const std::map<std::string_view, std::vector<unsigned>> symmetric = {
      {"cz", {0, 0}},
      {"cs", {0, 0}},
      {"csdg", {0, 0}},
      {"cp", {0, 0}},
      {"cu1", {0, 0}},
      {"swap", {0, 0}},
      {"iswap", {0, 0}},
      {"iswapdg", {0, 0}},
      {"sqrtiswap", {0, 0}},
      {"sqrtiswapdg", {0, 0}},
      {"rxx", {0, 0}},
      {"ryy", {0, 0}},
      {"rzz", {0, 0}},
      {"ccx", {0, 0, 2}},
      {"ccz", {0, 0, 0}},
      {"cswap", {0, 1, 1}},
      {"c3x", {0, 0, 0, 3}},
      {"c4x", {0, 0, 0, 0, 4}},
      {"c3sqrtx", {0, 0, 0, 3}},
      {"rc3x", {0, 0, 2, 3}},
  };
  for (const Gate& row : gate_table()) {
    INFO(row.name);
    std::vector<unsigned> expected(row.qubits);
    for (unsigned k = 0; k < row.qubits; ++k) expected[k] = k;
    const auto found = symmetric.find(row.name);
    CHECK(row.symmetry == (found == symmetric.end() ? expected : found->second));
  }
}

TEST_CASE("Exchanging symmetric operands keeps the unitary, exchanging others does not") {
  const std::uint64_t seed = 9;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const Gate& row : gate_table()) {
    const Bindings bindings = random_bindings(row, random);
    const Operation plain = symbolic_gate(row);
    const Matrix matrix = unitary_of(std::vector{plain}, row.qubits, bindings);
    for (unsigned a = 0; a < row.qubits; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        Operation traded = plain;
        std::swap(traded.qubits[a], traded.qubits[b]);
        INFO(row.name << " " << a << " " << b);
        const bool same =
            distance(unitary_of(std::vector{traded}, row.qubits, bindings), matrix) < 1e-9;
        CHECK(same == (row.symmetry[a] == row.symmetry[b]));
      }
    }
  }
}
