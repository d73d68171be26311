#include "rules/word.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "rules/relabelling.hpp"

namespace quartz::rules::words {
namespace {

constexpr unsigned kMaxOperands = 6;
constexpr unsigned kMaxQubits = 64;

Letter with_operand(Letter letter, unsigned index, unsigned qubit) {
  const unsigned shift = 8U * (5U - index);
  return (letter & ~(Letter{0xff} << shift)) | (Letter{qubit} << shift);
}

/// Sorts interchangeable operands (those with the same symmetry number) in ascending order.
Letter with_sorted_operands(Letter letter, const Gate& row) {
  for (unsigned i = 1; i < row.qubits; ++i) {
    for (unsigned j = i; j > 0; --j) {
      // Find the next lower operand that is interchangeable with operand j.
      unsigned lower = j;
      while (lower > 0 && row.symmetry[lower - 1] != row.symmetry[j]) --lower;
      if (lower == 0 || operand(letter, lower - 1) <= operand(letter, j)) continue;
      const unsigned moved = operand(letter, j);
      letter = with_operand(letter, j, operand(letter, lower - 1));
      letter = with_operand(letter, lower - 1, moved);
    }
  }
  return letter;
}

std::size_t hash_of(GateKind kind, std::span<const Angle> angles, bool any_angles) {
  std::size_t hash = 2 * static_cast<std::size_t>(kind) + (any_angles ? 1 : 0);
  for (const Angle& angle : angles) hash = hash * 0x9e3779b97f4a7c15ULL + angle.hash();
  return hash;
}

}  // namespace

Word::Word(Word&& other) noexcept = default;
Word& Word::operator=(Word&& other) noexcept = default;

std::uint16_t GateLabels::number(GateKind kind, std::span<const Angle> angles, bool any_angles) {
  const std::size_t hash = hash_of(kind, angles, any_angles);
  const auto [begin, end] = numbers_.equal_range(hash);
  for (auto known = begin; known != end; ++known) {
    const Label& label = entries_[known->second].label;
    if (label.gate == kind && label.any_angles == any_angles &&
        std::equal(angles.begin(), angles.end(), label.angles.begin(), label.angles.end())) {
      return known->second;
    }
  }
  ensure(entries_.size() < std::numeric_limits<std::uint16_t>::max(),
         "a rule set has fewer than 65535 different gates with angles");
  const auto next = static_cast<std::uint16_t>(entries_.size());
  const Gate& row = gate(kind);
  Entry entry{{kind, {angles.begin(), angles.end()}, any_angles}, row.qubits, false, 0};
  for (unsigned i = 0; i < row.qubits; ++i) entry.symmetric |= row.symmetry[i] != i;
  for (const Angle& angle : angles) {
    for (const std::string& name : angle.symbols()) {
      entry.parameters |= ParameterMask{1} << parameter_number(name);
    }
  }
  entries_.push_back(std::move(entry));
  numbers_.emplace(hash, next);
  return next;
}

std::size_t GateLabels::parameter_number(const std::string& name) {
  const auto known = std::find(parameter_names_.begin(), parameter_names_.end(), name);
  if (known == parameter_names_.end()) {
    ensure(parameter_names_.size() < 64, "a rule set has up to 64 parameters");
    parameter_names_.push_back(name);
    return parameter_names_.size() - 1;
  }
  return static_cast<std::size_t>(known - parameter_names_.begin());
}

std::vector<std::string> GateLabels::parameter_names(ParameterMask mask) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parameter_names_.size(); ++i) {
    if ((mask >> i & 1U) != 0) names.push_back(parameter_names_[i]);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::span<Renaming> GateLabels::renamings(ParameterMask mask) {
  const auto known = renamings_.find(mask);
  if (known != renamings_.end()) return known->second;
  const std::vector<std::string> names = parameter_names(mask);
  std::vector<std::size_t> image(names.size());
  std::iota(image.begin(), image.end(), std::size_t{0});
  std::vector<Renaming> all;
  do {
    Renaming& renaming = all.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name = parameter_name(image[i]);
      renaming.identity = renaming.identity && name == names[i];
      renaming.substitution.emplace(names[i], Angle::symbol(name));
    }
  } while (std::next_permutation(image.begin(), image.end()));
  return renamings_.emplace(mask, std::move(all)).first->second;
}

