#include <catch2/catch.hpp>

#include "derived_circuit.hpp"
#include "gate_set_circuits.hpp"
#include "multiples_of_pi.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/two_qubit_blocks.hpp"
#include "optimize/resynthesis/two_qubit_runs.hpp"
#include "quartz/circuit/cost.hpp"
#include "random_local_gates.hpp"
#include "random_unitaries.hpp"
#include "two_qubit_then_total.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using Eigen::Matrix4cd;

namespace {

constexpr double kQuarterPi = std::numbers::pi / 4;

GateSet set_with(const std::vector<GateKind>& kinds) {
  GateSet set;
  for (const GateKind kind : kinds) set.entries.push_back({kind, {}});
  return set;
}

std::size_t count_two_qubit_gates(std::span<const Operation> gates) {
  return static_cast<std::size_t>(
      std::count_if(gates.begin(), gates.end(),
                    [](const Operation& operation) { return operation.qubits.size() == 2; }));
}

/// Checks a synthesis and returns its number of two-qubit gates.
std::size_t gates_for(const TwoQubitSynthesis& synthesis, const Matrix4cd& unitary) {
  const auto result = synthesis.synthesize(unitary);
  REQUIRE(result);
  const Matrix4cd made =
      std::polar(1.0, result->phase.value()) * two_qubit_unitary(result->gates, 0, 1);
  CHECK((made - unitary).cwiseAbs().maxCoeff() < 1e-13);
  return count_two_qubit_gates(result->gates);
}

circuit::DerivedGates resynthesized(std::span<const Operation> gates, std::uint32_t qubits,
                                    const GateSet& set, Exactness exactness = Exactness::numeric) {
  return TwoQubitBlocks(set, two_qubit_then_total, exactness).resynthesize(gates, qubits, Budget());
}

Circuit resynthesized(const Circuit& circuit, const GateSet& set,
                      Exactness exactness = Exactness::numeric) {
  return with_gates(circuit,
                    resynthesized(circuit.operations, circuit.qubit_count(), set, exactness));
}

std::uint64_t weight_of(const Circuit& circuit) {
  std::uint64_t sum = 0;
  for (const Operation& operation : circuit.operations) sum += two_qubit_then_total(operation);
  return sum;
}

/// Coordinates, and the least number of gates of kind cx, iswap and rzz for them.
struct KnownCount {
  std::array<double, 3> coordinates;
  std::size_t cx;
  std::size_t iswap;
  std::size_t rzz;
};
const double q = kQuarterPi;
const std::vector<KnownCount> kKnownCounts = {{{0, 0, 0}, 0, 0, 0},
                                              {{q, 0, 0}, 1, 2, 1},
                                              {{q / 2, 0, 0}, 2, 2, 1},
                                              {{0.3, 0, 0}, 2, 2, 1},
                                              {{q, q, 0}, 2, 1, 2},
                                              {{q / 2, q / 2, 0}, 2, 2, 2},
                                              {{q, 0.1, 0}, 2, 2, 2},
                                              {{0.3, 0.2, 0}, 2, 2, 2},
                                              {{q, q, q}, 3, 3, 3},
                                              {{q / 2, q / 2, q / 2}, 3, 3, 3},
                                              {{q / 2, q / 2, -q / 2}, 3, 3, 3},
                                              {{0.3, 0.2, 0.1}, 3, 3, 3},
                                              {{0.3, 0.2, -0.1}, 3, 3, 3},
                                              {{q, 0.2, 0.2}, 3, 3, 3},
                                              {{1e-6, 1e-6, 1e-6}, 3, 3, 3},
                                              {{q, q, 0.3}, 3, 3, 3}};

}  // namespace

