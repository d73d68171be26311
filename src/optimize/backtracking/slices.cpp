#include "optimize/backtracking/slices.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "rewrite/packed_circuit.hpp"

namespace quartz::optimizer {
namespace {

/// Comparisons of gates between two reads of the clock: some milliseconds.
constexpr std::size_t kWorkBetweenClockReads = std::size_t{1} << 20U;

/// Enumerates gates in an order that respects the wires; the caller chooses each among the gates
/// that are ready.
class ReadyGates {
 public:
  ReadyGates(std::span<const Operation> gates, std::uint32_t qubits) : gates_(gates) {
    std::vector<std::size_t> last(qubits, kNone);
    followers_.resize(gates.size());
    waiting_for_.assign(gates.size(), 0);
    for (std::size_t i = 0; i < gates.size(); ++i) {
      for (const Qubit qubit : gates[i].qubits) {
        if (last[qubit] != kNone) {
          followers_[last[qubit]].push_back(i);
          ++waiting_for_[i];
        }
        last[qubit] = i;
      }
      if (waiting_for_[i] == 0) ready_.push_back(i);
    }
  }

  [[nodiscard]] bool empty() const { return ready_.empty(); }
  [[nodiscard]] std::size_t size() const { return ready_.size(); }

  /// Returns the ready gate with the least `penalty(gate)`; ties are broken at random.
  template <typename Penalty>
  [[nodiscard]] std::size_t take(std::mt19937_64& random, Penalty&& penalty) {
    std::size_t best = 0;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::size_t equals = 0;
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      const std::size_t own = penalty(gates_[ready_[i]]);
      if (own < least) {
        least = own;
        equals = 0;
      }
      if (own == least && random() % ++equals == 0) best = i;
    }
    const std::size_t taken = ready_[best];
    ready_[best] = ready_.back();
    ready_.pop_back();
    for (const std::size_t follower : followers_[taken]) {
      if (--waiting_for_[follower] == 0) ready_.push_back(follower);
    }
    return taken;
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::span<const Operation> gates_;
  std::vector<std::vector<std::size_t>> followers_;
  std::vector<std::size_t> waiting_for_;
  std::vector<std::size_t> ready_;
};

}  // namespace

std::vector<Slice> split_into_slices(std::span<const Operation> gates, std::uint32_t qubits,
                                     std::size_t size, std::mt19937_64& random,
                                     const Budget& budget) {
  ReadyGates ready(gates, qubits);
  std::vector<Slice> slices;
  constexpr Qubit kAbsent = std::numeric_limits<Qubit>::max();
  std::vector<Qubit> local(qubits, kAbsent);  // qubit in the current slice
  Slice slice;
  const auto close = [&] {
    for (const Qubit qubit : slice.qubits) local[qubit] = kAbsent;
    if (!slice.gates.empty()) slices.push_back(std::move(slice));
    slice = {};
  };
  const auto new_qubits = [&](const Operation& gate) {
    return static_cast<std::size_t>(std::count_if(gate.qubits.begin(), gate.qubits.end(),
                                                  [&](Qubit q) { return local[q] == kAbsent; }));
  };
  std::size_t work = 0;
  while (!ready.empty()) {
    work += ready.size();
    if (work >= kWorkBetweenClockReads) {
      if (budget.spent()) return {};
      work = 0;
    }
    const std::size_t place = ready.take(random, new_qubits);
    Operation gate = gates[place];
    const bool searchable = gate.qubits.size() <= 3 && !gate.is_boundary();
    if (slice.gates.size() >= size || !searchable || !slice.searchable ||
        slice.qubits.size() + new_qubits(gate) > rewrite::kPackedQubits) {
      close();
    }
    slice.searchable = searchable;
    for (Qubit& qubit : gate.qubits) {
      if (local[qubit] == kAbsent) {
        local[qubit] = static_cast<Qubit>(slice.qubits.size());
        slice.qubits.push_back(qubit);
      }
      qubit = local[qubit];
    }
    slice.gates.push_back(std::move(gate));
    slice.places.push_back(static_cast<std::uint32_t>(place));
  }
  close();
  return slices;
}

void append_slice(const Slice& slice, std::span<const Operation> gates,
                  std::vector<Operation>& circuit) {
  for (const Operation& gate : gates) {
    circuit.push_back(gate);
    for (Qubit& qubit : circuit.back().qubits) qubit = slice.qubits[qubit];
  }
}

}  // namespace quartz::optimizer
