#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "journal/history_file.hpp"
#include "journal/history_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/circuit.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::test;
using journal::HistoryFile;
using journal::StoredHistory;
using enum GateKind;

namespace {

Circuit input() {
  return make_circuit(3, {make_operation(h, {0}), make_operation(cx, {0, 1}),
                          make_operation(rz, {2}, {Angle::pi_times({1, 4})})});
}

std::string journal_of(const HistoryPointer& history) {
  std::ostringstream out;
  journal::write_journal(out, input(), history);
  return out.str();
}

/// Returns the rewrite of the gate at `place` of three into the same gate and a pair that cancels,
/// and back.
HistoryPointer there_and_back(const Operation& gate, const Operation& one, const Operation& other,
                              GateNumber place, std::shared_ptr<RecordedGates> gates = nullptr) {
  HistoryRecorder recorder(3, gates ? gates : std::make_shared<RecordedGates>());
  const std::vector<Operation> longer{gate, one, other};
  recorder.rewrite(std::vector<GateNumber>{place}, {}, longer);
  recorder.rewrite(std::vector<GateNumber>{3, 4, 5}, {}, std::vector<Operation>{gate});
  std::vector<GateNumber> order{0, 1, 2};
  order[place] = 6;
  return std::move(recorder).finish(order);
}

/// Returns histories of the circuit, each of which continues the one before.
std::vector<HistoryPointer> versions() {
  const auto gates = std::make_shared<RecordedGates>();
  std::vector<HistoryPointer> result{nullptr};
  const HistoryPointer first = there_and_back(make_operation(h, {0}), make_operation(x, {0}),
                                              make_operation(x, {0}), 0, gates);
  result.push_back(first);
  const HistoryPointer second =
      there_and_back(make_operation(rz, {2}, {Angle::pi_times({1, 4})}),
                     make_operation(rz, {2}, {Angle::decimal("0.1234567890123456789")}),
                     make_operation(rz, {2}, {-Angle::decimal("0.1234567890123456789")}), 2, gates);
  result.push_back(in_sequence(first, second));
  std::vector<History::Part> parts(1);
  parts[0] = {{0, 1, 2}, {0, 1, 2}, second};
  result.push_back(in_sequence(result.back(), in_parts(std::move(parts))));
  HistoryRecorder exchange(3, gates);
  exchange.exchange(std::vector<GateNumber>{2},
                    std::vector<RecordedGate>{{gates->code_of(make_operation(s, {0})), {2}}},
                    std::vector<RecordedPlace>{{2, 0}});
  result.push_back(in_sequence(result.back(), std::move(exchange).finish({0, 1, 3})));
  return result;
}

}  // namespace

TEST_CASE("histories are read from a file as they were stored", "[history file]") {
  const TemporaryFolder folder;
  HistoryFile file(folder / "histories");
  std::vector<StoredHistory> stored;
  for (const HistoryPointer& history : versions()) stored.push_back(file.append(history));
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const HistoryPointer read = journal::read_history(folder / "histories", stored[i]);
    CHECK(steps_of(read.get()) == steps_of(versions()[i].get()));
    CHECK(journal_of(read) == journal_of(versions()[i]));
  }
}

TEST_CASE("a file of histories grows by what is new", "[history file]") {
  const TemporaryFolder folder;
  HistoryFile file(folder / "histories");
  const std::vector<HistoryPointer> all = versions();
  const StoredHistory last = file.append(all.back());
  // The parts of the last history are in the file already.
  CHECK(file.append(all[1]).bytes == last.bytes);
  CHECK(file.append(all[2]).node < last.node);
  CHECK(journal_of(journal::read_history(folder / "histories", file.append(all[2]))) ==
        journal_of(all[2]));
  CHECK(file.append(unknown_history()).bytes > last.bytes);
  // A history that no longer exists is not confused with one that follows it in memory.
  for (int i = 0; i < 100; ++i) {
    const HistoryPointer other =
        there_and_back(make_operation(h, {0}), make_operation(x, {0}), make_operation(x, {0}), 0);
    REQUIRE(file.append(other).node > last.node + static_cast<std::uint64_t>(i));
  }
}

