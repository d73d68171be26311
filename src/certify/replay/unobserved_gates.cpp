#include "certify/replay/unobserved_gates.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

/// What happens to a wire behind some place.
enum class Use : std::uint8_t { discarded, controls, any };

bool is_diagonal_on(const Gate& row, std::size_t operand) {
  return std::ranges::all_of(row.matrix, [&](const MatrixEntry& entry) {
    return (((entry.row ^ entry.column) >> operand) & 1U) == 0;
  });
}

/// The uses of all wires behind the current place.
class Uses {
 public:
  explicit Uses(std::span<const Wire> discarded) {
    for (const Wire wire : discarded) uses_[wire] = Use::discarded;
  }

  [[nodiscard]] bool observe(const Gate& row, std::span<const Wire> wires) const {
    for (std::size_t i = 0; i < wires.size(); ++i) {
      const Use use = of(wires[i]);
      if (use == Use::any || (use == Use::controls && !is_diagonal_on(row, i))) return true;
    }
    return false;
  }
  void add(const Gate& row, std::span<const Wire> wires) {
    for (std::size_t i = 0; i < wires.size(); ++i) {
      if (of(wires[i]) == Use::any) continue;
      uses_[wires[i]] = is_diagonal_on(row, i) ? Use::controls : Use::any;
    }
  }

 private:
  [[nodiscard]] Use of(Wire wire) const {
    const auto found = uses_.find(wire);
    return found == uses_.end() ? Use::any : found->second;
  }

  std::unordered_map<Wire, Use> uses_;  ///< `any` for all others
};

}  // namespace

GateList without_unobserved_gates(const GateList& gates, std::span<const Wire> discarded,
                                  const OperationTable& table) {
  Uses uses(discarded);
  std::vector<bool> is_kept(gates.size(), true);
  for (std::size_t i = gates.size(); i-- > 0;) {
    const Gate& row = gate(table[gates.code(i)].gate);
    is_kept[i] = uses.observe(row, gates.wires(i));
    if (is_kept[i]) uses.add(row, gates.wires(i));
  }
  GateList kept;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    if (!is_kept[i]) continue;
    for (const Wire wire : gates.wires(i)) kept.add_wire(wire);
    kept.add_gate(gates.code(i));
  }
  return kept;
}

}  // namespace quartz::certify
