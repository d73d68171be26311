#include <catch2/catch.hpp>

#include "optimize/backtracking/slices.hpp"
#include "optimize/state/segments.hpp"
#include "random_circuits.hpp"
#include "rewrite/packed_circuit.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

TEST_CASE("slices joined give the circuit", "[slices]") {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    const Circuit circuit = random_circuit(random, kinds_up_to(3), 5, 40);
    const std::size_t size = 1 + below(random, 20);
    std::vector<Operation> joined;
    for (const Slice& slice : split_into_slices(circuit.operations, 5, size, random)) {
      CHECK(slice.gates.size() <= size);
      append_slice(slice, slice.gates, joined);
    }
    INFO("seed 5, round " << round);
    CHECK(joined.size() == circuit.operations.size());
    CHECK(unitary_distance(circuit, make_circuit(5, joined)) < 1e-9);
  }
}

TEST_CASE("a slice has at most as many qubits as a search can pack", "[slices]") {
  Random random(6);
  std::vector<Operation> wide;
  for (Qubit q = 0; q < 200; ++q) wide.push_back(make_operation(GateKind::h, {q}));
  std::size_t total = 0;
  for (const Slice& slice : split_into_slices(wide, 200, 1000, random)) {
    CHECK(slice.qubits.size() <= kPackedQubits);
    total += slice.gates.size();
  }
  CHECK(total == 200);
}

TEST_CASE("gates on more than three qubits form slices that no search accepts", "[slices]") {
  Random random(7);
  const std::vector<Operation> gates{make_operation(GateKind::h, {0}),
                                     make_operation(GateKind::c3x, {0, 1, 2, 3}),
                                     make_operation(GateKind::h, {0})};
  const std::vector<Slice> slices = split_into_slices(gates, 4, 10, random);
  REQUIRE(slices.size() == 3);
  CHECK(slices[0].searchable);
  CHECK_FALSE(slices[1].searchable);
  CHECK(slices[2].searchable);
}

TEST_CASE("optimization boundaries divide a circuit into segments and are never crossed",
          "[segments]") {
  const std::vector<Operation> operations{
      make_operation(GateKind::h, {0}), measure(0, 0), make_operation(GateKind::h, {0}),
      make_operation(GateKind::x, {1}), reset(0),      make_operation(GateKind::h, {0})};
  const std::vector<Segment> segments = split_into_segments(operations, 2);
  REQUIRE(segments.size() == 3);
  // No boundary holds back x on qubit 1: it may be in the first segment.
  CHECK(segments[0].gates ==
        std::vector{make_operation(GateKind::h, {0}), make_operation(GateKind::x, {1})});
  CHECK(segments[1].gates == std::vector{make_operation(GateKind::h, {0})});
  CHECK(segments[2].gates == std::vector{make_operation(GateKind::h, {0})});
  CHECK(*segments[0].boundary == operations[1]);
  CHECK(*segments[1].boundary == operations[4]);
  CHECK_FALSE(segments[2].boundary.has_value());
}

TEST_CASE("gates under one condition form a separate segment", "[segments]") {
  using enum GateKind;
  const std::vector<Operation> operations{
      make_operation(h, {0}),      conditional(make_operation(x, {0}), 0, 1),
      make_operation(h, {1}),      conditional(make_operation(z, {0}), 0, 1),
      make_operation(h, {0}),      conditional(make_operation(s, {2}), 0, 0),
      conditional(reset(1), 0, 0), make_operation(t, {2}),
  };
  const std::vector<Segment> segments = split_into_segments(operations, 3);
  REQUIRE(segments.size() == 5);
  CHECK(segments[0].gates == std::vector{make_operation(h, {0}), make_operation(h, {1})});
  CHECK(segments[1].gates == std::vector{make_operation(x, {0}), make_operation(z, {0})});
  CHECK(*segments[1].condition == *operations[1].classical);
  CHECK(segments[2].gates == std::vector{make_operation(h, {0})});
  CHECK(segments[2].condition == nullptr);
  CHECK(segments[3].gates == std::vector{make_operation(s, {2})});
  CHECK(*segments[3].boundary == operations[6]);
  // No other gate joins a conditional segment.
  CHECK(segments[4].gates == std::vector{make_operation(t, {2})});
  std::vector<Operation> joined;
  for (const Segment& segment : segments) append_segment(segment, joined);
  CHECK(joined == std::vector{operations[0], operations[2], operations[1], operations[3],
                              operations[4], operations[5], operations[6], operations[7]});
  std::vector<Operation> moved;
  for (const Segment& segment : segments) append_segment(Segment(segment), moved);
  CHECK(moved == joined);
}

