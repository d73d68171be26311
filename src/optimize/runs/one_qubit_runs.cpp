#include "optimize/runs/one_qubit_runs.hpp"

#include <utility>
#include <vector>

#include "optimize/runs/letter_codes.hpp"
#include "optimize/runs/run_product.hpp"
#include "optimize/runs/scanned_runs.hpp"

namespace quartz::optimizer {
namespace {

class RunMerging {
 public:
  RunMerging(std::span<const Operation> gates, std::uint32_t qubits, RunWords& words,
             RunHistory history)
      : gates_(gates),
        words_(words),
        reader_(gates, words),
        records_(history == RunHistory::recorded),
        recorder_(gates.size()),
        scanned_(scan_runs(gates, qubits, words, records_ ? &recorder_ : nullptr)),
        codes_(words),
        phase_(scanned_.phase),
        eighths_(scanned_.eighths),
        has_changed_(scanned_.has_removed) {}

  [[nodiscard]] std::optional<circuit::DerivedGates> run() && {
    write();
    if (!has_changed_) return std::nullopt;
    return circuit::DerivedGates{
        std::move(result_), phase_,
        records_ ? circuit::Derivation::by(std::move(recorder_).finish(std::move(order_)))
                 : circuit::Derivation::unrecorded()};
  }

 private:
  void add_phases(const Angle& phase, unsigned eighths) {
    if (!phase.is_zero()) phase_.add_phase(phase);
    eighths_ = (eighths_ + eighths) % 8;
  }

  /// Writes what is left, each run in the place of its first gate.
  void write() {
    result_.reserve(gates_.size());
    RunProduct product;
    for (RunPlace place = 0; place < gates_.size(); ++place) {
      switch (scanned_.roles[place]) {
        case RunRole::begins_run: {
          reader_.compute(scanned_.next, place, product);
          if (replace(place, product)) break;
          for (RunPlace each = place; each != kNoRunPlace; each = scanned_.next[each]) {
            scanned_.roles[each] = RunRole::stays;
          }
          keep(place);
          break;
        }
        case RunRole::stays:
          keep(place);
          break;
        case RunRole::in_run:
        case RunRole::removed:
          break;
      }
    }
    phase_.add_phase(Angle::pi_times(Rational(eighths_, 4)));
  }

  void keep(RunPlace place) {
    result_.push_back(gates_[place]);
    if (records_) order_.push_back(place);
  }

  /// Writes the cheapest word in place of a run. Returns false, and changes nothing, if the run is
  /// as cheap, or if a sum of angles or phases is beyond exact arithmetic.
  bool replace(RunPlace first_place, const RunProduct& product) {
    const RunWords::Word& word = words_.cheapest(product.axes(), product.clifford().number);
    if (word.weight >= product.weight()) return false;
    const std::size_t size = result_.size();
    Angle phase = product.phase();
    try {
      append_word(words_, word, product, gates_[first_place].qubits[0], result_, phase);
      add_phases(phase, product.clifford().eighths + 8U - word.eighths);
    } catch (const OverflowError&) {
      result_.resize(size);
      return false;
    }
    has_changed_ = true;
    if (!records_) return true;
    inserted_.clear();
    const circuit::GateNumber first = recorder_.next_number();
    for (std::size_t i = size; i < result_.size(); ++i) {
      const Operation& gate = result_[i];
      inserted_.push_back(
          {codes_.code_of(word.steps[i - size].letter, gate, recorder_), {gate.qubits[0]}});
      order_.push_back(first + static_cast<circuit::GateNumber>(i - size));
    }
    recorder_.rewrite(reader_.numbers(scanned_.next, first_place), {}, inserted_);
    return true;
  }

  std::span<const Operation> gates_;
  RunWords& words_;
  RunReader reader_;
  const bool records_;
  circuit::HistoryRecorder recorder_;
  ScannedRuns scanned_;
  LetterCodes codes_;
  std::vector<circuit::RecordedGate> inserted_;  ///< room for replace()
  std::vector<Operation> result_;
  circuit::NumberList order_;
  Angle phase_;
  unsigned eighths_;  ///< added to the phase, in units of pi/4
  bool has_changed_;
};

}  // namespace

std::optional<circuit::DerivedGates> merge_one_qubit_runs(std::span<const Operation> gates,
                                                          std::uint32_t qubits, RunWords& words,
                                                          RunHistory history) {
  return RunMerging(gates, qubits, words, history).run();
}

}  // namespace quartz::optimizer
