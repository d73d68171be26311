#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "random_circuits.hpp"
#include "workflow/certificate/circuits_of_thread.hpp"
#include "workflow/certificate/followed_histories.hpp"
#include "workflow/certificate/running_certificate.hpp"

using namespace quartz;
using namespace quartz::workflow;
using circuit::GateNumber;
using circuit::HistoryPointer;

namespace {

const Circuit input =
    make_circuit(3, {make_operation(GateKind::t, {0}), make_operation(GateKind::cx, {0, 1}),
                     make_operation(GateKind::h, {1}), make_operation(GateKind::s, {2}),
                     make_operation(GateKind::cx, {2, 1}), make_operation(GateKind::h, {0})});

/// A chain of rewrites whose histories have the forms that those of annealing have: rewrites that
/// continue those of the version before, an order of the gates, and all of it in a part.
class Chain {
 public:
  Chain() { begin_log(); }

  /// Puts a pair of equal gates behind a random gate, or removes one.
  void go_on(test::Random& random) {
    const std::size_t place = test::below(random, gates_.size());
    if (place + 1 < gates_.size() && gates_[place] == gates_[place + 1] &&
        (gates_[place].gate == GateKind::x || gates_[place].gate == GateKind::h)) {
      replace(place, 2, {}, {});
      return;
    }
    const Operation gate = gates_[place];
    const auto kind = test::below(random, 2) == 0 ? GateKind::x : GateKind::h;
    const std::vector<Operation> after{gate, make_operation(kind, {gate.qubits[0]}),
                                       make_operation(kind, {gate.qubits[0]})};
    replace(place, 1, after, after);
  }
  /// Records a rewrite that is wrong.
  void claim() {
    replace(0, 1, {make_operation(GateKind::z, {0})}, {make_operation(GateKind::z, {0})});
  }
  /// Ends a list of rewrites: the next ones are a step of their own.
  void begin_log() {
    if (recorder_) {
      HistoryPointer log = finished_log();
      if (log != nullptr) done_ = circuit::in_sequence(done_, std::move(log));
    }
    recorder_.emplace(gates_.size(), recorded_gates_);
    numbers_.resize(gates_.size());
    std::iota(numbers_.begin(), numbers_.end(), 0U);
  }

  [[nodiscard]] HistoryPointer history() const {
    HistoryPointer own = circuit::in_sequence(done_, finished_log());
    if (own == nullptr) return nullptr;
    // An order that changes nothing, as annealing writes one behind each version.
    circuit::History::Part all;
    all.gates.resize(gates_.size());
    std::iota(all.gates.begin(), all.gates.end(), 0U);
    own = circuit::in_sequence(own, circuit::in_parts({all}));
    circuit::History::Part part;
    part.gates.resize(input.operations.size());
    std::iota(part.gates.begin(), part.gates.end(), 0U);
    part.history = own;
    return circuit::in_parts({part});
  }
  [[nodiscard]] Circuit circuit() const { return make_circuit(3, gates_); }
  [[nodiscard]] CertifiableCircuit version() const {
    CertifiableCircuit version;
    version.operations = gates_.size();
    version.steps = circuit::steps_of(history().get());
    version.form = [found = circuit::DerivedCircuit{
                        circuit(), circuit::Derivation::by(history())}] { return found; };
    return version;
  }

 private:
  [[nodiscard]] HistoryPointer finished_log() const {
    if (recorder_->is_empty()) return nullptr;
    return circuit::HistoryRecorder(*recorder_).finish(numbers_);
  }
  void replace(std::size_t place, std::size_t count, const std::vector<Operation>& recorded,
               const std::vector<Operation>& after) {
    const auto first = static_cast<std::ptrdiff_t>(place);
    const auto last = static_cast<std::ptrdiff_t>(place + count);
    const GateNumber next = recorder_->next_number();
    recorder_->rewrite(std::vector(numbers_.begin() + first, numbers_.begin() + last), {},
                       recorded);
    std::vector<GateNumber> numbers(recorded.size());
    std::iota(numbers.begin(), numbers.end(), next);
    numbers_.erase(numbers_.begin() + first, numbers_.begin() + last);
    numbers_.insert(numbers_.begin() + first, numbers.begin(), numbers.end());
    gates_.erase(gates_.begin() + first, gates_.begin() + last);
    gates_.insert(gates_.begin() + first, after.begin(), after.end());
  }

