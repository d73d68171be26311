#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <map>
#include <variant>
#include <vector>

#include "certify/field/field_comparison.hpp"
#include "certify/path_sum/path_sum_comparison.hpp"
#include "certify/problem/problem.hpp"
#include "certify/simulation/branches.hpp"
#include "certify/simulation/dense.hpp"
#include "certify/simulation/exact_unitary.hpp"
#include "certify/simulation/instruments.hpp"
#include "instrument.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/unitary.hpp"
#include "random_circuits.hpp"

/// Compares verdicts on small circuits with measurements, resets and conditions with the circuits'
/// definition.
using namespace quartz;
using namespace quartz::test;
using enum GateKind;

namespace {

constexpr std::uint32_t qubits = 2;
const std::vector<std::uint32_t> bit_registers{2, 1};

/// Requires that differences are far above any tolerance, or far below.
bool are_equal(const Circuit& left, const Circuit& right) {
  double largest = 0;
  for (const double a : {0.7310585, -2.2214414}) {
    largest = std::max(largest, instrument_distance(left, right, {{"a", a}}));
  }
  REQUIRE((largest < 1e-12 || largest > 1e-4));
  return largest < 1e-12;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed, bool has_parameters = true)
      : random(seed), has_parameters_(has_parameters) {}

  Circuit circuit() {
    std::vector<Operation> operations;
    boundaries_ = 0;
    // Half of the circuits permute basis states after a random bit at their beginning. In these,
    // outcomes occur in phases.
    permutes_ = below(random, 2) == 0;
    if (permutes_) {
      operations = {make_operation(h, {1}), measure(1, 0), reset(0), operation()};
    }
    while (operations.size() < 10) operations.push_back(operation());
    return classical_circuit(qubits, bit_registers, std::move(operations));
  }

  /// Returns the circuit with one change, which may or may not change its meaning.
  Circuit mutated(const Circuit& circuit) {
    Circuit result = circuit;
    std::vector<Operation>& operations = result.operations;
    const std::size_t place = below(random, operations.size());
    const auto at = operations.begin() + static_cast<std::ptrdiff_t>(place);
    Operation& here = operations[place];
    boundaries_ = max_boundaries - 1;
    switch (below(random, 10)) {
      case 0:
        operations.erase(at);
        break;
      case 1:
        operations.insert(at, operation());
        break;
      case 2:
        if (place > 0) std::swap(here, operations[place - 1]);
        break;
      case 3:
        here = with_condition(here);
        break;
      case 4:
        if (!here.conditions().empty()) {
          ClassicalPart part = *here.classical;
          part.conditions.pop_back();
          const bool is_plain = here.kind == OperationKind::gate && part.conditions.empty();
          here = with_classical(here, part);
          if (is_plain) here.classical = nullptr;
        }
        break;
      case 5:
        if (here.qubits.size() == 1) here.qubits[0] = 1 - here.qubits[0];
        break;
      case 6:
        if (!here.angles.empty()) here.angles[0] = angle();
        break;
      case 7:
        operations.insert(at, with_condition(phase_gate()));
        break;
      default:
        flip_around_measurement(operations);
    }
    return result;
  }

  Random random;

 private:
  static constexpr unsigned max_boundaries = 6;

