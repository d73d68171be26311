#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/cost_enumerator.hpp"
#include "fingerprint/fingerprint.hpp"
#include "fingerprint/level_enumerator.hpp"

namespace quartz {

/// A state followed by one letter: indices into an array of states and into an alphabet.
struct Extension {
  std::uint32_t state = 0;
  std::uint32_t letter = 0;
};

/// Bulk work on the states of many circuits. A state is U v, 2^q elements of a flat array. Every
/// backend gives the same words. Calls are bulk and run one at a time; a backend spreads the work
/// over its own threads.
class FingerprintBackend {
 public:
  virtual ~FingerprintBackend() = default;
  /// As in the list of backends.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// keys[i] is the key of the circuit extensions[i]. Fastest where extensions of one state stand
  /// together.
  virtual void extension_keys(std::span<const Goldilocks> states,
                              std::span<const Extension> extensions,
                              std::span<FingerprintKey> keys) = 0;
  /// State i of `extended` is that of the circuit extensions[i].
  virtual void extend(std::span<const Goldilocks> states, std::span<const Extension> extensions,
                      std::span<Goldilocks> extended) = 0;
};

/// One row of the list of backends.
struct FingerprintBackendEntry {
  std::string_view name;
  bool (*available)();
  std::unique_ptr<FingerprintBackend> (*make)(FingerprintTables tables, unsigned threads);
  std::unique_ptr<LevelEnumerator> (*make_level_enumerator)(LevelTables tables,
                                                            const LevelEnumeratorOptions& options);
  /// Null for the CPU, where class tables have letters that are cheaper to apply than matrices.
  std::unique_ptr<CostEnumerator> (*make_cost_enumerator)(CostTables tables,
                                                          CostEnumeratorOptions options);
};

/// THE list of backends, the preferred ones first.
[[nodiscard]] std::span<const FingerprintBackendEntry> fingerprint_backends();

/// The first one available (for "auto" and for nothing), or the one named. Throws UsageError for a
/// name that is unknown or not available here.
[[nodiscard]] const FingerprintBackendEntry& fingerprint_backend(std::string_view name);

/// Of the backend of that name. `threads`: 0 is all cores.
[[nodiscard]] std::unique_ptr<FingerprintBackend> make_fingerprint_backend(
    FingerprintTables tables, unsigned threads, std::string_view name = {});
/// Likewise. Throws UsageError for tables beyond the limits of LevelTables.
[[nodiscard]] std::unique_ptr<LevelEnumerator> make_level_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options, std::string_view name = {});

}  // namespace quartz
