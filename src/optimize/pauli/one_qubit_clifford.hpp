#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// The axis of a Pauli operator of one qubit.
enum class PauliAxis : std::uint8_t { x, y, z };
inline constexpr std::array kPauliAxes{PauliAxis::x, PauliAxis::y, PauliAxis::z};

/// Returns the axis of a Pauli operator, of which only bit `operand` counts; nothing for the
/// identity.
[[nodiscard]] std::optional<PauliAxis> axis_on(const LocalPauli& pauli, std::size_t operand);

/// What a Clifford gate on one qubit does to the axes of the Pauli operators, without their signs:
/// Clifford gates that differ by Pauli operators do the same.
struct AxisMap {
  /// The axis to which each axis is mapped: that of G P G^dagger.
  std::array<PauliAxis, 3> images = kPauliAxes;

  static constexpr std::size_t kCodes = 9;
  /// Returns a number below kCodes that is different for different maps.
  [[nodiscard]] std::size_t code() const {
    return 3 * static_cast<std::size_t>(images[0]) + static_cast<std::size_t>(images[1]);
  }
  /// Returns the map of a quarter turn about an axis, which exchanges the two others.
  [[nodiscard]] static AxisMap of_quarter_turn(PauliAxis axis);

  /// Returns the map of `right` followed by that of `left`.
  friend AxisMap operator*(const AxisMap& left, const AxisMap& right);
  friend bool operator==(const AxisMap&, const AxisMap&) = default;
};

/// A Clifford gate on one qubit with its global phase, a multiple of pi/4, exactly: a matrix whose
/// non-zero entries are powers of w = e^{i pi/4}, divided by sqrt(2) if no entry is zero.
class OneQubitClifford {
 public:
  /// Constructs the identity.
  OneQubitClifford() = default;
  /// Returns the matrix of a gate; nothing if it has another form. Numbers propose the form, which
  /// tests cover for all gates of the table; custom gates are compared exactly.
  [[nodiscard]] static std::optional<OneQubitClifford> of(const Operation& operation);
  /// Returns exp(-i pi/4 P) for the Pauli operator P of an axis.
  [[nodiscard]] static OneQubitClifford quarter_turn(PauliAxis axis);

  [[nodiscard]] OneQubitClifford adjoint() const;
  [[nodiscard]] AxisMap axes() const;
  /// A Pauli operator X^x Z^z times e^{i phase}.
  struct PhasedPauli {
    LocalPauli pauli;  ///< its phase is 0
    Angle phase;
  };
  /// Returns the Pauli operator that this is up to its phase; nothing for other gates.
  [[nodiscard]] std::optional<PhasedPauli> as_pauli() const;

  /// Returns the product of two matrices: the gate `right` followed by `left`.
  friend OneQubitClifford operator*(const OneQubitClifford& left, const OneQubitClifford& right);
  friend bool operator==(const OneQubitClifford&, const OneQubitClifford&) = default;

 private:
  static constexpr std::uint8_t kZero = 8;
  using Entries = std::array<std::uint8_t, 4>;  ///< exponents of w or kZero, row by row

  explicit OneQubitClifford(const Entries& entries) : entries_(entries) {}
  /// Returns the product of a row and a column; `halves` says that it has the factor 1/2 in place
  /// of one or none 1/sqrt(2).
  [[nodiscard]] static std::uint8_t sum(std::uint8_t first, std::uint8_t second, bool halves);
  [[nodiscard]] bool has_zero() const { return entries_[0] == kZero || entries_[1] == kZero; }
  [[nodiscard]] bool is_exactly(const Operation& operation) const;
  [[nodiscard]] static OneQubitClifford pauli(PauliAxis axis);

  Entries entries_{0, kZero, kZero, 0};
};

}  // namespace quartz::optimizer
