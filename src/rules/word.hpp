#pragma once

#include <array>
#include <bit>
#include <boost/container/small_vector.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "quartz/circuit/operation.hpp"

/// Small circuits as words. Gates on different qubits commute, so a circuit is a word modulo
/// commutation of independent letters: a trace, in the theory of Cartier and Foata and of
/// Mazurkiewicz. Its normal form here is the lexicographically least word of the trace.
namespace quartz::words {

/// A gate with its angles and operands: the label's number in the top 16 bits, then operand i in
/// the byte 5 - i. Letters compare as (label, operands).
using Letter = std::uint64_t;
/// Words are short and there are millions of them: up to 8 letters need no memory of their own.
struct Word : boost::container::small_vector<Letter, 8> {
  using small_vector::small_vector;
  Word() = default;
  Word(const Word&) = default;
  Word(Word&& other) noexcept;  // GCC 12 warns of what it makes of these two where it inlines them
  Word& operator=(const Word&) = default;
  Word& operator=(Word&& other) noexcept;
  ~Word() = default;
  operator std::span<const Letter>() const { return {data(), size()}; }  // NOLINT: it is one
};

/// Bit q stands for qubit q.
using QubitMask = std::uint64_t;
/// Where each qubit goes: old number to new number.
using QubitMap = std::array<std::uint8_t, 64>;
/// Bit i stands for the i-th parameter name of a LabelTable.
using ParameterMask = std::uint64_t;
/// Parameter names to what they become.
using Substitution = std::map<std::string, Angle>;

/// A renaming of parameters to p0, p1, ...
struct Renaming {
  Substitution substitution;
  bool identity = true;
  std::vector<std::int32_t> images;  ///< of labels by number, as far as known; -1 if not
};

/// Gates with their angles, numbered. Not for several threads at once: each has a copy, in which
/// the labels known so far have the same numbers.
class LabelTable {
 public:
  struct Label {
    GateKind gate{};
    std::vector<Angle> angles;
    bool any_angles = false;  ///< a pattern that takes the gate with whatever angles; none listed
    friend auto operator<=>(const Label&, const Label&) = default;
  };

  /// The label's number; new labels get the next one.
  [[nodiscard]] std::uint16_t number(const Label& label) {
    return number(label.gate, label.angles, label.any_angles);
  }
  [[nodiscard]] std::uint16_t number(GateKind gate, std::span<const Angle> angles,
                                     bool any_angles = false);
  [[nodiscard]] const Label& label(Letter letter) const { return entry(letter).label; }
  /// Of labels known so far: their numbers are below it.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  [[nodiscard]] Letter encode(const Operation& operation);
  [[nodiscard]] Operation decode(Letter letter) const;
  [[nodiscard]] Letter with_label(Letter letter, const Label& label);
  /// The gate on other qubits; interchangeable operands of a symmetric gate come in rising order.
  [[nodiscard]] Letter with_qubits(Letter letter, const QubitMap& map) const;
  [[nodiscard]] Letter with_parameters(Letter letter, const Substitution& substitution);
  [[nodiscard]] Letter renamed(Letter letter, Renaming& renaming);
  [[nodiscard]] unsigned operand_count(Letter letter) const { return entry(letter).operands; }
  [[nodiscard]] QubitMask qubits(Letter letter) const;
  [[nodiscard]] ParameterMask parameters(Letter letter) const { return entry(letter).parameters; }

  /// Sorted.
  [[nodiscard]] std::vector<std::string> parameter_names(ParameterMask mask) const;
  /// Every way to rename these parameters to p0, p1, ... without a gap.
  [[nodiscard]] std::span<Renaming> renamings(ParameterMask mask);
  /// Every way to number these qubits 0, 1, ... without a gap; see for_each_qubit_map.
  [[nodiscard]] std::span<const QubitMap> qubit_maps(QubitMask used);

