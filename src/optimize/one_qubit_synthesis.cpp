#include "optimize/one_qubit_synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <tuple>

#include "optimize/numeric_angle.hpp"
#include "optimize/pauli_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;

Quaterniond quaternion_of_gate(const Operation& operation) {
  const std::vector<Complex> entries = unitary_of(operation);
  Eigen::Matrix2cd matrix;
  matrix << entries[0], entries[1], entries[2], entries[3];
  return quaternion_of(matrix);
}

bool is_identity_rotation(const Quaterniond& rotation) {
  return rotation.vec().cwiseAbs().maxCoeff() <= kNumericTolerance;
}

/// Clifford gates take Pauli axes to Pauli axes.
bool is_clifford_rotation(const Quaterniond& rotation) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    if ((rotation * unit_vector(axis)).cwiseAbs().maxCoeff() < 1 - 1e-9) return false;
  }
  return true;
}

/// The signed Pauli axis next to a vector.
Vector3d rounded(const Vector3d& vector) { return vector.array().round(); }

bool is_parallel(const Vector3d& a, const Vector3d& b) { return std::abs(a.dot(b)) > 0.5; }

std::optional<Axis> axis_of(const LocalPauli& pauli) {
  if (pauli.x == 0) return pauli.phase == 0 ? std::optional(Axis::z) : std::nullopt;
  if (pauli.z == 0) return pauli.phase == 0 ? std::optional(Axis::x) : std::nullopt;
  return pauli.phase == 1 ? std::optional(Axis::y) : std::nullopt;
}

/// a, b, c with target = R(p, a) R(q, b) R(p, c), for p and q at right angles, b in [0, pi]. No
/// angle is taken from a cosine alone: that would lose half of the digits near its extremes.
std::array<double, 3> euler_angles(const Quaterniond& target, const Vector3d& p,
                                   const Vector3d& q) {
  const double along_p = target.vec().dot(p);
  const double along_q = target.vec().dot(q);
  const double along_r = target.vec().dot(p.cross(q));
  const double cosine = std::hypot(target.w(), along_p);
  const double sine = std::hypot(along_q, along_r);
  double half_sum = std::atan2(along_p, target.w());
  double half_difference = std::atan2(along_r, along_q);
  // Where one of them does not matter, c = 0.
  if (sine <= kNumericTolerance) half_difference = half_sum;
  if (cosine <= kNumericTolerance) half_sum = half_difference;
  return {half_sum + half_difference, 2 * std::atan2(sine, cosine), half_sum - half_difference};
}

}  // namespace

OneQubitSynthesis::OneQubitSynthesis(const GateSet& set, const GateCost& weight) {
  for (const GateSetEntry& entry : set.entries) add_letters(entry, weight);
  words_ = list_words(std::nullopt);
  universal_ = !words_.empty() && words_.back().angles.size() == 3;
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    words_up_to_[static_cast<std::size_t>(axis)] = list_words(axis);
  }
}

void OneQubitSynthesis::add_letters(const GateSetEntry& entry, const GateCost& weight) {
  const Gate& row = gate(entry.gate);
  if (row.qubits != 1) return;
  const auto add = [&](std::vector<Angle> angles, std::vector<Factor> factors,
                       std::vector<std::size_t> parameter_of) {
    Letter letter;
    letter.operation = make_operation(entry.gate, {0}, std::move(angles));
    letter.factors = std::move(factors);
    letter.weight = weight(letter.operation);
    letter.parameter_of = std::move(parameter_of);
    letters_.push_back(std::move(letter));
  };
  const auto add_fixed = [&](const std::vector<Angle>& angles) {
    const Quaterniond fixed = quaternion_of_gate(make_operation(entry.gate, {0}, angles));
    if (!is_clifford_rotation(fixed) || is_identity_rotation(fixed)) return;
    add(angles, {{std::nullopt, fixed}}, {});
  };
  const auto free = [](Axis axis) { return Factor{axis, Quaterniond::Identity()}; };
  // An angle that is nothing special, for weights that look at angles.
  const Angle any = Angle::radians(1);

  if (row.parameters.empty()) {
    add_fixed({});
  } else if (!entry.angles.empty()) {
    for (const std::vector<Angle>& choice : entry.angles) {
      const bool constant = std::all_of(choice.begin(), choice.end(),
                                        [](const Angle& angle) { return angle.is_constant(); });
      if (constant) add_fixed(choice);
    }
  } else if (const auto rotation = row.parameters.size() == 1
                                       ? as_pauli_rotation(make_operation(entry.gate, {0}, {any}))
                                       : std::nullopt) {
    const std::optional<Axis> axis = axis_of(rotation->axis);
    if (axis && rotation->angle == any) add({any}, {free(*axis)}, {0});
  } else if (entry.gate == GateKind::u3 || entry.gate == GateKind::u) {
    add({any, any, any}, {free(Axis::z), free(Axis::y), free(Axis::z)}, {1, 0, 2});
  } else if (entry.gate == GateKind::u2) {
    add({any, any},
        {free(Axis::z), {std::nullopt, rotation_about(Axis::y, kPi / 2)}, free(Axis::z)}, {0, 1});
  } else if (entry.gate == GateKind::r) {
    // r(theta, 0) = rx(theta) and r(theta, pi/2) = ry(theta).
    add({any, Angle()}, {free(Axis::x)}, {0});
    add({any, Angle::pi_times(Rational(1, 2))}, {free(Axis::y)}, {0});
  }
}

