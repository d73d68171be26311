#include "optimize/searches/states.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/instantiation/gate_deletion.hpp"
#include "optimize/instantiation/state_preparation.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_for_cost.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using circuit::GateNumber;

constexpr PassName kStatesPass{"states", "preparations of known states shortened"};

/// Fraction of the time that is left for the simplification of the one-qubit gates.
constexpr double kTimeForStates = 0.9;

/// Gates that prepare a state, and the resets before them.
struct Preparation {
  std::vector<Qubit> qubits;
  std::vector<GateNumber> resets;  ///< by qubit: the first operation on it
  std::vector<GateNumber> gates;
  std::size_t two_qubit_gates = 0;
};

/// Finds the preparations of a list of gates: the gates with nothing before them but resets and
/// each other.
class Preparations {
 public:
  Preparations(std::span<const Operation> gates, std::uint32_t wires)
      : gates_(gates), owner_(wires, kNobody), is_closed_(wires, false) {
    for (GateNumber i = 0; i < gates.size(); ++i) add(i);
  }

  [[nodiscard]] std::vector<Preparation> take() && {
    std::erase_if(all_, [](const Preparation& each) { return each.two_qubit_gates == 0; });
    return std::move(all_);
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  void add(GateNumber index) {
    const Operation& gate = gates_[index];
    const bool is_new = std::ranges::all_of(
        gate.qubits, [&](Qubit wire) { return owner_[wire] == kNobody && !is_closed_[wire]; });
    if (is_black_box(gate) && gate.qubits.size() == 1 && is_new && is_reset_box(*gate.classical)) {
      owner_[gate.qubits[0]] = all_.size();
      all_.push_back({{gate.qubits[0]}, {index}, {}, 0});
    } else if (may_join(gate)) {
      join(index);
    } else {
      for (const Qubit wire : gate.qubits) is_closed_[wire] = true;
    }
  }

  [[nodiscard]] bool may_join(const Operation& gate) const {
    if (is_black_box(gate) || gate.qubits.empty() || gate.qubits.size() > 2) return false;
    for (const Qubit wire : gate.qubits) {
      if (owner_[wire] == kNobody || is_closed_[wire]) return false;
    }
    const std::size_t first = owner_[gate.qubits.front()];
    const std::size_t second = owner_[gate.qubits.back()];
    const std::size_t qubits =
        all_[first].qubits.size() + (first == second ? 0 : all_[second].qubits.size());
    return qubits <= kMaxPreparedQubits && has_numeric_angles(gate);
  }

  void join(GateNumber index) {
    const Operation& gate = gates_[index];
    const std::size_t first = owner_[gate.qubits.front()];
    const std::size_t second = owner_[gate.qubits.back()];
    Preparation& joined = all_[first];
    if (first != second) {
      Preparation other = std::exchange(all_[second], {});
      for (const Qubit qubit : other.qubits) owner_[qubit] = first;
      const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      append(joined.qubits, other.qubits);
      append(joined.resets, other.resets);
      append(joined.gates, other.gates);
      std::ranges::sort(joined.gates);
      joined.two_qubit_gates += other.two_qubit_gates;
    }
    joined.gates.push_back(index);
    if (gate.qubits.size() == 2) ++joined.two_qubit_gates;
  }

  std::span<const Operation> gates_;
  std::vector<std::size_t> owner_;  ///< for each wire, the preparation that it is part of
  std::vector<bool> is_closed_;     ///< whether a gate on the wire is in no preparation
  std::vector<Preparation> all_;
};

/// A list of gates in which preparations are replaced.
class ReplacedPreparations {
 public:
  explicit ReplacedPreparations(std::span<const Operation> gates)
      : gates_(gates), recorder_(gates.size()), is_moved_(gates.size(), false) {}

  /// Replaces a preparation by other gates on its qubits.
  void replace(const Preparation& preparation, const std::vector<Operation>& after) {
    std::map<Qubit, GateNumber> last;  // the number plus 1 of the last operation on each qubit
    for (std::size_t k = 0; k < preparation.qubits.size(); ++k) {
      last[preparation.qubits[k]] = preparation.resets[k] + 1;
      move(preparation.resets[k]);
    }
    std::vector<circuit::RecordedGate> inserted;
    std::vector<circuit::RecordedPlace> places;
    for (const Operation& gate : after) {
      const auto number = static_cast<GateNumber>(recorder_.next_number() + inserted.size());
      inserted.push_back(
          {recorder_.gates().code_of(gate), {gate.qubits.begin(), gate.qubits.end()}});
      for (const Qubit qubit : gate.qubits) {
        places.push_back({qubit, last[qubit]});
        last[qubit] = number + 1;
      }
      order_.push_back(number);
      list_.push_back(gate);
    }
    for (const GateNumber gate : preparation.gates) is_moved_[gate] = true;
    recorder_.exchange(preparation.gates, inserted, places, preparation.resets);
  }

