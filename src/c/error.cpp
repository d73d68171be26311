#include "c/error.hpp"

#include <memory>
#include <new>
#include <utility>

namespace quartz::c {
namespace {

/// Returns the error that is reported if there is no memory for another one. The caller owns it
/// like any other, but quartz_error_free does not free it.
quartz_error* out_of_memory() noexcept {
  // The message is short enough to be part of the string object.
  static quartz_error error{QUARTZ_OUT_OF_MEMORY, "out of memory"};
  return &error;
}

/// Returns the description of the exception that is being handled.
quartz_error describe_exception() {
  try {
    throw;
  } catch (const UsageError& error) {
    return {QUARTZ_USAGE_ERROR, error.what()};
  } catch (const InputError& error) {
    return {QUARTZ_INPUT_ERROR, error.what(), error.location()};
  } catch (const Stopped& error) {
    return {QUARTZ_STOPPED, error.what()};
  } catch (const Unverified& error) {
    return {QUARTZ_UNVERIFIED, error.what()};
  } catch (const std::bad_alloc&) {
    return {QUARTZ_OUT_OF_MEMORY, "out of memory"};
  } catch (const std::exception& error) {
    return {QUARTZ_INTERNAL_ERROR, error.what()};
  } catch (...) {
    return {QUARTZ_INTERNAL_ERROR, "an exception of an unknown type"};
  }
}

}  // namespace

quartz_status report_exception(quartz_error** error) noexcept {
  try {
    quartz_error described = describe_exception();
    const quartz_status status = described.status;
    if (error == nullptr) return status;
    *error =
        status == QUARTZ_OUT_OF_MEMORY ? out_of_memory() : new quartz_error(std::move(described));
    return status;
  } catch (...) {
    // There is no memory for the description.
    if (error != nullptr) *error = out_of_memory();
    return QUARTZ_OUT_OF_MEMORY;
  }
}

}  // namespace quartz::c

const char* quartz_version(void) noexcept { return QUARTZ_VERSION; }

void quartz_string_free(char* text) noexcept { delete[] text; }

const char* quartz_error_message(const quartz_error* error) noexcept {
  return error == nullptr ? nullptr : error->message.c_str();
}

quartz_status quartz_error_status(const quartz_error* error) noexcept {
  return error == nullptr ? QUARTZ_INTERNAL_ERROR : error->status;
}

const char* quartz_error_file(const quartz_error* error) noexcept {
  return error == nullptr ? nullptr : error->location.file.c_str();
}

size_t quartz_error_line(const quartz_error* error) noexcept {
  return error == nullptr ? 0 : error->location.line;
}

size_t quartz_error_column(const quartz_error* error) noexcept {
  return error == nullptr ? 0 : error->location.column;
}

void quartz_error_free(quartz_error* error) noexcept {
  if (error != quartz::c::out_of_memory()) delete error;
}
