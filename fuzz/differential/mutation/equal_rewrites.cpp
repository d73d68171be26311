#include <algorithm>
#include <array>
#include <set>

#include "mutation/mutation.hpp"
#include "simulator/gates.hpp"

namespace quartz::differential {
namespace {

using Statements = std::vector<Statement>;
using Names = std::set<std::string, std::less<>>;

/// Gates that are diagonal, whatever their angles.
const Names& diagonal_gates() {
  static const Names names{"z",  "s",  "sdg",  "t",   "tdg", "rz",  "p",   "u1", "id",
                           "cz", "cs", "csdg", "crz", "cp",  "cu1", "rzz", "ccz"};
  return names;
}

/// Gates g with g(a) g(b) = g(a + b).
const Names& rotations() {
  static const Names names{"rx",  "ry", "rz",  "p",   "u1",  "crx", "cry",
                           "crz", "cp", "cu1", "rxx", "ryy", "rzz", "rzx"};
  return names;
}

/// Gates whose operands can be exchanged.
const Names& symmetric_gates() {
  static const Names names{"cz",  "cp", "cu1",  "swap",  "rzz",     "rxx",       "ryy",
                           "ccz", "cs", "csdg", "iswap", "iswapdg", "sqrtiswap", "sqrtiswapdg"};
  return names;
}

bool is_plain_gate(const Statement& statement) {
  return statement.kind == StatementKind::gate && statement.controls == 0 && !statement.inverted;
}

bool shares_qubit(const Statement& a, const Statement& b) {
  return std::ranges::any_of(a.qubits, [&](unsigned qubit) {
    return std::ranges::find(b.qubits, qubit) != b.qubits.end();
  });
}

/// Returns whether `a` writes a bit that `b` tests or writes.
bool writes_bit_of(const Program& program, const Statement& a, const Statement& b) {
  if (!a.bit) return false;
  if (a.bit == b.bit) return true;
  return std::ranges::any_of(b.conditions, [&](const Condition& condition) {
    const unsigned first = program.first_bit(condition.bit_register);
    return *a.bit >= first && *a.bit < first + program.bit_registers[condition.bit_register].size;
  });
}

bool commute(const Program& program, const Statement& a, const Statement& b) {
  if (writes_bit_of(program, a, b) || writes_bit_of(program, b, a)) return false;
  if (a.kind == StatementKind::barrier || b.kind == StatementKind::barrier) return true;
  if (!shares_qubit(a, b)) return true;
  const auto is_diagonal = [](const Statement& statement) {
    // A measurement commutes with diagonal gates.
    return statement.kind == StatementKind::measure ||
           (statement.kind == StatementKind::gate && diagonal_gates().contains(statement.name));
  };
  return is_diagonal(a) && is_diagonal(b);
}

/// Returns the number of a random statement for which the predicate holds, or the size.
template <typename Predicate>
std::size_t find_statement(const Statements& statements, Random& random, Predicate&& predicate) {
  if (statements.empty()) return 0;
  const std::size_t first = below(random, statements.size());
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const std::size_t place = (first + i) % statements.size();
    if (predicate(statements[place])) return place;
  }
  return statements.size();
}

void insert(Statements& statements, std::size_t place, const Statements& inserted) {
  statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(place), inserted.begin(),
                    inserted.end());
}

void replace(Statements& statements, std::size_t place, const Statements& by) {
  statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(place));
  insert(statements, place, by);
}

Statement phase_of(const std::string& angle) {
  Statement statement;
  statement.kind = StatementKind::phase;
  statement.angles = {angle};
  return statement;
}

Statement gate_like(const Statement& original, const std::string& name,
                    std::vector<unsigned> qubits, std::vector<std::string> angles = {}) {
  Statement statement = original;
  statement.name = name;
  statement.qubits = std::move(qubits);
  statement.angles = std::move(angles);
  return statement;
}