  /// Returns the list: the replaced preparations first, as nothing is before them.
  [[nodiscard]] circuit::DerivedGates finish(const Angle& phase, bool is_numeric) && {
    for (GateNumber i = 0; i < gates_.size(); ++i) {
      if (!is_moved_[i]) move(i);
    }
    return {std::move(list_), phase,
            circuit::Derivation::by(std::move(recorder_).finish(std::move(order_)), is_numeric)};
  }

 private:
  /// Appends an operation of the list before.
  void move(GateNumber index) {
    is_moved_[index] = true;
    order_.push_back(index);
    list_.push_back(gates_[index]);
  }

  std::span<const Operation> gates_;
  circuit::HistoryRecorder recorder_;
  std::vector<bool> is_moved_;  ///< whether an operation of the list before is in the new one, or
                                ///< was replaced
  std::vector<GateNumber> order_;
  std::vector<Operation> list_;
};

class ShortenPreparations : public SegmentRewriter {
 public:
  explicit ShortenPreparations(const Problem& problem)
      : wires_(problem.wires),
        limits_{problem.accuracy.exactness, 0, problem.seed},
        forms_(problem.set, scalar_gate_cost_in_blocks(problem.cost, problem.set)),
        preparation_(forms_,
                     {problem.accuracy.exactness, problem.seed, problem.coupling == nullptr}) {}

  [[nodiscard]] bool available() const { return forms_.available(); }

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    ReplacedPreparations replaced(gates);
    Angle phase;
    bool has_changed = false;
    bool is_numeric = false;
    for (const Preparation& preparation : Preparations(gates, wires_).take()) {
      const std::optional<BlockReplacement> shorter = shortened(gates, preparation, budget);
      if (!shorter) continue;
      replaced.replace(preparation, shorter->after);
      phase.add_phase(shorter->phase);
      has_changed = true;
      is_numeric = is_numeric || shorter->numeric;
    }
    if (!has_changed) return circuit::DerivedGates::unchanged(gates);
    return std::move(replaced).finish(phase, is_numeric);
  }

  [[nodiscard]] std::optional<BlockReplacement> shortened(std::span<const Operation> gates,
                                                          const Preparation& preparation,
                                                          const Budget& budget) const {
    std::vector<Operation> own;
    for (const GateNumber gate : preparation.gates) {
      own.push_back(gates[gate]);
      for (Qubit& qubit : own.back().qubits) {
        qubit = static_cast<Qubit>(std::ranges::find(preparation.qubits, qubit) -
                                   preparation.qubits.begin());
      }
    }
    if (!GateDeletion::may_change(own, limits_)) return std::nullopt;
    const auto qubits = static_cast<std::uint32_t>(preparation.qubits.size());
    std::optional<BlockReplacement> shorter = preparation_.shortened(own, qubits, budget);
    if (!shorter) return std::nullopt;
    for (Operation& gate : shorter->after) {
      for (Qubit& qubit : gate.qubits) qubit = preparation.qubits[qubit];
    }
    return shorter;
  }

  std::uint32_t wires_;
  GateDeletion::Options limits_;
  WindowForms forms_;
  StatePreparation preparation_;
};

/// Shortens the preparations in the joined segments, and simplifies the one-qubit gates that this
/// leaves.
class States : public Search {
 public:
  States(const Problem& problem, SearchPointer simplify)
      : rewriter_(std::make_shared<ShortenPreparations>(problem)),
        states_(std::make_shared<RewriteSegments>(rewriter_, true)),
        simplify_(std::move(simplify)) {}

  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (!problem.cost.additive()) return "the cost is not a sum over the gates";
    if (problem.record.rules) return "it records no rules";
    if (std::ranges::none_of(problem.circuit.operations, [](const Operation& operation) {
          return operation.kind == OperationKind::reset;
        })) {
      return "no state is known: the circuit has no reset, and its qubits may start in any state";
    }
    if (!rewriter_->available()) {
      return "it needs a gate set that has all one-qubit gates, and a cost that counts gates on "
             "two qubits above all";
    }
    const GateDeletion::Options limits{problem.accuracy.exactness, 0, 0};
    if (GateDeletion::may_change(problem.circuit.operations, limits)) return {};
    return "all angles are exact, and it would replace them by others: permit that by the "
           "exactness 'numeric'";
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    (void)state.join_segments();
    const Outcome outcome =
        states_->run(state, budget.counts_ticks() ? budget : budget.share(kTimeForStates));
    (void)simplify_->run(state, state.problem().budget);
    state.keep_best();
    return outcome;
  }

  std::shared_ptr<ShortenPreparations> rewriter_;
  SearchPointer states_;
  SearchPointer simplify_;
};

}  // namespace

SearchPointer make_states(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<Pass>(kStatesPass,
                                std::make_shared<States>(problem, std::move(simplify)));
}

SearchPointer make_states_search(const Problem& problem) {
  return make_for_leading_sums(problem, [](const Problem& sums) {
    return make_states(sums, std::make_shared<Simplify>(sums));
  });
}

}  // namespace quartz::optimizer
