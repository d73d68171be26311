#include "quartz/classes/class_count.hpp"

#include <catch2/catch.hpp>

#include "classes/backend_list.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/classes/class_table.hpp"

using namespace quartz;
using namespace quartz::classes;

namespace {

ClassCountOptions sizes(unsigned qubits, unsigned gates, std::string_view backend = "cpu") {
  ClassCountOptions options;
  options.qubits = qubits;
  options.gates = gates;
  options.backend = backend;
  options.threads = 2;
  return options;
}

std::vector<std::uint64_t> classes_of(const ClassCount& count) {
  std::vector<std::uint64_t> classes;
  for (const CountedLevel& level : count.levels) classes.push_back(level.classes);
  return classes;
}

std::vector<std::uint64_t> digests_of(const ClassCount& count) {
  std::vector<std::uint64_t> digests;
  for (const CountedLevel& level : count.levels) digests.push_back(level.digest);
  return digests;
}

std::vector<std::string> available_backends() {
  std::vector<std::string> names;
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    if (entry.available()) names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace

TEST_CASE("the classes of {h, x, rz(k pi/4), cx} on 3 qubits are counted level by level",
          "[class_count]") {
  // The expected numbers come from a separate GPU kernel and from a search in double precision.
  const GateSet nam = load_gate_set("nam");
  for (const std::string& backend : available_backends()) {
    INFO(backend);
    const ClassCount count = count_classes(nam, sizes(3, 5, backend));
    CHECK(count.backend == backend);  // no other backend was used instead
    CHECK(count.complete);
    CHECK(count.letters == 33);
    CHECK(classes_of(count) == std::vector<std::uint64_t>{33, 552, 6723, 68247, 604881});
    CHECK(count.expected_misses < 1e-9);
  }
}

TEST_CASE("every backend finds the same fingerprints, on every number of qubits", "[class_count]") {
  const unsigned levels[] = {0, 7, 5, 4, 2};
  for (const char* name : {"nam", "ibm", "rigetti"}) {
    const GateSet set = load_gate_set(name);
    for (unsigned qubits = 1; qubits <= 4; ++qubits) {
      const ClassCount expected = count_classes(set, sizes(qubits, levels[qubits]));
      REQUIRE(expected.levels.size() == levels[qubits]);
      CHECK(expected.levels[0].classes == expected.letters);  // no two letters are equal
      for (const std::string& backend : available_backends()) {
        if (backend == expected.backend) continue;
        INFO(name << ", " << qubits << " qubits, " << backend);
        const ClassCount count = count_classes(set, sizes(qubits, levels[qubits], backend));
        CHECK(classes_of(count) == classes_of(expected));
        CHECK(digests_of(count) == digests_of(expected));
      }
    }
  }
}

TEST_CASE("extensions omitted by pruning would find nothing", "[class_count]") {
  for (const char* name : {"nam", "ibm_heron", "clifford_t"}) {
    const GateSet set = load_gate_set(name);
    for (const std::string& backend : available_backends()) {
      for (unsigned qubits = 1; qubits <= 3; ++qubits) {
        INFO(name << ", " << qubits << " qubits, " << backend);
        const unsigned levels = qubits == 3 ? 4 : 5;
        const ClassCount pruned = count_classes(set, sizes(qubits, levels, backend));
        ClassCountOptions all = sizes(qubits, levels, backend);
        all.pruned = false;
        const ClassCount unpruned = count_classes(set, all);
        CHECK(classes_of(pruned) == classes_of(unpruned));
        CHECK(digests_of(pruned) == digests_of(unpruned));
        CHECK(pruned.levels.back().candidates < unpruned.levels.back().candidates);
        // Every extension of the level before was looked up.
        CHECK(unpruned.levels.back().candidates ==
              unpruned.letters * unpruned.levels[levels - 2].classes);
      }
    }
  }
}

TEST_CASE("counts equal those of the class table, which has other keys", "[class_count]") {
  for (const char* name : {"ibm", "clifford_t", "rigetti"}) {
    INFO(name);
    const GateSet set = load_gate_set(name);
    ClassTableOptions options;
    options.cost = 4;
    std::vector<std::uint64_t> expected = summary_of(*build_class_table(set, options)).classes;
    expected.erase(expected.begin());  // the identity
    CHECK(classes_of(count_classes(set, sizes(3, 4))) == expected);
  }
}

TEST_CASE("threads and seeds do not change the counts, and threads not the fingerprints",
          "[class_count]") {
  const GateSet set = load_gate_set("nam");
  ClassCountOptions options = sizes(3, 4);
  const ClassCount expected = count_classes(set, options);
  options.threads = 1;
  const ClassCount one_thread = count_classes(set, options);
  CHECK(classes_of(one_thread) == classes_of(expected));
  CHECK(digests_of(one_thread) == digests_of(expected));
  options.seed = 5;
  const ClassCount another_seed = count_classes(set, options);
  CHECK(classes_of(another_seed) == classes_of(expected));
  CHECK(digests_of(another_seed) != digests_of(expected));
}

TEST_CASE("measured fingerprints are the same on every backend", "[class_count]") {
  const GateSet set = load_gate_set("nam");
  const FingerprintRate expected = measure_fingerprints(set, sizes(3, 3), 1);
  CHECK(expected.fingerprints == 6723 * 33);
  for (const std::string& backend : available_backends()) {
    INFO(backend);
    const FingerprintRate rate = measure_fingerprints(set, sizes(3, 3, backend), 2);
    CHECK(rate.backend == backend);
    CHECK(rate.fingerprints == 2 * expected.fingerprints);
    CHECK(rate.digest == expected.digest);
  }
}

TEST_CASE("a count that runs out of memory ends and reports it", "[class_count]") {
  const GateSet set = load_gate_set("nam");
  for (const std::string& backend : available_backends()) {
    INFO(backend);
    ClassCountOptions options = sizes(3, 9, backend);
    options.memory = std::uint64_t{48} << 20U;
    const ClassCount count = count_classes(set, options);
    CHECK_FALSE(count.complete);
    REQUIRE(count.levels.size() >= 3);
    CHECK(count.levels.size() < 7);
    CHECK(count.levels[2].classes == 6723);
  }
}

TEST_CASE("unsupported counts are refused", "[class_count]") {
  const GateSet nam = load_gate_set("nam");
  CHECK_THROWS_AS(count_classes(nam, sizes(5, 2)), UsageError);
  CHECK_THROWS_AS(count_classes(nam, sizes(0, 2)), UsageError);
  CHECK_THROWS_AS(count_classes(load_gate_set("ibm_u"), sizes(3, 2)), UsageError);
  CHECK_THROWS_WITH(count_classes(nam, sizes(3, 2, "abacus")), Catch::Contains("abacus"));
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    if (entry.available()) continue;
    CHECK_THROWS_WITH(count_classes(nam, sizes(3, 2, entry.name)),
                      Catch::Contains("not available"));
  }
  std::stop_source stop;
  stop.request_stop();
  ClassCountOptions stopped = sizes(3, 3);
  stopped.stop = stop.get_token();
  CHECK_THROWS_AS(count_classes(nam, stopped), Stopped);
}