  std::vector<Operation> gates_ = input.operations;
  std::vector<GateNumber> numbers_;
  std::shared_ptr<circuit::RecordedGates> recorded_gates_ =
      std::make_shared<circuit::RecordedGates>();
  std::optional<circuit::HistoryRecorder> recorder_;
  HistoryPointer done_;
};

/// Versions of a chain with more and more steps.
std::vector<CertifiableCircuit> versions_of(Chain& chain, test::Random& random, int count) {
  std::vector<CertifiableCircuit> versions;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t steps = 1 + test::below(random, 20);
    for (std::uint32_t step = 0; step < steps; ++step) {
      chain.go_on(random);
      if (test::below(random, 10) == 0) chain.begin_log();
    }
    versions.push_back(chain.version());
  }
  return versions;
}

/// Replays the history of a version, divided at other versions for a number of threads.
FollowedHistories::Replayed replay(FollowedHistories& histories, const CertifiableCircuit& version,
                                   const std::vector<CertifiableCircuit>& versions,
                                   unsigned threads, std::size_t* parts = nullptr) {
  const circuit::DerivedCircuit found = version.form();
  const HistoryPointer& history = found.derivation.history();
  FollowedHistories::Division division = histories.divided(history, versions, {threads, 0});
  if (parts != nullptr) *parts = division.size();
  return histories.replay({found.circuit, history, version.permutation}, std::move(division));
}

FollowedHistories histories_with(std::function<void()> after_block = [] {}) {
  return {{&input, &input}, {}, {}, std::move(after_block)};
}

/// Returns a version whose circuit has been changed by a function.
CertifiableCircuit changed(const CertifiableCircuit& version,
                           const std::function<void(circuit::DerivedCircuit&)>& change) {
  circuit::DerivedCircuit found = version.form();
  change(found);
  CertifiableCircuit result = version;
  result.form = [found] { return found; };
  return result;
}

}  // namespace

TEST_CASE("a history in parts is certified as in one, by any number of threads",
          "[history parts]") {
  test::Random random(21);
  for (int trial = 0; trial < 20; ++trial) {
    Chain chain;
    const std::vector<CertifiableCircuit> versions = versions_of(chain, random, 30);
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
      FollowedHistories histories = histories_with();
      std::size_t parts = 0;
      const FollowedHistories::Replayed now =
          replay(histories, versions.back(), versions, threads, &parts);
      CHECK((parts > 1) == (threads > 1));
      CHECK(now.report.verdict == EquivalenceVerdict::equal);
      CHECK(now.report.method ==
            "replay of " + std::to_string(versions.back().steps) + " rewrites");
      CHECK(now.steps == versions.back().steps);
      CHECK_FALSE(now.reached);
      CHECK(now.interruption == nullptr);
    }
  }
}

TEST_CASE("a replay in parts is followed further", "[history parts]") {
  test::Random random(22);
  for (int trial = 0; trial < 20; ++trial) {
    Chain chain;
    FollowedHistories histories = histories_with();
    std::vector<CertifiableCircuit> versions = versions_of(chain, random, 1);
    CHECK(replay(histories, versions.back(), {}, 1).report.verdict == EquivalenceVerdict::equal);
    for (int round = 0; round < 4; ++round) {
      versions = versions_of(chain, random, 12);
      const HistoryPointer history = chain.history();
      CHECK(histories.continues_last(history));
      std::size_t parts = 0;
      const FollowedHistories::Replayed now =
          replay(histories, versions.back(), versions, 2, &parts);
      CHECK(parts > 1);
      CHECK(now.report.verdict == EquivalenceVerdict::equal);
      CHECK(now.report.method ==
            "replay of " + std::to_string(versions.back().steps) + " rewrites");
      CHECK(histories.last_steps() == versions.back().steps);
    }
  }
}

