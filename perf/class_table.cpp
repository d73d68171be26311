#include "class_table.hpp"

#include <bit>
#include <memory>

#include "base/random.hpp"
#include "circuits.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::perf {

using namespace classes;

const ClassTable& nam_table() {
  static const std::shared_ptr<const ClassTable> table = [] {
    ClassTableOptions options;
    options.cost = 6;
    return build_class_table(nam(), options);
  }();
  return *table;
}

std::vector<TableState> random_table_states(const ClassTable& table, std::size_t count) {
  FastRandom random(0);
  const std::vector<LetterOperator>& operators = table.alphabet().operators;
  std::vector<TableState> states(count);
  for (TableState& each : states) {
    each.state = table.probe().start();
    for (std::uint32_t letters = 1 + random.below(6); letters != 0; --letters) {
      const std::uint32_t letter = random.below(static_cast<std::uint32_t>(operators.size()));
      each.letters.push_back(static_cast<std::uint8_t>(letter));
      operators[letter].apply(each.state);
      each.scalar *= operators[letter].scalar();
    }
    const ClassEntry entry = table.find(table.probe().key(each.state, each.scalar.root));
    ensure(entry.cost != ClassEntry::kUnknown, "a circuit of 6 letters is in a table of cost 6");
    each.cost = entry.cost;
    each.last_letters = entry.last_letters;
  }
  return states;
}

std::uint8_t step_down(const ClassTable& table, TableState& at) {
  const auto letter = static_cast<std::size_t>(std::countr_zero(at.last_letters));
  const LetterOperator& inverse = table.alphabet().inverses[letter];
  inverse.apply(at.state);
  at.scalar *= inverse.scalar();
  const ClassEntry entry = table.find(table.probe().key(at.state, at.scalar.root));
  ensure(entry.cost < at.cost, "a step of the walk lowers the cost");
  at.cost = entry.cost;
  at.last_letters = entry.last_letters;
  return static_cast<std::uint8_t>(letter);
}

}  // namespace quartz::perf
