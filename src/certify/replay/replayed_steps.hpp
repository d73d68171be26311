#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "certify/replay/exchanges.hpp"
#include "certify/replay/journal_reader.hpp"
#include "certify/replay/replayed_circuit.hpp"
#include "certify/replay/window_proofs.hpp"
#include "quartz/certify/fault.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::certify {

/// Two lists of gates that were proved equal, on wires that are numbered in the order in which they
/// first occur in `before`.
struct ReplayedLemma {
  std::vector<Operation> before;
  std::vector<Operation> after;
  WindowProofs::Pair proved;  ///< before = e^{i phase} after
};

/// A circuit to which steps of a journal are applied, after each of them is proved: the circuit of
/// the journal, or that of a lemma. Functions that return a fault say why a record is wrong; the
/// circuit must not be used then.
class ReplayedSteps {
 public:
  /// `gates` are those that the journal has defined.
  ReplayedSteps(const Circuit& first, std::span<const Operation> gates,
                const ReplayOptions& options);
  /// A copy shares the proofs with the original (WindowProofs).
  ReplayedSteps(const ReplayedSteps& other);
  ReplayedSteps& operator=(const ReplayedSteps&) = delete;
  ~ReplayedSteps() = default;

  /// Defines the next gate of the journal.
  void define_gate(const Operation& gate) { codes_.push_back(circuit_.table().code_of(gate)); }
  [[nodiscard]] Fault rewrite(const JournalRecord& record, const Budget& budget);
  [[nodiscard]] Fault exchange(const JournalRecord& record, const Budget& budget) {
    return exchanges_.apply(record, codes_, numbers_, budget);
  }
  [[nodiscard]] Fault swap(const JournalRecord& record);
  /// Applies a lemma of the journal, by the numbers of the gates that the record removes.
  [[nodiscard]] Fault use(const JournalRecord& record, std::span<const ReplayedLemma> lemmas);
  void renumber();
  /// Sets what a lemma with this circuit has proved; the record lists its gates.
  [[nodiscard]] Fault end_lemma(const JournalRecord& record, ReplayedLemma& lemma);

  [[nodiscard]] std::size_t size() const { return circuit_.size(); }
  [[nodiscard]] Fault difference_from(const Circuit& output) {
    return circuit_.difference_from(output);
  }
  /// Throws OverflowError if the sum of the phases does not fit exact arithmetic.
  [[nodiscard]] WindowProofs::Total total() const { return proofs_.total(); }

 private:
  /// A lemma in the codes of this circuit.
  struct UsedLemma {
    struct Side {
      std::vector<OperationCode> codes;
      std::vector<std::uint8_t> operands;  ///< those of all gates, one after another
      std::vector<ReplayedCircuit::WindowOperation> gates;
    };
    Side before;
    Side after;
    WindowProofs::PairKind pair = 0;
  };

  [[nodiscard]] Fault add_gates_to_window(std::span<const std::uint64_t> numbers);
  [[nodiscard]] Fault open_window(const JournalRecord& record);
  [[nodiscard]] Fault add_places_to_window(const JournalRecord& record);
  [[nodiscard]] Fault read_inserted(const JournalRecord& record);
  /// Replaces the window by gates to which it was proved equal.
  [[nodiscard]] Fault replace_window(const JournalRecord& record,
                                     std::span<const ReplayedCircuit::WindowOperation> gates,
                                     WindowProofs::PairKind pair);
  [[nodiscard]] const UsedLemma& used(std::size_t index, const ReplayedLemma& lemma);
  [[nodiscard]] UsedLemma::Side side_of(std::span<const Operation> gates);
  [[nodiscard]] OperationIndex index_of(std::uint64_t number) const {
    return number < numbers_.size() ? numbers_[number] : kNoOperation;
  }

  ReplayedCircuit circuit_;
  WindowProofs proofs_;
  Exchanges exchanges_;
  std::vector<OperationIndex> numbers_;  ///< the operation with each number
  std::vector<OperationCode> codes_;     ///< codes of the gates that the journal defines
  /// Those that were used, by their numbers; null for the others.
  std::vector<std::shared_ptr<const UsedLemma>> lemmas_;
  std::vector<ReplayedCircuit::WindowOperation> left_;
  std::vector<ReplayedCircuit::WindowOperation> right_;
};

}  // namespace quartz::certify
