#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// A circuit of an equivalence class: unitary(gates) = e^{i phase} unitary(representative's gates)
/// for all values of the parameters p0, p1, ...
struct ClassMember {
  std::vector<Operation> gates;
  Angle phase;  ///< exact; zero for the representative
};

/// Circuits with the same unitary up to global phase. The first one is the representative.
struct EquivalenceClass {
  std::vector<ClassMember> members;
};

/// How the equalities of a rule set were proved.
struct ProofSummary {
  std::string method;  ///< name of the prover, such as "z3 4.8.12"
  std::uint64_t tried = 0;
  std::uint64_t proved = 0;
  std::uint64_t unknown = 0;  ///< not proved within the time limit, and omitted
};

/// A rule set (an ECC set in the papers of Quartz), written by `quartz-gen` and read by
/// `quartz-opt`. A rule is an ordered pair of circuits of one class.
struct RuleSet {
  std::string gate_set;         ///< name of the gate set
  std::string gate_set_digest;  ///< GateSet::digest
  unsigned gates = 0;           ///< largest number of gates of an enumerated circuit (n)
  unsigned qubits = 0;          ///< number of qubits (q)
  unsigned parameters = 0;      ///< number of parameters (m)
  std::uint64_t seed = 0;
  ProofSummary proofs;
  std::vector<EquivalenceClass> classes;  ///< each with at least two members

  /// Returns the number of circuits in all classes.
  [[nodiscard]] std::uint64_t circuit_count() const noexcept;
  /// Returns the number of ordered pairs of circuits within the classes.
  [[nodiscard]] std::uint64_t rule_count() const noexcept;
  /// Returns the number of gates of the largest circuit.
  [[nodiscard]] unsigned most_gates() const noexcept;
};

/// Version of the file format (docs/formats/rule_set.md).
inline constexpr unsigned rule_set_version = 1;

/// Returns the rule set as versioned JSON with a trailing digest. The same rule set always gives
/// the same bytes.
[[nodiscard]] std::string write_rule_set(const RuleSet& rules);
/// Parses a rule set. `name` identifies the source in messages; `custom_gates` are those of the
/// gate set for which the rules were made. Throws InputError for a text that is truncated, damaged,
/// edited (digest) or of another version, and Stopped once a stop is requested.
[[nodiscard]] RuleSet parse_rule_set(std::string_view text, const std::string& name,
                                     const std::stop_token& stop = {},
                                     const CustomGates& custom_gates = {});
/// Reads a rule set from a file, compressed (Zstandard) or not, regardless of its name; "-" is
/// standard input. Throws InputError like parse_rule_set, and if the file cannot be read.
[[nodiscard]] RuleSet read_rule_set_file(const std::filesystem::path& path,
                                         const std::stop_token& stop = {},
                                         const CustomGates& custom_gates = {});
/// Returns the content for a file with this path: compressed text if the name ends with ".zst".
[[nodiscard]] std::string rule_set_file_content(const RuleSet& rules,
                                                const std::filesystem::path& path);
/// Returns the rules that the library contains for a gate set (gatesets/rules/), made for a gate
/// set with the same name and digest, or nothing if there are none.
[[nodiscard]] std::optional<RuleSet> bundled_rule_set(const GateSet& set);
/// Throws InputError unless the rules were made for this gate set (by its digest).
void require_gate_set(const RuleSet& rules, const GateSet& set, const std::string& name);
/// Throws InputError, naming the class and the circuit, unless a search may use the rules: every
/// gate must be in the gate set, and the circuits of each class must be equal, including phases, on
/// a random state for random parameter values (in double precision; `quartz-gen prove` proves
/// them). This is meant for rule sets of unknown origin, as anyone can give one a valid digest.
void require_usable_rules(const RuleSet& rules, const GateSet& set, const std::string& name,
                          unsigned threads = 1);

}  // namespace quartz
