#include "optimize/resynthesis/two_qubit_synthesis.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/sqrt_iswap.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

using Eigen::Matrix4cd;
using Eigen::Quaterniond;

constexpr double kQuarterPi = std::numbers::pi / 4;
constexpr Axis kWeylAxes[] = {Axis::x, Axis::y, Axis::z};

/// Largest number of gates for an angle that is beyond the range of one gate.
constexpr std::size_t kMaxGatesOfAngle = 4;
/// Number of gates in the longest list of echoes.
constexpr std::size_t kMaxEchoUses = 8;

const Matrix4cd& swap_matrix() {
  static const Matrix4cd matrix = [] {
    Matrix4cd swap = Matrix4cd::Zero();
    swap(0, 0) = swap(1, 2) = swap(2, 1) = swap(3, 3) = 1;
    return swap;
  }();
  return matrix;
}

Quaterniond identity() { return Quaterniond::Identity(); }
Quaterniond rx(double angle) { return rotation_about(Axis::x, angle); }
Quaterniond ry(double angle) { return rotation_about(Axis::y, angle); }
Quaterniond rz(double angle) { return rotation_about(Axis::z, angle); }

LocalGates operator*(const LocalGates& a, const LocalGates& b) {
  return {a[0] * b[0], a[1] * b[1]};
}

/// Returns exp(i angle PQ), P on qubit 0.
Matrix4cd entangling_rotation(double angle, const std::array<Axis, 2>& axes) {
  // A rotation by pi about P is -i P.
  const Matrix4cd product = -matrix_of(LocalGates{rotation_about(axes[0], std::numbers::pi),
                                                  rotation_about(axes[1], std::numbers::pi)});
  return std::cos(angle) * Matrix4cd::Identity() +
         std::complex<double>(0, std::sin(angle)) * product;
}

Matrix4cd matrix_of_gate(const Operation& operation) {
  return two_qubit_unitary(std::span(&operation, 1), 0, 1);
}

/// A gate as swap^exchanges (A x B) exp(i angle PQ).
struct EntanglingForm {
  bool exchanges = false;
  double angle = 0;
  std::array<Axis, 2> axes{};
};

/// Returns nothing for a gate that has no such form within rounding, and for a product of one-qubit
/// gates.
std::optional<EntanglingForm> entangling_form(const Matrix4cd& gate) {
  for (const bool exchanges : {false, true}) {
    const Matrix4cd plain = exchanges ? Matrix4cd(swap_matrix() * gate) : gate;
    const auto [a, b, c] = weyl_decomposition(plain).coordinates;
    if (std::abs(b) > kNumericTolerance || std::abs(c) > kNumericTolerance) continue;
    if (a <= kNumericTolerance) {
      if (exchanges) return EntanglingForm{true, 0, {Axis::z, Axis::z}};
      return std::nullopt;
    }
    for (const Axis p : kWeylAxes) {
      for (const Axis q : kWeylAxes) {
        for (const double angle : {a, -a}) {
          if (as_local_gates(plain * entangling_rotation(-angle, {p, q}), 1e-10)) {
            return EntanglingForm{exchanges, angle, {p, q}};
          }
        }
      }
    }
  }
  return std::nullopt;
}

bool has_square_root_coordinates(const WeylDecomposition& weyl) {
  const auto [a, b, c] = weyl.coordinates;
  return std::abs(a - std::numbers::pi / 8) <= kNumericTolerance &&
         std::abs(b - std::numbers::pi / 8) <= kNumericTolerance &&
         std::abs(c) <= kNumericTolerance;
}

/// Returns the rotation by pi about another axis than this one.
Quaterniond reversal(Axis axis) {
  return axis == Axis::x ? rz(std::numbers::pi) : rx(std::numbers::pi);
}

/// Returns how many times more a gate between two-qubit gates counts than an outer one.
std::uint64_t inner_factor(TwoQubitSynthesis::OuterGates outer) {
  constexpr std::uint64_t kFactor = 8;
  return outer == TwoQubitSynthesis::OuterGates::full ? 1 : kFactor;
}

}  // namespace

TwoQubitSynthesis::TwoQubitSynthesis(const GateSet& set, const ScalarGateCost& weight)
    : weight_(weight), one_qubit_(set, weight) {
  if (!one_qubit_.universal()) return;
  for (const GateSetEntry& entry : set.entries) add_entangler(entry);
}

