#include "qasm/text/bits_text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::qasm {

std::string bits_text(const Circuit& circuit, std::span<const ClassicalBit> bits) {
  const auto in = std::find_if(
      circuit.bit_registers.begin(), circuit.bit_registers.end(), [&](const Register& each) {
        return std::all_of(bits.begin(), bits.end(), [&](ClassicalBit bit) {
          return bit >= each.first && bit - each.first < each.size;
        });
      });
  if (in == circuit.bit_registers.end() || bits.empty()) {
    throw UsageError("an operand consists of bits of several registers");
  }
  std::vector<std::uint32_t> elements;
  for (const ClassicalBit bit : bits) elements.push_back(bit - in->first);
  if (elements.size() == 1) return fmt::format("{}[{}]", in->name, elements[0]);
  const bool is_range = std::adjacent_find(elements.begin(), elements.end(), [](auto a, auto b) {
                          return b != a + 1;
                        }) == elements.end();
  if (is_range && elements.size() == in->size) return in->name;
  if (is_range) return fmt::format("{}[{}:{}]", in->name, elements.front(), elements.back());
  return fmt::format("{}[{{{}}}]", in->name, fmt::join(elements, ", "));
}

}  // namespace quartz::qasm
