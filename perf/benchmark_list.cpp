#include "benchmark_list.hpp"

#include <array>

#include "approximation_perf.hpp"
#include "chain_perf.hpp"
#include "enumerate_perf.hpp"
#include "optimize_perf.hpp"
#include "parity_perf.hpp"
#include "proof_perf.hpp"
#include "qasm_perf.hpp"
#include "replay_perf.hpp"

namespace quartz::perf {
namespace {

constexpr std::array kBenchmarks = {
    Benchmark{"annealing_moves/409_gates", "moves", 1.4e6, annealing_moves_409_gates, 500},
    Benchmark{"annealing_moves/47601_gates", "moves", 1.0e6, annealing_moves_47601_gates, 500},
    Benchmark{"annealing_moves/1000009_gates", "moves", 600e3, annealing_moves_1000009_gates, 500},
    Benchmark{"approximated_rotations/1e-3", "rotations", 1000, approximated_rotations_1e_3},
    Benchmark{"approximated_rotations/1e-5", "rotations", 1000, approximated_rotations_1e_5},
    Benchmark{"approximated_rotations/1e-10", "rotations", 1000, approximated_rotations_1e_10},
    Benchmark{"chain_moves/emulator", "moves", 1.2e6, chain_moves_emulator, 4},
    // Measured on an H200 (docs/benchmarks.md).
    Benchmark{"chain_moves/cuda", "moves", 130e6, chain_moves_cuda, 4, true, has_chain_device},
    Benchmark{"focused_sweep/47601_gates", "moves", 900e3, focused_sweep_47601_gates, 20},
    Benchmark{"focused_sweep/1000009_gates", "moves", 900e3, focused_sweep_1000009_gates, 10},
    // The cost of undoing does not depend on the size of the circuit.
    Benchmark{"sweep_undo/10201_gates", "sweeps", 250, sweep_undo_10201_gates, 20, true},
    Benchmark{"sweep_undo/99995_gates", "sweeps", 250, sweep_undo_99995_gates, 20, true},
    Benchmark{"sweep_undo/1000009_gates", "sweeps", 250, sweep_undo_1000009_gates, 20, true},
    Benchmark{"rotation_placement/47601_gates", "gates", 11e6, rotation_placement},
    // Measured on an Intel Xeon.
    Benchmark{"parity_candidates/emulator", "candidates", 1.7e6, parity_candidates_emulator, 4,
              true},
    // Measured on an H200.
    Benchmark{"parity_candidates/cuda", "candidates", 1.3e9, parity_candidates_cuda, 4, true,
              has_parity_device},
    Benchmark{"phase_folding/47601_gates", "gates", 570e3, phase_folding_47601_gates},
    // With more qubits folding takes longer for each gate. The goal is the smaller circuit's rate.
    Benchmark{"phase_folding/1000009_gates", "gates", 570e3, phase_folding_1000009_gates},
    Benchmark{"two_qubit_blocks/400_gates", "gates", 170e3, two_qubit_blocks},
    Benchmark{"backtracking/45_gates", "circuits", 130e3, backtracking},
    Benchmark{"table_look_up/cost_6", "look-ups", 60e6, table_look_up},
    Benchmark{"table_walk_down/cost_6", "steps", 15e6, table_walk_down},
    Benchmark{"table_build/cost_5", "classes", 5.5e6, table_build},
    Benchmark{"class_count/5_gates", "circuits", 16e6, class_count},
    Benchmark{"fingerprints/cpu/6_gates", "fingerprints", 130e6, fingerprints_cpu, 1, true},
    // Measured on an H200 (docs/benchmarks.md).
    Benchmark{"fingerprints/cuda/7_gates", "fingerprints", 46.7e9, fingerprints_cuda, 1, true,
              cuda_available},
    Benchmark{"parse/47601_gates", "gates", 8e6, parse},
    Benchmark{"write/47601_gates", "gates", 31e6, write},
    Benchmark{"translate/47601_gates", "gates", 3.9e6, translate_to_ibm_heron},
    Benchmark{"z3_proof", "proofs", 32e3, z3_proofs},
    Benchmark{"exact_proof", "proofs", 570e3, exact_proofs},
    Benchmark{"window_proof", "proofs", 5e6, window_proofs},
    Benchmark{"path_sum/3401_gates", "gates", 175e3, path_sum},
    Benchmark{"check/47601_gates", "gates", 800e3, check_folded_adder},
    // The rate that certificates of long searches need. Building the circuit is included, which
    // takes most of the time at a million gates.
    Benchmark{"replay/409_gates", "rewrites", 1e6, replay_409_gates},
    Benchmark{"replay_exchanges/40_rotations", "exchanges", 7e3, replay_exchanges_of_40},
    Benchmark{"replay_exchanges/1_rotation", "exchanges", 650e3, replay_exchanges_of_1},
    Benchmark{"replay/1000009_gates", "rewrites", 1e6, replay_1000009_gates},
};

}  // namespace

std::span<const Benchmark> benchmarks() { return kBenchmarks; }

}  // namespace quartz::perf
