#pragma once

#include <algorithm>
#include <complex>
#include <map>
#include <utility>
#include <vector>

#include "quartz/circuit/unitary.hpp"

namespace quartz::test {

using Bits = std::vector<bool>;
/// Maps each content of the classical bits at the end to the sum of K (x) conj(K) over the Kraus
/// operators K of the branches that end with it. Two circuits are equal if and only if their
/// instruments are.
using Instrument = std::map<Bits, std::vector<Complex>>;

/// Follows all branches of a circuit with complete Kraus operators.
class InstrumentOf {
 public:
  explicit InstrumentOf(const Circuit& circuit, const Bindings& bindings = {})
      : circuit_(circuit),
        bindings_(bindings),
        dimension_(std::size_t{1} << circuit.qubit_count()) {
    Columns identity(dimension_, std::vector<Complex>(dimension_));
    for (std::size_t i = 0; i < dimension_; ++i) identity[i][i] = 1;
    follow(0, identity, Bits(circuit.bit_count(), false));
  }

  Instrument instrument;

 private:
  using Columns = std::vector<std::vector<Complex>>;

  [[nodiscard]] bool condition_holds(const Operation& operation, const Bits& bits) const {
    const std::span<const Condition> conditions = operation.conditions();
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const Condition& condition) { return holds(condition, bits); });
  }

  [[nodiscard]] bool holds(const Condition& condition, const Bits& bits) const {
    const Register& source = circuit_.bit_registers[condition.bit_register];
    std::uint64_t value = 0;
    for (std::uint32_t i = source.size; i-- > 0;)
      value = 2 * value + (bits[source.first + i] ? 1 : 0);
    return value == condition.value;
  }

  [[nodiscard]] static bool is_zero(const Columns& kraus) {
    return std::ranges::all_of(kraus, [](const std::vector<Complex>& column) {
      return std::ranges::all_of(column, [](const Complex& entry) { return entry == 0.0; });
    });
  }

  void follow(std::size_t position, Columns kraus, Bits bits) {
    for (; position < circuit_.operations.size(); ++position) {
      const Operation& operation = circuit_.operations[position];
      if (!condition_holds(operation, bits)) continue;
      if (operation.kind == OperationKind::barrier) continue;
      if (operation.kind == OperationKind::gate) {
        Operation plain = operation;
        plain.classical = nullptr;
        for (auto& column : kraus) apply_gate(plain, column, bindings_);
        continue;
      }
      const std::size_t mask = std::size_t{1} << operation.qubits[0];
      for (const bool outcome : {false, true}) {
        Columns branch = kraus;
        for (auto& column : branch) {
          for (std::size_t i = 0; i < dimension_; ++i) {
            if (((i & mask) != 0) != outcome) column[i] = 0;
          }
          if (operation.kind == OperationKind::measure || !outcome) continue;
          for (std::size_t i = 0; i < dimension_; ++i) {
            if ((i & mask) == 0) std::swap(column[i], column[i | mask]);
          }
        }
        // An outcome that cannot occur adds nothing, and with it all branches that begin there.
        if (is_zero(branch)) continue;
        Bits written = bits;
        if (operation.kind == OperationKind::measure && !operation.classical->bits.empty()) {
          written[operation.classical->bits[0]] = outcome;
        }
        follow(position + 1, std::move(branch), std::move(written));
      }
      return;
    }
    std::vector<Complex>& sum = instrument[bits];
    sum.resize(dimension_ * dimension_ * dimension_ * dimension_);
    auto entry = sum.begin();
    for (const auto& a : kraus) {
      for (const auto& b : kraus) {
        for (const Complex& left : a) {
          if (left == 0.0) {  // as most are after measurements
            entry += static_cast<std::ptrdiff_t>(dimension_);
            continue;
          }
          for (const Complex& right : b) *entry++ += left * std::conj(right);
        }
      }
    }
  }

  const Circuit& circuit_;
  Bindings bindings_;
  std::size_t dimension_;
};

/// Returns the largest difference between entries of the instruments of two circuits.
inline double instrument_distance(const Circuit& left, const Circuit& right,
                                  const Bindings& bindings = {}) {
  Instrument l = InstrumentOf(left, bindings).instrument;
  Instrument r = InstrumentOf(right, bindings).instrument;
  const std::size_t dimension = std::size_t{1} << left.qubit_count();
  const std::vector<Complex> zero(dimension * dimension * dimension * dimension);
  for (const auto& [bits, sum] : l) r.try_emplace(bits, zero);
  for (const auto& [bits, sum] : r) l.try_emplace(bits, zero);
  double largest = 0;
  for (const auto& [bits, sum] : l) {
    const std::vector<Complex>& other = r.at(bits);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      largest = std::max(largest, std::abs(sum[i] - other[i]));
    }
  }
  return largest;
}

}  // namespace quartz::test
