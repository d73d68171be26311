#include "optimize/hamming_weights/weight_circuit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>
#include <span>
#include <utility>

#include "optimize/hamming_weights/angle_families.hpp"
#include "optimize/hamming_weights/bit_sums.hpp"
#include "optimize/hamming_weights/rotation_groups.hpp"
#include "optimize/measured_ancillas/ancilla_writer.hpp"
#include "optimize/measured_ancillas/plain_stretches.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli_network/diagonalization.hpp"
#include "optimize/pauli_network/parity_rotation.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"
#include "optimize/product_layers/rotation_gates.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// The most doublings of an angle that are computed.
constexpr std::size_t kMostComputedDoublings = 60;

/// Rotations of one family, about forms of the data qubits.
struct FamilyRotations {
  Angle base;
  std::vector<WeightedForm> rotations;
};

/// Gates that compute a product into an ancilla, and those that measure it, with the CNOTs of the
/// step between them and the rotations.
struct ProductGates {
  std::vector<Operation> before;
  std::vector<Operation> after;
  std::vector<BitCnot> cnots;
};

/// Appends a rotation about a form.
void append_form_rotation(const AffineForm& form, const Angle& angle,
                          std::vector<Operation>& gates) {
  std::vector<Qubit> qubits;
  for (auto i = form.form.find_first(); i != LinearForm::npos; i = form.form.find_next(i)) {
    qubits.push_back(static_cast<Qubit>(i));
  }
  // An ancilla is the target if the form has one.
  std::ranges::rotate(qubits, qubits.end() - 1);
  append_parity_rotation(
      qubits, make_operation(GateKind::rz, {qubits.front()}, {form.is_negated ? -angle : angle}),
      gates);
}

void append_all(const std::vector<Operation>& gates, std::vector<Operation>& result) {
  result.insert(result.end(), gates.begin(), gates.end());
}

class WeightWriter {
 public:
  WeightWriter(const Circuit& circuit, const WeightLimits& limits, const Budget& budget)
      : limits_(limits), budget_(budget), places_(circuit), data_(circuit.qubit_count()) {
    result_.grouped = without_operations(circuit);
    result_.circuit = result_.grouped;
  }

  /// Appends the plain gates of a stretch; returns false if there are other gates, or too many.
  bool append_stretch(std::span<const Operation> gates) {
    const std::optional<RotationSequence> sequence = rotation_sequence(gates, data_);
    if (!sequence) return false;
    std::vector<Angle> angles;
    std::vector<PauliString> axes;
    for (const Rotation& rotation : sequence->rotations) {
      angles.push_back(rotation.angle);
      axes.push_back(rotation.axis);
    }
    const AngleFamilies families = angle_families(angles);
    Diagonalization frame(std::move(axes));
    const std::vector<std::vector<double>> costs = costs_of(families);
    const FamilyCost cost = [&](std::size_t family, std::size_t weight) {
      return costs[family][std::min(weight, kMostComputedDoublings + 1)];
    };
    for (const auto& group :
         rotation_groups(sequence->rotations, families, cost, budget_, random_)) {
      append_group(*sequence, families, group, frame);
    }
    append(gates_of(inverse_gates(frame.gates())));
    append(gates_of(sequence->clifford));
    return true;
  }

  /// Returns the cost of rotations by the base of each family, by the number of doublings.
  [[nodiscard]] std::vector<std::vector<double>> costs_of(const AngleFamilies& families) const {
    std::vector<std::vector<double>> result;
    for (const Angle& base : families.bases) {
      std::vector<double>& costs = result.emplace_back();
      for (std::size_t weight = 0; weight <= kMostComputedDoublings + 1; ++weight) {
        costs.push_back(cost_of(base, weight));
      }
    }
    return result;
  }

  void append(std::span<const Operation> gates) {
    result_.grouped.operations.insert(result_.grouped.operations.end(), gates.begin(), gates.end());
    operations().insert(operations().end(), gates.begin(), gates.end());
  }

