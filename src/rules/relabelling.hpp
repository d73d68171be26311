#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "rules/word.hpp"

namespace quartz::words {

/// The canonical name of parameter i.
[[nodiscard]] inline std::string parameter_name(std::size_t i) { return "p" + std::to_string(i); }

/// Calls visit(map) for every way to number the qubits of the mask 0, 1, ... without a gap. Qubits
/// that are not in the mask go to the numbers that follow, in rising order.
template <typename Visit>
void for_each_qubit_map(QubitMask used, Visit&& visit) {
  const auto count = static_cast<std::size_t>(std::popcount(used));
  std::vector<std::uint8_t> image(count);
  std::iota(image.begin(), image.end(), std::uint8_t{0});
  do {
    QubitMap map(64);
    std::size_t next = 0;
    auto next_unused = static_cast<std::uint8_t>(count);
    for (std::size_t qubit = 0; qubit < map.size(); ++qubit) {
      map[qubit] = (used >> qubit & 1U) != 0 ? image[next++] : next_unused++;
    }
    visit(map);
  } while (std::next_permutation(image.begin(), image.end()));
}

/// The same for parameters; the substitution is empty where every parameter keeps its name.
template <typename Visit>
void for_each_renaming(const std::vector<std::string>& names, Visit&& visit) {
  std::vector<std::size_t> image(names.size());
  std::iota(image.begin(), image.end(), std::size_t{0});
  do {
    Substitution substitution;
    bool same = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = parameter_name(image[i]);
      same = same && name == names[i];
      substitution.emplace(names[i], Angle::symbol(name));
    }
    if (same) substitution.clear();
    visit(substitution);
  } while (std::next_permutation(image.begin(), image.end()));
}

/// Both at once.
template <typename Visit>
void for_each_relabelling(QubitMask used, const std::vector<std::string>& names, Visit&& visit) {
  for_each_qubit_map(used, [&](const QubitMap& map) {
    for_each_renaming(names, [&](const Substitution& substitution) { visit(map, substitution); });
  });
}

}  // namespace quartz::words
