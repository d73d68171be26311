#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include "multiples_of_pi.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"
#include "quartz/target/gate_set.hpp"
#include "target/translation.hpp"

using namespace quartz;
using quartz::test::pi;

namespace {

const Bindings kBindings = {{"a", 0.731}, {"b", -2.417}};

std::vector<Complex> unitary_with_phase(const Circuit& circuit) {
  std::vector<Complex> matrix = unitary_of(circuit.operations, circuit.qubit_count(), kBindings);
  const Complex factor = std::polar(1.0, circuit.global_phase.value(kBindings));
  for (Complex& entry : matrix) entry *= factor;
  return matrix;
}

double distance(const Circuit& a, const Circuit& b) {
  const std::vector<Complex> left = unitary_with_phase(a);
  const std::vector<Complex> right = unitary_with_phase(b);
  double largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    largest = std::max(largest, std::abs(left[i] - right[i]));
  }
  return largest;
}

bool is_within(const GateSet& set, const Circuit& circuit) {
  return std::all_of(circuit.operations.begin(), circuit.operations.end(),
                     [&](const Operation& operation) { return set.contains(operation); });
}

Circuit single(GateKind kind, std::vector<Angle> angles = {}) {
  Operation operation;
  operation.gate = kind;
  for (Qubit i = 0; i < gate(kind).qubits; ++i) operation.qubits.push_back(i);
  operation.angles = std::move(angles);
  return make_circuit(gate(kind).qubits, {operation});
}

/// Returns a text such as "rz(pi/2) 0; sx 0".
std::string text_of(const Circuit& circuit) {
  std::string text;
  for (const Operation& operation : circuit.operations) {
    if (!text.empty()) text += "; ";
    text += gate(operation.gate).name;
    for (const Angle& angle : operation.angles) text += "(" + angle.to_string() + ")";
    for (const Qubit qubit : operation.qubits) text += " " + std::to_string(qubit);
  }
  return text;
}

using Random = std::mt19937_64;

Angle quarter_turn(Random& random) { return pi(static_cast<std::int64_t>(random() % 33) - 16, 4); }

Angle any_angle(Random& random) {
  switch (random() % 6) {
    case 0:
      return Angle::symbol("a") * Rational(static_cast<std::int64_t>(random() % 5) - 2, 2);
    case 1:
      return Angle::symbol("b") - Angle::symbol("a") + quarter_turn(random);
    case 2:
      return Angle::decimal("0." + std::to_string(random() % 1000000));
    case 3:
      return pi(static_cast<std::int64_t>(random() % 65) - 32,
                1 + static_cast<std::int64_t>(random() % 12));
    default:
      return quarter_turn(random);
  }
}

Circuit random_circuit(std::uint32_t qubits, int gates, Random& random,
                       const std::function<Angle(Random&)>& angle) {
  std::vector<Operation> operations;
  std::vector<Qubit> order(qubits);
  for (Qubit i = 0; i < qubits; ++i) order[i] = i;
  while (operations.size() < static_cast<std::size_t>(gates)) {
    const Gate& row = gate_table()[random() % gate_table().size()];
    if (row.qubits > qubits) continue;
    std::shuffle(order.begin(), order.end(), random);
    Operation operation;
    operation.gate = row.kind;
    operation.qubits.assign(order.begin(), order.begin() + row.qubits);
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      operation.angles.push_back(angle(random));
    }
    operations.push_back(std::move(operation));
  }
  Circuit circuit = make_circuit(qubits, std::move(operations));
  circuit.global_phase = angle(random);
  return circuit;
}

/// Returns the sets that express every gate exactly.
std::vector<std::string> sets_with_rotations() {
  std::vector<std::string> names = bundled_gate_sets();
  std::erase(names, "clifford_t");
  return names;
}

Operation conditional(Operation operation, std::uint64_t value) {
  ClassicalPart part;
  part.conditions = {Condition{0, value}};
  operation.classical = std::make_shared<const ClassicalPart>(std::move(part));
  return operation;
}

}  // namespace

