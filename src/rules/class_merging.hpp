#pragma once

#include <vector>

#include "rules/word_class.hpp"

namespace quartz::words {

/// Classes that share a circuit after qubits and parameters are relabelled become one; all are
/// numbered canonically and come in order. The circuits of both are kept: RepGen lists other
/// circuits in a relabelled class, as the order that decides on representatives is no symmetric
/// one. The labels must be closed under renaming.
///
/// Where a circuit has symmetries there are several ways to merge, and what is taken depends on the
/// order: each class, from the first to the last, goes into those before it. Only classes that are
/// linked by shared circuits have to do with each other, a dozen or so, and such families are
/// merged on all threads.
void merge_relabelled(std::vector<WordClass>& classes, const LabelTable& labels, unsigned threads);

}  // namespace quartz::words
