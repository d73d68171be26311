#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "circuit/derivation.hpp"
#include "circuit/history.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "workflow/certificate/certifiable_circuits.hpp"
#include "workflow/certificate/history_replay.hpp"

namespace quartz::workflow {

/// What histories begin with.
struct FirstCircuits {
  /// The circuit with which histories begin, and the one with which their replay begins, which
  /// obtains the first circuit by itself. Both must outlive all who use them.
  const Circuit* first = nullptr;
  const Circuit* input = nullptr;
};

/// A circuit of a search as a replay begins and ends with it: without the resets of the
/// assumptions, which the replay adds by itself.
class CircuitOfReplay {
 public:
  /// The circuit must outlive this object.
  CircuitOfReplay(const Circuit& circuit, const ReplayOptions& options);
  [[nodiscard]] const Circuit& operator*() const {
    return without_resets_ ? *without_resets_ : *circuit_;
  }

 private:
  const Circuit* circuit_;
  std::optional<Circuit> without_resets_;
};

/// A circuit of a search that was formed.
struct FormedCircuit {
  CertifiableCircuit version;
  circuit::DerivedCircuit found;
};

/// The replay of histories from the input on, or from a circuit on the way on.
class HistoryPart {
 public:
  /// Begins with the input. `after_block` is that of HistoryReplay.
  HistoryPart(const FirstCircuits& circuits, const ReplayOptions& options,
              std::function<void()> after_block);
  /// Begins with a circuit on the way. Nothing is known about the steps that lead to it.
  HistoryPart(FormedCircuit start, const FirstCircuits& circuits, const ReplayOptions& options,
              std::function<void()> after_block);

  /// Returns the circuit on the way with which the replay begins, or null for the input.
  [[nodiscard]] const FormedCircuit* start() const {
    return start_ == nullptr ? nullptr : &start_->formed;
  }
  [[nodiscard]] bool can_continue_to(const circuit::HistoryPointer& history) const {
    return replay_->can_continue_to(history);
  }
  /// Returns whether a step was not proved; nothing behind it ever is.
  [[nodiscard]] bool has_failed() const { return replay_->has_failed(); }
  /// Returns the number of steps of the history that were proved, with those before the start.
  [[nodiscard]] std::uint64_t steps() const;

  /// A circuit, as replays end with it, to which a history leads.
  struct End {
    const Circuit* circuit = nullptr;
    const circuit::HistoryPointer* history = nullptr;
    const OutputPermutation* permutation = nullptr;
    std::uint64_t steps = 0;
  };
  /// Returns the start, which must be a circuit on the way, as the end of the part before.
  [[nodiscard]] End end_before() const;
  /// What continue_to() did.
  struct Outcome {
    ReplayedPart part;   ///< from the start to the end
    double steps = 0;    ///< steps that were replayed, without exchanges
    double seconds = 0;  ///< processor time of these steps
    /// What ended the replay early, if anything did; the object must not be used then.
    std::exception_ptr interruption = {};
  };
  /// Replays what the history has more than was replayed. Does not throw.
  [[nodiscard]] Outcome continue_to(const End& end);

 private:
  struct Start {
    FormedCircuit formed;
    CircuitOfReplay circuit;
    Start(FormedCircuit circuit_on_the_way, const ReplayOptions& options)
        : formed(std::move(circuit_on_the_way)), circuit(formed.found.circuit, options) {}
  };
  [[nodiscard]] CircuitOnTheWay first() const;

  const Circuit* input_;
  std::unique_ptr<const Start> start_;
  std::unique_ptr<HistoryReplay> replay_;
};

}  // namespace quartz::workflow
