#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
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

/// One way to number qubits and parameters. Belongs to the table of labels that it is from.
struct Relabelling {
  const QubitMap* map = nullptr;
  Renaming* renaming = nullptr;
};
using Relabellings = std::vector<Relabelling>;

/// Every way to number these qubits and parameters. The first one leaves what is numbered 0, 1, ...
/// already as it is.
[[nodiscard]] Relabellings relabellings(QubitMask used, ParameterMask parameters,
                                        LabelTable& labels);
[[nodiscard]] Word relabelled(std::span<const Letter> word, const Relabelling& relabelling,
                              LabelTable& labels);

/// The least of the words' forms under these relabellings; leaves those in the list that lead to
/// it, of one of the words at least. All words have one length.
///
/// A form is made letter by letter and given up with the first one that is greater than the least
/// form's, so most relabellings cost no more than a letter or two.
Word keep_least(std::span<const Word* const> words, Relabellings& candidates, LabelTable& labels);
Word keep_least(const Word& word, Relabellings& candidates, LabelTable& labels);

/// A circuit's least form under relabelling, and the first relabelling that gives it.
struct CanonicalCircuit {
  Word key;
  Relabelling relabelling;
};
[[nodiscard]] CanonicalCircuit canonical_circuit(const Word& word, LabelTable& labels);

/// The least of the pair's forms under all relabellings of qubits and parameters and in either
/// order: two pairs have one key if and only if they are the same equality.
[[nodiscard]] Word pair_key(const Word& a, const Word& b, LabelTable& labels);

}  // namespace quartz::words
