#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/circuit/program_assumptions.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/optimize/known_states.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/cache.hpp"

namespace quartz {

/// Selects the rules that come with the gate set (bundled_rule_set) or, if there are none, those of
/// circuits of up to 3 gates on up to 3 qubits, from the cache or generated (obtain_rule_set).
struct DefaultRules {};

/// The rules for backtracking: a rule set, or a file that contains one. Both are checked before the
/// search uses them (require_gate_set, require_usable_rules).
using RuleChoice = std::variant<DefaultRules, RuleSet, std::filesystem::path>;

/// Permits gates on any qubits.
struct AnyCoupling {};
/// Permits gates on the pairs of qubits on which the gates of the input act (coupling_of).
struct CouplingOfCircuit {};

/// The pairs of qubits on which gates may act. The circuit must already respect the map, because it
/// is not routed; a cx or ecr against the direction of a directed map is reversed.
using CouplingChoice =
    std::variant<AnyCoupling, CouplingOfCircuit, CouplingMap, std::filesystem::path>;

/// The steps of superoptimize(), in order. The journal is a step only if it is requested.
enum class SuperoptimizeStage : std::uint8_t { translate, rules, search, journal, check };
[[nodiscard]] std::string_view to_string(SuperoptimizeStage stage);

struct SuperoptimizeProgress {
  SuperoptimizeStage stage{};
  const GenerateProgress* rules = nullptr;   ///< set while rules are generated
  const OptimizeProgress* search = nullptr;  ///< set while the search runs
  /// Cost of the translated circuit (cost_of_translation); set while the search runs.
  const CostValue* translated_cost = nullptr;
  std::optional<double> check_seconds = {};  ///< its limit; set while the check runs
};

/// Whether to compare the result with the input.
enum class CheckPolicy : std::uint8_t {
  off,      ///< do not compare
  normal,   ///< compare; return a result even if the check could not decide
  required  ///< compare; throw an error if the check could not decide
};

/// By default the check after a search with a time limit may take two seconds and a twentieth
/// of that time: most of what the search finds is certified while it goes on. A second for each
/// million gates of the translated circuit is added, since large circuits are replayed after a
/// short search.
inline constexpr double kBaseCheckSeconds = 2;
inline constexpr double kCheckShare = 0.05;
inline constexpr double kCheckSecondsOfGate = 1e-6;
/// The default of a search with a number of steps, whose result must not depend on the time, and
/// for which everything is certified afterwards.
inline constexpr double kCheckSecondsWithSteps = 3600;
/// Returns the default time of a check, for the time and the number of steps of a search, and the
/// number of gates of the translated circuit.
[[nodiscard]] constexpr double default_check_seconds(double seconds, std::uint64_t steps,
                                                     std::size_t gates) {
  if (steps != 0) return kCheckSecondsWithSteps;
  return kBaseCheckSeconds + kCheckShare * seconds +
         kCheckSecondsOfGate * static_cast<double>(gates);
}

struct SuperoptimizeResult;

/// Whether the barriers of a program stay in it.
enum class Barriers : std::uint8_t {
  /// They stay, in order. No gate on their qubits crosses them, and nothing that is known of these
  /// qubits' states or use does (simplify_around_resets).
  keep,
  ignore,  ///< they are removed first
};

/// Whether the result may end with its qubits in another order than the input.
enum class QubitOrder : std::uint8_t {
  keep,
  /// The qubits may end elsewhere. Without a coupling map, SWAP gates are removed first, and those
  /// that make gates on two qubits cheaper are added for free; what is behind them is on the other
  /// qubit. With a coupling map, they are only added behind the last gates on two qubits.
  free,
};

/// A folder in which a search keeps its best circuit, so that another process can continue it
/// (docs/formats/checkpoint.md).
struct CheckpointOptions {
  std::filesystem::path folder = {};  ///< empty: none is kept
  /// Whether to continue the checkpoint in the folder. If it has none, the search begins.
  bool resume = false;
};

/// What users set has a row in the list of library_options() (quartz/workflow/options.hpp).
struct SuperoptimizeOptions {
  std::optional<Cost> cost = {};  ///< cost to minimize; nothing: the gate set's default cost
  /// Time limit for translation, rules and search together, and for the check of a small circuit,
  /// for which the search ends up to 20 ms earlier. With 0 there is no search: rotations are
  /// folded, or the circuit is simplified if `search` is "simplify" (OptimizeOptions::seconds),
  /// however long that takes.
  double seconds = 10;
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 0;
  std::string search = "auto";  ///< OptimizeOptions::search
  Exactness exactness = Exactness::keep;
  /// OptimizeOptions::epsilon, or the distance that approximated rotations may take; the check
  /// proves the bound. Cannot be combined with a checkpoint.
  double epsilon = 0;
  Barriers barriers = Barriers::keep;
  /// Qubits that may be added, so that Hadamard gates become gadgets with a measurement and a
  /// correction, and fewer T gates are needed. If rotations are approximated (epsilon), those by
  /// equal angles become fewer instead: adders write the number of their parities that are 1 to
  /// ancillas, whose bits are rotated. If the cost is the depth of rotations before all else, as
  /// the T depth is, gadgets and copies of parities put rotations beside each other. With 0, the
  /// result has the qubits of the input.
  std::uint32_t ancillas = 0;
  /// What is assumed about the qubits before and after the circuit. The result is equal to the
  /// input under these assumptions. What follows from it holds up to the first barrier on a qubit,
  /// and from its last barrier on, unless barriers are ignored.
  ProgramAssumptions assumptions = {};
  /// If it is free, the result is equal to the input up to SuperoptimizeResult::permutation, which
  /// a header comment of the circuit states.
  QubitOrder qubit_order = QubitOrder::keep;
  /// Whether the gates that the circuit declares (Circuit::declared_gates) stay declared: the body
  /// of each, and the program with its calls, are then optimized by themselves. Otherwise calls are
  /// expanded first. It cannot be combined with a coupling map, a journal, a checkpoint, ancillas
  /// and an epsilon.
  bool keep_gates = false;
  /// OptimizeOptions::steps: replaces the time limit; 0: use the time limit
  std::uint64_t steps = 0;
  SearchBackend backend = SearchBackend::automatic;  ///< OptimizeOptions::backend
  CouplingChoice coupling = {};
  RuleChoice rules = {};
  /// A file written by write_class_table. If empty, a cached class table is used, or one is built
  /// if needed.
  std::filesystem::path class_table = {};
  /// Memory limit for building a class table, in bytes; the depth of the table is reduced to fit.
  std::uint64_t table_memory = ClassTableOptions().memory;
  CacheOptions cache = {};
  /// Version of OpenQASM that must be able to express the result; 0: the version of the input.
  unsigned qasm_version = 0;
  CheckPolicy check = CheckPolicy::normal;
  /// Time limit of the check after the search; nothing: default_check_seconds(). While a search
  /// with a time limit goes on, what it has found is certified as well, in a twentieth of the
  /// processor time.
  std::optional<double> check_seconds = {};
  /// Most rewrites of a journal that the check replays; 0: no limit. Unlike the time, this limit
  /// does not depend on the speed of the machine.
  std::uint64_t check_steps = 0;
  double check_memory_bytes = 0x1p31;
  bool record_rules = false;  ///< whether to fill OptimizeResult::rules
  bool record_gains = false;  ///< whether to fill OptimizeResult::gains
  /// Whether to fill SuperoptimizeResult::journal. The rewrites are recorded in any case unless
  /// `check` is off, because the check needs them if it cannot decide otherwise.
  bool record_journal = false;
  /// Keeps the best circuit, at most a second old, while the search runs. `seconds` is then the
  /// time of all searches that continued each other.
  CheckpointOptions checkpoint = {};
  /// Name of the circuit in messages, such as the name of its file.
  std::string circuit_name = "the circuit";
  SearchWorkers* workers = nullptr;  ///< OptimizeOptions::workers
  /// Whether SuperoptimizeResult::translated is a copy if it is the same as the input or as
  /// `circuit`; if not, it has no operations then (translation_of).
  bool copies_translation = true;
  /// Called at the start of each stage and repeatedly during generation and search, from one thread
  /// at a time.
  std::function<void(const SuperoptimizeProgress&)> on_progress = {};
  WarningCallback on_warning = {};
  /// Called with the checked result before the class tables that the search built are written to
  /// the cache, so that a program can save the result first.
  std::function<void(const SuperoptimizeResult&)> on_result = {};
  /// A request before or during translation and rule generation ends the call with Stopped. A
  /// request during the search ends the search; the best circuit so far is checked and returned.
  std::stop_token stop = {};
  /// A request ends only the search, also if it is made before, for example because little memory
  /// is left.
  std::stop_token end_search = {};
};

/// Outcome of the comparison of the result with the input.
struct ResultCheck {
  std::optional<bool> verified;      ///< nothing if no check was made; false if it could not decide
  std::string text = "not checked";  ///< the verdict and how it was reached, as text
  EquivalenceReport report;  ///< report of check_equivalence, or of the replay of the journal
};

/// A value of an option as text, numbers or a truth value (quartz/workflow/options.hpp).
using OptionValue = std::variant<bool, std::uint64_t, double, std::string>;

/// An option and the value that it has.
struct OptionSetting {
  std::string_view name;
  OptionValue value;
};

/// What a run depended on: with the same input, gate set and record, a run with steps gives the
/// same result on every machine with the same number of threads.
struct RunRecord {
  std::string gate_set_digest;
  std::vector<OptionSetting> options;  ///< those on which the result depends
  unsigned threads = 0;                ///< number that was used
  bool has_coupling = false;
  std::uint64_t rules = 0;  ///< number of rules of the rule set
  unsigned rule_gates = 0;  ///< largest number of gates of an enumerated circuit of the rule set
  unsigned rule_qubits = 0;
  std::vector<ClassTableSummary> class_tables;  ///< that annealing used

