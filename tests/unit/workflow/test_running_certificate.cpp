#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/processor_time.hpp"
#include "circuit/history.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "random_circuits.hpp"
#include "workflow/certificate/running_certificate.hpp"

using namespace quartz;
using namespace quartz::workflow;
using circuit::GateNumber;
using circuit::HistoryPointer;

namespace {

const Circuit one_cnot_circuit =
    make_circuit(2, {make_operation(GateKind::t, {0}), make_operation(GateKind::cx, {0, 1}),
                     make_operation(GateKind::h, {1}), make_operation(GateKind::s, {1})});

/// A search that derives equal circuits, which it calls better.
class FakeSearch {
 public:
  /// Puts a pair of equal gates behind a random gate.
  void go_on(test::Random& random) {
    const std::size_t place = test::below(random, circuit_.operations.size());
    const Operation gate = circuit_.operations[place];
    const auto kind = test::below(random, 2) == 0 ? GateKind::x : GateKind::h;
    const std::vector<Operation> after{gate, make_operation(kind, {gate.qubits[0]}),
                                       make_operation(kind, {gate.qubits[0]})};
    record(place, after, after);
  }
  /// Puts pairs of equal gates behind the first gate, and removes each of them.
  void come_and_go(std::size_t pairs) {
    const Operation first = circuit_.operations.front();
    const auto x = make_operation(GateKind::x, {first.qubits[0]});
    circuit::HistoryRecorder recorder(circuit_.operations.size());
    GateNumber place = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      GateNumber next = recorder.next_number();
      recorder.rewrite(std::vector{place}, {}, std::vector{first, x, x});
      recorder.rewrite(std::vector{next, next + 1, next + 2}, {}, std::vector{first});
      place = next + 3;
    }
    std::vector<GateNumber> order(circuit_.operations.size());
    std::iota(order.begin(), order.end(), GateNumber{0});
    order.front() = place;
    history_ = circuit::in_sequence(history_, std::move(recorder).finish(std::move(order)));
  }
  /// Replaces a gate by another one, which is not equal, or records that it did.
  void claim(bool does) {
    const Operation first = circuit_.operations.front();
    record(0, {make_operation(GateKind::z, {0})},
           {does ? make_operation(GateKind::z, {0}) : first});
  }
  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] const HistoryPointer& history() const { return history_; }
  [[nodiscard]] CertifiableCircuit version() const {
    CertifiableCircuit version;
    version.operations = circuit_.operations.size();
    version.steps = circuit::steps_of(history_.get());
    version.form = [found = circuit::DerivedCircuit{circuit_, circuit::Derivation::by(history_)}] {
      return found;
    };
    return version;
  }
  [[nodiscard]] RunningCertificate::Result result() const { return {&circuit_, history_, {}}; }

 private:
  /// Replaces a gate. `recorded` is what its record says.
  void record(std::size_t place, const std::vector<Operation>& recorded,
              const std::vector<Operation>& after) {
    std::vector<Operation>& gates = circuit_.operations;
    circuit::HistoryRecorder recorder(gates.size());
    recorder.rewrite(std::vector{static_cast<GateNumber>(place)}, {}, recorded);
    std::vector<GateNumber> order;
    for (std::size_t i = 0; i < gates.size(); ++i) {
      if (i != place) {
        order.push_back(static_cast<GateNumber>(i));
        continue;
      }
      for (std::size_t k = 0; k < recorded.size(); ++k) {
        order.push_back(static_cast<GateNumber>(gates.size() + k));
      }
    }
    history_ = circuit::in_sequence(history_, std::move(recorder).finish(std::move(order)));
    const auto at = gates.erase(gates.begin() + static_cast<std::ptrdiff_t>(place));
    gates.insert(at, after.begin(), after.end());
  }

  Circuit circuit_ = one_cnot_circuit;
  HistoryPointer history_;
};

