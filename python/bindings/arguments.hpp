#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

/// Keyword arguments of functions of the package, as a dictionary. An argument of another type is a
/// TypeError, and one that is out of range a UsageError. The message names the argument, what is
/// expected and what was found: "optimize(): time is a number of seconds, 0 or more, not '5s'".
namespace quartz::python {

/// What the functions below throw for a value that is out of range; assign_arguments() writes the
/// message.
struct OutOfRange {};

[[nodiscard]] inline std::string text_from(nanobind::handle value) {
  return nanobind::cast<std::string>(value);
}

[[nodiscard]] inline std::filesystem::path path_from(nanobind::handle value) {
  return nanobind::cast<std::filesystem::path>(value);
}

[[nodiscard]] inline bool truth_from(nanobind::handle value) { return nanobind::cast<bool>(value); }

/// Returns a number, but not a truth value.
[[nodiscard]] inline double number_from(nanobind::handle value) {
  if (nanobind::isinstance<nanobind::bool_>(value)) throw nanobind::cast_error();
  return nanobind::cast<double>(value);
}

/// Returns a finite number that is 0 or more.
[[nodiscard]] inline double magnitude_from(nanobind::handle value) {
  const double number = number_from(value);
  if (!(number >= 0) || !std::isfinite(number)) throw OutOfRange();
  return number;
}

/// Returns a finite number that is more than 0.
[[nodiscard]] inline double positive_from(nanobind::handle value) {
  const double number = magnitude_from(value);
  if (number == 0) throw OutOfRange();
  return number;
}

/// Returns a whole number from `least` to `greatest`. Whole numbers of NumPy are whole numbers, and
/// truth values are not.
template <typename Number = std::uint64_t>
[[nodiscard]] Number whole_number_from(nanobind::handle value, Number least = 0,
                                       Number greatest = std::numeric_limits<Number>::max()) {
  if (nanobind::isinstance<nanobind::bool_>(value)) throw nanobind::cast_error();
  const auto number = nanobind::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) {
    PyErr_Clear();
    throw nanobind::cast_error();
  }
  std::uint64_t result = 0;
  if (!nanobind::try_cast(number, result) || result < least || result > greatest) {
    throw OutOfRange();
  }
  return static_cast<Number>(result);
}

static_assert(kMaxThreads == 1024);
inline constexpr const char* kThreadsExpected =
    "a number of threads from 0 to 1024, where 0 means all cores";
[[nodiscard]] inline unsigned threads_from(nanobind::handle value) {
  return whole_number_from<unsigned>(value, 0, kMaxThreads);
}

inline constexpr const char* kSeedExpected = "a whole number of up to 64 bits, 0 or more";
inline constexpr const char* kSecondsExpected = "a number of seconds, 0 or more";
inline constexpr const char* kMemoryExpected = "a number of bytes above 0";

/// A keyword argument of a function whose library has these options.
template <typename Options>
struct Argument {
  const char* name;
  const char* expected;  ///< what it is, after "is": "a number of seconds, 0 or more"
  void (*assign)(Options& options, nanobind::handle value);
};

[[nodiscard]] inline std::string message_about(const char* function, const char* name,
                                               const char* expected, nanobind::handle value) {
  return std::string(function) + "(): " + name + " is " + expected + ", not " +
         nanobind::cast<std::string>(nanobind::repr(value));
}

/// Calls `set` with the value of an argument, and throws the errors described above.
template <typename Set>
void assign_argument(const char* function, const char* name, const char* expected,
                     nanobind::handle value, const Set& set) {
  try {
    set(value);
  } catch (const nanobind::cast_error&) {
    throw nanobind::type_error(message_about(function, name, expected, value).c_str());
  } catch (const OutOfRange&) {
    throw UsageError(message_about(function, name, expected, value));
  } catch (const UsageError& error) {
    throw UsageError(std::string(function) + "(): " + name + ": " + error.what());
  }
}

/// Assigns the values of a dictionary to the options. All its keys must be in the list.
template <typename Options>
void assign_arguments(const char* function, std::span<const Argument<Options>> list,
                      Options& options, const nanobind::dict& values) {
  std::size_t found = 0;
  for (const Argument<Options>& argument : list) {
    if (!values.contains(argument.name)) continue;
    assign_argument(function, argument.name, argument.expected, values[argument.name],
                    [&](nanobind::handle value) { argument.assign(options, value); });
    ++found;
  }
  ensure(found == values.size(), "every argument is in the list");
}

}  // namespace quartz::python
