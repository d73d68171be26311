#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "certify/replay/replayed_circuit.hpp"

namespace quartz::certify {

/// Two circuits without the gates that they have in common at their starts and at their ends: they
/// are equal if and only if the given ones are, with the same phase. Their wires are numbered in
/// the order in which they occur, so that windows that differ only there are proved once.
class ReducedWindow {
 public:
  using Gates = std::span<const ReplayedCircuit::WindowOperation>;

  /// Reduces two circuits on at most ReplayedCircuit::kMaxWindowWires wires.
  void reduce(Gates left, Gates right);

  [[nodiscard]] Gates left() const { return left_; }
  [[nodiscard]] Gates right() const { return right_; }
  [[nodiscard]] std::size_t wires() const { return wires_; }

 private:
  using List = std::vector<ReplayedCircuit::WindowOperation>;
  /// Removes the gates that both lists have at their starts, in some order of each circuit.
  void remove_common_start();
  void number_wires();

  List left_;
  List right_;
  List kept_;
  std::vector<std::uint8_t> operands_;
  std::size_t wires_ = 0;
};

}  // namespace quartz::certify
