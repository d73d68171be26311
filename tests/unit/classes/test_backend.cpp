#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "classes/backend_choice.hpp"
#include "classes/backend_list.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::algebra;
using namespace quartz::classes;
using namespace quartz::fingerprint;

namespace {

/// Some circuits, and every one of them extended by every letter.
struct Fixture {
  explicit Fixture(unsigned qubit_count) : qubits(qubit_count) {
    letters = alphabet(load_gate_set("nam"), qubits);
    std::mt19937_64 random(qubits);
    for (int i = 0; i < 40; ++i) {
      std::vector<Operation> circuit;
      for (int j = 0; j < i % 7; ++j) circuit.push_back(letters[random() % letters.size()]);
      circuits.push_back(std::move(circuit));
    }
    for (std::uint32_t state = 0; state < circuits.size(); ++state) {
      for (std::uint32_t letter = 0; letter < letters.size(); ++letter) {
        extensions.push_back({state, letter});
      }
    }
  }

  /// Returns the circuits' states, built letter by letter by the backend.
  [[nodiscard]] std::vector<Goldilocks> states(const FingerprintTables& tables,
                                               FingerprintBackend& backend) const {
    std::vector<Goldilocks> all;
    for (const std::vector<Operation>& circuit : circuits) {
      std::vector<Goldilocks> state = tables.probe.state;
      for (const Operation& operation : circuit) {
        std::uint32_t letter = 0;
        while (!(letters[letter] == operation)) ++letter;
        std::vector<Goldilocks> next(state.size());
        backend.extend(state, std::vector<Extension>{{0, letter}}, next);
        state = next;
      }
      all.insert(all.end(), state.begin(), state.end());
    }
    return all;
  }

  unsigned qubits;
  std::vector<Operation> letters;
  std::vector<std::vector<Operation>> circuits;
  std::vector<Extension> extensions;
};

}  // namespace

TEST_CASE("every backend gives the keys of whole circuits, on any number of threads") {
  for (unsigned qubits = 1; qubits <= 5; ++qubits) {
    const Fixture fixture(qubits);
    const FieldSeed seed{9, 1};
    const FingerprintTables tables = make_fingerprint_tables(fixture.letters, qubits, seed);
    const Fingerprinter fingerprinter(fixture.letters, qubits, seed);
    for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
      if (!entry.available()) continue;
      for (const unsigned threads : {1U, 3U}) {
        INFO(entry.name << ", " << qubits << " qubits, " << threads << " threads");
        const auto backend = make_fingerprint_backend(tables, threads, entry.name);
        REQUIRE(backend->name() == entry.name);
        const std::vector<Goldilocks> states = fixture.states(tables, *backend);
        std::vector<FingerprintKey> keys(fixture.extensions.size());
        backend->extension_keys(states, fixture.extensions, keys);
        for (std::size_t i = 0; i < keys.size(); i += 7) {
          std::vector<Operation> circuit = fixture.circuits[fixture.extensions[i].state];
          circuit.push_back(fixture.letters[fixture.extensions[i].letter]);
          REQUIRE(keys[i] == fingerprinter.key(circuit));
        }
      }
    }
  }
}

TEST_CASE("a zero denominator gives a special key") {
  const std::vector<Operation> letters = {make_operation(GateKind::h, {0})};
  const auto backend = make_fingerprint_backend(make_fingerprint_tables(letters, 1, {}), 1);
  const std::vector<Goldilocks> zero_and_one = {Goldilocks(), Goldilocks(), Goldilocks(1),
                                                Goldilocks()};
  std::vector<FingerprintKey> keys(3);
  backend->extension_keys(zero_and_one, std::vector<Extension>{{0, 0}, {1, 0}, {0, 0}}, keys);
  CHECK(keys[0] == kInfiniteKey);
  CHECK(keys[1] < Goldilocks::kModulus);
  CHECK(keys[2] == kInfiniteKey);
}

TEST_CASE("backends are selected by name, or else the best available one is") {
  const FingerprintTables tables = make_fingerprint_tables({}, 2, {});
  const auto entries = fingerprint_backends();
  const auto best = std::find_if(entries.begin(), entries.end(),
                                 [](const FingerprintBackendEntry& e) { return e.available(); });
  REQUIRE(best != entries.end());
  CHECK(make_fingerprint_backend(tables, 1)->name() == best->name);
  CHECK(make_fingerprint_backend(tables, 1, "auto")->name() == best->name);
  CHECK(make_fingerprint_backend(tables, 1, "cpu")->name() == "cpu");
  CHECK_THROWS_WITH(make_fingerprint_backend(tables, 1, "abacus"),
                    Catch::Contains("abacus") && Catch::Contains("cpu"));
}