/// Returns options with which everything is certified as soon as possible.
CertificateOptions at_once() {
  return {.circuits = {&one_cnot_circuit, &one_cnot_circuit}, .share = 1, .first_seconds = 0};
}
/// Returns options with which nothing is certified before the end.
CertificateOptions at_end() { return {.circuits = {&one_cnot_circuit, &one_cnot_circuit}}; }

/// Waits until a condition holds, for a minute at most.
[[nodiscard]] bool becomes(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

[[nodiscard]] bool certifies(const RunningCertificate& certificate, const Circuit& circuit) {
  return becomes([&] {
    const std::shared_ptr<const CertifiedCircuit> certified = certificate.certified();
    return certified != nullptr && certified->found.circuit == circuit;
  });
}

}  // namespace

TEST_CASE("what a search finds is certified while it goes on", "[running certificate]") {
  RunningCertificate certificate(at_once());
  CHECK(certificate.certified() == nullptr);
  test::Random random(1);
  FakeSearch search;
  for (int i = 0; i < 20; ++i) {
    certificate.consider(search.version());
    REQUIRE(certifies(certificate, search.circuit()));
    CHECK(certificate.certified()->report.method == "replay of " + counted(i, "rewrite"));
    search.go_on(random);
  }
  const RunningCertificate::Outcome outcome = certificate.finish(search.result(), 60, {});
  REQUIRE(outcome.report);
  CHECK(outcome.report->method == "replay of 20 rewrites");
  CHECK(outcome.reason.empty());
}

TEST_CASE("a result is certified at the end of a search without a share", "[running certificate]") {
  RunningCertificate certificate(at_end());
  test::Random random(2);
  FakeSearch search;
  for (int i = 0; i < 50; ++i) {
    certificate.consider(search.version());
    search.go_on(random);
  }
  CHECK(certificate.certified() == nullptr);
  CHECK(certificate.finish(search.result(), 60, {}).report);
  CHECK(certificate.certified() == nullptr);  // the result needs no other one
}

TEST_CASE("a circuit before a step that is not proved is certified", "[running certificate]") {
  const bool is_at_end = GENERATE(false, true);
  const bool does = GENERATE(false, true);
  RunningCertificate certificate(is_at_end ? at_end() : at_once());
  test::Random random(3);
  FakeSearch search;
  for (int i = 0; i < 5; ++i) {
    search.go_on(random);
    certificate.consider(search.version());
  }
  const Circuit last = search.circuit();
  if (!is_at_end) REQUIRE(certifies(certificate, last));
  search.claim(does);
  const Circuit behind = search.circuit();
  certificate.consider(search.version());
  search.go_on(random);
  certificate.consider(search.version());
  search.go_on(random);
  const RunningCertificate::Outcome outcome = certificate.finish(search.result(), 60, {});
  CHECK_FALSE(outcome.report);
  CHECK_THAT(outcome.reason, Catch::Contains("step 6: the two sides are not proved equal"));
  REQUIRE(certificate.certified() != nullptr);
  CHECK(certificate.certified()->found.circuit == last);
  REQUIRE(certificate.first_failed());
  CHECK(certificate.first_failed()->form().circuit == behind);
}

TEST_CASE("a certificate that fell behind has a larger share again", "[running certificate]") {
  // The input has fewer operations than its translation, with which the search begins.
  constexpr double kHardlyAny = 1e-9;
  constexpr double kAny = 1e6;
  CertificateOptions options = at_once();
  options.share = kHardlyAny;
  std::vector<std::size_t> sizes;
  SECTION("until half of the gain so far is certified") {
    options.share_before_gain = kAny;
    sizes = {1000, 900, 100};
  }
  SECTION("until the best certified circuit is near the best one") {
    options.share_before_gain = kAny;
    options.share_behind = kAny;
    sizes = {1000, 900, 890, 880};
  }
  RunningCertificate certificate(options);
  test::Random random(14);
  FakeSearch search;
  for (const std::size_t size : sizes) {
    CertifiableCircuit version = search.version();
    version.operations = size;
    certificate.consider(std::move(version));
    if (size != sizes.front()) REQUIRE(certifies(certificate, search.circuit()));
    search.go_on(random);
  }
}

