#include "certify/problem/delay_name.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "algebra/exact_radians.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr std::string_view kDelayPrefix = "delay[";

/// A time unit of OpenQASM 3 in nanoseconds. dt, the device's time step, is not one of them.
struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr std::array kUnits{Unit{"ns", 1},          Unit{"us", 1'000},
                            Unit{"\u00b5s", 1'000}, Unit{"\u03bcs", 1'000},
                            Unit{"ms", 1'000'000},  Unit{"s", 1'000'000'000}};

}  // namespace

std::string comparable_name(const ClassicalPart& part) {
  const std::string& opaque_name = part.opaque_name;
  const bool is_delay = part.opaque_kind == OpaqueKind::delay &&
                        opaque_name.starts_with(kDelayPrefix) && opaque_name.ends_with("]");
  if (!is_delay) return opaque_name;
  std::string_view duration = opaque_name;
  duration.remove_prefix(kDelayPrefix.size());
  duration.remove_suffix(1);
  const std::size_t end_of_number = duration.find_last_of("0123456789.") + 1;
  std::string_view unit_name = duration.substr(end_of_number);
  while (unit_name.starts_with(' ')) unit_name.remove_prefix(1);
  for (const Unit& unit : kUnits) {
    if (unit.name != unit_name) continue;
    try {
      const Angle number = Angle::decimal(duration.substr(0, end_of_number));
      return fmt::format("delay[{} ns]", (algebra::exact_radians(number) * unit.nanoseconds).str());
    } catch (const InputError&) {
      return opaque_name;  // the duration is an expression
    }
  }
  return opaque_name;
}

}  // namespace quartz::certify
