#include "circuits.hpp"

#include <utility>
#include <vector>

#include "base/random.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::perf {

const GateSet& nam() {
  static const GateSet set = load_gate_set("nam");
  return set;
}

Circuit cuccaro_adder(std::uint32_t bits) {
  // Registers in the order of the bundled circuits: carry_in, a, b, carry_out.
  const auto a = [](std::uint32_t i) { return 1 + i; };
  const auto b = [bits](std::uint32_t i) { return 1 + bits + i; };
  // The carry into position i is on the qubit before a[i].
  const auto carry = [](std::uint32_t i) { return i; };
  std::vector<Operation> gates;
  const auto cx = [&](Qubit control, Qubit target) {
    gates.push_back(make_operation(GateKind::cx, {control, target}));
  };
  const auto ccx = [&](Qubit first, Qubit second, Qubit target) {
    gates.push_back(make_operation(GateKind::ccx, {first, second, target}));
  };
  for (std::uint32_t i = 0; i < bits; ++i) {
    cx(a(i), b(i));
    cx(a(i), carry(i));
    ccx(carry(i), b(i), a(i));
  }
  cx(a(bits - 1), 2 * bits + 1);
  for (std::uint32_t i = bits; i-- > 0;) {
    ccx(carry(i), b(i), a(i));
    cx(a(i), carry(i));
    cx(carry(i), b(i));
  }
  return translate(make_circuit(2 * bits + 2, std::move(gates)), nam());
}

Circuit toffoli_ladder() {
  using enum GateKind;
  const Circuit ladder =
      make_circuit(5, {make_operation(ccx, {0, 1, 3}), make_operation(ccx, {2, 3, 4}),
                       make_operation(ccx, {0, 1, 3})});
  return translate(ladder, nam());
}

Circuit random_ibm_circuit(std::size_t gates) {
  FastRandom random(0);
  std::vector<Operation> operations;
  while (operations.size() < gates) {
    const Qubit first = random.below(4);
    switch (random.below(3)) {
      case 0:
        operations.push_back(make_operation(GateKind::rz, {first},
                                            {Angle::pi_times(Rational(1 + random.below(31), 16))}));
        break;
      case 1:
        operations.push_back(make_operation(GateKind::sx, {first}));
        break;
      default:
        operations.push_back(
            make_operation(GateKind::cx, {first, (first + 1 + random.below(3)) % 4}));
        break;
    }
  }
  return make_circuit(4, std::move(operations));
}

}  // namespace quartz::perf
