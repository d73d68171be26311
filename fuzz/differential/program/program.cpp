#include "program/program.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

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

bool Program::has_while_loops() const {
  return std::ranges::any_of(
      statements, [](const Statement& each) { return each.kind == StatementKind::while_loop; });
}

std::vector<std::size_t> Program::other_ends_of_blocks() const {
  std::vector<std::size_t> places(statements.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (begins_block(statements[i].kind)) open.push_back(i);
    if (statements[i].kind != StatementKind::end) continue;
    if (open.empty()) throw std::runtime_error("a block without a beginning");
    places[i] = open.back();
    places[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) throw std::runtime_error("a block without an end");
  return places;
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
