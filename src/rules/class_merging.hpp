#pragma once

#include <vector>

#include "rules/word_class.hpp"

namespace quartz::rules::words {

/// Merges classes that share a circuit after qubits and parameters are relabelled; then numbers all
/// classes canonically and sorts them. The circuits of both classes are kept: RepGen lists
/// different circuits in a relabelled class, because the order that selects representatives is not
/// invariant under relabelling. The labels must be closed under renaming.
///
/// If a circuit has symmetries there are several ways to merge, and the one chosen depends on the
/// order: each class, from the first to the last, is merged into earlier ones. Only classes linked
/// by shared circuits, about a dozen, affect each other, and such families are merged on all
/// threads.
void merge_relabelled(std::vector<WordClass>& classes, const GateLabels& labels, unsigned threads);

}  // namespace quartz::rules::words
