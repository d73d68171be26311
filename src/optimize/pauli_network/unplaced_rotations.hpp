#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "optimize/pauli_network/pauli_string.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"

namespace quartz::optimizer {

/// The rotations of a sequence that are not yet gates, with what must come before each of them.
class UnplacedRotations {
 public:
  explicit UnplacedRotations(std::vector<Rotation> rotations) : rotations_(std::move(rotations)) {
    predecessors_.resize(rotations_.size(), 0);
    successors_.resize(rotations_.size());
    for (std::size_t i = 0; i < rotations_.size(); ++i) {
      open_.push_back(i);
      for (std::size_t j = 0; j < i; ++j) {
        if (!anticommute(rotations_[i].axis, rotations_[j].axis)) continue;
        ++predecessors_[i];
        successors_[j].push_back(i);
      }
    }
  }

  [[nodiscard]] bool is_empty() const { return open_.empty(); }
  /// Returns the indices of the open rotations in program order.
  [[nodiscard]] const std::vector<std::size_t>& open() const { return open_; }
  [[nodiscard]] const Rotation& operator[](std::size_t index) const { return rotations_[index]; }
  /// Returns whether no open rotation must come before this one.
  [[nodiscard]] bool is_first(std::size_t index) const { return predecessors_[index] == 0; }
  /// Returns the rotations that must come after this one, all open ones among them.
  [[nodiscard]] const std::vector<std::size_t>& successors(std::size_t index) const {
    return successors_[index];
  }
  void push(const CliffordGate& gate) {
    for (const std::size_t index : open_) {
      rotations_[index].axis = pushed(rotations_[index].axis, gate);
    }
  }
  void close(std::size_t index) {
    open_.erase(std::ranges::find(open_, index));
    for (const std::size_t next : successors_[index]) --predecessors_[next];
  }

 private:
  std::vector<Rotation> rotations_;
  std::vector<std::size_t> predecessors_;  ///< how many open rotations must come before each
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<std::size_t> open_;
};

}  // namespace quartz::optimizer
