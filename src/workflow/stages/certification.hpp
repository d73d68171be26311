#pragma once

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

  /// Makes the certificate follow a search that begins with the current circuit, so that what it
  /// finds is certified while it goes on.
  void follow(optimizer::SearchListener& listener);
  /// Compares the current circuit with the input. Throws as check_result does. Nothing may be
  /// followed afterwards.
  [[nodiscard]] CheckOutcome check();

 private:
  /// Returns the certificate, which begins with the first call.
  [[nodiscard]] RunningCertificate& running_certificate();
  [[nodiscard]] CertificateOptions certificate_options() const;
  [[nodiscard]] CheckRequest request();
  /// Returns the circuit to which the current one is equal: the input with its permutation and
  /// edges.
  [[nodiscard]] Circuit expected() const;

  const RunState& state_;
  /// Refers to `state_`. Empty unless derivations are recorded.
  std::optional<RunningCertificate> certificate_;
};

}  // namespace quartz::workflow
