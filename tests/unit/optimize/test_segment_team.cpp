#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gate_set_circuits.hpp"
#include "journal/history_writer.hpp"
#include "optimize/local_optimality/segment_job.hpp"
#include "optimize/local_optimality/segment_messages.hpp"
#include "optimize/local_optimality/segment_service.hpp"
#include "optimize/local_optimality/shifted_segments.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/optimize/search_workers.hpp"
#include "quartz/target/gate_set.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"
#include "small_table.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

namespace {

/// What a worker does with its tasks.
enum class Conduct : std::uint8_t { answers, dies, answers_nonsense };

/// A search's workers, each of which is a SegmentService of this process.
class ServiceWorkers final : public SearchWorkers {
 public:
  ServiceWorkers(const GateSet& set, std::shared_ptr<const ClassTable> table,
                 std::vector<Conduct> conducts)
      : set_(set), table_(std::move(table)), conducts_(std::move(conducts)) {}

  [[nodiscard]] unsigned threads() const override {
    return static_cast<unsigned>(conducts_.size());
  }
  [[nodiscard]] bool begin(std::string job, SearchTasks& tasks) override {
    if (thread_.joinable()) return false;
    thread_ = std::jthread([this, job = std::move(job), &tasks](const std::stop_token& stop) {
      serve(job, tasks, stop);
    });
    return true;
  }
  void end() override {
    thread_.request_stop();
    thread_.join();
  }
  [[nodiscard]] unsigned answers() const { return answers_; }
  [[nodiscard]] unsigned refused() const { return refused_; }