  [[nodiscard]] WeightCircuit take() {
    if (result_.ancillas != 0) places_.add_registers(result_.circuit, result_.ancillas);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<Operation>& operations() { return result_.circuit.operations; }

  void append_group(const RotationSequence& sequence, const AngleFamilies& families,
                    std::span<const std::size_t> group, Diagonalization& frame) {
    const std::size_t known = frame.gates().size();
    for (const std::size_t index : group) frame.make_diagonal(index);
    append(gates_of(std::span(frame.gates()).subspan(known)));
    std::vector<FamilyRotations> members(families.bases.size());
    for (const std::size_t index : group) {
      const PauliString& axis = frame.axis(index);
      AffineForm form{LinearForm(data_, axis.z), is_negative(axis)};
      const Angle& angle = sequence.rotations[index].angle;
      const std::optional<FamilyAngle>& place = families.angles[index];
      if (!place || is_negligible(angle)) {
        append_single(form, angle);
        continue;
      }
      append_single(form, Angle::pi_times(Rational(static_cast<std::int64_t>(place->eighths), 4)));
      form.is_negated = form.is_negated != place->is_negative;
      members[place->family].base = families.bases[place->family];
      members[place->family].rotations.push_back({std::move(form), place->doublings});
    }
    for (FamilyRotations& family : members) append_family(std::move(family));
  }

  [[nodiscard]] bool is_negligible(const Angle& angle) const {
    return std::abs(angle.value_modulo(2)) <= limits_.negligible;
  }

  void append_single(const AffineForm& form, const Angle& angle) {
    if (angle.is_zero()) return;
    count(angle);
    std::vector<Operation> gates;
    append_form_rotation(form, angle, gates);
    append(gates);
  }

  /// Counts the T gates of a rotation.
  void count(const Angle& angle) {
    result_.t += cost_of(angle);
    if (!eighths_of(angle)) ++result_.rotations;
  }

  [[nodiscard]] double cost_of(const Angle& angle) const {
    if (const std::optional<unsigned> eighths = eighths_of(angle)) return *eighths % 2;
    return is_negligible(angle) ? 0 : limits_.rotation;
  }

  /// Appends rotations of a family. If there are too few ancillas for all of them, those about
  /// forms of data qubits that are left are added once more, with the same ancillas.
  void append_family(FamilyRotations family) {
    std::vector<WeightedForm>& rotations = family.rotations;
    if (rotations.empty()) return;
    const std::size_t bits = data_ + std::min<std::size_t>(limits_.ancillas, rotations.size());
    for (WeightedForm& each : rotations) each.form.form.resize(bits);
    const SumCosts costs{
        .rotation = [&](std::size_t weight) { return cost_of(family.base, weight); }};
    std::size_t position = operations().size();
    append(rotation_gates(family, rotations));
    while (true) {
      const std::vector<SumStep> steps = sum_steps(rotations, data_, costs);
      if (steps.empty()) break;
      const std::vector<WeightedForm> left = append_steps(family, steps, position);
      for (const WeightedForm& each : left) {
        if (is_on_ancillas(each)) count(doubled(family.base, each.weight));
      }
      rotations = left;
      std::erase_if(rotations, [&](const WeightedForm& each) { return is_on_ancillas(each); });
      position = operations().size() - rotation_gates(family, rotations).size();
    }
    for (const WeightedForm& each : rotations) count(doubled(family.base, each.weight));
  }

  [[nodiscard]] double cost_of(const Angle& base, std::size_t weight) const {
    if (weight > kMostComputedDoublings) return std::numeric_limits<double>::infinity();
    try {
      return cost_of(doubled(base, weight));
    } catch (const OverflowError&) {
      return std::numeric_limits<double>::infinity();
    }
  }

  [[nodiscard]] bool is_on_ancillas(const WeightedForm& rotation) const {
    return rotation.form.form.find_next(data_ - 1) != LinearForm::npos;
  }

  [[nodiscard]] static std::vector<Operation> rotation_gates(
      const FamilyRotations& family, std::span<const WeightedForm> rotations) {
    std::vector<Operation> gates;
    for (const WeightedForm& each : rotations) {
      append_form_rotation(each.form, doubled(family.base, each.weight), gates);
    }
    return gates;
  }

  /// Replaces the rotations at a position step by step, and moves those about forms of data qubits
  /// behind the measurements. Returns the rotations that are left, these at the end.
  std::vector<WeightedForm> append_steps(const FamilyRotations& family,
                                         std::span<const SumStep> steps, std::size_t position) {
    std::vector<ProductGates> products;
    std::vector<WeightedForm> rotations = family.rotations;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const SumStep& step = steps[i];
      std::vector<WeightedForm> next = step.rotations;
      // Rotations on data qubits come last, so that measurements can be moved before them.
      if (i + 1 == steps.size()) {
        std::ranges::stable_partition(
            next, [&](const WeightedForm& each) { return is_on_ancillas(each); });
      }
      ProductGates gates;
      if (step.product) {
        gates = product_gates(step, products.size());
        products.push_back(gates);
      }
      std::vector<Operation> after = gates.before;
      append_all(rotation_gates(family, next), after);
      append_all(gates.after, after);
      replace({position, rotation_gates(family, rotations), std::move(after), family.base});
      position += gates.before.size();
      rotations = std::move(next);
    }
    move_out(family, rotations, products, position);
    return rotations;
  }

