#include "shrinking/shrink.hpp"

#include <algorithm>
#include <stdexcept>

namespace quartz::differential {
namespace {

class Shrinking {
 public:
  Shrinking(Case large, const std::function<bool(const Case&)>& is_interesting)
      : best_(std::move(large)), is_interesting_(is_interesting) {}

  Case run() {
    bool is_smaller = true;
    while (is_smaller) {
      is_smaller = leave_out_statements();
      is_smaller = leave_out_blocks() || is_smaller;
      is_smaller = leave_out_options() || is_smaller;
      is_smaller = simplify_statements() || is_smaller;
      is_smaller = leave_out_qubits() || is_smaller;
      is_smaller = leave_out_declarations() || is_smaller;
    }
    return best_;
  }

 private:
  /// Keeps the case if it is interesting and another one.
  bool accept(const Case& candidate) {
    if (candidate == best_ || !has_whole_blocks(candidate)) return false;
    if (!is_interesting_(candidate)) return false;
    best_ = candidate;
    return true;
  }

  /// Leaves out runs of statements, from long ones to single ones: in all programs at once, counted
  /// from the beginning and from the end, because parts of a pair correspond, and in each.
  bool leave_out_statements() {
    bool is_smaller = false;
    std::size_t longest = 0;
    for (const Program& each : best_.programs) longest = std::max(longest, each.statements.size());
    for (std::size_t length = longest; length > 0; length /= 2) {
      for (std::size_t begin = 0; begin < longest; begin += length) {
        while (leave_out(begin, length)) is_smaller = true;
      }
    }
    return is_smaller;
  }

  bool leave_out(std::size_t begin, std::size_t length) {
    for (const bool from_end : {false, true}) {
      Case all = best_;
      for (Program& program : all.programs) erase(program, begin, length, from_end);
      if (accept(all)) return true;
    }
    for (std::size_t i = 0; i < best_.programs.size(); ++i) {
      Case one = best_;
      erase(one.programs[i], begin, length, false);
      if (accept(one)) return true;
    }
    return false;
  }

  static void erase(Program& program, std::size_t begin, std::size_t length, bool from_end) {
    auto& statements = program.statements;
    const std::size_t first = std::min(begin, statements.size());
    const std::size_t last = std::min(begin + length, statements.size());
    if (from_end) std::ranges::reverse(statements);
    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(first),
                     statements.begin() + static_cast<std::ptrdiff_t>(last));
    if (from_end) std::ranges::reverse(statements);
  }

  static bool has_whole_blocks(const Case& candidate) {
    try {
      for (const Program& program : candidate.programs) (void)program.other_ends_of_blocks();
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  }

  /// Leaves out the beginning and the end of blocks, or their executions but one.
  bool leave_out_blocks() {
    bool is_smaller = false;
    for (std::size_t i = 0; i < best_.programs.size(); ++i) {
      for (std::size_t j = 0; j < best_.programs[i].statements.size(); ++j) {
        if (!begins_block(best_.programs[i].statements[j].kind)) continue;
        Case candidate = best_;
        auto& statements = candidate.programs[i].statements;
        const std::size_t end = best_.programs[i].other_ends_of_blocks()[j];
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(end));
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(j));
        is_smaller = accept(candidate) || is_smaller;
        candidate = best_;
        unsigned& count = candidate.programs[i].statements[j].count;
        if (count > 1) --count;
        is_smaller = accept(candidate) || is_smaller;
      }
    }
    return is_smaller;
  }

  bool leave_out_options() {
    bool is_smaller = false;
    const auto options = best_.options;
    for (const auto& [name, value] : options) {
      Case candidate = best_;
      candidate.options.erase(name);
      is_smaller = accept(candidate) || is_smaller;
    }
    return is_smaller;
  }

  bool simplify_statements() {
    bool is_smaller = false;
    for (std::size_t i = 0; i < best_.programs.size(); ++i) {
      for (std::size_t j = 0; j < best_.programs[i].statements.size(); ++j) {
        is_smaller = simplify(i, j) || is_smaller;
      }
    }
    return is_smaller;
  }

  bool simplify(std::size_t program, std::size_t place) {
    bool is_smaller = false;
    if (begins_block(best_.programs[program].statements[place].kind)) return false;
    const auto attempt = [&](auto&& change) {
      Case candidate = best_;
      change(candidate.programs[program].statements[place]);
      is_smaller = accept(candidate) || is_smaller;
    };
    attempt([](Statement& each) { each.conditions.clear(); });
    attempt([](Statement& each) {
      if (!each.conditions.empty()) each.conditions.pop_back();
    });
    attempt([](Statement& each) { each.inverted = false; });
    const std::size_t angles = best_.programs[program].statements[place].angles.size();
    for (std::size_t k = 0; k < angles; ++k) {
      for (const char* simple : {"0", "pi", "pi/2", "pi/4", "0.5", "0.3"}) {
        const std::string old = best_.programs[program].statements[place].angles[k];
        if (old == simple) break;
        // An angle must not become longer, or shrinking might go round in circles.
        if (old.size() < std::string(simple).size()) continue;
        const Case before = best_;
        attempt([&](Statement& each) { each.angles[k] = simple; });
        if (best_ != before) break;
      }
    }
    return is_smaller;
  }

  /// Leaves out qubits that no statement uses.
  bool leave_out_qubits() {
    bool is_smaller = false;
    const unsigned count = best_.programs.empty() ? 0 : best_.programs[0].qubit_count();
    for (unsigned qubit = count; qubit-- > 0;) {
      Case candidate = best_;
      for (Program& program : candidate.programs) drop_qubit(program, qubit);
      const bool is_unused = std::ranges::all_of(best_.programs, [&](const Program& program) {
        return program.qubit_count() == count && !uses(program, qubit);
      });
      if (count > 1 && is_unused && best_.programs[0].qubit_count() > 1) {
        is_smaller = accept(candidate) || is_smaller;
      }
    }
    return is_smaller;
  }

  static bool uses(const Program& program, unsigned qubit) {
    return std::ranges::any_of(program.statements, [&](const Statement& statement) {
      return std::ranges::find(statement.qubits, qubit) != statement.qubits.end();
    });
  }

  static void drop_qubit(Program& program, unsigned qubit) {
    for (Statement& statement : program.statements) {
      for (unsigned& each : statement.qubits) {
        if (each > qubit) --each;
      }
    }
    unsigned first = 0;
    for (auto each = program.qubit_registers.begin(); each != program.qubit_registers.end();
         first += each->size, ++each) {
      if (qubit >= first + each->size) continue;
      if (--each->size == 0) program.qubit_registers.erase(each);
      return;
    }
  }

  bool leave_out_declarations() {
    Case candidate = best_;
    for (Program& program : candidate.programs) {
      std::erase_if(program.definitions, [&](const auto& each) {
        return std::ranges::none_of(program.statements, [&](const Statement& statement) {
          return statement.name == each.first;
        });
      });
    }
    bool is_smaller = accept(candidate);
    candidate = best_;
    for (Program& program : candidate.programs) program.parameters.clear();
    is_smaller = accept(candidate) || is_smaller;
    candidate = best_;
    for (Program& program : candidate.programs) program.bit_registers.clear();
    return accept(candidate) || is_smaller;
  }

  Case best_;
  const std::function<bool(const Case&)>& is_interesting_;
};

}  // namespace

Case shrink(Case large, const std::function<bool(const Case&)>& is_interesting) {
  return Shrinking(std::move(large), is_interesting).run();
}

}  // namespace quartz::differential
