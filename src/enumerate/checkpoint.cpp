#include "enumerate/checkpoint.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::enumerate {

std::unique_ptr<ProofCache> open_proofs(const std::filesystem::path& folder,
                                        const ProverFactory& make_prover) {
  if (folder.empty()) return std::make_unique<ProofCache>();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw InputError({folder.string()}, "cannot create this folder: " + failed.message());
  return std::make_unique<ProofCache>(folder / "proofs", std::string(make_prover()->name()));
}

ProverFactory cached_provers(ProverFactory make_prover, double seconds, ProofCache& proofs) {
  return [make_prover = std::move(make_prover), seconds, &proofs] {
    return make_cached_prover(make_prover(), seconds, proofs);
  };
}

}  // namespace quartz::enumerate
