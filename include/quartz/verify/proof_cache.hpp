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

#include "quartz/base/file_lock.hpp"
#include "quartz/base/files.hpp"
#include "quartz/verify/prover.hpp"

namespace quartz {

/// A digest of a claim that is independent of the names of its qubits and parameters. Claims with
/// the same key are either all true or all false, so a proof of one is a proof of all. (The same
/// claim under other names usually, but not always, has the same key, because names are assigned in
/// the order of their first occurrence.)
using ClaimKey = DigestWords;
[[nodiscard]] ClaimKey claim_key(const Claim& claim);

/// The proved claims, and the claims that could not be proved in a given time, of all threads of
/// this run and, if there is a file, of earlier runs. Refuted claims are not stored.
///
/// The file is text and only grows, in blocks that end with a checksum of this and all preceding
/// blocks; docs/formats/proofs.md describes it. A process that is killed at any moment loses at
/// most the last block.
class ProofCache {
 public:
  /// Creates a cache in memory only.
  ProofCache() = default;
  /// Opens a cache with a file, which is created if it does not exist; only one process at a time
  /// can use it. `prover` is the name of the prover whose results are stored. Throws InputError for
  /// a file that is not a proof cache, is damaged or in use, or belongs to another version, another
  /// prover or another gate table.
  ProofCache(std::filesystem::path file, std::string prover);
  ProofCache(const ProofCache&) = delete;
  ProofCache& operator=(const ProofCache&) = delete;
  /// Writes all pending records, if possible.
  ~ProofCache();

  /// Returns the result for the claim that is known from attempts of at least `seconds`; `unknown`
  /// comes with its reason.
  [[nodiscard]] std::optional<ProofResult> find(const ClaimKey& key, double seconds) const;
  /// Adds a result that came from an attempt of at most `seconds`. Throws InputError if the file
  /// cannot be written.
  void add(const ClaimKey& key, const ProofResult& result, double seconds);
  /// Returns the result of find(), or if there is none the result of `prove`, which is then added.
  /// A thread that asks for a claim that another thread is trying to prove waits for that result,
  /// so that nothing is proved twice. Throws what `prove` and add() throw; the next thread then
  /// tries the claim.
  [[nodiscard]] ProofResult find_or_prove(const ClaimKey& key, double seconds,
                                          const std::function<ProofResult()>& prove);
  /// Writes all pending records to the file. Throws InputError if it cannot be written.
  void flush();

  /// Returns the number of claims that were known before this run.
  [[nodiscard]] std::uint64_t from_earlier_runs() const { return from_earlier_runs_; }
  /// Returns the number of different claims that this run added.
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
  /// A null value means that the claim is proved.
  std::unordered_map<ClaimKey, std::unique_ptr<const Unknown>, KeyHash> known_;
  std::uint64_t from_earlier_runs_ = 0;
  std::uint64_t added_ = 0;

  std::filesystem::path file_;  ///< empty if the cache is in memory only
  std::optional<FileLock> lock_;
  std::uint64_t checksum_ = 0;  ///< checksum of the blocks written so far
  std::string block_;           ///< records that are not written yet
  Clock::time_point written_ = Clock::now();
};

/// Returns a prover that asks the cache first, and `prover` (with its limit in seconds) if the
/// cache does not know the claim. Several provers may share one cache: the cache is thread-safe,
/// each prover is for one thread.
[[nodiscard]] std::unique_ptr<Prover> make_cached_prover(std::unique_ptr<Prover> prover,
                                                         double seconds, ProofCache& cache);

}  // namespace quartz