OneQubitSynthesis::Word OneQubitSynthesis::extended(const Word& word, std::size_t letter) const {
  Word longer = word;
  const std::size_t position = longer.letters.size();
  longer.letters.push_back(letter);
  longer.weight += letters_[letter].weight;
  std::size_t free_angles = 0;
  for (const Factor& factor : letters_[letter].factors) {
    if (!factor.axis) {
      longer.fixed = longer.fixed * factor.fixed;
      continue;
    }
    const std::size_t parameter = letters_[letter].parameter_of[free_angles++];
    // F R(n, a) = R(F n, a) F.
    const Vector3d axis = rounded(longer.fixed * unit_vector(*factor.axis));
    // A rotation next to another about the same axis adds nothing to it.
    if (!longer.angles.empty() && is_parallel(longer.angles.back().axis, axis)) continue;
    // Three reach everything: a fourth stays zero.
    if (longer.angles.size() == 3) continue;
    longer.angles.push_back({axis, Place{position, parameter}});
  }
  longer.fixed.normalize();
  return longer;
}

std::vector<OneQubitSynthesis::Word> OneQubitSynthesis::list_words(std::optional<Axis> passing) {
  const auto costs_more = [](const Word& a, const Word& b) {
    return std::tuple(a.weight, a.letters.size(), a.letters) >
           std::tuple(b.weight, b.letters.size(), b.letters);
  };
  std::priority_queue<Word, std::vector<Word>, decltype(costs_more)> waiting(costs_more);
  Word empty;
  if (passing) empty.angles.push_back({unit_vector(*passing), std::nullopt});
  waiting.push(empty);
  std::vector<Word> words;
  while (!waiting.empty()) {
    const Word word = waiting.top();
    waiting.pop();
    // A family is part of a cheaper one if its member at angles in general position is. There are
    // finitely many families, so this ends.
    Quaterniond member = word.fixed;
    for (std::size_t k = word.angles.size(); k-- > 0;) {
      const double angle = 0.7310585 + 0.6180339 * static_cast<double>(k);
      member = Quaterniond(Eigen::AngleAxisd(angle, word.angles[k].axis)) * member;
    }
    if (std::any_of(words.begin(), words.end(),
                    [&](const Word& cheaper) { return solve(cheaper, member).has_value(); })) {
      continue;
    }
    words.push_back(word);
    if (word.angles.size() == 3) break;
    for (std::size_t letter = 0; letter < letters_.size(); ++letter) {
      waiting.push(extended(word, letter));
    }
  }
  return words;
}

std::optional<OneQubitSynthesis::Angles> OneQubitSynthesis::solve(const Word& word,
                                                                  const Quaterniond& target) {
  const Quaterniond rest = target * word.fixed.conjugate();
  const std::vector<FreeAngle>& free = word.angles;
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
      // With R(p3, c) = R(p2, t) R(p1, c) R(p2, -t) this becomes a matter of Euler angles.
      const Vector3d& first = free[0].axis;
      const Vector3d& second = free[1].axis;
      const Vector3d& third = free[2].axis;
      const double turn = std::atan2(first.cross(third).dot(second), first.dot(third));
      Angles angles =
          euler_angles(rest * Quaterniond(Eigen::AngleAxisd(turn, second)), first, second);
      angles[1] -= turn;
      return angles;
    }
  }
}

std::optional<OneQubitSynthesis::Plan> OneQubitSynthesis::first_of(const std::vector<Word>& words,
                                                                   const Quaterniond& target) {
  for (const Word& word : words) {
    const std::optional<Angles> angles = solve(word, target);
    if (!angles) continue;
    const bool passes = !word.angles.empty() && !word.angles.front().place;
    return Plan{&word, *angles, word.weight, passes ? (*angles)[0] : 0};
  }
  return std::nullopt;
}

std::optional<OneQubitSynthesis::Plan> OneQubitSynthesis::plan(const Quaterniond& target) const {
  return first_of(words_, target);
}

std::optional<OneQubitSynthesis::Plan> OneQubitSynthesis::plan_up_to(const Quaterniond& target,
                                                                     Axis passing) const {
  return first_of(words_up_to_[static_cast<std::size_t>(passing)], target);
}

std::vector<Operation> OneQubitSynthesis::write(const Plan& plan) const {
  const Word& word = *plan.word;
  std::vector<Operation> gates;
  for (const std::size_t letter : word.letters) {
    gates.push_back(letters_[letter].operation);
    for (const std::size_t parameter : letters_[letter].parameter_of) {
      gates.back().angles[parameter] = Angle();
    }
  }
  for (std::size_t k = 0; k < word.angles.size(); ++k) {
    if (const std::optional<Place>& place = word.angles[k].place) {
      gates[place->letter].angles[place->parameter] = nearest_angle(plan.angles[k]);
    }
  }
  // Leftmost is last.
  std::reverse(gates.begin(), gates.end());
  return gates;
}

}  // namespace quartz
