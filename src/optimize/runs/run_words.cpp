#include "optimize/runs/run_words.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <queue>
#include <tuple>
#include <utility>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

/// Number of the classes of an angle: eight multiples of pi/2, and all others.
constexpr std::size_t kAngleClasses = 9;
constexpr double kTurnedEntryTolerance = 1e-9;

/// Returns whether a gate is exp(-i angle/2 P) with the angle in place of one of its parameters,
/// and with the other angles of the operation, which are multiples of pi/2.
bool is_rotation(const Operation& operation, std::size_t parameter, PauliAxis axis,
                 bool is_negative) {
  for (const double value : {0.8765, 2.3217}) {
    Operation gate = operation;
    gate.angles[parameter] = Angle::symbol("a");
    const std::vector<Complex> matrix = unitary_of(gate, {{"a", value}});
    const double half = (is_negative ? -value : value) / 2;
    const double cosine = std::cos(half);
    const double sine = std::sin(half);
    std::array<Complex, 4> expected{cosine, 0, 0, cosine};
    switch (axis) {
      case PauliAxis::x:
        expected[1] = expected[2] = Complex(0, -sine);
        break;
      case PauliAxis::y:
        expected[1] = -sine;
        expected[2] = sine;
        break;
      case PauliAxis::z:
        expected[0] = Complex(cosine, -sine);
        expected[3] = Complex(cosine, sine);
        break;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!(std::abs(matrix[i] - expected[i]) <= kTurnedEntryTolerance)) return false;
    }
  }
  return true;
}

/// Returns what a gate with several parameters is, such as r(theta, pi/2). Numbers propose the
/// form, which tests cover for the gates of the table; custom gates have none.
RunGate form_of_turned_rotation(const Operation& operation) {
  RunGate form;
  if (is_custom(operation.gate)) return form;
  const auto is_free = [](const Angle& angle) { return !is_quarter_turns(angle); };
  if (std::ranges::count_if(operation.angles, is_free) != 1) return form;
  const auto parameter = static_cast<std::size_t>(std::ranges::find_if(operation.angles, is_free) -
                                                  operation.angles.begin());
  for (const PauliAxis axis : kPauliAxes) {
    for (const bool is_negative : {false, true}) {
      if (!is_rotation(operation, parameter, axis, is_negative)) continue;
      form.kind = RunGate::Kind::rotation;
      form.axis = axis;
      form.is_negative = is_negative;
      form.parameter = static_cast<std::uint8_t>(parameter);
      return form;
    }
  }
  return form;
}

std::size_t number_of(std::span<const PauliAxis> axes) {
  std::size_t number = 1;
  for (const PauliAxis axis : axes) number = 3 * number + static_cast<std::size_t>(axis);
  return number;
}

}  // namespace

Angle RunGate::angle_of(const Operation& gate) const {
  if (gate.angles.empty()) return fixed_angle;
  return is_negative ? -gate.angles[parameter] : gate.angles[parameter];
}

Angle RunGate::phase_of(const Operation& gate) const {
  if (gate.angles.empty()) return fixed_phase;
  return has_half_phase ? gate.angles[parameter] * Rational(1, 2) : Angle();
}

RunWords::RunWords(const GateSet& set, const ScalarGateCost& weight) : weight_(weight) {
  for (const GateSetEntry& entry : set.entries) add_letters(entry);
  const auto writes_all = [&](std::span<const PauliAxis> axes) {
    const Words words = make_words(axes);
    return std::ranges::all_of(words,
                               [](const Word& word) { return word.weight < kUnreachableCost; });
  };
  available_ = writes_all({}) && std::ranges::all_of(kPauliAxes, [&](const PauliAxis& axis) {
                 return writes_all({&axis, 1});
               });
}

void RunWords::add_letters(const GateSetEntry& entry) {
  const Gate& row = gate(entry.gate);
  if (row.qubits != 1) return;
  if (row.parameters.empty()) return add_letter(on_own_operands(row));
  if (!entry.takes_any_angle()) {
    for (const AngleList& angles : entry.angles) add_letter(on_own_operands(row, angles));
    return;
  }
  // Each angle is a multiple of pi/2, or one of them is any other angle.
  constexpr std::array<int, 4> kQuarters{0, 1, 2, -1};
  constexpr std::size_t kMaxParameters = 3;
  if (row.parameters.size() > kMaxParameters) return;
  std::size_t choices = 1;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) choices *= kQuarters.size() + 1;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    AngleList angles;
    std::size_t rest = choice;
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      const std::size_t digit = rest % (kQuarters.size() + 1);
      rest /= kQuarters.size() + 1;
      angles.push_back(digit < kQuarters.size() ? Angle::pi_times(Rational(kQuarters.at(digit), 2))
                                                : Angle::radians(1));
    }
    add_letter(on_own_operands(row, std::move(angles)));
  }
}

void RunWords::add_letter(Operation gate) {
  RunGate form = make_form(gate);
  if (form.kind == RunGate::Kind::clifford && form.element.number != 0) {
    letters_.push_back({gate, form});
  }
  if (form.kind != RunGate::Kind::rotation || gate.angles.empty()) return;
  // A rotation by a fixed angle is no letter.
  if (gate.angles[form.parameter] != Angle::radians(1)) return;
  for (const int quarters : {0, 1, 2, -1}) letters_.push_back({gate, form, quarters});
}

