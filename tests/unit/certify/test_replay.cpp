#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "operation_journal.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/gate.hpp"
#include "random_circuits.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
using journal::OperationNumber;
using enum GateKind;

namespace {

/// A circuit as a plain list of operations with their numbers, which records its rewrites.
class RecordedCircuit {
 public:
  explicit RecordedCircuit(const Circuit& circuit)
      : writer_(bytes_, circuit.operations.size()), circuit_(circuit) {
    for (std::size_t i = 0; i < circuit.operations.size(); ++i) numbers_.push_back(i);
  }

  [[nodiscard]] const std::vector<Operation>& operations() const { return circuit_.operations; }
  [[nodiscard]] OperationJournal& writer() { return writer_; }

  /// Replaces `count` neighbouring operations in the list, and adds a phase: the removed gates
  /// equal e^{i phase} times the inserted ones.
  void rewrite(std::size_t place, std::size_t count, const std::vector<Operation>& inserted,
               const Angle& phase = {}) {
    std::vector<OperationNumber> numbers(numbers_.begin() + place,
                                         numbers_.begin() + place + count);
    const std::vector<Operation> removed(circuit_.operations.begin() + place,
                                         circuit_.operations.begin() + place + count);
    std::vector<OperationJournal::Place> gaps;
    for (const Operation& gate : inserted) {
      for (const Qubit qubit : gate.qubits) {
        if (acts_on(removed, qubit) ||
            std::ranges::count(gaps, qubit, &OperationJournal::Place::wire)) {
          continue;
        }
        gaps.push_back({qubit, number_before(place, qubit)});
      }
    }
    const OperationNumber first = writer_.next_number();
    writer_.rewrite(numbers, removed, gaps, inserted);
    const auto erase = [&](auto& list) {
      list.erase(list.begin() + place, list.begin() + place + count);
    };
    erase(circuit_.operations);
    erase(numbers_);
    for (std::size_t i = 0; i < inserted.size(); ++i) {
      circuit_.operations.insert(circuit_.operations.begin() + place + i, inserted[i]);
      numbers_.insert(numbers_.begin() + place + i, first + i);
    }
    circuit_.global_phase += phase;
  }

  /// Moves an operation before the preceding one, which shares no wire with it.
  void swap_with_preceding(std::size_t place) {
    std::swap(circuit_.operations[place - 1], circuit_.operations[place]);
    std::swap(numbers_[place - 1], numbers_[place]);
  }

  void renumber() {
    writer_.renumber();
    std::vector<OperationNumber> sorted = numbers_;
    std::ranges::sort(sorted);
    for (OperationNumber& number : numbers_) {
      number = std::ranges::lower_bound(sorted, number) - sorted.begin();
    }
  }

  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] std::string finish() {
    writer_.finish();
    return bytes_.str();
  }

 private:
  static bool acts_on(const std::vector<Operation>& operations, Qubit qubit) {
    return std::ranges::any_of(operations, [&](const Operation& operation) {
      return std::ranges::count(operation.qubits, qubit) != 0;
    });
  }
  [[nodiscard]] OperationNumber number_before(std::size_t place, Qubit qubit) const {
    for (std::size_t i = place; i-- > 0;) {
      if (std::ranges::count(circuit_.operations[i].qubits, qubit) != 0) return numbers_[i] + 1;
    }
    return 0;
  }

  std::ostringstream bytes_;
  OperationJournal writer_;
  Circuit circuit_;
  std::vector<OperationNumber> numbers_;
};

ReplayReport replay_file(const Circuit& input, const Circuit& output, const std::string& journal) {
  const TemporaryFolder folder;
  const auto path = folder / "rewrites.qj";
  std::ofstream(path, std::ios::binary) << journal;
  return replay_journal(input, output, path);
}

bool share_wire(const Operation& a, const Operation& b) {
  return std::ranges::any_of(a.qubits,
                             [&](Qubit qubit) { return std::ranges::count(b.qubits, qubit) != 0; });
}

