#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/leb128.hpp"
#include "quartz/base/errors.hpp"

/// Messages between processes of one program, as sequences of numbers and texts.
namespace quartz::optimizer {

class MessageWriter {
 public:
  void number(std::uint64_t number) { append_leb128(bytes_, number); }
  void flag(bool flag) { bytes_.push_back(flag ? '\1' : '\0'); }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  [[nodiscard]] std::string take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what a MessageWriter wrote. Throws Error if there is less, or something else.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename Number = std::uint64_t>
  [[nodiscard]] Number number() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      result |= std::uint64_t{next & 0x7fU} << shift;
      if (next >= 0x80U) continue;
      if (result > std::numeric_limits<Number>::max()) fail();
      return static_cast<Number>(result);
    }
    fail();
  }
  /// Reads a number of elements, each of which has at least one byte.
  [[nodiscard]] std::size_t count() {
    const auto result = number<std::size_t>();
    if (result > bytes_.size()) fail();
    return result;
  }
  [[nodiscard]] bool flag() { return byte() != 0; }
  [[nodiscard]] std::string_view text() {
    const std::size_t size = count();
    const std::string_view result = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return result;
  }
  void require_end() const {
    if (!bytes_.empty()) fail();
  }
  [[noreturn]] static void fail() { throw Error("a message of another process is damaged"); }

 private:
  [[nodiscard]] std::uint8_t byte() {
    if (bytes_.empty()) fail();
    const auto result = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return result;
  }

  std::string_view bytes_;
};

}  // namespace quartz::optimizer
