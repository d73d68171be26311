#include "quartz/optimize/exactness.hpp"

#include <array>
#include <string>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

constexpr std::array kExactnessNames = {
    ExactnessName{Exactness::keep, "keep", "decimals only in place of decimals"},
    ExactnessName{Exactness::exact, "exact", "only multiples of pi/4, which can be proved"},
    ExactnessName{Exactness::numeric, "numeric", "decimals if they cost less"},
};

}  // namespace

std::span<const ExactnessName> exactness_names() { return kExactnessNames; }

Exactness find_exactness(std::string_view name) {
  std::string known;
  for (const ExactnessName& row : kExactnessNames) {
    if (row.name == name) return row.exactness;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw UsageError("unknown exactness '" + std::string(name) + "'; known: " + known);
}

}  // namespace quartz
