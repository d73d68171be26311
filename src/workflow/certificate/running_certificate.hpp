#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "base/processor_time.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "workflow/certificate/certifiable_circuits.hpp"
#include "workflow/certificate/followed_histories.hpp"

namespace quartz::workflow {

/// A circuit that was proved equal to the input.
struct CertifiedCircuit {
  circuit::DerivedCircuit found;
  OutputPermutation permutation;  ///< the qubits on which those of the input end
  EquivalenceReport report;
};

/// What a certificate begins with.
struct CertificateOptions {
  FirstCircuits circuits;
  /// Options of replays; their time and their request to stop are those of the certificate.
  ReplayOptions replay = {};
  /// Processor time that certifying may take while the search goes on, as a fraction of that of the
  /// process, whose other threads search; 0 leaves everything to finish().
  double share = 0;
  /// The same while less than half of the search's gain so far is certified, and while the best
  /// certified circuit has over 0.5% more operations than the best one, if it is more; used only
  /// with a share. What is used until then does not count later.
  double share_before_gain = 0;
  double share_behind = 0;
  /// Time that a search has before certifying begins, in seconds: what a short search finds is
  /// certified at its end.
  double first_seconds = 1;
  /// Threads of each replay in finish().
  ReplayThreads threads_at_end = ReplayThreads::one;
  /// Time that finish() will have, in seconds.
  double seconds_at_end = 0;
  /// Time after which the search ends, in seconds from the start of the certificate; infinity if
  /// that is not known. Shortly before it, the share does not limit what finish() would have no
  /// time for.
  double seconds_of_search = std::numeric_limits<double>::infinity();
  /// Compares a circuit with the input directly, within some seconds; empty if that is not wanted
  /// while the search goes on.
  std::function<EquivalenceReport(const Circuit&, double seconds, const std::stop_token&)> compare =
      {};
};

/// Certifies what a search finds while it goes on, on a thread of its own, so that the best circuit
/// so far is certified but for the last moments.
///
/// Circuits whose direct comparison with the input takes little time are compared, and now and then
/// it is tried whether those that take longer can be. For all others, their histories are replayed.
/// A history mostly continues that of the circuit before, so that only its last steps are replayed.
/// Threads of a search have histories of their own, each of which is followed if it can be. The
/// replays share nothing with the search.
class RunningCertificate {
 public:
  /// `prepared`, which may be null, is a replay with these circuits and options.
  explicit RunningCertificate(CertificateOptions options,
                              std::shared_ptr<PreparedReplay> prepared = nullptr);
  RunningCertificate(const RunningCertificate&) = delete;
  RunningCertificate& operator=(const RunningCertificate&) = delete;
  /// Ends what the thread is at.
  ~RunningCertificate();

  /// Adds a circuit of the search that is better than all before. Takes little time. Thread-safe.
  void consider(CertifiableCircuit version);
  /// Forms the best circuit that is certified so far, or returns null if there is none.
  /// Thread-safe.
  [[nodiscard]] std::shared_ptr<const CertifiedCircuit> certified() const;
  /// Returns the longest processor time in which a direct comparison of a circuit has decided so
  /// far, in seconds; nothing if none has. Thread-safe.
  [[nodiscard]] std::optional<double> seconds_of_comparison() const;
  /// Returns the time for which a direct comparison is worth trying again, in seconds: more than
  /// that of the last one if that did not decide, and else 0. Thread-safe.
  [[nodiscard]] double least_seconds_of_comparison() const;

  /// Returns whether the search should stay with the history that is followed: direct comparisons
  /// do not decide, and to replay another history that is as long as the one of the last circuit
  /// would take a good part of the time of finish(). Thread-safe.
  [[nodiscard]] bool follows_one_history() const;