// Checkpoints are continued by later versions (docs/formats/checkpoint.md): these bytes do not
// change.
TEST_CASE("the entries of a file of histories have these bytes", "[history file]") {
  HistoryRecorder recorder(2);
  recorder.rewrite(std::vector<GateNumber>{1}, {},
                   std::vector<Operation>{make_operation(rz, {1}, {Angle::pi_times({1, 4})})});
  const HistoryPointer rewrites = std::move(recorder).finish({0, 2});
  const HistoryPointer lemma = as_lemma(
      std::vector<Operation>{make_operation(cx, {0, 1}), make_operation(h, {1})}, rewrites);
  std::vector<History::Part> parts(2);
  parts[0] = {{0, 300}, {5, 200}, lemma};
  parts[1] = {{1}, {}, nullptr};
  History::Permutation swapped;
  swapped.swaps = {{RecordedPlace{0, 2}, RecordedPlace{200, 0}}};
  swapped.final_operations = {7};
  swapped.places = {1, 0};
  swapped.order = {0, 1, 8, 7};
  const HistoryPointer both =
      in_sequence(in_parts(std::move(parts)), std::make_shared<History>(std::move(swapped)));
  const TemporaryFolder folder;
  HistoryFile file(folder / "histories");
  const StoredHistory stored = file.append(in_sequence(both, unknown_history()));
  CHECK(stored.node == 7);
  std::string entries;
  for (const unsigned byte :
       {4,   5,   1, 0, 2,   200, 1,   0,  1,   7,   2, 1, 0, 4, 0, 1, 8, 7, 0, 0, 1, 2,
        114, 122, 1, 4, 112, 105, 47,  52, 1,   0,   1, 2, 0, 2, 8, 0, 1, 2, 0, 1, 0, 1,
        1,   0,   1, 2, 2,   99,  120, 0,  1,   104, 0, 6, 1, 2, 0, 2, 0, 1, 1, 1, 1, 3,
        3,   2,   2, 0, 172, 2,   2,   5,  200, 1,   4, 1, 1, 0, 0, 2, 5, 2, 2, 6, 1}) {
    entries.push_back(static_cast<char>(byte));
  }
  // Behind the first bytes of the file, and the size and the checksum of the block.
  CHECK(read_text_file(folder / "histories").substr(8 + 16) == entries);
}

TEST_CASE("an output permutation stays one in a file", "[history file]") {
  const TemporaryFolder folder;
  History::Permutation swapped;
  swapped.swaps = {{RecordedPlace{0, 2}, RecordedPlace{2, 3}}};
  swapped.final_operations = {};
  swapped.places = {2, 1, 0};
  swapped.order = {0, 1, 2, 3};
  const auto history = std::make_shared<History>(std::move(swapped));
  HistoryFile file(folder / "histories");
  const StoredHistory stored = file.append(history);
  const HistoryPointer read = journal::read_history(folder / "histories", stored);
  REQUIRE(journal::is_complete(read.get()));
  CHECK(journal_of(read) == journal_of(history));
}

TEST_CASE("an unrecorded history stays one in a file", "[history file]") {
  const TemporaryFolder folder;
  HistoryFile file(folder / "histories");
  const StoredHistory stored = file.append(in_sequence(versions()[1], unknown_history()));
  CHECK_FALSE(journal::is_complete(journal::read_history(folder / "histories", stored).get()));
}

TEST_CASE("a damaged file of histories is refused", "[history file]") {
  const TemporaryFolder folder;
  HistoryFile file(folder / "histories");
  const HistoryPointer history = versions().back();
  const StoredHistory stored = file.append(history);
  const std::string content = read_text_file(folder / "histories");
  REQUIRE(content.size() == stored.bytes);
  const auto is_refused = [&](const std::string& bytes, const StoredHistory& wanted) {
    try {
      (void)journal::parse_history(bytes, "histories", wanted);
      return false;
    } catch (const InputError& error) {
      return error.location().file == "histories";
    }
  };
  for (std::size_t size = 0; size < content.size(); ++size) {
    CAPTURE(size);
    REQUIRE(is_refused(content.substr(0, size), stored));
    // The file may have been cut between two blocks, but not within one.
    if (size != 8) REQUIRE(is_refused(content, {size, stored.node}));
  }
  for (std::size_t i = 0; i < content.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = content;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      CAPTURE(i, bit);
      REQUIRE(is_refused(damaged, stored));
    }
  }
  CHECK(is_refused(content, {stored.bytes, stored.node + 1}));
  // What a killed process wrote behind the last complete block does not matter.
  const HistoryPointer read = journal::parse_history(content + "abc", "histories", stored);
  CHECK(journal_of(read) == journal_of(history));
}