bool TwoQubitSynthesis::available() const noexcept {
  // Swaps alone do not entangle.
  return !free_.empty() || !square_roots_.empty() ||
         std::any_of(fixed_.begin(), fixed_.end(), [](const Choice& c) { return c.angle != 0; });
}

void TwoQubitSynthesis::add_fixed(const Operation& operation) {
  const Matrix4cd unitary = matrix_of_gate(operation);
  if (add_square_root(operation, unitary) || add_choice({operation})) return;
  add_echoes(operation, unitary);
}

bool TwoQubitSynthesis::add_choice(std::vector<Operation> gates) {
  const Matrix4cd unitary = two_qubit_unitary(gates, 0, 1);
  const auto form = entangling_form(unitary);
  if (!form) return false;
  const Matrix4cd plain = form->exchanges ? Matrix4cd(swap_matrix() * unitary) : unitary;
  const auto local = as_local_gates(plain * entangling_rotation(-form->angle, form->axes), 1e-10);
  ensure(local.has_value(), "an entangling gate has the form that was found");
  const std::uint64_t weight = sum_of_costs(gates, weight_);
  fixed_.push_back({std::move(gates), form->exchanges, form->axes, form->angle, *local, weight});
  has_swap_ = has_swap_ || form->angle == 0;
  any_exchange_ = any_exchange_ || form->exchanges;
  return true;
}

std::vector<Operation> TwoQubitSynthesis::written(const LocalGates& local) const {
  std::vector<Operation> gates;
  for (const Qubit qubit : {0U, 1U}) {
    const auto plan = one_qubit_.plan(local[qubit]);
    ensure(plan.has_value(), "the set reaches every one-qubit gate");
    for (Operation& operation : one_qubit_.write(*plan)) {
      operation.qubits[0] = qubit;
      gates.push_back(std::move(operation));
    }
  }
  return gates;
}

void TwoQubitSynthesis::add_echoes(const Operation& operation, const Matrix4cd& unitary) {
  // The gate is after * exp(i (a XX + b YY + c ZZ)) * before.
  const WeylDecomposition weyl = weyl_decomposition(unitary);
  const LocalGates before = inverse(weyl.before);
  const LocalGates after = inverse(weyl.after);
  const auto append = [](std::vector<Operation>& gates, const std::vector<Operation>& more) {
    gates.insert(gates.end(), more.begin(), more.end());
  };
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(weyl.coordinates[k]) <= kNumericTolerance) continue;
    const LocalGates pauli{rotation_about(kWeylAxes[k], std::numbers::pi), identity()};
    std::vector<Operation> gates = written(before);
    for (std::size_t uses = 1; uses <= kMaxEchoUses; ++uses) {
      gates.push_back(operation);
      if (uses % 2 == 1) {
        append(gates, written(before * pauli * after));
        continue;
      }
      std::vector<Operation> echoes = gates;
      append(echoes, written(after));
      uses_echoes_ = add_choice(std::move(echoes)) || uses_echoes_;
      append(gates, written(before * after));
    }
  }
}

bool TwoQubitSynthesis::add_square_root(const Operation& operation, const Matrix4cd& unitary) {
  const WeylDecomposition weyl = weyl_decomposition(unitary);
  if (!has_square_root_coordinates(weyl)) return false;
  square_roots_.push_back({operation, weyl.before, weyl.after, weight_(operation)});
  return true;
}

void TwoQubitSynthesis::add_entangler(const GateSetEntry& entry) {
  const Gate& row = gate(entry.gate);
  if (row.qubits != 2) return;
  if (row.parameters.empty()) {
    add_fixed(make_operation(entry.gate, {0, 1}));
  } else if (!entry.angles.empty()) {
    for (const AngleList& choice : entry.angles) {
      const bool constant = std::all_of(choice.begin(), choice.end(),
                                        [](const Angle& angle) { return angle.is_constant(); });
      if (constant) add_fixed(make_operation(entry.gate, {0, 1}, choice));
    }
  } else {
    AngleList angles;
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      const auto range = entry.ranges.empty() ? std::nullopt : entry.ranges[i];
      angles.push_back(range && !range->contains(Angle()) ? range->least : Angle());
    }
    for (std::size_t i = 0; i < angles.size(); ++i) {
      if (add_free(entry, angles, i, std::nullopt)) return;
    }
    bool has_echo = false;
    for (std::size_t i = 0; i < angles.size() && !has_echo; ++i) {
      for (const Axis echo : kWeylAxes) has_echo = add_free(entry, angles, i, echo) || has_echo;
    }
    uses_echoes_ = uses_echoes_ || has_echo;
    if (!has_echo) add_fixed(make_operation(entry.gate, {0, 1}, angles));
  }
}

