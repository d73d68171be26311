#pragma once

#include <optional>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

/// Returns the optional that `make` returns, or nothing if what it makes cannot be expressed: a
/// gate set lacks a gate, or the exact sum of some angles does not fit 64 bits.
template <class Make>
[[nodiscard]] auto if_expressible(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const OverflowError&) {
    return std::nullopt;
  }
}

}  // namespace quartz::optimizer
