#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace quartz::differential {

/// What one run of an experiment takes: programs, and options by name.
struct Case {
  std::map<std::string, std::string> options;
  std::vector<Program> programs;
  friend bool operator==(const Case&, const Case&) = default;
};

/// Writes a case as one file: the options as comments, then the programs one after the other.
[[nodiscard]] std::string write_case(const Case& written);
/// Reads what write_case wrote. Throws std::runtime_error for anything else.
[[nodiscard]] Case read_case(const std::string& text);

/// Makes a case smaller while it stays interesting (delta debugging: A. Zeller, R. Hildebrandt,
/// Simplifying and isolating failure-inducing input, 2002): leaves out statements, conditions,
/// qubits, bits, parameters, definitions and options, and replaces angles by simple ones.
[[nodiscard]] Case shrink(Case large, const std::function<bool(const Case&)>& is_interesting);

}  // namespace quartz::differential
