#include "optimize/hadamard_gadgets/gadget_circuit.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "optimize/hadamard_gadgets/gadget_plan.hpp"
#include "optimize/hadamard_gadgets/measured_products.hpp"
#include "optimize/hadamard_gadgets/region_phases.hpp"
#include "optimize/measured_ancillas/ancilla_writer.hpp"
#include "optimize/measured_ancillas/plain_stretches.hpp"
#include "optimize/pauli_network/parity_rotation.hpp"
#include "optimize/product_layers/quadratic_phase.hpp"
#include "optimize/product_layers/rotation_gates.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

Operation phase_gate(Qubit qubit, unsigned eighths) {
  return make_operation(GateKind::rz, {qubit},
                        {Angle::pi_times(Rational(
                            eighths > 4 ? static_cast<std::int64_t>(eighths) - 8 : eighths, 4))});
}

/// Fraction of the budget of a region for fewer products. The rest is for a comparison with fewer
/// rotations without them.
constexpr double kShareOfProducts = 0.5;

/// Fraction of the budget for the largest regions.
constexpr double kShareOfFirstLevel = 0.5;

/// How a circuit with ancillas is made.
struct GadgetLimits {
  std::uint32_t ancillas = 0;
  std::size_t hadamards = 0;  ///< the most that become gadgets in a region
};

/// What products are searched with.
struct ProductSearch {
  Products products = Products::measured;
  const Budget& budget;
  FastRandom& random;
};

/// Writes a circuit with ancillas.
class GadgetWriter {
 public:
  GadgetWriter(const Circuit& circuit, GadgetLimits limits, ProductSearch search)
      : limits_(limits), search_(search), places_(circuit), data_(circuit.qubit_count()) {
    result_.circuit = without_operations(circuit);
    result_.grouped = result_.circuit;
  }

  /// Appends the plain gates of a stretch, in which Hadamard gates become gadgets.
  bool append_stretch(std::span<const Operation> gates) {
    const std::optional<RotationSequence> sequence = rotation_sequence(gates, data_);
    if (!sequence) return false;
    const GadgetPlan plan = plan_gadgets(*sequence, limits_.hadamards);
    const std::size_t measurements = result_.measurements();
    const std::size_t size = operations().size();
    const std::size_t grouped_size = grouped().size();
    const std::size_t steps = result_.steps.size();
    const std::size_t barriers = barriers_;
    std::size_t regions_left = plan.regions.size();
    for (const PlannedRegion& region : plan.regions) {
      append_region(region, 1.0 / static_cast<double>(regions_left--));
    }
    append(gates_of(plan.after));
    if (result_.measurements() > measurements) return true;
    operations().resize(size);
    grouped().resize(grouped_size);
    result_.steps.resize(steps);
    barriers_ = barriers;
    append(gates);
    return true;
  }

  void append(std::span<const Operation> gates) {
    operations().insert(operations().end(), gates.begin(), gates.end());
    grouped().insert(grouped().end(), gates.begin(), gates.end());
  }

