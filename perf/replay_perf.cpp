#include "replay_perf.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "benchmark_list.hpp"
#include "circuits.hpp"
#include "journal/journal_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::perf {
namespace {

constexpr std::size_t kRewrites = 200'000;
constexpr std::size_t kWindowGates = 4;
constexpr std::size_t kWindowWires = 3;

std::size_t wires_of(std::span<const Operation> gates) {
  std::vector<Qubit> wires;
  for (const Operation& gate : gates)
    wires.insert(wires.end(), gate.qubits.begin(), gate.qubits.end());
  std::ranges::sort(wires);
  return static_cast<std::size_t>(std::ranges::unique(wires).begin() - wires.begin());
}

bool commute(const Operation& a, const Operation& b) {
  if (gate(a.gate).diagonal && gate(b.gate).diagonal) return true;
  return std::ranges::none_of(
      a.qubits, [&](Qubit qubit) { return std::ranges::count(b.qubits, qubit) != 0; });
}

/// Rewrites random windows of neighbouring gates: two gates that commute are exchanged if there are
/// any. Writes the journal and returns the last circuit.
Circuit write_journal(Circuit circuit, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  journal::JournalWriter writer(file, circuit.operations.size());
  std::vector<journal::OperationNumber> numbers(circuit.operations.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  std::mt19937_64 random(1);
  while (writer.rewrites() < kRewrites) {
    const std::size_t size = 2 + random() % (kWindowGates - 1);
    const std::size_t place = random() % (circuit.operations.size() - size);
    const std::span<Operation> window = std::span(circuit.operations).subspan(place, size);
    if (wires_of(window) > kWindowWires) continue;
    const std::span<journal::OperationNumber> removed = std::span(numbers).subspan(place, size);
    std::vector<Operation> inserted(window.begin(), window.end());
    const std::size_t exchanged = random() % (size - 1);
    if (commute(inserted[exchanged], inserted[exchanged + 1])) {
      std::swap(inserted[exchanged], inserted[exchanged + 1]);
    }
    const journal::OperationNumber first = writer.next_number();
    writer.rewrite(removed, window, {}, inserted);
    for (std::size_t i = 0; i < size; ++i) {
      window[i] = inserted[i];
      removed[i] = first + i;
    }
  }
  writer.finish();
  return circuit;
}

void replay(benchmark::State& state, std::uint32_t bits) {
  const Circuit input = cuccaro_adder(bits);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("quartz-perf-" + std::to_string(bits) + ".qj");
  const Circuit output = write_journal(input, path);
  for (auto _ : state) {
    ensure(replay_journal(input, output, path).is_certified, "the journal is replayed");
  }
  std::filesystem::remove(path);
  count_items(state, kRewrites);
}

}  // namespace

void replay_409_gates(benchmark::State& state) { replay(state, kBitsOf409Gates); }
void replay_1000009_gates(benchmark::State& state) { replay(state, kBitsOf1000009Gates); }

}  // namespace quartz::perf
