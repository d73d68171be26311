#include "optimize/search/search_list.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "optimize/search/combinators.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/nearest_name.hpp"

namespace quartz {
namespace {

constexpr std::array kNames = {
#define QUARTZ_SEARCH(name, description) SearchName{#name, description},
#include "optimize/search/searches.inc"
#undef QUARTZ_SEARCH
};

constexpr std::array<optimizer::MakeSearch, kNames.size()> kMakers = {
#define QUARTZ_SEARCH(name, description) &optimizer::make_##name##_search,
#include "optimize/search/searches.inc"
#undef QUARTZ_SEARCH
};

std::size_t index_of(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &SearchName::name);
  if (found != kNames.end()) return static_cast<std::size_t>(found - kNames.begin());
  std::vector<std::string_view> known;
  for (const SearchName& search : kNames) known.push_back(search.name);
  std::string message = "unknown search '" + std::string(name) + "'" + did_you_mean(name, known) +
                        "; known searches:";
  for (const std::string_view each : known) {
    message += (each == known.front() ? " " : ", ") + std::string(each);
  }
  throw UsageError(message);
}

/// Returns the indices of comma-separated names.
std::vector<std::size_t> indices_of(std::string_view names) {
  std::vector<std::size_t> indices;
  for (;;) {
    const std::size_t comma = names.find(',');
    indices.push_back(index_of(names.substr(0, comma)));
    if (comma == std::string_view::npos) return indices;
    names.remove_prefix(comma + 1);
  }
}

}  // namespace

std::span<const SearchName> search_names() { return kNames; }

void require_search(std::string_view names) { (void)indices_of(names); }

optimizer::SearchPointer optimizer::make_search(std::string_view names,
                                                const optimizer::Problem& problem) {
  const std::vector<std::size_t> indices = indices_of(names);
  if (indices.size() == 1) return kMakers[indices[0]](problem);
  std::vector<optimizer::Part> parts;
  for (const std::size_t index : indices) {
    parts.push_back({kMakers[index](problem), 1 / static_cast<double>(indices.size())});
  }
  return std::make_shared<optimizer::Sequence>(std::move(parts));
}

}  // namespace quartz