TEST_CASE("a wrong step in a part leaves what is before that part", "[history parts]") {
  test::Random random(23);
  for (int trial = 0; trial < 20; ++trial) {
    Chain chain;
    std::vector<CertifiableCircuit> versions = versions_of(chain, random, 10);
    const std::uint64_t right = versions.back().steps;
    chain.claim();
    for (const CertifiableCircuit& each : versions_of(chain, random, 10)) versions.push_back(each);
    for (const unsigned threads : {1U, 2U, 4U}) {
      FollowedHistories histories = histories_with();
      const FollowedHistories::Replayed now = replay(histories, versions.back(), versions, threads);
      CHECK(now.report.verdict == EquivalenceVerdict::undecided);
      CHECK_THAT(now.report.witness,
                 Catch::Contains("step " + std::to_string(right + 1) + ": the two sides"));
      CHECK(now.steps == right);
      CHECK(now.reached.has_value() == (threads > 1));
      if (!now.reached) continue;
      CHECK(now.reached->version.steps <= right);
      CHECK(now.report_of_reached.verdict == EquivalenceVerdict::equal);
      CHECK(check_equivalence(input, now.reached->found.circuit, {}).verdict ==
            EquivalenceVerdict::equal);
      // Nothing behind the wrong step is certified later.
      CHECK(replay(histories, versions.back(), versions, threads).report.verdict ==
            EquivalenceVerdict::undecided);
    }
  }
}

TEST_CASE("a wrong circuit on the way is refused", "[history parts]") {
  test::Random random(24);
  const std::vector<std::function<void(circuit::DerivedCircuit&)>> changes{
      [](circuit::DerivedCircuit& found) { found.circuit.operations.back().gate = GateKind::y; },
      [](circuit::DerivedCircuit& found) {
        found.circuit.operations.front() = make_operation(GateKind::tdg, {0});
      },
      [](circuit::DerivedCircuit& found) { found.circuit.operations.front().qubits.front() = 2; }};
  for (int trial = 0; trial < 15; ++trial) {
    Chain chain;
    std::vector<CertifiableCircuit> versions = versions_of(chain, random, 12);
    for (CertifiableCircuit& each : versions) {
      if (&each != &versions.back()) {
        each = changed(each, changes[static_cast<std::size_t>(trial) % changes.size()]);
      }
    }
    FollowedHistories histories = histories_with();
    const FollowedHistories::Replayed now = replay(histories, versions.back(), versions, 2);
    CHECK(now.report.verdict == EquivalenceVerdict::undecided);
    CHECK_FALSE(now.reached);
  }
}

TEST_CASE("the phases of circuits on the way cancel, that of the last one does not",
          "[history parts]") {
  test::Random random(25);
  Chain chain;
  std::vector<CertifiableCircuit> versions = versions_of(chain, random, 12);
  const auto turn = [](circuit::DerivedCircuit& found) {
    found.circuit.global_phase.add_phase(Angle::pi_times(Rational(1, 4)));
  };
  for (CertifiableCircuit& each : versions) each = changed(each, turn);
  FollowedHistories histories = histories_with();
  const FollowedHistories::Replayed now = replay(histories, versions.back(), versions, 2);
  CHECK(now.report.verdict == EquivalenceVerdict::equal_up_to_phase);
  REQUIRE(now.report.phase);
  CHECK(*now.report.phase == Approx(0.7853981633974483));
}

TEST_CASE("circuits that are not on the way do not divide a history", "[history parts]") {
  test::Random random(26);
  Chain stem;
  (void)versions_of(stem, random, 2);
  Chain other = stem;
  Chain chain = stem;
  const std::vector<CertifiableCircuit> others = versions_of(other, random, 12);
  const CertifiableCircuit last = versions_of(chain, random, 12).back();
  FollowedHistories histories = histories_with();
  std::size_t parts = 0;
  CHECK(replay(histories, last, others, 2, &parts).report.verdict == EquivalenceVerdict::equal);
  CHECK(parts == 1);
}