TEST_CASE("Random circuits keep their unitary and global phase in every gate set with rotations") {
  const std::uint64_t seed = 2718;
  INFO("seed " << seed);
  Random random(seed);
  for (const std::string& name : sets_with_rotations()) {
    const GateSet set = load_gate_set(name);
    for (int round = 0; round < 20; ++round) {
      const auto qubits = static_cast<std::uint32_t>(1 + random() % 4);
      const Circuit circuit = random_circuit(qubits, 6, random, any_angle);
      INFO(name << ", round " << round << ": " << text_of(circuit));
      const Circuit translated = translate(circuit, set);
      CHECK(is_within(set, translated));
      CHECK(distance(circuit, translated) < 1e-9);
    }
  }
}

TEST_CASE("Gates with ranges of angles are written with angles within the ranges") {
  const std::uint64_t seed = 1729;
  INFO("seed " << seed);
  Random random(seed);
  const std::vector<Angle> corners = {Angle(),       pi(1, 2),      pi(-1, 2), pi(1),
                                      pi(-1),        pi(3, 2),      pi(2),     pi(1, 1000),
                                      pi(501, 1000), pi(-499, 1000)};
  std::size_t ranged_gates = 0;
  for (const char* name : {"ibm_heron_fractional", "ionq_aria", "ionq_aria_full"}) {
    const GateSet set = load_gate_set(name);
    for (const GateKind kind : {GateKind::rzz, GateKind::rxx, GateKind::ms, GateKind::cp}) {
      for (std::size_t round = 0; round < corners.size() + 8; ++round) {
        const Angle angle = round < corners.size() ? corners[round] : any_angle(random);
        std::vector<Angle> angles(gate(kind).parameters.size(), angle);
        const Circuit circuit = single(kind, angles);
        const Circuit translated = translate(circuit, set);
        INFO(name << ": " << text_of(circuit) << " -> " << text_of(translated));
        CHECK(is_within(set, translated));
        CHECK(distance(circuit, translated) < 1e-9);
        for (const Operation& operation : translated.operations) {
          if (operation.gate != GateKind::rzz && operation.gate != GateKind::ms) continue;
          ++ranged_gates;
          const double value = operation.angles.back().value();
          // Identity gates are left out; an ms that is the identity has angles that are not zero.
          CHECK((value > 0 || (value == 0 && operation.gate == GateKind::ms)));
          CHECK(value <= 1.5707963267948966);
        }
        const bool is_single = angle.is_constant() && set.name != "ionq_aria_full";
        if (is_single) CHECK(count_gates(translated).two_qubit <= 1);
      }
    }
  }
  CHECK(ranged_gates > 100);
}

TEST_CASE("Every gate of the table is translated exactly into every gate set with rotations") {
  const std::uint64_t seed = 314;
  INFO("seed " << seed);
  Random random(seed);
  for (const std::string& name : sets_with_rotations()) {
    const GateSet set = load_gate_set(name);
    for (const Gate& row : gate_table()) {
      std::vector<Angle> angles;
      for (std::size_t i = 0; i < row.parameters.size(); ++i) angles.push_back(any_angle(random));
      const Circuit circuit = single(row.kind, angles);
      INFO(name << ": " << text_of(circuit));
      const Circuit translated = translate(circuit, set);
      CHECK(is_within(set, translated));
      CHECK(distance(circuit, translated) < 1e-9);
    }
  }
}

TEST_CASE("A circuit is translated if and only if its translation is the same") {
  const std::uint64_t seed = 162;
  INFO("seed " << seed);
  Random random(seed);
  const GateSet set = load_gate_set("clifford_t");
  int same = 0;
  for (int round = 0; round < 100; ++round) {
    const Circuit circuit = random_circuit(3, 1, random, quarter_turn);
    INFO(text_of(circuit));
    try {
      const bool is_same = translate(circuit, set) == circuit;
      CHECK(target::is_translated(circuit, set) == is_same);
      same += is_same ? 1 : 0;
    } catch (const InputError&) {
      CHECK_FALSE(target::is_translated(circuit, set));
    }
  }
  CHECK(same > 5);
  Circuit in_turns = make_circuit(1, {});
  in_turns.gates_in_turns = {GateKind::rz};
  CHECK_FALSE(target::is_translated(in_turns, set));
  std::stop_source source;
  source.request_stop();
  const Circuit one = make_circuit(1, {make_operation(GateKind::h, {0})});
  CHECK_THROWS_AS(target::is_translated(one, set, source.get_token()), Stopped);
}

