#include <catch2/catch.hpp>
#include <string>

#include "quartz/base/files.hpp"
#include "quartz/enumerate/generate.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;

namespace {

struct Golden {
  std::string gate_set;
  unsigned gates;
  unsigned qubits;

  [[nodiscard]] std::string path() const {
    return std::string(QUARTZ_SOURCE_DIR) + "/tests/golden/" + gate_set + "_" +
           std::to_string(gates) + "_" + std::to_string(qubits) + ".json";
  }
};

RuleSet generated(const Golden& golden, unsigned threads, std::uint64_t seed) {
  GenerateOptions options;
  options.gates = golden.gates;
  options.qubits = golden.qubits;
  options.threads = threads;
  options.seed = seed;
  return generate(load_gate_set(golden.gate_set), options).rules;
}

}  // namespace

TEST_CASE("generated rule sets equal the golden files byte for byte") {
  const Golden golden = GENERATE(Golden{"nam", 2, 3}, Golden{"clifford_t", 3, 2});
  const std::string text = read_text_file(golden.path());
  const RuleSet known = parse_rule_set(text, golden.path());
  for (const unsigned threads : {1U, 2U}) {
    INFO(golden.path() << ", " << threads << " threads");
    RuleSet rules = generated(golden, threads, known.seed);
    rules.proofs.method = known.proofs.method;  // names the version of Z3 that is installed
    CHECK(write_rule_set(rules) == text);
  }
}

TEST_CASE("rule sets do not depend on the seed") {
  const Golden golden{"nam", 2, 3};
  const std::string text = read_text_file(golden.path());
  const RuleSet known = parse_rule_set(text, golden.path());
  RuleSet rules = generated(golden, 1, 12345);
  CHECK(rules.seed == 12345);
  rules.seed = known.seed;
  rules.proofs.method = known.proofs.method;
  CHECK(write_rule_set(rules) == text);
}
