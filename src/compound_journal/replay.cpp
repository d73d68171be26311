#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "base/budget.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/compound_journal/compound_journal.hpp"

namespace quartz {
namespace {

/// Largest distance of circuits that are equal but for rounding, as in EquivalenceOptions::epsilon.
constexpr double kMostRounding = 1e-9;

bool is_proved(const EquivalenceReport& report) {
  return report.verdict != EquivalenceVerdict::not_equal &&
         report.verdict != EquivalenceVerdict::undecided;
}

/// Follows a compound journal from one circuit to another one.
class CompoundReplay {
 public:
  CompoundReplay(const Circuit& input, const Circuit& output, const std::string& name,
                 const EquivalenceOptions& options, const CustomGates& custom_gates)
      : input_(input),
        now_(input),
        output_(output),
        name_(name),
        options_(options),
        custom_gates_(custom_gates),
        budget_(Budget::of_seconds(options.seconds, options.stop)) {}

  EquivalenceReport replay(std::vector<JournalPart> parts) {
    if (!options_.ancillas && has_ancillas()) {
      return undecided(
          "the second circuit has other qubits or bits, which are not taken for ancillas");
    }
    for (std::size_t i = 0; i < parts.size() && !has_ended_; ++i) {
      EquivalenceReport report =
          std::visit([&](auto& part) { return follow(std::move(part)); }, parts[i]);
      if (!is_proved(report)) {
        return undecided(fmt::format("part {} of {} is not proved ({}): {}", i + 1, parts.size(),
                                     to_string(report.verdict), report.witness));
      }
      report_ = report_ ? chained(*std::move(report_), report) : std::move(report);
      if (has_ended_ && i + 1 != parts.size()) {
        return undecided("there are parts behind the one that leads to the second circuit");
      }
    }
    if (!has_ended_ && !is_output()) return undecided("the last part leads to another circuit");
    if (!report_) report_ = equal("no part");
    if (!has_ended_) add_phase_of_output();
    return checked_distance();
  }

 private:
  EquivalenceReport follow(ComparedPart part) {
    EquivalenceOptions options = options_;
    options.seconds = budget_.seconds_left();
    options.epsilon = 0;  // only rewrites approximate
    options.ancillas = now_.qubit_count() != part.circuit.qubit_count() ||
                       now_.bit_count() != part.circuit.bit_count();
    EquivalenceReport report = check_equivalence(now_, part.circuit, options);
    now_ = std::move(part.circuit);
    return report;
  }

  EquivalenceReport follow(const ReplacementPart& part) {
    EquivalenceOptions options = options_;
    options.seconds = budget_.seconds_left();
    return prove_replacements(now_, input_, part, options);
  }

  EquivalenceReport follow(const BarrierPart& part) {
    std::erase_if(now_.operations, [&](const Operation& operation) {
      return operation.kind == OperationKind::barrier &&
             std::ranges::any_of(operation.qubits, [&](Qubit q) { return q >= part.first; });
    });
    return equal("barriers left out");
  }

  EquivalenceReport follow(RewritePart part) {
    has_ended_ = !part.circuit.has_value();
    ReplayOptions options;
    options.seconds = budget_.seconds_left();
    options.memory_bytes = options_.memory_bytes;
    options.stop = options_.stop;
    options.seed = options_.seed;
    options.epsilon = options_.epsilon;
    options.custom_gates = custom_gates_;
    std::istringstream journal(std::move(part.journal));
    const EquivalenceReport report = as_equivalence_report(
        replay_journal(now_, has_ended_ ? output_ : *part.circuit, journal, name_, options));
    if (!has_ended_) now_ = *std::move(part.circuit);
    return report;
  }

  static EquivalenceReport equal(std::string method) {
    EquivalenceReport report;
    report.verdict = EquivalenceVerdict::equal;
    report.method = std::move(method);
    report.phase = 0;
    report.distance = 0;
    return report;
  }

  static EquivalenceReport undecided(std::string reason) {
    EquivalenceReport report;
    report.method = "compound journal";
    report.witness = std::move(reason);
    return report;
  }

  [[nodiscard]] bool has_ancillas() const {
    return output_.qubit_count() != input_.qubit_count() ||
           output_.bit_count() != input_.bit_count();
  }

  [[nodiscard]] bool is_output() const {
    return now_.qubit_count() == output_.qubit_count() &&
           now_.bit_registers == output_.bit_registers && now_.operations == output_.operations &&
           now_.declared_gates == output_.declared_gates;
  }

  /// Adds the phase that the output has and the circuit of the last part has not.
  void add_phase_of_output() {
    Angle phase = output_.global_phase;
    phase.add_phase(-now_.global_phase);
    if (phase.is_zero()) return;
    EquivalenceReport report = equal("other phase");
    report.verdict = EquivalenceVerdict::equal_up_to_phase;
    report.phase = phase.is_constant() ? std::optional(phase.value_modulo(2)) : std::nullopt;
    report_ = chained(*std::move(report_), report);
  }

  /// Returns the report, if the parts together are as close as is required.
  EquivalenceReport checked_distance() {
    const double permitted = options_.epsilon > 0 ? options_.epsilon : kMostRounding;
    if (!report_->distance || *report_->distance > permitted) {
      return undecided(fmt::format("the distances of all parts add up to {:.3g}, above {:.3g}",
                                   report_->distance.value_or(2), permitted));
    }
    if (*report_->distance > kMostRounding) report_->verdict = EquivalenceVerdict::within_epsilon;
    report_->method = "compound journal: " + report_->method;
    report_->notes.clear();  // those are about the circuits between the first and the second one
    return *std::move(report_);
  }

  const Circuit& input_;
  Circuit now_;
  const Circuit& output_;
  const std::string& name_;
  const EquivalenceOptions& options_;
  const CustomGates& custom_gates_;
  Budget budget_;
  std::optional<EquivalenceReport> report_;  ///< that `now_` equals the input
  bool has_ended_ = false;                   ///< whether a part led to the output
};

}  // namespace

EquivalenceReport replay_compound_journal(const Circuit& input, const Circuit& output,
                                          std::string_view journal, const std::string& name,
                                          const EquivalenceOptions& options,
                                          const CustomGates& custom_gates) {
  return CompoundReplay(input, output, name, options, custom_gates)
      .replay(parts_of_journal(journal, name, custom_gates));
}

}  // namespace quartz
