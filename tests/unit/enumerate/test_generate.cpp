#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "alphabets.hpp"
#include "enumerate/generation.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/unitary.hpp"
#include "temporary_folder.hpp"
#include "thread_ranks.hpp"

using namespace quartz;
using namespace quartz::enumerate;
using namespace quartz::fingerprint;

namespace {

/// A prover that always returns the same verdict, for tests in which the proof does not matter.
class TellingProver final : public Prover {
 public:
  explicit TellingProver(ProofVerdict verdict) : verdict_(verdict) {}
  [[nodiscard]] std::string_view name() const override { return "telling"; }
  [[nodiscard]] ProofResult prove(const Claim&) override { return {verdict_, "because"}; }

 private:
  ProofVerdict verdict_;
};

GenerationParts parts_with(ProofVerdict verdict) {
  return {[verdict] { return std::make_unique<TellingProver>(verdict); }};
}

GenerationParts exact_parts() {
  return {[] { return make_exact_prover(); }};
}

GenerateOptions options_for(unsigned gates, unsigned qubits) {
  GenerateOptions options;
  options.gates = gates;
  options.qubits = qubits;
  return options;
}

/// Checks numerically that unitary(member) = e^{i phase} unitary(representative).
void check_phases(const RuleSet& rules) {
  const Bindings bindings = {{"p0", 0.7312}, {"p1", 1.9347}};
  for (const EquivalenceClass& equal : rules.classes) {
    REQUIRE(equal.members.size() >= 2);
    REQUIRE(equal.members[0].phase.is_zero());
    const std::vector<Complex> first = unitary_of(equal.members[0].gates, rules.qubits, bindings);
    for (const ClassMember& member : equal.members) {
      const std::vector<Complex> other = unitary_of(member.gates, rules.qubits, bindings);
      const Complex phase = std::polar(1.0, member.phase.value(bindings));
      for (std::size_t i = 0; i < first.size(); ++i) {
        REQUIRE(std::abs(other[i] - phase * first[i]) < 1e-9);
      }
    }
  }
}

}  // namespace

TEST_CASE("generation produces a rule set proved by Z3") {
  const GenerateResult result = generate(nam(), options_for(2, 3));
  CHECK(result.report.circuits_enumerated == 466);
  CHECK(result.report.classes_enumerated == 397);
  CHECK(result.report.proofs.tried == 69);
  CHECK(result.report.proofs.proved == 69);
  CHECK(result.report.proofs.unknown == 0);
  CHECK(result.report.fingerprint_collisions == 0);
  CHECK(result.report.proofs.method.substr(0, 3) == "z3 ");
  CHECK(result.rules.gate_set == "nam");
  CHECK(result.rules.gate_set_digest == "of a test");
  CHECK(result.rules.gates == 2);
  CHECK(result.rules.qubits == 3);
  CHECK(result.rules.parameters == 2);
  CHECK(result.report.classes == result.rules.classes.size());
  CHECK(result.report.circuits == result.rules.circuit_count());
  CHECK(result.report.rules == result.rules.rule_count());
  CHECK(result.rules.rule_count() > 0);
  std::vector<std::string> phases;
  for (const auto& [phase, seconds] : result.report.seconds) {
    phases.push_back(phase);
    CHECK(seconds >= 0);
  }
  CHECK(phases == std::vector<std::string>{"enumerate", "phases", "prove", "prune"});
  check_phases(result.rules);
}

TEST_CASE("the phases of equal circuits are exact, including constants") {
  check_phases(generate_with(exact_parts(), nam(), options_for(3, 2)).rules);
  check_phases(generate_with(exact_parts(), nam_constants(), options_for(3, 2)).rules);
}

TEST_CASE("a rule set does not depend on threads, and on the seed only in its own field") {
  GenerateOptions options = options_for(3, 3);
  options.threads = 1;
  const std::string expected = write_rule_set(generate_with(exact_parts(), nam(), options).rules);
  for (const unsigned threads : {2U, 5U}) {
    options.threads = threads;
    CHECK(write_rule_set(generate_with(exact_parts(), nam(), options).rules) == expected);
  }
  options.seed = 12345;
  RuleSet other = generate_with(exact_parts(), nam(), options).rules;
  CHECK(other.seed == 12345);
  other.seed = 0;
  CHECK(write_rule_set(other) == expected);
}

TEST_CASE("unproved equalities are omitted and counted") {
  const GenerateResult result =
      generate_with(parts_with(ProofVerdict::unknown), nam(), options_for(2, 2));
  CHECK(result.report.proofs.tried > 0);
  CHECK(result.report.proofs.unknown == result.report.proofs.tried);
  CHECK(result.report.proofs.proved == 0);
  CHECK(result.rules.classes.empty());
  CHECK(result.report.proofs.method == "telling");
}