TEST_CASE("a replay that is interrupted leaves the parts that are certified", "[history parts]") {
  test::Random random(27);
  struct Over {};
  for (int blocks = 0; blocks < 8; ++blocks) {
    Chain chain;
    const std::vector<CertifiableCircuit> versions = versions_of(chain, random, 30);
    std::atomic<int> left = blocks;
    FollowedHistories histories = histories_with([&] {
      if (left-- <= 0) throw Over();
    });
    const FollowedHistories::Replayed now = replay(histories, versions.back(), versions, 2);
    if (now.interruption == nullptr) {
      CHECK(now.report.verdict == EquivalenceVerdict::equal);
      continue;
    }
    CHECK_THROWS_AS(std::rethrow_exception(now.interruption), Over);
    CHECK(now.report.verdict == EquivalenceVerdict::undecided);
    if (now.reached) {
      CHECK(now.report_of_reached.verdict == EquivalenceVerdict::equal);
      CHECK(check_equivalence(input, now.reached->found.circuit, {}).verdict ==
            EquivalenceVerdict::equal);
    }
    // What is left can be used.
    left = 1'000;
    CHECK(replay(histories, versions.back(), versions, 2).report.verdict ==
          EquivalenceVerdict::equal);
  }
}

TEST_CASE("a certificate divides the history of a result among threads", "[history parts]") {
  test::Random random(28);
  for (const bool fails : {false, true}) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      Chain chain;
      CertificateOptions options{.circuits = {&input, &input}, .threads = threads};
      options.steps_of_part = 2;
      RunningCertificate certificate(options);
      for (const CertifiableCircuit& each : versions_of(chain, random, 10)) {
        certificate.consider(each);
      }
      const Circuit right = chain.circuit();
      if (fails) chain.claim();
      for (const CertifiableCircuit& each : versions_of(chain, random, 10)) {
        certificate.consider(each);
      }
      const Circuit last = chain.circuit();
      const RunningCertificate::Outcome outcome =
          certificate.finish({&last, chain.history(), {}}, 60, {});
      CHECK(outcome.report.has_value() == !fails);
      if (!fails) continue;
      CHECK_THAT(outcome.reason, Catch::Contains("the two sides are not proved equal"));
      REQUIRE(certificate.certified() != nullptr);
      CHECK(certificate.certified()->found.circuit == right);
    }
  }
}

TEST_CASE("circuits that are only on the way divide a history and are no results",
          "[history parts]") {
  test::Random random(29);
  for (const unsigned threads : {2U, 4U}) {
    Chain chain;
    std::vector<CertifiableCircuit> versions = versions_of(chain, random, 10);
    const std::size_t last_result = 4;
    for (std::size_t i = last_result + 1; i < versions.size(); ++i) {
      versions[i].is_only_on_the_way = true;
    }
    FollowedHistories whole = histories_with();
    std::size_t parts = 0;
    CHECK(replay(whole, versions.back(), versions, threads, &parts).report.verdict ==
          EquivalenceVerdict::equal);
    CHECK(parts > 1);
    chain.claim();
    const CertifiableCircuit wrong = versions_of(chain, random, 1).back();
    FollowedHistories histories = histories_with();
    const FollowedHistories::Replayed now = replay(histories, wrong, versions, threads);
    CHECK(now.report.verdict == EquivalenceVerdict::undecided);
    if (now.reached) CHECK(now.reached->version.steps <= versions[last_result].steps);
  }
}

