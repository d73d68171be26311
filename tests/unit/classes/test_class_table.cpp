#include "classes/table/class_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <numeric>
#include <stop_token>

#include "classes/backend_list.hpp"
#include "gate_set_circuits.hpp"
#include "quartz/base/errors.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::test;

namespace {

std::shared_ptr<const ClassTable> table_of(const char* set, unsigned cost, unsigned threads = 2) {
  ClassTableOptions options;
  options.cost = cost;
  options.threads = threads;
  return build_class_table(load_gate_set(set), options);
}

/// Returns the entry of the circuit of a sequence of letters.
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

TEST_CASE("the classes of {h, x, rz(k pi/4), cx} on 3 qubits equal the known numbers",
          "[class_table]") {
  // The expected numbers come from a separate GPU kernel and from a search in double precision.
  const std::vector<std::uint64_t> expected{1, 33, 552, 6723, 68247};
  CHECK(summary_of(*table_of("nam", 4, 1)).classes == expected);
  CHECK(summary_of(*table_of("nam", 4, 3)).classes == expected);
}

TEST_CASE("an entry is the least cost and leads to a shortest equal circuit", "[class_table]") {
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
      // Removing the last letter of a cheapest circuit is the same as appending its inverse.
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

TEST_CASE("every backend builds the same table", "[class_table][devices]") {
  struct Wanted {
    const char* set;
    unsigned cost;
    unsigned two_qubit_weight;
    bool symbolic;
    unsigned qubits;
  };
  const std::vector<Wanted> all{{"nam", 4, 1, false, 3},        {"nam", 5, 2, false, 3},
                                {"clifford_t", 4, 3, false, 3}, {"ibm", 3, 1, true, 3},
                                {"rigetti", 4, 1, false, 2},    {"ibm_heron", 0, 1, false, 1}};
  for (const Wanted& wanted : all) {
    const GateSet set = load_gate_set(wanted.set);
    ClassTableOptions options;
    options.cost = wanted.cost;
    options.two_qubit_weight = wanted.two_qubit_weight;
    options.symbolic = wanted.symbolic;
    options.qubits = wanted.qubits;
    options.threads = 2;
    const auto expected = build_class_table(set, options);
    for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
      INFO(wanted.set << " up to cost " << wanted.cost << ", " << entry.name);
      options.backend = entry.name;
      if (!entry.available()) {
        CHECK_THROWS_AS(build_class_table(set, options), UsageError);
        continue;
      }
      const auto table = build_class_table(set, options);
      CHECK(summary_of(*table).cost == wanted.cost);
      CHECK(summary_of(*table).classes == summary_of(*expected).classes);
      CHECK(std::ranges::equal(table->contents().words, expected->contents().words));
    }
  }
  ClassTableOptions options;
  options.backend = "abacus";
  CHECK_THROWS_WITH(build_class_table(load_gate_set("nam"), options), Catch::Contains("abacus"));
}

TEST_CASE("every backend respects the memory limit, the limit on classes and a stop",
          "[class_table][devices]") {
  const GateSet set = load_gate_set("nam");
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    if (!entry.available()) continue;
    INFO(entry.name);
    ClassTableOptions options;
    options.backend = entry.name;
    options.cost = 5;
    options.threads = 2;
    options.memory = std::uint64_t{28} << 20U;
    const auto small = build_class_table(set, options);
    CHECK(summary_of(*small).cost >= 3);
    CHECK(summary_of(*small).cost < 5);
    options.memory = std::uint64_t{8} << 30U;
    options.classes = 10'000;
    CHECK(summary_of(*build_class_table(set, options)).cost == 2);
    std::stop_source stop;
    stop.request_stop();
    options.stop = stop.get_token();
    CHECK_THROWS_AS(build_class_table(set, options), Error);
  }
}

TEST_CASE("letters with a free angle represent every value", "[class_table]") {
  ClassTableOptions options;
  options.cost = 2;
  options.symbolic = true;
  const auto table = build_class_table(load_gate_set("nam"), options);
  CHECK(std::popcount(table->alphabet().symbolic) == 6);
  CHECK(summary_of(*table).classes == std::vector<std::uint64_t>{1, 39, 786});
}

TEST_CASE("the cost of a table is limited by the available memory", "[class_table]") {
  ClassTableOptions options;
  options.cost = 5;
  options.memory = 40 << 20;
  const ClassTableSummary summary = summary_of(*build_class_table(load_gate_set("nam"), options));
  CHECK(summary.cost < 5);
  CHECK(summary.cost >= 3);
}

TEST_CASE("a table ends with the last level that fits its limit on the classes", "[class_table]") {
  const GateSet set = load_gate_set("nam");
  for (const unsigned weight : {1U, 3U}) {
    ClassTableOptions options;
    options.two_qubit_weight = weight;
    options.cost = 5;
    const ClassTableSummary whole = summary_of(*build_class_table(set, options));
    CHECK(end_of_class_table(whole.classes, options) == 5);
    for (const std::uint64_t classes : {40U, 1000U, 20000U, 100000U}) {
      INFO("weight " << weight << ", at most " << classes << " classes");
      options.classes = classes;
      const auto table = build_class_table(set, options);
      const ClassTableSummary summary = summary_of(*table);
      const auto sum = [](const std::vector<std::uint64_t>& levels) {
        return std::accumulate(levels.begin(), levels.end(), std::uint64_t{0});
      };
      REQUIRE(summary.cost < 5);
      CHECK(sum(summary.classes) <= classes);
      // Extrapolation from the first levels gives too many, up to ten times as many.
      CHECK(sum(summary.classes) + whole.classes[summary.cost + 1] > classes / 10);
      CHECK(end_of_class_table(summary.classes, options) == summary.cost);
      CHECK(end_of_class_table(whole.classes, options) == summary.cost);
      // The table is identical to the one with the corresponding limit on the cost.
      ClassTableOptions by_cost = options;
      by_cost.cost = summary.cost;
      by_cost.classes = ClassTableOptions().classes;
      const auto same = build_class_table(set, by_cost);
      CHECK(summary_of(*same).classes == summary.classes);
      CHECK(std::ranges::equal(same->contents().words, table->contents().words));
    }
  }
}

TEST_CASE("unsupported class tables are refused", "[class_table]") {
  ClassTableOptions options;
  CHECK_THROWS_AS(build_class_table(load_gate_set("ibm_u"), options), UsageError);
  options.qubits = 4;
  CHECK_THROWS_AS(build_class_table(load_gate_set("nam"), options), UsageError);
  options.qubits = 3;
  options.cost = 31;
  CHECK_THROWS_AS(build_class_table(load_gate_set("nam"), options), UsageError);
}

TEST_CASE("a class table built after its deadline has only the cheapest classes", "[class_table]") {
  const GateSet set = load_gate_set("nam");
  ClassTableOptions options;
  options.cost = 5;
  options.deadline = std::chrono::steady_clock::now();
  const ClassTableSummary cut = summary_of(*build_class_table(set, options));
  CHECK(cut.cost == 3);
  options.deadline.reset();
  options.cost = 3;
  CHECK(cut.classes == summary_of(*build_class_table(set, options)).classes);
}
