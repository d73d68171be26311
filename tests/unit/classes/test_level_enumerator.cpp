#include "classes/backend/level_enumerator.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <stop_token>

#include "classes/backend_choice.hpp"
#include "classes/backend_list.hpp"
#include "classes/cpu/level_keys.hpp"
#include "classes/followers.hpp"
#include "classes/table/class_table.hpp"
#include "quartz/base/errors.hpp"
#include "thread_ranks.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::fingerprint;

namespace {

LevelTables tables_of(const char* set, unsigned qubits, unsigned window) {
  ClassTableOptions options;
  options.qubits = qubits;
  LevelTables tables;
  tables.fingerprints =
      make_fingerprint_tables(table_letters(load_gate_set(set), options), qubits, {1, 0});
  tables.followers = make_followers(tables.fingerprints, window);
  return tables;
}

}  // namespace

TEST_CASE("keys sorted into batches are the same", "[level_enumerator]") {
  const LevelTables tables = tables_of("nam", 3, 2);
  const auto expected = make_level_enumerator(tables, {}, "cpu");
  std::vector<LevelFigures> levels;
  for (int level = 1; level <= 5; ++level) levels.push_back(*expected->next(level < 5));
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    if (!entry.available()) continue;
    for (const std::uint64_t window : {0U, 100U << 20U, 1U << 20U}) {
      INFO(entry.name << ", a window of " << window << " bytes");
      LevelEnumeratorOptions options;
      options.window = window;
      options.memory = std::uint64_t{4} << 30U;
      const auto enumerator = make_level_enumerator(tables, options, entry.name);
      REQUIRE(enumerator->name() == entry.name);
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const auto figures = enumerator->next(level + 1 < levels.size());
        REQUIRE(figures);
        CHECK(figures->classes == levels[level].classes);
        CHECK(figures->digest == levels[level].digest);
      }
    }
  }
}

TEST_CASE("the requested instruction set is used and gives the same results",
          "[level_enumerator]") {
  for (unsigned qubits = 1; qubits <= 4; ++qubits) {
    const LevelTables tables = tables_of("ibm", qubits, 1);
    std::vector<LevelFigures> expected;
    for (const InstructionSet& set : instruction_sets()) {
      LevelEnumeratorOptions options;
      options.instructions = set.name;
      if (!set.available()) {
        CHECK_THROWS_AS(make_level_enumerator(tables, options, "cpu"), UsageError);
        continue;
      }
      INFO(set.name << ", " << qubits << " qubits");
      const auto enumerator = make_level_enumerator(tables, options, "cpu");
      REQUIRE(enumerator->instructions() == set.name);
      std::vector<LevelFigures> levels;
      for (int level = 1; level <= 3; ++level) levels.push_back(*enumerator->next(true));
      levels.push_back(enumerator->form_keys());
      if (expected.empty()) expected = levels;
      for (std::size_t i = 0; i < levels.size(); ++i) {
        CHECK(levels[i].classes == expected[i].classes);
        CHECK(levels[i].candidates == expected[i].candidates);
        CHECK(levels[i].digest == expected[i].digest);
      }
    }
  }
}

TEST_CASE("several devices find the same classes", "[level_enumerator][devices]") {
  const LevelTables tables = tables_of("nam", 3, 2);
  const auto expected = make_level_enumerator(tables, {}, "cpu");
  std::vector<LevelFigures> levels;
  for (int level = 1; level <= 6; ++level) levels.push_back(*expected->next(level < 6));
  LevelEnumeratorOptions options;
  options.memory = std::uint64_t{12} << 30U;
  const LevelTables unpruned = tables_of("nam", 3, 0);
  for (options.devices = 1; options.devices <= 8; ++options.devices) {
    // Smaller rounds have buffers for all their keys; from 2^20 keys on, buffers are for a device's
    // part. If every letter is tried, the parents, which lie in runs by their device, exceed it.
    for (const unsigned round : {0U, 1U << 17U, 1U << 21U}) {
      for (const LevelTables* const letters : {&tables, &unpruned}) {
        options.round = round;
        INFO(options.devices << " devices, rounds of " << round << ", "
                             << (letters == &tables ? "pruned" : "unpruned"));
        std::unique_ptr<LevelEnumerator> enumerator;
        try {
          enumerator = make_level_enumerator(*letters, options);
        } catch (const UsageError&) {
          continue;  // there is no device, or fewer of them
        }
        for (std::size_t level = 0; level < levels.size(); ++level) {
          const auto figures = enumerator->next(level + 1 < levels.size());
          REQUIRE(figures);
          CHECK(figures->classes == levels[level].classes);
          CHECK(figures->digest == levels[level].digest);
        }
      }
    }
  }
  CHECK_THROWS_AS(make_level_enumerator(tables, options, "cpu"), UsageError);
}