TEST_CASE("Gates that Clifford+T expresses exactly keep their unitary, all others are refused") {
  const std::uint64_t seed = 161;
  INFO("seed " << seed);
  Random random(seed);
  const GateSet set = load_gate_set("clifford_t");
  int refused = 0;
  int translated_count = 0;
  for (int round = 0; round < 200; ++round) {
    const Circuit circuit = random_circuit(4, 1, random, quarter_turn);
    INFO(text_of(circuit));
    Circuit translated;
    try {
      translated = translate(circuit, set);
    } catch (const InputError&) {
      ++refused;
      // Adding a control to a rotation halves its angle. c3x has determinant -1 on 4 qubits, and no
      // gate of the set has that determinant on 4 qubits.
      CHECK(gate(circuit.operations.front().gate).qubits >= 2);
      continue;
    }
    ++translated_count;
    CHECK(is_within(set, translated));
    CHECK(distance(circuit, translated) < 1e-9);
  }
  CHECK(translated_count > 125);
  CHECK(refused > 10);
}

TEST_CASE("Clifford+T expresses every single-qubit gate by multiples of pi/4") {
  const GateSet set = load_gate_set("clifford_t");
  for (const Gate& row : gate_table()) {
    const bool controlled_phase = row.kind == GateKind::cp || row.kind == GateKind::cu1;
    const bool two_qubit_rotation = row.kind == GateKind::rxx || row.kind == GateKind::ryy ||
                                    row.kind == GateKind::rzz || row.kind == GateKind::rzx;
    if (row.qubits != 1 && !controlled_phase && !two_qubit_rotation) continue;
    // The decomposition of cp contains half its angle.
    const std::int64_t denominator = controlled_phase ? 2 : 4;
    for (std::int64_t k = -9; k <= 9; ++k) {
      std::vector<Angle> angles;
      for (std::size_t i = 0; i < row.parameters.size(); ++i) {
        angles.push_back(pi(k + 3 * static_cast<std::int64_t>(i), denominator));
      }
      const Circuit circuit = single(row.kind, angles);
      INFO(text_of(circuit));
      const Circuit translated = translate(circuit, set);
      CHECK(is_within(set, translated));
      CHECK(distance(circuit, translated) < 1e-9);
    }
  }
}

TEST_CASE("Uncommon angles may add up to common ones") {
  const GateSet set = load_gate_set("clifford_t");
  const Circuit circuit = single(GateKind::u3, {Angle(), pi(1, 8), pi(1, 8)});
  const Circuit translated = translate(circuit, set);
  CHECK(text_of(translated) == "t 0");
  CHECK(distance(circuit, translated) < 1e-9);
}

TEST_CASE("The error for an inexpressible gate names the gate, its angles and the set") {
  const GateSet set = load_gate_set("clifford_t");
  const std::string gates =
      " cannot be expressed exactly in the gate set 'clifford_t' (h, x, s, sdg, "
      "t, tdg, z, cx); gate sets that can express it: ";
  const auto message = [&](const std::string& gate) {
    return Catch::Predicate<InexpressibleGate>([start = gate + gates](const auto& error) {
      const std::string_view text = error.what();
      return text.starts_with(start) && text.find("ibm_heron") != text.npos &&
             text.find("clifford_t", start.size()) == text.npos;
    });
  };
  CHECK_THROWS_MATCHES(translate(single(GateKind::rz, {pi(1, 8)}), set), InexpressibleGate,
                       message("rz(pi/8)"));
  CHECK_THROWS_MATCHES(
      translate(single(GateKind::u3, {pi(1, 4), Angle::symbol("a"), Angle()}), set),
      InexpressibleGate, message("u3(pi/4, a, 0)"));
  CHECK_THROWS_MATCHES(translate(single(GateKind::cp, {pi(1, 8)}), set), InexpressibleGate,
                       message("cp(pi/8)"));
  CHECK_THROWS_MATCHES(translate(single(GateKind::crz, {pi(1, 4)}), set), InexpressibleGate,
                       message("crz(pi/4)"));
  CHECK_THROWS_AS(translate(single(GateKind::c3x), set), InputError);
}

