#include "classes/backend_choice.hpp"

#include <string>
#include <utility>

#include "classes/backend_list.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::classes {

const FingerprintBackendEntry& fingerprint_backend(std::string_view name) {
  const bool any = name.empty() || name == "auto";
  std::string known = "auto";
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    known += ", " + std::string(entry.name);
    if (!any && entry.name != name) continue;
    if (entry.available()) return entry;
    if (!any) {
      throw UsageError("the fingerprint backend " + std::string(name) +
                       " is not available on this machine");
    }
  }
  throw UsageError("there is no fingerprint backend " + std::string(name) +
                   " in this build; known: " + known);
}

std::unique_ptr<FingerprintBackend> make_fingerprint_backend(fingerprint::FingerprintTables tables,
                                                             unsigned threads,
                                                             std::string_view name) {
  return fingerprint_backend(name).make(std::move(tables), threads);
}

std::unique_ptr<LevelEnumerator> make_level_enumerator(LevelTables tables,
                                                       const LevelEnumeratorOptions& options,
                                                       std::string_view name) {
  if (tables.fingerprints.qubits > LevelTables::kMaxQubits) {
    throw UsageError("classes are counted on at most " + std::to_string(LevelTables::kMaxQubits) +
                     " qubits, not " + std::to_string(tables.fingerprints.qubits));
  }
  if (tables.fingerprints.letters.size() > LevelTables::kMaxLetters) {
    throw UsageError("classes are counted over at most " +
                     std::to_string(LevelTables::kMaxLetters) + " letters, not " +
                     std::to_string(tables.fingerprints.letters.size()));
  }
  const bool several = rank_count(options.ranks) > 1;
  const bool any = name.empty() || name == "auto";
  const FingerprintBackendEntry& entry = fingerprint_backend(several && any ? "cpu" : name);
  if (several && entry.name != "cpu") {
    throw UsageError("the backend " + std::string(entry.name) +
                     " works in a single process; counting with several processes (mpirun) needs "
                     "the backend cpu");
  }
  if (options.devices != 0 && entry.name == "cpu") {
    throw UsageError("the backend cpu has no devices");
  }
  return entry.make_level_enumerator(std::move(tables), options);
}

}  // namespace quartz::classes
