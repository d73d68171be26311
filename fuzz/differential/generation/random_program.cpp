#include "generation/random_program.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <numbers>

#include "simulator/channel.hpp"
#include "simulator/gates.hpp"

namespace quartz::differential {
namespace {

std::string printed(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string fraction_of_pi(Random& random, unsigned denominator) {
  const unsigned numerator = below(random, 4 * denominator + 1);
  const std::string sign = one_in(random, 3) ? "-" : "";
  return sign + std::to_string(numerator) + "*pi/" + std::to_string(denominator);
}

std::string decimal(Random& random) {
  const std::string sign = one_in(random, 3) ? "-" : "";
  switch (below(random, 8)) {
    case 0:
      return sign + std::to_string(below(random, 10)) + "." + std::to_string(below(random, 100000));
    case 1:  // what programs print for multiples of pi
      return sign + printed(std::numbers::pi * (1 + below(random, 16)) / (1U << below(random, 5)));
    case 2:
      return sign + "1e-" + std::to_string(3 + below(random, 12));
    case 3:
      return sign + "37.5";
    case 4:
      return sign + std::to_string(below(random, 7)) + ".0/" + std::to_string(1 + below(random, 7));
    default: {
      constexpr double largest = 6.5;
      return sign + printed(std::uniform_real_distribution<double>(1e-3, largest)(random));
    }
  }
}

/// Returns the gates that a program draws from; a name may occur several times.
std::vector<std::string> random_palette(Random& random, unsigned qubits, bool only_clifford_t) {
  static const std::vector<std::string> clifford{"h",  "s",  "sdg", "x",    "y", "z",
                                                 "sx", "cx", "cz",  "swap", "cx"};
  static const std::vector<std::string> clifford_t{"h",  "s",  "t",   "tdg", "x",
                                                   "cx", "cx", "ccx", "p"};
  static const std::vector<std::string> rotations{"rx", "ry", "rz", "rz", "cx", "rzz", "h", "u3"};
  static const std::vector<std::string> hardware{"rz", "sx", "x", "ecr", "cz", "iswap", "r", "cx"};
  std::vector<std::string> palette;
  switch (below(random, only_clifford_t ? 2 : 6)) {
    case 0:
      palette = clifford;
      break;
    case 1:
      palette = clifford_t;
      break;
    case 2:
      palette = rotations;
      break;
    case 3:
      palette = hardware;
      break;
    case 4:
      for (int i = 0; i < 5; ++i) palette.push_back(one_of(random, gates_on(qubits)));
      break;
    default:
      return gates_on(qubits);
  }
  std::erase_if(palette, [&](const std::string& name) {
    return standard_gates().find(name)->second.qubits > qubits;
  });
  return palette;
}

class Generator {
 public:
  Generator(Random& random, const ProgramLimits& limits) : random_(random), limits_(limits) {}

  Program program() {
    // Small programs are more often wrong in an interesting way, and faster.
    const unsigned qubits =
        1 + std::min(below(random_, limits_.qubits), below(random_, limits_.qubits) + 1);
    has_blocks_ = limits_.has_blocks && one_in(random_, 2);
    program_.version = has_blocks_ || one_in(random_, 2) ? 3 : 2;
    declare_qubits(qubits);
    if (program_.version == 3 && !limits_.only_clifford_t && one_in(random_, 3)) {
      program_.parameters = {"theta"};
      if (one_in(random_, 2)) program_.parameters.emplace_back("phi");
    }
    declare_bits();
    style_ = limits_.only_clifford_t ? AngleStyle::eighths : AngleStyle(below(random_, 4));
    palette_ = random_palette(random_, qubits, limits_.only_clifford_t);
    if (program_.version == 3 && one_in(random_, 4)) define_gate(qubits);
    const unsigned size = below(random_, limits_.statements + 1);
    while (program_.statements.size() < size) {
      if (!has_blocks_ || !add_block_statement(qubits)) add_statement(qubits);
      constexpr unsigned rare = 40;
      if (one_in(random_, rare)) add_copies(qubits);
    }
    while (!blocks_.empty()) end_block(qubits);
    if (one_in(random_, 3)) add_phase();
    return std::move(program_);
  }

 private:
  void declare_qubits(unsigned qubits) {
    if (qubits > 1 && one_in(random_, 4)) {
      const unsigned first = 1 + below(random_, qubits - 1);
      program_.qubit_registers = {{"a", first}, {"b", qubits - first}};
    } else {
      program_.qubit_registers = {{"q", qubits}};
    }
  }

  void declare_bits() {
    if (one_in(random_, has_blocks_ ? 8 : 2)) return;
    program_.bit_registers = {{"c", 1 + below(random_, 2)}};
    if (one_in(random_, 2)) program_.bit_registers.push_back({"d", 1});
    has_measurements_ = has_blocks_ || !one_in(random_, 4);
    has_conditions_ = one_in(random_, 2);
  }

  void define_gate(unsigned qubits) {
    Definition definition;
    definition.qubits = std::min(qubits, 1 + below(random_, 2));
    const std::vector<std::string> names = {"rz", "u3", "h", "t", "sx", "cx", "rzz", "ch"};
    if (one_in(random_, 2) && !limits_.only_clifford_t) definition.parameters = {"alpha"};
    for (unsigned i = 0; i < 3; ++i) {
      definition.body.push_back(
          random_gate(random_, names, definition.qubits, style_, definition.parameters));
    }
    program_.definitions["own"] = definition;
  }

  void add_phase() {
    Statement phase;
    phase.kind = StatementKind::phase;
    phase.angles = {random_angle(random_, style_, program_.parameters)};
    const std::size_t place =
        program_.version == 2 ? 0 : below(random_, program_.statements.size() + 1);
    program_.statements.insert(program_.statements.begin() + static_cast<std::ptrdiff_t>(place),
                               phase);
  }

  /// A block around the next statement.
  struct Block {
    Statement begin;
    unsigned executions = 1;  ///< at most, in the simulator
  };

  /// Returns how often the next statement may be executed.
  [[nodiscard]] unsigned executions() const {
    unsigned product = 1;
    for (const Block& block : blocks_) product *= block.executions;
    return product;
  }
  /// Returns whether another measurement or reset is within the limits, and counts it.
  [[nodiscard]] bool takes_boundary() {
    if (boundaries_ + executions() > limits_.boundaries) return false;
    boundaries_ += executions();
    return true;
  }
  [[nodiscard]] bool is_in(StatementKind kind) const {
    return std::ranges::any_of(blocks_,
                               [&](const Block& block) { return block.begin.kind == kind; });
  }

  /// Begins, ends or leaves a block, or moves qubits, if that is drawn.
  bool add_block_statement(unsigned qubits) {
    constexpr unsigned rare = 20;
    constexpr std::size_t most = 3;
    if (!blocks_.empty() && one_in(random_, 5)) {
      end_block(qubits);
    } else if (blocks_.size() < most && one_in(random_, 5)) {
      begin_block();
    } else if (is_in(StatementKind::for_loop) && !is_in(StatementKind::while_loop) &&
               one_in(random_, rare)) {
      program_.statements.emplace_back().kind = StatementKind::leave;
    } else if (qubits > 1 && one_in(random_, 4)) {
      move_qubits(qubits);
    } else {
      return false;
    }
    return true;
  }

  void begin_block() {
    Block block;
    const unsigned drawn = below(random_, 6);
    if (drawn < 4 && has_measurements_) {
      block.begin.kind = StatementKind::while_loop;
      block.begin.conditions = {random_condition(random_, program_)};
      block.executions = most_executions;
    } else if (drawn < 5) {
      block.begin.kind = StatementKind::for_loop;
      block.begin.count = below(random_, 4);
      block.executions = std::max(block.begin.count, 1U);
    } else {
      block.begin.kind = StatementKind::box;
    }
    program_.statements.push_back(block.begin);
    blocks_.push_back(std::move(block));
  }

  /// Ends a block; most loops end after a measurement of what they test.
  void end_block(unsigned qubits) {
    const Statement& begin = blocks_.back().begin;
    if (begin.kind == StatementKind::while_loop && !one_in(random_, 8) && takes_boundary()) {
      const Condition& tested = begin.conditions.front();
      const unsigned size = program_.bit_registers[tested.bit_register].size;
      Statement measurement;
      measurement.kind = StatementKind::measure;
      measurement.qubits = {below(random_, qubits)};
      measurement.bit =
          program_.first_bit(tested.bit_register) + tested.element.value_or(below(random_, size));
      program_.statements.push_back(std::move(measurement));
    }
    program_.statements.emplace_back().kind = StatementKind::end;
    blocks_.pop_back();
  }

  /// Adds a SWAP gate, by itself or in other gates, or one that also does something else.
  void move_qubits(unsigned qubits) {
    const auto add = [&](const char* name, std::vector<unsigned> operands) {
      Statement& gate = program_.statements.emplace_back();
      gate.name = name;
      gate.qubits = std::move(operands);
    };
    const unsigned a = below(random_, qubits);
    const unsigned b = (a + 1 + below(random_, qubits - 1)) % qubits;
    const unsigned drawn = below(random_, limits_.only_clifford_t ? 4 : 5);
    if (drawn < 2) {
      add("swap", {a, b});
    } else if (drawn == 4) {
      add("iswap", {a, b});
    } else {
      add("cx", {a, b});
      add("cx", {b, a});
      if (drawn == 3) add("cx", {a, b});
    }
  }

  /// Adds copies of the last gates, as a loop that was unrolled has them; sometimes each of them is
  /// on other qubits.
  void add_copies(unsigned qubits) {
    constexpr std::size_t most_gates = 12;
    constexpr unsigned most_copies = 8;
    std::vector<Statement> gates;
    const std::size_t size = 1 + below(random_, most_gates);
    for (auto last = program_.statements.rbegin();
         last != program_.statements.rend() && gates.size() < size; ++last) {
      if (last->kind != StatementKind::gate) break;
      gates.insert(gates.begin(), *last);
    }
    const unsigned shift = one_in(random_, 3) ? below(random_, qubits) : 0;
    for (unsigned left = 2 + below(random_, most_copies - 1); left != 0; --left) {
      for (Statement& gate : gates) {
        for (unsigned& qubit : gate.qubits) qubit = (qubit + shift) % qubits;
        program_.statements.push_back(gate);
      }
    }
  }

  void add_statement(unsigned qubits) {
    constexpr unsigned rare = 25;
    Statement statement;
    if (has_measurements_ && one_in(random_, 6) && takes_boundary()) {
      statement = boundary(qubits);
    } else if (one_in(random_, rare)) {
      statement.kind = StatementKind::barrier;
      statement.qubits = {below(random_, qubits)};
    } else if (!program_.statements.empty() && one_in(random_, 5)) {
      statement = again();
    } else {
      statement = gate(qubits);
    }
    const bool takes_condition =
        statement.kind != StatementKind::barrier && statement.kind != StatementKind::phase;
    if (has_conditions_ && takes_condition && one_in(random_, 4)) {
      statement.conditions = {random_condition(random_, program_)};
      if (program_.version == 3 && one_in(random_, 5)) {
        statement.conditions.push_back(random_condition(random_, program_));
      }
    }
    program_.statements.push_back(std::move(statement));
  }

  Statement boundary(unsigned qubits) {
    Statement statement;
    statement.qubits = {below(random_, qubits)};
    statement.kind = one_in(random_, 3) ? StatementKind::reset : StatementKind::measure;
    const bool keeps_outcome = program_.version == 2 || !one_in(random_, 8);
    if (statement.kind == StatementKind::measure && keeps_outcome) {
      statement.bit = below(random_, program_.bit_count());
    }
    return statement;
  }

  /// Returns a recent statement again, which may cancel or merge with itself.
  Statement again() {
    const std::size_t size = program_.statements.size();
    Statement statement =
        program_.statements[size - 1 - below(random_, std::min<std::size_t>(size, 4))];
    if (statement.kind != StatementKind::gate) return gate(program_.qubit_count());
    if (program_.version == 3 && one_in(random_, 2)) statement.inverted = !statement.inverted;
    return statement;
  }

  Statement gate(unsigned qubits) {
    if (!program_.definitions.empty() && one_in(random_, 6)) {
      const Definition& own = program_.definitions.at("own");
      Statement statement =
          random_gate(random_, {own.qubits == 1 ? "h" : "cx"}, qubits, style_, {});
      statement.name = "own";
      if (!own.parameters.empty()) {
        statement.angles = {random_angle(random_, style_, program_.parameters)};
      }
      return statement;
    }
    Statement statement = random_gate(random_, palette_, qubits, style_, program_.parameters);
    constexpr unsigned rare = 20;
    if (program_.version == 3 && !limits_.only_clifford_t && one_in(random_, rare) &&
        statement.qubits.size() < qubits && statement.qubits.size() < 3) {
      add_control(statement, qubits);
    }
    return statement;
  }

  void add_control(Statement& statement, unsigned qubits) {
    statement.controls = 1;
    unsigned control = below(random_, qubits);
    while (std::ranges::find(statement.qubits, control) != statement.qubits.end()) {
      control = (control + 1) % qubits;
    }
    statement.qubits.insert(statement.qubits.begin(), control);
  }

  Random& random_;
  ProgramLimits limits_;
  Program program_;
  AngleStyle style_{};
  std::vector<std::string> palette_;
  bool has_measurements_ = false;
  bool has_conditions_ = false;
  bool has_blocks_ = false;
  unsigned boundaries_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace

Program random_program(Random& random, const ProgramLimits& limits) {
  return Generator(random, limits).program();
}

std::string random_angle(Random& random, AngleStyle style,
                         const std::vector<std::string>& parameters) {
  if (!parameters.empty() && one_in(random, 3)) {
    const std::string name = one_of(random, parameters);
    static const std::vector<std::string> forms{"#", "-#", "#/2", "2*#", "#+pi/4", "-3*#/4-pi/2"};
    std::string form = one_of(random, forms);
    form.replace(form.find('#'), 1, name);
    return one_in(random, 6) ? form + "-" + parameters.front() : form;
  }
  static const std::vector<unsigned> denominators{3, 5, 6, 16, 32, 64, 7, 256};
  switch (style) {
    case AngleStyle::eighths:
      return fraction_of_pi(random, 4);
    case AngleStyle::fractions:
      return fraction_of_pi(random, one_of(random, denominators));
    case AngleStyle::decimals:
      return decimal(random);
    case AngleStyle::mixed:
      return random_angle(random, AngleStyle(below(random, 3)), parameters);
  }
  return "0";
}

Statement random_gate(Random& random, const std::vector<std::string>& names, unsigned qubits,
                      AngleStyle style, const std::vector<std::string>& parameters) {
  Statement statement;
  const Definition* definition = nullptr;
  do {
    statement.name = one_of(random, names);
    definition = &standard_gates().find(statement.name)->second;
  } while (definition->qubits > qubits);
  while (statement.qubits.size() < definition->qubits) {
    const unsigned qubit = below(random, qubits);
    if (std::ranges::find(statement.qubits, qubit) == statement.qubits.end()) {
      statement.qubits.push_back(qubit);
    }
  }
  for (std::size_t i = 0; i < definition->parameters.size(); ++i) {
    statement.angles.push_back(random_angle(random, style, parameters));
  }
  return statement;
}

Condition random_condition(Random& random, const Program& program) {
  Condition condition;
  condition.bit_register = below(random, program.bit_registers.size());
  const unsigned size = program.bit_registers[condition.bit_register].size;
  condition.value = below(random, std::size_t{1} << size);
  if (program.version == 2) return condition;
  condition.negated = one_in(random, 3);
  if (size > 1 && one_in(random, 2)) {
    condition.element = below(random, size);
    condition.value = 1;
  }
  return condition;
}

const std::vector<std::string>& gates_on(unsigned qubits) {
  static const std::vector<std::string> aliases{"u0", "xy", "CX", "cnot", "cphase", "phase"};
  static std::map<unsigned, std::vector<std::string>> known;
  std::vector<std::string>& names = known[qubits];
  if (!names.empty()) return names;
  for (const auto& [name, definition] : standard_gates()) {
    const bool is_alias = std::ranges::find(aliases, name) != aliases.end();
    if (definition.qubits <= qubits && !is_alias) names.push_back(name);
  }
  return names;
}

Values parameter_values(const Program& program, unsigned number) {
  constexpr long double first = 0.7310585786300049L;
  constexpr long double step = 1.0606601717798213L;
  Values values;
  for (const std::string& name : program.parameters) {
    const auto place = static_cast<long double>(values.size() + 2 * number);
    values[name] = (number % 2 == 0 ? 1 : -1) * (first + step * place);
  }
  return values;
}

}  // namespace quartz::differential
