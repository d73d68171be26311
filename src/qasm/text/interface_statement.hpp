#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

/// The statements that declare inputs and outputs of programs.
namespace quartz::qasm {

/// Returns the statement that declares an input of type bool, which has a register of one bit.
[[nodiscard]] inline std::string input_statement(std::string_view name) {
  return fmt::format("input bool {};", name);
}
/// Returns the statement that declares a register of bits as an output.
[[nodiscard]] inline std::string output_statement(std::string_view name, std::uint32_t size) {
  return fmt::format("output bit[{}] {};", size, name);
}

}  // namespace quartz::qasm
