#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <vector>

#include "rules/word.hpp"

namespace quartz::rules::words {

/// Calls visit(map) for every numbering of the qubits in the mask by 0, 1, ... without gaps. Qubits
/// that are not in the mask get the following numbers, in ascending order.
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

/// A numbering of qubits and parameters. Refers to data of the table of labels that created it.
struct Relabelling {
  const QubitMap* map = nullptr;
  Renaming* renaming = nullptr;
};
using Relabellings = std::vector<Relabelling>;

/// Returns every numbering of these qubits and parameters. The first one leaves names that are
/// already 0, 1, ... unchanged.
[[nodiscard]] Relabellings relabellings(QubitMask used, ParameterMask parameters,
                                        GateLabels& labels);
[[nodiscard]] Word relabelled(std::span<const Letter> word, const Relabelling& relabelling,
                              GateLabels& labels);

/// Returns the least of the words' forms under these relabellings, and keeps in the list only those
/// relabellings that give it for at least one word. All words must have the same length.
///
/// A form is built letter by letter and abandoned as soon as it exceeds the least form, so most
/// relabellings cost no more than one or two letters.
Word keep_least(std::span<const Word* const> words, Relabellings& candidates, GateLabels& labels);
Word keep_least(const Word& word, Relabellings& candidates, GateLabels& labels);

/// A circuit's least form under relabelling, and the first relabelling that gives it.
struct CanonicalCircuit {
  Word key;
  Relabelling relabelling;
};
[[nodiscard]] CanonicalCircuit canonical_circuit(const Word& word, GateLabels& labels);

/// Returns the least of the pair's forms under all relabellings of qubits and parameters and in
/// either order: two pairs have the same key if and only if they are the same equality.
[[nodiscard]] Word pair_key(const Word& a, const Word& b, GateLabels& labels);

}  // namespace quartz::rules::words