TEST_CASE("The error for a gate that may have an unknown decomposition says so") {
  const GateSet clifford_t = load_gate_set("clifford_t");
  const auto starts = [](const char* text) { return Catch::StartsWith(text); };
  CHECK_THROWS_WITH(translate(single(GateKind::cp, {pi(1, 4)}), clifford_t),
                    starts("no decomposition of cp(pi/4) into the gate set 'clifford_t' (") &&
                        !Catch::Contains("translations"));
  CHECK_THROWS_WITH(translate(single(GateKind::cu3, {pi(1, 2), Angle(), pi(1, 4)}), clifford_t),
                    starts("no decomposition of cu3(pi/2, 0, pi/4) into the gate set"));
  const auto of = [](const std::string& gates) {
    return parse_gate_set(
        R"({"format": "quartz-gate-set", "version": 1, "name": "own", "gates": [)" + gates + "]}",
        "own.json");
  };
  CHECK_THROWS_WITH(
      translate(single(GateKind::t), of(R"({"gate": "h"}, {"gate": "s"}, {"gate": "cx"})")),
      starts(
          "no decomposition of t into the gate set 'own' (h, s, cx) is known; gate sets that can "
          "express it: ") &&
          Catch::EndsWith("; 'translations' in the file of the gate set can define t"));
  CHECK_THROWS_WITH(translate(single(GateKind::cx), of(R"({"gate": "h"}, {"gate": "t"})")),
                    starts("cx cannot be expressed exactly in the gate set 'own' (h, t); "));
  CHECK_THROWS_WITH(translate(single(GateKind::rx, {pi(1, 3)}),
                              of(R"({"gate": "rz", "angles": [["pi/4"]]}, {"gate": "h"})")),
                    starts("rx(pi/3) cannot be expressed exactly in the gate set 'own' (rz, h); "));
}

TEST_CASE("Clifford+T sets and sets with one controlled gate express cx and t") {
  struct Case {
    const char* gates;
    GateKind gate;
  };
  constexpr const char* kU3 = R"({"gate": "u3"}, {"gate": ")";
  const std::vector<Case> cases = {
      {"ch", GateKind::cx},  {"cy", GateKind::cx},   {"csx", GateKind::cx}, {"crx", GateKind::cx},
      {"cry", GateKind::cx}, {"rzx", GateKind::cx},  {"cs", GateKind::cx},  {"csdg", GateKind::cx},
      {"cu3", GateKind::cx}, {"crz", GateKind::ccx},
  };
  for (const Case& each : cases) {
    INFO(each.gates);
    const GateSet set =
        parse_gate_set(R"({"format": "quartz-gate-set", "version": 1, "name": "own", "gates": [)" +
                           std::string(kU3) + each.gates +
                           R"("}], "alphabet": {"parameters": 1, "expressions": ["p0"]}})",
                       "own.json");
    const Circuit circuit = single(each.gate);
    const Circuit translated = translate(circuit, set);
    CHECK(is_within(set, translated));
    CHECK(distance(circuit, translated) < 1e-9);
  }
  for (const char* root : {"t", "tdg"}) {
    const GateSet set = parse_gate_set(
        R"({"format": "quartz-gate-set", "version": 1, "name": "own", "gates": [{"gate": "h"}, {"gate": "cx"}, {"gate": ")" +
            std::string(root) + R"("}]})",
        "own.json");
    for (const GateKind kind :
         {GateKind::t, GateKind::tdg, GateKind::s, GateKind::z, GateKind::ccx}) {
      INFO(root << " for " << gate(kind).name);
      const Circuit circuit = single(kind);
      const Circuit translated = translate(circuit, set);
      CHECK(is_within(set, translated));
      CHECK(distance(circuit, translated) < 1e-9);
    }
  }
}

