#include "optimize/resynthesis/one_qubit_synthesis.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>
#include <tuple>

#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// The columns of a matrix that do not depend linearly on columns before them, by the Gram-Schmidt
/// process without square roots, which is exact for the small integers that occur here.
class IndependentColumns {
 public:
  explicit IndependentColumns(const Eigen::MatrixXd& matrix) : matrix_(matrix) {
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
      const Eigen::VectorXd rest = orthogonal_part(matrix.col(column));
      if (rest.norm() <= kDependent) continue;
      numbers_.push_back(column);
      directions_.push_back(rest);
    }
  }

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] Eigen::Index number(std::size_t i) const { return numbers_[i]; }

  /// Returns the matrix of which the product with the independent columns is the identity, and
  /// which takes what is orthogonal to them to zero.
  [[nodiscard]] Eigen::MatrixXd left_inverse() const {
    Eigen::MatrixXd result(static_cast<Eigen::Index>(size()), matrix_.rows());
    for (std::size_t i = size(); i-- > 0;) {
      const auto row = static_cast<Eigen::Index>(i);
      const Eigen::VectorXd dual = directions_[i] / directions_[i].squaredNorm();
      result.row(row) = dual.transpose();
      for (std::size_t j = i + 1; j < size(); ++j) {
        result.row(row) -=
            dual.dot(matrix_.col(numbers_[j])) * result.row(static_cast<Eigen::Index>(j));
      }
    }
    return result;
  }

  /// Returns a vector that is orthogonal to all columns, which must not span the whole space.
  [[nodiscard]] Eigen::VectorXd perpendicular() const {
    Eigen::VectorXd best = Eigen::VectorXd::Zero(matrix_.rows());
    for (Eigen::Index i = 0; i < matrix_.rows(); ++i) {
      const Eigen::VectorXd candidate = orthogonal_part(Eigen::VectorXd::Unit(matrix_.rows(), i));
      if (candidate.squaredNorm() > best.squaredNorm()) best = candidate;
    }
    return best;
  }

 private:
  static constexpr double kDependent = 1e-9;

  [[nodiscard]] Eigen::VectorXd orthogonal_part(Eigen::VectorXd vector) const {
    for (const Eigen::VectorXd& direction : directions_) {
      vector -= direction.dot(vector) / direction.squaredNorm() * direction;
    }
    return vector;
  }

  const Eigen::MatrixXd& matrix_;
  std::vector<Eigen::Index> numbers_;
  std::vector<Eigen::VectorXd> directions_;  ///< what is orthogonal to the columns before, one each
};

Quaterniond quaternion_of_gate(const Operation& operation) {
  const std::vector<Complex> entries = unitary_of(operation);
  Eigen::Matrix2cd matrix;
  matrix << entries[0], entries[1], entries[2], entries[3];
  return quaternion_of(matrix);
}

bool is_identity_rotation(const Quaterniond& rotation) {
  return rotation.vec().cwiseAbs().maxCoeff() <= kNumericTolerance;
}

/// Returns whether the rotation maps Pauli axes to Pauli axes, that is, whether it is a Clifford
/// gate.
bool is_clifford_rotation(const Quaterniond& rotation) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    if ((rotation * unit_vector(axis)).cwiseAbs().maxCoeff() < 1 - 1e-9) return false;
  }
  return true;
}

/// Returns the signed Pauli axis nearest to a vector.
Vector3d rounded(const Vector3d& vector) { return vector.array().round(); }

bool is_parallel(const Vector3d& a, const Vector3d& b) { return std::abs(a.dot(b)) > 0.5; }

std::optional<Axis> axis_of(const LocalPauli& pauli) {
  if (pauli.x == 0) return pauli.phase == 0 ? std::optional(Axis::z) : std::nullopt;
  if (pauli.z == 0) return pauli.phase == 0 ? std::optional(Axis::x) : std::nullopt;
  return pauli.phase == 1 ? std::optional(Axis::y) : std::nullopt;
}

/// Returns the angle by which a rotation about the second axis takes the first to the third.
double turn_between(const Vector3d& first, const Vector3d& second, const Vector3d& third) {
  return std::atan2(first.cross(third).dot(second), first.dot(third));
}

