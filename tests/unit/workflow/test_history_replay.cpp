#include <catch2/catch.hpp>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "quartz/target/gate_set.hpp"
#include "target/translation.hpp"
#include "workflow/certificate/history_replay.hpp"

using namespace quartz;
using namespace quartz::workflow;

namespace {

/// A circuit whose translation has a journal of several blocks.
Circuit long_circuit() {
  constexpr std::size_t kGates = 200'000;
  std::vector<Operation> operations;
  operations.reserve(kGates);
  for (std::size_t i = 0; i < kGates; ++i) {
    operations.push_back(make_operation(GateKind::h, {static_cast<Qubit>(i % 3)}));
  }
  return make_circuit(3, std::move(operations));
}

struct Replayed {
  ReplayReport report;
  std::size_t blocks = 0;
  bool has_failed = false;
  double seconds_of_others = 0;
};

Replayed replayed(const Circuit& circuit, const circuit::DerivedCircuit& translated,
                  ReplayThreads threads, const ReplayOptions& options = {}) {
  Replayed result;
  HistoryReplay replay(circuit, circuit, options, [&] { ++result.blocks; });
  replay.continue_to(translated.derivation.history(), threads);
  result.report = replay.report_for(translated.circuit, {});
  result.has_failed = replay.has_failed();
  result.seconds_of_others = replay.seconds_of_others();
  // A copy goes on from there, without the thread.
  const std::size_t blocks = result.blocks;
  HistoryReplay copy(replay);
  copy.continue_to(translated.derivation.history(), threads);
  CHECK(copy.has_failed() == result.has_failed);
  result.blocks = blocks;
  return result;
}

}  // namespace

TEST_CASE("A history is replayed on another thread as it is on its own") {
  const Circuit circuit = long_circuit();
  const circuit::DerivedCircuit translated =
      target::translated(circuit, load_gate_set("ibm_heron"));
  const Replayed one = replayed(circuit, translated, ReplayThreads::one);
  const Replayed two = replayed(circuit, translated, ReplayThreads::two);
  CHECK(one.report.is_certified);
  CHECK(two.report.is_certified);
  CHECK(one.report.steps == circuit.operations.size());
  CHECK(two.report.steps == one.report.steps);
  CHECK(two.report.phase == one.report.phase);
  CHECK(two.report.distinct_steps == one.report.distinct_steps);
  CHECK(one.blocks > 2);
  CHECK(two.blocks == one.blocks);
  CHECK(one.seconds_of_others == 0);
  CHECK(two.seconds_of_others > 0);
}

TEST_CASE("What another thread cannot prove is said on the first one") {
  const Circuit circuit = long_circuit();
  const circuit::DerivedCircuit translated =
      target::translated(circuit, load_gate_set("ibm_heron"));
  ReplayOptions options;
  options.max_steps = 1000;
  const Replayed two = replayed(circuit, translated, ReplayThreads::two, options);
  CHECK(two.has_failed);
  CHECK(two.blocks == replayed(circuit, translated, ReplayThreads::two).blocks +
                          1);  // asked once more at the end
  CHECK_FALSE(two.report.is_certified);
  CHECK(two.report.steps == 1000);
  CHECK(two.report.fault ==
        replayed(circuit, translated, ReplayThreads::one, options).report.fault);
}

TEST_CASE("A replay on another thread ends with what its caller throws") {
  const Circuit circuit = long_circuit();
  const circuit::DerivedCircuit translated =
      target::translated(circuit, load_gate_set("ibm_heron"));
  std::size_t blocks = 0;
  HistoryReplay replay(circuit, circuit, {}, [&] {
    if (++blocks == 2) throw std::runtime_error("enough");
  });
  CHECK_THROWS_WITH(replay.continue_to(translated.derivation.history(), ReplayThreads::two),
                    "enough");
}
