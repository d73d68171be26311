#include "quartz/classes/class_count.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "classes/backend/level_key.hpp"
#include "classes/backend_choice.hpp"
#include "classes/backend_list.hpp"
#include "classes/cpu/level_keys.hpp"
#include "classes/followers.hpp"
#include "classes/letters/table_alphabet.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

/// Longer suffixes let the masks exclude more letters, but there are (letters)^window masks.
constexpr std::size_t kMaxSuffixes = 120'000;

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Returns the window of the masks for circuits of this length; no suffix is longer than they are.
unsigned window_for(std::size_t letters, unsigned gates) {
  const unsigned longest = std::clamp(gates, 2U, classes::ClassLink::kSuffix + 1) - 1;
  unsigned window = 1;
  for (std::size_t suffixes = letters + 1;
       window < longest && suffixes * (letters + 1) <= kMaxSuffixes; ++window) {
    suffixes *= letters + 1;
  }
  return window;
}

classes::LevelTables level_tables(const GateSet& set, const ClassCountOptions& options) {
  ClassTableOptions wanted;
  wanted.qubits = options.qubits;
  const std::vector<Operation> letters = classes::table_letters(set, wanted);
  if (letters.size() > classes::LevelTables::kMaxLetters) {
    throw UsageError("the gate set '" + set.name + "' has " + std::to_string(letters.size()) +
                     " letters on " + std::to_string(options.qubits) +
                     " qubits; classes are counted over at most " +
                     std::to_string(classes::LevelTables::kMaxLetters));
  }
  classes::LevelTables tables;
  tables.fingerprints =
      fingerprint::make_fingerprint_tables(letters, options.qubits, {options.seed, 0});
  tables.followers = classes::make_followers(
      tables.fingerprints, options.pruned ? window_for(letters.size(), options.gates) : 0);
  return tables;
}

struct Prepared {
  std::unique_ptr<classes::LevelEnumerator> enumerator;
  ClassCount count;
};

Prepared prepare(const GateSet& set, const ClassCountOptions& options) {
  static_assert(ClassCountOptions::kMaxQubits == classes::LevelTables::kMaxQubits);
  if (options.qubits < 1 || options.qubits > ClassCountOptions::kMaxQubits) {
    throw UsageError("classes are counted on 1 to " +
                     std::to_string(ClassCountOptions::kMaxQubits) + " qubits, not on " +
                     std::to_string(options.qubits));
  }
  const Stopwatch watch;
  classes::LevelTables tables = level_tables(set, options);
  Prepared result;
  result.count.letters = static_cast<unsigned>(tables.fingerprints.letters.size());
  classes::LevelEnumeratorOptions how;
  how.threads = options.threads;
  how.memory = options.memory;
  how.devices = options.devices > 1 ? options.devices : 0;
  how.instructions = options.instructions;
  how.ranks = options.ranks;
  how.stop = options.stop;
  result.enumerator = classes::make_level_enumerator(std::move(tables), how, options.backend);
  result.count.backend = result.enumerator->name();
  result.count.instructions = result.enumerator->instructions();
  result.count.preparation_seconds = watch.seconds();
  return result;
}

void count_levels(Prepared& prepared, const ClassCountOptions& options, bool extended_later) {
  std::uint64_t comparisons = 0;
  for (unsigned gates = 1; gates <= options.gates; ++gates) {
    const Stopwatch watch;
    const std::optional<classes::LevelFigures> figures =
        prepared.enumerator->next(extended_later || gates < options.gates);
    if (!figures) {
      prepared.count.complete = false;
      break;
    }
    comparisons += figures->comparisons;
    prepared.count.levels.push_back(
        {gates, figures->classes, figures->candidates, figures->digest, watch.seconds()});
    if (options.on_level) options.on_level(prepared.count.levels.back());
    if (figures->classes == 0) break;  // there are no further classes
  }
  prepared.count.expected_misses =
      static_cast<double>(comparisons) / static_cast<double>(algebra::Goldilocks::kModulus);
}

}  // namespace

std::vector<std::string> enumeration_backends() {
  std::vector<std::string> names;
  for (const classes::FingerprintBackendEntry& entry : classes::fingerprint_backends()) {
    names.emplace_back(entry.name);
  }
  return names;
}

std::vector<std::string> cpu_instruction_sets() {
  std::vector<std::string> names;
  for (const classes::InstructionSet& set : classes::instruction_sets())
    names.emplace_back(set.name);
  return names;
}

ClassCount count_classes(const GateSet& set, const ClassCountOptions& options) {
  Prepared prepared = prepare(set, options);
  count_levels(prepared, options, false);
  return std::move(prepared.count);
}

FingerprintRate measure_fingerprints(const GateSet& set, const ClassCountOptions& options,
                                     unsigned rounds) {
  Prepared prepared = prepare(set, options);
  count_levels(prepared, options, true);
  if (!prepared.count.complete) throw UsageError("the memory does not suffice for all levels");
  FingerprintRate rate;
  rate.backend = prepared.count.backend;
  rate.instructions = prepared.count.instructions;
  const Stopwatch watch;
  for (unsigned round = 0; round < rounds; ++round) {
    const classes::LevelFigures figures = prepared.enumerator->form_keys();
    rate.fingerprints += figures.candidates;
    rate.digest = figures.digest;
  }
  rate.seconds = watch.seconds();
  return rate;
}

}  // namespace quartz
