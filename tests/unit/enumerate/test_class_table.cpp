#include "enumerate/class_table.hpp"

#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "quartz/errors.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

std::shared_ptr<const ClassTable> table_of(const char* set, unsigned cost, unsigned threads = 2) {
  ClassTableOptions options;
  options.two_qubit_weight = 1;
  options.cost = cost;
  options.threads = threads;
  return build_class_table(load_gate_set(set), options);
}

/// The entry of the circuit that a sequence of letters spells.
ClassEntry entry_of(const ClassTable& table, const std::vector<unsigned>& letters) {
  FieldState state = table.probe().start();
  UnitScalar scalar;
  for (const unsigned letter : letters) {
    table.alphabet().operators[letter].apply(state);
    scalar *= table.alphabet().operators[letter].scalar();
  }
  return table.find(table.probe().key(state, scalar.root));
}

}  // namespace

TEST_CASE("the classes of {h, x, rz(k pi/4), cx} on 3 qubits are those counted elsewhere",
          "[class_table]") {
  // By a throwaway kernel on a GPU and by a search in double precision (DESIGN, section 3).
  const std::vector<std::uint64_t> expected{1, 33, 552, 6723, 68247};
  CHECK(summary_of(*table_of("nam", 4, 1)).classes == expected);
  CHECK(summary_of(*table_of("nam", 4, 3)).classes == expected);
}

TEST_CASE("an entry is the least cost and leads down to a shortest equal circuit",
          "[class_table]") {
  for (const char* set : {"nam", "ibm", "ibm_heron", "clifford_t", "rigetti"}) {
    const auto table = table_of(set, 3);
    const TableAlphabet& alphabet = table->alphabet();
    Random random(7);
    INFO("gate set " << set << ", seed 7");
    for (int round = 0; round < 200; ++round) {
      std::vector<unsigned> letters(1 + below(random, 3));
      std::vector<Operation> circuit;
      for (unsigned& letter : letters) {
        letter = below(random, alphabet.letters.size());
        circuit.push_back(alphabet.letters[letter]);
      }
      const ClassEntry entry = entry_of(*table, letters);
      REQUIRE(entry.cost <= letters.size());
      // Taking off a last letter of a cheapest circuit is the same as putting its inverse on.
      for (unsigned letter = 0; letter < alphabet.letters.size(); ++letter) {
        FieldState state = table->probe().start();
        UnitScalar scalar;
        for (const unsigned l : letters) {
          alphabet.operators[l].apply(state);
          scalar *= alphabet.operators[l].scalar();
        }
        alphabet.inverses[letter].apply(state);
        scalar *= alphabet.inverses[letter].scalar();
        const ClassEntry rest = table->find(table->probe().key(state, scalar.root));
        const bool cheaper = rest.cost != ClassEntry::kUnknown && rest.cost + 1 == entry.cost;
        CHECK(((entry.last_letters >> letter & 1U) != 0) == cheaper);
      }
    }
  }
}

TEST_CASE("letters by a free angle stand for every value", "[class_table]") {
  ClassTableOptions options;
  options.two_qubit_weight = 1;
  options.cost = 2;
  options.symbolic = true;
  const auto table = build_class_table(load_gate_set("nam"), options);
  CHECK(std::popcount(table->alphabet().symbolic) == 6);
  CHECK(summary_of(*table).classes == std::vector<std::uint64_t>{1, 39, 786});
}

TEST_CASE("a table's bound gives way to the memory there is", "[class_table]") {
  ClassTableOptions options;
  options.two_qubit_weight = 1;
  options.cost = 5;
  options.memory = 40 << 20;
  const ClassTableSummary summary = summary_of(*build_class_table(load_gate_set("nam"), options));
  CHECK(summary.cost < 5);
  CHECK(summary.cost >= 3);
}

TEST_CASE("what no table can be made of is refused", "[class_table]") {
  ClassTableOptions options;
  options.two_qubit_weight = 1;
  CHECK_THROWS_AS(build_class_table(load_gate_set("ibm_u"), options), UsageError);
  options.qubits = 4;
  CHECK_THROWS_AS(build_class_table(load_gate_set("nam"), options), UsageError);
  options.qubits = 3;
  options.cost = 31;
  CHECK_THROWS_AS(build_class_table(load_gate_set("nam"), options), UsageError);
}