bool exchange_commuting(Program& program, Random& random) {
  Statements& statements = program.statements;
  if (statements.size() < 2) return false;
  bool is_changed = false;
  // A statement moves as far as it can and as chance wants it.
  for (std::size_t place = below(random, statements.size() - 1);
       place + 1 < statements.size() && !one_in(random, 4); ++place) {
    if (!commute(program, statements[place], statements[place + 1])) break;
    std::swap(statements[place], statements[place + 1]);
    is_changed = true;
  }
  return is_changed;
}

bool insert_identity(Program& program, Random& random) {
  static const std::vector<std::string> self_inverse{"x",  "y",    "z",   "h",  "cx",
                                                     "cz", "swap", "ecr", "ch", "ccx"};
  const bool is_version_2 = program.version == 2;
  const std::vector<std::string>& names =
      is_version_2 ? self_inverse : gates_on(program.qubit_count());
  Statement gate =
      random_gate(random, names, program.qubit_count(), AngleStyle::mixed, program.parameters);
  if (!program.bit_registers.empty() && one_in(random, 4)) {
    gate.conditions = {random_condition(random, program)};
  }
  Statement inverse = gate;
  inverse.inverted = !is_version_2;
  insert(program.statements, below(random, program.statements.size() + 1), {gate, inverse});
  return true;
}

bool split_rotation(Program& program, Random& random) {
  const std::size_t place = find_statement(program.statements, random, [](const Statement& each) {
    return is_plain_gate(each) && rotations().contains(each.name);
  });
  if (place == program.statements.size()) return false;
  const std::string part = random_angle(random, AngleStyle::mixed, program.parameters);
  Statement rest = program.statements[place];
  Statement first = rest;
  first.angles = {part};
  rest.angles[0] = "(" + rest.angles[0] + ")-(" + part + ")";
  replace(program.statements, place, {first, rest});
  return true;
}

bool add_turns(Program& program, Random& random) {
  static const Names by_turn{"p", "u1", "cp", "cu1"};
  const std::size_t place = find_statement(program.statements, random, [](const Statement& each) {
    return is_plain_gate(each) && (rotations().contains(each.name) || by_turn.contains(each.name));
  });
  if (place == program.statements.size()) return false;
  Statement& statement = program.statements[place];
  statement.angles[0] += one_in(random, 2) ? "-" : "+";
  statement.angles[0] += by_turn.contains(statement.name) ? "2*pi" : "4*pi";
  return true;
}

bool rewrite_expression(Program& program, Random& random) {
  const std::size_t place = find_statement(
      program.statements, random, [](const Statement& each) { return !each.angles.empty(); });
  if (place == program.statements.size()) return false;
  std::string& angle = program.statements[place].angles[0];
  angle = one_in(random, 2) ? "3.0*(" + angle + ")/3" : "-(pi/7-(" + angle + "))+pi/7";
  return true;
}

