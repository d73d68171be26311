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
namespace quartz::rules::words {

/// A gate with its angles and operands: the label's number is in the top 16 bits, operand i in byte
/// 5 - i. Letters compare as (label, operands).
using Letter = std::uint64_t;
/// A word. Words are short and there are millions of them: up to 8 letters need no allocation.
struct Word : boost::container::small_vector<Letter, 8> {
  using small_vector::small_vector;
  Word() = default;
  Word(const Word&) = default;
  Word(Word&& other) noexcept;  // not inline, because GCC 12 then warns about these two functions
  Word& operator=(const Word&) = default;
  Word& operator=(Word&& other) noexcept;
  ~Word() = default;
  operator std::span<const Letter>() const { return {data(), size()}; }  // NOLINT: implicit
};

/// A set of qubits: bit q is qubit q.
using QubitMask = std::uint64_t;
/// The new number of each qubit, by its old number.
using QubitMap = std::array<std::uint8_t, 64>;
/// A set of parameters: bit i is the i-th parameter name of a GateLabels.
using ParameterMask = std::uint64_t;
/// Angles that replace parameters, by parameter name.
using Substitution = std::map<std::string, Angle>;

/// A renaming of parameters to p0, p1, ...
struct Renaming {
  Substitution substitution;
  bool identity = true;
  std::vector<std::int32_t> images;  ///< images of labels by number; -1 if not yet known
};

/// Numbers gates with their angles. Not thread-safe: each thread needs a copy, in which existing
/// labels keep their numbers.
class GateLabels {
 public:
  struct Label {
    GateKind gate{};
    AngleList angles;
    bool any_angles =
        false;  ///< a pattern that matches the gate with any angles; `angles` is empty
    friend auto operator<=>(const Label&, const Label&) = default;
  };

  /// Returns the label's number; a new label gets the next one.
  [[nodiscard]] std::uint16_t number(const Label& label) {
    return number(label.gate, label.angles, label.any_angles);
  }
  [[nodiscard]] std::uint16_t number(GateKind gate, std::span<const Angle> angles,
                                     bool any_angles = false);
  [[nodiscard]] const Label& label(Letter letter) const { return entry(letter).label; }
  /// Returns the number of labels; their numbers are below it.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  [[nodiscard]] Letter encode(const Operation& operation);
  [[nodiscard]] Operation decode(Letter letter) const;
  [[nodiscard]] Letter with_label(Letter letter, const Label& label);
  /// Moves the gate to other qubits. Interchangeable operands of a symmetric gate are sorted.
  [[nodiscard]] Letter with_qubits(Letter letter, const QubitMap& map) const;
  [[nodiscard]] Letter with_parameters(Letter letter, const Substitution& substitution);
  [[nodiscard]] Letter renamed(Letter letter, Renaming& renaming);
  [[nodiscard]] unsigned operand_count(Letter letter) const { return entry(letter).operands; }
  [[nodiscard]] QubitMask qubits(Letter letter) const;
  [[nodiscard]] ParameterMask parameters(Letter letter) const { return entry(letter).parameters; }

  /// Returns the sorted names of these parameters.
  [[nodiscard]] std::vector<std::string> parameter_names(ParameterMask mask) const;
  /// Returns every renaming of these parameters to p0, p1, ... without gaps.
  [[nodiscard]] std::span<Renaming> renamings(ParameterMask mask);
  /// Returns every numbering of these qubits by 0, 1, ... without gaps; see for_each_qubit_map.
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
  std::unordered_multimap<std::size_t, std::uint16_t> numbers_;  ///< by the hash of the label
  std::vector<std::string> parameter_names_;
  std::map<ParameterMask, std::vector<Renaming>> renamings_;
  std::map<QubitMask, std::vector<QubitMap>> qubit_maps_;
};

/// Returns the canonical name of parameter i.
[[nodiscard]] inline std::string parameter_name(std::size_t i) { return "p" + std::to_string(i); }

[[nodiscard]] constexpr unsigned operand(Letter letter, unsigned index) {
  return static_cast<unsigned>(letter >> (8U * (5U - index))) & 0xffU;
}

/// The order that dependent letters impose on a word.
class Dependence {
 public:
  Dependence(std::span<const Letter> word, const GateLabels& labels);

  /// Returns the letters that must come before letter i, as bits, including indirect dependences.
  [[nodiscard]] std::uint32_t before(std::size_t i) const { return before_[i]; }
  /// Returns whether every letter between two letters of the subset is in the subset.
  [[nodiscard]] bool convex(std::uint32_t subset) const;
  /// Returns whether the subset is connected by shared qubits.
  [[nodiscard]] bool connected(std::uint32_t subset) const;

 private:
  std::vector<std::uint32_t> before_;
  std::vector<QubitMask> qubits_;
};

/// The commutation structure of a word. It is the same for the word with other labels and on other
/// qubits, and many words are brought into normal form at the cost of one.
class Trace {
 public:
  static constexpr std::size_t kMaxLetters = 32;

  Trace(std::span<const Letter> word, const GateLabels& labels);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns all letters as a set of positions.
  [[nodiscard]] std::uint64_t all() const { return (std::uint64_t{1} << size_) - 1; }
  /// Returns the position of the first letter in the normal form of the letters at the positions
  /// `rest`, which must not be empty.
  [[nodiscard]] std::size_t first(const Letter* letters, std::uint64_t rest) const {
    std::size_t least = kMaxLetters;
    for (std::uint64_t open = rest; open != 0; open &= open - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(open));
      if ((before_[i] & rest) != 0) continue;
      if (least == kMaxLetters || letters[i] < letters[least]) least = i;
    }
    return least;
  }
  [[nodiscard]] Word normal_form(const Letter* letters) const;
  /// Replaces `least` by the normal form of the letters if that is less, or if `known` is false
  /// (`least` is not yet set), and returns how the two compare. Examines no more letters than
  /// necessary.
  std::strong_ordering lessen(const Letter* letters, bool known, Letter* least) const;

 private:
  std::size_t size_;
  /// Earlier letters that share a qubit with each letter, as bits.
  std::array<std::uint32_t, kMaxLetters> before_;
};

/// Returns the order of positions that makes the lexicographically least word.
[[nodiscard]] std::vector<std::size_t> normal_order(std::span<const Letter> word,
                                                    const GateLabels& labels);
[[nodiscard]] Word normal_form(std::span<const Letter> word, const GateLabels& labels);

[[nodiscard]] QubitMask qubits(std::span<const Letter> word, const GateLabels& labels);
[[nodiscard]] ParameterMask parameters(std::span<const Letter> word, const GateLabels& labels);
/// Relabels a word. The result is in normal form.
[[nodiscard]] Word relabelled(std::span<const Letter> word, const QubitMap& map, Renaming& renaming,
                              GateLabels& labels);
/// Relabels a word and substitutes any angles for its parameters, which is slow. The result is in
/// normal form.
[[nodiscard]] Word relabelled(std::span<const Letter> word, const QubitMap& map,
                              const Substitution& substitution, GateLabels& labels);

/// Orders words by length, then lexicographically.
[[nodiscard]] inline bool comes_before(const Word& a, const Word& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

struct WordHash {
  std::size_t operator()(const Word& word) const noexcept;
};

}  // namespace quartz::rules::words
