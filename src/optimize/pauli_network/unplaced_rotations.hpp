#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "optimize/pauli_network/pauli_columns.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::optimizer {

/// The rotations of a sequence that are not yet gates, with what must come before each of them. A
/// rotation has a number, that in the sequence, and a place among the open ones, which are in the
/// same order.
class UnplacedRotations {
 public:
  UnplacedRotations(PauliColumns axes, std::vector<Angle> angles)
      : axes_(std::move(axes)),
        angles_(std::move(angles)),
        predecessors_(angles_.size()),
        successors_(angles_.size()),
        open_(angles_.size()) {
    std::iota(open_.begin(), open_.end(), std::size_t{0});
    for (std::size_t i = 0; i < angles_.size(); ++i) {
      const std::vector<std::uint64_t> anticommuting = axes_.anticommuting(i);
      for (std::size_t word = 0; 64 * word < i; ++word) {
        for (std::uint64_t left = anticommuting[word]; left != 0; left &= left - 1) {
          const std::size_t j = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
          if (j >= i) break;
          ++predecessors_[i];
          successors_[j].push_back(i);
        }
      }
    }
  }

  [[nodiscard]] bool is_empty() const { return open_.empty(); }
  /// Returns the number of open rotations.
  [[nodiscard]] std::size_t size() const { return open_.size(); }
  /// Returns the axes of the open rotations, by their places.
  [[nodiscard]] const PauliColumns& axes() const { return axes_; }
  [[nodiscard]] const Angle& angle(std::size_t place) const { return angles_[open_[place]]; }
  /// Returns whether no open rotation must come before the one at a place.
  [[nodiscard]] bool is_first(std::size_t place) const { return predecessors_[open_[place]] == 0; }

  /// Returns the number of the rotation at a place.
  [[nodiscard]] std::size_t number_at(std::size_t place) const { return open_[place]; }
  /// Returns the place of an open rotation.
  [[nodiscard]] std::size_t place_of(std::size_t number) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(open_, number) - open_.begin());
  }
  /// Returns the numbers of the rotations that must come after one, all open ones among them.
  [[nodiscard]] const std::vector<std::size_t>& successors(std::size_t number) const {
    return successors_[number];
  }

  void push(const CliffordGate& gate) { axes_.push(gate); }
  void close(std::size_t place) {
    for (const std::size_t next : successors_[open_[place]]) --predecessors_[next];
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(place));
    axes_.erase(place);
  }

 private:
  PauliColumns axes_;
  std::vector<Angle> angles_;              ///< by number
  std::vector<std::size_t> predecessors_;  ///< how many open rotations must come before each
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<std::size_t> open_;  ///< numbers of the open rotations
};

}  // namespace quartz::optimizer
