#include <algorithm>
#include <array>

#include "mutation/mutation.hpp"
#include "simulator/gates.hpp"

namespace quartz::differential {
namespace {

using Statements = std::vector<Statement>;

Statement& random_statement(Program& program, Random& random) {
  return program.statements[below(random, program.statements.size())];
}

void change_angle(Program& program, Random& random) {
  Statement& statement = random_statement(program, random);
  if (statement.angles.empty()) return;
  std::string& angle = statement.angles[below(random, statement.angles.size())];
  switch (below(random, 5)) {
    case 0:
      angle = "-(" + angle + ")";
      break;
    case 1:
      angle = random_angle(random, AngleStyle::mixed, program.parameters);
      break;
    case 2:
      angle += one_in(random, 2) ? "+pi" : "+2*pi";
      break;
    default: {
      // The sizes reach from what every method notices to what no double shows.
      constexpr unsigned least_exponent = 2;
      constexpr unsigned exponents = 14;
      angle += "+1e-" + std::to_string(least_exponent + below(random, exponents));
    }
  }
}

void change_gate(Program& program, Random& random) {
  Statement& statement = random_statement(program, random);
  const auto known = standard_gates().find(statement.name);
  if (statement.kind != StatementKind::gate || known == standard_gates().end()) return;
  const Definition& old = known->second;
  constexpr int attempts = 50;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::string& name = one_of(random, gates_on(old.qubits));
    const Definition& definition = standard_gates().find(name)->second;
    if (definition.qubits != old.qubits || definition.parameters.size() != old.parameters.size()) {
      continue;
    }
    statement.name = name;
    return;
  }
}

void drop_statement(Program& program, Random& random) {
  program.statements.erase(program.statements.begin() + below(random, program.statements.size()));
}

void repeat_statement(Program& program, Random& random) {
  const auto place = program.statements.begin() + below(random, program.statements.size());
  const Statement copy = *place;
  program.statements.insert(place, copy);
}

void exchange_wires(Program& program, Random& random) {
  Statement& statement = random_statement(program, random);
  if (statement.qubits.size() > 1) {
    std::swap(statement.qubits[0], statement.qubits[below(random, statement.qubits.size())]);
  } else if (!statement.qubits.empty()) {
    statement.qubits[0] = below(random, program.qubit_count());
  }
}

void change_condition(Program& program, Random& random) {
  if (program.bit_registers.empty()) return;
  Statement& statement = random_statement(program, random);
  if (statement.kind == StatementKind::phase || statement.kind == StatementKind::barrier) return;
  if (!statement.conditions.empty() && one_in(random, 3)) {
    statement.conditions.pop_back();
  } else {
    const std::size_t most = program.version == 2 ? 0 : statement.conditions.size();
    statement.conditions.resize(std::min(most, statement.conditions.size()));
    statement.conditions.push_back(random_condition(random, program));
  }
}

/// Exchanges two neighbours, whether or not they commute.
void move_statement(Program& program, Random& random) {
  if (program.statements.size() < 2) return;
  const std::size_t place = below(random, program.statements.size() - 1);
  std::swap(program.statements[place], program.statements[place + 1]);
}

void change_measured_bit(Program& program, Random& random) {
  Statements& statements = program.statements;
  const auto found =
      std::ranges::find_if(statements, [](const Statement& each) { return each.bit.has_value(); });
  if (found != statements.end()) found->bit = below(random, program.bit_count());
}

void add_phase(Program& program, Random& random) {
  Statement phase;
  phase.kind = StatementKind::phase;
  phase.angles = {one_in(random, 2) ? "pi"
                                    : random_angle(random, AngleStyle::mixed, program.parameters)};
  program.statements.insert(program.statements.begin(), phase);
}

void add_gate(Program& program, Random& random) {
  Statement gate = random_gate(random, gates_on(program.qubit_count()), program.qubit_count(),
                               AngleStyle::mixed, program.parameters);
  if (!program.bit_registers.empty() && one_in(random, 3)) {
    gate.conditions = {random_condition(random, program)};
  }
  const auto place = program.statements.begin() + below(random, program.statements.size() + 1);
  program.statements.insert(place, gate);
}

/// Inserts x before and after a measurement, which exchanges its outcomes.
void flip_measurement(Program& program, Random& random) {
  Statements& statements = program.statements;
  const auto found = std::ranges::find_if(
      statements, [](const Statement& each) { return each.kind == StatementKind::measure; });
  if (found == statements.end()) return;
  Statement flip;
  flip.name = "x";
  flip.qubits = found->qubits;
  if (one_in(random, 2) && !program.bit_registers.empty()) {
    flip.conditions = {random_condition(random, program)};
  }
  const auto place = found - statements.begin();
  statements.insert(statements.begin() + place + 1, flip);
  statements.insert(statements.begin() + place, flip);
}

using Change = void (*)(Program&, Random&);
constexpr std::array<Change, 15> changes{
    change_angle,   change_angle,     change_angle,   change_gate,         change_gate,
    drop_statement, repeat_statement, exchange_wires, change_condition,    change_condition,
    move_statement, add_phase,        add_gate,       change_measured_bit, flip_measurement};

}  // namespace

void change_meaning(Program& program, Random& random) {
  const Program before = program;
  while (program == before) {
    if (program.statements.empty()) return add_gate(program, random);
    changes.at(below(random, changes.size()))(program, random);
  }
}

}  // namespace quartz::differential