bool TwoQubitSynthesis::add_free(const GateSetEntry& entry, const AngleList& angles,
                                 std::size_t parameter, std::optional<Axis> echo) {
  FreeEntangler free{entry, angles, parameter, false, 0, {}, echo};
  if (!entry.ranges.empty() && entry.ranges[parameter] &&
      entry.ranges[parameter]->least == entry.ranges[parameter]->greatest) {
    return false;
  }
  const auto sample = [&](std::int64_t tenths) {
    AngleList sampled = angles;
    sampled[parameter] = Angle::radians(Rational(tenths, 10));
    return entangling_form(two_qubit_unitary(gates_of(free, sampled), 0, 1));
  };
  // Two samples show whether the angle is proportional to the parameter.
  const auto first = sample(5);
  const auto second = sample(11);
  if (!first || !second || first->angle == 0 || first->axes != second->axes ||
      first->exchanges != second->exchanges ||
      std::abs(first->angle / 0.5 - second->angle / 1.1) > 1e-9) {
    return false;
  }
  free.exchanges = first->exchanges;
  free.per_parameter = first->angle / 0.5;
  free.axes = first->axes;
  free_.push_back(std::move(free));
  any_exchange_ = any_exchange_ || first->exchanges;
  return true;
}

std::vector<Operation> TwoQubitSynthesis::gates_of(const FreeEntangler& free,
                                                   const AngleList& angles) const {
  const Operation gate = make_operation(free.entry.gate, {0, 1}, angles);
  if (!free.echo) return {gate};
  std::vector<Operation> gates{gate};
  for (Operation& each :
       written(LocalGates{rotation_about(*free.echo, std::numbers::pi), identity()})) {
    gates.push_back(std::move(each));
  }
  gates.push_back(gate);
  return gates;
}

std::vector<TwoQubitSynthesis::Template> TwoQubitSynthesis::templates_of(
    const WeylDecomposition& weyl) const {
  const auto [a, b, c] = weyl.coordinates;
  std::vector<Template> templates;

  // There is one step for each coordinate.
  Template factors;
  LocalGates pending = weyl.before;
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(weyl.coordinates[k]) <= kNumericTolerance) continue;
    factors.steps.push_back({pending, weyl.coordinates[k], {kWeylAxes[k], kWeylAxes[k]}});
    pending = {identity(), identity()};
  }
  factors.after = weyl.after * pending;
  const std::size_t count = factors.steps.size();
  templates.push_back(std::move(factors));

  // A cx with control 0 is rz(pi/2) x rx(pi/2) times exp(i pi/4 ZX), up to a phase.
  const LocalGates after_cx = {rz(std::numbers::pi / 2), rx(std::numbers::pi / 2)};
  const std::array<Axis, 2> cx_axes = {Axis::z, Axis::x};
  // Even if fewer suffice, more may give the required number of exchanges.
  if (count < 3 && (count > 0 || any_exchange_)) {
    // A cx maps XX to X on its control and ZZ to Z on its target; turns about X map YY to ZZ.
    const LocalGates turn = {rx(std::numbers::pi / 2), rx(std::numbers::pi / 2)};
    const LocalGates back = {rx(-std::numbers::pi / 2), rx(-std::numbers::pi / 2)};
    Template two;
    two.steps.push_back({turn * weyl.before, kQuarterPi, cx_axes});
    two.steps.push_back({LocalGates{rx(-2 * a), rz(-2 * b)} * after_cx, kQuarterPi, cx_axes});
    two.after = weyl.after * back * after_cx;
    templates.push_back(std::move(two));
  }
  if (count == 3 || any_exchange_) {
    // This is the construction of Vatan, Williams, quant-ph/0308006, with cx of control 1, 0, 1.
    const LocalGates after_reversed_cx = {after_cx[1], after_cx[0]};
    const std::array<Axis, 2> reversed_axes = {Axis::x, Axis::z};
    Template three;
    three.steps.push_back({LocalGates{identity(), rz(std::numbers::pi / 2)} * weyl.before,
                           kQuarterPi, reversed_axes});
    three.steps.push_back(
        {LocalGates{rz(-2 * c - std::numbers::pi / 2), ry(-2 * a - std::numbers::pi / 2)} *
             after_reversed_cx,
         kQuarterPi, cx_axes});
    three.steps.push_back({LocalGates{identity(), ry(2 * b + std::numbers::pi / 2)} * after_cx,
                           kQuarterPi, reversed_axes});
    three.after =
        weyl.after * LocalGates{rz(-std::numbers::pi / 2), identity()} * after_reversed_cx;
    templates.push_back(std::move(three));
  }

  if (has_swap_) {
    const std::size_t without = templates.size();
    for (std::size_t i = 0; i < without; ++i) {
      Template with_swap = templates[i];
      with_swap.steps.push_back({with_swap.after, 0, {Axis::z, Axis::z}});
      with_swap.after = {identity(), identity()};
      templates.push_back(std::move(with_swap));
    }
  }
  return templates;
}

