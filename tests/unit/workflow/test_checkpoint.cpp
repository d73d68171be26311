#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>

#include "gate_set_circuits.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "random_circuits.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

/// Returns a circuit with much to find.
Circuit long_circuit(const GateSet& set, unsigned seed) {
  Random random(seed);
  INFO("seed " << seed);
  return random_circuit_in(set, random, 4, 60);
}

SuperoptimizeOptions options_for(const fs::path& folder) {
  SuperoptimizeOptions options;
  options.search = "backtrack";
  options.seconds = 600;
  options.threads = 1;
  options.cache.enabled = false;
  options.check = CheckPolicy::off;
  options.record_journal = true;
  options.checkpoint.folder = folder;
  return options;
}

std::uint64_t state_of(const fs::path& folder) {
  const fs::path index = folder / "checkpoint.json";
  if (!fs::exists(index)) return 0;
  return nlohmann::json::parse(read_text_file(index)).at("state").get<std::uint64_t>();
}

/// Copies the files of a checkpoint. One that is being written may get its name, or another
/// content, while files are copied; then all of them are copied again.
void copy_files(const fs::path& folder, const fs::path& copy) {
  constexpr int kMostAttempts = 100;
  for (int attempt = 1;; ++attempt) {
    try {
      fs::copy(folder, copy);
      return;
    } catch (const fs::filesystem_error&) {
      if (attempt == kMostAttempts) throw;
      fs::remove_all(copy);
    }
  }
}

/// Runs a search until it has kept something better than its first circuit, and copies the folder
/// as it is then: what is left of a process that is killed. Returns the result of the search.
SuperoptimizeResult run_and_copy(const Circuit& circuit, const GateSet& set, const fs::path& folder,
                                 const fs::path& copy) {
  SuperoptimizeOptions options = options_for(folder);
  std::stop_source stop;
  options.stop = stop.get_token();
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.search == nullptr || stop.stop_requested() || state_of(folder) < 2) return;
    copy_files(folder, copy);
    stop.request_stop();
  };
  return superoptimize(circuit, set, options);
}

/// Removes what the index of a copied checkpoint does not name: the next state may have been half
/// written when the folder was copied.
void remove_next_state(const fs::path& folder) {
  const std::string index = read_text_file(folder / "checkpoint.json");
  const auto json = nlohmann::json::parse(index);
  const fs::path history = folder / json.at("history").at("file").get<std::string>();
  fs::resize_file(history, json.at("history").at("bytes").get<std::uintmax_t>());
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("best-") && name != json.at("circuit").at("file")) {
      others.push_back(entry.path());
    }
  }
  for (const fs::path& other : others) fs::remove(other);
}

double seconds_of(const fs::path& folder) {
  const std::string index = read_text_file(folder / "checkpoint.json");
  return nlohmann::json::parse(index).at("seconds").get<double>();
}

/// Changes the index of a checkpoint, and its digest accordingly.
void change_index(const fs::path& folder,
                  const std::function<void(nlohmann::ordered_json&)>& change) {
  const fs::path index = folder / "checkpoint.json";
  auto json = nlohmann::ordered_json::parse(read_text_file(index));
  json.erase("digest");
  change(json);
  const std::string digest = digest_of(json.dump());
  json["digest"] = digest;
  write_text_file(index, json.dump());
}

/// Replaces the circuit of a checkpoint, and the digests accordingly.
void change_circuit(const fs::path& folder, const std::function<void(Circuit&)>& change) {
  change_index(folder, [&](nlohmann::ordered_json& json) {
    const fs::path best = folder / json["circuit"]["file"].get<std::string>();
    Circuit circuit = parse_qasm(read_text_file(best));
    change(circuit);
    write_text_file(best, write_qasm(circuit));
    json["circuit"]["digest"] = digest_of(write_qasm(circuit));
  });
}

void require_journal(const Circuit& circuit, const SuperoptimizeResult& result) {
  std::istringstream journal(result.journal);
  const ReplayReport report = replay_journal(circuit, result.circuit, journal, "the journal");
  INFO(report.fault);
  REQUIRE(report.is_certified);
}

