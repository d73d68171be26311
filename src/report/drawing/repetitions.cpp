#include "report/drawing/repetitions.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "report/drawing/label.hpp"

namespace quartz::report {
namespace {

/// A repetition saves at least this many operations.
constexpr std::size_t kLeastSaved = 12;
/// Parts are sought that begin with one of the next occurrences of an operation, up to this one.
constexpr int kMaxCandidates = 24;

using Symbols = std::vector<std::uint32_t>;

/// Returns a number for each operation; equal operations have equal numbers.
Symbols symbols_of(const Circuit& circuit, std::size_t most) {
  std::unordered_map<std::string, std::uint32_t> numbers;
  Symbols symbols;
  const std::size_t count = std::min(most, circuit.operations.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string label = full_label(circuit, circuit.operations[i]);
    symbols.push_back(numbers.emplace(label, numbers.size()).first->second);
  }
  return symbols;
}

/// Returns for each operation the index of the next equal one, or the number of operations.
std::vector<std::size_t> next_occurrences(const Symbols& symbols) {
  std::vector<std::size_t> next(symbols.size());
  std::unordered_map<std::uint32_t, std::size_t> seen;
  for (std::size_t i = symbols.size(); i-- > 0;) {
    const auto found = seen.find(symbols[i]);
    next[i] = found == seen.end() ? symbols.size() : found->second;
    seen[symbols[i]] = i;
  }
  return next;
}

/// Returns how many times the part occurs.
std::size_t count_of(const Symbols& symbols, std::size_t first, std::size_t length) {
  const auto part = symbols.begin() + static_cast<std::ptrdiff_t>(first);
  const auto size = static_cast<std::ptrdiff_t>(length);
  std::size_t count = 1;
  for (auto at = part + size; symbols.end() - at >= size; at += size, ++count) {
    if (!std::equal(part, part + size, at)) break;
  }
  return count;
}

std::size_t saved_by(const Repetition& repetition) {
  return repetition.length * (repetition.count - 1);
}

Repetition best_at(const Symbols& symbols, const std::vector<std::size_t>& next,
                   std::size_t first) {
  Repetition best{first, 1, 1};
  std::size_t other = next[first];
  for (int i = 0; i < kMaxCandidates && other < symbols.size(); ++i, other = next[other]) {
    const std::size_t length = other - first;
    const Repetition found{first, length, count_of(symbols, first, length)};
    if (saved_by(found) > saved_by(best)) best = found;
  }
  return best;
}

}  // namespace

std::vector<Repetition> repetitions_in(const Circuit& circuit, std::size_t most) {
  const Symbols symbols = symbols_of(circuit, most);
  const std::vector<std::size_t> next = next_occurrences(symbols);
  std::vector<Repetition> repetitions;
  for (std::size_t i = 0; i < symbols.size();) {
    const Repetition best = best_at(symbols, next, i);
    if (saved_by(best) < kLeastSaved) {
      ++i;
      continue;
    }
    repetitions.push_back(best);
    i = best.end();
  }
  return repetitions;
}

}  // namespace quartz::report