  [[nodiscard]] GadgetCircuit take() {
    if (result_.ancillas != 0) places_.add_registers(result_.circuit, result_.ancillas);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<Operation>& operations() { return result_.circuit.operations; }
  [[nodiscard]] std::vector<Operation>& grouped() { return result_.grouped.operations; }

  /// Appends a region, for which there is a fraction of the budget that is left.
  void append_region(const PlannedRegion& region, double share) {
    for (const Rotation& rotation : region.rotations) append_rotation(rotation);
    append(gates_of(region.before));
    const std::size_t first = operations().size();
    AncillaStep step{first - barriers_, plain_gates(region), {}};
    grouped().insert(grouped().end(), step.before.begin(), step.before.end());
    const RegionPhases phases = phases_of(region, data_);
    ParityPhases diagonal = phases.with_gadgets();
    const auto gadgets = static_cast<std::uint32_t>(phases.gadgets.size());
    for (std::uint32_t i = 0; i < gadgets; ++i) prepare_ancilla(i);
    result_.gadgets += gadgets;
    if (std::optional<MeasuredProducts> measured = products_of(phases, diagonal, share)) {
      for (const Product& product : measured->products) append_product(product, gadgets);
      result_.products += measured->products.size();
      diagonal = std::move(measured->rest);
    }
    // It has an ancilla, so that it is known for one that no input has.
    append_barrier(std::max<std::size_t>(phases.variables, data_ + 1));
    append_phases(diagonal);
    append_measurements(region, phases);
    std::ranges::copy_if(
        operations() | std::views::drop(first), std::back_inserter(step.after),
        [](const Operation& operation) { return operation.kind != OperationKind::barrier; });
    result_.steps.push_back(std::move(step));
  }

  /// Returns the gates of a region that gadgets replace.
  [[nodiscard]] std::vector<Operation> plain_gates(const PlannedRegion& region) const {
    std::vector<Operation> gates;
    for (const RegionStep& step : region.steps) {
      switch (step.kind) {
        case RegionStep::Kind::phase: {
          std::vector<Qubit> qubits;
          for (Qubit qubit = 0; qubit < data_; ++qubit) {
            if ((step.parity >> qubit & 1U) != 0) qubits.push_back(qubit);
          }
          append_parity_rotation(qubits, phase_gate(qubits.front(), step.eighths), gates);
          break;
        }
        case RegionStep::Kind::cx:
          gates.push_back(make_operation(GateKind::cx, {step.first, step.second}));
          break;
        case RegionStep::Kind::s:
          gates.push_back(phase_gate(step.first, step.eighths));
          break;
        case RegionStep::Kind::hadamard:
          gates.push_back(make_operation(GateKind::h, {step.first}));
          break;
      }
    }
    return gates;
  }

  /// Returns products if the region takes fewer T gates with them; counts the T gates.
  [[nodiscard]] std::optional<MeasuredProducts> products_of(const RegionPhases& phases,
                                                            const ParityPhases& diagonal,
                                                            double share) {
    const Budget budget = search_.budget.share(share);
    std::optional<MeasuredProducts> measured;
    if (search_.products == Products::measured && phases.gadgets.size() < limits_.ancillas) {
      measured = as_measured_products(diagonal, phases.variables, budget.share(kShareOfProducts),
                                      search_.random);
    }
    const std::size_t without = fewest_odd_phases(diagonal, budget, search_.random);
    if (measured && measured->rotations() >= without) measured.reset();
    result_.rotations += measured ? measured->rotations() : without;
    return measured;
  }

  void append_rotation(const Rotation& rotation) {
    RotationSequence alone;
    alone.rotations.push_back(rotation);
    append(gates_of(alone).gates);
  }

  /// Prepares an ancilla in |0>.
  void prepare_zero(std::uint32_t ancilla) {
    if (ancilla < result_.ancillas) operations().push_back(reset_of(data_ + ancilla));
    result_.ancillas = std::max(result_.ancillas, ancilla + 1);
  }

  /// Prepares an ancilla in |+>.
  void prepare_ancilla(std::uint32_t ancilla) {
    prepare_zero(ancilla);
    operations().push_back(make_operation(GateKind::h, {data_ + ancilla}));
  }

  /// Appends a product of forms on the first qubits, with an ancilla that is measured.
  void append_product(const Product& product, std::uint32_t ancilla) {
    const auto& [f, g, h] = product.forms;
    const Qubit qubit = data_ + ancilla;
    prepare_zero(ancilla);
    append_bit_product({f, g}, qubit, operations());
    for (auto i = h.find_first(); i != LinearForm::npos; i = h.find_next(i)) {
      operations().push_back(make_operation(GateKind::cz, {qubit, static_cast<Qubit>(i)}));
    }
    measure(qubit, ancilla);
    optimizer::append_correction(places_.of(ancilla), BitProduct{f, g}, operations());
  }

  /// Appends a barrier on the first qubits.
  void append_barrier(std::size_t qubits) {
    Operation barrier;
    barrier.kind = OperationKind::barrier;
    for (Qubit qubit = 0; qubit < qubits; ++qubit) barrier.qubits.push_back(qubit);
    operations().push_back(std::move(barrier));
    ++barriers_;
  }

  void append_phases(const ParityPhases& phases) {
    for (const auto& [form, eighths] : phases) {
      std::vector<Qubit> qubits;
      for (auto i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
        qubits.push_back(static_cast<Qubit>(i));
      }
      append_parity_rotation(qubits, phase_gate(qubits.front(), eighths), operations());
    }
  }

  /// Appends the CNOTs of a region, with a measurement and its correction in place of each Hadamard
  /// gate, and moves the states back to the data qubits.
  void append_measurements(const PlannedRegion& region, const RegionPhases& phases) {
    std::vector<Qubit> place(data_);
    for (Qubit qubit = 0; qubit < data_; ++qubit) place[qubit] = qubit;
    std::vector<std::uint32_t> first_gadget(data_);
    std::uint32_t gadget = 0;
    for (const RegionStep& step : region.steps) {
      if (step.kind == RegionStep::Kind::cx) {
        operations().push_back(
            make_operation(GateKind::cx, {place[step.first], place[step.second]}));
      }
      if (step.kind != RegionStep::Kind::hadamard) continue;
      if (place[step.first] == step.first) first_gadget[step.first] = gadget;
      measure(place[step.first], gadget);
      place[step.first] = data_ + gadget;
      correct(phases, gadget, place);
      ++gadget;
    }
    for (Qubit qubit = 0; qubit < data_; ++qubit) {
      if (place[qubit] == qubit) continue;
      append_if(first_gadget[qubit], make_operation(GateKind::x, {qubit}));
      operations().push_back(make_operation(GateKind::cx, {place[qubit], qubit}));
      operations().push_back(make_operation(GateKind::cx, {qubit, place[qubit]}));
    }
  }

  void measure(Qubit qubit, std::uint32_t gadget) {
    append_measurement(qubit, places_.of(gadget), operations());
  }

  /// Appends a gate under the condition that the outcome of a gadget is 1.
  void append_if(std::uint32_t gadget, Operation gate) {
    operations().push_back(if_measured(places_.of(gadget), std::move(gate)));
  }

  /// Appends the correction for an outcome. With y' for the flipped variable y of the gadget, the
  /// outcome 1 gives the state of the outcome 0 with y' in place of y. X makes the qubits carry
  /// what they did, and the phase e^{i pi/4 k f} of a parity f that contains y needs the factor
  /// i^{k f}, up to a constant.
  void correct(const RegionPhases& phases, std::uint32_t gadget, std::span<const Qubit> place) {
    const RegionPhases::Gadget& own = phases.gadgets[gadget];
    Coordinates live;
    std::vector<Qubit> qubits;
    for (Qubit qubit = 0; qubit < data_; ++qubit) {
      ensure(live.extend(own.forms[qubit]), "data qubits carry independent forms");
      qubits.push_back(place[qubit]);
    }
    for (auto later = gadget + 1; later < phases.gadgets.size(); ++later) {
      ensure(live.extend(unit_vector(phases.variables, phases.variable_of(later))),
             "ancillas carry independent forms");
      qubits.push_back(data_ + later);
    }
    QuadraticPhase correction(qubits.size());
    const std::size_t variable = phases.variable_of(gadget);
    const auto add = [&](const LinearForm& form, unsigned quarters) {
      const std::optional<LinearForm> coordinates = live.of(form);
      ensure(coordinates.has_value(), "the phases after a gadget are on qubits that it leaves");
      LinearForm padded = *coordinates;
      padded.resize(qubits.size());
      correction.add_parity(padded, quarters);
    };
    for (const auto& [form, eighths] : phases.phases) {
      if (form.test(variable)) add(form, eighths % 4);
    }
    for (std::size_t later = gadget + 1; later < phases.gadgets.size(); ++later) {
      if (!phases.gadgets[later].measured.test(variable)) continue;
      add(unit_vector(phases.variables, phases.variable_of(later)), 2);
    }
    append_if(gadget, make_operation(GateKind::x, {place[own.qubit]}));
    append_correction(gadget, correction, qubits);
  }

  void append_correction(std::uint32_t gadget, const QuadraticPhase& correction,
                         std::span<const Qubit> qubits) {
    optimizer::append_correction(places_.of(gadget), correction, qubits, operations());
  }

  GadgetLimits limits_;
  ProductSearch search_;
  AncillaPlaces places_;
  std::uint32_t data_;
  GadgetCircuit result_;
  std::size_t barriers_ = 0;  ///< those of regions
};

std::optional<GadgetCircuit> written(const Circuit& circuit, GadgetLimits limits,
                                     ProductSearch search) {
  GadgetWriter writer(circuit, limits, search);
  if (!append_stretches(circuit, writer)) return std::nullopt;
  GadgetCircuit result = writer.take();
  if (result.measurements() == 0) return std::nullopt;
  return result;
}

/// Returns how many Hadamard gates of a region may become gadgets: as many as there are ancillas,
/// or fewer, so that one is left for products.
std::vector<std::uint32_t> tried_hadamards(std::uint32_t ancillas) {
  std::vector<std::uint32_t> numbers{ancillas};
  for (std::uint32_t fewer = ancillas - 1; fewer > 0; fewer /= 2) numbers.push_back(fewer);
  numbers.push_back(0);
  return numbers;
}

}  // namespace

