#include "replay_perf.hpp"

#include <algorithm>
#include <bitset>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "benchmark_list.hpp"
#include "circuits.hpp"
#include "operation_journal.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::perf {
namespace {

constexpr std::size_t kRewrites = 200'000;
constexpr std::size_t kExchanges = 1000;
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
  test::OperationJournal writer(file, circuit.operations.size());
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

/// A parity of inputs and of the results of Hadamard gates; the last bit is a constant.
using Parity = std::bitset<256>;

/// The rotations of a circuit of {h, x, rz, cx}, moved at random to places of the same parity.
class MovedRotations {
 public:
  MovedRotations(const Circuit& circuit, std::ostream& out)
      : writer_(out, circuit.operations.size()), qubits_(circuit.qubit_count()) {
    for (const Operation& operation : circuit.operations) {
      gates_.push_back({operation, gates_.size()});
    }
  }

  /// Moves random rotations in one exchange.
  void move(std::size_t count, std::mt19937_64& random) {
    std::vector<Rotation> rotations = take_rotations(count, random);
    find_parities();
    std::vector<journal::OperationNumber> removed;
    for (const Rotation& rotation : rotations) removed.push_back(rotation.number);
    std::vector<test::Insertion> inserted;
    std::vector<std::vector<Gate>> behind(gates_.size() + 1);
    for (Rotation& rotation : rotations) {
      const auto [place, qubit] = random_place(rotation.parity, random);
      rotation.gate.qubits[0] = qubit;
      if (parities_[place][qubit] != rotation.parity) {
        rotation.gate.angles[0] = -rotation.gate.angles[0];
      }
      inserted.push_back({rotation.gate, {number_before(place, qubit)}});
      // The last one of several gates at a place is the first one behind the operation before it.
      std::vector<Gate>& there = behind[place];
      there.insert(there.begin(), {rotation.gate, writer_.next_number() + inserted.size() - 1});
    }
    writer_.exchange(removed, inserted);
    std::vector<Gate> gates;
    for (std::size_t i = 0; i <= gates_.size(); ++i) {
      gates.insert(gates.end(), behind[i].begin(), behind[i].end());
      if (i < gates_.size()) gates.push_back(std::move(gates_[i]));
    }
    gates_ = std::move(gates);
  }

  [[nodiscard]] std::vector<Operation> finish() {
    writer_.finish();
    std::vector<Operation> operations;
    for (const Gate& gate : gates_) operations.push_back(gate.operation);
    return operations;
  }

 private:
  struct Gate {
    Operation operation;
    journal::OperationNumber number = 0;
  };
  struct Rotation {
    Operation gate;
    journal::OperationNumber number = 0;
    Parity parity;
  };

  /// Removes rotations from the list.
  std::vector<Rotation> take_rotations(std::size_t count, std::mt19937_64& random) {
    find_parities();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < gates_.size(); ++i) {
      if (gates_[i].operation.gate == GateKind::rz) places.push_back(i);
    }
    std::ranges::shuffle(places, random);
    places.resize(std::min(count, places.size()));
    std::ranges::sort(places);
    std::vector<Rotation> rotations;
    for (const std::size_t place : places) {
      const Gate& gate = gates_[place];
      rotations.push_back(
          {gate.operation, gate.number, parities_[place][gate.operation.qubits[0]]});
    }
    for (std::size_t i = places.size(); i-- > 0;) {
      gates_.erase(gates_.begin() + static_cast<std::ptrdiff_t>(places[i]));
    }
    return rotations;
  }

  /// Computes the parity on each qubit before each gate, and at the end.
  void find_parities() {
    std::vector<Parity> state(qubits_);
    std::size_t variables = 0;
    for (Parity& parity : state) parity.set(variables++);
    parities_.assign(1, state);
    for (const Gate& gate : gates_) {
      const auto& qubits = gate.operation.qubits;
      if (gate.operation.gate == GateKind::cx) state[qubits[1]] ^= state[qubits[0]];
      if (gate.operation.gate == GateKind::x) state[qubits[0]].flip(state[0].size() - 1);
      if (gate.operation.gate == GateKind::h) state[qubits[0]] = Parity().set(variables++);
      parities_.push_back(state);
    }
    ensure(variables < state[0].size(), "parities have room for all variables");
  }

  /// Returns a place in the list and a qubit that has the parity there, up to the constant.
  std::pair<std::size_t, Qubit> random_place(Parity parity, std::mt19937_64& random) const {
    std::vector<std::pair<std::size_t, Qubit>> places;
    parity.reset(parity.size() - 1);
    for (std::size_t i = 0; i < parities_.size(); ++i) {
      for (Qubit qubit = 0; qubit < qubits_; ++qubit) {
        Parity other = parities_[i][qubit];
        if (other.reset(other.size() - 1) == parity) places.emplace_back(i, qubit);
      }
    }
    return places[random() % places.size()];
  }

  [[nodiscard]] journal::OperationNumber number_before(std::size_t place, Qubit qubit) const {
    for (std::size_t i = place; i-- > 0;) {
      if (std::ranges::count(gates_[i].operation.qubits, qubit) != 0) return gates_[i].number + 1;
    }
    return 0;
  }

  test::OperationJournal writer_;
  Qubit qubits_;
  std::vector<Gate> gates_;
  std::vector<std::vector<Parity>> parities_;  ///< by place and qubit
};

/// Writes exchanges that move rotations, and returns the last circuit.
Circuit write_exchanges(const Circuit& circuit, std::size_t count,
                        const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  MovedRotations rotations(circuit, file);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < kExchanges; ++i) rotations.move(count, random);
  Circuit result = without_operations(circuit);
  result.operations = rotations.finish();
  return result;
}

std::filesystem::path journal_path(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("quartz-perf-" + name + ".qj");
}

void replay_exchanges(benchmark::State& state, std::size_t count) {
  const Circuit input = cuccaro_adder(kBitsOf409Gates);
  const std::filesystem::path path = journal_path("exchanges-" + std::to_string(count));
  const Circuit output = write_exchanges(input, count, path);
  for (auto _ : state) {
    ensure(replay_journal(input, output, path).is_certified, "the journal is replayed");
  }
  std::filesystem::remove(path);
  count_items(state, kExchanges);
}

void replay(benchmark::State& state, std::uint32_t bits) {
  const Circuit input = cuccaro_adder(bits);
  const std::filesystem::path path = journal_path(std::to_string(bits));
  const Circuit output = write_journal(input, path);
  for (auto _ : state) {
    ensure(replay_journal(input, output, path).is_certified, "the journal is replayed");
  }
  std::filesystem::remove(path);
  count_items(state, kRewrites);
}

}  // namespace

void replay_409_gates(benchmark::State& state) { replay(state, kBitsOf409Gates); }
void replay_exchanges_of_40(benchmark::State& state) { replay_exchanges(state, 40); }
void replay_exchanges_of_1(benchmark::State& state) { replay_exchanges(state, 1); }
void replay_1000009_gates(benchmark::State& state) { replay(state, kBitsOf1000009Gates); }

}  // namespace quartz::perf
