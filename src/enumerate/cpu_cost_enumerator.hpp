#pragma once

#include <memory>

#include "enumerate/class_table.hpp"
#include "fingerprint/cost_enumerator.hpp"

namespace quartz {

/// Makes an enumerator that uses `threads` threads. The alphabet and the probe must outlive it.
[[nodiscard]] std::unique_ptr<CostEnumerator> make_cpu_cost_enumerator(
    const TableAlphabet& alphabet, const TableProbe& probe, unsigned threads,
    CostEnumeratorOptions options);

}  // namespace quartz
