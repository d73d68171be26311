#include "fingerprint/backend.hpp"

#include <utility>

#include "fingerprint/cpu_backend.hpp"
#include "quartz/errors.hpp"

namespace quartz {

std::span<const FingerprintBackendEntry> fingerprint_backends() {
  static constexpr FingerprintBackendEntry entries[] = {
      {"cpu", [] { return true; }, &make_cpu_fingerprint_backend},
  };
  return entries;
}

std::unique_ptr<FingerprintBackend> make_fingerprint_backend(FingerprintTables tables,
                                                             unsigned threads,
                                                             std::string_view name) {
  std::string known;
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
    if (!name.empty() && entry.name != name) continue;
    if (entry.available()) return entry.make(std::move(tables), threads);
    if (!name.empty()) {
      throw UsageError("the fingerprint backend " + std::string(name) +
                       " is not available on this machine");
    }
  }
  throw UsageError("there is no fingerprint backend " + std::string(name) + "; known: " + known);
}

}  // namespace quartz