TEST_CASE("the number of entangling gates is the known minimum", "[blocks]") {
  using enum GateKind;
  const std::vector<std::vector<GateKind>> like_cx = {{rz, sx, x, cx},  {rz, sx, x, cz},
                                                      {rz, sx, x, ecr}, {u3, cx},
                                                      {rx, ry, rz, cy}, {h, rz, cx, cz}};
  const std::vector<std::vector<GateKind>> like_rzz = {
      {rz, sx, x, rzz}, {rx, ry, rz, rxx}, {rz, h, cp},   {u3, crz}, {u3, ryy},
      {u3, cu1},        {u3, crx},         {rz, rx, cry}, {u3, rzx}, {rz, sx, rzz, cz}};
  const auto check = [](const std::vector<std::vector<GateKind>>& sets, auto minimum) {
    for (const std::vector<GateKind>& kinds : sets) {
      const TwoQubitSynthesis synthesis(set_with(kinds), two_qubit_then_total);
      REQUIRE(synthesis.available());
      Random random(65);
      for (const KnownCount& known : kKnownCounts) {
        for (int round = 0; round < 2; ++round) {
          const Matrix4cd middle = canonical_gate(known.coordinates);
          INFO("entangler " << gate(kinds.back()).name << ", seed 65, coordinates "
                            << known.coordinates[0] << ", " << known.coordinates[1] << ", "
                            << known.coordinates[2]);
          CHECK(gates_for(synthesis, random_local(random) * middle * random_local(random)) ==
                minimum(known));
          CHECK(gates_for(synthesis, middle) == minimum(known));
        }
      }
    }
  };
  check(like_cx, [](const KnownCount& known) { return known.cx; });
  check(like_rzz, [](const KnownCount& known) { return known.rzz; });
  check({{rz, sx, iswap}, {u3, iswapdg}}, [](const KnownCount& known) { return known.iswap; });
  // One gate of each kind reaches the whole face a = pi/4.
  check({{u3, cx, iswap}}, [](const KnownCount& known) {
    return std::min({known.cx, known.iswap, std::size_t{known.coordinates[0] == q ? 2U : 3U}});
  });
  const auto with_square_root = [](const KnownCount& known) {
    const auto [a, b, c] = known.coordinates;
    if (a == q / 2 && b == q / 2 && c == 0) return std::size_t{1};
    return a >= b + std::abs(c) - 1e-12 ? std::min(known.cx, std::size_t{2}) : known.cx;
  };
  check({{u3, cz, sqrtiswap}, {r, rz, cz, sqrtiswapdg}}, with_square_root);
}

TEST_CASE("a swap gate of the set is used if it is cheaper", "[blocks]") {
  using enum GateKind;
  const TwoQubitSynthesis synthesis(set_with({u3, cx, swap}), two_qubit_then_total);
  CHECK(gates_for(synthesis, canonical_gate({q, q, q})) == 1);
  CHECK(gates_for(synthesis, canonical_gate({q, q, q}) * canonical_gate({q, 0, 0})) == 2);
  CHECK_FALSE(TwoQubitSynthesis(set_with({u3, swap}), two_qubit_then_total).available());
}

TEST_CASE("two square roots of iswap suffice for four fifths of all unitaries", "[blocks]") {
  using enum GateKind;
  const TwoQubitSynthesis synthesis(set_with({r, rz, sqrtiswap}), two_qubit_then_total);
  Random random(67);
  int made = 0;
  for (int round = 0; round < 300; ++round) {
    const Matrix4cd target = random_unitary<4>(random);
    const auto result = synthesis.synthesize(target);
    const auto [a, b, c] = weyl_decomposition(target).coordinates;
    INFO("seed 67, round " << round);
    CHECK(result.has_value() == (a >= b + std::abs(c)));
    if (!result) continue;
    ++made;
    CHECK(gates_for(synthesis, target) == 2);
    CHECK(result->error < 1e-12);
  }
  // The fraction is 79% in the measure from which the unitaries are drawn.
  CHECK(made > 200);
  CHECK(made < 270);
}

