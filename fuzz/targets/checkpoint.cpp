#include <algorithm>
#include <cstdint>
#include <exception>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "circuit/history.hpp"
#include "journal/history_file.hpp"
#include "journal/history_writer.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/circuit.hpp"
#include "target.hpp"

// An input is the content of one block of a file of histories (docs/formats/checkpoint.md); its
// size and its checksum are put right. Every history in it is written as a journal of a circuit of
// three gates, which need not be the one that it belongs to.

namespace quartz::fuzz::checkpoint {
namespace {

const Circuit& first_circuit() {
  static const Circuit circuit =
      make_circuit(3, {make_operation(GateKind::h, {0}), make_operation(GateKind::cx, {0, 1}),
                       make_operation(GateKind::rz, {2}, {Angle::pi_times({1, 4})})});
  return circuit;
}

void put_word(std::string& bytes, std::uint64_t word) {
  for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(word >> 8 * i));
}

std::string file_with(std::string_view block) {
  std::string file = "QUARTZH\x01";
  put_word(file, block.size());
  put_word(file, checksum_of(std::as_bytes(std::span(block))));
  return file.append(block);
}

std::string block_of(const circuit::HistoryPointer& history) {
  const std::string path = scratch_file("histories");
  journal::HistoryFile file(path);
  (void)file.append(history);
  return read_text_file(path).substr(24);
}

circuit::HistoryPointer pair_of_gates(GateKind kind, Qubit qubit) {
  circuit::HistoryRecorder recorder(3);
  const std::vector<circuit::RecordedPlace> gap{{qubit, 1}};
  const std::vector<Operation> pair(2, make_operation(kind, {qubit}));
  recorder.rewrite(std::vector<circuit::GateNumber>{}, gap, pair);
  recorder.rewrite(std::vector<circuit::GateNumber>{3, 4}, {}, std::vector<Operation>{});
  return std::move(recorder).finish({0, 1, 2});
}

}  // namespace

void run(std::string_view input) {
  const std::string file = file_with(input);
  constexpr std::uint64_t most_nodes = 8;
  for (std::uint64_t node = 1; node <= most_nodes; ++node) {
    const auto history = read([&] {
      return journal::parse_history(file, input_name, {file.size(), node});
    });
    if (!history) return;
    if (!journal::is_complete(history->get())) continue;
    std::ostringstream journal;
    try {
      (void)journal::write_journal(journal, first_circuit(), *history);
    } catch (const std::exception&) {
      // A history of another circuit, or one that nobody wrote, is found out at some point.
    }
  }
}

std::vector<std::string> seeds() {
  const circuit::HistoryPointer first = pair_of_gates(GateKind::x, 0);
  const circuit::HistoryPointer second = pair_of_gates(GateKind::h, 1);
  std::vector<circuit::History::Part> parts;
  parts.push_back({{0, 1, 2}, {0, 1, 2}, second});
  return {block_of(first), block_of(circuit::in_sequence(first, second)),
          block_of(circuit::in_sequence(first, circuit::in_parts(std::move(parts)))),
          block_of(circuit::unknown_history())};
}

}  // namespace quartz::fuzz::checkpoint