std::optional<GadgetCircuit> with_gadgets(const Circuit& circuit, std::uint32_t ancillas,
                                          Products products, const Budget& budget,
                                          FastRandom& random) {
  std::optional<GadgetCircuit> best;
  const std::vector<std::uint32_t> levels = products == Products::measured
                                                ? tried_hadamards(ancillas)
                                                : std::vector<std::uint32_t>{ancillas};
  for (std::size_t i = 0; i < levels.size() && !(i > 0 && budget.spent()); ++i) {
    const Budget part =
        budget.share(i == 0 ? kShareOfFirstLevel : 1.0 / static_cast<double>(levels.size() - i));
    std::optional<GadgetCircuit> made =
        written(circuit, {.ancillas = ancillas, .hadamards = levels[i]},
                ProductSearch{products, part, random});
    // With an ancilla left in each region, fewer gadgets would only make the regions shorter.
    const bool is_enough = i == 0 && made && made->ancillas < ancillas;
    if (made && (!best || made->rotations < best->rotations)) best = std::move(made);
    if (is_enough) break;
  }
  return best;
}

Circuit without_region_barriers(Circuit circuit, std::uint32_t data_qubits) {
  std::erase_if(circuit.operations, [&](const Operation& operation) {
    return operation.kind == OperationKind::barrier &&
           std::ranges::any_of(operation.qubits, [&](Qubit qubit) { return qubit >= data_qubits; });
  });
  return circuit;
}

}  // namespace quartz::optimizer