TEST_CASE("weights choose among entangling gates", "[blocks]") {
  using enum GateKind;
  const auto costly_rotation = [](const Operation& operation) {
    return operation.gate == rzz ? 1800 : operation.qubits.size() == 2 ? 1000 : 1;
  };
  const TwoQubitSynthesis synthesis(set_with({rz, sx, x, cz, rzz}), costly_rotation);
  // One rzz is cheaper than two cz, two cz are cheaper than two rzz, and one cz suffices for a
  // quarter turn.
  const auto kinds_for = [&](const std::array<double, 3>& coordinates) {
    const auto result = synthesis.synthesize(canonical_gate(coordinates));
    REQUIRE(result);
    std::vector<GateKind> kinds;
    for (const Operation& operation : result->gates) {
      if (operation.qubits.size() == 2) kinds.push_back(operation.gate);
    }
    std::sort(kinds.begin(), kinds.end());
    return kinds;
  };
  CHECK(kinds_for({0.3, 0, 0}) == std::vector{rzz});
  CHECK(kinds_for({0.3, 0.2, 0}) == std::vector{cz, cz});
  CHECK(kinds_for({q, 0, 0}) == std::vector{cz});
  CHECK(kinds_for({q, q, 0.3}) == std::vector{cz, cz, cz});
}

TEST_CASE("random two-qubit circuits of every set are resynthesized with their global phase",
          "[blocks]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    Random random(66);
    for (int round = 0; round < 30; ++round) {
      // Clifford+T angles come first, then arbitrary ones.
      Circuit circuit = random_circuit_in(set, random, 2, below(random, 40));
      if (round % 2 == 1) circuit = with_decimal_angles(std::move(circuit), set, random);
      const Circuit after = resynthesized(circuit, set);
      INFO("gate set " << name << ", seed 66, round " << round);
      CHECK(unitary_distance(circuit, after) < 1e-11);
      CHECK(weight_of(after) <= weight_of(circuit));
      for (const Operation& operation : after.operations) CHECK(set.contains(operation));
      if (name != "clifford_t") CHECK(count_two_qubit_gates(after.operations) <= 3);
    }
  }
}

TEST_CASE("resynthesis of random circuits on more qubits preserves the unitary and the boundaries",
          "[blocks]") {
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    Random random(67);
    for (int round = 0; round < 40; ++round) {
      const auto qubits = static_cast<std::uint32_t>(1 + below(random, 5));
      const Circuit circuit = random_circuit_in(set, random, qubits, below(random, 80));
      const Circuit after = resynthesized(circuit, set);
      INFO("gate set " << name << ", seed 67, round " << round);
      CHECK(unitary_distance(circuit, after) < 1e-11);
      CHECK(weight_of(after) <= weight_of(circuit));
    }
  }
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const Operation pair = make_operation(cx, {0, 1});
  const Circuit walled = make_circuit(3, {pair, barrier({1, 2}), pair, make_operation(h, {2}),
                                          measure(2, 0), make_operation(h, {2})});
  CHECK(resynthesized(walled, set).operations == walled.operations);
  const Circuit beside = make_circuit(4, {pair, barrier({2, 3}), pair});
  CHECK(resynthesized(beside, set).operations == std::vector{barrier({2, 3})});
}

TEST_CASE("a block of any length becomes one short block", "[blocks]") {
  using enum GateKind;
  const GateSet set = load_gate_set("ibm_u");
  Random random(68);
  std::vector<Operation> gates;
  for (int i = 0; i < 6000; ++i) {
    gates.push_back(below(random, 2) == 0 ? make_operation(cx, {0, 1})
                                          : make_operation(u2, {below(random, 2)},
                                                           {Angle::radians(Rational(i, 1000)),
                                                            Angle::radians(Rational(i, 700))}));
  }
  const Circuit circuit = make_circuit(2, gates);
  const Circuit after = resynthesized(circuit, set);
  CHECK(count_two_qubit_gates(after.operations) <= 3);
  CHECK(after.operations.size() <= 11);
  CHECK(unitary_distance(circuit, after) < 1e-11);
}