TEST_CASE("unproved equalities are listed with the reason, shortest first") {
  const GenerateReport report =
      generate_with(parts_with(ProofVerdict::unknown), nam(), options_for(2, 2)).report;
  REQUIRE(report.unknown.size() == report.proofs.tried);
  for (std::size_t i = 0; i < report.unknown.size(); ++i) {
    CHECK(report.unknown[i].reason == "because");
    CHECK_FALSE(report.unknown[i].circuit == report.unknown[i].representative);
    if (i != 0) CHECK(report.unknown[i - 1].circuit.size() <= report.unknown[i].circuit.size());
  }
}

TEST_CASE("claims that differ only in names are proved once") {
  const GenerateReport report = generate_with(exact_parts(), nam(), options_for(3, 3)).report;
  CHECK(report.proofs.proved == 290);
  CHECK(report.proofs_known == 0);
  CHECK(report.proofs_made > 0);
  CHECK(report.proofs_made < 290 / 3);
}

TEST_CASE("a run with a checkpoint gives the same rule set wherever it was interrupted") {
  const test::TemporaryFolder folder;
  GenerateOptions options = options_for(3, 3);
  const GenerateResult expected = generate_with(exact_parts(), nam(), options);
  const std::string bytes = write_rule_set(expected.rules);
  options.checkpoint = folder / "a" / "checkpoint";
  const GenerateResult first = generate_with(exact_parts(), nam(), options);
  CHECK(write_rule_set(first.rules) == bytes);
  CHECK(first.report.proofs_made == expected.report.proofs_made);
  const std::string proofs = read_text_file(options.checkpoint / "proofs");
  for (const std::size_t part : {4U, 3U, 2U, 1U}) {
    write_text_file(options.checkpoint / "proofs", proofs.substr(0, proofs.size() / 4 * part));
    const GenerateResult again = generate_with(exact_parts(), nam(), options);
    CHECK(write_rule_set(again.rules) == bytes);
    CHECK(again.report.proofs_made + again.report.proofs_known == first.report.proofs_made);
  }
  const GenerateReport last = generate_with(exact_parts(), nam(), options).report;
  CHECK(last.proofs_made == 0);
  std::string damaged = proofs;
  damaged[proofs.size() / 2] = '#';
  write_text_file(options.checkpoint / "proofs", damaged);
  CHECK_THROWS_WITH(generate_with(exact_parts(), nam(), options), Catch::Contains("damaged"));
}

TEST_CASE("ranks generate the same rule set and prove no claim twice", "[ranks]") {
  const test::TemporaryFolder folder;
  const GenerateResult alone = generate(nam(), options_for(3, 3));
  const std::string expected = write_rule_set(alone.rules);
  for (unsigned size = 1; size <= 4; ++size) {
    INFO(size << " ranks");
    const std::filesystem::path checkpoint = folder / std::to_string(size);
    const auto run = [&] {
      std::vector<GenerateResult> results(size);
      test::run_on_ranks(size, [&](Communicator& ranks) {
        GenerateOptions options = options_for(3, 3);
        options.threads = 1 + ranks.rank() % 2;
        options.ranks = &ranks;
        options.checkpoint = checkpoint;
        results[ranks.rank()] = generate(nam(), options);
      });
      return results;
    };
    const std::vector<GenerateResult> made = run();
    CHECK(write_rule_set(made[0].rules) == expected);
    CHECK(made[0].report.proofs_made == alone.report.proofs_made);
    for (unsigned rank = 1; rank < size; ++rank) CHECK(made[rank].rules.classes.empty());
    // The first rank has the checkpoint.
    const GenerateResult again = run()[0];
    CHECK(write_rule_set(again.rules) == expected);
    CHECK(again.report.proofs_made == 0);
    CHECK(again.report.proofs_known == alone.report.proofs_made);
  }
}

TEST_CASE("ranks use the results of each other's provers", "[ranks]") {
  std::atomic<unsigned> asked = 0;
  /// Counts its claims, and cannot prove long ones.
  class CountingProver final : public Prover {
   public:
    explicit CountingProver(std::atomic<unsigned>& asked) : asked_(asked) {}
    [[nodiscard]] std::string_view name() const override { return "counting"; }
    [[nodiscard]] ProofResult prove(const Claim& claim) override {
      ++asked_;
      if (claim.left.size() < 3) return {ProofVerdict::proved, {}};
      return {ProofVerdict::unknown, "too long"};
    }

   private:
    std::atomic<unsigned>& asked_;
  };
  const GenerationParts parts{[&] { return std::make_unique<CountingProver>(asked); }};
  const GenerateResult alone = generate_with(parts, nam(), options_for(3, 2));
  const unsigned asked_alone = asked.exchange(0);
  REQUIRE(alone.report.unknown.size() > 0);
  GenerateResult shared;
  test::run_on_ranks(3, [&](Communicator& ranks) {
    GenerateOptions options = options_for(3, 2);
    options.threads = 1;
    options.ranks = &ranks;
    GenerateResult result = generate_with(parts, nam(), options);
    if (ranks.rank() == 0) shared = std::move(result);
  });
  CHECK(asked == asked_alone);
  CHECK(write_rule_set(shared.rules) == write_rule_set(alone.rules));
  REQUIRE(shared.report.unknown.size() == alone.report.unknown.size());
  CHECK(shared.report.unknown[0].reason == "too long");
}

