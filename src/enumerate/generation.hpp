#pragma once

#include "enumerate/equalities.hpp"
#include "enumerate/letters.hpp"
#include "enumerate/repgen.hpp"
#include "quartz/enumerate/generate.hpp"

namespace quartz::enumerate {

/// The parts of generation that tests replace.
struct GenerationParts {
  ProverFactory make_prover;
  /// Key mask for the fingerprints of the first enumeration only; see EnumerationOptions.
  fingerprint::FingerprintKey first_key_mask = ~fingerprint::FingerprintKey{0};
};

/// An enumeration and the exact phases of its members.
struct ExactEnumeration {
  Enumeration enumeration;
  std::vector<std::optional<Angle>> phases;
  std::uint64_t collisions = 0;  ///< number of times different circuits had the same fingerprint
  double enumerate_seconds = 0;
  double phases_seconds = 0;
};

/// Enumerates, and checks every match of fingerprints in exact arithmetic. If a check fails, either
/// two fingerprints collided or exact arithmetic cannot handle the circuits. Another enumeration at
/// other random points distinguishes the two cases, and splits a class that a collision had joined.
[[nodiscard]] ExactEnumeration enumerate_exactly(const Letters& letters,
                                                 const GenerateOptions& options,
                                                 const GenerationParts& parts,
                                                 ProgressReport& progress);

[[nodiscard]] GenerateResult generate_with(const GenerationParts& parts, const GateSet& set,
                                           const GenerateOptions& options);

}  // namespace quartz::enumerate
