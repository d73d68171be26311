#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "gate_set_circuits.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

SuperoptimizeOptions recorded(const std::string& search, std::uint64_t steps = 1000) {
  SuperoptimizeOptions options;
  options.search = search;
  options.steps = steps;
  options.threads = 1;
  options.cache.enabled = false;
  options.check = CheckPolicy::off;
  options.record_journal = true;
  return options;
}

/// Returns a circuit of gates of the set, some with decimal angles or the free parameter theta,
/// with a measurement and a reset in the middle.
Circuit program_in(const GateSet& set, Random& random) {
  Circuit circuit = classical_circuit(4, {2}, {});
  circuit.qasm_version = 3;
  circuit.parameters = {{"theta", "float[64]"}};
  for (int part = 0; part < 2; ++part) {
    for (Operation& gate : random_circuit_in(set, random, 4, 20).operations) {
      if (!gate.angles.empty() && below(random, 4) == 0) {
        Operation other = gate;
        other.angles[0] = below(random, 2) == 0
                              ? Angle::radians(Rational(1 + below(random, 999), 1000))
                              : Angle::symbol("theta");
        if (set.contains(other)) gate = other;
      }
      circuit.operations.push_back(std::move(gate));
    }
    if (part == 0) circuit.operations.push_back(measure(below(random, 4), below(random, 2)));
    if (part == 0) circuit.operations.push_back(reset(below(random, 4)));
  }
  return circuit;
}

}  // namespace

TEST_CASE("the journal certifies the result of every search, for every gate set", "[journal]") {
  Random random(71);
  std::size_t run = 0;
  for (const std::string& name : bundled_gate_sets()) {
    const GateSet set = load_gate_set(name);
    for (const SearchName& search : search_names()) {
      if (run++ % 3 != 0) continue;  // every pair would take too long
      const Circuit circuit = program_in(set, random);
      INFO("gate set " << name << ", search " << search.name << ", seed 71");
      SuperoptimizeResult result;
      try {
        result = superoptimize(circuit, set, recorded(std::string(search.name)));
      } catch (const UsageError& error) {
        CHECK_THAT(error.what(), Catch::Contains("cannot be used here"));
        continue;
      }
      const ReplayReport report = replay(circuit, result.circuit, result.journal);
      INFO("fault: " << report.fault);
      INFO("phase " << report.phase.to_string() << ", distance " << report.distance);
      CHECK(report.is_certified);
      CHECK(report.phase.is_zero());
      CHECK(report.distance < 1e-9);
      if (!result.numeric) CHECK(report.distance == 0);
    }
  }
}

TEST_CASE("Pauli operators under the same controls are merged around a measurement", "[journal]") {
  // -iY under two controls, twice, with a measurement of another qubit that ends one of the runs.
  using enum GateKind;
  Circuit circuit = classical_circuit(5, {1}, {});
  for (const Qubit target : {0, 3}) {
    for (int i = 0; i < 2; ++i) {
      circuit.operations.push_back(make_operation(ccx, {1, 2, target}));
      circuit.operations.push_back(make_operation(h, {target}));
    }
    circuit.operations.push_back(make_operation(cx, {target, 4}));
    circuit.operations.push_back(measure(4, 0));
  }
  for (const std::string name : {"nam", "clifford_t", "ibm_eagle"}) {
    for (const std::string search : {"controlled", "controlled,simplify"}) {
      INFO("gate set " << name << ", search " << search);
      SuperoptimizeOptions options = recorded(search);
      options.cost = Cost(CostKind::two_qubit);
      const SuperoptimizeResult result = superoptimize(circuit, load_gate_set(name), options);
      const ReplayReport report = replay(circuit, result.circuit, result.journal);
      CHECK(report.is_certified);
      CHECK(report.distance == 0);
      // 26 without this search: twelve for each pair of Toffoli gates, and the two CNOTs.
      const GateCounts counts = count_gates(result.circuit);
      CHECK(counts.two_qubit <= 14);
      // Phase folding makes Clifford gates of the rotations on the controls.
      if (search != "controlled") CHECK(counts.t <= 8);
    }
  }
}

TEST_CASE("the journal includes translation, gate directions and several threads", "[journal]") {
  Random random(72);
  const GateSet set = load_gate_set("ibm_eagle");
  const Circuit circuit = random_circuit(random, kinds_up_to(3), 3, 40);
  CouplingMap map(true);
  for (Qubit a = 0; a < 3; ++a) map.add(a, (a + 1) % 3);
  SuperoptimizeOptions options = recorded("auto");
  options.coupling = map;
  options.threads = 2;
  const SuperoptimizeResult result = superoptimize(circuit, set, options);
  const ReplayReport report = replay(circuit, result.circuit, result.journal);
  INFO("seed 72: " << report.fault);
  CHECK(report.is_certified);
  CHECK(report.phase.is_zero());
}

TEST_CASE("the journal of another result certifies nothing", "[journal]") {
  Random random(73);
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = random_circuit_in(set, random, 3, 60);
  const SuperoptimizeResult result = superoptimize(circuit, set, recorded("anneal"));
  REQUIRE(replay(circuit, result.circuit, result.journal).is_certified);
  for (std::size_t i = 0; i < result.circuit.operations.size(); ++i) {
    Circuit changed = result.circuit;
    changed.operations.erase(changed.operations.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(replay(circuit, changed, result.journal).is_certified);
  }
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    Circuit changed = circuit;
    changed.operations[i] = make_operation(GateKind::x, {0});
    if (changed.operations[i] == circuit.operations[i]) continue;
    CHECK_FALSE(replay(changed, result.circuit, result.journal).is_certified);
  }
}

