#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// Numbers of any length as bytes: LEB128, seven bits in each byte, the least significant first,
/// and a set high bit in all bytes but the last.
namespace quartz {

/// Most bytes of a number.
inline constexpr std::size_t kMaxLeb128Bytes = 10;

/// Writes a number to memory that has room for it, and returns the place behind it.
inline char* put_leb128(char* place, std::uint64_t number) {
  for (; number >= 0x80U; number >>= 7U) *place++ = static_cast<char>(number | 0x80U);
  *place++ = static_cast<char>(number);
  return place;
}

/// Appends a number.
inline void append_leb128(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80U; number >>= 7U) bytes.push_back(static_cast<char>(number | 0x80U));
  bytes.push_back(static_cast<char>(number));
}

/// Reads a number that one of these functions wrote, and moves the place behind it. For bytes that
/// come from a file, which may be damaged, readers of their own check each byte.
[[nodiscard]] inline std::uint64_t take_leb128(const char*& place) {
  std::uint64_t result = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*place++);
    result |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80U) return result;
  }
}

/// Returns a signed number as an unsigned one that is small if its absolute value is.
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1U ^ static_cast<std::uint64_t>(number >> 63U);
}

/// Returns the number of which this is the zigzag().
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1U ^ (0U - (number & 1U)));
}

}  // namespace quartz
