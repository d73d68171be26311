#include "optimize/instantiation/generic_template.hpp"

#include <algorithm>

namespace quartz::optimizer {
namespace {

bool connects(std::uint32_t qubits, std::span<const TemplateGate> gates) {
  std::uint32_t reached = 1;
  for (std::uint32_t round = 1; round < qubits; ++round) {
    for (const TemplateGate& gate : gates) {
      const std::uint32_t own = 1U << gate.qubits[0] | 1U << gate.qubits[1];
      if ((reached & own) != 0) reached |= own;
    }
  }
  return reached == (1U << qubits) - 1;
}

}  // namespace

std::vector<std::size_t> generic_sequence(std::uint32_t qubits,
                                          std::span<const TemplateGate> gates) {
  if (!connects(qubits, gates)) return {};
  std::vector<std::size_t> added;
  for (const TemplateGate& gate : gates) added.push_back(parameters_of(gate));
  if (std::ranges::find(added, std::size_t{0}) != added.end()) return {};
  const std::size_t needed = (std::size_t{1} << (2 * qubits)) - 1;
  std::vector<std::size_t> sequence;
  for (std::size_t parameters = std::size_t{3} * qubits; parameters < needed;) {
    const std::size_t next = sequence.size() % gates.size();
    sequence.push_back(next);
    parameters += added[next];
  }
  return sequence;
}

}  // namespace quartz::optimizer