/// Makes a random rewrite that preserves the circuit.
void rewrite_at_random(RecordedCircuit& recorded, Random& random,
                       const std::vector<GateKind>& kinds) {
  const std::vector<Operation>& operations = recorded.operations();
  const std::size_t place = below(random, operations.size());
  switch (below(random, 4)) {
    case 0: {  // insert a gate and its inverse
      const Operation added = random_gate(random, kinds, recorded.circuit().qubit_count(), 4);
      const Decomposition inverse = inverse_of(added);
      std::vector<Operation> pair{added};
      pair.insert(pair.end(), inverse.operations.begin(), inverse.operations.end());
      recorded.rewrite(place, 0, pair, -inverse.phase);
      return;
    }
    case 1:  // decompose a gate
      for (const Decomposition& pattern : gate(operations[place].gate).decompositions) {
        if (!pattern.when.empty()) continue;
        const Decomposition filled = instantiate(pattern, operations[place]);
        recorded.rewrite(place, 1, filled.operations, filled.phase);
        return;
      }
      return;
    case 2:  // exchange neighbours on different qubits
      if (place > 0 && !share_wire(operations[place - 1], operations[place])) {
        recorded.swap_with_preceding(place);
      }
      return;
    default: {  // move a part of the circuit to the right of a gate and its inverse, as one window
      const std::size_t count = std::min<std::size_t>(3, operations.size() - place);
      const std::vector<Operation> window(operations.begin() + place,
                                          operations.begin() + place + count);
      std::vector<Operation> longer = window;
      longer.push_back(make_operation(h, {window.back().qubits[0]}));
      longer.push_back(make_operation(h, {window.back().qubits[0]}));
      recorded.rewrite(place, count, longer);
      return;
    }
  }
}

Circuit toffoli_pair() {
  return make_circuit(4, {make_operation(ccx, {0, 1, 2}), make_operation(cx, {2, 3}),
                          make_operation(ccx, {0, 1, 2})});
}

}  // namespace

