#include "optimize/runs/scanned_runs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "optimize/cancellation/adjacent_inverses.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// A run by its first and last gates; kNoRunPlace if it has no gates.
struct WireRun {
  RunPlace first = kNoRunPlace;
  RunPlace last = kNoRunPlace;
  [[nodiscard]] bool is_empty() const { return first == kNoRunPlace; }
};

class RunScan {
 public:
  RunScan(std::span<const Operation> gates, std::uint32_t qubits, RunWords& words,
          circuit::HistoryRecorder* recorder)
      : gates_(gates), words_(words), reader_(gates, words), recorder_(recorder), wires_(qubits) {
    roles_.assign(gates.size(), RunRole::stays);
    next_.assign(gates.size(), kNoRunPlace);
  }

  [[nodiscard]] ScannedRuns run() && {
    for (RunPlace place = 0; place < gates_.size(); ++place) {
      if (!join_run(place) && !cancel(place)) end_runs(place);
    }
    return std::move(scanned_);
  }

 private:
  /// What is on a wire so far: gates that are in no runs, each with the run before it, and the run
  /// behind the last one.
  struct Wire {
    struct Gate {
      RunPlace place = kNoRunPlace;  ///< kNoRunPlace between two runs next to each other
      WireRun before;
    };
    std::vector<Gate> gates;
    WireRun open;
    RunProduct product;  ///< that of `open`
  };

  /// Appends a gate to the run on its wire. Returns false if it is no gate of runs.
  bool join_run(RunPlace place) {
    const Operation& gate = gates_[place];
    if (is_black_box(gate) || gate.qubits.size() != 1) return false;
    const RunGate& form = words_.classified(gate);
    if (form.kind == RunGate::Kind::other) return false;
    Wire& wire = wires_[gate.qubits[0]];
    if (!wire.product.append(gate, form)) {
      wire.gates.push_back({kNoRunPlace, std::exchange(wire.open, {})});
      wire.product.clear();
      if (!wire.product.append(gate, form)) {
        wire.product.clear();
        return false;
      }
    }
    if (wire.open.is_empty()) {
      wire.open.first = place;
      roles_[place] = RunRole::begins_run;
    } else {
      next_[wire.open.last] = place;
      roles_[place] = RunRole::in_run;
    }
    wire.open.last = place;
    return true;
  }

  /// Removes a gate and the one before it if they are inverse and nothing is between them. Returns
  /// whether it did.
  bool cancel(RunPlace place) {
    const Operation& gate = gates_[place];
    if (is_black_box(gate) || gate.qubits.empty()) return false;
    const Wire& first = wires_[gate.qubits.front()];
    if (first.gates.empty() || first.gates.back().place == kNoRunPlace) return false;
    const RunPlace before = first.gates.back().place;
    const Operation& other = gates_[before];
    if (is_black_box(other) || other.qubits.size() != gate.qubits.size()) return false;
    const bool is_adjacent = std::ranges::all_of(gate.qubits, [&](Qubit qubit) {
      const Wire& wire = wires_[qubit];
      return !wire.gates.empty() && wire.gates.back().place == before && wire.product.is_identity();
    });
    const std::optional<Angle> phase = is_adjacent ? phase_of_inverses(other, gate) : std::nullopt;
    if (!phase) return false;
    for (const Qubit qubit : gate.qubits) remove_identity(wires_[qubit]);
    scanned_.phase.add_phase(*phase);
    record(std::array{circuit::GateNumber{before}, circuit::GateNumber{place}});
    roles_[before] = roles_[place] = RunRole::removed;
    for (const Qubit qubit : gate.qubits) reopen(wires_[qubit]);
    scanned_.has_removed = true;
    return true;
  }

  /// Removes the gates of the open run, whose product is the identity.
  void remove_identity(const Wire& wire) {
    if (wire.open.is_empty()) return;
    add_phases(wire.product.phase(), wire.product.clifford().eighths);
    record(reader_.numbers(next_, wire.open.first));
    for (RunPlace place = wire.open.first; place != kNoRunPlace; place = next_[place]) {
      roles_[place] = RunRole::removed;
    }
  }

  /// Continues the run before the last gate of a wire, which is removed.
  void reopen(Wire& wire) {
    wire.open = wire.gates.back().before;
    wire.gates.pop_back();
    reader_.compute(next_, wire.open.first, wire.product);
  }

  void end_runs(RunPlace place) {
    for (const Qubit qubit : gates_[place].qubits) {
      Wire& wire = wires_[qubit];
      wire.gates.push_back({place, std::exchange(wire.open, {})});
      wire.product.clear();
    }
  }

  void record(std::span<const circuit::GateNumber> removed) {
    if (recorder_ != nullptr) {
      recorder_->rewrite(removed, {}, std::span<const circuit::RecordedGate>());
    }
  }

  void add_phases(const Angle& phase, unsigned eighths) {
    if (!phase.is_zero()) scanned_.phase.add_phase(phase);
    scanned_.eighths = (scanned_.eighths + eighths) % 8;
  }

  std::span<const Operation> gates_;
  RunWords& words_;
  RunReader reader_;
  circuit::HistoryRecorder* recorder_;
  std::vector<Wire> wires_;
  ScannedRuns scanned_;
  std::vector<RunRole>& roles_ = scanned_.roles;
  std::vector<RunPlace>& next_ = scanned_.next;
};

}  // namespace

void RunReader::compute(std::span<const RunPlace> next, RunPlace first, RunProduct& product) {
  product.clear();
  for (RunPlace place = first; place != kNoRunPlace; place = next[place]) {
    ensure(product.append(gates_[place], words_.classified(gates_[place])),
           "the run had this product before");
  }
}

std::span<const circuit::GateNumber> RunReader::numbers(std::span<const RunPlace> next,
                                                        RunPlace first) {
  numbers_.clear();
  for (RunPlace place = first; place != kNoRunPlace; place = next[place]) {
    numbers_.push_back(place);
  }
  return numbers_;
}

ScannedRuns scan_runs(std::span<const Operation> gates, std::uint32_t qubits, RunWords& words,
                      circuit::HistoryRecorder* recorder) {
  return RunScan(gates, qubits, words, recorder).run();
}

}  // namespace quartz::optimizer