  /// A circuit with its history, at the end of the search.
  struct Result {
    const Circuit* circuit = nullptr;
    circuit::HistoryPointer history;
    OutputPermutation permutation = {};
  };
  /// The outcome of finish().
  struct Outcome {
    /// The report about the result if it was certified.
    std::optional<EquivalenceReport> report;
    std::string reason;  ///< why it was not
  };
  /// Replays what is new in the history of the result, at full speed and within this time, or as
  /// many circuits on the way as the time suffices for. A request to stop ends this early. Nothing
  /// may be considered afterwards.
  [[nodiscard]] Outcome finish(const Result& result, double seconds, std::stop_token stop);
  /// Returns the first circuit of the search to which a step leads that is not proved, if there is
  /// one. May be called after finish().
  [[nodiscard]] const std::optional<CertifiableCircuit>& first_failed() const {
    return first_failed_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Thrown to end a replay for which there is no time any more.
  struct Interrupted {};
  /// Certifies circuits until finish() has what it wants.
  void run();
  /// Waits until there is something to do, and returns a circuit that the search found; nothing if
  /// the search has ended.
  [[nodiscard]] std::optional<CertifiableCircuit> wait_for_next();
  /// Certifies the result, or circuits on the way to it.
  void run_to_end();
  /// Returns a circuit on the way that can be certified in a part of the time that is left.
  [[nodiscard]] std::optional<CertifiableCircuit> next_on_the_way() const;
  /// Returns the threads of a replay that begins now.
  [[nodiscard]] ReplayThreads threads_now() const;
  /// Returns whether the replay certifies the result.
  [[nodiscard]] bool certifies_result();
  void certify(const CertifiableCircuit& version);
  /// Returns the best circuit that is worth certifying now, or nothing. Requires the mutex.
  [[nodiscard]] std::optional<CertifiableCircuit> next_in_reach();
  /// Returns the time that the replay of a history that continues no other one may take: what the
  /// thread has left over, or what lets it reach the search later. Requires the mutex.
  [[nodiscard]] double seconds_for_catching_up();
  /// Returns whether there is time to replay a history.
  [[nodiscard]] bool may_replay(const circuit::HistoryPointer& history);
  /// Returns the time for a direct comparison of a circuit whose replay takes as long as this;
  /// nothing if it is not worth trying, because it will not be decided in this time, or later than
  /// by the replay.
  [[nodiscard]] std::optional<double> seconds_for_comparison(double seconds_of_replay);
  /// Returns whether a circuit was compared directly, and accepts it if it is certified.
  [[nodiscard]] bool compares(const circuit::DerivedCircuit& found,
                              const CertifiableCircuit& version, double seconds_of_replay);
  void accept(const CertifiableCircuit& version, EquivalenceReport report);
  /// Returns the share that the thread has at the moment. Requires the mutex.
  [[nodiscard]] double current_share() const;
  /// Processor time that the thread may take with its share, since it has that.
  struct Allowance {
    double share = 0;
    double seconds = 0;
    double used = 0;  ///< what it has taken of these
    /// The same for all of the search so far.
    double seconds_of_search = 0;
  };
  /// Returns what is allowed at the moment. Requires the mutex.
  [[nodiscard]] Allowance allowance();
  /// Returns whether the search ends soon, and finish() would not have the time for what has to be
  /// replayed until then. Requires the mutex.
  [[nodiscard]] bool is_late() const;
  /// While the search goes on and the thread is not late, waits until it has used no more than this
  /// part of its allowance. Throws Interrupted if the time is over. Called after each block of a
  /// journal.
  void pause(double part);
  /// Removes circuits from those that wait: one whose history failed, and all with more steps than
  /// were proved.
  void note_failure(std::uint64_t number, const FollowedHistories::Replayed& replayed);
  [[nodiscard]] double seconds_left() const;
  /// Returns the processor time that the process has used since the certificate began.
  [[nodiscard]] double seconds_of_process() const;
  void add_reason(const std::string& reason);

  const CertificateOptions options_;
  const Clock::time_point start_ = Clock::now();
  const double process_start_ = process_seconds();
  std::stop_source stop_;

  // --- used by the thread alone, or by finish() behind it ---
  FollowedHistories histories_;
  std::optional<CertifiableCircuit> first_failed_;
  /// The share that the thread has, and what had been used when it got that.
  struct Account {
    double share = 0;
    double process_seconds = 0;
    double thread_seconds = 0;
  } account_;

  // --- shared ---
  mutable std::mutex mutex_;
  struct Comparison {
    bool decides = false;      ///< whether the last one decided; true before the first one
    double least_seconds = 0;  ///< least_seconds_of_comparison()
    std::optional<double> longest = {};  ///< seconds_of_comparison()
  } comparison_;
  std::condition_variable_any changed_;
  CertifiableCircuits waiting_;
  std::uint64_t steps_of_search_ = 0;  ///< number of records in the history of the last circuit
  double seconds_of_step_ = 0;         ///< FollowedHistories::seconds_of(1)
  /// Operations of the first circuit of the search, of the smallest one so far, and of the best one
  /// that is certified.
  struct Operations {
    std::size_t first = 0;
    std::size_t least = 0;
    std::size_t certified = 0;
    /// Whether a circuit behind the first one is certified. It may have more operations, if the
    /// search is for fewer T gates, for example.
    bool has_certified_gain = false;
  };
  std::optional<Operations> operations_;  ///< nothing before the first circuit
  /// The best circuit that is certified, which shares its gates with the search.
  struct Certified {
    CertifiableCircuit version;
    EquivalenceReport report;
  };
  std::optional<Certified> certified_;
  struct End {
    Result result;
    Clock::time_point deadline;
  };
  std::optional<End> end_;  ///< set by finish()
  bool is_done_ = false;    ///< whether the thread has ended
  Outcome outcome_;
  std::thread thread_;  ///< the last member, because it uses the others
};

}  // namespace quartz::workflow