TEST_CASE("Translation takes the cheapest decomposition") {
  struct Case {
    const char* set;
    Circuit circuit;
    std::uint64_t two_qubit;
    std::uint64_t total;
  };
  const Angle a = Angle::symbol("a");
  const Angle b = Angle::symbol("b");
  const Angle c = Angle::symbol("c");
  const std::vector<Case> cases = {
      {"nam", single(GateKind::t), 0, 1},
      {"nam", single(GateKind::u3, {a, b, c}), 0, 5},
      {"nam", single(GateKind::u3, {Angle(), a, b}), 0, 1},
      {"nam", single(GateKind::u3, {pi(1, 2), a, b}), 0, 3},
      {"nam", single(GateKind::u3, {pi(1), a, b}), 0, 2},
      {"nam", single(GateKind::cz), 1, 3},
      {"nam", single(GateKind::cp, {pi(1)}), 1, 3},
      {"nam", single(GateKind::crx, {pi(1)}), 1, 2},
      {"nam", single(GateKind::rzz, {a}), 2, 3},
      {"nam", single(GateKind::rzz, {pi(1, 2)}), 1, 5},
      {"nam", single(GateKind::rzz, {pi(1)}), 0, 2},
      {"nam", single(GateKind::cry, {a}), 2, 8},
      {"nam", single(GateKind::swap), 3, 3},
      {"nam", single(GateKind::ccx), 6, 15},
      {"nam", single(GateKind::cp, {Angle()}), 0, 0},
      {"nam", single(GateKind::id), 0, 0},
      {"clifford_t", single(GateKind::csdg), 2, 5},
      {"clifford_t", single(GateKind::cu1, {pi(-1, 2)}), 2, 5},
      {"ibm", single(GateKind::rx, {pi(1, 2)}), 0, 1},
      {"ibm", single(GateKind::u3, {a, b, c}), 0, 5},
      {"ibm", single(GateKind::u2, {a, b}), 0, 3},
      {"ibm", single(GateKind::h), 0, 3},
      {"ibm_heron", single(GateKind::cp, {pi(1)}), 1, 1},
      {"ibm_heron", single(GateKind::cx), 1, 7},
      {"rigetti", single(GateKind::ry, {a}), 0, 3},
      {"rigetti", single(GateKind::rx, {a}), 0, 5},
      {"rigetti", single(GateKind::u3, {a, b, c}), 0, 5},
      {"rigetti", single(GateKind::sx), 0, 1},
      {"ibm_u", single(GateKind::h), 0, 1},
      {"ibm_u", single(GateKind::y), 0, 1},
      {"ibm_u", single(GateKind::rx, {a}), 0, 1},
  };
  for (const Case& wanted : cases) {
    const Circuit translated = translate(wanted.circuit, load_gate_set(wanted.set));
    INFO(wanted.set << ": " << text_of(wanted.circuit) << " -> " << text_of(translated));
    CHECK(count_gates(translated).two_qubit == wanted.two_qubit);
    CHECK(count_gates(translated).total == wanted.total);
  }
}

TEST_CASE("A generic single-qubit gate takes at most two X rotations in the set rigetti") {
  const GateSet set = load_gate_set("rigetti");
  for (const Gate& row : gate_table()) {
    if (row.qubits != 1) continue;
    std::vector<Angle> angles;
    for (const std::string_view name : row.parameters) {
      angles.push_back(Angle::symbol(std::string(name)));
    }
    const Circuit translated = translate(single(row.kind, angles), set);
    INFO(text_of(translated));
    CHECK(std::count_if(
              translated.operations.begin(), translated.operations.end(),
              [](const Operation& operation) { return operation.gate == GateKind::rx; }) <= 2);
  }
}

TEST_CASE("Gates that the set contains are kept") {
  const Circuit circuit = make_circuit(
      2, {make_operation(GateKind::rz, {0}, {pi(17, 2)}),
          make_operation(GateKind::rz, {1}, {Angle()}), make_operation(GateKind::cx, {1, 0})});
  CHECK(translate(circuit, load_gate_set("nam")) == circuit);
}

