#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classes/backend/cost_enumerator.hpp"
#include "classes/backend/level_enumerator.hpp"
#include "fingerprint/fingerprint.hpp"

namespace quartz::classes {

using algebra::Goldilocks;

/// A state extended by one letter: indices into an array of states and into an alphabet.
struct Extension {
  std::uint32_t state = 0;
  std::uint32_t letter = 0;
};

/// Bulk operations on the states of many circuits. The state of a circuit U is the vector U v, 2^q
/// consecutive elements of a flat array. All backends return identical words. Only one call may run
/// at a time; a backend distributes the work of a call over its own threads.
class FingerprintBackend {
 public:
  virtual ~FingerprintBackend() = default;
  /// Returns the backend's name in fingerprint_backends().
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Sets keys[i] to the key of the circuit extensions[i]. Fastest if the extensions of one state
  /// are consecutive.
  virtual void extension_keys(std::span<const Goldilocks> states,
                              std::span<const Extension> extensions,
                              std::span<fingerprint::FingerprintKey> keys) = 0;
  /// Sets state i of `extended` to the state of the circuit extensions[i].
  virtual void extend(std::span<const Goldilocks> states, std::span<const Extension> extensions,
                      std::span<Goldilocks> extended) = 0;
};

/// One row of the list of backends.
struct FingerprintBackendEntry {
  std::string_view name;
  bool (*available)();
  std::unique_ptr<FingerprintBackend> (*make)(fingerprint::FingerprintTables tables,
                                              unsigned threads);
  std::unique_ptr<LevelEnumerator> (*make_level_enumerator)(LevelTables tables,
                                                            const LevelEnumeratorOptions& options);
  /// Null for the CPU: its class tables use a cost enumerator of their own, whose letters are
  /// cheaper to apply than matrices.
  std::unique_ptr<CostEnumerator> (*make_cost_enumerator)(CostTables tables,
                                                          CostEnumeratorOptions options);
};

}  // namespace quartz::classes