 private:
  struct Entry {
    Label label;
    unsigned operands = 0;
    bool symmetric = false;  ///< some operands are interchangeable
    ParameterMask parameters = 0;
  };
  [[nodiscard]] const Entry& entry(Letter letter) const { return entries_[letter >> 48U]; }
  [[nodiscard]] std::size_t parameter_number(const std::string& name);

  std::vector<Entry> entries_;
  std::unordered_multimap<std::size_t, std::uint16_t> numbers_;  ///< by the label's hash
  std::vector<std::string> parameter_names_;
  std::map<ParameterMask, std::vector<Renaming>> renamings_;
  std::map<QubitMask, std::vector<QubitMap>> qubit_maps_;
};

/// The canonical name of parameter i.
[[nodiscard]] inline std::string parameter_name(std::size_t i) { return "p" + std::to_string(i); }

[[nodiscard]] constexpr unsigned operand(Letter letter, unsigned index) {
  return static_cast<unsigned>(letter >> (8U * (5U - index))) & 0xffU;
}

/// Which letters of a word must come before which.
class Dependence {
 public:
  Dependence(std::span<const Letter> word, const LabelTable& labels);

  /// The letters that must stand before letter i, as bits; those they depend on included.
  [[nodiscard]] std::uint32_t before(std::size_t i) const { return before_[i]; }
  /// Whether every letter between two of the subset is in it.
  [[nodiscard]] bool convex(std::uint32_t subset) const;
  /// Whether the subset hangs together by wires.
  [[nodiscard]] bool connected(std::uint32_t subset) const;

 private:
  std::vector<std::uint32_t> before_;
  std::vector<QubitMask> qubits_;
};

/// A word's letters as far as they may change places. What holds for a word holds for it with other
/// labels and on other qubits: so many words are put in normal form at the cost of one.
class Trace {
 public:
  static constexpr std::size_t kMostLetters = 32;

  Trace(std::span<const Letter> word, const LabelTable& labels);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// All letters, as a set of positions.
  [[nodiscard]] std::uint64_t all() const { return (std::uint64_t{1} << size_) - 1; }
  /// The position of the letter that comes first in the normal form of those at the positions
  /// `rest`, which is not empty.
  [[nodiscard]] std::size_t first(const Letter* letters, std::uint64_t rest) const {
    std::size_t least = kMostLetters;
    for (std::uint64_t open = rest; open != 0; open &= open - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(open));
      if ((before_[i] & rest) != 0) continue;
      if (least == kMostLetters || letters[i] < letters[least]) least = i;
    }
    return least;
  }
  [[nodiscard]] Word normal_form(const Letter* letters) const;
  /// Makes the normal form of the letters `least` if it is less (or if nothing is known yet); which
  /// of the two it was. Looks at no more letters than it must.
  std::strong_ordering lessen(const Letter* letters, bool known, Letter* least) const;

 private:
  std::size_t size_;
  /// Earlier letters that share a qubit, as bits.
  std::array<std::uint32_t, kMostLetters> before_;
};

/// The order, as positions in the word, that makes the lexicographically least word.
[[nodiscard]] std::vector<std::size_t> normal_order(std::span<const Letter> word,
                                                    const LabelTable& labels);
[[nodiscard]] Word normal_form(std::span<const Letter> word, const LabelTable& labels);

[[nodiscard]] QubitMask qubits(std::span<const Letter> word, const LabelTable& labels);
[[nodiscard]] ParameterMask parameters(std::span<const Letter> word, const LabelTable& labels);
/// In normal form.
[[nodiscard]] Word relabelled(std::span<const Letter> word, const QubitMap& map, Renaming& renaming,
                              LabelTable& labels);
/// With angles in place of parameters, which is slow.
[[nodiscard]] Word relabelled(std::span<const Letter> word, const QubitMap& map,
                              const Substitution& substitution, LabelTable& labels);

/// Shorter words first, then lexicographically.
[[nodiscard]] inline bool comes_before(const Word& a, const Word& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

struct WordHash {
  std::size_t operator()(const Word& word) const noexcept;
};

}  // namespace quartz::words