/// Other ways to write a gate, exact in their phase.
std::optional<Statements> other_form(const Statement& gate) {
  const auto on = [&](const std::string& name, std::vector<unsigned> operands,
                      std::vector<std::string> angles = {}) {
    std::vector<unsigned> qubits;
    for (const unsigned operand : operands) qubits.push_back(gate.qubits.at(operand));
    return gate_like(gate, name, qubits, std::move(angles));
  };
  const std::string& name = gate.name;
  if (name == "x") return Statements{on("h", {0}), on("z", {0}), on("h", {0})};
  if (name == "z") return Statements{on("s", {0}), on("s", {0})};
  if (name == "s") return Statements{on("t", {0}), on("t", {0})};
  if (name == "sx") return Statements{on("h", {0}), on("s", {0}), on("h", {0})};
  if (name == "h") return Statements{on("u2", {0}, {"0", "pi"})};
  if (name == "t") return Statements{on("p", {0}, {"pi/4"})};
  if (name == "u2") return Statements{on("u3", {0}, {"pi/2", gate.angles[0], gate.angles[1]})};
  if (name == "ry") return Statements{on("u3", {0}, {gate.angles[0], "0", "0"})};
  if (name == "rx") {
    return Statements{on("h", {0}), on("rz", {0}, {gate.angles[0]}), on("h", {0})};
  }
  if (name == "cx") return Statements{on("h", {1}), on("cz", {0, 1}), on("h", {1})};
  if (name == "cz") return Statements{on("h", {0}), on("cx", {1, 0}), on("h", {0})};
  if (name == "swap") return Statements{on("cx", {1, 0}), on("cx", {0, 1}), on("cx", {1, 0})};
  if (name == "rzz") {
    return Statements{on("cx", {1, 0}), on("rz", {0}, {gate.angles[0]}), on("cx", {1, 0})};
  }
  if (name == "cp") {
    const std::string half = "(" + gate.angles[0] + ")/2";
    return Statements{on("p", {1}, {half}), on("p", {0}, {half}), on("cx", {0, 1}),
                      on("p", {1}, {"-" + half}), on("cx", {0, 1})};
  }
  if (name == "ccx") return Statements{on("h", {2}), on("ccz", {2, 0, 1}), on("h", {2})};
  if (name == "cswap") {
    return Statements{on("cx", {2, 1}), on("ccx", {0, 1, 2}), on("cx", {2, 1})};
  }
  return std::nullopt;
}

bool write_in_other_gates(Program& program, Random& random) {
  const std::size_t place = find_statement(program.statements, random, [](const Statement& each) {
    return is_plain_gate(each) && other_form(each).has_value();
  });
  if (place == program.statements.size()) return false;
  replace(program.statements, place, *other_form(program.statements[place]));
  return true;
}

bool exchange_operands(Program& program, Random& random) {
  const std::size_t place = find_statement(program.statements, random, [](const Statement& each) {
    return is_plain_gate(each) && (symmetric_gates().contains(each.name) || each.name == "ccx");
  });
  if (place == program.statements.size()) return false;
  std::swap(program.statements[place].qubits[0], program.statements[place].qubits[1]);
  return true;
}

bool write_as_control(Program& program, Random& random) {
  static const std::map<std::string, std::string, std::less<>> targets{
      {"cx", "x"},   {"cy", "y"}, {"cz", "z"},   {"ch", "h"}, {"crx", "rx"}, {"cry", "ry"},
      {"crz", "rz"}, {"cp", "p"}, {"csx", "sx"}, {"cs", "s"}, {"ccx", "cx"}, {"cswap", "swap"}};
  if (program.version == 2) return false;
  const std::size_t place = find_statement(program.statements, random, [](const Statement& each) {
    return is_plain_gate(each) && targets.contains(each.name);
  });
  if (place == program.statements.size()) return false;
  Statement& statement = program.statements[place];
  statement.controls = 1;
  statement.name = targets.find(statement.name)->second;
  return true;
}

bool move_global_phase(Program& program, Random& random) {
  Statements& statements = program.statements;
  const std::size_t place = find_statement(statements, random, [](const Statement& each) {
    return is_plain_gate(each) && each.conditions.empty() &&
           (each.name == "rz" || each.name == "p");
  });
  const std::size_t begin = 0;
  if (place == statements.size() || one_in(random, 3)) {
    const std::string angle = random_angle(random, AngleStyle::mixed, program.parameters);
    insert(statements, begin, {phase_of(angle), phase_of("-(" + angle + ")")});
    return true;
  }
  Statement& gate = statements[place];
  const std::string half = "(" + gate.angles[0] + ")/2";
  const bool is_rz = gate.name == "rz";
  gate.name = is_rz ? "p" : "rz";
  insert(statements, begin, {phase_of((is_rz ? "-" : "") + half)});
  return true;
}

