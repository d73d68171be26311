#pragma once

#include <memory>

#include "classes/backend/cost_enumerator.hpp"
#include "classes/letters/table_alphabet.hpp"

namespace quartz::classes {

/// Makes an enumerator that uses `threads` threads. The alphabet and the probe must outlive it.
[[nodiscard]] std::unique_ptr<CostEnumerator> make_cpu_cost_enumerator(
    const TableAlphabet& alphabet, const TableProbe& probe, unsigned threads,
    CostEnumeratorOptions options);

}  // namespace quartz::classes
