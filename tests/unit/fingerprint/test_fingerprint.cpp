#include <catch2/catch.hpp>
#include <complex>
#include <map>
#include <string>
#include <vector>

#include "fingerprint/fingerprint.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/unitary.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::fingerprint;

namespace {

const Bindings bindings = {{"p0", 0.7312}, {"p1", 1.9347}, {"p2", 2.6173}, {"p3", 0.3381}};

/// Uses that |<U, V>| = ||U|| ||V|| if and only if one is a multiple of the other.
bool equal_up_to_phase(const std::vector<Complex>& u, const std::vector<Complex>& v) {
  Complex inner = 0;
  double norm = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    inner += std::conj(u[i]) * v[i];
    norm += std::norm(u[i]);
  }
  return norm - std::abs(inner) < 1e-9 * norm;
}

std::vector<std::vector<Operation>> circuits_up_to(const std::vector<Operation>& letters,
                                                   unsigned gates) {
  std::vector<std::vector<Operation>> circuits = {{}};
  std::size_t begin = 0;
  for (unsigned level = 0; level < gates; ++level) {
    const std::size_t end = circuits.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const Operation& letter : letters) {
        std::vector<Operation> longer = circuits[i];
        longer.push_back(letter);
        circuits.push_back(std::move(longer));
      }
    }
    begin = end;
  }
  return circuits;
}

/// Returns the bundled gate set with few angle expressions, so that all circuits can be compared.
GateSet small_set(const std::string& name, std::vector<Angle> expressions) {
  GateSet set = load_gate_set(name);
  set.alphabet.parameters = 3;
  set.alphabet.expressions = std::move(expressions);
  return set;
}

/// Checks that circuits have the same fingerprint if and only if their matrices are equal.
void check_all_pairs(const GateSet& set, unsigned qubits, unsigned gates) {
  const std::vector<Operation> letters = alphabet(set, qubits);
  const std::uint64_t seed = 42;
  INFO(set.name << ", " << letters.size() << " letters, seed " << seed);
  const Fingerprinter fingerprinter(letters, qubits, {seed});
  std::map<FingerprintKey, std::vector<Complex>> classes;
  std::size_t members = 0;
  for (const std::vector<Operation>& circuit : circuits_up_to(letters, gates)) {
    const std::vector<Complex> unitary = unitary_of(circuit, qubits, bindings);
    const auto [found, is_new] = classes.emplace(fingerprinter.key(circuit), unitary);
    if (is_new) continue;
    ++members;
    REQUIRE(equal_up_to_phase(found->second, unitary));
  }
  for (auto a = classes.begin(); a != classes.end(); ++a) {
    for (auto b = std::next(a); b != classes.end(); ++b) {
      if (equal_up_to_phase(a->second, b->second)) FAIL("two fingerprints of one unitary");
    }
  }
  // The comparison is meaningful only if there are equal circuits and different ones.
  CHECK(members > 10);
  CHECK(classes.size() > 10);
}

const Angle p0 = Angle::symbol("p0");
const Angle p1 = Angle::symbol("p1");

}  // namespace

TEST_CASE("fingerprints are equal if and only if circuits are equal up to phase: nam") {
  check_all_pairs(small_set("nam", {p0, p1, p0 + p1}), 2, 2);
  check_all_pairs(small_set("nam", {p0, Angle::pi_times(Rational(1, 4))}), 2, 3);
}

TEST_CASE("fingerprints are equal if and only if circuits are equal up to phase: clifford_t") {
  check_all_pairs(load_gate_set("clifford_t"), 2, 2);
  check_all_pairs(load_gate_set("clifford_t"), 1, 4);
}

TEST_CASE("fingerprints are equal if and only if circuits are equal up to phase: ibm_heron") {
  check_all_pairs(small_set("ibm_heron", {p0, p1, p0 + p1}), 2, 2);
}

TEST_CASE("fingerprints are equal if and only if circuits are equal up to phase: rigetti") {
  check_all_pairs(small_set("rigetti", {p0, p1, p0 * Rational(1, 2)}), 2, 2);
  check_all_pairs(small_set("rigetti", {p0, Angle::pi_times(Rational(1, 3))}), 1, 3);
}

TEST_CASE("fingerprints are equal if and only if circuits are equal up to phase: ibm_u") {
  check_all_pairs(small_set("ibm_u", {p0, p1, Angle::symbol("p2"), p0 + p1}), 1, 2);
}

TEST_CASE("constants that are not multiples of pi add up correctly") {
  const std::vector<Operation> letters = {
      make_operation(GateKind::rz, {0}, {Angle::decimal("0.1")}),
      make_operation(GateKind::rz, {0}, {Angle::decimal("0.2")}),
      make_operation(GateKind::rz, {0}, {Angle::decimal("0.25")}),
      make_operation(GateKind::rz, {0}, {Angle::decimal("0.1234567890123456789012345")})};
  const Fingerprinter fingerprinter(letters, 1, {});
  CHECK(fingerprinter.key(std::vector{letters[0], letters[0]}) ==
        fingerprinter.key(std::vector{letters[1]}));
  CHECK(fingerprinter.key(std::vector{letters[0], letters[3]}) ==
        fingerprinter.key(std::vector{letters[3], letters[0]}));
  CHECK(fingerprinter.key(std::vector{letters[0], letters[1]}) !=
        fingerprinter.key(std::vector{letters[2]}));
}

TEST_CASE("another seed or stream gives other keys") {
  const std::vector<Operation> circuit = {make_operation(GateKind::h, {0})};
  const FingerprintKey key = Fingerprinter(circuit, 1, {0, 0}).key(circuit);
  CHECK(key != Fingerprinter(circuit, 1, {1, 0}).key(circuit));
  CHECK(key != Fingerprinter(circuit, 1, {0, 1}).key(circuit));
  CHECK(key == Fingerprinter(circuit, 1, {0, 0}).key(circuit));
}

TEST_CASE("unsupported numbers of qubits are refused") {
  CHECK_THROWS_AS(Fingerprinter({}, 0, {}), UsageError);
  CHECK_THROWS_AS(Fingerprinter({}, 21, {}), UsageError);
}
