#include "enumerate/equalities.hpp"

#include <map>
#include <mutex>
#include <span>
#include <sstream>
#include <string>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::enumerate {
namespace {

// Number of equalities given to a thread at a time; small, so that all threads end together.
constexpr std::size_t kPhaseGrain = 64;

void throw_if_stopped(const std::stop_token& stop, const char* doing) {
  if (stop.stop_requested()) throw Stopped(std::string("stopped while ") + doing);
}

/// The two sides of an equality.
struct Sides {
  std::vector<Operation> representative;
  std::vector<Operation> member;
};

Sides sides_of(const Letters& letters, const Enumeration& enumeration, const Member& member) {
  return {spell(letters, enumeration.sequence(member.of)),
          spell(letters, enumeration.sequence(member))};
}

std::string describe(const Enumeration& enumeration, const Member& member) {
  std::string text = "letters";
  for (const LetterIndex letter : enumeration.sequence(member))
    text += ' ' + std::to_string(letter);
  text += " against";
  for (const LetterIndex letter : enumeration.sequence(member.of)) {
    text += ' ' + std::to_string(letter);
  }
  return text;
}

/// Exchanges phases among all ranks: each sends those it knows as text, one in each line, and all
/// ranks combine them.
void swap_phases(Communicator& ranks, std::vector<std::optional<Angle>>& phases) {
  std::string text;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i]) text += std::to_string(i) + ' ' + phases[i]->to_string() + '\n';
  }
  for (const std::vector<std::byte>& message :
       gather_by_all(ranks, std::as_bytes(std::span<const char>(text)))) {
    std::istringstream lines(
        std::string(reinterpret_cast<const char*>(message.data()), message.size()));
    std::size_t index = 0;
    for (std::string angle; lines >> index >> std::ws && std::getline(lines, angle);) {
      ensure(index < phases.size(), "ranks find the phases of the same members");
      phases[index] = parse_angle(angle);
    }
  }
}

}  // namespace

std::vector<std::optional<Angle>> find_phases(const EqualityWork& work) {
  const std::vector<Member>& members = work.enumeration.members;
  std::vector<std::optional<Angle>> phases(members.size());
  parallel_for(
      work.threads, members.size(), kPhaseGrain, [&](unsigned, std::size_t begin, std::size_t end) {
        throw_if_stopped(work.stop, "finding phases");
        // Ranks take blocks in turn, because circuits grow longer from the first to the last.
        if (begin / kPhaseGrain % rank_count(work.ranks) != own_rank(work.ranks)) return;
        for (std::size_t i = begin; i < end; ++i) {
          const Sides sides = sides_of(work.letters, work.enumeration, members[i]);
          phases[i] = exact_relative_phase(sides.representative, sides.member, work.letters.qubits);
        }
        work.progress.update([&](GenerateProgress& progress) {
          progress.phase = "phases";
          progress.proofs_total = members.size();
        });
      });
  if (work.ranks != nullptr) swap_phases(*work.ranks, phases);
  return phases;
}

void share_proofs(const EqualityWork& work, const std::vector<std::optional<Angle>>& phases,
                  const ProverFactory& make_prover, double seconds, ProofCache& proofs) {
  const std::vector<Member>& members = work.enumeration.members;
  const ClaimSource claims = [&](std::size_t i, const std::function<void(const Claim&)>& use) {
    if (!phases[i]) return;
    const Sides sides = sides_of(work.letters, work.enumeration, members[i]);
    use({sides.representative, sides.member, work.letters.qubits, *phases[i]});
  };
  share_proofs(*work.ranks, {members.size(), work.threads, work.progress, work.stop}, claims,
               make_prover, seconds, proofs);
}

ProvedEqualities prove_equalities(const EqualityWork& work,
                                  const std::vector<std::optional<Angle>>& phases,
                                  const ProverFactory& make_prover) {
  const std::vector<Member>& members = work.enumeration.members;
  ProvedEqualities result;
  result.summary.tried = members.size();
  std::vector<char> proved(members.size(), 0);  // threads cannot write to a vector<bool> at once
  std::mutex mutex;
  std::map<std::size_t, UnknownEquality> unknown;
  const auto leave_out = [&](std::size_t i, Sides sides, std::string reason) {
    const std::lock_guard lock(mutex);
    unknown[i] = {std::move(sides.representative), std::move(sides.member), std::move(reason)};
  };
  const auto prove = [&](Prover& prover, std::size_t i) {
    Sides sides = sides_of(work.letters, work.enumeration, members[i]);
    if (!phases[i]) return leave_out(i, std::move(sides), "exact arithmetic finds no phase");
    ProofResult proof =
        prover.prove({sides.representative, sides.member, work.letters.qubits, *phases[i]});
    if (proof.verdict == ProofVerdict::refuted) {
      throw InternalError("the prover refutes an equality found in exact arithmetic (" +
                          describe(work.enumeration, members[i]) + "): " + proof.witness);
    }
    proved[i] = proof.verdict == ProofVerdict::proved ? 1 : 0;
    if (proved[i] == 0) leave_out(i, std::move(sides), std::move(proof.witness));
  };
  result.summary.method =
      prove_all({members.size(), work.threads, work.progress, work.stop}, make_prover, prove);
  result.proved.assign(proved.begin(), proved.end());
  for (const char is_proved : proved)
    result.summary.proved += static_cast<std::uint64_t>(is_proved);
  result.summary.unknown = result.summary.tried - result.summary.proved;
  for (auto& [i, equality] : unknown) result.unknown.push_back(std::move(equality));
  return result;
}

std::vector<EquivalenceClass> collect_classes(const EqualityWork& work,
                                              const std::vector<std::optional<Angle>>& phases,
                                              const std::vector<bool>& proved) {
  const Enumeration& enumeration = work.enumeration;
  const std::vector<Member>& members = enumeration.members;
  std::vector<std::size_t> in_order;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (proved[i]) in_order.push_back(i);
  }
  std::stable_sort(in_order.begin(), in_order.end(),
                   [&](std::size_t a, std::size_t b) { return members[a].of < members[b].of; });
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    if (i == 0 || members[in_order[i - 1]].of != members[in_order[i]].of) begins.push_back(i);
  }
  std::vector<EquivalenceClass> classes(begins.size());
  begins.push_back(in_order.size());
  const auto collect = [&](std::size_t number) {
    const std::span some =
        std::span(in_order).subspan(begins[number], begins[number + 1] - begins[number]);
    std::vector<ClassMember>& equal = classes[number].members;
    equal.reserve(some.size() + 1);
    equal.push_back({spell(work.letters, enumeration.sequence(members[some.front()].of)), Angle()});
    for (const std::size_t i : some) {
      equal.push_back({spell(work.letters, enumeration.sequence(members[i])), *phases[i]});
    }
  };
  parallel_for(work.threads, classes.size(), 64, [&](unsigned, std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number) collect(number);
  });
  return classes;
}

}  // namespace quartz::enumerate
