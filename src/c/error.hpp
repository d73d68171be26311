#pragma once

#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/quartz.h"

/// Why a call failed.
struct quartz_error {
  quartz_status status = QUARTZ_INTERNAL_ERROR;
  std::string message;
  quartz::SourceLocation location = {};
};

namespace quartz::c {

/// Describes the exception that is being handled in `*error`, unless `error` is null, and returns
/// its status. Call in a catch block.
[[nodiscard]] quartz_status report_exception(quartz_error** error) noexcept;

/// Calls the body of a C function, and turns what it throws into a status and an error.
template <typename Body>
[[nodiscard]] quartz_status guarded(quartz_error** error, const Body& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    body();
    return QUARTZ_OK;
  } catch (...) {
    return report_exception(error);
  }
}

/// Returns what an argument points to. Throws UsageError, which names the argument, for null.
template <typename T>
[[nodiscard]] T& required(T* argument, const char* name) {
  if (argument == nullptr) throw UsageError(std::string(name) + " is NULL");
  return *argument;
}

/// Returns a string argument. Throws UsageError, which names the argument, for null.
[[nodiscard]] inline std::string required_text(const char* argument, const char* name) {
  return &required(argument, name);
}

/// Returns an output argument, of which the target is set to null first.
template <typename T>
[[nodiscard]] T*& required_output(T** argument, const char* name) {
  T*& output = required(argument, name);
  output = nullptr;
  return output;
}

}  // namespace quartz::c
