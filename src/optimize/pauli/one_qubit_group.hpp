#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "optimize/pauli/one_qubit_clifford.hpp"

namespace quartz::optimizer {

/// The Clifford gates on one qubit, numbered up to their global phase, with tables of their
/// products: a product is a look-up of two bytes in a table of 1.2 KB, for loops over millions of
/// gates.
class OneQubitGroup {
 public:
  static constexpr std::size_t kElements = 24;
  using Number = std::uint8_t;
  /// The gate with a number, times e^{i eighths pi/4}. Number 0 is the identity.
  struct Element {
    Number number = 0;
    std::uint8_t eighths = 0;
    friend bool operator==(const Element&, const Element&) = default;
  };
  /// The Pauli operator of an axis, or its negative.
  struct SignedAxis {
    PauliAxis axis = PauliAxis::x;
    bool is_negative = false;
    friend bool operator==(const SignedAxis&, const SignedAxis&) = default;
  };

  [[nodiscard]] static const OneQubitGroup& get();

  [[nodiscard]] Element of(const OneQubitClifford& clifford) const;
  /// Returns the gate `right` followed by `left`.
  [[nodiscard]] Element product(const Element& left, const Element& right) const {
    const Element& known = products_[left.number][right.number];
    return {known.number,
            static_cast<std::uint8_t>((known.eighths + left.eighths + right.eighths) % 8)};
  }
  /// Returns G^dagger P G for the gate G with a number and the Pauli operator P of an axis.
  [[nodiscard]] const SignedAxis& before(Number number, PauliAxis axis) const {
    return before_[number][static_cast<std::size_t>(axis)];
  }
  /// Returns exp(-i turns pi/4 P) for the Pauli operator P of an axis.
  [[nodiscard]] const Element& quarter_turns(PauliAxis axis, unsigned turns) const {
    return turns_[static_cast<std::size_t>(axis)][turns % 8];
  }

 private:
  OneQubitGroup();
  [[nodiscard]] std::optional<Element> find(const OneQubitClifford& clifford) const;

  std::vector<OneQubitClifford> gates_;  ///< by number
  std::array<std::array<Element, kElements>, kElements> products_{};
  std::array<std::array<SignedAxis, 3>, kElements> before_{};
  std::array<std::array<Element, 8>, 3> turns_{};
};

}  // namespace quartz::optimizer
