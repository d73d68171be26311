#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// The lengths of the chains of gates in a circuit under annealing, as in static timing analysis:
/// for each gate, the length of the longest chain that ends with it, and of the longest chain that
/// begins with it. A local change of the circuit updates those gates only whose lengths change.
class PathLevels {
 public:
  using Length = std::uint64_t;

  /// `lengths` has the length of each label that occurs in the circuit, now or later, and must
  /// outlive the object.
  PathLevels(std::span<const Length> lengths, const rewrite::WireLists& circuit);

  /// Computes all levels from the gates.
  void rebuild(const rewrite::WireLists& circuit);
  /// Updates the levels after a replacement: `inserted` are the places of the gates between the
  /// gaps, in the order of the circuit.
  void update(const rewrite::WireLists& circuit, std::span<const rewrite::WireLists::Gap> gaps,
              std::span<const rewrite::GateIndex> inserted);

  /// Returns the length of the longest chain.
  [[nodiscard]] Length longest() const { return longest_; }
  /// Returns the length of the longest chain through a gate.
  [[nodiscard]] Length through(const rewrite::WireLists& circuit, rewrite::GateIndex gate) const {
    return levels_[gate].to + levels_[gate].from - lengths_[circuit[gate].label];
  }
  /// Returns the length of the longest chain through one of the gates.
  [[nodiscard]] Length through(const rewrite::WireLists& circuit,
                               std::span<const rewrite::GateIndex> gates) const;
  /// Returns the length of the longest chain through the gaps once the gates are between them.
  [[nodiscard]] Length through_instead(std::span<const rewrite::WireLists::Gap> gaps,
                                       std::span<const rewrite::PlainGate> gates) const;
  /// Returns the length of the longest chain that ends with a gate; 0 for kNoGate.
  [[nodiscard]] Length to(rewrite::GateIndex gate) const {
    return gate == rewrite::kNoGate ? 0 : levels_[gate].to;
  }
  /// Returns the length of the longest chain that begins with a gate; 0 for kNoGate.
  [[nodiscard]] Length from(rewrite::GateIndex gate) const {
    return gate == rewrite::kNoGate ? 0 : levels_[gate].from;
  }
  [[nodiscard]] Length length_of(rewrite::Label label) const { return lengths_[label]; }

 private:
  struct Levels {
    Length to = 0;
    Length from = 0;
  };
  /// Both return whether the level has changed.
  bool set_to(const rewrite::WiredGate& gate, rewrite::GateIndex index);
  bool set_from(const rewrite::WiredGate& gate, rewrite::GateIndex index);
  void update_ends(const rewrite::WireLists& circuit, std::span<const rewrite::WireLists::Gap> gaps,
                   std::span<const rewrite::GateIndex> inserted);
  /// Updates the lengths of the chains that begin with a gate. Returns whether the longest chain
  /// may have changed.
  bool update_beginnings(const rewrite::WireLists& circuit,
                         std::span<const rewrite::WireLists::Gap> gaps,
                         std::span<const rewrite::GateIndex> inserted);
  void find_longest(const rewrite::WireLists& circuit);

  std::span<const Length> lengths_;
  std::vector<Levels> levels_;  ///< by place
  Length longest_ = 0;
  /// Gates to update, by position; kept for its memory.
  std::vector<std::pair<std::uint64_t, rewrite::GateIndex>> queue_;
};

}  // namespace quartz::optimizer
