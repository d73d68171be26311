#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "quartz/rules/rule_set.hpp"
#include "rules/prune.hpp"
#include "small_circuits.hpp"

using namespace quartz;

namespace {

void show(const PruneReport& report) {
  for (const PassReport& pass : report.passes) {
    UNSCOPED_INFO(pass.pass << ": " << pass.circuits_removed << " circuits, "
                            << pass.classes_removed << " classes");
  }
}

std::size_t size_of(const std::vector<std::vector<small_circuits::Circuit>>& classes) {
  std::size_t count = 0;
  for (const auto& equal : classes) count += equal.size();
  return count;
}

}  // namespace

TEST_CASE("pruning keeps every equality of Nam rule sets") {
  const auto [qubits, gates, classes_known, kept_known] = GENERATE(
      table<unsigned, unsigned, std::size_t, std::size_t>({{3, 2, 397, 466}, {3, 3, 4179, 4496}}));
  const auto letters = small_circuits::nam(qubits);
  const auto classes = small_circuits::equal_circuits(letters, gates);
  CHECK(classes.size() == classes_known);
  const auto kept = small_circuits::kept_by_repgen(classes, letters);
  RuleSet rules = small_circuits::as_rule_set(kept, letters, gates);
  CHECK(small_circuits::count_connected(classes, rules, letters) == classes.size());
  const PruneReport report = prune(rules);
  show(report);
  CHECK(small_circuits::count_connected(classes, rules, letters) == classes.size());
  CHECK(small_circuits::worst_phase_error(rules, qubits) < 1e-12);
}