  /// Inserts x, possibly under a condition, before and after a measurement, which exchanges its
  /// outcomes. On a qubit that was just reset, this changes the unitaries only by a phase.
  void flip_around_measurement(std::vector<Operation>& operations) {
    std::vector<std::size_t> measurements;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (operations[i].kind == OperationKind::measure) measurements.push_back(i);
    }
    if (measurements.empty()) return;
    const std::size_t place = measurements[below(random, measurements.size())];
    Operation flip = make_operation(x, {operations[place].qubits[0]});
    if (below(random, 4) != 0) flip = with_condition(flip);
    const auto at = operations.begin() + static_cast<std::ptrdiff_t>(place);
    operations.insert(operations.insert(at, flip) + 2, flip);
  }

  Angle angle() {
    switch (below(random, 6)) {
      case 0:
        return has_parameters_ ? Angle::symbol("a") : Angle::decimal("1.1");
      case 1:
        return Angle::decimal("0.3");
      default:
        return Angle::pi_times(Rational(below(random, 8), 4));
    }
  }

  Operation phase_gate() {
    const GateKind kind = below(random, 2) == 0 ? p : rz;
    return make_operation(kind, {below(random, qubits)}, {angle()});
  }

  Operation with_condition(const Operation& operation) {
    const auto condition = [&] {
      const std::uint32_t source = below(random, 2);
      return Condition{source, below(random, source == 0 ? 4 : 2)};
    };
    ClassicalPart part = operation.classical == nullptr ? ClassicalPart{} : *operation.classical;
    part.conditions = {condition()};
    if (below(random, 3) == 0) part.conditions.push_back(condition());
    return with_classical(operation, std::move(part));
  }

  Operation unitary() {
    static const std::vector<GateKind> kinds{h, h, x, x, s, t, cx, cx, cz, swap, ch};
    static const std::vector<GateKind> permutations{x, s, cx, cz, swap};
    if (below(random, 4) == 0) return phase_gate();
    return random_gate(random, permutes_ ? permutations : kinds, qubits, 4);
  }

  Operation operation() {
    Operation result;
    switch (boundaries_ < max_boundaries ? below(random, 6) : 5) {
      case 0:
      case 1:
        ++boundaries_;
        result = measure(below(random, qubits), below(random, 3));
        if (below(random, 5) == 0) result = with_classical(result, {});
        break;
      case 2:
        ++boundaries_;
        result = reset(below(random, qubits));
        break;
      default:
        result = unitary();
    }
    return below(random, 3) == 0 ? with_condition(result) : result;
  }

  unsigned boundaries_ = 0;
  bool has_parameters_;
  bool permutes_ = false;
};

bool says_equal(EquivalenceVerdict verdict) {
  return verdict == EquivalenceVerdict::equal || verdict == EquivalenceVerdict::equal_up_to_phase;
}

}  // namespace

TEST_CASE("No method finds different circuits with measurements and resets equal") {
  const std::uint64_t seed = 20260402;
  INFO("seed " << seed);
  Generator generator(seed);
  // How often each method found circuits equal.
  std::map<std::string, unsigned> equal_by_method;
  unsigned different = 0;
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    const Circuit left = generator.circuit();
    Circuit right = generator.mutated(left);
    if (round % 4 == 3) right = generator.mutated(right);
    const bool truth = are_equal(left, right);
    if (!truth) ++different;

    const EquivalenceReport report = check_equivalence(left, right);
    INFO(report.method << ": " << report.witness);
    CHECK(report.verdict != EquivalenceVerdict::undecided);  // small enough to follow all branches
    CHECK(says_equal(report.verdict) == truth);

    const certify::Comparison branches = certify::compare_branches_in_field(left, right, {}, seed);
    CHECK((branches.outcome == certify::Outcome::equal) == truth);
    CHECK(branches.differs_exactly == !truth);

    const auto posed = certify::pose_problem(left, right);
    const auto* problem = std::get_if<certify::Problem>(&posed);
    if (problem == nullptr) continue;
    const std::pair<const char*, certify::Comparison> comparisons[] = {
        {"path sum", certify::compare_path_sums(*problem, {})},
        {"exact", certify::compare_exact_unitaries(*problem, {})},
        {"field", certify::compare_in_field(*problem, {}, {}, seed)},
        {"dense", certify::compare_dense_unitaries(*problem, {})},
        {"states", certify::compare_random_states(*problem, {}, seed)},
    };
    for (const auto& [name, comparison] : comparisons) {
      INFO(name << ": " << comparison.method);
      if (comparison.outcome != certify::Outcome::equal) continue;
      CHECK(truth);
      ++equal_by_method[name];
    }
  }
  // Check that both verdicts and all methods were tested.
  CHECK(different > 60);
  CHECK(different < 240);
  for (const char* name : {"path sum", "field", "dense", "states"}) {
    INFO(name);
    CHECK(equal_by_method[name] > 20);
  }
}

TEST_CASE("The operators of all branches decide about circuits with measurements and resets") {
  const std::uint64_t seed = 20261128;
  INFO("seed " << seed);
  Generator generator(seed, false);
  unsigned equal = 0;
  unsigned different = 0;
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    const Circuit left = generator.circuit();
    const Circuit right = generator.mutated(left);
    const bool truth = are_equal(left, right);
    ++(truth ? equal : different);
    const certify::Comparison comparison = certify::compare_instruments(left, right, 0, {});
    INFO(comparison.method << ": " << comparison.reason);
    CHECK(comparison.outcome == (truth ? certify::Outcome::equal : certify::Outcome::different));
    CHECK(comparison.distance < 1e-10);
  }
  CHECK(equal > 60);
  CHECK(different > 60);
}