TEST_CASE("histories that branched off before are certified", "[running certificate]") {
  RunningCertificate certificate(at_once());
  test::Random random(4);
  FakeSearch stem;
  for (int i = 0; i < 3; ++i) stem.go_on(random);
  // More searches than replays that are kept, each better than the one before in turn.
  std::vector<FakeSearch> searches(FollowedHistories::kMaxReplays + 2, stem);
  for (int round = 0; round < 3; ++round) {
    for (FakeSearch& search : searches) {
      search.go_on(random);
      certificate.consider(search.version());
      // A circuit whose replay would not catch up with the search is left out.
      (void)becomes([&] {
        const auto certified = certificate.certified();
        return certified != nullptr && certified->found.circuit == search.circuit();
      });
    }
  }
  for (FakeSearch& search : searches) search.go_on(random);
  CHECK(certificate.finish(searches.front().result(), 60, {}).report);
}

namespace {

/// Replays the history of a search up to its circuit, which is said to have this number of
/// operations.
FollowedHistories::Replayed replay_of(FollowedHistories& histories, const FakeSearch& search,
                                      std::size_t operations) {
  const auto circuit = std::make_shared<const Circuit>(search.circuit());
  return histories.replay({operations, search.history(), {}, [&] { return circuit; }});
}
FollowedHistories::Replayed replay_of(FollowedHistories& histories, const FakeSearch& search) {
  return replay_of(histories, search, search.circuit().operations.size());
}

}  // namespace

TEST_CASE("histories know which of them was replayed last", "[running certificate]") {
  test::Random random(11);
  FakeSearch stem;
  stem.go_on(random);
  FollowedHistories histories({&one_cnot_circuit, &one_cnot_circuit}, {}, {}, [] {});
  const auto replay = [&](const FakeSearch& search) {
    const FollowedHistories::Replayed now = replay_of(histories, search);
    CHECK(now.report.verdict == EquivalenceVerdict::equal);
  };
  CHECK_FALSE(histories.continues_last(stem.history()));
  replay(stem);
  FakeSearch first = stem;
  FakeSearch second = stem;
  first.go_on(random);
  second.go_on(random);
  CHECK(histories.continues_last(first.history()));
  CHECK(histories.continues_last(second.history()));
  replay(first);
  CHECK(histories.continues_last(first.history()));
  CHECK_FALSE(histories.follows(second.history()));
  replay(second);
  first.go_on(random);
  second.go_on(random);
  CHECK(histories.follows(first.history()));
  CHECK_FALSE(histories.continues_last(first.history()));
  CHECK(histories.continues_last(second.history()));
  replay(first);
  CHECK(histories.continues_last(first.history()));
}

TEST_CASE("histories that branch off are replayed from where they do", "[running certificate]") {
  constexpr std::size_t kPairs = 30'000;
  test::Random random(15);
  FollowedHistories histories({&one_cnot_circuit, &one_cnot_circuit}, {}, {}, [] {});
  const auto verdict_of = [&](const FakeSearch& search) {
    return replay_of(histories, search).report.verdict;
  };
  FakeSearch stem;
  for (int i = 0; i < 2; ++i) stem.come_and_go(kPairs);
  std::vector<FakeSearch> branches(4, stem);
  for (FakeSearch& branch : branches) {
    branch.go_on(random);
    branch.come_and_go(100);
    branch.go_on(random);
  }
  // The replay passes the end of the stem, where the other branches begin.
  CHECK(verdict_of(branches[0]) == EquivalenceVerdict::equal);
  for (std::size_t i = 1; i < branches.size(); ++i) {
    CHECK_FALSE(histories.follows(branches[i].history()));
    CHECK(histories.seconds_to(branches[i].history()) < histories.seconds_of(kPairs));
    if (i == 2) branches[i].claim(false);
    CHECK(verdict_of(branches[i]) ==
          (i == 2 ? EquivalenceVerdict::undecided : EquivalenceVerdict::equal));
  }
  for (const std::size_t i : {0, 1, 3}) {
    branches[i].go_on(random);
    CHECK(histories.follows(branches[i].history()));
    CHECK(verdict_of(branches[i]) == EquivalenceVerdict::equal);
  }
  FakeSearch other;
  other.come_and_go(kPairs);
  CHECK(histories.seconds_to(other.history()) > histories.seconds_of(2 * kPairs - 1));
  CHECK(verdict_of(other) == EquivalenceVerdict::equal);
}

