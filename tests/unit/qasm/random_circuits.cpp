#include "random_circuits.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "qasm/text/if_statement.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::test {
namespace {

class CircuitMaker {
 public:
  CircuitMaker(std::mt19937_64& random, unsigned version) : random_(random), version_(version) {}

  Circuit make() {
    circuit_.qasm_version = version_;
    static const std::vector<std::string> comments{"", " indented", "OPENQASM 2.0;", "θ /* */",
                                                   "global phase: pi"};
    for (std::size_t i = below(3); i > 0; --i) circuit_.header_comments.push_back(one_of(comments));
    std::vector<std::string> names = register_names();
    std::shuffle(names.begin(), names.end(), random_);
    if (version_ >= 3 && below(8) == 0) {
      circuit_.qubit_registers.push_back({"$", 0, static_cast<std::uint32_t>(1 + below(5))});
    } else {
      add_registers(circuit_.qubit_registers, names, 1 + below(3), 4);
    }
    add_registers(circuit_.bit_registers, names, below(3), 3);
    if (version_ >= 3) {
      for (std::size_t i = below(3); i > 0; --i) {
        static const std::vector<std::string> types{"float[64]", "float", "angle", "angle[20]"};
        circuit_.parameters.push_back({names.back(), one_of(types)});
        names.pop_back();
      }
    }
    for (const GateKind kind : {GateKind::r, GateKind::gpi, GateKind::gpi2, GateKind::ms}) {
      if (below(6) == 0) circuit_.gates_in_turns.push_back(kind);
    }
    if (below(3) == 0) circuit_.global_phase = angle();
    for (std::size_t i = below(30); i > 0; --i) add_operation();
    return std::move(circuit_);
  }

 private:
  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  [[nodiscard]] std::vector<std::string> register_names() const {
    std::vector<std::string> names{"q", "Q",   "_",      "x", "h2", "rz",    "sin",    "q_0",
                                   "φ", "ecr", "theta0", "c", "p",  "magic", "lambda", "θ2"};
    if (version_ < 3) {
      for (const char* word : {"measure", "pi", "if", "qreg", "gate", "bit", "U", "barrier"}) {
        names.emplace_back(word);
      }
    }
    return names;
  }

  void add_registers(std::vector<Register>& registers, std::vector<std::string>& names,
                     std::size_t count, std::size_t largest) {
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto size = static_cast<std::uint32_t>(1 + below(largest));
      registers.push_back({names.back(), first, size});
      names.pop_back();
      first += size;
    }
  }

  Rational rational() {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    static const std::vector<std::int64_t> numerators{1,  2,  3, 5,       7,       -1,      -3,
                                                      -8, 11, 0, 1000001, largest, -largest};
    static const std::vector<std::int64_t> denominators{
        1, 1, 2, 3, 4, 8, 7, 100, 1024, 1000000000000000000, 5000000000000000};
    return {one_of(numerators), one_of(denominators)};
  }

  Angle constant_angle() {
    static const std::vector<std::string> decimals{
        "1.5707963267948966",      // the double of pi/2, but not pi/2
        "0.78539816339744830962",  // more digits than a fraction holds
        "0.1",
        "3.37668816425103",
        "1e-30",
        "9.587379924285257e-5",
        "12345678901234567890.25",
        "2.5e100"};
    switch (below(4)) {
      case 0:
        return Angle::radians(rational());
      case 1:
        return Angle::decimal(one_of(decimals)) * Rational(below(2) == 0 ? 1 : -1);
      default:
        return Angle::pi_times(rational());
    }
  }

  Angle angle() {
    Angle sum = constant_angle();
    if (below(4) == 0) sum = try_add(sum, constant_angle()).value_or(sum);
    if (!circuit_.parameters.empty() && below(2) == 0) {
      const Rational factor = rational();
      if (!factor.is_zero()) sum += Angle::symbol(one_of(circuit_.parameters).name) * factor;
    }
    return sum;
  }

  std::vector<Qubit> distinct_qubits(std::size_t count) {
    std::vector<Qubit> all(circuit_.qubit_count());
    std::iota(all.begin(), all.end(), 0U);
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(std::min(count, all.size()));
    return all;
  }

  void set_qubits(Operation& operation, std::vector<Qubit> qubits) {
    operation.qubits.assign(qubits.begin(), qubits.end());
  }

