#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "certify/replay/journal_reader.hpp"
#include "circuit/history.hpp"
#include "formats/journal_records.hpp"
#include "journal/journal_writer.hpp"

using namespace quartz;
using namespace quartz::circuit;
using certify::JournalReader;
using certify::JournalRecord;
using formats::RecordField;
using formats::RecordKind;
using journal::JournalWriter;
using journal::OperationNumber;

// These tests are about every record of the list: what is written is read again.

namespace {

/// Returns whether records of this kind have one of some fields.
bool has(RecordKind kind, std::initializer_list<RecordField> some) {
  const auto fields = formats::layout_of(kind).fields();
  return std::ranges::find_first_of(fields, some) != fields.end();
}

bool has_places(RecordKind kind) {
  return has(kind, {RecordField::gaps, RecordField::swap_places, RecordField::placed_gates});
}
bool has_gates(RecordKind kind) {
  return has(kind,
             {RecordField::window_gates, RecordField::placed_gates, RecordField::lemma_gates});
}

/// Returns a list, or an empty one if a record does not have it.
template <typename List>
List if_any(bool is_there, const List& list) {
  return is_there ? list : List();
}

template <typename Place>
std::vector<std::pair<std::uint64_t, std::uint64_t>> as_pairs(const std::vector<Place>& places) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const Place& place : places) pairs.emplace_back(place.wire, place.after);
  return pairs;
}

/// Writes two records, and reads them into the same one.
JournalRecord second_read(const JournalWriter::Record& first, const JournalWriter::Record& second) {
  std::ostringstream out;
  JournalWriter writer(out, 100);
  writer.step(first);
  writer.step(second);
  writer.finish();
  std::istringstream in(out.str());
  JournalReader reader(in, "the journal");
  JournalRecord result;
  reader.next(result);
  CHECK(result.kind == first.kind);
  reader.next(result);
  CHECK(result.kind == second.kind);
  JournalRecord end;
  reader.next(end);
  CHECK(end.kind == RecordKind::end);
  reader.require_end();
  return result;
}

}  // namespace

TEST_CASE("Every record of a journal is read as it was written", "[journal]") {
  const std::vector<OperationNumber> removed{500, 2, 90000};
  const std::vector<Qubit> removed_qubits{1, 300, 1, 2};
  const std::vector<OperationNumber> context{7, 3};
  const std::vector<OperationNumber> order{4, 3, 800};
  const std::vector<JournalWriter::Place> places{{2, 0}, {1, 1000}};
  const std::vector<JournalWriter::Gate> gates{{300, {2}}, {7, {1}}};
  const auto check = [&](RecordKind before, RecordKind kind) {
    CAPTURE(static_cast<int>(before), static_cast<int>(kind));
    JournalWriter::Record record{.kind = before,
                                 .removed = removed,
                                 .removed_qubits = removed_qubits,
                                 .context = context,
                                 .order = order,
                                 .places = places,
                                 .gates = gates,
                                 .text = "rz(pi/4)",
                                 .lemma = 1000,
                                 .steps = 1U << 31U,
                                 .operations = std::uint64_t{1} << 40U};
    const JournalWriter::Record first = record;
    record.kind = kind;
    const JournalRecord read = second_read(first, record);
    CHECK(read.removed == if_any(has(kind, {RecordField::removed}), removed));
    CHECK(read.context == if_any(has(kind, {RecordField::context}), context));
    CHECK(read.order == if_any(has(kind, {RecordField::order}), order));
    CHECK(as_pairs(read.places) == if_any(has_places(kind), as_pairs(places)));
    CHECK(read.gates == if_any(has_gates(kind), std::vector<std::uint32_t>{300, 7}));
    CHECK(read.arities == if_any(has_gates(kind), std::vector<std::uint32_t>{1, 1}));
    std::vector<std::uint8_t> operands;
    if (has(kind, {RecordField::window_gates})) operands = {2, 0};  // the wires are 1, 300, 2, ...
    if (has(kind, {RecordField::lemma_gates})) operands = {2, 1};
    CHECK(read.operands == operands);
    if (has(kind, {RecordField::text})) CHECK(read.text == "rz(pi/4)");
    if (has(kind, {RecordField::lemma})) CHECK(read.lemma == 1000);
    if (has(kind, {RecordField::steps})) CHECK(read.steps == 1U << 31U);
    if (has(kind, {RecordField::operations})) {
      CHECK(read.operations == std::uint64_t{1} << 40U);
    }
  };
  for (const formats::RecordLayout& before : formats::kJournalRecords) {
    for (const formats::RecordLayout& layout : formats::kJournalRecords) {
      check(before.kind(), layout.kind());
    }
  }
}

TEST_CASE("Every record of a history is read as it was written", "[journal]") {
  const std::vector<GateNumber> removed{500, 2, 90000};
  const std::vector<GateNumber> context{7, 3};
  const std::vector<RecordedPlace> places{{2, 0}, {1, 1000}};
  const std::vector<RecordedGate> gates{{300, {2}}, {7, {1}}};
  HistoryRecorder recorder(100000);
  for (const RecordKind kind : formats::kHistoryRecords) {
    recorder.record({.kind = kind,
                     .removed = removed,
                     .context = context,
                     .places = places,
                     .inserted = gates});
  }
  const HistoryPointer history = std::move(recorder).finish({});
  HistoryReader reader(std::get<History::Rewrites>(history->content));
  HistoryRecord read;
  for (const RecordKind kind : formats::kHistoryRecords) {
    CAPTURE(static_cast<int>(kind));
    REQUIRE(reader.next(read));
    CHECK(read.kind == kind);
    CHECK(read.removed == if_any(has(kind, {RecordField::removed}), removed));
    CHECK(read.context == if_any(has(kind, {RecordField::context}), context));
    CHECK(as_pairs(read.places) == if_any(has_places(kind), as_pairs(places)));
    const bool is_same =
        std::ranges::equal(read.inserted, if_any(has_gates(kind), gates),
                           [](const RecordedGate& a, const RecordedGate& b) {
                             return a.code == b.code && std::ranges::equal(a.qubits, b.qubits);
                           });
    CHECK(is_same);
  }
  CHECK_FALSE(reader.next(read));
}

TEST_CASE("Operands in a history are qubits or wires of the removed gates", "[journal]") {
  constexpr Qubit kHighest = circuit::kWindowWire - 1;
  const std::vector<RecordedGate> gates{{0, {circuit::kWindowWire | 1U, 0, kHighest}},
                                        {1, {1, circuit::kWindowWire}}};
  HistoryRecorder recorder(2);
  recorder.rewrite(std::vector<GateNumber>{0, 1}, {}, gates);
  const HistoryPointer history = std::move(recorder).finish({});
  HistoryReader reader(std::get<History::Rewrites>(history->content));
  HistoryRecord read;
  REQUIRE(reader.next(read));
  REQUIRE(read.inserted.size() == gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    CHECK(read.inserted[i].code == gates[i].code);
    CHECK(std::ranges::equal(read.inserted[i].qubits, gates[i].qubits));
  }
}
