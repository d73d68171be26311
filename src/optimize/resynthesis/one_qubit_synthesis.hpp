#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "optimize/cost/gate_cost.hpp"
#include "optimize/resynthesis/one_qubit_rotation.hpp"
#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// One-qubit unitaries as the cheapest products of a gate set's gates.
///
/// A product whose rotations may take any angle, such as rz(a) sx rz(b), reaches a family of
/// unitaries. Where all fixed gates in it are Clifford gates, these turn the axes of the rotations
/// into each other, so the family is R(P1, a1) R(P2, a2) R(P3, a3) F for Pauli axes P and a
/// Clifford gate F, with up to three angles. These are linear in the parameters of the gates, as
/// r(t, f) = R(Z, f) R(X, t) R(Z, -f): free where there are as many independent parameters,
/// otherwise under one linear condition. Whether a unitary is in the family, and with which
/// parameters, follows from Euler angles and a system of linear equations. The products are listed
/// once for a gate set, cheapest first, without those whose family is part of a cheaper one, up to
/// the first with three free angles, which reaches everything. So no gate set needs a formula of
/// its own.
class OneQubitSynthesis {
 public:
  OneQubitSynthesis(const GateSet& set, const GateCost& weight);

  /// Whether the set reaches every one-qubit unitary (by free angles).
  [[nodiscard]] bool universal() const noexcept { return universal_; }

  struct Word;
  /// A way to write a rotation, not written out yet.
  struct Plan {
    const Word* word = nullptr;  ///< of the synthesis that made it
    std::array<double, 3> angles{};
    double weight = 0;  ///< as if no angle were special
    double rest = 0;    ///< the angle of the rotation about the passing axis that has to follow
  };

  /// The cheapest gates for a rotation, up to their phase. Nothing where the set has none.
  [[nodiscard]] std::optional<Plan> plan(const Eigen::Quaterniond& target) const;
  /// The same, with a rotation about an axis after the gates for free: it can pass the next gate.
  [[nodiscard]] std::optional<Plan> plan_up_to(const Eigen::Quaterniond& target,
                                               Axis passing) const;
  /// The gates on qubit 0 in program order; angles within kNumericTolerance of a multiple of pi/192
  /// are exact.
  [[nodiscard]] std::vector<Operation> write(const Plan& plan) const;

 private:
  /// A gate of the set as a product of factors, leftmost (last in time) first: rotations by the
  /// gate's angles and fixed Clifford gates.
  struct Factor {
    std::optional<Axis> axis;   ///< of a rotation by coefficient * parameter
    std::size_t parameter = 0;  ///< of the gate
    double coefficient = 1;
    Eigen::Quaterniond fixed = Eigen::Quaterniond::Identity();  ///< where there is no axis
  };
  struct Letter {
    Operation operation;  ///< its angles are to be filled in where it has free ones
    std::vector<Factor> factors;
    double weight = 0;
  };
  /// A parameter of a word: one of the letter at a position.
  struct Place {
    std::size_t letter = 0;
    std::size_t parameter = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// A rotation of a word, by a sum of multiples of parameters.
  struct Rotation {
    Eigen::Vector3d axis;              ///< a signed unit vector
    std::vector<double> coefficients;  ///< one a parameter of the word; those left out are 0
  };
  using Angles = std::array<double, 3>;

  void add_letters(const GateSetEntry& entry, const GateCost& weight);
  [[nodiscard]] std::vector<Word> list_words(std::optional<Axis> passing);
  /// Nothing for a word that no family of three rotations describes.
  [[nodiscard]] std::optional<Word> extended(const Word& word, std::size_t letter) const;
  /// The angles of the rotations, as if each were free.
  [[nodiscard]] static std::optional<Angles> solve_freely(const Word& word,
                                                          const Eigen::Quaterniond& target);
  /// The angles of the rotations, which the word's parameters can give.
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
  /// Without a place: the angle of the passing rotation, which is the first then.
  std::vector<std::optional<Place>> parameters;
  std::vector<Rotation> rotations;  ///< at most three, neighbours about different axes
  Eigen::Quaterniond fixed = Eigen::Quaterniond::Identity();
  double weight = 0;

  /// Takes the rotations' angles to parameters that give them.
  Eigen::MatrixXd parameters_of_angles;
  /// Empty, or coefficients, whole numbers: the sum of so many times each rotation's angle is a
  /// multiple of 2 pi.
  std::vector<double> condition;

  /// Fills in the last two from the rest; false where more than one condition ties the angles.
  [[nodiscard]] bool solve_for_parameters();
  /// Whether it reaches every unitary.
  [[nodiscard]] bool universal() const { return rotations.size() == 3 && condition.empty(); }
};

}  // namespace quartz
