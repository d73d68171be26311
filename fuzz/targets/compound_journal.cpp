#include "quartz/compound_journal/compound_journal.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"
#include "target.hpp"

// An input is read as a compound journal, with the bytes that begin one before it. Most programs in
// it would be damaged, because they are compressed, so it is also read as a replacement: a byte for
// the position, one for the number of replaced operations, and a program in OpenQASM behind the
// registers of the first circuit. Each replacement that is proved is confirmed by a comparison of
// the whole circuits.

namespace quartz::fuzz::compound_journal {
namespace {

Circuit circuit_of(std::string_view operations) {
  return parse_qasm(
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; qreg a[2]; creg c[1]; creg d[1];\n" +
      std::string(operations));
}

Circuit input_of(std::string_view operations) {
  return parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2];\n" + std::string(operations));
}

constexpr std::string_view input_gates =
    "h q[0]; cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1]; h q[1];";

EquivalenceOptions limits() {
  EquivalenceOptions options;
  options.ancillas = true;
  options.seconds = 2;
  options.memory_bytes = 1e9;
  return options;
}

bool is_equal(const EquivalenceReport& report) {
  return report.verdict == EquivalenceVerdict::equal ||
         report.verdict == EquivalenceVerdict::equal_up_to_phase;
}

void read_parts(std::string_view input) {
  static const std::string magic = quartz::compound_journal({}).substr(0, 8);
  const Circuit other = circuit_of("h q[0];");
  try {
    const EquivalenceReport report = replay_compound_journal(
        input_of(input_gates), other, magic + std::string(input), input_name, limits());
    require(!is_equal(report), "no compound journal certifies circuits that differ");
  } catch (const InputError&) {
    // It is refused.
  }
}

void read_replacement(std::string_view input) {
  if (input.size() < 2) return;
  Circuit inserted;
  try {
    inserted = circuit_of(input.substr(2));
  } catch (const InputError&) {
    return;
  }
  Replacement replacement{static_cast<std::uint8_t>(input[0]), static_cast<std::uint8_t>(input[1]),
                          std::move(inserted.operations), parse_angle("0.3")};
  Circuit circuit = input_of(input_gates);
  const Circuit first = circuit;
  const ReplacementPart part{without_operations(inserted), {std::move(replacement)}};
  if (!is_equal(prove_replacements(circuit, first, part, limits()))) return;
  require(check_equivalence(first, circuit, limits()).verdict != EquivalenceVerdict::not_equal,
          "a replacement that is proved makes an equal circuit");
}

}  // namespace

void run(std::string_view input) {
  read_parts(input);
  read_replacement(input);
}

std::vector<std::string> seeds() {
  using namespace std::string_literals;
  const std::string parity =
      "reset a[0]; cx q[0],a[0]; cx q[1],a[0]; rz(0.3) a[0]; h a[0]; measure a[0] -> c[0];\n"
      "if (c == 1) z q[0]; if (c == 1) z q[1];";
  std::vector<std::string> seeds{"\1\3"s + parity, "\0\0"s + "h q[0]; h q[0];",
                                 "\5\0"s + "reset a[1]; measure a[1] -> d[0]; if (d == 1) x q[0];"};
  const Circuit second = circuit_of(parity);
  const std::vector<JournalPart> parts{
      ComparedPart{circuit_of(input_gates)},
      ReplacementPart{without_operations(second), {{1, 3, second.operations, parse_angle("0.3")}}},
      BarrierPart{2}, RewritePart{"", std::nullopt}};
  for (const JournalPart& part : parts) {
    seeds.push_back(quartz::compound_journal({part}).substr(8));
  }
  return seeds;
}

}  // namespace quartz::fuzz::compound_journal
