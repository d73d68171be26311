#include "program/program.hpp"

#include <algorithm>
#include <numeric>

namespace quartz::differential {
namespace {

unsigned total_size(const std::vector<Register>& registers) {
  return std::accumulate(registers.begin(), registers.end(), 0U,
                         [](unsigned sum, const Register& each) { return sum + each.size; });
}

}  // namespace

unsigned Program::qubit_count() const { return total_size(qubit_registers); }

unsigned Program::bit_count() const { return total_size(bit_registers); }

unsigned Program::first_bit(unsigned bit_register) const {
  unsigned first = 0;
  for (unsigned i = 0; i < bit_register; ++i) first += bit_registers.at(i).size;
  return first;
}

bool Program::is_measured() const {
  return std::ranges::any_of(statements, [](const Statement& statement) {
    return statement.kind == StatementKind::measure || statement.kind == StatementKind::reset;
  });
}

bool Program::has_conditions() const {
  return std::ranges::any_of(statements,
                             [](const Statement& each) { return !each.conditions.empty(); });
}

std::string sum_of_phases(const Program& program) {
  std::string sum;
  for (const Statement& statement : program.statements) {
    if (statement.kind != StatementKind::phase) continue;
    sum += (sum.empty() ? "(" : "+(") + statement.angles.at(0) + ")";
  }
  return sum;
}

}  // namespace quartz::differential
