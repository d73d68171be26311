#pragma once

#include <array>
#include <string>
#include <string_view>

#include "quartz/base/errors.hpp"
#include "quartz/workflow/superoptimize.hpp"

namespace quartz {

/// A value of an option, and its name on the command line, in Python and in C.
template <typename Value>
struct NamedValue {
  std::string_view name;
  Value value;
};

/// THE lists of the values of these options; the first one is the default.
inline constexpr std::array kBarriersValues{NamedValue<Barriers>{"keep", Barriers::keep},
                                            NamedValue<Barriers>{"ignore", Barriers::ignore}};
inline constexpr std::array kQubitOrderValues{NamedValue<QubitOrder>{"keep", QubitOrder::keep},
                                              NamedValue<QubitOrder>{"free", QubitOrder::free}};
inline constexpr std::array kCheckValues{NamedValue<CheckPolicy>{"normal", CheckPolicy::normal},
                                         NamedValue<CheckPolicy>{"required", CheckPolicy::required},
                                         NamedValue<CheckPolicy>{"off", CheckPolicy::off}};
/// Values of ProgramEdges::starts_zero.
inline constexpr std::array kInitialStateValues{NamedValue<bool>{"any", false},
                                                NamedValue<bool>{"zero", true}};
/// Values of ProgramEdges::ends_discarded.
inline constexpr std::array kFinalStateValues{NamedValue<bool>{"kept", false},
                                              NamedValue<bool>{"discarded", true}};

/// Returns the value with this name. Throws UsageError with the list for another name.
template <typename Values>
[[nodiscard]] auto value_named(std::string_view name, const Values& values) {
  std::string known;
  for (const auto& row : values) {
    if (row.name == name) return row.value;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw UsageError("\"" + std::string(name) + "\", expected one of " + known);
}

}  // namespace quartz