TEST_CASE("The replay certifies random sequences of rewrites", "[replay]") {
  const std::vector<GateKind> kinds{h, x, s, t, cx, cz, rz, swap, ccx};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Circuit input = random_circuit(random, kinds, 5, 30);
    RecordedCircuit recorded(input);
    for (int i = 0; i < 60; ++i) {
      rewrite_at_random(recorded, random, kinds);
      if (i % 17 == 16) recorded.renumber();
    }
    const std::uint64_t steps = recorded.writer().rewrites();
    const ReplayReport report = replay_file(input, recorded.circuit(), recorded.finish());
    CHECK(report.fault.empty());
    REQUIRE(report.is_certified);
    CHECK(report.steps == steps);
    CHECK(report.phase.is_zero());
    CHECK(report.distance == 0);
    // The generator itself is checked by another method.
    CHECK(check_equivalence(input, recorded.circuit()).verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("The replay reports the global phase", "[replay]") {
  const Circuit input = make_circuit(1, {make_operation(z, {0}), make_operation(x, {0})});
  RecordedCircuit recorded(input);
  recorded.rewrite(0, 2, {make_operation(y, {0})});
  const std::string journal = recorded.finish();
  // x z = -i y: without a global phase of the output, the output is i times the input.
  const ReplayReport report = replay_file(input, recorded.circuit(), journal);
  REQUIRE(report.is_certified);
  const EquivalenceReport direct = check_equivalence(input, recorded.circuit());
  REQUIRE(direct.phase.has_value());
  CHECK(report.phase.value() == Approx(*direct.phase));
}

TEST_CASE("The replay proves rewrites with free parameters", "[replay]") {
  Operation first = make_operation(rz, {0}, {Angle::symbol("a")});
  Operation second = make_operation(rz, {0}, {Angle::symbol("b")});
  const Circuit input = make_circuit(2, {first, make_operation(cx, {0, 1}), second});
  RecordedCircuit recorded(input);
  recorded.rewrite(1, 2, {second, make_operation(cx, {0, 1})});
  recorded.rewrite(0, 2, {make_operation(rz, {0}, {Angle::symbol("a") + Angle::symbol("b")})});
  const ReplayReport report = replay_file(input, recorded.circuit(), recorded.finish());
  CHECK(report.fault.empty());
  CHECK(report.is_certified);
  CHECK(report.distance == 0);
}

TEST_CASE("The replay proves CNOT+Rz blocks on many wires", "[replay]") {
  // The parity of eight qubits is rotated, once by each of two CNOT trees.
  const auto block = [](bool is_chain, const Angle& angle) {
    std::vector<Operation> cnots;
    if (is_chain) {
      for (Qubit q = 0; q < 7; ++q) cnots.push_back(make_operation(cx, {q, q + 1}));
    } else {
      for (Qubit q = 0; q < 7; ++q) cnots.push_back(make_operation(cx, {q, 7}));
    }
    std::vector<Operation> gates = cnots;
    gates.push_back(make_operation(rz, {7}, {angle}));
    gates.insert(gates.end(), cnots.rbegin(), cnots.rend());
    return gates;
  };
  const Angle angle = Angle::symbol("theta");
  const Circuit input = make_circuit(8, block(true, angle));
  SECTION("with a free parameter") {
    RecordedCircuit recorded(input);
    recorded.rewrite(0, 15, block(false, angle));
    const ReplayReport report = replay_file(input, recorded.circuit(), recorded.finish());
    CHECK(report.fault.empty());
    REQUIRE(report.is_certified);
    CHECK(report.phase.is_zero());
  }
  SECTION("with its phase") {
    std::vector<Operation> other = block(false, angle);
    other[7] = make_operation(p, {7}, {angle});  // p(theta) = e^{i theta/2} rz(theta)
    RecordedCircuit recorded(input);
    recorded.rewrite(0, 15, other);
    const ReplayReport report = replay_file(input, recorded.circuit(), recorded.finish());
    REQUIRE(report.is_certified);
    CHECK(report.phase == angle * Rational(1, 2));
  }
  SECTION("but not with another angle") {
    RecordedCircuit recorded(input);
    recorded.rewrite(0, 15, block(false, -angle));
    CHECK_FALSE(replay_file(input, recorded.circuit(), recorded.finish()).is_certified);
  }
  SECTION("but not with another parity") {
    std::vector<Operation> other = block(false, angle);
    other.erase(other.begin());
    other.pop_back();
    RecordedCircuit recorded(input);
    recorded.rewrite(0, 15, other);
    CHECK_FALSE(replay_file(input, recorded.circuit(), recorded.finish()).is_certified);
  }
}

TEST_CASE("The replay bounds rewrites that are equal only numerically", "[replay]") {
  const Circuit input = make_circuit(1, {make_operation(rx, {0}, {Angle::decimal("0.3")}),
                                         make_operation(rz, {0}, {Angle::decimal("0.4")})});
  RecordedCircuit recorded(input);
  recorded.rewrite(0, 2,
                   {make_operation(rz, {0}, {Angle::decimal("0.4000000000001")}),
                    make_operation(h, {0}), make_operation(h, {0})});
  CHECK_FALSE(replay_file(input, recorded.circuit(), recorded.finish()).is_certified);

  RecordedCircuit near(input);
  near.rewrite(1, 1, {make_operation(rz, {0}, {Angle::decimal("0.4000000000001")})});
  const ReplayReport report = replay_file(input, near.circuit(), near.finish());
  CHECK(report.fault.empty());
  REQUIRE(report.is_certified);
  CHECK(report.distance > 1e-14);
  CHECK(report.distance < 1e-11);
}

TEST_CASE("The distances of all steps of a replay add up to what rounding explains", "[replay]") {
  const auto report_for = [](std::size_t steps) {
    const Operation before = make_operation(rz, {0}, {Angle::decimal("0.4")});
    const Operation after = make_operation(rz, {0}, {Angle::decimal("0.40000000004")});
    const Circuit input = make_circuit(1, std::vector<Operation>(steps, before));
    RecordedCircuit recorded(input);
    for (std::size_t i = 0; i < steps; ++i) recorded.rewrite(i, 1, {after});
    return replay_file(input, recorded.circuit(), recorded.finish());
  };
  CHECK(report_for(2).is_certified);
  const ReplayReport report = report_for(100);
  CHECK_FALSE(report.is_certified);
  CHECK(report.steps == 100);
  CHECK(report.distance > 1e-9);
  CHECK_THAT(report.fault, Catch::StartsWith("the distances of all steps add up to"));
}

TEST_CASE("The replay finds the first wrong step", "[replay]") {
  const Circuit input = toffoli_pair();
  RecordedCircuit recorded(input);
  recorded.rewrite(0, 0, {make_operation(h, {3}), make_operation(h, {3})});
  recorded.rewrite(0, 1, {make_operation(s, {3})});
  const ReplayReport report = replay_file(input, recorded.circuit(), recorded.finish());
  CHECK_FALSE(report.is_certified);
  CHECK(report.steps == 1);
  CHECK_THAT(report.fault, Catch::StartsWith("step 2: the two sides are not proved equal"));
}

TEST_CASE("The replay refuses windows that a path leaves and enters again", "[replay]") {
  // Both Toffoli gates without the CNOT between them are consecutive on qubits 0 and 1 only.
  const Circuit input = toffoli_pair();
  std::ostringstream bytes;
  OperationJournal writer(bytes, input.operations.size());
  SECTION("on a wire of the window") {
    writer.rewrite(std::vector<OperationNumber>{0, 2},
                   std::vector{input.operations[0], input.operations[2]}, {}, {});
    writer.finish();
    const Circuit output = make_circuit(4, {input.operations[1]});
    const ReplayReport report = replay_file(input, output, bytes.str());
    CHECK_FALSE(report.is_certified);
    CHECK(report.fault == "step 1: operation 2: the gate is not the next one on its wires");
  }
  SECTION("on other wires") {
    const Circuit path = make_circuit(4, {make_operation(cx, {0, 1}), make_operation(cx, {1, 2}),
                                          make_operation(cx, {2, 3}), make_operation(cx, {0, 3})});
    std::ostringstream other;
    OperationJournal bad(other, 4);
    // Gates 0 and 3 are consecutive on qubit 0, but gates 1 and 2 are between them.
    bad.rewrite(std::vector<OperationNumber>{0, 3},
                std::vector{path.operations[0], path.operations[3]}, {},
                std::vector{path.operations[3], path.operations[0]});
    bad.finish();
    const ReplayReport report = replay_file(path, path, other.str());
    CHECK_FALSE(report.is_certified);
    CHECK(report.fault == "step 1: a path leaves the window and returns");
  }
}

TEST_CASE("The replay finds windows whose gates are far apart in the program", "[replay]") {
  // The two gates on qubits 0 and 1 are neighbours, with many independent operations between them.
  std::vector<Operation> operations{make_operation(cx, {0, 1})};
  for (int i = 0; i < 100; ++i) operations.push_back(make_operation(cx, {2, 3}));
  operations.push_back(make_operation(cx, {1, 2}));
  operations.push_back(make_operation(h, {0}));
  operations.push_back(make_operation(h, {0}));
  const Circuit input = make_circuit(4, operations);
  std::ostringstream bytes;
  OperationJournal writer(bytes, operations.size());
  writer.rewrite(std::vector<OperationNumber>{102, 103},
                 std::vector{operations[102], operations[103]}, {}, {});
  // cx and an inverse pair on qubit 0, although gate 101 depends on gate 0 and comes before the
  // gap.
  writer.rewrite(
      std::vector<OperationNumber>{0}, std::vector{operations[0]}, {},
      std::vector{make_operation(cx, {0, 1}), make_operation(x, {0}), make_operation(x, {0})});
  writer.finish();
  Circuit output = input;
  output.operations.resize(102);
  output.operations.push_back(make_operation(x, {0}));
  output.operations.push_back(make_operation(x, {0}));
  const ReplayReport report = replay_file(input, output, bytes.str());
  CHECK(report.fault.empty());
  CHECK(report.is_certified);
}

TEST_CASE("The replay compares the last circuit with the output", "[replay]") {
  const Circuit input = toffoli_pair();
  RecordedCircuit recorded(input);
  const std::string journal = recorded.finish();
  CHECK(replay_file(input, input, journal).is_certified);
  Circuit other = input;
  SECTION("another gate") { other.operations[1] = make_operation(cz, {2, 3}); }
  SECTION("other operands") { other.operations[1] = make_operation(cx, {3, 2}); }
  SECTION("another order") { std::swap(other.operations[0], other.operations[1]); }
  SECTION("a gate less") { other.operations.pop_back(); }
  SECTION("a gate more") { other.operations.push_back(make_operation(x, {0})); }
  SECTION("more qubits") { other.qubit_registers[0].size = 5; }
  const ReplayReport report = replay_file(input, other, journal);
  CHECK_FALSE(report.is_certified);
  CHECK_FALSE(report.fault.empty());
}

TEST_CASE("Operations that are not gates keep their places in a replay", "[replay]") {
  const Circuit input = classical_circuit(
      2, {1}, {make_operation(x, {0}), measure(0, 0), make_operation(x, {0}), reset(1)});
  RecordedCircuit recorded(input);
  recorded.rewrite(0, 1, {make_operation(h, {0}), make_operation(z, {0}), make_operation(h, {0})});
  CHECK(replay_file(input, recorded.circuit(), recorded.finish()).is_certified);
  SECTION("a measurement is not rewritten") {
    RecordedCircuit wrong(input);
    wrong.rewrite(1, 1, {});
    CHECK(replay_file(input, wrong.circuit(), wrong.finish()).fault ==
          "step 1: operation 1: only gates may be rewritten");
  }
  SECTION("gates on both sides of a measurement are no window") {
    std::ostringstream bytes;
    OperationJournal writer(bytes, 4);
    writer.rewrite(std::vector<OperationNumber>{0, 2},
                   std::vector{input.operations[0], input.operations[2]}, {}, {});
    writer.finish();
    CHECK(replay_file(input, classical_circuit(2, {1}, {measure(0, 0), reset(1)}), bytes.str())
              .fault == "step 1: operation 2: the gate is not the next one on its wires");
  }
}

TEST_CASE("Damaged journals are refused", "[replay]") {
  const std::vector<GateKind> kinds{h, x, s, t, cx, rz};
  Random random(1);
  const Circuit input = random_circuit(random, kinds, 4, 20);
  RecordedCircuit recorded(input);
  for (int i = 0; i < 40; ++i) rewrite_at_random(recorded, random, kinds);
  const std::string journal = recorded.finish();
  REQUIRE(replay_file(input, recorded.circuit(), journal).is_certified);
  SECTION("truncated at any byte") {
    for (std::size_t size = 0; size < journal.size(); ++size) {
      CHECK_THROWS_AS(replay_file(input, recorded.circuit(), journal.substr(0, size)), InputError);
    }
  }
  SECTION("with a bit flipped, unless it has no meaning for the decompression") {
    std::size_t refused = 0;
    for (std::size_t i = 0; i < journal.size(); ++i) {
      std::string damaged = journal;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << random() % 8));
      try {
        const ReplayReport report = replay_file(input, recorded.circuit(), damaged);
        CHECK(report.is_certified);
      } catch (const InputError&) {
        ++refused;
      }
    }
    CHECK(refused > journal.size() * 9 / 10);
  }
  SECTION("with bytes after the end") {
    CHECK_THROWS_AS(replay_file(input, recorded.circuit(), journal + '\0'), InputError);
  }
}