std::span<const QubitMap> GateLabels::qubit_maps(QubitMask used) {
  const auto known = qubit_maps_.find(used);
  if (known != qubit_maps_.end()) return known->second;
  std::vector<QubitMap> all;
  for_each_qubit_map(used, [&](const QubitMap& map) { all.push_back(map); });
  return qubit_maps_.emplace(used, std::move(all)).first->second;
}

Letter GateLabels::encode(const Operation& operation) {
  ensure(!operation.is_boundary(), "circuits of rules have plain gates only");
  ensure(operation.qubits.size() <= kMaxOperands, "gates of rules have up to 6 operands");
  Letter letter = Letter{number(operation.gate, operation.angles)} << 48U;
  for (unsigned i = 0; i < operation.qubits.size(); ++i) {
    ensure(operation.qubits[i] < kMaxQubits, "circuits of rules have up to 64 qubits");
    letter = with_operand(letter, i, operation.qubits[i]);
  }
  return with_sorted_operands(letter, gate(operation.gate));
}

Operation GateLabels::decode(Letter letter) const {
  Operation operation;
  operation.gate = label(letter).gate;
  operation.angles = label(letter).angles;
  for (unsigned i = 0; i < operand_count(letter); ++i) {
    operation.qubits.push_back(operand(letter, i));
  }
  return operation;
}

Letter GateLabels::with_label(Letter letter, const Label& label) {
  return (letter & 0xffffffffffffULL) | (Letter{number(label)} << 48U);
}

Letter GateLabels::with_qubits(Letter letter, const QubitMap& map) const {
  const Entry& own = entry(letter);
  Letter result = letter & (Letter{0xffff} << 48U);
  for (unsigned i = 0; i < own.operands; ++i) {
    result |= Letter{map[operand(letter, i)]} << (8U * (5U - i));
  }
  return own.symmetric ? with_sorted_operands(result, gate(own.label.gate)) : result;
}

Letter GateLabels::with_parameters(Letter letter, const Substitution& substitution) {
  Label changed = label(letter);
  for (Angle& angle : changed.angles) angle = angle.substitute(substitution);
  return with_label(letter, changed);
}

Letter GateLabels::renamed(Letter letter, Renaming& renaming) {
  if (renaming.identity || parameters(letter) == 0) return letter;
  const std::size_t own = letter >> 48U;
  if (own >= renaming.images.size()) renaming.images.resize(entries_.size(), -1);
  if (renaming.images[own] < 0) {
    renaming.images[own] =
        static_cast<std::int32_t>(with_parameters(letter, renaming.substitution) >> 48U);
  }
  return (letter & 0xffffffffffffULL) | (static_cast<Letter>(renaming.images[own]) << 48U);
}

QubitMask GateLabels::qubits(Letter letter) const {
  QubitMask mask = 0;
  for (unsigned i = 0; i < operand_count(letter); ++i) mask |= QubitMask{1} << operand(letter, i);
  return mask;
}

Dependence::Dependence(std::span<const Letter> word, const GateLabels& labels) {
  ensure(word.size() <= 32, "circuits of rules have up to 32 gates");
  for (std::size_t i = 0; i < word.size(); ++i) {
    qubits_.push_back(labels.qubits(word[i]));
    before_.push_back(0);
    for (std::size_t j = 0; j < i; ++j) {
      if ((qubits_[i] & qubits_[j]) != 0) before_[i] |= before_[j] | (1U << j);
    }
  }
}

bool Dependence::convex(std::uint32_t subset) const {
  std::uint32_t reached = 0;  // letters that must come before a letter of the subset
  for (std::size_t i = 0; i < before_.size(); ++i) {
    if ((subset >> i & 1U) != 0) reached |= before_[i];
  }
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const bool between = (reached >> i & 1U) != 0 && (before_[i] & subset) != 0;
    if (between && (subset >> i & 1U) == 0) return false;
  }
  return true;
}

