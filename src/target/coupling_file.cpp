#include "quartz/target/coupling_file.hpp"

#include <fmt/core.h>

#include <limits>
#include <vector>

#include "quartz/base/counted.hpp"
#include "target/json_node.hpp"

namespace quartz {
namespace {

constexpr const char* kCouplingFormat = "quartz-coupling";
constexpr std::uint64_t kCouplingVersion = 1;

Qubit read_qubit(const target::JsonNode& node) {
  const std::uint64_t qubit = node.whole_number();
  if (qubit > std::numeric_limits<Qubit>::max()) {
    node.fail(fmt::format("the qubit number {} is too large", qubit));
  }
  return static_cast<Qubit>(qubit);
}

}  // namespace

CouplingMap parse_coupling(std::string_view text, const std::string& name) {
  const nlohmann::json document = target::parse_json(text, name);
  const target::JsonSource source{text, name};
  const target::JsonNode root(document, source);
  root.require_object({"format", "version", "description", "source", "directed", "pairs"});
  target::require_format(root, kCouplingFormat, kCouplingVersion);
  CouplingMap map(root.has("directed") && root.member("directed").truth());
  for (const target::JsonNode& element : root.member("pairs").elements()) {
    const std::vector<target::JsonNode> ends = element.elements();
    if (ends.size() != 2) {
      element.fail(fmt::format("expected two qubits, found {}", counted(ends.size(), "element")));
    }
    const Qubit first = read_qubit(ends[0]);
    const Qubit second = read_qubit(ends[1]);
    if (first == second) element.fail(fmt::format("qubit {} is coupled with itself", first));
    map.add(first, second);
  }
  return map;
}

}  // namespace quartz
