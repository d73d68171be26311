#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "classes/table/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/chain_gains.hpp"
#include "optimize/annealing/focus.hpp"
#include "optimize/annealing/moves/move.hpp"
#include "optimize/annealing/moves/parity_move.hpp"
#include "optimize/annealing/moves/rotation_move.hpp"
#include "optimize/annealing/moves/window_move.hpp"
#include "optimize/annealing/path_energy.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"
#include "quartz/circuit/coupling.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// One chain of simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983) over the circuits equal to a
/// given one. Moves propose exchanges; the chain accepts them by the Metropolis rule and applies
/// them to its circuit. Gains arise because the chain also passes through equal circuits of the
/// same or higher cost.
///
/// The Metropolis rule uses the table cost, whatever sum the search minimizes; the circuit of the
/// least value is kept. If the search minimizes a critical path, the rule also uses the length of
/// the longest chain of gates through what an exchange replaces, more moves begin on long chains,
/// and rotations move to shorter ones.
class AnnealingChain {
 public:
  /// Proves windows by `proofs`, which the chains of one thread may share; null: by its own.
  AnnealingChain(const ClassTable& table, const AnnealingLabels& labels, rewrite::WireLists circuit,
                 std::uint64_t seed, std::shared_ptr<WindowProofs> proofs = nullptr);

  /// Makes moves at a temperature in units of the table cost.
  void run(std::uint64_t moves, double temperature);

  [[nodiscard]] const rewrite::WireLists& circuit() const { return circuit_.gates(); }
  /// Sums over the current circuit.
  [[nodiscard]] const Totals& totals() const { return circuit_.totals(); }
  [[nodiscard]] const RewrittenCircuit& log() const { return circuit_; }
  [[nodiscard]] const AnnealingCounts& counts() const { return counts_; }

  /// Begins a sweep: until it ends, moves begin at one of about `gates` gates around a random one.
  void begin_sweep(std::size_t gates);
  /// Ends the sweep. If the table cost has grown, returns to the best circuit, provided that the
  /// sweep found it, and otherwise to the circuit at the beginning of the sweep.
  void end_sweep();

  using Best = RewrittenCircuit::Snapshot;
  /// Copies the best circuit.
  [[nodiscard]] Best best() const { return circuit_.best_circuit(); }
  /// Does the same for a circuit whose history is followed (RewrittenCircuit::share_best_circuit).
  [[nodiscard]] Best share_best() { return circuit_.share_best_circuit(); }
  [[nodiscard]] Best current() const { return circuit_.current_circuit(); }
  [[nodiscard]] std::uint64_t best_value() const { return circuit_.best_totals().value; }
  [[nodiscard]] std::size_t best_size() const { return circuit_.best_size(); }
  void return_to_best() { circuit_.return_to_best(); }
  /// Continues from an equal circuit that was derived from the current one in another way. To be
  /// called between sweeps.
  void continue_from(const Best& circuit) { circuit_.continue_from(circuit); }

  /// Returns the rewrites that led to the best circuit.
  [[nodiscard]] const ChainGains& gains() const { return gains_; }
  /// Returns what all other rewrites come to: those that the chain passed through on the way to a
  /// rewrite that led to a new best circuit. With them, the gains add up to the gain of the chain.
  [[nodiscard]] Gain detours() const;

  /// Records the history of the circuit. To be called before the first move.
  void record_history() { circuit_.record_history(labels_); }
  void leave_out_undone_changes(bool leaves_out) { circuit_.leave_out_undone_changes(leaves_out); }
  /// Records the pairs that are proved from now on, and disables parity moves: CNOT+Rz blocks have
  /// more wires than the letters of a table.
  void record_pairs() {
    window_move_.record_pairs();
    settings.parity_share = 0;
  }

  /// Parameters of the choice of moves; the defaults are the best values on the Nam circuits.
  struct Settings {
    double moved_rotations = 0.5;  ///< fraction of the rotations that a rotation move moves
    /// moves per gate between two rotation moves; 0: no rotation moves
    unsigned moves_per_gate = 16;
    double parity_share = 0.01;             ///< fraction of the moves that are parity moves
    const CouplingMap* coupling = nullptr;  ///< null: gates may act on any qubits
  };
  Settings settings;

 private:
  void make_window_move(const MoveContext& context, rewrite::GateIndex start);
  void make_parity_move(const MoveContext& context, rewrite::GateIndex start);
  void make_rotation_move();
  /// Returns whether the Metropolis rule accepts what an exchange does to the chains of gates.
  [[nodiscard]] bool accepts_chains(const MoveContext& context, const Exchange& exchange) const;
  /// Returns the energy of the current circuit, in units of the table cost.
  [[nodiscard]] double energy() const;
  /// Returns the gate at which to begin a window, or kNoGate if the caller should try again. If a
  /// critical path is minimized, it is that of two random gates which is on the longer chains.
  [[nodiscard]] rewrite::GateIndex gate_of_window();
  /// Returns a random gate at which to begin, or kNoGate if the caller should try again.
  [[nodiscard]] rewrite::GateIndex random_gate();
  /// Applies an exchange; the focus follows it.
  void apply(const Exchange& exchange);
  /// The current circuit, and the best one so far.
  struct Sizes {
    std::size_t gates = 0;
    std::uint64_t value = 0;
    std::uint64_t best_value = 0;
  };
  [[nodiscard]] Sizes sizes() const { return {circuit().size(), totals().value, best_value()}; }
  /// Counts the last rewrite as a gain if it led to a new best circuit, given what was before it.
  void count_gain(RewriteKind kind, const Sizes& before);

  const AnnealingLabels& labels_;
  RewrittenCircuit circuit_;
  FastRandom random_;
  WindowMove window_move_;
  ParityMove parity_move_;
  std::optional<PathEnergy> path_energy_;  ///< only if a critical path is minimized
  Focus focus_;
  ChainGains gains_;
  AnnealingCounts counts_;
  std::size_t first_size_ = 0;  ///< number of gates of the circuit with which the chain began
  std::uint64_t first_value_ = 0;
  std::uint64_t moves_to_rotation_move_ = 0;
  std::size_t first_place_ = 0;             ///< first place of the stretch in which moves begin
  std::optional<std::size_t> sweep_start_;  ///< position of the log where the sweep began
  double energy_at_sweep_start_ = 0;
};

}  // namespace quartz::optimizer
