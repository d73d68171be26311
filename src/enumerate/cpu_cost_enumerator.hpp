#pragma once

#include <memory>

#include "enumerate/class_table.hpp"
#include "fingerprint/cost_enumerator.hpp"

namespace quartz {

/// On all threads of this machine. Alphabet and probe must live as long.
[[nodiscard]] std::unique_ptr<CostEnumerator> make_cpu_cost_enumerator(
    const TableAlphabet& alphabet, const TableProbe& probe, unsigned threads,
    CostEnumeratorOptions options);

}  // namespace quartz
