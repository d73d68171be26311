#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "quartz/file_lock.hpp"
#include "quartz/files.hpp"
#include "quartz/verify/prover.hpp"

namespace quartz {

/// What stays the same when a claim's qubits and parameters get other names, as a digest. Claims
/// with one key are equally true: a proof of one is a proof of all. (The same claim under other
/// names mostly has the same key, not always: names are given in the order in which they are met.)
using ClaimKey = DigestWords;
[[nodiscard]] ClaimKey claim_key(const Claim& claim);

/// What was proved, and what could not be in a given time: by all threads of this run and, where
/// there is a file, in earlier runs. Refuted claims are not kept.
///
/// The file is text, and only ever grows by blocks that end with a checksum, which covers the
/// blocks before as well; docs/formats/proofs.md describes it. A process that is killed at any
/// moment loses the last block at most.
class ProofCache {
 public:
  /// In memory only.
  ProofCache() = default;
  /// In a file too, which is made if it is not there; one process at a time has it. `prover` is the
  /// name of the prover whose results are kept. Throws InputError for a file that is no such cache,
  /// damaged, of another version, another prover or another gate table, or in use.
  ProofCache(std::filesystem::path file, std::string prover);
  ProofCache(const ProofCache&) = delete;
  ProofCache& operator=(const ProofCache&) = delete;
  /// Writes what is left to be written, if it can.
  ~ProofCache();

  /// What is known of the claim from tries of `seconds` at least; `unknown` comes with the reason.
  [[nodiscard]] std::optional<ProofResult> find(const ClaimKey& key, double seconds) const;
  /// Takes notice of a result that came of a try of so many seconds at most. Throws InputError if
  /// the file cannot be written.
  void add(const ClaimKey& key, const ProofResult& result, double seconds);
  /// find(), and where that knows nothing what `prove` returns, which is added. A thread that asks
  /// for a claim that another one is trying waits for it, so that nothing is proved twice. Throws
  /// what `prove` and add() throw; the next thread then tries it.
  [[nodiscard]] ProofResult find_or_prove(const ClaimKey& key, double seconds,
                                          const std::function<ProofResult()>& prove);
  /// Has everything in the file. Throws InputError if it cannot be written.
  void flush();

  /// Claims that were known before this run.
  [[nodiscard]] std::uint64_t from_earlier_runs() const { return from_earlier_runs_; }
  /// Different claims that this run added.
  [[nodiscard]] std::uint64_t added() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct KeyHash {
    std::size_t operator()(const ClaimKey& key) const noexcept {
      return static_cast<std::size_t>(key.low);
    }
  };
  struct Unknown {
    std::uint64_t milliseconds = 0;
    std::string reason;
  };

  [[nodiscard]] std::optional<ProofResult> find_locked(const ClaimKey& key, double seconds) const;
  void read(std::string_view content);
  void read_record(std::string_view line, std::size_t number);
  [[nodiscard]] bool keep(const ClaimKey& key, const ProofResult& result,
                          std::uint64_t milliseconds);
  void write_block();

  mutable std::mutex mutex_;
  std::unordered_set<ClaimKey, KeyHash> being_tried_;
  std::condition_variable tried_;
  /// Null: proved.
  std::unordered_map<ClaimKey, std::unique_ptr<const Unknown>, KeyHash> known_;
  std::uint64_t from_earlier_runs_ = 0;
  std::uint64_t added_ = 0;

  std::filesystem::path file_;  ///< empty: in memory only
  std::optional<FileLock> lock_;
  std::uint64_t checksum_ = 0;  ///< of the blocks so far
  std::string block_;           ///< records not yet written
  Clock::time_point written_ = Clock::now();
};

/// Asks the cache first, and `prover` (with its limit in seconds) where it does not know. Of
/// several provers that share a cache each is for one thread; the cache is for all.
[[nodiscard]] std::unique_ptr<Prover> make_cached_prover(std::unique_ptr<Prover> prover,
                                                         double seconds, ProofCache& cache);

}  // namespace quartz
