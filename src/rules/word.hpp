#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/operation.hpp"

/// Small circuits as words. Gates on different qubits commute, so a circuit is a word modulo
/// commutation of independent letters: a trace, in the theory of Cartier and Foata and of
/// Mazurkiewicz. Its normal form here is the lexicographically least word of the trace.
namespace quartz::words {

/// A gate with its angles and operands: the label's number in the top 16 bits, then operand i in
/// the byte 5 - i. Letters compare as (label, operands).
using Letter = std::uint64_t;
using Word = std::vector<Letter>;

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

/// Gates with their angles, numbered. Not for several threads at once.
class LabelTable {
 public:
  struct Label {
    GateKind gate{};
    std::vector<Angle> angles;
    bool any_angles = false;  ///< a pattern that takes the gate with whatever angles; none listed
    friend auto operator<=>(const Label&, const Label&) = default;
  };

  /// The label's number; new labels get the next one.
  [[nodiscard]] std::uint16_t number(const Label& label);
  [[nodiscard]] const Label& label(Letter letter) const { return entry(letter).label; }

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
  std::map<Label, std::uint16_t> numbers_;
  std::vector<std::string> parameter_names_;
  std::map<ParameterMask, std::vector<Renaming>> renamings_;
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

/// The order, as positions in the word, that makes the lexicographically least word.
[[nodiscard]] std::vector<std::size_t> normal_order(std::span<const Letter> word,
                                                    const LabelTable& labels);
[[nodiscard]] Word normal_form(std::span<const Letter> word, const LabelTable& labels);

[[nodiscard]] QubitMask qubits(std::span<const Letter> word, const LabelTable& labels);
[[nodiscard]] ParameterMask parameters(std::span<const Letter> word, const LabelTable& labels);
/// In normal form.
[[nodiscard]] Word relabelled(std::span<const Letter> word, const QubitMap& map, Renaming& renaming,
                              LabelTable& labels);
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
