#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// The state that Clifford gates make of |0...0>, with its exact global phase, in the CH form of
/// Bravyi, Browne, Calpin, Campbell, Gosset and Howard (arXiv 1808.00128, section 4.1):
///
///   e^{i eighths pi/4} H^pending U H^v |s>
///
/// Here U is a product of gates S, CZ and CX, which all map |0...0> to itself, and H^v are Hadamard
/// gates on the wires in v. U is stored as its action on Pauli operators: for each wire w,
///
///   U^dagger X_w U = i^gamma X^f Z^m   and   U^dagger Z_w U = Z^g.
///
/// To make a Hadamard gate a part of U and v costs an operation on each word of the rows; all other
/// gates change the rows of their own wires only. Therefore Hadamard gates are pending as long as
/// the gates after them, exchanged with them, are products of S, CZ, CX and Pauli operators: most
/// Hadamard gates next to a target of cx meet another one and vanish.
class StabilizerState {
 public:
  /// Creates the state |0...0>.
  explicit StabilizerState(std::size_t wires);

  /// Returns the size of a state of this number of wires.
  [[nodiscard]] static double bytes(std::size_t wires);

  /// Returns the number of words that were read or changed so far.
  [[nodiscard]] std::uint64_t work() const { return work_; }

  void hadamard(Wire wire) { pending_[wire] = !pending_[wire]; }
  void x(Wire wire);
  void cx(Wire control, Wire target);
  void swap(Wire first, Wire second);
  /// Applies e^{-i quarters pi/4 Z...Z} with a Z on each of these different wires.
  void rotate_z(std::span<const Wire> wires, unsigned quarters);

  /// The number 0, or e^{i eighths pi/4} / sqrt(2)^roots.
  struct Amplitude {
    bool is_zero = false;
    unsigned eighths = 0;  ///< below 8
    std::size_t roots = 0;
  };
  /// Returns the amplitude of a basis state, which has wire w in bit w % 64 of word w / 64.
  [[nodiscard]] Amplitude amplitude(std::span<const std::uint64_t> basis_state);

 private:
  using Row = std::uint64_t*;

  [[nodiscard]] std::size_t row_words() const { return 3 * words_ + 1; }
  [[nodiscard]] Row f(Wire wire) { return rows_.data() + std::size_t{wire} * row_words(); }
  [[nodiscard]] Row m(Row row) const { return row + words_; }
  [[nodiscard]] Row g(Row row) const { return row + 2 * words_; }
  [[nodiscard]] std::uint64_t& gamma(Row row) const { return row[3 * words_]; }

  /// Makes the pending Hadamard gate of a wire, if there is one, a part of U and v.
  void apply_pending(Wire wire);
  void apply_cx(Wire control, Wire target);
  void apply_cz(Wire first, Wire second);
  void apply_x(Wire wire);

  /// Numbers in the sum (-1)^alpha (|t> + i^delta |u>) of two basis states.
  struct Sum {
    std::uint64_t alpha = 0;
    std::uint64_t delta = 0;
  };
  /// Computes in t_ and u_ the states of (Z_w + X_w) U H^v |s> = (-1)^alpha U H^v (|t> + i^delta
  /// |u>), and in difference_ where they differ.
  [[nodiscard]] Sum split(Wire wire);
  /// Returns the first wire in difference_ that is not in v, or else the first one, or nothing.
  [[nodiscard]] std::optional<Wire> pivot() const;
  /// A range of words.
  struct Words {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Returns the smallest range outside of which difference_ is zero. It is small where gates act
  /// on neighbors.
  [[nodiscard]] Words changed_words() const;
  /// Multiplies U from the right by gates that are controlled by wire q and, for each wire i in
  /// difference_, CX on i if i is not in v, or CZ if it is; then by S on q if `phase_gate`.
  void control_by(Wire q, bool phase_gate);
  /// Multiplies U from the right by CX with target q and control i for each wire i in difference_;
  /// then by S on q if `phase_gate`.
  void target(Wire q, bool phase_gate);

  void turn(std::uint64_t eighths) { eighths_ = (eighths_ + eighths) % 8; }

  std::size_t words_;
  std::vector<std::uint64_t> rows_;  ///< for each wire the words of f, of m and of g, and gamma
  std::vector<bool> pending_;
  std::vector<std::uint64_t> v_;
  std::vector<std::uint64_t> s_;
  std::uint64_t eighths_ = 0;
  std::vector<std::uint64_t> t_;
  std::vector<std::uint64_t> u_;
  std::vector<std::uint64_t> difference_;
  std::uint64_t work_ = 0;
};

}  // namespace quartz::certify
