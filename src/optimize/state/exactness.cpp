#include "quartz/optimize/exactness.hpp"

#include <array>
#include <string_view>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/nearest_name.hpp"

namespace quartz {
namespace {

constexpr std::array kExactnessNames = {
    ExactnessName{Exactness::keep, "keep", "decimals only where the circuit had decimals"},
    ExactnessName{Exactness::exact, "exact", "only multiples of pi/4, which can be proved"},
    ExactnessName{Exactness::numeric, "numeric", "also decimals, where they cost less"},
};

}  // namespace

std::span<const ExactnessName> exactness_names() { return kExactnessNames; }

Exactness find_exactness(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ExactnessName& row : kExactnessNames) {
    if (row.name == name) return row.exactness;
    names.push_back(row.name);
  }
  throw UsageError(unknown_name_message("exactness", name, "known", names));
}

}  // namespace quartz