/// Returns a, b, c with target = R(p, a) R(q, b) R(p, c), for orthogonal p and q, and b in [0, pi].
/// No angle is computed from a cosine alone, which would lose half of the digits near its extremes.
std::array<double, 3> euler_angles(const Quaterniond& target, const Vector3d& p,
                                   const Vector3d& q) {
  const double along_p = target.vec().dot(p);
  const double along_q = target.vec().dot(q);
  const double along_r = target.vec().dot(p.cross(q));
  const double cosine = std::hypot(target.w(), along_p);
  const double sine = std::hypot(along_q, along_r);
  double half_sum = std::atan2(along_p, target.w());
  double half_difference = std::atan2(along_r, along_q);
  // If one of the two is irrelevant, c = 0.
  if (sine <= kNumericTolerance) half_difference = half_sum;
  if (cosine <= kNumericTolerance) half_sum = half_difference;
  return {half_sum + half_difference, 2 * std::atan2(sine, cosine), half_sum - half_difference};
}

}  // namespace

OneQubitSynthesis::OneQubitSynthesis(const GateSet& set, const ScalarGateCost& weight) {
  for (const GateSetEntry& entry : set.entries) add_letters(entry, weight);
  words_ = list_words(std::nullopt);
  universal_ = !words_.empty() && words_.back().universal();
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    words_up_to_[static_cast<std::size_t>(axis)] = list_words(axis);
  }
}

void OneQubitSynthesis::add_letters(const GateSetEntry& entry, const ScalarGateCost& weight) {
  const Gate& row = gate(entry.gate);
  if (row.qubits != 1) return;
  const auto add = [&](AngleList angles, std::vector<Factor> factors) {
    Letter letter;
    letter.operation = make_operation(entry.gate, {0}, std::move(angles));
    letter.factors = std::move(factors);
    letter.weight = weight(letter.operation);
    letters_.push_back(std::move(letter));
  };
  const auto fixed = [](const Quaterniond& gate) { return Factor{std::nullopt, 0, 0, gate}; };
  const auto add_fixed = [&](const AngleList& angles) {
    const Quaterniond gate = quaternion_of_gate(make_operation(entry.gate, {0}, angles));
    if (!is_clifford_rotation(gate) || is_identity_rotation(gate)) return;
    add(angles, {fixed(gate)});
  };
  const auto free = [](Axis axis, std::size_t parameter, double coefficient = 1) {
    return Factor{axis, parameter, coefficient};
  };
  // This is a generic angle, for weights that depend on angles.
  const Angle any = Angle::radians(1);
  // This adds a gate about an axis in the XY plane that a parameter rotates.
  const auto add_turned = [&](AngleList angles, Factor about_x, std::size_t parameter) {
    add(std::move(angles),
        {free(Axis::z, parameter), std::move(about_x), free(Axis::z, parameter, -1)});
  };

  if (row.parameters.empty()) {
    add_fixed({});
  } else if (!entry.angles.empty()) {
    for (const AngleList& choice : entry.angles) {
      const bool constant = std::all_of(choice.begin(), choice.end(),
                                        [](const Angle& angle) { return angle.is_constant(); });
      if (constant) add_fixed(choice);
    }
  } else if (!entry.takes_any_angle()) {
    return;  // the angles are only known after the synthesis, too late to respect ranges
  } else if (const auto rotation = row.parameters.size() == 1
                                       ? as_pauli_rotation(make_operation(entry.gate, {0}, {any}))
                                       : std::nullopt) {
    const std::optional<Axis> axis = axis_of(rotation->axis);
    if (axis && rotation->angle == any) add({any}, {free(*axis, 0)});
  } else if (entry.gate == GateKind::u3 || entry.gate == GateKind::u) {
    add({any, any, any}, {free(Axis::z, 1), free(Axis::y, 0), free(Axis::z, 2)});
  } else if (entry.gate == GateKind::u2) {
    add({any, any},
        {free(Axis::z, 0), fixed(rotation_about(Axis::y, std::numbers::pi / 2)), free(Axis::z, 1)});
  } else if (entry.gate == GateKind::r) {
    add_turned({any, any}, free(Axis::x, 0), 1);
    // Next to another such gate, a rotation by pi leaves three rotations and as many parameters.
    add_turned({Angle::pi_times(1), any}, fixed(rotation_about(Axis::x, std::numbers::pi)), 1);
  } else if (entry.gate == GateKind::gpi) {
    add_turned({any}, fixed(rotation_about(Axis::x, std::numbers::pi)), 0);
  } else if (entry.gate == GateKind::gpi2) {
    add_turned({any}, fixed(rotation_about(Axis::x, std::numbers::pi / 2)), 0);
  }
}

