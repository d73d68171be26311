#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "enumerate/progress_report.hpp"
#include "quartz/verify/prover.hpp"

namespace quartz::enumerate {

using ProverFactory = std::function<std::unique_ptr<Prover>()>;

/// A number of claims to be proved.
struct ProofWork {
  std::size_t count = 0;
  unsigned threads = 1;
  ProgressReport& progress;
  std::stop_token stop;
};

/// Calls prove(prover, i) for each i below the count, on all threads; each thread has its own
/// prover. Returns the prover's name. Throws Stopped once a stop is requested, and whatever `prove`
/// throws.
std::string prove_all(const ProofWork& work, const ProverFactory& make_prover,
                      const std::function<void(Prover&, std::size_t)>& prove);

}  // namespace quartz::enumerate
