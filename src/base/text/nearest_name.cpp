#include "quartz/base/nearest_name.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace quartz {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kMaxNameLength = 64;
  if (word.size() > kMaxNameLength) return {};
  for (const std::string_view candidate : candidates) {
    if (equal_but_for_case(word, candidate)) return candidate;
  }
  // The limit excludes single letters, which are near to everything, and permits one edit in a
  // short name and two in a longer name.
  std::size_t best = word.size() <= 1 ? 1 : word.size() <= 4 ? 2 : 3;
  std::string_view nearest;
  const auto rank = [&](std::string_view candidate) {  // decides between equally near names
    return std::pair(candidate.front() != word.front(), candidate);
  };
  for (const std::string_view candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) > best) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best ||
        (distance == best && !nearest.empty() && rank(candidate) < rank(nearest))) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view nearest = nearest_name(word, candidates);
  return nearest.empty() ? "" : " (did you mean '" + std::string(nearest) + "'?)";
}

std::string unknown_name_message(std::string_view kind, std::string_view word,
                                 std::string_view known,
                                 std::span<const std::string_view> candidates) {
  return fmt::format("unknown {} '{}'{}; {}: {}", kind, word, did_you_mean(word, candidates), known,
                     fmt::join(candidates, ", "));
}

}  // namespace quartz