RunGate RunWords::make_form(const Operation& gate) const {
  RunGate form;
  if (gate.is_boundary() || gate.qubits.size() != 1) return form;
  if (const std::optional<OneQubitClifford> clifford = OneQubitClifford::of(gate)) {
    form.kind = RunGate::Kind::clifford;
    form.element = OneQubitGroup::get().of(*clifford);
  } else if (const std::optional<PauliRotation> rotation = as_pauli_rotation(gate)) {
    const std::optional<PauliAxis> axis = axis_on(rotation->axis, 0);
    if (!axis) return form;
    form.kind = RunGate::Kind::rotation;
    form.axis = *axis;
    if (gate.angles.empty()) {
      form.fixed_angle = rotation->angle;
      form.fixed_phase = rotation->phase;
    } else {
      form.has_half_phase = !rotation->phase.is_zero();
    }
  } else {
    form = form_of_turned_rotation(gate);
  }
  if (form.kind != RunGate::Kind::other) form.weight = weight_(gate);
  return form;
}

const RunGate& RunWords::classified(const Operation& gate) {
  if (gate.angles.size() > 1) {
    const auto [entry, is_new] = other_forms_.try_emplace(key_of_quarter_turns(gate));
    if (is_new) entry->second = make_form(gate);
    return entry->second;
  }
  std::size_t place = kAngleClasses * static_cast<std::size_t>(gate.gate);
  if (!gate.angles.empty()) place += quarter_turns(gate.angles[0]).value_or(kAngleClasses - 1);
  if (place >= forms_.size()) forms_.resize(2 * place + kAngleClasses);
  if (!forms_[place]) forms_[place] = make_form(gate);
  return *forms_[place];
}

const RunWords::Word& RunWords::cheapest(std::span<const PauliAxis> axes,
                                         OneQubitGroup::Number clifford) {
  const std::size_t number = number_of(axes);
  if (number >= words_.size()) words_.resize(number + 1);
  if (!words_[number]) words_[number] = make_words(axes);
  return (*words_[number])[clifford];
}

RunWords::Words RunWords::make_words(std::span<const PauliAxis> axes) const {
  const OneQubitGroup& group = OneQubitGroup::get();
  // A state is the number of rotations so far, and the Clifford gate after them.
  struct State {
    std::uint64_t weight = kUnreachableCost;
    std::uint32_t gates = 0;
    bool is_final = false;
    std::uint8_t eighths = 0;
    std::size_t from = 0;
    Step step;
  };
  std::vector<State> states((axes.size() + 1) * OneQubitGroup::kElements);
  using Waiting = std::tuple<std::uint64_t, std::uint32_t, std::size_t>;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  states[0].weight = 0;
  waiting.emplace(0, 0, 0);
  while (!waiting.empty()) {
    const std::size_t now = std::get<2>(waiting.top());
    waiting.pop();
    if (std::exchange(states[now].is_final, true)) continue;
    const std::size_t rotations = now / OneQubitGroup::kElements;
    const OneQubitGroup::Element before{
        static_cast<OneQubitGroup::Number>(now % OneQubitGroup::kElements), states[now].eighths};
    for (std::size_t i = 0; i < letters_.size(); ++i) {
      const RunGate& form = letters_[i].form;
      OneQubitGroup::Element factor = form.element;
      std::size_t next_rotations = rotations;
      bool is_negative = false;
      if (form.kind == RunGate::Kind::rotation) {
        // R_P(a) C = C R_Q(a) for Q = C^dagger P C.
        const OneQubitGroup::SignedAxis& passed = group.before(before.number, form.axis);
        if (rotations == axes.size() || passed.axis != axes[rotations]) continue;
        is_negative = passed.is_negative;
        ++next_rotations;
        factor = group.quarter_turns(form.axis, static_cast<unsigned>(letters_[i].quarters + 8));
      }
      const OneQubitGroup::Element after = group.product(factor, before);
      const std::size_t next = next_rotations * OneQubitGroup::kElements + after.number;
      const std::uint64_t weight = states[now].weight + form.weight;
      const std::uint32_t gates = states[now].gates + 1;
      if (std::pair(weight, gates) >= std::pair(states[next].weight, states[next].gates)) continue;
      if (states[next].is_final) continue;
      states[next] = {weight,        gates, false,
                      after.eighths, now,   {static_cast<std::uint32_t>(i), is_negative}};
      waiting.emplace(weight, gates, next);
    }
  }
  Words words;
  for (std::size_t number = 0; number < OneQubitGroup::kElements; ++number) {
    const std::size_t last = axes.size() * OneQubitGroup::kElements + number;
    Word& word = words[number];
    word.weight = states[last].weight;
    word.eighths = states[last].eighths;
    if (word.weight >= kUnreachableCost) continue;
    for (std::size_t state = last; state != 0; state = states[state].from) {
      word.steps.push_back(states[state].step);
    }
    std::ranges::reverse(word.steps);
  }
  return words;
}

}  // namespace quartz::optimizer