std::vector<TwoQubitSynthesis::Choice> TwoQubitSynthesis::choices_for(double angle) const {
  std::vector<Choice> choices;
  for (const Choice& choice : fixed_) {
    if (std::abs(std::abs(choice.angle) - std::abs(angle)) <= kNumericTolerance) {
      choices.push_back(choice);
    }
  }
  if (angle == 0) return choices;
  for (const FreeEntangler& free : free_) {
    if (auto choice = choice_of(free, angle)) choices.push_back(*std::move(choice));
  }
  return choices;
}

std::optional<TwoQubitSynthesis::Choice> TwoQubitSynthesis::choice_of(const FreeEntangler& free,
                                                                      double angle) const {
  // Several gates with equal angles add up, if the range of the angle is too small for one.
  const std::size_t most = free.entry.ranges.empty() || free.exchanges ? 1 : kMaxGatesOfAngle;
  for (std::size_t uses = 1; uses <= most; ++uses) {
    const double magnitude =
        std::abs(angle) / (std::abs(free.per_parameter) * static_cast<double>(uses));
    for (const double parameter : {magnitude, -magnitude}) {
      AngleList angles = free.angles;
      angles[free.parameter] = nearest_angle(parameter);
      if (!free.entry.in_ranges(angles)) continue;
      if (auto choice = choice_with(free, angles, uses)) return choice;
    }
  }
  return std::nullopt;
}

std::optional<TwoQubitSynthesis::Choice> TwoQubitSynthesis::choice_with(const FreeEntangler& free,
                                                                        const AngleList& angles,
                                                                        std::size_t uses) const {
  const auto local_of = [&](const std::vector<Operation>& gates, double angle) {
    const Matrix4cd unitary = two_qubit_unitary(gates, 0, 1);
    const Matrix4cd plain = free.exchanges ? Matrix4cd(swap_matrix() * unitary) : unitary;
    return as_local_gates(plain * entangling_rotation(-angle, free.axes), 1e-13);
  };
  Choice choice;
  choice.exchanges = free.exchanges;
  choice.axes = free.axes;
  choice.gates = gates_of(free, angles);
  choice.angle = angles[free.parameter].value() * free.per_parameter;
  auto local = local_of(choice.gates, choice.angle);
  if (!local) return std::nullopt;
  if (uses > 1) {
    const std::vector<Operation> once = choice.gates;
    const std::vector<Operation> between = written(inverse(*local));
    for (std::size_t use = 1; use < uses; ++use) {
      choice.gates.insert(choice.gates.end(), between.begin(), between.end());
      choice.gates.insert(choice.gates.end(), once.begin(), once.end());
    }
    choice.angle *= static_cast<double>(uses);
    local = local_of(choice.gates, choice.angle);
    if (!local) return std::nullopt;
  }
  choice.local = *local;
  choice.weight = sum_of_costs(choice.gates, weight_);
  return choice;
}

/// The one-qubit gates between the entanglers of one template, for one of its qubits.
///
/// An entangler (A x B) exp(i t PQ) lets rotations about P (on operand 0) and Q (on operand 1)
/// pass, so a part of each layer of one-qubit gates can move into the next. At each gate the search
/// tries to move either all of that part or none, in both orders of the operands; the two qubits
/// only have to agree on the orders.
class TwoQubitSynthesis::Layers {
 public:
  Layers(const TwoQubitSynthesis& synthesis, const Template& steps,
         const std::vector<const Choice*>& choices, OuterGates outer, std::size_t qubit)
      : synthesis_(synthesis),
        inner_factor_(inner_factor(outer)),
        steps_(steps),
        choices_(choices),
        qubit_(qubit),
        best_(std::size_t{1} << choices.size()) {
    plans_.resize(choices.size() + 1);
    search(0, 0, 0, identity());
  }

