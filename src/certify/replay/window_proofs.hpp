#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/budget.hpp"
#include "certify/replay/monomial_window.hpp"
#include "certify/replay/replayed_circuit.hpp"
#include "certify/replay/ring_window.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::certify {

/// How strong a proof of equality is.
struct ProofStrength {
  /// Upper bound on the operator norm of the difference, up to the phase; 0 for exact proofs.
  double distance = 0;
  /// log2 of an upper bound on the probability of an error; empty for deterministic proofs.
  std::optional<double> log2_failure;
};

/// Proofs that the two sides of rewrites are equal. Each distinct pair is proved once; a pair is
/// the gates of both sides with their operands numbered within the window.
class WindowProofs {
 public:
  using Gates = std::span<const ReplayedCircuit::WindowOperation>;

  /// A pair of circuits with left = e^{i phase} right.
  struct Pair {
    bool is_equal = false;
    Angle phase;
    ProofStrength strength;
    std::string reason;      ///< the reason if the circuits are not known to be equal
    std::uint64_t uses = 0;  ///< how often the caller has used the pair
  };

  explicit WindowProofs(const OperationTable& table)
      : table_(table), monomial_(table), ring_(table) {}

  /// Returns the pair of two circuits on `wires` wires, proved now or earlier. The reference is
  /// valid until the proofs are destroyed.
  [[nodiscard]] Pair& pair(std::size_t wires, Gates left, Gates right, const Budget& budget);

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  /// Calls `visit` with every pair.
  void for_each(const std::function<void(const Pair&)>& visit) const;

 private:
  struct KeyHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const {
      return std::hash<std::string_view>()(key);
    }
  };

  [[nodiscard]] Pair prove(std::size_t wires, Gates left, Gates right, const Budget& budget);
  /// Proves a pair by the methods that compare whole circuits.
  [[nodiscard]] Pair prove_by_methods(std::size_t wires, Gates left, Gates right,
                                      const Budget& budget) const;
  [[nodiscard]] Circuit circuit_of(std::size_t wires, Gates gates) const;

  const OperationTable& table_;
  MonomialWindow monomial_;
  RingWindow ring_;
  std::unordered_map<std::string, Pair, KeyHash, std::equal_to<>> pairs_;
  std::string key_;
};

}  // namespace quartz::certify
