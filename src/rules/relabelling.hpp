#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "rules/word.hpp"

namespace quartz::words {

/// Calls visit(map) for every way to number the qubits of the mask 0, 1, ... without a gap. Qubits
/// that are not in the mask go to the numbers that follow, in rising order.
template <typename Visit>
void for_each_qubit_map(QubitMask used, Visit&& visit) {
  const auto count = static_cast<std::size_t>(std::popcount(used));
  std::vector<std::uint8_t> image(count);
  std::iota(image.begin(), image.end(), std::uint8_t{0});
  do {
    QubitMap map{};
    std::size_t next = 0;
    auto next_unused = static_cast<std::uint8_t>(count);
    for (std::size_t qubit = 0; qubit < map.size(); ++qubit) {
      map[qubit] = (used >> qubit & 1U) != 0 ? image[next++] : next_unused++;
    }
    visit(map);
  } while (std::next_permutation(image.begin(), image.end()));
}

/// Calls visit(map, renaming) for every way to number these qubits and parameters.
template <typename Visit>
void for_each_relabelling(QubitMask used, ParameterMask parameters, LabelTable& labels,
                          Visit&& visit) {
  const std::span<Renaming> renamings = labels.renamings(parameters);
  for_each_qubit_map(used, [&](const QubitMap& map) {
    for (Renaming& renaming : renamings) visit(map, renaming);
  });
}

}  // namespace quartz::words