/// Returns the message of the error of type `Error` that continuing the checkpoint gives.
template <typename Error>
std::string error_of(const Circuit& circuit, const GateSet& set,
                     const SuperoptimizeOptions& options) {
  try {
    (void)superoptimize(circuit, set, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a search continues the checkpoint of one that was killed", "[checkpoint]") {
  for (const std::string name : {"nam", "clifford_t", "ibm_heron"}) {
    CAPTURE(name);
    const GateSet set = load_gate_set(name);
    const Circuit circuit = long_circuit(set, 17);
    const TemporaryFolder folder;
    const SuperoptimizeResult first = run_and_copy(circuit, set, folder / "a", folder / "b");
    require_journal(circuit, first);
    CHECK_FALSE(first.seconds_before);

    for (const std::string part : {"a", "b"}) {
      // The time is over, so that the result is what the checkpoint had.
      SuperoptimizeOptions options = options_for(folder / part);
      options.checkpoint.resume = true;
      options.seconds = 1e-6;
      const SuperoptimizeResult result = superoptimize(circuit, set, options);
      REQUIRE(result.seconds_before);
      CHECK(*result.seconds_before > 0);
      require_journal(circuit, result);
      if (part == "a") CHECK(result.circuit == first.circuit);
      CHECK(result.circuit.operations.size() < circuit.operations.size());
    }
  }
}

TEST_CASE("a checkpoint is continued only on request", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 18);
  const TemporaryFolder folder;
  (void)run_and_copy(circuit, set, folder / "a", folder / "b");
  SuperoptimizeOptions options = options_for(folder / "b");
  CHECK_THAT(error_of<UsageError>(circuit, set, options), Contains("--resume"));

  options.checkpoint.resume = true;
  options.seconds = 1e-6;
  CHECK_THAT(error_of<InputError>(long_circuit(set, 19), set, options), Contains("another input"));
  options.cost = CostKind::two_qubit;
  CHECK_THAT(error_of<InputError>(circuit, set, options), Contains("another cost"));
  options.cost = std::nullopt;
  options.exactness = Exactness::exact;
  CHECK_THAT(error_of<InputError>(circuit, set, options), Contains("another exactness"));
  options.exactness = Exactness::keep;
  CHECK(error_of<Error>(circuit, set, options) == "no error");

  options.steps = 100;
  CHECK_THAT(error_of<UsageError>(circuit, set, options), Contains("time limit"));
  options.steps = 0;
  options.checkpoint.folder.clear();
  CHECK_THAT(error_of<UsageError>(circuit, set, options), Contains("name its folder"));
}

TEST_CASE("a checkpoint of a search with other barriers is refused with the option",
          "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const auto with_barrier = [&](const std::string& barrier) {
    return parse_qasm("OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\nh q[0];\n" + barrier +
                      "cx q[0],q[1];\n");
  };
  const Circuit circuit = with_barrier("barrier q;\n");
  const TemporaryFolder folder;
  SuperoptimizeOptions options = options_for(folder / "a");
  options.seconds = 0;
  (void)superoptimize(circuit, set, options);
  options.checkpoint.resume = true;
  CHECK(error_of<Error>(circuit, set, options) == "no error");
  options.barriers = Barriers::ignore;
  CHECK_THAT(error_of<InputError>(circuit, set, options),
             Contains("--barriers keep, not ignore") && !Contains("another input"));
  // Without barriers, the input is the same for both.
  const Circuit plain = with_barrier("");
  options.checkpoint.folder = folder / "b";
  (void)superoptimize(plain, set, options);
  options.barriers = Barriers::keep;
  CHECK(error_of<Error>(plain, set, options) == "no error");
}

TEST_CASE("a folder without a checkpoint begins one", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 20);
  const TemporaryFolder folder;
  SuperoptimizeOptions options = options_for(folder / "deep" / "er");
  options.checkpoint.resume = true;
  options.seconds = 0;
  const SuperoptimizeResult result = superoptimize(circuit, set, options);
  CHECK_FALSE(result.seconds_before);
  CHECK(state_of(folder / "deep" / "er") >= 2);
}