TEST_CASE("the replay of a circuit is not copied if it has become large", "[running certificate]") {
  constexpr std::size_t kPairs = 30'000;
  test::Random random(16);
  FollowedHistories histories({&one_cnot_circuit, &one_cnot_circuit}, {}, {}, [] {});
  FakeSearch stem;
  for (int i = 0; i < 2; ++i) stem.come_and_go(kPairs);
  FakeSearch branch = stem;
  FakeSearch other = stem;
  branch.go_on(random);
  other.go_on(random);
  other.go_on(random);
  // A translation has more operations than the first circuit.
  for (const std::size_t operations : {std::size_t{1'000'000}, std::size_t{1'000}}) {
    CHECK(replay_of(histories, branch, operations).report.verdict == EquivalenceVerdict::equal);
    const bool is_copied = histories.seconds_to(other.history()) < histories.seconds_of(kPairs);
    CHECK(is_copied == (operations == 1'000));
    histories.clear();
  }
}

TEST_CASE("versions may come in any order and several times", "[running certificate]") {
  test::Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    RunningCertificate certificate(trial % 2 == 0 ? at_once() : at_end());
    std::vector<FakeSearch> versions(1);
    for (int i = 0; i < 30; ++i) {
      const bool fails = test::below(random, 20) == 0;
      FakeSearch next = versions[test::below(random, versions.size())];
      fails ? next.claim(test::below(random, 2) == 0) : next.go_on(random);
      versions.push_back(std::move(next));
      certificate.consider(versions[test::below(random, versions.size())].version());
    }
    const FakeSearch& last = versions[test::below(random, versions.size())];
    const auto is_equal = [](const Circuit& circuit) {
      return check_equivalence(one_cnot_circuit, circuit, {}).verdict == EquivalenceVerdict::equal;
    };
    const RunningCertificate::Outcome outcome = certificate.finish(last.result(), 60, {});
    if (outcome.report) CHECK(is_equal(last.circuit()));
    if (!is_equal(last.circuit())) CHECK_FALSE(outcome.report);
    if (certificate.certified() != nullptr) {
      CHECK(is_equal(certificate.certified()->found.circuit));
    }
  }
}

TEST_CASE("a result for which there is no time leaves what was certified before",
          "[running certificate]") {
  RunningCertificate certificate(at_once());
  test::Random random(6);
  FakeSearch search;
  search.go_on(random);
  certificate.consider(search.version());
  REQUIRE(certifies(certificate, search.circuit()));
  const Circuit before = search.circuit();
  search.go_on(random);
  SECTION("if the time is over") {
    const RunningCertificate::Outcome outcome = certificate.finish(search.result(), 0, {});
    CHECK_FALSE(outcome.report);
  }
  SECTION("if a stop is requested") {
    std::stop_source stop;
    stop.request_stop();
    const RunningCertificate::Outcome outcome =
        certificate.finish(search.result(), 60, stop.get_token());
    CHECK_FALSE(outcome.report);
    CHECK_THAT(outcome.reason, Catch::Contains("no time"));
  }
  CHECK(certificate.certified()->found.circuit == before);
}

TEST_CASE("a limit on the steps decides what is certified", "[running certificate]") {
  CertificateOptions options = at_end();
  options.replay.max_steps = 7;
  RunningCertificate certificate(options);
  test::Random random(7);
  FakeSearch search;
  Circuit within;
  for (int i = 0; i < 10; ++i) {
    if (circuit::steps_of(search.history().get()) == 7) within = search.circuit();
    certificate.consider(search.version());
    search.go_on(random);
  }
  CHECK_FALSE(certificate.finish(search.result(), 60, {}).report);
  REQUIRE(certificate.certified() != nullptr);
  CHECK(certificate.certified()->found.circuit == within);
}

TEST_CASE("a certificate survives the end of the memory", "[running certificate]") {
  RunningCertificate certificate(at_once());
  test::Random random(8);
  FakeSearch search;
  certificate.consider(search.version());
  REQUIRE(certifies(certificate, one_cnot_circuit));
  search.go_on(random);
  CertifiableCircuit version = search.version();
  version.form = []() -> circuit::DerivedCircuit { throw std::bad_alloc(); };
  certificate.consider(std::move(version));
  search.go_on(random);
  const RunningCertificate::Outcome outcome = certificate.finish(search.result(), 60, {});
  // The thread may not have come to the version before the end, which it then leaves out.
  if (!outcome.report) CHECK(outcome.reason == "out of memory");
  CHECK(certificate.certified()->found.circuit == one_cnot_circuit);
}

TEST_CASE("circuits are compared directly if that decides", "[running certificate]") {
  CertificateOptions options = at_once();
  options.share = 4;              // comparisons have a quarter of it
  std::vector<double> undecided;  // the times that comparisons had which did not decide
  options.compare = [&](const Circuit& circuit, double seconds, const std::stop_token&) {
    EquivalenceReport report;
    report.method = "comparison";
    if (circuit.operations.size() < 9) {
      report.verdict = EquivalenceVerdict::equal;
    } else {
      undecided.push_back(seconds);
    }
    return report;
  };
  RunningCertificate certificate(options);
  CHECK_FALSE(certificate.seconds_of_comparison());
  test::Random random(9);
  FakeSearch search;
  std::vector<std::string> methods;
  for (int i = 0; i < 5; ++i) {
    certificate.consider(search.version());
    REQUIRE(certifies(certificate, search.circuit()));
    methods.push_back(certificate.certified()->report.method);
    search.go_on(random);
  }
  CHECK(methods == std::vector<std::string>{"comparison", "comparison", "comparison",
                                            "replay of 3 rewrites", "replay of 4 rewrites"});
  CHECK(certificate.seconds_of_comparison());
  // After a comparison without a verdict, the next one has much more time.
  REQUIRE_FALSE(undecided.empty());
  for (std::size_t i = 1; i < undecided.size(); ++i) CHECK(undecided[i] >= 3 * undecided[i - 1]);
}

TEST_CASE("circuits are not compared directly if a replay is expected to take less time",
          "[running certificate]") {
  CertificateOptions options = at_once();
  options.share = 1e6;  // a comparison may take any time
  int comparisons = 0;  // that take longer than the replay of a few steps
  options.compare = [&](const Circuit&, double, const std::stop_token&) {
    ++comparisons;
    const double before = thread_seconds();
    while (thread_seconds() - before < 0.05) continue;
    EquivalenceReport report;
    report.verdict = EquivalenceVerdict::equal;
    report.method = "comparison";
    return report;
  };
  RunningCertificate certificate(options);
  test::Random random(12);
  FakeSearch search;
  for (int i = 0; i < 4; ++i) {
    certificate.consider(search.version());
    REQUIRE(certifies(certificate, search.circuit()));
    search.go_on(random);
  }
  CHECK(comparisons == 1);
  CHECK(certificate.certified()->report.method == "replay of 3 rewrites");
  CHECK(certificate.least_seconds_of_comparison() == 0);
}

TEST_CASE("circuits are compared directly if their history is not proved",
          "[running certificate]") {
  CertificateOptions options = at_once();
  options.share = 1e6;
  options.compare = [&](const Circuit& circuit, double, const std::stop_token&) {
    EquivalenceReport report;
    report.method = "comparison";
    if (circuit.operations.size() > 8) report.verdict = EquivalenceVerdict::equal;
    return report;
  };
  RunningCertificate certificate(options);
  test::Random random(13);
  FakeSearch search;
  search.claim(false);  // its first record is wrong, and its circuit is equal
  certificate.consider(search.version());
  REQUIRE(becomes([&] { return certificate.least_seconds_of_comparison() > 0; }));
  CHECK(certificate.certified() == nullptr);
  // The next comparison must have more time, which passes.
  REQUIRE(becomes([&] {
    search.go_on(random);
    certificate.consider(search.version());
    return certificate.certified() != nullptr;
  }));
  CHECK(certificate.certified()->report.method == "comparison");
}

TEST_CASE("a search follows one history if there is no time to replay another one",
          "[running certificate]") {
  const auto follows = [](CertificateOptions options, double seconds_at_end) {
    options.seconds_at_end = seconds_at_end;
    RunningCertificate certificate(std::move(options));
    test::Random random(14);
    FakeSearch search;
    CHECK_FALSE(certificate.follows_one_history());  // there are no steps
    for (int i = 0; i < 3; ++i) search.go_on(random);
    certificate.consider(search.version());
    REQUIRE(certifies(certificate, search.circuit()));
    return certificate.follows_one_history();
  };
  CHECK(follows(at_once(), 1e-9));
  CHECK_FALSE(follows(at_once(), 1e9));
  CertificateOptions options = at_once();
  options.share = 1e6;
  options.compare = [&](const Circuit&, double, const std::stop_token&) {
    EquivalenceReport report;
    report.verdict = EquivalenceVerdict::equal;
    return report;
  };
  CHECK_FALSE(follows(options, 1e-9));

  RunningCertificate certificate(at_end());
  FakeSearch search;
  certificate.consider(search.version());
  CHECK_FALSE(certificate.follows_one_history());
}

TEST_CASE("certifying may take more time until a gain is certified", "[running certificate]") {
  CertificateOptions options = at_once();
  options.share = 1e-9;  // the thread rests for years once it has certified a gain
  options.share_before_gain = 1;
  RunningCertificate certificate(options);
  test::Random random(14);
  FakeSearch search;
  certificate.consider(search.version());
  REQUIRE(certifies(certificate, search.circuit()));
  search.go_on(random);
  certificate.consider(search.version());
  REQUIRE(certifies(certificate, search.circuit()));
  search.go_on(random);
  CHECK(certificate.finish(search.result(), 60, {}).report);
}

TEST_CASE("certifying does not rest at the end of a search that it would not catch up with",
          "[running certificate]") {
  CertificateOptions options = at_once();
  options.share = 1e-9;  // else the thread rests for years after its first step
  options.seconds_of_search = 1e-9;
  RunningCertificate certificate(options);
  test::Random random(14);
  FakeSearch search;
  std::array<std::atomic<bool>, 4> has_begun{};
  for (std::size_t i = 0; i < has_begun.size(); ++i) {
    // The thread rests once all steps are replayed, and is late again with the next one.
    const Circuit before = search.circuit();
    search.go_on(random);
    CertifiableCircuit version = search.version();
    version.form = [&, i, form = version.form] {
      has_begun[i] = true;
      return form();
    };
    certificate.consider(std::move(version));
    REQUIRE(becomes([&] { return has_begun[i].load(); }));
    if (i > 0) CHECK(certifies(certificate, before));
  }
}

TEST_CASE("a certificate ends at once, whatever it is at", "[running certificate]") {
  CertificateOptions options = at_once();
  options.share = 1e-9;  // after its first step, the thread rests for years
  test::Random random(10);
  FakeSearch search;
  for (const bool finishes : {false, true}) {
    RunningCertificate certificate(options);
    std::atomic<bool> has_begun = false;
    CertifiableCircuit version = search.version();
    version.form = [&, form = version.form] {
      has_begun = true;
      return form();
    };
    certificate.consider(std::move(version));
    REQUIRE(becomes([&] { return has_begun.load(); }));
    search.go_on(random);
    // The rest ends with the search, so that the time suffices.
    if (finishes) CHECK(certificate.finish(search.result(), 60, {}).report);
  }
}
