#pragma once

#include <cstddef>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "rules/word.hpp"

namespace quartz::rules::words {

/// Calls body(i, labels) for all i below count on several threads. Each thread has its own copy of
/// the labels, in which existing labels keep their numbers. Results must not contain letters, as
/// the labels that a thread creates depend on what it did before.
template <typename Body>
void for_each_labelled(unsigned threads, const GateLabels& labels, std::size_t count, Body&& body) {
  constexpr std::size_t kGrain = 64;
  std::vector<GateLabels> own(threads, labels);
  parallel_for(threads, count, kGrain, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i, own[worker]);
  });
}

/// Like for_each_labelled, for results that contain letters: body must not create labels.
template <typename Body>
void for_each_within_labels(unsigned threads, const GateLabels& labels, std::size_t count,
                            Body&& body) {
  for_each_labelled(threads, labels, count, [&](std::size_t i, GateLabels& own) {
    body(i, own);
    ensure(own.size() == labels.size(), "all labels that are needed have a number");
  });
}

}  // namespace quartz::rules::words
