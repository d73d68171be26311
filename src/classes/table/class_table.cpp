#include "classes/table/class_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"

namespace quartz {

ClassTable::ClassTable(Contents contents, std::uint64_t seed)
    : contents_(std::move(contents)), probe_(seed), words_(contents_.words) {
  ensure(!words_.empty() && words_.size() % kLine == 0, "a class table has whole lines");
  letters_ = static_cast<unsigned>(contents_.alphabet.letters.size());
  tag_bits_ = 64 - kCostBits - letters_;
  slot_bits_ = static_cast<unsigned>(std::bit_width(words_.size() / kLine)) - 1;
}

ClassTableSummary summary_of(const ClassTable& table) {
  const ClassTable::Contents& contents = table.contents();
  return {contents.gate_set, contents.qubits,
          contents.cost,     contents.two_qubit_weight,
          contents.symbolic, static_cast<unsigned>(contents.alphabet.letters.size()),
          contents.classes,  contents.words.size_bytes()};
}

// The ratio of successive levels falls, so extrapolating by the last ratio never underestimates.
unsigned end_of_class_table(std::span<const std::uint64_t> classes,
                            const ClassTableOptions& options) {
  double total = classes.empty() ? 0 : static_cast<double>(classes[0]);
  for (std::size_t known = 1; known < classes.size(); ++known) {
    auto level = static_cast<double>(classes[known]);
    const double growth =
        level / static_cast<double>(std::max<std::uint64_t>(classes[known - 1], 1));
    total += level;
    double foretold = total;
    auto end = static_cast<unsigned>(known);
    for (; end < options.cost && end < known + 2; ++end) {
      level *= growth;
      foretold += level;
      if (foretold > static_cast<double>(options.classes)) break;
    }
    // Whether the next level is the last one must be known before it is started, because then its
    // classes are not kept for extension.
    if (end < known + 2) return end;
  }
  return options.cost;
}

std::string class_table_digest(const GateSet& set, const ClassTableOptions& options) {
  return digest_of("class table " + std::to_string(class_table_version) + " " + set.digest + " " +
                   std::to_string(options.qubits) + " " + std::to_string(options.cost) + " " +
                   std::to_string(options.two_qubit_weight) + " " +
                   std::to_string(options.symbolic ? 1 : 0));
}

}  // namespace quartz
