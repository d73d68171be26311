#include "optimize/annealing/annealing_labels.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

std::size_t operand_pattern(std::span<const Qubit> qubits) {
  std::size_t pattern = 0;
  for (std::size_t i = 0; i < qubits.size(); ++i) pattern |= std::size_t{qubits[i]} << (2 * i);
  return pattern;
}

/// Returns whether all entries of the matrix are 0 or 1.
bool is_permutation(const Operation& operation) {
  const std::vector<Complex> matrix = unitary_of(operation);
  return std::all_of(matrix.begin(), matrix.end(), [](const Complex& entry) {
    return std::min(std::abs(entry), std::abs(entry - 1.0)) < 1e-9;
  });
}

ParityAction parity_action_of(const Operation& operation) {
  ParityAction result;
  result.diagonal = gate(operation.gate).diagonal;
  if (result.diagonal) return result;
  const std::optional<CliffordAction> action = as_clifford(operation);
  if (!action) return result;
  for (std::size_t i = 0; i < action->z_images.size(); ++i) {
    const LocalPauli& image = action->z_images[i];
    result.linear[i] = image.x == 0;
    result.terms[i] = static_cast<std::uint8_t>(image.z);
    result.complement[i] = image.phase == 2;
  }
  result.is_all = is_permutation(operation);
  return result;
}

/// Returns the angle in units of pi/part if it is a multiple of that unit.
std::optional<int> multiple_of(const Angle& angle, int part) {
  if (!angle.is_pi_multiple() || part % angle.pi_part().denominator() != 0) return std::nullopt;
  return static_cast<int>((angle.pi_part() * Rational(part)).numerator());
}

rewrite::PlainGate plain_gate(rewrite::Label label, const Operation& operation) {
  rewrite::PlainGate gate;
  gate.label = label;
  gate.size = static_cast<std::uint8_t>(operation.qubits.size());
  for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
    gate.wires.at(i) = static_cast<rewrite::Wire>(operation.qubits[i]);
  }
  return gate;
}

ZRotation rotation_of(const Operation& operation) {
  ZRotation result;
  if (operation.qubits.size() != 1) return result;
  // The phase of a rotation by any other angle may need more than 64 bits.
  if (!std::ranges::all_of(operation.angles, is_eighth_turns)) return result;
  const std::optional<PauliRotation> rotation = as_pauli_rotation(operation);
  if (!rotation || rotation->axis.x != 0 || rotation->axis.z != 1) return result;
  const std::optional<int> eighths = multiple_of(rotation->angle, 4);
  const std::optional<int> phase = multiple_of(rotation->phase, 8);
  if (!eighths || !phase) return result;
  result.is_rotation = true;
  result.eighths = rotation->axis.phase == 2 ? -*eighths : *eighths;
  result.phase = *phase & 15;
  return result;
}

}  // namespace

AnnealingLabels::AnnealingLabels(const classes::TableAlphabet& alphabet, ScalarCost cost)
    : alphabet_(alphabet), cost_(std::move(cost)) {
  for (const Operation& letter : alphabet_.letters) {
    wires_ = std::max<std::size_t>(wires_, std::ranges::max(letter.qubits) + 1);
  }
  add_letters();
  add_decompositions();
  for (std::size_t label = 0; label < labels_.size(); ++label) {
    const ParityAction& action = labels_[label].parity_action;
    const GateKind kind = interned_.entry(static_cast<rewrite::Label>(label)).gate;
    if (!action.is_all) continue;
    if (kind == GateKind::cx) cnot_ = static_cast<rewrite::Label>(label);
    if (kind == GateKind::x) x_gate_ = static_cast<rewrite::Label>(label);
  }
}

void AnnealingLabels::add_letter(rewrite::Label label, std::size_t letter_index) {
  const Operation& letter = alphabet_.letters[letter_index];
  labels_[label].cost = alphabet_.weights[letter_index];
  // A gate whose operands can be exchanged has one letter for all their orders.
  const Gate& row = gate(letter.gate);
  std::vector<std::size_t> order(letter.qubits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    auto qubits = letter.qubits;
    bool is_same = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      is_same = is_same && row.symmetry[i] == row.symmetry[order[i]];
      qubits[i] = letter.qubits[order[i]];
    }
    if (!is_same) continue;
    labels_[label].letter[operand_pattern({qubits.data(), qubits.size()})] =
        static_cast<std::int8_t>(letter_index);
  } while (std::ranges::next_permutation(order).found);
}

