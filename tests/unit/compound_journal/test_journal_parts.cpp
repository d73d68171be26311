#include <catch2/catch.hpp>

#include <string>
#include <variant>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

Circuit program_on_two_qubits(const std::string& statements) {
  return parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; creg c[1];" + statements);
}

std::vector<JournalPart> parts() {
  const Circuit first = program_on_two_qubits("h q[0]; rz(0.125) q[1];");
  const Circuit second =
      program_on_two_qubits("reset q[1]; measure q[1] -> c[0]; if (c == 1) z q[0];");
  ReplacementPart replacements{without_operations(second), {}};
  replacements.replacements.push_back({1, 1, {second.operations[0]}, parse_angle("pi/8")});
  replacements.replacements.push_back(
      {2, 0, {second.operations[1], second.operations[2]}, parse_angle("0.125")});
  return {ComparedPart{first}, replacements, BarrierPart{7}, RewritePart{"some bytes", first},
          RewritePart{std::string("\0more", 5), std::nullopt}};
}

}  // namespace

TEST_CASE("A compound journal is read as it was written") {
  const std::string bytes = compound_journal(parts());
  CHECK(is_compound_journal(bytes));
  const std::vector<JournalPart> read = parts_of_journal(bytes, "x.qj");
  const std::vector<JournalPart> written = parts();
  REQUIRE(read.size() == written.size());
  CHECK(std::get<ComparedPart>(read[0]).circuit == std::get<ComparedPart>(written[0]).circuit);
  const auto& replaced = std::get<ReplacementPart>(read[1]);
  const auto& expected = std::get<ReplacementPart>(written[1]);
  CHECK(replaced.declarations.bit_registers == expected.declarations.bit_registers);
  CHECK(replaced.declarations.operations.empty());
  REQUIRE(replaced.replacements.size() == expected.replacements.size());
  for (std::size_t i = 0; i < expected.replacements.size(); ++i) {
    CHECK(replaced.replacements[i].position == expected.replacements[i].position);
    CHECK(replaced.replacements[i].removed == expected.replacements[i].removed);
    CHECK(replaced.replacements[i].inserted == expected.replacements[i].inserted);
    CHECK(replaced.replacements[i].base == expected.replacements[i].base);
  }
  CHECK(std::get<BarrierPart>(read[2]).first == 7);
  CHECK(std::get<RewritePart>(read[3]).journal == "some bytes");
  CHECK(std::get<RewritePart>(read[3]).circuit == std::get<RewritePart>(written[3]).circuit);
  CHECK(std::get<RewritePart>(read[4]).journal == std::string("\0more", 5));
  CHECK_FALSE(std::get<RewritePart>(read[4]).circuit);
}

TEST_CASE("A compound journal that ends early is refused") {
  const std::string bytes = compound_journal(parts());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(parts_of_journal(bytes.substr(0, size), "x.qj"), InputError);
  }
}

TEST_CASE("Most compound journals with a byte that is changed are refused, and others are read") {
  const std::string bytes = compound_journal(parts());
  std::size_t refused = 0;
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[place] = static_cast<char>(changed[place] ^ change);
      try {
        (void)parts_of_journal(changed, "x.qj");
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  CHECK(refused > 2 * bytes.size());
}

TEST_CASE("Bytes behind the end of a compound journal are refused") {
  CHECK_THROWS_WITH(parts_of_journal(compound_journal(parts()) + "x", "x.qj"),
                    Contains("x.qj: byte") && Contains("bytes behind the end"));
}

TEST_CASE("Replacements with fewer operations than their program are refused") {
  std::vector<JournalPart> more = parts();
  std::get<ReplacementPart>(more[1]).replacements.pop_back();
  std::string bytes = compound_journal({more[1]});
  CHECK_NOTHROW(parts_of_journal(bytes, "x.qj"));
  // The number of operations of the one replacement follows the kind, the number of replacements,
  // its position and its number of removed operations.
  REQUIRE(bytes[12] == 1);
  bytes[12] = 0;
  CHECK_THROWS_WITH(parts_of_journal(bytes, "x.qj"), Contains("too many operations"));
  bytes[12] = 2;
  CHECK_THROWS_WITH(parts_of_journal(bytes, "x.qj"), Contains("too few operations"));
}