  struct Best {
    std::uint64_t weight = kUnreachableCost;
    std::vector<OneQubitSynthesis::Plan> plans;  ///< one before each entangler, one after the last
  };
  /// Bit k of `reversed` says that operand 0 of the k-th entangler is qubit 1.
  [[nodiscard]] const Best& best(unsigned reversed) const { return best_[reversed]; }

 private:
  void search(std::size_t k, unsigned reversed, std::uint64_t weight, const Quaterniond& pending) {
    if (k == choices_.size()) {
      const auto last = synthesis_.one_qubit_.plan(steps_.after[qubit_] * pending);
      const std::uint64_t factor = k == 0 ? inner_factor_ : 1;
      if (!last || weight + factor * last->weight >= best_[reversed].weight) return;
      plans_[k] = *last;
      best_[reversed] = {weight + factor * last->weight, plans_};
      return;
    }
    const Step& step = steps_.steps[k];
    const Choice& choice = *choices_[k];
    const unsigned orders = choice.axes[0] == choice.axes[1] ? 1 : 2;
    for (unsigned order = 0; order < orders; ++order) {
      const std::size_t operand = qubit_ ^ order;
      const Axis axis = choice.axes[operand];
      // The frame maps the step's Pauli to that of the gate, with the sign that the angle needs.
      Quaterniond frame = rotation_between(step.axes[qubit_], axis);
      if (step.angle * choice.angle < 0 && qubit_ == 0) frame = reversal(axis) * frame;
      const Quaterniond target = frame * step.before[qubit_] * pending;
      const Quaterniond after = frame.conjugate();
      const Quaterniond local = choice.local[operand].conjugate();
      const auto go_on = [&](const std::optional<OneQubitSynthesis::Plan>& plan) {
        if (!plan) return;
        plans_[k] = *plan;
        search(k + 1, reversed | order << k, weight + (k == 0 ? 1 : inner_factor_) * plan->weight,
               after * rotation_about(axis, plan->rest) * local);
      };
      const auto passing = synthesis_.one_qubit_.plan_up_to(target, axis);
      go_on(passing);
      if (!passing || std::abs(std::sin(passing->rest / 2)) > kNumericTolerance) {
        go_on(synthesis_.one_qubit_.plan(target));
      }
    }
  }

  const TwoQubitSynthesis& synthesis_;
  std::uint64_t inner_factor_;
  const Template& steps_;
  const std::vector<const Choice*>& choices_;
  std::size_t qubit_;
  std::vector<OneQubitSynthesis::Plan> plans_;  ///< plans of the current branch
  std::vector<Best> best_;                      ///< indexed by the order of operands
};

TwoQubitSynthesis::Sequence TwoQubitSynthesis::written(const Template& steps,
                                                       const std::vector<const Choice*>& choices,
                                                       OuterGates outer) const {
  const std::array<Layers, 2> layers = {Layers(*this, steps, choices, outer, 0),
                                        Layers(*this, steps, choices, outer, 1)};
  unsigned reversed = 0;
  const auto weight = [&](unsigned order) {
    return layers[0].best(order).weight + layers[1].best(order).weight;
  };
  for (unsigned order = 1; order < (1U << choices.size()); ++order) {
    if (weight(order) < weight(reversed)) reversed = order;
  }
  Sequence sequence;
  sequence.outer = outer;
  if (weight(reversed) >= kUnreachableCost) return sequence;
  // These are the wires of the template's qubits after the exchanges so far.
  std::array<Qubit, 2> wires = {0, 1};
  for (std::size_t k = 0; k <= choices.size(); ++k) {
    for (std::size_t qubit = 0; qubit < 2; ++qubit) {
      for (Operation& operation : one_qubit_.write(layers[qubit].best(reversed).plans[k])) {
        operation.qubits[0] = wires[qubit];
        sequence.gates.push_back(std::move(operation));
      }
    }
    if (k == choices.size()) break;
    const std::size_t order = (reversed >> k) & 1U;
    for (Operation operation : choices[k]->gates) {
      for (Qubit& qubit : operation.qubits) qubit = wires[qubit == 0 ? order : 1 - order];
      sequence.gates.push_back(std::move(operation));
    }
    if (choices[k]->exchanges) std::swap(wires[0], wires[1]);
  }
  sequence.cost = cost_of(sequence.gates, outer);
  return sequence;
}