TEST_CASE("two searches cannot have one checkpoint", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 21);
  const TemporaryFolder folder;
  SuperoptimizeOptions options = options_for(folder / "a");
  options.seconds = 0;
  std::string error;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.stage != SuperoptimizeStage::search || !error.empty()) return;
    SuperoptimizeOptions second = options_for(folder / "a");
    second.checkpoint.resume = true;
    error = error_of<UsageError>(circuit, set, second);
  };
  (void)superoptimize(circuit, set, options);
  CHECK_THAT(error, Contains("another process has this checkpoint"));
}

TEST_CASE("a damaged checkpoint is refused", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 22);
  const TemporaryFolder folder;
  (void)run_and_copy(circuit, set, folder / "a", folder / "b");
  remove_next_state(folder / "b");
  SuperoptimizeOptions options = options_for(folder / "b");
  options.checkpoint.resume = true;
  options.seconds = 1e-6;
  std::size_t refused = 0;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder / "b")) files.push_back(entry.path());
  // The index is the last one: harmless damage lets the search go on, which replaces the others.
  std::ranges::sort(files, {}, [](const fs::path& file) { return file.extension() == ".json"; });
  for (const fs::path& file : files) {
    if (file.extension() == ".lock") continue;
    const std::string content = read_text_file(file);
    Random random(static_cast<unsigned>(content.size()));
    for (int i = 0; i < 24; ++i) {
      std::string damaged = content;
      if (i < 8) {
        damaged.resize(content.size() * static_cast<std::size_t>(i) / 8);
      } else {
        char& byte = damaged[below(random, static_cast<unsigned>(content.size()))];
        byte = static_cast<char>(byte ^ (1 << below(random, 8)));
      }
      write_text_file(file, damaged);
      const std::string error = error_of<InputError>(circuit, set, options);
      CAPTURE(file, i, error);
      // Spaces of the index have no meaning; everything else has.
      const bool is_harmless = error == "no error" && file.extension() == ".json";
      if (is_harmless) {
        const auto parsed = nlohmann::json::parse(damaged);
        REQUIRE(parsed == nlohmann::json::parse(content));
        break;  // the search has gone on from here, so the files are others now
      }
      REQUIRE(error != "no error");
      ++refused;
    }
    write_text_file(file, content);
  }
  CHECK(refused >= 48);
}

TEST_CASE("a wrong circuit in a checkpoint is never written", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 23);
  const TemporaryFolder folder;
  (void)run_and_copy(circuit, set, folder / "a", folder / "b");
  // Someone has changed the circuit, and the digests as well.
  change_circuit(folder / "b", [](Circuit& kept) { kept.operations.pop_back(); });
  SuperoptimizeOptions options = options_for(folder / "b");
  options.checkpoint.resume = true;
  options.seconds = 1e-6;
  options.check = CheckPolicy::normal;
  options.check_seconds = 60;
  CHECK_THAT(error_of<InputError>(circuit, set, options),
             Contains("the search from this checkpoint ended in a circuit that is not equal"));
}

TEST_CASE("a checkpoint with a wrong number is refused", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 25);
  const TemporaryFolder folder;
  (void)run_and_copy(circuit, set, folder / "a", folder / "b");
  SuperoptimizeOptions options = options_for(folder / "b");
  options.checkpoint.resume = true;
  options.seconds = 1e-6;
  const std::string index = read_text_file(folder / "b/checkpoint.json");
  const auto error_with = [&](const char* key, const nlohmann::ordered_json& value) {
    change_index(folder / "b", [&](nlohmann::ordered_json& json) { json[key] = value; });
    const std::string error = error_of<InputError>(circuit, set, options);
    write_text_file(folder / "b/checkpoint.json", index);
    return error;
  };
  CHECK_THAT(error_with("seconds", -1), Contains("the time spent is -1, expected a number"));
  CHECK_THAT(error_with("seconds", nullptr), Contains("the time spent is null"));
  CHECK_THAT(error_with("state", -1), Contains("its state is -1, expected a whole number"));
  CHECK_THAT(error_with("state", 0.5), Contains("its state is 0.5"));
}