/// Makes a definition of some consecutive gates, and a call of it.
bool define_gates(Program& program, Random& random) {
  Statements& statements = program.statements;
  if (statements.empty()) return false;
  const std::size_t begin = below(random, statements.size());
  std::size_t end = begin;
  std::vector<unsigned> qubits;
  Definition definition;
  constexpr std::size_t most_gates = 4;
  for (; end < statements.size() && end - begin < most_gates; ++end) {
    Statement gate = statements[end];
    const bool has_parameters = std::ranges::any_of(gate.angles, [&](const std::string& angle) {
      return std::ranges::any_of(program.parameters, [&](const std::string& name) {
        return angle.find(name) != std::string::npos;
      });
    });
    if (gate.kind != StatementKind::gate || !gate.conditions.empty() || has_parameters ||
        program.definitions.contains(gate.name)) {
      break;
    }
    for (unsigned& qubit : gate.qubits) {
      auto found = std::ranges::find(qubits, qubit);
      if (found == qubits.end()) found = qubits.insert(qubits.end(), qubit);
      qubit = static_cast<unsigned>(found - qubits.begin());
    }
    definition.body.push_back(std::move(gate));
  }
  if (end == begin) return false;
  definition.qubits = static_cast<unsigned>(qubits.size());
  const std::string name = "block" + std::to_string(program.definitions.size());
  Statement call;
  call.name = name;
  call.qubits = qubits;
  program.definitions[name] = std::move(definition);
  statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(begin),
                   statements.begin() + static_cast<std::ptrdiff_t>(end));
  insert(statements, begin, {call});
  return true;
}

bool insert_barrier(Program& program, Random& random) {
  Statement barrier;
  barrier.kind = StatementKind::barrier;
  barrier.qubits = {below(random, program.qubit_count())};
  insert(program.statements, below(random, program.statements.size() + 1), {barrier});
  return true;
}

/// Measures or resets once more, or changes the state of a qubit just before its reset.
bool repeat_boundary(Program& program, Random& random) {
  Statements& statements = program.statements;
  const std::size_t place = find_statement(statements, random, [](const Statement& each) {
    return each.kind == StatementKind::reset || (each.kind == StatementKind::measure && each.bit);
  });
  if (place == statements.size()) return false;
  const Statement boundary = statements[place];
  // A second measurement may test a condition that the first one has changed.
  if (!boundary.conditions.empty()) return false;
  if (boundary.kind == StatementKind::reset && one_in(random, 2)) {
    Statement gate = random_gate(random, {"h", "x", "rz", "u3"}, 1, AngleStyle::mixed, {});
    gate.qubits = boundary.qubits;
    insert(statements, place, {gate});
  } else {
    insert(statements, place, {boundary});
  }
  return true;
}

/// Executes a gate under a condition, and also under its opposite.
bool split_by_condition(Program& program, Random& random) {
  if (program.version == 2 || program.bit_registers.empty()) return false;
  const std::size_t place = find_statement(program.statements, random, [](const Statement& each) {
    return each.kind == StatementKind::gate;
  });
  if (place == program.statements.size()) return false;
  Statement first = program.statements[place];
  first.conditions.push_back(random_condition(random, program));
  Statement second = first;
  second.conditions.back().negated = !second.conditions.back().negated;
  replace(program.statements, place, {first, second});
  return true;
}

using Rewrite = bool (*)(Program&, Random&);
constexpr std::array<Rewrite, 15> rewrites{
    exchange_commuting, exchange_commuting, exchange_commuting, insert_identity,
    split_rotation,     add_turns,          rewrite_expression, write_in_other_gates,
    exchange_operands,  write_as_control,   move_global_phase,  define_gates,
    insert_barrier,     repeat_boundary,    split_by_condition};

}  // namespace

bool rewrite_equally(Program& program, Random& random) {
  return rewrites.at(below(random, rewrites.size()))(program, random);
}

}  // namespace quartz::differential