std::optional<OneQubitSynthesis::Word> OneQubitSynthesis::extended(const Word& word,
                                                                   std::size_t letter) const {
  Word longer = word;
  const std::size_t position = longer.letters.size();
  longer.letters.push_back(letter);
  longer.weight += letters_[letter].weight;
  const std::vector<Factor>& factors = letters_[letter].factors;
  for (const Factor& factor : factors) {
    if (!factor.axis) {
      longer.fixed = longer.fixed * factor.fixed;
      continue;
    }
    // The identity F R(n, a) = R(F n, a) F moves the rotation to the left.
    const Vector3d axis = rounded(longer.fixed * unit_vector(*factor.axis));
    if (longer.rotations.empty() || !is_parallel(longer.rotations.back().axis, axis)) {
      if (longer.rotations.size() == 3) {
        // Three rotations reach every unitary; a fourth stays zero unless its parameter also turns
        // another rotation.
        const auto uses = std::count_if(factors.begin(), factors.end(), [&](const Factor& other) {
          return other.axis && other.parameter == factor.parameter;
        });
        if (uses > 1) return std::nullopt;
        continue;
      }
      longer.rotations.push_back({axis, {}});
    }
    const std::optional<Place> place = Place{position, factor.parameter};
    const auto known = std::find(longer.parameters.begin(), longer.parameters.end(), place);
    const auto column = static_cast<std::size_t>(known - longer.parameters.begin());
    if (known == longer.parameters.end()) longer.parameters.push_back(place);
    Rotation& rotation = longer.rotations.back();
    rotation.coefficients.resize(std::max(rotation.coefficients.size(), column + 1));
    rotation.coefficients[column] += factor.coefficient * axis.dot(rotation.axis);
  }
  longer.fixed.normalize();
  if (!longer.solve_for_parameters()) return std::nullopt;
  return longer;
}

