#include <cmath>
#include <memory>

#include "c/circuit.hpp"
#include "c/error.hpp"
#include "c/options.hpp"
#include "c/verdict.hpp"
#include "quartz/certify/qubit_order.hpp"
#include "quartz/workflow/options.hpp"

/// What quartz_compare found.
struct quartz_comparison {
  quartz::EquivalenceReport report;
  quartz_verdict verdict = QUARTZ_UNDECIDED;
};

namespace quartz::c {
namespace {

/// Throws UsageError for options with which circuits are not compared with ancillas.
void require_comparable_with_ancillas(const SuperoptimizeOptions& options) {
  SuperoptimizeOptions compared;
  compared.qubit_order = options.qubit_order;
  compared.assumptions = options.assumptions;
  compared.epsilon = options.epsilon;
  require_suitable_for_ancillas(compared, spelled_for_c);
}

EquivalenceOptions limits_of(const SuperoptimizeOptions& options) {
  EquivalenceOptions limits;
  limits.seconds = options.check_seconds.value_or(limits.seconds);
  limits.memory_bytes = options.check_memory_bytes;
  limits.seed = options.seed;
  limits.epsilon = options.epsilon;
  return limits;
}

/// Compares circuits as far as the options of a search say something about their check.
EquivalenceReport compare(const Circuit& left, const Circuit& right,
                          const SuperoptimizeOptions& options) {
  if (options.barriers == Barriers::ignore) {
    SuperoptimizeOptions kept = options;
    kept.barriers = Barriers::keep;
    return compare(without_barriers(left), without_barriers(right), kept);
  }
  EquivalenceOptions limits = limits_of(options);
  if (options.ancillas != 0) {
    require_comparable_with_ancillas(options);
    limits.ancillas = right.qubit_count() <= left.qubit_count() + options.ancillas;
  }
  return check_equivalence_of_programs(left, right, options.assumptions,
                                       options.qubit_order == QubitOrder::free, limits);
}

}  // namespace

quartz_verdict verdict_of(EquivalenceVerdict verdict) {
  switch (verdict) {
    case EquivalenceVerdict::equal:
      return QUARTZ_EQUAL;
    case EquivalenceVerdict::equal_up_to_phase:
      return QUARTZ_EQUAL_UP_TO_PHASE;
    case EquivalenceVerdict::within_epsilon:
      return QUARTZ_WITHIN_EPSILON;
    case EquivalenceVerdict::not_equal:
      return QUARTZ_NOT_EQUAL;
    case EquivalenceVerdict::undecided:
      return QUARTZ_UNDECIDED;
  }
  throw InternalError("a verdict of no kind");
}

double distance_of(const EquivalenceReport& report) { return report.distance.value_or(-1); }

}  // namespace quartz::c

using namespace quartz::c;

quartz_status quartz_compare(const quartz_circuit* left, const quartz_circuit* right,
                             double seconds, quartz_comparison** comparison,
                             quartz_error** error) noexcept {
  return guarded(error, [&] {
    quartz_comparison*& output = required_output(comparison, "comparison");
    if (!(seconds >= 0) || !std::isfinite(seconds)) {
      throw quartz::UsageError("seconds is not a finite number, 0 or more");
    }
    quartz::EquivalenceOptions options;
    options.seconds = seconds;
    const quartz::EquivalenceReport report = quartz::check_equivalence(
        required(left, "left").circuit, required(right, "right").circuit, options);
    output =
        std::make_unique<quartz_comparison>(quartz_comparison{report, verdict_of(report.verdict)})
            .release();
  });
}

quartz_status quartz_compare_with(const quartz_circuit* left, const quartz_circuit* right,
                                  const quartz_options* options, quartz_comparison** comparison,
                                  quartz_error** error) noexcept {
  return guarded(error, [&] {
    quartz_comparison*& output = required_output(comparison, "comparison");
    const quartz::EquivalenceReport report =
        compare(required(left, "left").circuit, required(right, "right").circuit,
                required(options, "options").values);
    output =
        std::make_unique<quartz_comparison>(quartz_comparison{report, verdict_of(report.verdict)})
            .release();
  });
}

quartz_verdict quartz_comparison_verdict(const quartz_comparison* comparison) noexcept {
  return comparison == nullptr ? QUARTZ_NOT_CHECKED : comparison->verdict;
}

const char* quartz_comparison_method(const quartz_comparison* comparison) noexcept {
  return comparison == nullptr ? nullptr : comparison->report.method.c_str();
}

double quartz_comparison_distance(const quartz_comparison* comparison) noexcept {
  return comparison == nullptr ? -1 : distance_of(comparison->report);
}

const char* quartz_comparison_witness(const quartz_comparison* comparison) noexcept {
  return comparison == nullptr ? nullptr : comparison->report.witness.c_str();
}

void quartz_comparison_free(quartz_comparison* comparison) noexcept { delete comparison; }