TEST_CASE("A constant a whole turn away is written as in the set, and changes the global phase") {
  const GateSet set = load_gate_set("rigetti");
  const Circuit translated = translate(single(GateKind::rx, {pi(3, 2)}), set);
  CHECK(text_of(translated) == "rx(-pi/2) 0");
  CHECK(translated.global_phase == pi(1));
  CHECK(translate(single(GateKind::rx, {pi(9, 2)}), set).global_phase.is_zero());
}

TEST_CASE("Optimization boundaries are kept in their places") {
  Operation barrier;
  barrier.kind = OperationKind::barrier;
  barrier.qubits = {0, 1};
  Operation opaque;
  opaque.kind = OperationKind::opaque;
  opaque.qubits = {1};
  opaque.angles = {Angle::symbol("a")};
  ClassicalPart part;
  part.opaque_name = "mystery";
  opaque.classical = std::make_shared<const ClassicalPart>(std::move(part));
  Circuit circuit = make_circuit(
      2, {make_operation(GateKind::s, {0}), barrier, opaque, make_operation(GateKind::z, {1})});
  circuit.parameters = {{"a"}};
  circuit.header_comments = {"kept"};
  const Circuit translated = translate(circuit, load_gate_set("nam"));
  REQUIRE(translated.operations.size() == 4);
  CHECK(translated.operations[0].gate == GateKind::rz);
  CHECK(translated.operations[1] == barrier);
  CHECK(translated.operations[2] == opaque);
  CHECK(translated.operations[3].gate == GateKind::rz);
  CHECK(translated.parameters == circuit.parameters);
  CHECK(translated.header_comments == circuit.header_comments);
  CHECK(translated.qubit_registers == circuit.qubit_registers);
}

TEST_CASE("A conditional gate becomes gates under its condition, without a phase") {
  Circuit circuit = make_circuit(1, {conditional(make_operation(GateKind::y, {0}), 1),
                                     conditional(make_operation(GateKind::id, {0}), 1),
                                     conditional(make_operation(GateKind::h, {0}), 0)});
  circuit.bit_registers.push_back({"c", 0, 1});
  const Circuit translated = translate(circuit, load_gate_set("nam"));
  CHECK(text_of(translated) == "rz(pi) 0; x 0; h 0");
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(translated.operations[i].classical != nullptr);
    CHECK(translated.operations[i].conditions()[0].value == 1);
  }
  CHECK(translated.operations[2] == circuit.operations[2]);
  CHECK(translated.global_phase.is_zero());
}

TEST_CASE("A circuit of many long decimals translates exactly") {
  // The angles have 17 digits, like printed doubles: the sum of the phases exceeds 64 bits.
  const std::uint64_t seed = 99;
  INFO("seed " << seed);
  Random random(seed);
  std::vector<Operation> operations;
  for (int i = 0; i < 2000; ++i) {
    std::string digits = std::to_string(random() % 7) + ".";
    for (int d = 0; d < 16; ++d) digits.push_back(static_cast<char>('0' + random() % 10));
    operations.push_back(make_operation(GateKind::u1, {0}, {Angle::decimal(digits)}));
  }
  const Circuit circuit = make_circuit(1, std::move(operations));
  const Circuit translated = translate(circuit, load_gate_set("nam"));
  CHECK(translated.operations.size() == 2000);
  CHECK(distance(circuit, translated) < 1e-9);
}