TEST_CASE("a rank whose prover refutes a claim ends the work of all", "[ranks]") {
  CHECK_THROWS_AS(test::run_on_ranks(2,
                                     [&](Communicator& ranks) {
                                       GenerateOptions options = options_for(2, 2);
                                       options.ranks = &ranks;
                                       static_cast<void>(generate_with(
                                           parts_with(ProofVerdict::refuted), nam(), options));
                                     }),
                  InternalError);
}

TEST_CASE("a prover that refutes an exact equality is an internal error") {
  CHECK_THROWS_AS(generate_with(parts_with(ProofVerdict::refuted), nam(), options_for(2, 2)),
                  InternalError);
}

TEST_CASE("colliding fingerprints are detected and counted, and their class is split") {
  GenerationParts parts = exact_parts();
  const GenerateOptions options = options_for(2, 3);
  const Letters letters = letters_of(nam(), 3);
  ProgressReport progress({});
  for (const FingerprintKey mask : {FingerprintKey{0}, FingerprintKey{0xff}}) {
    parts.first_key_mask = mask;
    const ExactEnumeration exact = enumerate_exactly(letters, options, parts, progress);
    CHECK(exact.collisions == 1);
    CHECK(exact.enumeration.representatives.size() == 397);
    CHECK(exact.phases.size() == 69);
  }
  parts.first_key_mask = ~FingerprintKey{0};
  CHECK(enumerate_exactly(letters, options, parts, progress).collisions == 0);
}

TEST_CASE("generation reports its phases, one report at a time") {
  GenerateOptions options = options_for(2, 3);
  options.threads = 3;
  std::mutex mutex;
  std::map<std::string, int> reports;
  options.on_progress = [&](const GenerateProgress& progress) {
    const std::unique_lock lock(mutex, std::try_to_lock);
    if (!lock.owns_lock()) ++reports["two at once"];
    ++reports[progress.phase];
  };
  static_cast<void>(generate_with(exact_parts(), nam(), options));
  CHECK(reports["enumerate"] >= 1);
  CHECK(reports.count("two at once") == 0);
}

TEST_CASE("generation can be stopped in every phase") {
  std::stop_source source;
  GenerateOptions options = options_for(2, 3);
  options.stop = source.get_token();

  // While proving: the prover itself requests the stop.
  class StoppingProver final : public Prover {
   public:
    explicit StoppingProver(std::stop_source& source) : source_(source) {}
    [[nodiscard]] std::string_view name() const override { return "stopping"; }
    [[nodiscard]] ProofResult prove(const Claim&) override {
      source_.request_stop();
      return {ProofVerdict::proved, {}};
    }

   private:
    std::stop_source& source_;
  };
  const GenerationParts parts{[&source] { return std::make_unique<StoppingProver>(source); }};
  CHECK_THROWS_MATCHES(generate_with(parts, nam(), options), Stopped,
                       Catch::Message("stopped while proving equalities"));
  // At the beginning: the stop was requested before.
  CHECK_THROWS_MATCHES(generate_with(parts, nam(), options), Stopped,
                       Catch::Message("stopped while enumerating circuits"));
}

TEST_CASE("rules have constants with more digits than 64 bits hold") {
  const GateSet set = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "constant",
          "gates": [{"gate": "h"}, {"gate": "rz"}],
          "alphabet": {"parameters": 1, "expressions": ["p0", "1e300", "1e-320"]}})",
      "constant.json");
  const RuleSet rules = generate_with(exact_parts(), set, options_for(2, 1)).rules;
  const std::string text = write_rule_set(rules);
  CHECK(write_rule_set(parse_rule_set(text, "rules.json")) == text);
  CHECK(rules.rule_count() > 0);
}

TEST_CASE("invalid sizes are refused") {
  CHECK_THROWS_AS(generate(nam(), options_for(2, 0)), UsageError);
  CHECK_THROWS_AS(generate(nam(), options_for(2, 4000000000U)), UsageError);
  CHECK(generate_with(exact_parts(), nam(), options_for(0, 3)).rules.classes.empty());
}