TEST_CASE("a checkpoint whose circuit the search could not have found is refused", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit =
      make_circuit(3, {make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0}),
                       make_operation(GateKind::cx, {0, 1}), make_operation(GateKind::cx, {1, 2})});
  const TemporaryFolder folder;
  SuperoptimizeOptions options = options_for(folder / "a");
  options.seconds = 0;
  (void)superoptimize(circuit, set, options);
  options.checkpoint.resume = true;
  // Rules are read later than the circuit of the checkpoint, so these are never missed.
  options.rules = fs::path(folder / "no rules");

  SECTION("a gate that is not in the set") {
    change_circuit(folder / "a", [](Circuit& kept) {
      kept.operations.push_back(make_operation(GateKind::swap, {0, 1}));
    });
    CHECK_THAT(error_of<InputError>(circuit, set, options),
               Contains(".qasm: the gate swap is not in the gate set 'nam'"));
  }
  SECTION("other qubits") {
    change_circuit(folder / "a", [](Circuit& kept) { kept = make_circuit(4, kept.operations); });
    CHECK_THAT(error_of<InputError>(circuit, set, options),
               Contains(".qasm: it has 4 qubits and 0 classical bits, expected 3 and 0"));
  }
  SECTION("a pair of qubits that the coupling map does not couple") {
    change_circuit(folder / "a", [](Circuit& kept) {
      kept.operations.push_back(make_operation(GateKind::cx, {0, 2}));
    });
    options.coupling = CouplingOfCircuit{};
    CHECK_THAT(error_of<InputError>(circuit, set, options),
               Contains(".qasm: it has a gate between qubits 0 and 2, which the coupling map does "
                        "not couple, so the checkpoint cannot be continued with this map"));
  }
}

TEST_CASE("a search with the coupling of its input is continued", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 26);
  const TemporaryFolder folder;
  SuperoptimizeOptions options = options_for(folder / "a");
  options.coupling = CouplingOfCircuit{};
  options.seconds = 0;
  const SuperoptimizeResult first = superoptimize(circuit, set, options);
  options.checkpoint.resume = true;
  options.seconds = 1e-6;
  const SuperoptimizeResult result = superoptimize(circuit, set, options);
  CHECK(result.seconds_before);
  CHECK(result.circuit == first.circuit);
  CHECK_FALSE(uncoupled_gate(result.circuit, coupling_of(circuit)));
}

TEST_CASE("the time spent is kept while a search reports nothing", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 27);
  const TemporaryFolder folder;
  SuperoptimizeOptions options = options_for(folder / "a");
  std::stop_source stop;
  options.stop = stop.get_token();
  double shown = 0;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.search == nullptr || stop.stop_requested()) return;
    // The search goes on when this returns. A search that keeps its time only then never gets here.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const double first = seconds_of(folder / "a");
    for (shown = first; shown == first && std::chrono::steady_clock::now() < deadline;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      shown = seconds_of(folder / "a");
    }
    CHECK(shown > first);
    stop.request_stop();
  };
  (void)superoptimize(circuit, set, options);
  CHECK(shown > 0);
  CHECK(seconds_of(folder / "a") >= shown);
}

TEST_CASE("a checkpoint of a search that recorded nothing has no journal", "[checkpoint]") {
  const GateSet set = load_gate_set("nam");
  const Circuit circuit = long_circuit(set, 24);
  const TemporaryFolder folder;
  SuperoptimizeOptions options = options_for(folder / "a");
  options.record_journal = false;
  options.seconds = 0;
  (void)superoptimize(circuit, set, options);
  options.checkpoint.resume = true;
  options.record_journal = true;
  CHECK_THAT(error_of<UsageError>(circuit, set, options), Contains("there is no journal"));
}
