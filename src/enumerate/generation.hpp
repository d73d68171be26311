#pragma once

#include "enumerate/equalities.hpp"
#include "enumerate/letters.hpp"
#include "enumerate/repgen.hpp"
#include "quartz/enumerate/generate.hpp"

namespace quartz {

/// What generation is made of and tests replace.
struct GenerationParts {
  ProverFactory make_prover;
  /// Of the first enumeration's fingerprints only; see EnumerationOptions.
  FingerprintKey first_key_mask = ~FingerprintKey{0};
};

/// An enumeration and the exact phases of its members.
struct ExactEnumeration {
  Enumeration enumeration;
  std::vector<std::optional<Angle>> phases;
  std::uint64_t collisions = 0;  ///< different circuits that had one fingerprint
  double enumerate_seconds = 0;
  double phases_seconds = 0;
};

/// Enumerates, and checks every match of fingerprints in exact arithmetic. Where a check fails,
/// either two fingerprints collided or exact arithmetic is not up to the circuits: another
/// enumeration at other random points tells the two apart, and has the collided class split.
[[nodiscard]] ExactEnumeration enumerate_exactly(const Letters& letters,
                                                 const GenerateOptions& options,
                                                 const GenerationParts& parts,
                                                 ProgressReport& progress);

[[nodiscard]] GenerateResult generate_with(const GenerationParts& parts, const GateSet& set,
                                           const GenerateOptions& options);

}  // namespace quartz
