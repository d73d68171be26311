#include "optimize/search/search_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
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
  throw UsageError(unknown_name_message("search", name, "known searches", known));
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

struct NamedSearch {
  std::string_view name;
  optimizer::SearchPointer search;
};

std::vector<NamedSearch> make_searches(std::string_view names, const optimizer::Problem& problem) {
  std::vector<NamedSearch> searches;
  for (const std::size_t index : indices_of(names)) {
    searches.push_back({kNames.at(index).name, kMakers.at(index)(problem)});
  }
  return searches;
}

/// Throws UsageError if one of the searches does not apply to the problem, and says why.
void require_applicable(std::span<const NamedSearch> searches, const optimizer::Problem& problem) {
  for (const NamedSearch& each : searches) {
    const std::optional<std::string> obstacle = each.search->obstacle(problem);
    if (!obstacle) continue;
    throw UsageError("the search '" + std::string(each.name) +
                     "' cannot be used here: " + *obstacle);
  }
}

/// Returns the sequence of searches, in which each of them that takes time gets an equal part of
/// the budget. Each of them is run on the bodies first.
optimizer::SearchPointer in_equal_shares(std::span<const NamedSearch> searches) {
  std::vector<optimizer::Part> parts;
  for (const NamedSearch& each : searches) {
    parts.push_back({std::make_shared<optimizer::BodiesFirst>(each.search),
                     1 / static_cast<double>(searches.size())});
  }
  if (parts.size() == 1) return parts.front().search;
  return std::make_shared<optimizer::Sequence>(std::move(parts));
}

}  // namespace

std::span<const SearchName> search_names() { return kNames; }

void require_search(std::string_view names) { (void)indices_of(names); }

optimizer::SearchPointer optimizer::make_search(const OptimizeOptions& options, bool has_budget,
                                                const optimizer::Problem& problem) {
  std::vector<NamedSearch> searches = make_searches(options.search, problem);
  if (!has_budget) {
    std::erase_if(searches, [](const NamedSearch& each) { return !each.search->is_bounded(); });
    if (searches.empty()) searches = make_searches("fold", problem);
  }
  if (!options.continues) require_applicable(searches, problem);
  return in_equal_shares(searches);
}

}  // namespace quartz