TEST_CASE("boundaries on few qubits are black boxes of joined segments", "[segments]") {
  using enum GateKind;
  const Operation wide = barrier({0, 1, 2, 3});
  const std::vector<Operation> operations{
      make_operation(h, {0}), measure(0, 1), conditional(make_operation(x, {1}), 0, 1),
      make_operation(h, {1}), reset(0),      barrier({1, 2}),
      make_operation(t, {3}), wide,          conditional(make_operation(ccx, {0, 1, 2}), 0, 1),
      make_operation(h, {0}),
  };
  const std::vector<Segment> segments = split_into_segments(operations, 4, Segments::joined);
  REQUIRE(segments.size() == 4);
  const auto wires_of_boxes = [](const Segment& segment) {
    std::vector<std::vector<Qubit>> wires;
    for (const Operation& each : segment.gates) {
      if (is_black_box(each)) wires.emplace_back(each.qubits.begin(), each.qubits.end());
    }
    return wires;
  };
  // Those on classical bits have the wire behind the qubits.
  CHECK(wires_of_boxes(segments[0]) ==
        std::vector<std::vector<Qubit>>{{0, 4}, {1, 4}, {0}, {1, 2}});
  CHECK(is_measurement_box(*segments[0].gates[1].classical));
  CHECK_FALSE(is_measurement_box(*segments[0].gates[2].classical));
  CHECK(segments[0].gates.size() == 7);
  CHECK(*segments[0].boundary == wide);
  CHECK(segments[1].gates.empty());
  // A gate on three qubits and classical bits is no black box.
  CHECK(segments[2].gates == std::vector{make_operation(ccx, {0, 1, 2})});
  CHECK(segments[2].condition != nullptr);
  CHECK(segments[3].gates == std::vector{make_operation(h, {0})});
  std::vector<Operation> joined;
  for (const Segment& segment : segments) append_segment(segment, joined);
  CHECK(joined == operations);
  std::vector<Operation> moved;
  for (const Segment& segment : segments) append_segment(Segment(segment), moved);
  CHECK(moved == operations);
}

TEST_CASE("many gates under one condition are a segment also if segments are joined",
          "[segments]") {
  using enum GateKind;
  std::vector<Operation> operations;
  for (const GateKind kind : {x, z, h}) {
    operations.push_back(conditional(make_operation(kind, {0}), 0, 1));
  }
  CHECK(split_into_segments(operations, 1, Segments::joined).size() == 1);
  operations.push_back(conditional(make_operation(s, {0}), 0, 1));
  const std::vector<Segment> segments = split_into_segments(operations, 1, Segments::joined);
  REQUIRE(segments.size() == 2);
  CHECK(segments[1].gates.size() == 4);
}

TEST_CASE("an interruption leaves no slices of a wide circuit", "[slices]") {
  Random random(7);
  std::vector<Operation> wide;
  for (Qubit q = 0; q < 2000; ++q) wide.push_back(make_operation(GateKind::h, {q}));
  CHECK(split_into_slices(wide, 2000, 48, random, Budget::of_ticks(0)).empty());
  CHECK_FALSE(split_into_slices(wide, 2000, 48, random, Budget::of_ticks(1)).empty());
}
