#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "optimize/annealing/proved_pairs.hpp"
#include "optimize/state/used_rules.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/verify/prover.hpp"
#include "verify/window_prover.hpp"

namespace quartz::optimizer {

/// Proves that windows equal their replacements, both as letters of a class table without common
/// prefix and suffix. Remembers what it has proved, which takes half a megabyte: chains that run
/// one after the other share it.
class WindowProofs {
 public:
  /// The letters must outlive the object.
  explicit WindowProofs(const std::vector<Operation>& letters)
      : letters_(letters), prover_(letters), exact_prover_(make_exact_prover()) {}

  /// Returns whether the replacement, times e^{i pi phase / 8}, is proved equal to the window, by
  /// this call or an earlier one.
  [[nodiscard]] bool is_proved(std::span<const std::uint8_t> window,
                               std::span<const std::uint8_t> replacement, int phase) {
    const std::uint64_t key = ProvedPairs::key(window, replacement, phase);
    return proved_pairs_.contains(key) || prove(window, replacement, phase, key);
  }

  /// Records all pairs that are proved from now on.
  void record_pairs() {
    if (!used_pairs_) used_pairs_.emplace();
  }
  [[nodiscard]] const std::optional<UsedPairs>& used_pairs() const { return used_pairs_; }

 private:
  [[nodiscard]] bool prove(std::span<const std::uint8_t> window,
                           std::span<const std::uint8_t> replacement, int phase, std::uint64_t key);
  [[nodiscard]] bool are_equal(std::span<const std::uint8_t> window,
                               std::span<const std::uint8_t> replacement, int phase) const;

  const std::vector<Operation>& letters_;
  const verify::WindowProver prover_;
  /// Proves windows with a letter that the window prover does not support, such as a free angle.
  std::unique_ptr<Prover> exact_prover_;
  ProvedPairs proved_pairs_;
  std::optional<UsedPairs> used_pairs_;
};

}  // namespace quartz::optimizer
