#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "optimize/pauli_rows.hpp"

namespace quartz {

/// The rotations that a later one may still merge with: those that commute with all rotations after
/// them. Each is a number, and known by the bits of its Pauli operator; there is one at most for
/// each operator.
///
/// How many there are at once is bounded, and with it the time that a rotation takes; the oldest
/// are closed then, which loses merges and nothing else.
class OpenRotations {
 public:
  explicit OpenRotations(const PauliRows& paulis);

  [[nodiscard]] std::optional<std::uint32_t> find(PauliRows::ConstRow bits) const;
  void close_anticommuting(PauliRows::ConstRow bits);
  /// In the place of the one about the same operator, if there is one. Numbers ascend.
  void open(PauliRows::ConstRow bits, std::uint32_t number);

 private:
  /// Open addressing with linear probing: a place holds the index of a rotation and 1, or 0.
  using Place = std::size_t;

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] PauliRows::ConstRow bits_of(std::size_t index) const;
  [[nodiscard]] Place next(Place place) const { return (place + 1) & (places_.size() - 1); }
  [[nodiscard]] Place home(std::uint64_t hash) const { return hash & (places_.size() - 1); }
  /// Where the operator is, or would be put.
  [[nodiscard]] Place find_place(PauliRows::ConstRow bits, std::uint64_t hash) const;
  [[nodiscard]] Place place_of(std::size_t index) const;
  /// Adds to the support.
  void unite(PauliRows::ConstRow bits);
  void grow();
  void close(std::size_t index);
  template <typename Predicate>
  void close_if(Predicate is_closed);

  PauliRows paulis_;
  // Of the open rotations, in any order.
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> places_;   ///< a power of two of them, at least twice as many as needed
  std::vector<std::uint64_t> support_;  ///< the bits of all of them together, and maybe more
};

}  // namespace quartz
