#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "certify/problem/problem.hpp"
#include "certify/replay/replayed_circuit.hpp"

namespace quartz::certify {

/// A sequence of gates on any number of wires.
class GateList {
 public:
  void clear() {
    codes_.clear();
    wires_.clear();
    ends_.clear();
  }
  void reserve(std::size_t gates) {
    codes_.reserve(gates);
    wires_.reserve(gates);
    ends_.reserve(gates);
  }
  void add_wire(Wire wire) { wires_.push_back(wire); }
  /// Adds a gate on the wires that were added since the preceding gate.
  void add_gate(OperationCode code) {
    codes_.push_back(code);
    ends_.push_back(wires_.size());
  }

  [[nodiscard]] std::size_t size() const { return codes_.size(); }
  [[nodiscard]] OperationCode code(std::size_t i) const { return codes_[i]; }
  [[nodiscard]] std::span<const Wire> wires(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(wires_).subspan(begin, ends_[i] - begin);
  }
  /// Returns the wires of all gates, one after another.
  [[nodiscard]] std::span<const Wire> wires() const { return wires_; }

 private:
  std::vector<OperationCode> codes_;
  std::vector<Wire> wires_;
  std::vector<std::size_t> ends_;  ///< for each gate the number of wires up to its last one
};

}  // namespace quartz::certify