void TwoQubitSynthesis::consider(const Template& steps, bool exchanged, Sequence& best) const {
  const std::size_t count = steps.steps.size();
  std::vector<std::vector<Choice>> choices;
  for (const Step& step : steps.steps) {
    choices.push_back(choices_for(step.angle));
    if (choices.back().empty()) return;
  }
  // The loop enumerates all tuples of choices.
  std::vector<std::size_t> index(count, 0);
  while (true) {
    std::vector<const Choice*> chosen;
    std::uint64_t weight = 0;
    bool odd = false;
    for (std::size_t k = 0; k < count; ++k) {
      const Choice& choice = choices[k][index[k]];
      chosen.push_back(&choice);
      weight += inner_factor(best.outer) * choice.weight;
      odd = odd != choice.exchanges;
    }
    if (odd == exchanged && weight < best.cost) {
      Sequence sequence = written(steps, chosen, best.outer);
      if (sequence.cost < best.cost) best = std::move(sequence);
    }
    std::size_t k = 0;
    while (k < count && ++index[k] == choices[k].size()) index[k++] = 0;
    if (k == count) break;
  }
}

void TwoQubitSynthesis::consider_square_roots(const WeylDecomposition& weyl, Sequence& best) const {
  const std::optional<SqrtIswapLayers> layers =
      square_roots_.empty() ? std::nullopt : sqrt_iswap_layers(weyl);
  for (const SquareRoot& root : square_roots_) {
    const LocalGates in = inverse(root.before);
    const LocalGates out = inverse(root.after);
    if (has_square_root_coordinates(weyl)) {
      consider_layers(root, {in * weyl.before, weyl.after * out}, best);
    } else if (layers) {
      consider_layers(root, {in * layers->before, in * layers->between * out, layers->after * out},
                      best);
    }
  }
}

void TwoQubitSynthesis::consider_layers(const SquareRoot& root,
                                        const std::vector<LocalGates>& layers,
                                        Sequence& best) const {
  if ((layers.size() - 1) * inner_factor(best.outer) * root.weight >= best.cost) return;
  Sequence sequence;
  sequence.outer = best.outer;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    if (k > 0) sequence.gates.push_back(root.operation);
    for (const Qubit qubit : {0U, 1U}) {
      const auto plan = one_qubit_.plan(layers[k][qubit]);
      if (!plan) return;
      for (Operation& operation : one_qubit_.write(*plan)) {
        operation.qubits[0] = qubit;
        sequence.gates.push_back(std::move(operation));
      }
    }
  }
  sequence.cost = cost_of(sequence.gates, best.outer);
  if (sequence.cost < best.cost) best = std::move(sequence);
}

std::uint64_t TwoQubitSynthesis::cost_of(std::span<const Operation> gates, OuterGates outer) const {
  const auto is_between = [](const Operation& gate) { return gate.qubits.size() == 2; };
  const auto first = std::ranges::find_if(gates, is_between);
  if (outer == OuterGates::full || first == gates.end()) {
    return inner_factor(outer) * sum_of_costs(gates, weight_);
  }
  const auto behind = std::ranges::find_if(gates.rbegin(), gates.rend(), is_between).base();
  return sum_of_costs({gates.begin(), first}, weight_) +
         inner_factor(outer) * sum_of_costs({first, behind}, weight_) +
         sum_of_costs({behind, gates.end()}, weight_);
}

std::optional<TwoQubitSynthesis::Result> TwoQubitSynthesis::synthesize(const Matrix4cd& target,
                                                                       std::uint64_t bound,
                                                                       OuterGates outer) const {
  if (!available()) return std::nullopt;
  Sequence best;
  best.cost = bound;
  best.outer = outer;
  const WeylDecomposition weyl = weyl_decomposition(target);
  for (const Template& steps : templates_of(weyl)) consider(steps, false, best);
  if (any_exchange_) {
    for (const Template& steps : templates_of(weyl_decomposition(swap_matrix() * target))) {
      consider(steps, true, best);
    }
  }
  consider_square_roots(weyl, best);
  if (!(best.cost < bound)) return std::nullopt;
  const auto match = match_phase(target, two_qubit_unitary(best.gates, 0, 1));
  if (!match) return std::nullopt;
  return Result{std::move(best.gates), match->phase, best.cost, match->error};
}

}  // namespace quartz::optimizer