TEST_CASE("several ranks find the same classes", "[level_enumerator][ranks]") {
  // Five levels of nam on three qubits: distributed at the fourth, with several rounds in the last.
  const bool deep = GENERATE(true, false);
  const LevelTables tables = deep ? tables_of("nam", 3, 2) : tables_of("clifford_t", 2, 1);
  const std::size_t depth = 5;
  const auto alone = make_level_enumerator(tables, {}, "cpu");
  std::vector<LevelFigures> expected;
  for (std::size_t level = 1; level <= depth; ++level) {
    expected.push_back(*alone->next(level < depth));
  }
  for (unsigned size = 1; size <= 4; ++size) {
    std::vector<std::vector<LevelFigures>> found(size);
    test::run_on_ranks(size, [&](Communicator& ranks) {
      LevelEnumeratorOptions options;
      options.threads = 1 + ranks.rank() % 2;
      options.round = std::uint64_t{1} << 18U;
      options.ranks = &ranks;
      const auto enumerator = make_level_enumerator(tables, options);
      for (std::size_t level = 1; level <= depth; ++level) {
        found[ranks.rank()].push_back(enumerator->next(level < depth).value());
      }
    });
    for (unsigned rank = 0; rank < size; ++rank) {
      for (std::size_t level = 0; level < depth; ++level) {
        INFO(size << " ranks, rank " << rank << ", level " << level + 1);
        CHECK(found[rank][level].classes == expected[level].classes);
        CHECK(found[rank][level].digest == expected[level].digest);
      }
    }
  }
}

TEST_CASE("ranks form the keys of all extensions", "[level_enumerator][ranks]") {
  const LevelTables tables = tables_of("nam", 3, 2);
  const auto alone = make_level_enumerator(tables, {}, "cpu");
  for (int level = 1; level <= 4; ++level) static_cast<void>(alone->next(true));
  const LevelFigures expected = alone->form_keys();
  std::vector<LevelFigures> found(3);
  test::run_on_ranks(3, [&](Communicator& ranks) {
    LevelEnumeratorOptions options;
    options.threads = 1;
    options.ranks = &ranks;
    const auto enumerator = make_level_enumerator(tables, options);
    for (int level = 1; level <= 4; ++level) static_cast<void>(enumerator->next(true));
    found[ranks.rank()] = enumerator->form_keys();
  });
  for (const LevelFigures& figures : found) {
    CHECK(figures.candidates == expected.candidates);
    CHECK(figures.digest == expected.digest);
  }
}

TEST_CASE("ranks agree that the memory is full", "[level_enumerator][ranks]") {
  const LevelTables tables = tables_of("nam", 3, 2);
  std::vector<int> levels(3);
  test::run_on_ranks(3, [&](Communicator& ranks) {
    LevelEnumeratorOptions options;
    options.threads = 1;
    options.ranks = &ranks;
    // One rank has less memory than the others.
    options.memory = std::uint64_t{ranks.rank() == 1 ? 8U : 4000U} << 20U;
    const auto enumerator = make_level_enumerator(tables, options);
    while (levels[ranks.rank()] < 7 && enumerator->next(true)) ++levels[ranks.rank()];
  });
  CHECK(levels[0] > 0);
  CHECK(levels[0] < 7);
  CHECK(levels[1] == levels[0]);
  CHECK(levels[2] == levels[0]);
}

