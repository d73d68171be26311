#pragma once

#include <regex>
#include <string>

#include "quartz/errors.hpp"

namespace quartz::test {

/// "t.json:3:14: what" as "t.json: what": most messages are tested for what they say.
inline std::string without_place(const std::string& message) {
  static const std::regex place("^([^:]*):\\d+:\\d+:");
  return std::regex_replace(message, place, "$1:");
}

/// What the InputError says that something ends in.
template <typename Action>
std::string input_error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

}  // namespace quartz::test
