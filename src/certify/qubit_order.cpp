#include "quartz/certify/qubit_order.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "certify/order/tracks.hpp"

namespace quartz {
namespace {

using certify::TrackList;

/// Returns a circuit without its operations and comments.
Circuit frame_of(const Circuit& circuit) {
  Circuit frame = without_operations(circuit);
  frame.header_comments.clear();
  return frame;
}

/// Returns the qubit on which each qubit ends; the identity if the permutation is empty.
OutputPermutation completed(OutputPermutation permutation, const Circuit& circuit) {
  for (Qubit qubit = 0; permutation.size() < circuit.qubit_count(); ++qubit) {
    permutation.push_back(qubit);
  }
  return permutation;
}

/// Returns the permutation that undoes another one.
OutputPermutation inverse(const OutputPermutation& permutation) {
  OutputPermutation result(permutation.size());
  for (Qubit qubit = 0; qubit < permutation.size(); ++qubit) result[permutation[qubit]] = qubit;
  return result;
}

/// Returns an undecided report.
EquivalenceReport undecided(const std::string& reason) {
  EquivalenceReport report;
  report.method = "order of the qubits";
  report.witness = reason;
  return report;
}

bool is_positive(const EquivalenceReport& report) {
  return report.verdict != EquivalenceVerdict::undecided &&
         report.verdict != EquivalenceVerdict::not_equal;
}

Circuit with_any_assumptions(const Circuit& circuit, const ProgramAssumptions& assumptions) {
  return assumptions.any() ? with_assumptions(circuit, assumptions) : circuit;
}

/// Two circuits to compare, the right one up to a permutation.
struct OrderedPair {
  const Circuit& left;
  const Circuit& right;
  OutputPermutation permutation;
  ProgramAssumptions assumptions;
};

/// Compares the left circuit with the right one, followed by SWAP gates.
EquivalenceReport compare_undone(const OrderedPair& pair, const EquivalenceOptions& options) {
  const Circuit undone = with_permutation_undone(pair.right, pair.permutation);
  const OutputPermutation home = inverse(completed(pair.permutation, pair.right));
  if (const Fault fault = fault_of_order(pair.right, undone, home))
    return undecided(fault.reason());
  return check_equivalence(with_any_assumptions(pair.left, pair.assumptions),
                           with_any_assumptions(undone, pair.assumptions), options);
}

/// Compares the left circuit without its SWAP gates with the right one: the resets behind a SWAP
/// gate are then on the same qubits in both.
EquivalenceReport compare_replaced(const OrderedPair& pair, const EquivalenceOptions& options) {
  const Circuit replaced = with_output_permutation(pair.left, pair.permutation, SwapGates::removed);
  if (const Fault fault = fault_of_order(pair.left, replaced, pair.permutation)) {
    return undecided(fault.reason());
  }
  return check_equivalence(with_any_assumptions(replaced, pair.assumptions),
                           with_any_assumptions(pair.right, pair.assumptions), options);
}

}  // namespace

Fault fault_of_order(const Circuit& original, const Circuit& replacement,
                     const OutputPermutation& permutation) {
  if (frame_of(original) != frame_of(replacement)) {
    return "the registers or the global phases of the circuits differ";
  }
  const auto of_original = certify::list_on_tracks(original);
  const auto of_replacement = certify::list_on_tracks(replacement);
  for (const auto* list : {&of_original, &of_replacement}) {
    if (const auto* fault = std::get_if<Fault>(list)) return *fault;
  }
  const auto& left = std::get<TrackList>(of_original);
  const auto& right = std::get<TrackList>(of_replacement);
  if (!certify::have_same_operations(left, right, original.qubit_count())) {
    return "the circuits do not have the same operations up to the order of their qubits";
  }
  const OutputPermutation places = completed(permutation, original);
  for (Qubit qubit = 0; qubit < original.qubit_count(); ++qubit) {
    if (left.track_of_qubit[qubit] != right.track_of_qubit.at(places[qubit])) {
      return "the qubits of the circuits do not end in the order of the output permutation";
    }
  }
  return {};
}

EquivalenceReport check_equivalence_up_to_order(const Circuit& left, const Circuit& right,
                                                const OutputPermutation& permutation,
                                                const ProgramAssumptions& assumptions,
                                                const EquivalenceOptions& options) {
  if (left.qubit_count() != right.qubit_count()) return check_equivalence(left, right, options);
  constexpr double kShareOfFirst = 0.6;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const OrderedPair pair{left, right, permutation, assumptions};
  EquivalenceOptions limits = options;
  limits.seconds = kShareOfFirst * options.seconds;
  EquivalenceReport first = compare_undone(pair, limits);
  if (first.verdict != EquivalenceVerdict::undecided) return first;
  const std::chrono::duration<double> spent = Clock::now() - start;
  limits.seconds = std::max(options.seconds - spent.count(), 0.0);
  EquivalenceReport second = compare_replaced(pair, limits);
  return is_positive(second) ? second : first;
}

EquivalenceReport check_equivalence_of_programs(const Circuit& left, const Circuit& right,
                                                const ProgramAssumptions& assumptions,
                                                bool has_free_order,
                                                const EquivalenceOptions& options) {
  if (has_free_order) {
    const OutputPermutation permutation =
        remaining_permutation(stated_permutation(left), stated_permutation(right));
    return check_equivalence_up_to_order(left, right, permutation, assumptions, options);
  }
  if (!assumptions.any()) return check_equivalence(left, right, options);
  return check_equivalence(with_assumptions(left, assumptions),
                           with_assumptions(right, assumptions), options);
}

}  // namespace quartz