TEST_CASE("free parameters end a block and stay", "[blocks]") {
  using enum GateKind;
  const GateSet set = load_gate_set("nam");
  const Operation symbolic = make_operation(rz, {1}, {Angle::symbol("theta")});
  const Operation pair = make_operation(cx, {0, 1});
  const Circuit circuit = make_circuit(2, {pair, pair, symbolic, pair, make_operation(h, {0}),
                                           make_operation(h, {0}), symbolic, symbolic});
  const Circuit after = resynthesized(circuit, set);
  CHECK(after.operations == std::vector{symbolic, pair, symbolic, symbolic});
}

TEST_CASE("exact gates become exact gates, and only those if requested", "[blocks]") {
  using enum GateKind;
  const GateSet set = load_gate_set("ibm");
  // Three cx form a swap, and another one cancels two of them.
  const std::vector<Operation> gates = {
      make_operation(cx, {0, 1}), make_operation(cx, {1, 0}),         make_operation(cx, {0, 1}),
      make_operation(cx, {0, 1}), make_operation(cx, {1, 0}),         make_operation(sx, {0}),
      make_operation(sx, {0}),    make_operation(rz, {0}, {pi(1, 4)})};
  const circuit::DerivedGates result = resynthesized(gates, 2, set);
  CHECK(count_two_qubit_gates(result.gates) == 1);
  CHECK_FALSE(result.derivation.is_numeric());
  Circuit after = make_circuit(2, result.gates);
  after.global_phase = result.phase;
  CHECK(unitary_distance(make_circuit(2, gates), after) < 1e-13);

  const std::vector<Operation> numeric = {
      make_operation(cx, {0, 1}), make_operation(rz, {1}, {Angle::radians(Rational(1, 10))}),
      make_operation(cx, {0, 1}), make_operation(cx, {1, 0}), make_operation(cx, {1, 0})};
  CHECK(resynthesized(numeric, 2, set).derivation.is_numeric());
  const circuit::DerivedGates kept = resynthesized(numeric, 2, set, Exactness::exact);
  CHECK(kept.gates == numeric);
  CHECK_FALSE(kept.derivation.is_numeric());
}

TEST_CASE("sets that the synthesis does not know are left unchanged", "[blocks]") {
  using enum GateKind;
  const std::vector<Operation> gates = {make_operation(cx, {0, 1}), make_operation(cx, {0, 1}),
                                        make_operation(h, {0}), make_operation(h, {0})};
  const circuit::DerivedGates fixed = resynthesized(gates, 2, load_gate_set("clifford_t"));
  CHECK(fixed.gates == gates);
  CHECK(fixed.derivation.history() == nullptr);
  // The set has a two-qubit gate of unknown kind; one-qubit runs still merge.
  const std::vector<Operation> unknown = {make_operation(csx, {0, 1}), make_operation(csx, {0, 1}),
                                          make_operation(u3, {0}, {pi(1), pi(1), pi(1)}),
                                          make_operation(u3, {0}, {pi(1), pi(1), pi(1)})};
  const circuit::DerivedGates single = resynthesized(unknown, 2, set_with({u3, ccx}));
  CHECK(single.gates.size() < unknown.size());
  CHECK(count_two_qubit_gates(single.gates) == 2);
}

TEST_CASE("a run on two qubits takes the one-qubit gates next to it", "[blocks]") {
  using enum GateKind;
  const Operation turn = make_operation(rz, {2}, {Angle::symbol("a")});
  const std::vector<Operation> gates = {make_operation(h, {1}),     make_operation(h, {0}),
                                        make_operation(cx, {0, 1}), make_operation(h, {1}),
                                        make_operation(cx, {1, 0}), make_operation(cx, {1, 2}),
                                        make_operation(h, {0}),     turn,
                                        make_operation(cx, {1, 2}), make_operation(h, {0}),
                                        make_operation(h, {2})};
  const std::vector<TwoQubitRun> runs = two_qubit_runs(gates, 3);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].qubits == std::array<Qubit, 2>{0, 1});
  CHECK(runs[0].places == std::vector<std::size_t>{1, 0, 2, 3, 4});
  CHECK(runs[0].anchor == 2);
  CHECK(runs[1].places == std::vector<std::size_t>{5});
  CHECK(runs[2].places == std::vector<std::size_t>{8, 10});
}