bool OneQubitSynthesis::Word::solve_for_parameters() {
  const auto rows = static_cast<Eigen::Index>(rotations.size());
  const auto columns = static_cast<Eigen::Index>(parameters.size());
  parameters_of_angles = Eigen::MatrixXd::Zero(columns, rows);
  condition.clear();
  if (rows == 0) return true;
  Eigen::MatrixXd coefficients = Eigen::MatrixXd::Zero(rows, columns);
  for (std::size_t row = 0; row < rotations.size(); ++row) {
    const std::vector<double>& own = rotations[row].coefficients;
    for (std::size_t column = 0; column < own.size(); ++column) {
      coefficients(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = own[column];
    }
  }
  // The first independent parameters determine the angles; the others stay zero. The matrices are
  // those of a few rotations: the decompositions of Eigen would only take the compiler long.
  const IndependentColumns independent(coefficients);
  const Eigen::MatrixXd solution = independent.left_inverse();
  for (std::size_t i = 0; i < independent.size(); ++i) {
    parameters_of_angles.row(independent.number(i)) = solution.row(static_cast<Eigen::Index>(i));
  }
  const auto rank = static_cast<Eigen::Index>(independent.size());
  if (rank == rows) return true;
  if (rank + 1 < rows || rank == 0) return false;
  Eigen::VectorXd kernel = independent.perpendicular();
  double least = std::numeric_limits<double>::infinity();
  for (const double entry : kernel) {
    if (std::abs(entry) > 1e-9) least = std::min(least, std::abs(entry));
  }
  kernel /= least;
  for (const double entry : kernel) {
    if (std::abs(entry - std::round(entry)) > 1e-9) return false;
    condition.push_back(std::round(entry));
  }
  return true;
}

std::vector<OneQubitSynthesis::Word> OneQubitSynthesis::list_words(std::optional<Axis> passing) {
  const auto costs_more = [](const Word& a, const Word& b) {
    return std::tuple(a.weight, a.letters.size(), a.letters) >
           std::tuple(b.weight, b.letters.size(), b.letters);
  };
  std::priority_queue<Word, std::vector<Word>, decltype(costs_more)> waiting(costs_more);
  Word empty;
  if (passing) {
    empty.parameters.emplace_back(std::nullopt);
    empty.rotations.push_back({unit_vector(*passing), {1}});
  }
  if (!empty.solve_for_parameters()) return {};
  waiting.push(empty);
  std::vector<Word> words;
  while (!waiting.empty()) {
    const Word word = waiting.top();
    waiting.pop();
    // A family is part of a cheaper one if its member at parameters in general position is. There
    // are finitely many families, so this terminates.
    Quaterniond member = word.fixed;
    for (std::size_t k = word.rotations.size(); k-- > 0;) {
      const Rotation& rotation = word.rotations[k];
      double angle = 0;
      for (std::size_t i = 0; i < rotation.coefficients.size(); ++i) {
        angle += rotation.coefficients[i] * (0.7310585 + 0.6180339 * static_cast<double>(i));
      }
      member = Quaterniond(Eigen::AngleAxisd(angle, rotation.axis)) * member;
    }
    if (std::any_of(words.begin(), words.end(),
                    [&](const Word& cheaper) { return solve(cheaper, member).has_value(); })) {
      continue;
    }
    words.push_back(word);
    if (word.universal()) break;
    for (std::size_t letter = 0; letter < letters_.size(); ++letter) {
      if (auto longer = extended(word, letter)) waiting.push(*std::move(longer));
    }
  }
  return words;
}

std::optional<OneQubitSynthesis::Angles> OneQubitSynthesis::solve_freely(
    const Word& word, const Quaterniond& target) {
  const Quaterniond rest = target * word.fixed.conjugate();
  const std::vector<Rotation>& free = word.rotations;
  switch (free.size()) {
    case 0:
      if (!is_identity_rotation(rest)) return std::nullopt;
      return Angles{};
    case 1: {
      const double along = rest.vec().dot(free[0].axis);
      if ((rest.vec() - along * free[0].axis).norm() > kNumericTolerance) return std::nullopt;
      return Angles{2 * std::atan2(along, rest.w())};
    }
    case 2: {
      // R(p, a) R(q, b) = (ca cb) + (sa cb) p + (ca sb) q + (sa sb) pq, with c and s the cosine and
      // the sine of half the angle: a matrix of rank 1.
      const double p = rest.vec().dot(free[0].axis);
      const double q = rest.vec().dot(free[1].axis);
      const double r = rest.vec().dot(free[0].axis.cross(free[1].axis));
      const double w = rest.w();
      if (std::abs(w * r - p * q) > kNumericTolerance) return std::nullopt;
      const double first =
          std::hypot(w, p) >= std::hypot(q, r) ? std::atan2(p, w) : std::atan2(r, q);
      const double c = std::cos(first);
      const double s = std::sin(first);
      return Angles{2 * first, 2 * std::atan2(c * q + s * r, c * w + s * p)};
    }
    default: {
      // Substituting R(p3, c) = R(p2, t) R(p1, c) R(p2, -t) reduces this to Euler angles.
      const Vector3d& first = free[0].axis;
      const Vector3d& second = free[1].axis;
      const Vector3d& third = free[2].axis;
      const double turn = turn_between(first, second, third);
      Angles angles =
          euler_angles(rest * Quaterniond(Eigen::AngleAxisd(turn, second)), first, second);
      angles[1] -= turn;
      return angles;
    }
  }
}

/// Other angles of the rotations may give the same product up to sign: multiples of 2 pi more; for
/// three rotations about p, q, p, also a + pi, -b, c + pi for a, b, c; and if b is 0 or pi, all
/// angles with the same a + c or a - c.
std::optional<OneQubitSynthesis::Angles> OneQubitSynthesis::solve(const Word& word,
                                                                  const Quaterniond& target) {
  const std::optional<Angles> free = solve_freely(word, target);
  if (!free || word.condition.empty()) return free;
  const std::size_t count = word.rotations.size();
  const std::vector<double>& condition = word.condition;
  const auto excess = [&](const Angles& angles) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += condition[k] * angles[k];
    return sum;
  };
  // A rotation with coefficient 1 absorbs the rest of the sum by a multiple of 2 pi.
  const auto accepted = [&](Angles angles) -> std::optional<Angles> {
    const double sum = excess(angles);
    if (std::abs(std::remainder(sum, 2 * std::numbers::pi)) > kNumericTolerance)
      return std::nullopt;
    for (std::size_t k = 0; k < count; ++k) {
      if (std::abs(condition[k]) != 1) continue;
      angles[k] -= condition[k] * (sum - std::remainder(sum, 2 * std::numbers::pi));
      return angles;
    }
    return std::nullopt;
  };
  if (const auto angles = accepted(*free)) return angles;
  if (count < 3) return std::nullopt;
  const double turn =
      turn_between(word.rotations[0].axis, word.rotations[1].axis, word.rotations[2].axis);
  const auto [a, b, c] = *free;
  const double euler = b + turn;
  if (const auto angles = accepted({a + std::numbers::pi, -euler - turn, c + std::numbers::pi}))
    return angles;
  for (const double sign : {-1.0, 1.0}) {
    // The sign is -1 for b = 0, where c loses what a gains.
    const double distance = sign < 0 ? std::sin(euler / 2) : std::cos(euler / 2);
    const double effect = condition[0] + sign * condition[2];
    if (std::abs(distance) > kNumericTolerance || effect == 0) continue;
    const double shift = -excess(*free) / effect;
    if (const auto angles = accepted({a + shift, b, c + sign * shift})) return angles;
  }
  return std::nullopt;
}

