"""Benchmarks of the commands of Quartz: the package behind scripts/bench.py.

One module for each benchmark that a person runs, listed in command_line.py:

    circuits        quartz-opt on a folder of circuits, compared with other optimizers
    generation      quartz-gen
    class_tables    class tables, and annealing with them
    large_circuits  a circuit of a million gates
    limits          whether quartz-opt keeps its time limit
    certificate     whether what a search finds is certified in time
    commits         two commits, compared on this machine
    comparison      circuits on devices and logical ones, compared with other optimizers
    native          the native gate sets, compared with Qiskit
    numeric_blocks  random unitaries on three qubits, and states, compared with Qiskit and BQSKit
    fixpoint        results optimized again, and inputs with an identity pair
    t_depth         T depth, compared with tzap
    rotations       rotations into Clifford+T gates, compared with other programs
    exporters       programs of Qiskit and pytket, sent through Quartz and back
    checkers        quartz-check, MQT QCEC and PyZX on the same pairs of circuits
    pairs           results of the differential fuzzer, compared by MQT QCEC and Qiskit

and what they share:

    programs        runs commands and measures them
    packages        Python packages from requirements.txt, in build/venv
    provenance      commit, machine, date and command line of a measurement
    random_circuits large random circuits
    qasm            reads, counts and writes flat OpenQASM 2.0
    costs           the costs of quartz-opt, counted independently of it
    gate_sets       which gates and angles a gate set permits
    peers           the other optimizers, and MQT QCEC
    peer_variants   the variants of the other optimizers, under given assumptions
    pauli_layers    circuits as Pauli rotations, in layers that commute
    block_peers     Qiskit and BQSKit on unitaries and states
    rotation_peers  other programs that approximate rotations
    rotation_bounds random circuits with rotations, and whether their distances are kept
    distances       the distance of two small circuits, by simulation
    workloads       the circuits of `comparison`, from MQT Bench and QASMBench
    comparison_runs runs all optimizers on one circuit, and keeps their results
    comparison_tables  the tables of `comparison`
    suite_picture   the picture of the README
    isolation       calls a function in a process of its own
    checking        verdicts on the outputs
    results         means and comparisons of the results of `circuits`
    references      published results
    ratios          statistics of paired measurements
    text_table      tables on the terminal
    reports         the tables that `circuits` prints
    plots           the picture of reduction against time
    figures         the figures of docs/benchmarks.json in the documentation
    figure_imports  new figures from results files

Nothing here uses the C++ code that is measured; sizes of circuits are counted from the files.
"""
