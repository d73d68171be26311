#include "enumerate/proofs.hpp"

#include <atomic>
#include <chrono>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::enumerate {
namespace {

/// Number of claims given to a thread at a time; small, so that all threads end together.
constexpr std::size_t kProofGrain = 8;

}  // namespace

std::string prove_all(const ProofWork& work, const ProverFactory& make_prover,
                      const std::function<void(Prover&, std::size_t)>& prove) {
  std::vector<std::unique_ptr<Prover>> provers(work.threads);
  provers[0] = make_prover();
  std::atomic<std::uint64_t> done = 0;
  const ProgressReport::Clock::time_point start = ProgressReport::Clock::now();
  parallel_for(work.threads, work.count, kProofGrain,
               [&](unsigned worker, std::size_t begin, std::size_t end) {
                 if (!provers[worker]) provers[worker] = make_prover();
                 for (std::size_t i = begin; i < end; ++i) {
                   if (work.stop.stop_requested())
                     throw Stopped("stopped while proving equalities");
                   prove(*provers[worker], i);
                   ++done;
                 }
                 work.progress.update([&](GenerateProgress& progress) {
                   const std::uint64_t now_done = done;
                   const double seconds =
                       std::chrono::duration<double>(ProgressReport::Clock::now() - start).count();
                   progress.phase = "prove";
                   progress.proofs_done = now_done;
                   progress.proofs_total = work.count;
                   progress.seconds_left = seconds / static_cast<double>(now_done) *
                                           static_cast<double>(work.count - now_done);
                 });
               });
  return std::string(provers[0]->name());
}

}  // namespace quartz::enumerate