/// Removes the letters of a gate that does not have one on each of its operands in any order. A
/// table has one letter of several with the same unitary, such as those of a gate that does nothing
/// to one of its operands.
void AnnealingLabels::keep_only_complete(rewrite::Label label) {
  auto& letters = labels_[label].letter;
  const std::size_t operands = gate(interned_.entry(label).gate).qubits;
  std::ptrdiff_t patterns = 1;
  for (std::size_t i = 0; i < operands; ++i) {
    patterns *= static_cast<std::ptrdiff_t>(wires_) - static_cast<std::ptrdiff_t>(i);
  }
  const auto missing = std::ranges::count(letters, std::int8_t{-1});
  if (static_cast<std::ptrdiff_t>(letters.size()) - missing < patterns) letters.fill(-1);
}

void AnnealingLabels::add_letters() {
  letter_labels_.emplace_back(alphabet_.letters.size());
  for (std::size_t i = 0; i < alphabet_.letters.size(); ++i) {
    if ((alphabet_.symbolic >> i & 1U) != 0) continue;
    const Operation& letter = alphabet_.letters[i];
    const rewrite::Label label = interned_.intern(letter.gate, letter.angles).label;
    add_label(label);
    add_letter(label, i);
    letter_labels_[0][i] = static_cast<rewrite::Label>(label);
  }
  for (std::size_t i = 0; i < alphabet_.letters.size(); ++i) {
    if ((alphabet_.symbolic >> i & 1U) == 0) keep_only_complete(letter_labels_[0][i]);
  }
}

/// Finds the decompositions by Dijkstra's algorithm on the multiples of pi/4 modulo 2 pi.
void AnnealingLabels::add_decompositions() {
  std::array<unsigned, 8> costs{};
  std::array<bool, 8> done{};
  constexpr unsigned kUnknown = std::numeric_limits<unsigned>::max();
  costs.fill(kUnknown);
  costs[0] = 0;
  for (std::size_t round = 0; round < costs.size(); ++round) {
    std::size_t from = costs.size();
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (!done[i] && costs[i] != kUnknown && (from == costs.size() || costs[i] < costs[from])) {
        from = i;
      }
    }
    if (from == costs.size()) return;
    done[from] = true;
    for (std::size_t label = 0; label < labels_.size(); ++label) {
      const ZRotation& turn = labels_[label].rotation;
      if (!turn.is_rotation || labels_[label].symbol != 0) continue;
      const std::size_t to = (from + static_cast<std::size_t>(turn.eighths & 7)) & 7U;
      if (costs[to] <= costs[from] + 1) continue;
      costs[to] = costs[from] + 1;
      decompositions_[to] = decompositions_[from];
      decompositions_[to].labels.push_back(static_cast<rewrite::Label>(label));
      decompositions_[to].eighths += turn.eighths;
      decompositions_[to].phase = (decompositions_[to].phase + turn.phase) & 15;
    }
  }
}

void AnnealingLabels::add_label(rewrite::Label label) {
  // This fills in labels that were interned only as a trial, such as that of a negative angle.
  while (labels_.size() <= label) {
    AnnealingLabel added;
    added.letter.fill(-1);
    if (cost_.length) lengths_.push_back(0);
    const rewrite::LabelTable::Entry& entry =
        interned_.entry(static_cast<rewrite::Label>(labels_.size()));
    if (entry.opaque != nullptr) {
      added.value = 0;
      added.parity_action.diagonal = is_measurement_box(*entry.opaque);
      labels_.push_back(added);
      continue;
    }
    const Operation operation = on_own_operands(gate(entry.gate), entry.angles);
    added.parity_action = parity_action_of(operation);
    added.rotation = rotation_of(operation);
    if (cost_.gate) added.value = cost_.gate(operation);
    if (cost_.length) lengths_.back() = cost_.length(operation);
    labels_.push_back(added);
  }
}