TEST_CASE("a result that no method can compare is certified by its journal", "[journal]") {
  // Blocks with arbitrary angles on a ring of qubits, too many for a simulation.
  Random random(74);
  std::string text = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[40];\n";
  for (int layer = 0; layer < 3; ++layer) {
    for (int qubit = layer % 2; qubit + 1 < 40; qubit += 2) {
      const auto angle = [&] { return "0." + std::to_string(100 + below(random, 900)); };
      for (int i = 0; i < 5; ++i) {
        text += "u3(" + angle() + "," + angle() + "," + angle() + ") q[" + std::to_string(qubit) +
                "];\nu3(" + angle() + "," + angle() + "," + angle() + ") q[" +
                std::to_string(qubit + 1) + "];\ncx q[" + std::to_string(qubit) + "],q[" +
                std::to_string(qubit + 1) + "];\n";
      }
    }
  }
  const Circuit circuit = parse_qasm(text);
  SuperoptimizeOptions options = recorded("blocks");
  options.record_journal = false;
  options.check = CheckPolicy::required;
  options.check_seconds = 60;  // the methods before the replay use a part of it
  options.check_memory_bytes = 1 << 24;
  const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("ibm_heron"), options);
  CHECK(result.check.verified == true);
  CHECK(result.check.report.method.starts_with("replay of"));
  CHECK(result.check.report.distance.value() < 1e-8);
  CHECK(count_gates(result.circuit).two_qubit < count_gates(circuit).two_qubit);
}

TEST_CASE("the journal includes blocks of CNOTs that are shortened before the translation",
          "[journal]") {
  Circuit circuit = make_circuit(6, {});
  for (Qubit qubit = 0; qubit < 6; ++qubit) {
    circuit.operations.push_back(make_operation(GateKind::t, {qubit}));
  }
  for (Qubit control = 0; control < 6; ++control) {
    for (Qubit target = control + 1; target < 6; ++target) {
      circuit.operations.push_back(make_operation(GateKind::cx, {control, target}));
    }
  }
  for (const char* const name : {"ibm_heron", "rigetti", "quantinuum"}) {
    INFO(name);
    const SuperoptimizeResult result =
        superoptimize(circuit, load_gate_set(name), recorded("fold", 1));
    CHECK(count_gates(result.translated).two_qubit == 15);
    CHECK(count_gates(result.circuit).two_qubit == 5);
    CHECK(replay(circuit, result.circuit, result.journal).is_certified);
  }
}

TEST_CASE("the journal includes gates far apart that cancel", "[journal]") {
  // CNOTs and rotations around Toffoli gates that are written without Toffoli gates.
  const GateSet nam = load_gate_set("nam");
  Circuit circuit = make_circuit(4, {});
  for (const Qubit control : {0U, 1U}) {
    const Operation cnot = make_operation(GateKind::cx, {control, 2});
    const Operation turn = make_operation(GateKind::rz, {control}, {Angle::symbol("theta")});
    circuit.operations.insert(
        circuit.operations.end(),
        {cnot, turn, make_operation(GateKind::ccx, {0, 1, 2}), turn,
         make_operation(GateKind::x, {control}), cnot, make_operation(GateKind::h, {2})});
  }
  circuit = translate(circuit, nam);
  circuit.parameters = {{"theta", "float[64]"}};
  const SuperoptimizeResult result = superoptimize(circuit, nam, recorded("cancellation"));
  CHECK(count_gates(result.circuit).two_qubit + 4 <= count_gates(circuit).two_qubit);
  CHECK(replay(circuit, result.circuit, result.journal).is_certified);
}

TEST_CASE("Journals certify resynthesized Clifford blocks on many qubits", "[journal][cliffords]") {
  using enum GateKind;
  Random random(72);
  for (const std::uint32_t qubits : {20U, 70U}) {
    INFO(qubits << " qubits, seed 72");
    Circuit circuit = random_circuit(random, {h, x, cx, cx, cx}, qubits, std::size_t{150} * qubits);
    for (std::size_t i = 0; i < circuit.operations.size(); i += 4) {
      // rz by odd and even numbers of quarter turns
      const Angle angle = Angle::pi_times(Rational(static_cast<std::int64_t>(i / 4 % 8), 2));
      circuit.operations[i] = make_operation(rz, {below(random, qubits)}, {angle});
    }
    SuperoptimizeOptions options = recorded("cliffords", qubits < 64 ? 50'000 : 4'000'000);
    options.cost = Cost(CostKind::two_qubit);
    const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("nam"), options);
    CHECK(count_gates(result.circuit).two_qubit < count_gates(circuit).two_qubit);
    const ReplayReport report = replay(circuit, result.circuit, result.journal);
    INFO("fault: " << report.fault);
    CHECK(report.is_certified);
    CHECK(report.distance == 0);
    CHECK(report.phase.is_zero());
    Circuit other = result.circuit;
    other.operations.push_back(make_operation(x, {0}));
    CHECK_FALSE(replay(circuit, other, result.journal).is_certified);
  }
}