bool Dependence::connected(std::uint32_t subset) const {
  if (subset == 0) return true;
  std::uint32_t rest = subset & (subset - 1);
  QubitMask reached = 0;
  for (std::size_t i = 0; i < qubits_.size(); ++i) {
    if (((subset & ~rest) >> i & 1U) != 0) reached = qubits_[i];
  }
  for (bool grown = true; grown && rest != 0;) {
    grown = false;
    for (std::size_t i = 0; i < qubits_.size(); ++i) {
      if ((rest >> i & 1U) == 0 || (qubits_[i] & reached) == 0) continue;
      reached |= qubits_[i];
      rest &= ~(1U << i);
      grown = true;
    }
  }
  return rest == 0;
}

Trace::Trace(std::span<const Letter> word, const GateLabels& labels) : size_(word.size()) {
  ensure(size_ <= kMaxLetters, "circuits of rules have up to 32 gates");
  std::array<QubitMask, kMaxLetters> masks;
  for (std::size_t i = 0; i < size_; ++i) {
    masks[i] = labels.qubits(word[i]);
    before_[i] = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if ((masks[i] & masks[j]) != 0) before_[i] |= std::uint32_t{1} << j;
    }
  }
}

Word Trace::normal_form(const Letter* letters) const {
  Word result;
  result.reserve(size_);
  for (std::uint64_t rest = all(); rest != 0;) {
    const std::size_t next = first(letters, rest);
    result.push_back(letters[next]);
    rest &= ~(std::uint64_t{1} << next);
  }
  return result;
}

std::strong_ordering Trace::lessen(const Letter* letters, bool known, Letter* least) const {
  bool is_less = !known;
  std::size_t place = 0;
  for (std::uint64_t rest = all(); rest != 0; ++place) {
    const std::size_t next = first(letters, rest);
    if (!is_less && letters[next] > least[place]) return std::strong_ordering::greater;
    is_less = is_less || letters[next] < least[place];
    least[place] = letters[next];
    rest &= ~(std::uint64_t{1} << next);
  }
  return is_less ? std::strong_ordering::less : std::strong_ordering::equal;
}

std::vector<std::size_t> normal_order(std::span<const Letter> word, const GateLabels& labels) {
  const Trace trace(word, labels);
  std::vector<std::size_t> order;
  order.reserve(word.size());
  for (std::uint64_t rest = trace.all(); rest != 0; rest &= ~(std::uint64_t{1} << order.back())) {
    order.push_back(trace.first(word.data(), rest));
  }
  return order;
}

Word normal_form(std::span<const Letter> word, const GateLabels& labels) {
  return Trace(word, labels).normal_form(word.data());
}

QubitMask qubits(std::span<const Letter> word, const GateLabels& labels) {
  QubitMask mask = 0;
  for (const Letter letter : word) mask |= labels.qubits(letter);
  return mask;
}

ParameterMask parameters(std::span<const Letter> word, const GateLabels& labels) {
  ParameterMask mask = 0;
  for (const Letter letter : word) mask |= labels.parameters(letter);
  return mask;
}

Word relabelled(std::span<const Letter> word, const QubitMap& map, Renaming& renaming,
                GateLabels& labels) {
  const Trace trace(word, labels);
  std::array<Letter, Trace::kMaxLetters> letters;
  for (std::size_t i = 0; i < word.size(); ++i) {
    letters[i] = labels.renamed(labels.with_qubits(word[i], map), renaming);
  }
  return trace.normal_form(letters.data());
}

Word relabelled(std::span<const Letter> word, const QubitMap& map, const Substitution& substitution,
                GateLabels& labels) {
  const Trace trace(word, labels);
  std::array<Letter, Trace::kMaxLetters> letters;
  for (std::size_t i = 0; i < word.size(); ++i) {
    letters[i] = labels.with_parameters(labels.with_qubits(word[i], map), substitution);
  }
  return trace.normal_form(letters.data());
}

std::size_t WordHash::operator()(const Word& word) const noexcept {
  // Fibonacci hashing, applied to each letter.
  std::uint64_t hash = word.size();
  for (const Letter letter : word) {
    hash = (hash ^ letter) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

}  // namespace quartz::rules::words
