#include <string>
#include <vector>

#include "quartz/target/coupling_file.hpp"
#include "target.hpp"

namespace quartz::fuzz::coupling {

void run(std::string_view input) {
  const auto map = read([&] { return parse_coupling(input, input_name); });
  if (!map) return;
  require_whole_text(input,
                     [](const std::string& longer) { return parse_coupling(longer, input_name); });
  require(map->without_direction().size() == map->size(), "the direction does not change pairs");
  for (Qubit a = 0; a < 3; ++a) {
    require(!map->contains(a, a), "no qubit is coupled with itself");
    for (Qubit b = 0; b < 3; ++b) {
      require(map->contains(a, b) == map->contains(b, a), "pairs have no order");
      require(!map->allows(a, b) || map->contains(a, b), "what is allowed is in the map");
    }
  }
}

std::vector<std::string> seeds() {
  return {R"({"format": "quartz-coupling", "version": 1, "pairs": [[0, 1], [1, 2], [1, 3]]})",
          R"({"format": "quartz-coupling", "version": 1, "description": "a line", "source": "none",
"directed": true, "pairs": [[0, 1], [2, 1]]})",
          R"({"format": "quartz-coupling", "version": 1, "directed": false, "pairs": []})"};
}

}  // namespace quartz::fuzz::coupling