TEST_CASE("A global phase that does not fit exact arithmetic is an error of the circuit") {
  const Circuit circuit = make_circuit(
      1, {make_operation(GateKind::p, {0}, {Angle::radians(Rational(1, 4'294'967'311))}),
          make_operation(GateKind::p, {0}, {Angle::decimal("0.47616570090240923")})});
  CHECK_THROWS_MATCHES(
      translate(circuit, load_gate_set("nam")), UntranslatableGate,
      Catch::Message(
          "p(0.47616570090240923): its global phase cannot be added to those of other "
          "gates: an exact sum of radians needs more than 64 bits and is not a decimal"));
}

TEST_CASE("Circuits are translated into sets that are not bundled") {
  const auto set_of = [](const std::string& gates) {
    return parse_gate_set(R"({"format": "quartz-gate-set", "version": 1, "name": "t", "gates": )" +
                              gates + R"(, "alphabet": {"parameters": 1, "expressions": ["p0"]}})",
                          "t.json");
  };
  const std::uint64_t seed = 55;
  INFO("seed " << seed);
  Random random(seed);
  for (const char* gates :
       {R"([{"gate": "rz"}, {"gate": "r"}, {"gate": "rxx", "angles": [["pi/2"]]}])",
        R"([{"gate": "u"}, {"gate": "cz"}])", R"([{"gate": "u3"}, {"gate": "ecr"}])",
        R"([{"gate": "rx"}, {"gate": "ry"}, {"gate": "cp"}])",
        R"([{"gate": "rz"}, {"gate": "sx"}, {"gate": "rzz"}])",
        R"([{"gate": "ry"}, {"gate": "p"}, {"gate": "crz", "angles": [["pi"]]}])",
        R"([{"gate": "h"}, {"gate": "p"}, {"gate": "cx"}, {"gate": "ccz"}])"}) {
    const GateSet set = set_of(gates);
    for (int round = 0; round < 10; ++round) {
      const Circuit circuit = random_circuit(3, 8, random, any_angle);
      INFO(gates << ": " << text_of(circuit));
      const Circuit translated = translate(circuit, set);
      CHECK(is_within(set, translated));
      CHECK(distance(circuit, translated) < 1e-9);
    }
  }
}

TEST_CASE("A translation does not depend on what was translated before") {
  using enum GateKind;
  const Circuit swaps = make_circuit(2, {make_operation(swap, {0, 1}), make_operation(h, {0})});
  const Circuit others = make_circuit(
      3, {make_operation(ccx, {0, 1, 2}), make_operation(h, {0}), make_operation(swap, {1, 2})});
  const GateSet nam = load_gate_set("nam");
  const Circuit first = translate(swaps, nam);
  static_cast<void>(translate(others, nam));
  CHECK(translate(swaps, nam) == first);

  // A set with the same name and digest, but other gates.
  GateSet changed = nam;
  std::erase_if(changed.entries, [](const GateSetEntry& entry) { return entry.gate == h; });
  changed.entries.push_back({sx});
  const Circuit within = translate(swaps, changed);
  CHECK(is_within(changed, within));
  CHECK(distance(swaps, within) < 1e-9);
  CHECK(within != first);
  CHECK(translate(swaps, nam) == first);
}

TEST_CASE("Circuits are translated on several threads at once") {
  const GateSet set = load_gate_set("ibm_eagle");
  Random random(77);
  std::vector<Circuit> circuits;
  for (int i = 0; i < 16; ++i) circuits.push_back(random_circuit(3, 8, random, any_angle));
  std::vector<Circuit> expected;
  for (const Circuit& circuit : circuits) expected.push_back(translate(circuit, set));
  std::vector<Circuit> translated(circuits.size());
  on_threads(circuits.size(), [&](std::size_t i) { translated[i] = translate(circuits[i], set); });
  CHECK(translated == expected);
}

TEST_CASE("A translated circuit is written in the units of its gate set") {
  using enum GateKind;
  const Circuit circuit = make_circuit(2, {make_operation(h, {0}), make_operation(cx, {0, 1})});
  const Circuit ionq = translate(circuit, load_gate_set("ionq_aria"));
  CHECK(ionq.gates_in_turns == std::vector{gpi, gpi2, ms});
  CHECK(translate(ionq, load_gate_set("nam")).gates_in_turns.empty());
}

TEST_CASE("Translation stops when a stop is requested") {
  std::stop_source source;
  source.request_stop();
  const Circuit circuit = make_circuit(1, {make_operation(GateKind::h, {0})});
  CHECK_THROWS_AS(translate(circuit, load_gate_set("nam"), source.get_token()), Stopped);
}
