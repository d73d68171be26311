#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "base/random.hpp"
#include "circuit/history.hpp"
#include "optimize/derived_search.hpp"
#include "optimize/windows/edited_gates.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using enum GateKind;

namespace {

std::map<Qubit, std::vector<Operation>> gates_by_qubit(const std::vector<Operation>& gates) {
  std::map<Qubit, std::vector<Operation>> result;
  for (const Operation& gate : gates) {
    for (const Qubit qubit : gate.qubits) result[qubit].push_back(gate);
  }
  return result;
}

/// Returns the number of indices of gates that a history stores.
std::size_t indices_of(const circuit::History* history) {
  if (history == nullptr) return 0;
  if (const auto* rewrites = std::get_if<circuit::History::Rewrites>(&history->content)) {
    return rewrites->order.size();
  }
  std::size_t indices = 0;
  if (const auto* sequence = std::get_if<circuit::History::Sequence>(&history->content)) {
    indices += indices_of(sequence->first.get()) + indices_of(sequence->second.get());
  } else if (const auto* parts = std::get_if<circuit::History::Parts>(&history->content)) {
    for (const circuit::History::Part& part : parts->parts) {
      indices += part.gates.size() + part.qubits.size() + indices_of(part.history.get());
    }
  }
  return indices;
}

}  // namespace

TEST_CASE("windows that are replaced by their own gates leave the circuit as it is",
          "[edited gates]") {
  std::vector<Operation> gates;
  for (std::uint32_t i = 0; i < 400; ++i) {
    const Qubit first = (i * 7) % 9;
    const Qubit second = (first + 1 + i % 3) % 9;
    gates.push_back(i % 11 == 0 ? make_operation(ccx, {first, second, (first + 5) % 9})
                                : make_operation(cx, {first, second}));
    gates.push_back(make_operation(rz, {second}, {Angle::pi_times({i + 1, 1000})}));
  }
  EditedGates edited(gates);
  std::size_t replaced = 0;
  for (int round = 0; round < 20; ++round) {
    for (EditedGates::Index start = edited.first(); start != EditedGates::kEnd;) {
      const EditedGates::Index next = edited.next(start);
      if (edited[start].qubits.size() != 2) {
        start = next;
        continue;
      }
      const NarrowWindow window = grow_narrow_window(edited, start, 8);
      std::vector<Operation> own;
      for (const EditedGates::Index gate : window.gates) own.push_back(edited[gate]);
      start = edited.replace(window.gates, window.anchor, own);
      ++replaced;
      for (std::size_t i = 0; i < 3 && start != EditedGates::kEnd; ++i) start = edited.next(start);
    }
    REQUIRE(gates_by_qubit(edited.gates()) == gates_by_qubit(gates));
  }
  CHECK(replaced > 1000);
  const circuit::HistoryPointer history = std::move(edited).finish_history();
  CHECK(circuit::steps_of(history.get()) == replaced);
  CHECK(indices_of(history.get()) == gates.size());
}

TEST_CASE("a window at the beginning or at the end of the list is replaced", "[edited gates]") {
  EditedGates edited(std::vector<Operation>{make_operation(cx, {0, 1}), make_operation(cx, {0, 1}),
                                            make_operation(h, {0}), make_operation(h, {0})});
  const std::vector<EditedGates::Index> first{0, 1};
  CHECK(edited.replace(first, 2, {}) == 2);
  CHECK(edited.first() == 2);
  const std::vector<EditedGates::Index> last{2, 3};
  const std::vector<Operation> inserted{make_operation(x, {0})};
  CHECK(edited.replace(last, EditedGates::kEnd, inserted) == 4);
  CHECK(edited.gates() == inserted);
  CHECK(edited.next(4) == EditedGates::kEnd);
  const std::vector<EditedGates::Index> only{4};
  CHECK(edited.replace(only, EditedGates::kEnd, {}) == EditedGates::kEnd);
  CHECK(edited.gates().empty());
}

TEST_CASE("the history of merged Pauli operators is linear in the gates", "[edited gates]") {
  const GateSet set = load_gate_set("nam");
  struct Sizes {
    std::size_t gates = 0;
    std::size_t indices = 0;
    std::uint64_t rewrites = 0;
    std::size_t record_bytes = 0;
  };
  // Pairs of Toffoli gates on the same qubits, each of which is merged, several on each triple.
  const auto sizes_of = [&](std::uint32_t triples, std::uint32_t pairs) {
    Circuit circuit = make_circuit(3 * triples, {});
    for (std::uint32_t i = 0; i < 2 * pairs; ++i) {
      const Qubit first = 3 * (i / 2 % triples);
      circuit.operations.push_back(make_operation(ccx, {first, first + 1, first + 2}));
      circuit.operations.push_back(make_operation(h, {first + 2}));
    }
    OptimizeOptions options;
    options.cost = CostKind::two_qubit;
    options.search = "controlled";
    options.steps = 1'000'000'000;
    options.threads = 1;
    const Circuit translated = translate(circuit, set);
    const circuit::Derivation derivation = search(translated, set, RuleSet(), options,
                                                  {.records = true, .on_better = {}, .on_best = {}})
                                               .best.derivation;
    Sizes sizes{translated.operations.size(), indices_of(derivation.history().get()),
                derivation.steps(), 0};
    circuit::for_each_history(derivation.history().get(), [&](const circuit::History& history) {
      if (const auto* rewrites = std::get_if<circuit::History::Rewrites>(&history.content)) {
        sizes.record_bytes += rewrites->record_bytes();
      }
    });
    return sizes;
  };
  const Sizes apart = sizes_of(100, 100);
  CHECK(apart.rewrites >= 100);
  CHECK(apart.indices <= 5 * apart.gates);
  CHECK(apart.record_bytes <= 20 * apart.gates);
  const Sizes some = sizes_of(5, 100);
  const Sizes twice = sizes_of(5, 200);
  CHECK(some.rewrites >= 10);
  CHECK(twice.indices <= 5 * twice.gates);
  CHECK(twice.rewrites <= 3 * some.rewrites);
  CHECK(twice.record_bytes <= 3 * some.record_bytes);
}
