#include "enumerate/shared_proofs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::enumerate {
namespace {

using Clock = std::chrono::steady_clock;

/// Number of claims whose keys a thread forms at a time.
constexpr std::size_t kKeyGrain = 64;
/// Interval at which new proofs are sent to the first rank: a run that is killed loses no more.
constexpr std::chrono::seconds kRound{1};

/// The outcome of a claim: proved, or unknown for a reason.
struct Outcome {
  ClaimKey key;
  ProofResult result;
};

/// A claim by its number and key, as ranks send it.
struct NumberedKey {
  std::uint64_t number = 0;
  ClaimKey key;
};

/// The start of an outcome in a message; the reason follows.
struct OutcomeHeader {
  ClaimKey key;
  std::uint64_t proved = 0;
  std::uint64_t reason_bytes = 0;
};

void append(std::vector<std::byte>& message, const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(data);
  message.insert(message.end(), bytes, bytes + size);
}

std::vector<std::byte> message_of(std::span<const Outcome> outcomes) {
  std::vector<std::byte> message;
  for (const Outcome& outcome : outcomes) {
    const std::string& reason = outcome.result.witness;
    const OutcomeHeader header{
        outcome.key, outcome.result.verdict == ProofVerdict::proved ? 1U : 0U, reason.size()};
    append(message, &header, sizeof(header));
    append(message, reason.data(), reason.size());
  }
  return message;
}

std::vector<Outcome> outcomes_of(std::span<const std::byte> message) {
  std::vector<Outcome> outcomes;
  while (!message.empty()) {
    OutcomeHeader header;
    ensure(message.size() >= sizeof(header), "a rank sends whole outcomes");
    std::memcpy(&header, message.data(), sizeof(header));
    message = message.subspan(sizeof(header));
    ensure(message.size() >= header.reason_bytes, "a rank sends whole reasons");
    std::string reason(header.reason_bytes, '\0');
    std::memcpy(reason.data(), message.data(), reason.size());
    message = message.subspan(reason.size());
    outcomes.push_back(
        {header.key,
         {header.proved != 0 ? ProofVerdict::proved : ProofVerdict::unknown, std::move(reason)}});
  }
  return outcomes;
}

/// Forms the keys of all claims, an equal part on each rank. The first rank gets all keys, in
/// order.
std::vector<NumberedKey> keys_of_claims(Communicator& ranks, const ProofWork& work,
                                        const ClaimSource& claims) {
  const std::size_t begin = work.count * ranks.rank() / ranks.size();
  const std::size_t end = work.count * (ranks.rank() + 1) / ranks.size();
  std::vector<std::optional<ClaimKey>> keys(end - begin);
  parallel_for(work.threads, keys.size(), kKeyGrain,
               [&](unsigned, std::size_t from, std::size_t to) {
                 if (work.stop.stop_requested()) throw Stopped("stopped while proving equalities");
                 for (std::size_t i = from; i < to; ++i) {
                   claims(begin + i, [&](const Claim& claim) { keys[i] = claim_key(claim); });
                 }
               });
  std::vector<std::vector<NumberedKey>> outgoing(ranks.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i]) outgoing[0].push_back({begin + i, *keys[i]});
  }
  std::vector<NumberedKey> all;
  for (const std::vector<NumberedKey>& part : exchange_values(ranks, outgoing)) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Distributes the claims that are not yet known over all ranks in turn, so that each gets as many
/// of the short ones. The first rank, which knows all keys, assigns them. Returns this rank's
/// claims.
std::vector<NumberedKey> deal_out(Communicator& ranks, std::span<const NumberedKey> claims,
                                  double seconds, const ProofCache& proofs) {
  struct KeyHash {
    std::size_t operator()(const ClaimKey& key) const noexcept { return key.low; }
  };
  std::vector<std::vector<NumberedKey>> dealt(ranks.size());
  std::unordered_set<ClaimKey, KeyHash> seen;
  for (const NumberedKey& claim : claims) {
    if (proofs.find(claim.key, seconds) || !seen.insert(claim.key).second) continue;
    dealt[(seen.size() - 1) % dealt.size()].push_back(claim);
  }
  return exchange_values(ranks, dealt)[0];
}

/// Proves claims from `next` on, for one round or until there are none left.
std::vector<Outcome> prove_for_a_round(const ProofWork& work, std::span<const NumberedKey> claims,
                                       std::atomic<std::size_t>& next,
                                       std::vector<std::unique_ptr<Prover>>& provers,
                                       const ClaimSource& source, const ProverFactory& make) {
  const Clock::time_point end = Clock::now() + kRound;
  std::vector<std::vector<Outcome>> parts(work.threads);
  parallel_for(work.threads, work.threads, 1, [&](unsigned worker, std::size_t, std::size_t) {
    if (!provers[worker]) provers[worker] = make();
    while (Clock::now() < end) {
      if (work.stop.stop_requested()) throw Stopped("stopped while proving equalities");
      const std::size_t i = next.fetch_add(1);
      if (i >= claims.size()) return;
      source(claims[i].number, [&](const Claim& claim) {
        ProofResult result = provers[worker]->prove(claim);
        if (result.verdict == ProofVerdict::refuted) return;
        parts[worker].push_back({claims[i].key, std::move(result)});
      });
    }
  });
  std::vector<Outcome> all;
  for (std::vector<Outcome>& part : parts) {
    all.insert(all.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
  }
  return all;
}

}  // namespace

void share_proofs(Communicator& ranks, const ProofWork& work, const ClaimSource& claims,
                  const ProverFactory& make_prover, double seconds, ProofCache& proofs) {
  const std::vector<NumberedKey> all = keys_of_claims(ranks, work, claims);
  const std::vector<NumberedKey> own = deal_out(ranks, all, seconds, proofs);
  std::vector<std::unique_ptr<Prover>> provers(work.threads);
  std::atomic<std::size_t> next = 0;
  std::uint64_t done = 0;
  do {
    const std::vector<Outcome> outcomes =
        prove_for_a_round(work, own, next, provers, claims, make_prover);
    const std::vector<std::byte> message = message_of(outcomes);
    std::vector<Communicator::Bytes> outgoing(ranks.size());
    outgoing[0] = message;
    for (const std::vector<std::byte>& received : ranks.exchange(outgoing)) {
      for (const Outcome& outcome : outcomes_of(received)) {
        proofs.add(outcome.key, outcome.result, seconds);
        ++done;
      }
    }
    work.progress.update([&](GenerateProgress& progress) {
      progress.phase = "prove";
      progress.proofs_done = done;
    });
  } while (on_any_rank(ranks, next < own.size()));
}

}  // namespace quartz::enumerate
