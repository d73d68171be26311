#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "certify/pauli/affine_map.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/monomial_gate.hpp"
#include "certify/problem/problem.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/custom_gate.hpp"

/// Gates as products of Hadamards, rotations about Z...Z and affine maps of the basis states.
namespace quartz::certify {

/// The angle of a rotation e^{-i angle/2 P}. To reduce the angle by 2 pi changes the sign of the
/// rotation, which is kept.
struct RotationAngle {
  Angle angle;
  bool is_negated = false;  ///< whether the rotation is multiplied by -1

  void add(const Angle& other) {
    const Rational sum = angle.pi_part() + other.pi_part();
    angle.add_phase(other);  // reduces the multiple of pi modulo 2
    if (angle.pi_part() == sum) return;
    const Rational turns = (sum - angle.pi_part()) * Rational(1, 2);
    if (turns.numerator() % 2 != 0) is_negated = !is_negated;
  }
};

/// A linear function of a gate's angles that is quick to evaluate.
class AngleFunction {
 public:
  /// `expression` uses the names of the gate's parameters.
  AngleFunction(const Angle& expression, const Gate& row) : constant_(expression) {
    std::map<std::string, Angle> zeros;
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      const std::string name(row.parameters[i]);
      for (const Angle::Term& term : expression.terms()) {
        if (term.symbol == name) factors_.emplace_back(i, term.coefficient);
      }
      zeros.emplace(name, Angle());
    }
    constant_ = expression.substitute(zeros);
  }

  [[nodiscard]] bool is_zero() const { return factors_.empty() && constant_.is_zero(); }
  [[nodiscard]] RotationAngle operator()(std::span<const Angle> angles) const {
    if (factors_.size() == 1 && factors_[0].second == Rational(1) && constant_.is_zero()) {
      return {angles[factors_[0].first]};
    }
    RotationAngle value{constant_};
    for (const auto& [parameter, factor] : factors_) value.add(angles[parameter] * factor);
    return value;
  }

 private:
  Angle constant_;
  std::vector<std::pair<std::size_t, Rational>> factors_;
};

/// A rotation e^{-i angle/2 Z...Z} on the operands in the mask.
struct ZRotation {
  unsigned operands = 0;
  AngleFunction angle;
};

/// A part of a gate: a Hadamard gate, or rotations followed by an affine map.
struct Part {
  bool is_hadamard = false;
  std::vector<ZRotation> rotations;
  AffineMap map;
  std::vector<MapStep> map_steps;  ///< the map as gates, in the order in which they act
  std::vector<unsigned> operands;  ///< operands of the gate that the part acts on
};

struct Parts {
  std::vector<Part> parts;
  AngleFunction phase;
};

/// Returns whether the Hadamards and maps of a gate cancel, each with the next one that is left, so
/// that their product is exactly the identity and the gate consists of rotations only.
[[nodiscard]] bool consists_of_rotations(const Parts& parts);

/// Splits gates into parts, once for each kind of gate.
class GateParts {
 public:
  GateParts();

  /// Returns the parts of a gate or its inverse, valid until the next call.
  [[nodiscard]] const Parts& of(const Operation& operation, bool inverse);

 private:
  [[nodiscard]] Parts parts_of(const Gate& row, bool inverse) const;

  /// The parts of the gate `row` found so far.
  struct Splitting {
    const Gate& row;
    std::vector<Part> parts;
    Angle phase;
  };

  void split(const Operation& operation, bool inverse, Splitting& parts) const;

  /// Adds the rotations about products of Z (Walsh transform of the phases), and the map.
  static void add_affine(const Operation& operation, Splitting& parts);

  Expansions expansions_;
  std::vector<std::optional<Parts>> parts_;  ///< by the gate and whether it is inverted
};

}  // namespace quartz::certify
