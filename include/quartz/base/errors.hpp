#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

/// The exception types that leave the library. Every message is one sentence without a full stop or
/// trailing newline: what was found, what was expected, and where.
namespace quartz {

/// A location in a text file. Lines and columns count from 1; 0 means "not known".
struct SourceLocation {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;

  /// Returns "file:line:column" without the parts that are not known.
  [[nodiscard]] std::string to_string() const {
    std::string text = file;
    if (line != 0) text += ":" + std::to_string(line);
    if (line != 0 && column != 0) text += ":" + std::to_string(column);
    return text;
  }
};

/// Base of everything that the library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller made an invalid request, such as an unknown option value. Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A file or a circuit is malformed, unsupported, truncated or unreadable. Exit code 3.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message) {}
  InputError(const SourceLocation& where, const std::string& message)
      : Error(where.to_string() + ": " + message), location_(where) {}

  /// Returns the location of the error; its file is empty if the error has no location.
  [[nodiscard]] const SourceLocation& location() const noexcept { return location_; }

 private:
  SourceLocation location_;
};

/// Exact arithmetic needs more than its 64 bits. Callers that merge angles leave them unmerged
/// instead.
class OverflowError : public Error {
 public:
  using Error::Error;
};

/// The caller requested a stop, and there is no result. Exit code 4.
class Stopped : public Error {
 public:
  using Error::Error;
};

/// A check was required and could not decide. Exit code 12.
class Unverified : public Error {
 public:
  using Error::Error;
};

/// An internal check failed: a bug in this library, never the user's fault. Exit code 1.
class InternalError : public Error {
 public:
  using Error::Error;
};

/// Throws InternalError unless the condition holds. Guards results, and unlike assert stays active
/// in release builds.
inline void ensure(bool condition, const char* what) {
  if (!condition) throw InternalError(std::string("internal check failed: ") + what);
}

}  // namespace quartz
