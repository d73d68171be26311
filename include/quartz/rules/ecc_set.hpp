#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz {

/// Classes of circuits that a file states to be equal up to global phase, without the phases (ECC:
/// equivalent circuit classes). Nothing about them is proved: import_rules() does that.
struct EccSet {
  std::vector<std::vector<std::vector<Operation>>> classes;  ///< circuits of each class
  unsigned qubits = 0;                                       ///< largest number in a circuit
  unsigned parameters = 0;                                   ///< named p0, p1, ...
  /// Number of circuits that were omitted because of each gate, by its name in the file.
  std::map<std::string, std::uint64_t> omitted;

  [[nodiscard]] std::uint64_t omitted_circuits() const noexcept;
};

/// Parses a set of equivalent circuit classes (ECC) that the original Quartz wrote
/// (docs/formats/ecc_set.md), in the layout with or without a common list of parameters. A circuit
/// with a gate that the gate set cannot express is omitted, and the qubits, which must be fewer
/// than 64, are numbered as in the file. The parameters of rotations are halves of angles in these
/// files; those returned are angles. `name` identifies the source in messages. Throws InputError
/// with the location of the error for a malformed text, and Stopped once a stop is requested.
[[nodiscard]] EccSet parse_ecc_set(std::string_view text, const std::string& name,
                                   const GateSet& set, const std::stop_token& stop = {});

/// Returns the classes of a rule set without their phases, so that they can be proved again. A
/// circuit with a gate that the gate set does not have is omitted.
[[nodiscard]] EccSet equivalent_circuits(const RuleSet& rules, const GateSet& set);

/// Reads an ECC set or a rule set from a file, compressed (Zstandard) or not; "-" is standard
/// input. Throws InputError like parse_ecc_set and parse_rule_set, and if the file cannot be read.
[[nodiscard]] EccSet read_ecc_set_file(const std::filesystem::path& path, const GateSet& set,
                                       const std::stop_token& stop = {});

}  // namespace quartz
