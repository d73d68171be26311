#include "classes/cpu/level_key_set.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <thread>
#include <vector>

#include "classes/cpu/level_keys.hpp"
#include "fingerprint/field_point.hpp"

using namespace quartz;
using namespace quartz::algebra;
using namespace quartz::classes;
using namespace quartz::fingerprint;

namespace {

std::vector<LevelKey> random_keys(std::size_t count) {
  FieldRandom random({4, 0}, "key set");
  std::vector<LevelKey> keys;
  for (std::size_t i = 0; i < count; ++i) {
    keys.push_back({random.next().value(), random.next().value()});
  }
  return keys;
}

}  // namespace

TEST_CASE("a key is new only once, however often the table grows", "[level_key_set]") {
  const std::vector<LevelKey> keys = random_keys(50'000);
  LevelKeySet set(3);
  std::uint64_t comparisons = 0;
  std::size_t bytes = set.bytes_with_room_for(0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (set.room() == 0) {
      const std::size_t expected = set.bytes_with_room_for(set.size() + 1);
      CHECK(expected > bytes);
      set.reserve(set.size() + 1);
      bytes = set.bytes_with_room_for(0);
      CHECK(bytes < expected);  // the old slots have been freed
    }
    REQUIRE(set.room() > 0);
    REQUIRE(set.insert(static_cast<unsigned>(i % 3), keys[i], comparisons));
    REQUIRE_FALSE(set.insert(0, keys[i / 2], comparisons));
  }
  for (const LevelKey& key : keys) REQUIRE_FALSE(set.insert(1, key, comparisons));
  CHECK(set.size() == keys.size());
  CHECK(comparisons >= 2 * keys.size());
}

TEST_CASE("if several threads insert a key, exactly one finds it new", "[level_key_set]") {
  const std::vector<LevelKey> keys = random_keys(20'000);
  constexpr std::size_t threads = 4;
  LevelKeySet set(threads);
  set.reserve(keys.size());
  std::vector<std::uint64_t> found(threads);
  {
    std::vector<std::jthread> workers;
    for (std::size_t worker = 0; worker < threads; ++worker) {
      workers.emplace_back([&, worker] {
        std::uint64_t comparisons = 0;
        for (const LevelKey& key : keys) {
          found[worker] += set.insert(static_cast<unsigned>(worker), key, comparisons) ? 1 : 0;
        }
      });
    }
  }
  std::uint64_t total = 0;
  for (const std::uint64_t count : found) total += count;
  CHECK(total == keys.size());
  CHECK(set.size() == keys.size());
}

TEST_CASE("if several threads sift and claim a key, exactly one finds it new", "[level_key_set]") {
  FieldRandom random({5, 0}, "sifted by threads");
  const ExtensionPlan plan;
  std::vector<LevelKeys> blocks(200, LevelKeys(plan));
  for (LevelKeys& block : blocks) {
    for (std::size_t i = 0; i < LevelKeys::kMaxKeys; ++i) {
      block.tags.data()[i] = random.next().value();
      block.places.data()[i] = random.next().value();
    }
  }
  const std::size_t keys = blocks.size() * LevelKeys::kMaxKeys;
  for (const InstructionSet& instructions : instruction_sets()) {
    if (!instructions.available()) continue;
    for (const unsigned threads : {1U, 4U}) {
      INFO(instructions.name << ", " << threads << " threads");
      LevelKeySet set(threads);
      set.reserve(keys);
      std::vector<std::uint64_t> found(threads);
      {
        std::vector<std::jthread> workers;
        for (unsigned worker = 0; worker < threads; ++worker) {
          workers.emplace_back([&, worker] {
            SiftedKeys sifted;
            std::uint64_t comparisons = 0;
            for (const LevelKeys& block : blocks) {
              instructions.sift_level_keys(set.lines(), block, LevelKeys::kMaxKeys, sifted);
              for (std::size_t i = 0; i < LevelKeys::kMaxKeys; ++i) {
                if ((sifted.unknown[i / 64] >> i % 64 & 1U) == 0) continue;
                if (!set.claim(block[i], sifted.slots[i], comparisons)) continue;
                set.record(worker, block[i]);
                ++found[worker];
              }
            }
          });
        }
      }
      CHECK(std::accumulate(found.begin(), found.end(), std::uint64_t{0}) == keys);
      CHECK(set.size() == keys);
    }
  }
}

TEST_CASE("keys that are not logged are lost when the table grows", "[level_key_set]") {
  const std::vector<LevelKey> keys = random_keys(2000);
  LevelKeySet set(2);
  std::uint64_t comparisons = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    set.write_down(i < 1000);
    REQUIRE(set.insert(static_cast<unsigned>(i % 2), keys[i], comparisons));
  }
  CHECK(set.size() == 2000);
  CHECK(set.reserve(2000));
  CHECK_FALSE(set.reserve(100'000));
  CHECK(set.size() == 1000);
  CHECK(set.reserve(200'000));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    CHECK(set.insert(0, keys[i], comparisons) == (i >= 1000));
  }
}

TEST_CASE("keys at the end of the table continue at its beginning", "[level_key_set]") {
  // Keys of the greatest place overflow to the beginning of the table and must be found there.
  LevelKeySet set(2);
  std::uint64_t comparisons = 0;
  for (std::uint64_t tag = 1; tag <= 100; ++tag) {
    CHECK(set.insert(0, {tag, Goldilocks::kModulus - 1}, comparisons));
    CHECK(set.insert(1, {tag + 1000, 0}, comparisons));
  }
  set.reserve(100'000);
  for (std::uint64_t tag = 1; tag <= 100; ++tag) {
    CHECK_FALSE(set.insert(0, {tag, Goldilocks::kModulus - 1}, comparisons));
    CHECK_FALSE(set.insert(0, {tag + 1000, 0}, comparisons));
  }
}

TEST_CASE("memory in huge pages is zero-initialized and movable", "[level_key_set]") {
  HugePageArray<std::uint64_t> array(5'000'000);
  CHECK(std::all_of(array.elements().begin(), array.elements().end(),
                    [](std::uint64_t word) { return word == 0; }));
  array[4'999'999] = 7;
  const HugePageArray<std::uint64_t> moved = std::move(array);
  CHECK(moved.size() == 5'000'000);
  CHECK(moved[4'999'999] == 7);
  CHECK(HugePageArray<std::uint64_t>(0).size() == 0);
  CHECK(HugePageArray<std::uint64_t>().elements().empty());
}