  /// Moves rotations about forms of data qubits, which are the last ones, behind the measurements,
  /// one after the other.
  void move_out(const FamilyRotations& family, std::vector<WeightedForm>& rotations,
                std::span<const ProductGates> products, std::size_t position) {
    const auto on_data = std::ranges::find_if_not(
        rotations, [&](const WeightedForm& each) { return is_on_ancillas(each); });
    if (on_data == rotations.end()) return;
    position += rotation_gates(family, std::span(rotations.begin(), on_data)).size();
    const std::span moved(on_data, rotations.end());
    for (const ProductGates& product : products | std::views::reverse) {
      std::vector<Operation> before = rotation_gates(family, moved);
      append_all(product.after, before);
      for (const BitCnot& cnot : product.cnots | std::views::reverse) {
        for (WeightedForm& each : moved) {
          if (each.form.form.test(cnot.target)) each.form.form.flip(cnot.control);
        }
      }
      std::vector<Operation> after = product.after;
      append_all(rotation_gates(family, moved), after);
      replace({position, std::move(before), std::move(after), family.base});
      position += product.after.size();
    }
  }

  /// Returns the gates of a product, and counts them.
  [[nodiscard]] ProductGates product_gates(const SumStep& step, std::size_t number) {
    const FormProduct& product = *step.product;
    const auto ancilla = static_cast<std::uint32_t>(number);
    const MeasuredAncilla place = places_.of(ancilla);
    ProductGates gates;
    if (ancilla < result_.ancillas) gates.before.push_back(reset_of(place.qubit));
    result_.ancillas = std::max(result_.ancillas, ancilla + 1);
    ++result_.adders;
    result_.t += SumCosts().product;
    const BitProduct bits{product.f.form, product.g.form, product.f.is_negated,
                          product.g.is_negated};
    append_bit_product(bits, place.qubit, gates.before);
    gates.cnots = step.cnots;
    for (const BitCnot& cnot : step.cnots) {
      gates.before.push_back(make_operation(
          GateKind::cx, {static_cast<Qubit>(cnot.control), static_cast<Qubit>(cnot.target)}));
    }
    for (std::size_t i = 0; i < step.cnots.size(); ++i) {
      gates.after.push_back(gates.before[gates.before.size() - 1 - i]);
    }
    append_measurement(place.qubit, place, gates.after);
    append_correction(place, bits, gates.after);
    return gates;
  }

  void replace(AncillaStep step) {
    const auto first = operations().begin() + static_cast<std::ptrdiff_t>(step.position);
    const auto rest =
        operations().erase(first, first + static_cast<std::ptrdiff_t>(step.before.size()));
    operations().insert(rest, step.after.begin(), step.after.end());
    result_.steps.push_back(std::move(step));
  }

  WeightLimits limits_;
  const Budget& budget_;
  FastRandom random_{0};
  AncillaPlaces places_;
  std::uint32_t data_;
  WeightCircuit result_;
};

}  // namespace

std::optional<WeightCircuit> with_weights(const Circuit& circuit, const WeightLimits& limits,
                                          const Budget& budget) {
  try {
    WeightWriter writer(circuit, limits, budget);
    if (!append_stretches(circuit, writer)) return std::nullopt;
    WeightCircuit result = writer.take();
    if (result.adders == 0) return std::nullopt;
    return result;
  } catch (const OverflowError&) {
    return std::nullopt;  // a multiple of an angle does not fit a fraction
  }
}

}  // namespace quartz::optimizer
