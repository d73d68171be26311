#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace quartz::flips {

/// Most elements of a basis whose linear forms are words.
inline constexpr std::size_t kMaxWordDimension = 64;

/// A product of three linear forms on up to 64 bits, as words.
using WordProduct = std::array<std::uint64_t, 3>;

/// Which flips a search makes.
enum class FlipKind {
  /// a b x + a c y = a (b + c) x + a c (x + y), where a is the same form of both products. There
  /// are three slots of forms, spaces whose sum is direct, and the forms of each product are in the
  /// order of the slots. Flips preserve this order.
  kGraded,
  /// This kind makes the same flips for any form a in the spans of both products, and any bases of
  /// the spans.
  kUngraded,
};

}  // namespace quartz::flips
