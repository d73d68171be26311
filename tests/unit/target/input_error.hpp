#pragma once

#include <regex>
#include <string>

#include "quartz/base/errors.hpp"

namespace quartz::test {

/// Shortens "t.json:3:14: what" to "t.json: what", for tests of messages that do not depend on the
/// location.
inline std::string without_place(const std::string& message) {
  static const std::regex place("^([^:]*):\\d+:\\d+:");
  return std::regex_replace(message, place, "$1:");
}

/// Returns the message of the InputError that the action throws; "no InputError" if it does not
/// throw one.
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
