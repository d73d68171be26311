#include "quartz/certify/journal.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "formats/journal_records.hpp"
#include "operation_journal.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/qasm/qasm.hpp"
#include "target.hpp"

// An input is the records of a journal (docs/formats/journal.md), which are put into one block of a
// file. They are steps from the first circuit below.

namespace quartz::fuzz::journal {
namespace {

constexpr std::size_t kMagicBytes = formats::kJournalMagic.size();
constexpr std::size_t kSizeBytes = 4;

Circuit circuit_of(const std::string& gates) {
  return parse_qasm(
      "OPENQASM 3.0;\ninclude \"stdgates.inc\";\ninput float[64] theta;\n"
      "qubit[3] q;\nbit[1] c;\n" +
      gates);
}

const Circuit& first_circuit() {
  static const Circuit circuit = circuit_of(
      "h q[0]; cx q[0], q[1]; t q[1]; tdg q[1]; cx q[0], q[1]; h q[0]; rz(theta) q[2];\n"
      "c[0] = measure q[2]; s q[0]; s q[0]; z q[0]; x q[1];\n"
      "if (c[0]) { s q[1]; s q[1]; z q[1]; }\n");
  return circuit;
}

const Circuit& equal_circuit() {
  static const Circuit circuit = circuit_of("rz(theta) q[2]; c[0] = measure q[2]; x q[1];\n");
  return circuit;
}

std::string file_of(std::string_view records) {
  const std::string block = quartz::compressed(records, CompressionEffort::least);
  std::string file(formats::kJournalMagic);
  for (std::size_t i = 0; i < kSizeBytes; ++i) file += static_cast<char>(block.size() >> 8 * i);
  return file + block + std::string(kSizeBytes, '\0');
}

std::optional<ReplayReport> replay(const Circuit& output, const std::string& path) {
  ReplayOptions options;
  options.seconds = 5;
  options.memory_bytes = 1e9;
  try {
    return replay_journal(first_circuit(), output, path, options);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

void run(std::string_view input) {
  static const std::array different = {
      circuit_of("rz(theta) q[2]; c[0] = measure q[2];\n"),
      circuit_of("rz(-theta) q[2]; c[0] = measure q[2]; x q[1];\n"),
      circuit_of("rz(theta) q[2]; x q[1];\n")};
  const std::string path = scratch_file("journal");
  write_scratch_file(path, file_of(input));
  for (const Circuit& output : different) {
    const auto report = replay(output, path);
    require(!report || !report->is_certified, "no journal certifies circuits that differ");
  }
  const auto report = replay(equal_circuit(), path);
  if (!report || !report->is_certified) return;
  const double turns = report->phase.value() / (2 * std::numbers::pi);
  require(std::abs(turns - std::round(turns)) <= report->distance + 1e-9,
          "the phase between the circuits is 0");
}

std::vector<std::string> seeds() {
  const std::vector<Operation>& gates = first_circuit().operations;
  using quartz::test::OperationJournal;
  std::vector<std::string> seeds;
  const auto add = [&](const auto& write) {
    std::ostringstream out;
    OperationJournal writer(out, gates.size());
    write(writer);
    writer.finish();
    const std::string file = out.str();
    const std::size_t begin = kMagicBytes + kSizeBytes;
    seeds.push_back(decompressed(file.substr(begin, file.size() - begin - kSizeBytes), input_name));
  };
  const auto remove = [&](OperationJournal& writer, const std::vector<std::uint64_t>& numbers) {
    std::vector<Operation> removed;
    for (const std::uint64_t number : numbers) removed.push_back(gates[number]);
    writer.rewrite(numbers, removed, {}, {});
  };
  const auto lead_to_equal_circuit = [&](OperationJournal& writer) {
    remove(writer, {2, 3});
    remove(writer, {1, 4});
    remove(writer, {0, 5});
    remove(writer, {8, 9, 10});
    remove(writer, {12, 13, 14});
  };
  add([](OperationJournal&) {});
  add(lead_to_equal_circuit);
  // Without a right journal among the seeds, hardly any input would be one.
  const std::string path = scratch_file("seed");
  write_scratch_file(path, file_of(seeds.back()));
  const auto report = replay(equal_circuit(), path);
  require(report && report->is_certified, "the journal of the seeds is certified");
  add([&](OperationJournal& writer) {
    remove(writer, {2, 3});
    writer.renumber();
    const std::vector<std::uint64_t> both = {6, 7};
    const std::vector<Operation> removed = {gates[8], gates[9]};
    const std::vector<Operation> inserted = {gates[10], gates[1], gates[1]};
    const std::vector<OperationJournal::Place> gaps = {{1, 3}};
    writer.rewrite(both, removed, gaps, inserted);
  });
  add([&](OperationJournal& writer) {
    const std::vector<std::uint64_t> inner = {3, 2};
    writer.exchange(inner, {});
    const std::vector<std::uint64_t> phases = {8, 9};
    const std::uint64_t first_inserted = writer.next_number();
    const std::vector<quartz::test::Insertion> moved = {{gates[10], {1}},
                                                        {gates[1], {first_inserted + 1, 0}}};
    writer.exchange(phases, moved);
  });
  add([&](OperationJournal& writer) {
    lead_to_equal_circuit(writer);
    const std::uint64_t number = writer.next_number();
    writer.swap({OperationJournal::Place{0, 0}, OperationJournal::Place{1, 12}});
    writer.swap({OperationJournal::Place{1, number + 1}, OperationJournal::Place{0, number + 1}});
  });
  // A record of each kind that there is.
  for (const formats::RecordLayout& layout : formats::kJournalRecords) {
    add([&](OperationJournal& writer) {
      const std::vector<std::uint64_t> removed = {2, 3};
      const std::vector<std::uint64_t> all = {0};
      const std::vector<Qubit> removed_qubits = {1, 1};
      const std::vector<OperationJournal::Place> places = {{0, 1}, {1, 0}};
      const std::vector<OperationJournal::Gate> inserted = {{writer.code_of(gates[1]), {0, 1}}};
      writer.step({.kind = layout.kind(),
                   .removed = removed,
                   .removed_qubits = removed_qubits,
                   .context = removed,
                   .order = all,
                   .places = places,
                   .gates = inserted,
                   .text = "u3(pi/2,0,-theta)"});
    });
  }
  add([&](OperationJournal& writer) {
    const std::vector<OperationJournal::Gate> lemma = {{writer.code_of(gates[2]), {0}},
                                                       {writer.code_of(gates[3]), {0}}};
    writer.begin_lemma(lemma);
    writer.rewrite(std::vector<std::uint64_t>{0, 1}, std::vector{gates[2], gates[3]}, {}, {});
    writer.end_lemma({});
    writer.use_lemma(0, std::vector<std::uint64_t>{2, 3}, 0);
  });
  return seeds;
}

}  // namespace quartz::fuzz::journal
