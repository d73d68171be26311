#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "classes/backend_list.hpp"
#include "cli/command_run.hpp"
#include "cli/gen/gen_command.hpp"
#include "quartz/base/files.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace {

Run run_count(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"count", "--gate-set", "nam", "--gates", "3", "--qubits", "3"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(gen_command(), arguments);
}

}  // namespace

TEST_CASE("quartz-gen count prints the classes of each level and names the backend") {
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    if (!entry.available()) continue;
    INFO(entry.name);
    const Run counted = run_count({"--backend", std::string(entry.name)});
    CHECK(counted.code == 0);
    CHECK(counted.out.empty());
    CHECK_THAT(counted.err, Contains(" 33 ") && Contains(" 552 ") && Contains(" 6723 "));
    CHECK_THAT(counted.err, Contains("33 letters, backend " + std::string(entry.name)));
  }
}

TEST_CASE("quartz-gen count uses the requested instructions, and names them") {
  const Run scalar = run_count({"--backend", "cpu", "--instructions", "scalar"});
  CHECK(scalar.code == 0);
  CHECK_THAT(scalar.err, Contains("backend cpu (scalar),"));
  const Run unknown = run_count({"--backend", "cpu", "--instructions", "mmx"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("mmx") && Contains("scalar"));
}

TEST_CASE("quartz-gen count writes its statistics") {
  const Folder folder;
  const std::string path = (folder / "stats.json").string();
  CHECK(run_count({"--backend", "cpu", "--unpruned", "--stats", path}).code == 0);
  const auto stats = nlohmann::json::parse(read_text_file(path));
  CHECK(stats["backend"] == "cpu");
  CHECK(stats["complete"] == true);
  REQUIRE(stats["levels"].size() == 3);
  CHECK(stats["levels"][2]["classes"] == 6723);
  CHECK(stats["levels"][2]["candidates"] == 33 * 552);
}

TEST_CASE("quartz-gen count --quiet prints nothing but the requested statistics") {
  const Run counted = run_count({"--quiet", "--stats", "-"});
  CHECK(counted.code == 0);
  CHECK(counted.err.empty());
  CHECK(nlohmann::json::parse(counted.out)["levels"][2]["classes"] == 6723);
}

TEST_CASE("quartz-gen writes the same rules with every backend") {
  const Run expected = run(gen_command(), {"-g", "nam", "-n", "2", "-q", "2", "--backend", "cpu"});
  CHECK(expected.code == 0);
  for (const FingerprintBackendEntry& entry : fingerprint_backends()) {
    if (!entry.available()) continue;
    INFO(entry.name);
    const Run other = run(
        gen_command(), {"-g", "nam", "-n", "2", "-q", "2", "--backend", std::string(entry.name)});
    CHECK(other.out == expected.out);
  }
}

TEST_CASE("quartz-gen rejects missing backends, and options that do not apply to counting") {
  CHECK(run_count({"--backend", "abacus"}).code == 2);
  CHECK_THAT(run_count({"--backend", "abacus"}).err, Contains("abacus"));
  CHECK(run(gen_command(), {"-g", "nam", "--backend", "abacus"}).code == 2);
  CHECK(run_count({"--output", "rules.json"}).code == 2);
  CHECK(run_count({"--backend", "cpu", "--devices", "2"}).code == 2);
  CHECK(run_count({"--devices", "0"}).code == 2);
  CHECK(run(gen_command(), {"count", "-g", "ibm_u", "-n", "2", "-q", "3"}).code == 2);
}