  /// Returns the value of one of the options.
  [[nodiscard]] const OptionValue& value_of(std::string_view option) const;
  /// Returns whether the result does not depend on the speed of the machine.
  [[nodiscard]] bool is_reproducible() const;
};

struct StageTime {
  std::string name;
  double seconds = 0;
};

/// Where the translated circuit of a result is.
enum class TranslationPlace : std::uint8_t { translated, input, circuit };

/// Results of the search, and of the steps before and after it.
struct SuperoptimizeResult : OptimizeResult {
  /// The input after its translation into the gate set, before the search. If it would have half a
  /// million operations or more, runs of gates on one qubit are merged while it is made.
  Circuit translated;
  /// Where it is, unless it is copied (SuperoptimizeOptions::copies_translation).
  TranslationPlace translation_place = TranslationPlace::translated;
  /// If runs were merged: what `translated` would be otherwise. Reports compare the result with it.
  std::optional<CircuitCounts> plain_translation = {};
  /// Rotations that were approximated in `translated`, because the set lacks their angles and
  /// SuperoptimizeOptions::epsilon permits it.
  std::size_t approximated_rotations = 0;
  Cost cost = CostKind::total;
  std::optional<CouplingMap> coupling;
  ProgramAssumptions assumptions;  ///< SuperoptimizeOptions::assumptions
  /// Qubits of `circuit` after those of the input, and Hadamard gates that became gadgets with
  /// them. The result is then equal to the input for every outcome of their measurements.
  std::uint32_t ancillas = 0;
  std::size_t gadgets = 0;
  /// Toffoli gates, or products of three parities, that have four T gates, an ancilla and a
  /// measurement.
  std::size_t measured_toffolis = 0;
  /// Full and half adders of rotations by equal angles, with four T gates, an ancilla and a
  /// measurement each.
  std::size_t adders = 0;
  /// Ancillas that are not measured: parities are copied to them, so that more rotations are beside
  /// each other.
  std::uint32_t parity_ancillas = 0;
  /// Cost of the result without ancillas, if there could have been any.
  std::optional<CostValue> without_ancillas = {};
  /// The qubits of `circuit` on which those of the input end; empty if each is in its place.
  OutputPermutation permutation;
  ResultCheck check;
  std::vector<StageTime> stages;
  RunRecord run_record;
  /// If requested: the journal of the rewrites that lead from the input to the result, as in
  /// docs/formats/journal.md; replay_journal() certifies the result by it. If barriers are ignored,
  /// the rewrites begin with the input without barriers, and if something is assumed, they lead
  /// from with_assumptions(input) to with_assumptions(circuit). If the order of the qubits is free,
  /// they begin with without_swaps() of the input, or, if there is a coupling map, with the input,
  /// and lead to the result up to the rest of the permutation; the replay removes the SWAP gates of
  /// the input by itself (ReplayOptions::swaps). With ancillas, and if several searches led to
  /// the result, as before and after an approximation, it is a compound journal
  /// (docs/formats/compound_journal.md), which replay_compound_journal() reads.
  std::string journal;
  std::uint64_t journal_rewrites = 0;  ///< number of rewrites and exchanges in `journal`
  /// Cost of the best circuit that was found, if it could not be certified in the time of the
  /// check. `circuit` is then one that the search had found earlier, and that could be.
  std::optional<CostValue> uncertified_cost = {};
  /// Time that earlier searches spent, if this one continued their checkpoint.
  std::optional<double> seconds_before = {};
  /// How many gates changed because of what is known of states: those of the input before it was
  /// translated, if the search began from there, and those of what the search found.
  KnownStates known_states = {};
};

/// Returns the cost of the input after its translation into the gate set, with no runs merged.
[[nodiscard]] CostValue cost_of_translation(const SuperoptimizeResult& result);

/// Returns the translated circuit of the result of superoptimize() for an input.
[[nodiscard]] const Circuit& translation_of(const SuperoptimizeResult& result,
                                            const Circuit& input);

/// Optimizes a circuit for a target: translates it into the gate set, reverses gates against the
/// direction of the coupling map, obtains rules and class tables, searches (optimize), and compares
/// the result with the input by code that shares nothing with the search (check_equivalence). The
/// result is in the gate set and never costs more than the translated circuit. A result that is not
/// equal to the input is never returned.
///
/// Gates that the circuit declares stay declared only with SuperoptimizeOptions::keep_gates.
///
/// Throws InputError for a circuit that the gate set cannot express or that violates the coupling
/// map, for a bad rule set, class table, coupling file or checkpoint, and if the caller's rules or
/// the checkpoint lead to a wrong result; UsageError for inconsistent options, for a circuit that
/// the version of OpenQASM cannot express and for a checkpoint that another process has; Unverified
/// if a check is required and could not decide; Stopped; and InternalError for a wrong result
/// otherwise.
[[nodiscard]] SuperoptimizeResult superoptimize(const Circuit& circuit, const GateSet& set,
                                                const SuperoptimizeOptions& options = {});

/// Returns the rules that a search recorded (SuperoptimizeOptions::record_rules) as a rule set of
/// the gate set, which can be written to a file and proved.
[[nodiscard]] RuleSet recorded_rule_set(const OptimizeResult& result, const GateSet& set,
                                        std::uint64_t seed);

}  // namespace quartz
