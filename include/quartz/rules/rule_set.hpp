#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// A circuit of an equivalence class: unitary(gates) = e^{i phase} unitary(representative's gates)
/// for all values of the parameters p0, p1, ...
struct ClassMember {
  std::vector<Operation> gates;
  Angle phase;  ///< exact; zero for the representative
};

/// Circuits with one unitary up to global phase. The first is the representative.
struct EquivalenceClass {
  std::vector<ClassMember> members;
};

/// How the equalities of a rule set were proved.
struct ProofSummary {
  std::string method;  ///< "z3 4.8.12", say
  std::uint64_t tried = 0;
  std::uint64_t proved = 0;
  std::uint64_t unknown = 0;  ///< not proved within the limit, and left out
};

/// An ECC set: what `quartz-gen` writes and `quartz-opt` reads. A rule is an ordered pair of
/// circuits of one class.
struct RuleSet {
  std::string gate_set;         ///< name
  std::string gate_set_digest;  ///< GateSet::digest
  unsigned gates = 0;           ///< n: circuits of up to so many gates
  unsigned qubits = 0;          ///< q
  unsigned parameters = 0;      ///< m
  std::uint64_t seed = 0;
  ProofSummary proofs;
  std::vector<EquivalenceClass> classes;  ///< each with two members or more

  [[nodiscard]] std::uint64_t circuit_count() const noexcept;
  /// Ordered pairs within the classes.
  [[nodiscard]] std::uint64_t rule_count() const noexcept;
};

/// Version of the file format (docs/formats/rule_set.md).
inline constexpr unsigned rule_set_version = 1;

/// Versioned JSON with a trailing digest; same rule set, same bytes.
[[nodiscard]] std::string write_rule_set(const RuleSet& rules);
/// Throws InputError for anything damaged: truncated, edited (digest), of another version.
/// `name` is what messages call the source.
/// Throws Stopped once a stop is requested.
[[nodiscard]] RuleSet parse_rule_set(std::string_view text, const std::string& name,
                                     const std::stop_token& stop = {});
/// From a file, compressed (Zstandard) or not, whatever its name; "-" is standard input. Throws
/// InputError as parse_rule_set does, and if the file cannot be read.
[[nodiscard]] RuleSet read_rule_set_file(const std::filesystem::path& path,
                                         const std::stop_token& stop = {});
/// What a file of that name has in it: compressed text if it ends with ".zst".
[[nodiscard]] std::string rule_set_file_content(const RuleSet& rules,
                                                const std::filesystem::path& path);
/// The rules that are part of the library for a gate set (gatesets/rules/): made for one of the
/// same name and digest. Nothing where there are none.
[[nodiscard]] std::optional<RuleSet> bundled_rule_set(const GateSet& set);
/// Throws InputError unless the rules were made for this gate set (digest).
void require_gate_set(const RuleSet& rules, const GateSet& set, const std::string& name);
/// Throws InputError, with the class and the circuit, unless a search may use the rules: every gate
/// is in the gate set, and the circuits of each class are equal, phases included, on a random state
/// for random parameter values (in double precision; a proof is what quartz-gen prove makes). For
/// rule sets of unknown origin: whoever wrote one can give it a valid digest.
void require_usable_rules(const RuleSet& rules, const GateSet& set, const std::string& name,
                          unsigned threads = 1);

}  // namespace quartz