TEST_CASE("a certificate divides a history at circuits that are only on the way",
          "[history parts]") {
  test::Random random(30);
  // 0: all is right, 1: the result is wrong, 2: circuits on the way are wrong
  for (const int kind : {0, 1, 2}) {
    Chain chain;
    CertificateOptions options{.circuits = {&input, &input}, .threads = 2};
    options.steps_of_part = 2;
    RunningCertificate certificate(options);
    const std::uint64_t first = certificate.consider(versions_of(chain, random, 1).back());
    const Circuit best = chain.circuit();
    for (CertifiableCircuit each : versions_of(chain, random, 12)) {
      if (kind == 2) {
        each = changed(each, [](circuit::DerivedCircuit& found) {
          found.circuit.operations.front() = make_operation(GateKind::tdg, {0});
        });
      }
      certificate.consider_on_the_way(each);
    }
    // The best circuit of a thread that is as good as the first one of all.
    CertifiableCircuit best_of_thread = versions_of(chain, random, 1).back();
    const Circuit last_right = chain.circuit();
    best_of_thread.rank = first;
    if (kind != 2) certificate.consider_on_the_way(best_of_thread);
    if (kind == 1) chain.claim();
    (void)versions_of(chain, random, 1);
    const Circuit last = chain.circuit();
    const RunningCertificate::Outcome outcome =
        certificate.finish({&last, chain.history(), {}}, 60, {});
    CHECK(outcome.report.has_value() == (kind == 0));
    if (kind == 0) continue;
    REQUIRE(certificate.certified() != nullptr);
    const Circuit& certified = certificate.certified()->found.circuit;
    CHECK((certified == best || (kind == 1 && certified == last_right)));
  }
}

TEST_CASE("a certificate follows another thread whose circuit all threads continue",
          "[history parts]") {
  test::Random random(31);
  for (const double share : {0.0, 0.05, 1.0}) {
    Chain loser;
    const CertifiableCircuit start = versions_of(loser, random, 1).back();
    Chain winner = loser;
    CertificateOptions options{
        .circuits = {&input, &input}, .share = share, .first_seconds = 0, .threads = 2};
    options.steps_of_part = 2;
    RunningCertificate certificate(options);
    certificate.consider(start);
    for (const CertifiableCircuit& each : versions_of(loser, random, 20)) {
      certificate.consider(each);
    }
    std::thread([&] {
      for (CertifiableCircuit each : versions_of(winner, random, 20)) {
        certificate.consider_on_the_way(std::move(each));
      }
    }).join();
    certificate.consider(winner.version());
    for (const CertifiableCircuit& each : versions_of(winner, random, 20)) {
      certificate.consider(each);
    }
    const Circuit last = winner.circuit();
    const RunningCertificate::Outcome outcome =
        certificate.finish({&last, winner.history(), {}}, 60, {});
    REQUIRE(outcome.report);
    CHECK(outcome.report->verdict == EquivalenceVerdict::equal);
  }
}

TEST_CASE("circuits of a thread are kept at equal distances", "[history parts]") {
  CircuitsOfThread circuits(10);
  const auto add = [&](std::uint64_t steps) {
    CertifiableCircuit circuit;
    circuit.operations = 1;
    circuit.steps = steps;
    circuits.add(std::move(circuit), 20);
  };
  CHECK_FALSE(circuits.next(0, 1000));
  for (std::uint64_t steps = 5; steps < 1000; steps += 7) add(steps);
  CHECK(circuits.all().size() <= 20);
  CHECK(circuits.all().size() >= 8);
  CHECK(circuits.all().back().steps == 999);
  for (std::size_t i = 2; i + 1 < circuits.all().size(); ++i) {
    CHECK(circuits.all()[i].steps - circuits.all()[i - 1].steps <= 200);
  }
  CHECK(circuits.next(500, 300)->steps > 500);
  CHECK(circuits.next(500, 300)->steps <= 800);
  CHECK(circuits.next(500, 1)->steps > 500);
  CHECK_FALSE(circuits.next(999, 300));
  add(400);  // its history is another one
  CHECK(circuits.all().back().steps == 400);
  circuits.remove_up_to(399);
  CHECK(circuits.all().size() == 1);
  circuits.remove_beyond(399);
  CHECK(circuits.all().empty());
}