TEST_CASE("a failure of one rank ends the work of all", "[level_enumerator][ranks]") {
  const LevelTables tables = tables_of("nam", 3, 2);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(test::run_on_ranks(3,
                                     [&](Communicator& ranks) {
                                       LevelEnumeratorOptions options;
                                       options.threads = 1;
                                       options.ranks = &ranks;
                                       if (ranks.rank() == 2) options.stop = stop.get_token();
                                       const auto enumerator =
                                           make_level_enumerator(tables, options);
                                       while (enumerator->next(true)) continue;
                                     }),
                  Error);
  CHECK_THROWS_AS(
      test::run_on_ranks(2,
                         [&](Communicator& ranks) {
                           LevelEnumeratorOptions options;
                           options.ranks = &ranks;
                           static_cast<void>(make_level_enumerator(tables, options, "cuda"));
                         }),
      UsageError);
}

TEST_CASE("a last level that outgrows the table is complete", "[level_enumerator]") {
  const LevelTables tables = tables_of("nam", 3, 2);
  const auto expected = make_level_enumerator(tables, {}, "cpu");
  LevelFigures last;
  for (int level = 1; level <= 4; ++level) last = *expected->next(level < 4);
  // If the memory suffices for the classes found but not for the expected ones, the table grows
  // during the level.
  unsigned found = 0;
  unsigned too_little = 0;
  for (std::uint64_t memory = 200'000; memory < 4'000'000; memory += 100'000) {
    LevelEnumeratorOptions options;
    options.memory = memory;
    options.threads = 1 + static_cast<unsigned>(memory / 100'000 % 2);
    const auto enumerator = make_level_enumerator(tables, options, "cpu");
    std::optional<LevelFigures> figures;
    for (int level = 1; level <= 4; ++level) {
      figures = enumerator->next(level < 4);
      if (!figures) break;
    }
    INFO(memory << " bytes");
    ++(figures ? found : too_little);
    if (!figures) continue;
    CHECK(figures->classes == last.classes);
    CHECK(figures->candidates == last.candidates);
    CHECK(figures->digest == last.digest);
  }
  CHECK(found > 0);
  CHECK(too_little > 0);
}

TEST_CASE("enumeration of a finite set of classes ends", "[level_enumerator]") {
  // The Clifford group of one qubit has 24 elements up to phases.
  LevelTables tables;
  const std::vector<Operation> letters = {make_operation(GateKind::h, {0}),
                                          make_operation(GateKind::s, {0})};
  tables.fingerprints = make_fingerprint_tables(letters, 1, {1, 0});
  tables.followers = make_followers(tables.fingerprints, 3);
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    if (!entry.available()) continue;
    INFO(entry.name);
    const auto enumerator = make_level_enumerator(tables, {}, entry.name);
    std::uint64_t classes = 1;
    std::uint64_t found = 1;
    for (int level = 0; level < 12 && found != 0; ++level) {
      found = enumerator->next(true)->classes;
      classes += found;
    }
    CHECK(found == 0);
    CHECK(classes == 24);
  }
}

TEST_CASE("tables beyond the limits are refused", "[level_enumerator]") {
  LevelTables tables;
  tables.fingerprints =
      make_fingerprint_tables(std::vector<Operation>{make_operation(GateKind::h, {0})}, 5, {1, 0});
  tables.followers = {0, {1}};
  CHECK_THROWS_WITH(make_level_enumerator(tables, {}), Catch::Contains("at most 4 qubits"));
  tables.fingerprints = make_fingerprint_tables(
      std::vector<Operation>(64, make_operation(GateKind::h, {0})), 1, {1, 0});
  CHECK_THROWS_WITH(make_level_enumerator(tables, {}), Catch::Contains("at most 63 letters"));
}