std::optional<OneQubitSynthesis::Plan> OneQubitSynthesis::first_of(const std::vector<Word>& words,
                                                                   const Quaterniond& target) {
  for (const Word& word : words) {
    const std::optional<Angles> angles = solve(word, target);
    if (!angles) continue;
    const bool passes = !word.parameters.empty() && !word.parameters.front();
    double rest = 0;
    for (std::size_t k = 0; passes && k < word.rotations.size(); ++k) {
      rest += word.parameters_of_angles(0, static_cast<Eigen::Index>(k)) * (*angles)[k];
    }
    return Plan{&word, *angles, word.weight, rest};
  }
  return std::nullopt;
}

std::optional<OneQubitSynthesis::Plan> OneQubitSynthesis::plan(const Quaterniond& target) const {
  return first_of(words_, target);
}

std::optional<OneQubitSynthesis::Plan> OneQubitSynthesis::plan_up_to(const Quaterniond& target,
                                                                     Axis passing) const {
  // No family with three rotations after the passing one is listed; the rotation that remains is
  // the identity then.
  const auto found = first_of(words_up_to_[static_cast<std::size_t>(passing)], target);
  return found ? found : plan(target);
}

std::vector<Operation> OneQubitSynthesis::write(const Plan& plan) const {
  const Word& word = *plan.word;
  std::vector<Operation> gates;
  for (const std::size_t letter : word.letters) {
    gates.push_back(letters_[letter].operation);
    for (const Factor& factor : letters_[letter].factors) {
      if (factor.axis) gates.back().angles[factor.parameter] = Angle();
    }
  }
  for (std::size_t i = 0; i < word.parameters.size(); ++i) {
    const std::optional<Place>& place = word.parameters[i];
    if (!place) continue;
    double value = 0;
    for (std::size_t k = 0; k < word.rotations.size(); ++k) {
      value +=
          word.parameters_of_angles(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) *
          plan.angles[k];
    }
    gates[place->letter].angles[place->parameter] = nearest_angle(value);
  }
  // The leftmost gate of a product is the last one in time.
  std::reverse(gates.begin(), gates.end());
  return gates;
}

}  // namespace quartz::optimizer