void AnnealingLabels::add_symbol(rewrite::Label label) {
  const rewrite::LabelTable::Entry entry = interned_.entry(label);
  if (alphabet_.symbolic == 0 || entry.angles.size() != 1) return;
  const Angle& angle = entry.angles[0];
  std::vector<rewrite::Label> letters(alphabet_.letters.size());
  const auto symbol = static_cast<std::uint32_t>(letter_labels_.size());
  bool any = false;
  for (std::size_t i = 0; i < alphabet_.letters.size(); ++i) {
    const Operation& letter = alphabet_.letters[i];
    letters[i] = letter_labels_[0][i];
    if ((alphabet_.symbolic >> i & 1U) == 0) continue;
    const Angle own = letter.angles[0].substitute({{"p0", angle}});
    const rewrite::LabelTable::Interned interned = interned_.intern(letter.gate, {own});
    // An interned label that differs by a phase is not exactly the rotation by the negative angle;
    // this happens for the angle pi only.
    if (interned.identity || !interned_.phase(interned.phase).is_zero()) return;
    add_label(interned.label);
    letters[i] = interned.label;
    any = any || interned.label == label;
  }
  if (!any) return;
  for (std::size_t i = 0; i < alphabet_.letters.size(); ++i) {
    if ((alphabet_.symbolic >> i & 1U) == 0) continue;
    AnnealingLabel& known = labels_[letters[i]];
    add_letter(letters[i], i);
    known.symbol = symbol;
    // The rotation by the negative angle is the letter with the other sign on the same qubits.
    const Operation& letter = alphabet_.letters[i];
    for (std::size_t k = 0; k < alphabet_.letters.size(); ++k) {
      const Operation& other = alphabet_.letters[k];
      if ((alphabet_.symbolic >> k & 1U) == 0 || other.gate != letter.gate) continue;
      if (other.qubits == letter.qubits && other.angles != letter.angles) {
        known.rotation.opposite = letters[k];
      }
    }
    const std::optional<PauliRotation> rotation = as_pauli_rotation(letter);
    known.rotation.is_rotation = rotation && letter.qubits.size() == 1 && rotation->axis.x == 0;
  }
  for (std::size_t i = 0; i < alphabet_.letters.size(); ++i) {
    if ((alphabet_.symbolic >> i & 1U) != 0) keep_only_complete(letters[i]);
  }
  letter_labels_.push_back(std::move(letters));
}

AnnealingLabels::Interned AnnealingLabels::intern(std::span<const Operation> gates) {
  std::vector<rewrite::PlainGate> result;
  result.reserve(gates.size());
  circuit::GateByGateHistory recorded(gates.size());
  for (const Operation& operation : gates) {
    if (is_black_box(operation)) {
      result.push_back(plain_gate(interned_.add_opaque(operation), operation));
      add_label(result.back().label);
      recorded.keep();
      continue;
    }
    const rewrite::LabelTable::Interned interned =
        interned_.intern(operation.gate, operation.angles);
    phase_.add_phase(interned_.phase(interned.phase));
    if (interned.identity) {
      recorded.replace({});
      continue;
    }
    if (interned.label >= labels_.size()) {
      add_label(interned.label);
      if (!labels_[interned.label].rotation.is_rotation) add_symbol(interned.label);
    }
    const rewrite::PlainGate gate = plain_gate(interned.label, operation);
    result.push_back(gate);
    const Operation written =
        interned_.operation(gate.label, std::span(gate.wires).first(gate.size));
    written == operation ? recorded.keep() : recorded.replace({&written, 1});
  }
  return {std::move(result), circuit::Derivation::by(std::move(recorded).finish())};
}

Operation AnnealingLabels::operation(rewrite::Label label) const {
  const rewrite::LabelTable::Entry& entry = interned_.entry(label);
  if (entry.opaque != nullptr) return interned_.operation(label, std::span<const Qubit>());
  return on_own_operands(gate(entry.gate), entry.angles);
}

std::vector<Operation> AnnealingLabels::operations(
    std::span<const rewrite::PlainGate> gates) const {
  std::vector<Operation> result;
  result.reserve(gates.size());
  for (const rewrite::PlainGate& gate : gates) {
    result.push_back(interned_.operation(gate.label, std::span(gate.wires).first(gate.size)));
  }
  return result;
}

}  // namespace quartz::optimizer
