#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

/// The few exception types that leave the library. Every message is one full sentence fragment
/// without a trailing newline: what was found, what was expected, and where.
namespace quartz {

/// A place in a text file. Lines and columns count from 1; 0 means "not known".
struct SourceLocation {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;

  /// "file:line:column", leaving out the parts that are not known.
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

/// The caller asked for something that makes no sense (an unknown option value). Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A file or a circuit that is broken, unknown, truncated or unreadable. Exit code 3.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message) {}
  InputError(const SourceLocation& where, const std::string& message)
      : Error(where.to_string() + ": " + message), location_(where) {}

  [[nodiscard]] const SourceLocation& location() const noexcept { return location_; }

 private:
  SourceLocation location_;
};

/// Exact arithmetic ran out of its 64 bits. Callers that merge angles leave them unmerged instead.
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

/// One of our own checks failed: a bug in this library, never the user's fault. Exit code 1.
class InternalError : public Error {
 public:
  using Error::Error;
};

/// Guards a result; stays on in release builds, unlike assert.
inline void ensure(bool condition, const char* what) {
  if (!condition) throw InternalError(std::string("internal check failed: ") + what);
}

}  // namespace quartz