  void add_operation() {
    Operation operation;
    ClassicalPart classical;
    bool has_classical = false;
    switch (below(10)) {
      case 0:
        operation.kind = OperationKind::reset;
        set_qubits(operation, distinct_qubits(1));
        break;
      case 1: {
        operation.kind = OperationKind::barrier;
        std::vector<Qubit> qubits = distinct_qubits(1 + below(circuit_.qubit_count()));
        if (below(2) == 0) std::sort(qubits.begin(), qubits.end());
        set_qubits(operation, qubits);
        break;
      }
      case 2:
        if (circuit_.bit_count() == 0 && version_ < 3) return;
        operation.kind = OperationKind::measure;
        set_qubits(operation, distinct_qubits(1));
        if (circuit_.bit_count() != 0 && (version_ < 3 || below(4) != 0)) {
          classical.bits = {static_cast<ClassicalBit>(below(circuit_.bit_count()))};
        }
        has_classical = true;
        break;
      case 3:
        make_opaque(operation, classical, has_classical);
        break;
      default:
        make_gate(operation);
        break;
    }
    if (operation.qubits.empty()) return;
    if (!circuit_.bit_registers.empty() && below(5) == 0) {
      classical.conditions = last_conditions_ = conditions();
      has_classical = true;
    }
    if (has_classical) operation.classical = std::make_shared<ClassicalPart>(classical);
    circuit_.operations.push_back(std::move(operation));
  }

  Condition condition() {
    Condition result{static_cast<std::uint32_t>(below(circuit_.bit_registers.size())),
                     below(9) == 0 ? std::numeric_limits<std::uint64_t>::max() : below(8)};
    const std::uint32_t size = circuit_.bit_registers[result.bit_register].size;
    if (version_ >= 3 && size > 1 && below(2) == 0) {
      result.element = static_cast<std::uint32_t>(below(size));
    }
    if (version_ >= 3 && size > 1 && !result.element) result.negated = below(4) == 0;
    return result;
  }

  /// Returns conditions: often those of the previous operation, some of these, or the opposite of
  /// one.
  std::vector<Condition> conditions() {
    std::vector<Condition> result;
    if (below(3) != 0) result = last_conditions_;
    if (version_ < 3) return result.empty() ? std::vector{condition()} : result;
    if (!result.empty() && below(4) == 0) result.pop_back();
    if (result.empty() || (result.size() < 4 && below(4) == 0)) result.push_back(condition());
    if (below(3) == 0) {
      Condition& flipped = result[below(result.size())];
      flipped = qasm::opposite_of(flipped, tested_bits(circuit_, flipped).size);
    }
    return result;
  }

  void make_gate(Operation& operation) {
    const Gate& row = gate_table()[below(gate_table().size())];
    if (row.qubits > circuit_.qubit_count()) return;
    operation.gate = row.kind;
    set_qubits(operation, distinct_qubits(row.qubits));
    for (std::size_t i = 0; i < row.parameters.size(); ++i) operation.angles.push_back(angle());
  }

  void make_opaque(Operation& operation, ClassicalPart& classical, bool& has_classical) {
    if (version_ >= 3 && below(4) == 0) {
      operation.kind = OperationKind::opaque;
      set_qubits(operation, distinct_qubits(1 + below(circuit_.qubit_count())));
      classical.opaque_kind = OpaqueKind::delay;
      classical.opaque_name = below(2) == 0 ? "delay[100ns]" : "delay[2.5e3dt]";
      has_classical = true;
      return;
    }
    struct Form {
      std::string name;
      std::size_t qubits;
      std::size_t parameters;
    };
    static const std::vector<Form> forms{
        {"magic", 2, 0}, {"phase", 1, 1}, {"Φ_2", 1, 0}, {"sin", 3, 3}, {"rcccx", 2, 1}};
    const Form& form = one_of(forms);
    if (form.qubits > circuit_.qubit_count()) return;
    operation.kind = OperationKind::opaque;
    set_qubits(operation, distinct_qubits(form.qubits));
    for (std::size_t i = 0; i < form.parameters; ++i) operation.angles.push_back(angle());
    classical.opaque_name = form.name;
    has_classical = true;
  }

  std::mt19937_64& random_;
  unsigned version_;
  Circuit circuit_;
  std::vector<Condition> last_conditions_;
};

}  // namespace

Circuit random_circuit(std::mt19937_64& random, unsigned language_version) {
  return CircuitMaker(random, language_version).make();
}

}  // namespace quartz::test
