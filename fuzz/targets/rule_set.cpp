#include "quartz/rules/rule_set.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "quartz/base/compression.hpp"
#include "quartz/base/files.hpp"
#include "target.hpp"

namespace quartz::fuzz::rule_set {
namespace {

/// Returns the text with the digest that belongs to it, as anyone can give it one. Otherwise nearly
/// every change would be refused because of the digest, and nothing else would be tested.
std::string with_right_digest(std::string_view text) {
  constexpr std::string_view start = "\n\"digest\": \"";
  const std::string_view covered = text.substr(0, text.rfind(start));
  return std::string(covered).append(start) + digest_of(covered) + "\"\n}\n";
}

const GateSet& known_gate_set(const std::string& name) {
  static const std::vector<GateSet> sets = [] {
    std::vector<GateSet> loaded;
    for (const std::string& each : bundled_gate_sets()) loaded.push_back(load_gate_set(each));
    return loaded;
  }();
  const auto found = std::ranges::find(sets, name, &GateSet::name);
  return found == sets.end() ? sets.front() : *found;
}

void run_on(const std::string& text) {
  const auto rules = read([&] { return parse_rule_set(text, input_name); });
  if (!rules) return;
  require_whole_text(text,
                     [](const std::string& longer) { return parse_rule_set(longer, input_name); });
  const std::string written = write_rule_set(*rules);
  const RuleSet again = parse_rule_set(written, input_name);
  require(write_rule_set(again) == written, "what is written is read as the same rules");
  require(again.rule_count() == rules->rule_count(), "what is written has the same rules");
  static_cast<void>(read([&] {
    require_usable_rules(*rules, known_gate_set(rules->gate_set), input_name);
    return true;
  }));
}

}  // namespace

void run(std::string_view input) {
  run_on(std::string(input));
  run_on(with_right_digest(input));
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const std::string& compressed : repository_files("gatesets/rules", ".zst", 1024)) {
    std::string text = decompressed(compressed, input_name);
    if (text.size() <= 4096) seeds.push_back(std::move(text));
  }
  RuleSet small;
  small.gate_set = "nam";
  small.gate_set_digest = known_gate_set("nam").digest;
  small.gates = 2;
  small.qubits = 2;
  small.parameters = 2;
  small.proofs = {"exact", 1, 1, 0};
  seeds.push_back(write_rule_set(small));
  return seeds;
}

}  // namespace quartz::fuzz::rule_set
