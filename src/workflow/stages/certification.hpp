#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "optimize/derived_search.hpp"
#include "workflow/certificate/running_certificate.hpp"
#include "workflow/result_check.hpp"
#include "workflow/stages/run_state.hpp"

namespace quartz::workflow {

/// Certifies what a call finds, while it searches and at its end.
class Certification {
 public:
  explicit Certification(const RunState& state) : state_(state) {}

  /// Makes what a replay of the history of the first circuit begins with, for another thread than
  /// the one that translates the circuit.
  void prepare();
  /// Makes the certificate follow a search that begins with the current circuit, so that what it
  /// finds is certified while it goes on. `seconds_left` is the time until the last search ends;
  /// infinity if only their steps are limited.
  void follow(optimizer::SearchListener& listener, double seconds_left);
  /// Compares the current circuit with the input. Throws as check_result does. Nothing may be
  /// followed afterwards.
  [[nodiscard]] CheckOutcome check();
  /// Returns the time that the check of the result may take, in seconds.
  [[nodiscard]] double check_seconds() const;

 private:
  /// Returns the certificate, which begins with the first call. The last search ends after this
  /// time.
  [[nodiscard]] RunningCertificate& running_certificate(double seconds_left);
  [[nodiscard]] CertificateOptions certificate_options() const;
  /// Return what replays begin with, and their options, without their limits.
  [[nodiscard]] FirstCircuits first_circuits() const;
  [[nodiscard]] ReplayOptions replay_options() const;
  /// Returns CheckRequest::share_of_both_ways.
  [[nodiscard]] double share_of_both_ways() const;
  [[nodiscard]] CheckRequest request();
  /// Returns a function that returns the current circuit, also when that has changed.
  [[nodiscard]] std::function<circuit::DerivedCircuit()> form_of_start() const;
  /// Returns the circuit to which the current one is equal, with the permutation and the edges of
  /// the input, if the order of the qubits is free; nothing if it is the first circuit.
  [[nodiscard]] std::optional<Circuit> reordered_input() const;

  const RunState& state_;
  std::shared_ptr<PreparedReplay> prepared_;  ///< null if there is none, or the certificate has it
  /// Refers to `state_`. Empty unless derivations are recorded.
  std::optional<RunningCertificate> certificate_;
};

}  // namespace quartz::workflow