 private:
  void serve(const std::string& job, SearchTasks& tasks, const std::stop_token& stop) {
    std::vector<std::unique_ptr<SegmentService>> services;
    for (std::size_t i = 0; i < conducts_.size(); ++i) {
      services.push_back(std::make_unique<SegmentService>(
          job, set_, 1, [this](const ClassTableOptions&) { return table_; },
          std::uint64_t{1} << 26U));
    }
    std::vector<std::vector<std::uint64_t>> begun(conducts_.size());
    while (!stop.stop_requested()) {
      for (std::size_t i = 0; i < services.size(); ++i) {
        if (begun[i].size() < 2) {
          if (std::optional<SearchTask> task = tasks.begin_next()) {
            begun[i].push_back(task->number);
            if (conducts_[i] == Conduct::answers) services[i]->add(*std::move(task));
          }
        }
        if (conducts_[i] != Conduct::answers && !begun[i].empty()) {
          const std::uint64_t number = begun[i].back();
          begun[i].pop_back();
          if (conducts_[i] == Conduct::answers_nonsense) {
            try {
              tasks.finish({number, "nonsense"});
            } catch (const Error&) {
              ++refused_;
            }
          }
          tasks.take_back(number);
        }
        while (const std::optional<SearchTask> answer = services[i]->take_answer()) {
          std::erase(begun[i], answer->number);
          tasks.finish(*answer);
          ++answers_;
          tasks.finish(*answer);  // is ignored
        }
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  const GateSet& set_;
  std::shared_ptr<const ClassTable> table_;
  std::vector<Conduct> conducts_;
  std::atomic<unsigned> answers_ = 0;
  std::atomic<unsigned> refused_ = 0;
  std::jthread thread_;
};

LocalSearchLimits limits_with(std::uint64_t ticks, SearchWorkers* workers) {
  LocalSearchLimits limits;
  limits.budget = Budget::of_ticks(ticks);
  limits.workers = workers;
  limits.seed = 5;
  limits.moves_per_gate = 30;
  limits.record_history = true;
  limits.record_pairs = true;
  return limits;
}

std::string journal_of(const Circuit& circuit, const LocalSearchResult& result) {
  std::ostringstream journal;
  (void)journal::write_journal(journal, circuit, result.gates.derivation.history());
  return std::move(journal).str();
}

void require_equal(const LocalSearchResult& one, const LocalSearchResult& other,
                   const Circuit& circuit) {
  CHECK(other.gates.gates == one.gates.gates);
  CHECK(other.gates.phase == one.gates.phase);
  CHECK(other.optimality == one.optimality);
  CHECK(other.counts.moves == one.counts.moves);
  CHECK(other.counts.replaced == one.counts.replaced);
  CHECK(other.is_complete == one.is_complete);
  CHECK(other.used_pairs.size() == one.used_pairs.size());
  CHECK(journal_of(circuit, other) == journal_of(circuit, one));
}

}  // namespace

TEST_CASE("other processes find in segments what this one finds", "[local]") {
  const std::string name = GENERATE("nam", "clifford_t", "ibm_heron");
  const GateSet set = load_gate_set(name);
  const auto table = small_table(set, 3);
  Random random(51);
  const Circuit circuit = random_circuit_in(set, random, 5, 6'000);
  const auto searched = [&](SearchWorkers* workers) {
    return search_shifted_segments(*table, circuit.operations, 5, limits_with(100'000, workers));
  };
  const LocalSearchResult alone = searched(nullptr);
  REQUIRE(alone.counts.moves > 0);
  ServiceWorkers workers(set, table, {Conduct::answers, Conduct::answers});
  const LocalSearchResult shared = searched(&workers);
  CHECK(workers.answers() > 0);
  require_equal(alone, shared, circuit);
  Circuit after = make_circuit(circuit.qubit_count(), shared.gates.gates);
  after.global_phase = circuit.global_phase + shared.gates.phase;
  CHECK(replay(circuit, after, journal_of(circuit, shared)).is_certified);
}

TEST_CASE("segments of a process that dies, or answers nonsense, are searched by others",
          "[local]") {
  const GateSet set = load_gate_set("nam");
  const auto table = small_table(set, 4);
  Random random(52);
  const Circuit circuit = random_circuit_in(set, random, 4, 4'000);
  const auto searched = [&](SearchWorkers* workers) {
    return search_shifted_segments(*table, circuit.operations, 4, limits_with(50'000, workers));
  };
  const LocalSearchResult alone = searched(nullptr);
  ServiceWorkers workers(set, table, {Conduct::dies, Conduct::answers_nonsense, Conduct::answers});
  require_equal(alone, searched(&workers), circuit);
  CHECK(workers.refused() > 0);
}

TEST_CASE("a search that is over does not wait for other processes", "[local]") {
  const GateSet set = load_gate_set("nam");
  const auto table = small_table(set, 4);
  Random random(53);
  const Circuit circuit = random_circuit_in(set, random, 8, 40'000);
  ServiceWorkers workers(set, table, {Conduct::answers});
  LocalSearchLimits limits = limits_with(1, &workers);
  limits.budget = Budget::of_seconds(0.3);
  const auto start = std::chrono::steady_clock::now();
  LocalSearchResult result = search_shifted_segments(*table, circuit.operations, 8, limits);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  CHECK(result.gates.gates.size() < circuit.operations.size());
  Circuit after = make_circuit(circuit.qubit_count(), result.gates.gates);
  after.global_phase = circuit.global_phase + result.gates.phase;
  CHECK(replay(circuit, after, journal_of(circuit, result)).is_certified);
}

TEST_CASE("a job numbers gates in another process as in this one", "[local]") {
  const GateSet set = load_gate_set("nam");
  ClassTableOptions options;
  options.cost = 3;
  options.threads = 1;
  options.symbolic = true;
  const auto table = build_class_table(set, options);
  // A rotation of its own, one by the negated angle, one that is the identity, and a black box.
  std::vector<Operation> gates{
      make_operation(GateKind::rz, {0}, {parse_angle("0.3")}),
      make_operation(GateKind::rz, {1}, {parse_angle("theta")}),
      make_operation(GateKind::rz, {0}, {parse_angle("0")}),
      make_operation(GateKind::cx, {0, 1}),
      make_operation(GateKind::rz, {1}, {parse_angle("-theta")}),
      make_operation(GateKind::rz, {0}, {parse_angle("9*pi/4")}),
  };
  ClassicalPart content;
  content.opaque_name = "measure";
  Operation box = make_operation(GateKind::cx, {0, 1});
  box.kind = OperationKind::opaque;
  box.classical = std::make_shared<const ClassicalPart>(content);
  gates.push_back(box);
  gates.push_back(make_operation(GateKind::rz, {0}, {parse_angle("-0.3")}));
  const Cost cost({Objective(CostKind::two_qubit), Objective(CostKind::depth)});
  AnnealingLabels labels(table->alphabet(), scalar_cost(cost, set, gates.size()));
  const AnnealingLabels::Interned interned = labels.intern(gates);
  CouplingMap coupling(true);
  coupling.add(1, 0);
  SegmentSearchOptions search;
  search.coupling = &coupling;
  search.moves_per_gate = 7;
  const SegmentJob job = SegmentJob::of(*table, labels, interned.gates, 2, search);
  const std::string message = job.message();

  const SegmentJob read = SegmentJob::from_message(message, set.custom_gates());
  CHECK(read.message() == message);
  CHECK(read.coupling == coupling);
  CHECK(read.search_options().moves_per_gate == 7);
  CHECK(read.table_digest == class_table_digest(set, read.table));
  const std::unique_ptr<const AnnealingLabels> others = read.make_labels(table->alphabet());
  REQUIRE(others->size() == labels.size());
  CHECK(others->symbols() == labels.symbols());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<rewrite::Label>(i);
    CHECK(others->operation(label).angles == labels.operation(label).angles);
    CHECK((*others)[label].letter == labels[label].letter);
    CHECK((*others)[label].value == labels[label].value);
    CHECK((*others)[label].symbol == labels[label].symbol);
    CHECK((*others)[label].parity_action.diagonal == labels[label].parity_action.diagonal);
  }
  CHECK(std::ranges::equal(others->lengths(), labels.lengths()));
  CHECK(others->value_per_length() == labels.value_per_length());

  for (std::size_t size = 0; size < message.size(); ++size) {
    CHECK_THROWS_AS(
        SegmentJob::from_message(std::string_view(message).substr(0, size), set.custom_gates()),
        Error);
  }
  CHECK_THROWS_AS(SegmentJob::from_message(message + "x", set.custom_gates()), Error);
}

TEST_CASE("a process without the gates of a search says so", "[local]") {
  const GateSet set = load_gate_set("nam");
  const GateSet other = load_gate_set("clifford_t");
  const auto table = small_table(set, 3);
  const AnnealingLabels labels(table->alphabet());
  const std::string job = SegmentJob::of(*table, labels, {}, 2, {}).message();
  SegmentService service(
      job, other, 1, [&](const ClassTableOptions&) { return table; }, std::uint64_t{1} << 26U);
  const auto fails = [&] {
    for (int i = 0; i < 10'000; ++i) {
      (void)service.take_answer();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  CHECK_THROWS_WITH(fails(), Catch::Contains("gate set"));
}

TEST_CASE("searches that have tasks for other processes are known by name", "[local]") {
  CHECK(has_tasks_for_workers("local"));
  CHECK(has_tasks_for_workers("fold,local"));
  CHECK(has_tasks_for_workers("local,anneal"));
  CHECK(!has_tasks_for_workers("auto"));
  CHECK(!has_tasks_for_workers("fold,anneal"));
  CHECK(!has_tasks_for_workers(""));
}

TEST_CASE("damaged answers are recognized", "[local]") {
  const GateSet set = load_gate_set("nam");
  const auto table = small_table(set, 3);
  AnnealingLabels labels(table->alphabet());
  Random random(54);
  const Circuit circuit = random_circuit_in(set, random, 4, 300);
  const AnnealingLabels::Interned interned = labels.intern(circuit.operations);
  SegmentSearch search(*table, labels, 4, {nullptr, true, true, 20});
  SegmentAnswer answer;
  answer.found.push_back(search.descend(interned.gates, 1, Budget()));
  answer.found.emplace_back();
  answer.found.push_back(search.anneal(interned.gates, 2, Budget()));
  answer.counts = search.counts();
  REQUIRE(search.used_pairs()->size() > 0);
  answer.pairs.push_back((*search.used_pairs())[0]);
  const LabelsOfGates gates(labels);
  const std::string message = answer.message(gates);
  const SegmentAnswer read = SegmentAnswer::from_message(message, labels);
  CHECK(read.message(gates) == message);
  CHECK(read.pairs == answer.pairs);
  CHECK(!read.found[1]);
  CHECK(read.found[0]->marks == answer.found[0]->marks);
  for (std::size_t size = 0; size < message.size(); size += 7) {
    CHECK_THROWS_AS(SegmentAnswer::from_message(std::string_view(message).substr(0, size), labels),
                    Error);
  }
  CHECK_THROWS_AS(SegmentAnswer::from_message(message + "x", labels), Error);
}
