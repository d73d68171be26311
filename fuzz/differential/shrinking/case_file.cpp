#include <sstream>
#include <stdexcept>

#include "shrinking/shrink.hpp"

namespace quartz::differential {
namespace {

constexpr std::string_view option_mark = "//: ";
constexpr std::string_view program_mark = "//: program";

}  // namespace

std::string write_case(const Case& written) {
  std::string text;
  for (const auto& [name, value] : written.options) {
    text += std::string(option_mark) + name + " = " + value + '\n';
  }
  for (const Program& program : written.programs) {
    text += std::string(program_mark) + '\n' + write_program(program);
  }
  return text;
}

Case read_case(const std::string& text) {
  Case read;
  std::istringstream lines(text);
  std::vector<std::string> programs;
  for (std::string line; std::getline(lines, line);) {
    if (line == program_mark) {
      programs.emplace_back();
    } else if (programs.empty()) {
      const std::size_t equals = line.find(" = ");
      if (!line.starts_with(option_mark) || equals == std::string::npos) {
        throw std::runtime_error("expected an option instead of '" + line + "'");
      }
      read.options[line.substr(option_mark.size(), equals - option_mark.size())] =
          line.substr(equals + 3);
    } else {
      programs.back() += line + '\n';
    }
  }
  for (const std::string& program : programs) read.programs.push_back(read_program(program));
  return read;
}

}  // namespace quartz::differential
