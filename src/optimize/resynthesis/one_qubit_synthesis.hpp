#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "optimize/cost/scalar_gate_cost.hpp"
#include "optimize/resynthesis/one_qubit_rotation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::optimizer {

/// Synthesizes one-qubit unitaries as the cheapest products of a gate set's gates.
///
/// A product whose rotations may take any angle, such as rz(a) sx rz(b), reaches a family of
/// unitaries. If all its fixed gates are Clifford gates, they map the axes of the rotations to each
/// other, so the family is R(P1, a1) R(P2, a2) R(P3, a3) F for Pauli axes P and a Clifford gate F,
/// with up to three angles. The angles are linear in the parameters of the gates, as in r(t, f) =
/// R(Z, f) R(X, t) R(Z, -f): they are free if there are as many independent parameters, and
/// otherwise satisfy one linear condition. Euler angles and a system of linear equations show
/// whether a unitary is in the family, and with which parameters. The products are listed once for
/// a gate set, cheapest first, without those whose family is part of a cheaper one, up to the first
/// with three free angles, which reaches every unitary. Therefore no gate set needs a formula of
/// its own.
class OneQubitSynthesis {
 public:
  OneQubitSynthesis(const GateSet& set, const ScalarGateCost& weight);

  /// Returns whether the set reaches every one-qubit unitary by free angles.
  [[nodiscard]] bool universal() const noexcept { return universal_; }

  struct Word;
  /// A product with angles for a rotation, before it is written as gates.
  struct Plan {
    const Word* word = nullptr;  ///< word of the synthesis that made the plan
    std::array<double, 3> angles{};
    std::uint64_t weight = 0;  ///< weight for generic angles
    double rest = 0;           ///< angle of the rotation about the passing axis that must follow
  };

  /// Returns the cheapest gates for a rotation, up to their phase, or nothing if the set has none.
  [[nodiscard]] std::optional<Plan> plan(const Eigen::Quaterniond& target) const;
  /// Like `plan`, with a free rotation about an axis after the gates, since it can pass the next
  /// gate.
  [[nodiscard]] std::optional<Plan> plan_up_to(const Eigen::Quaterniond& target,
                                               Axis passing) const;
  /// Returns the gates on qubit 0 in program order; angles within kNumericTolerance of a multiple
  /// of pi/192 are exact.
  [[nodiscard]] std::vector<Operation> write(const Plan& plan) const;

 private:
  /// A gate of the set as a product of factors, leftmost (last in time) first: rotations by the
  /// gate's angles, and fixed Clifford gates.
  struct Factor {
    std::optional<Axis> axis;   ///< axis of a rotation by coefficient * parameter
    std::size_t parameter = 0;  ///< index of the gate's parameter
    double coefficient = 1;
    Eigen::Quaterniond fixed = Eigen::Quaterniond::Identity();  ///< the factor, if there is no axis
  };
  struct Letter {
    Operation operation;  ///< free angles are filled in later
    std::vector<Factor> factors;
    std::uint64_t weight = 0;
  };
  /// A parameter of a word: a parameter of the letter at a position.
  struct Place {
    std::size_t letter = 0;
    std::size_t parameter = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// A rotation of a word, by a linear combination of parameters.
  struct Rotation {
    Eigen::Vector3d axis;              ///< a signed unit vector
    std::vector<double> coefficients;  ///< one for each parameter of the word; missing ones are 0
  };
  using Angles = std::array<double, 3>;

  void add_letters(const GateSetEntry& entry, const ScalarGateCost& weight);
  [[nodiscard]] std::vector<Word> list_words(std::optional<Axis> passing);
  /// Returns the word with one more letter, or nothing if no family of three rotations describes
  /// it.
  [[nodiscard]] std::optional<Word> extended(const Word& word, std::size_t letter) const;
  /// Returns the angles of the rotations as if each were free.
  [[nodiscard]] static std::optional<Angles> solve_freely(const Word& word,
                                                          const Eigen::Quaterniond& target);
  /// Returns angles of the rotations that the word's parameters can produce.
  [[nodiscard]] static std::optional<Angles> solve(const Word& word,
                                                   const Eigen::Quaterniond& target);
  [[nodiscard]] static std::optional<Plan> first_of(const std::vector<Word>& words,
                                                    const Eigen::Quaterniond& target);

  std::vector<Letter> letters_;
  std::vector<Word> words_;                       ///< cheapest first
  std::array<std::vector<Word>, 3> words_up_to_;  ///< by passing axis
  bool universal_ = false;
};

/// A product of letters, leftmost first.
struct OneQubitSynthesis::Word {
  std::vector<std::size_t> letters;
  /// An entry without a place is the angle of the passing rotation, which is then the first
  /// rotation.
  std::vector<std::optional<Place>> parameters;
  std::vector<Rotation> rotations;  ///< at most three, neighbours about different axes
  Eigen::Quaterniond fixed = Eigen::Quaterniond::Identity();
  std::uint64_t weight = 0;

  /// Maps the rotations' angles to parameters that produce them.
  Eigen::MatrixXd parameters_of_angles;
  /// Empty, or integer coefficients: the corresponding combination of the rotations' angles must be
  /// a multiple of 2 pi.
  std::vector<double> condition;

  /// Computes the last two members from the others. Returns false if the angles satisfy more than
  /// one condition.
  [[nodiscard]] bool solve_for_parameters();
  /// Returns whether the word reaches every unitary.
  [[nodiscard]] bool universal() const { return rotations.size() == 3 && condition.empty(); }
};

}  // namespace quartz::optimizer
