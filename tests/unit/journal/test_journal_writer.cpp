#include "journal/journal_writer.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/leb128.hpp"
#include "quartz/base/compression.hpp"

using namespace quartz;
using formats::RecordKind;
using journal::JournalWriter;
using journal::OperationNumber;

namespace {

std::string bytes_of(const std::vector<unsigned>& values) {
  std::string bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<char>(value));
  return bytes;
}

}  // namespace

TEST_CASE("Numbers have seven bits in each byte", "[journal]") {
  const auto written = [](std::uint64_t number) {
    std::string appended = "x";
    append_leb128(appended, number);
    std::string put(kMaxLeb128Bytes, '\0');
    put.resize(static_cast<std::size_t>(put_leb128(put.data(), number) - put.data()));
    CHECK(appended == "x" + put);
    return put;
  };
  CHECK(written(0) == bytes_of({0}));
  CHECK(written(127) == bytes_of({127}));
  CHECK(written(128) == bytes_of({128, 1}));
  CHECK(written(300) == bytes_of({172, 2}));
  CHECK(written(std::numeric_limits<std::uint64_t>::max()) ==
        bytes_of({255, 255, 255, 255, 255, 255, 255, 255, 255, 1}));
  CHECK(zigzag(0) == 0);
  CHECK(zigzag(-1) == 1);
  CHECK(zigzag(1) == 2);
  CHECK(zigzag(std::numeric_limits<std::int64_t>::min()) ==
        std::numeric_limits<std::uint64_t>::max());
}

// Other programs read journals (docs/formats/journal.md): their bytes do not change.
TEST_CASE("The records of a journal have these bytes", "[journal]") {
  std::ostringstream out;
  JournalWriter writer(out, 300);
  const JournalWriter::Code h = writer.code_of(make_operation(GateKind::h, {0}));
  const JournalWriter::Code rz =
      writer.code_of(make_operation(GateKind::rz, {0}, {Angle::pi_times(Rational(1, 4))}));
  writer.step({.kind = RecordKind::rewrite,
               .removed = std::vector<OperationNumber>{5, 200, 7},
               .removed_qubits = std::vector<Qubit>{3, 9, 3},
               .places = std::vector<JournalWriter::Place>{{130, 201}},
               .gates = std::vector<JournalWriter::Gate>{{h, {9}}, {rz, {130}}}});
  writer.step({.kind = RecordKind::exchange,
               .removed = std::vector<OperationNumber>{299},
               .places = std::vector<JournalWriter::Place>{{2, 300}},
               .gates = std::vector<JournalWriter::Gate>{{rz, {2}}}});
  writer.step({.kind = RecordKind::exchange_in_context,
               .context = std::vector<OperationNumber>{8},
               .places = std::vector<JournalWriter::Place>{{0, 0}},
               .gates = std::vector<JournalWriter::Gate>{{h, {0}}}});
  writer.swap({{{0, 1}, {1, 0}}});
  writer.renumber();
  CHECK(writer.next_number() == 301);
  writer.begin_lemma(std::vector<JournalWriter::Gate>{{h, {0}}, {rz, {200}}});
  writer.end_lemma(std::vector<OperationNumber>{1, 0});
  writer.use_lemma(129, std::vector<OperationNumber>{3, 300}, 2);
  writer.finish();
  const std::string file = out.str();
  REQUIRE(file.size() > 16);
  CHECK(file.substr(0, 8) == std::string("QUARTZJ\x01", 8));
  CHECK(file.substr(file.size() - 4) == std::string(4, '\0'));
  const std::string records = decompressed(file.substr(12, file.size() - 16), "the journal");
  CHECK(records ==
        bytes_of({1, 1}) + "h" + bytes_of({1, 8}) + "rz(pi/4)" +
            bytes_of({2, 3, 10,   0x86, 3, 0x81, 3,    1,   130, 1,    201, 1, 2,   0, 1,
                      1, 1, 1,    2,    4, 1,    0xd6, 4,   1,   1,    1,   2, 172, 2,  //
                      5, 1, 16,   0,    1, 0,    1,    0,   0,                          //
                      6, 0, 1,    1,    0, 3,                                           //
                      7, 2, 0,    1,    0, 1,    1,    200,                             //
                      8, 2, 2,    1,    9, 129,  1,    2,   6,   0xd2, 4,               //
                      0, 5, 0xad, 2}));
}

// Checkpoints have these records, too.
TEST_CASE("The records of a history have these bytes", "[journal]") {
  circuit::HistoryRecorder recorder(8);
  const auto h = recorder.gates().code_of(make_operation(GateKind::h, {0}));
  const auto cx = recorder.gates().code_of(make_operation(GateKind::cx, {0, 1}));
  recorder.rewrite(std::vector<circuit::GateNumber>{4, 2},
                   std::vector<circuit::RecordedPlace>{{1, 0}},
                   std::vector<circuit::RecordedGate>{{h, {1}}});
  recorder.exchange(std::vector<circuit::GateNumber>{3},
                    std::vector<circuit::RecordedGate>{{cx, {0, 1}}},
                    std::vector<circuit::RecordedPlace>{{0, 5}, {1, 200}});
  recorder.exchange(std::vector<circuit::GateNumber>{}, {}, {},
                    std::vector<circuit::GateNumber>{6});
  CHECK(recorder.next_number() == 10);
  const circuit::HistoryPointer history = std::move(recorder).finish({0, 1});
  const auto& rewrites = std::get<circuit::History::Rewrites>(history->content);
  CHECK(rewrites.steps == 3);
  CHECK(rewrites.records == bytes_of({0, 2, 8,  3, 1, 1, 0, 1,   0, 1, 1,           //
                                      1, 1, 6,  2, 0, 5, 1, 200, 1, 1, 1, 2, 0, 1,  //
                                      2, 1, 12, 0, 0, 0}));
}
