#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
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
using QubitMap = std::vector<std::uint8_t>;
/// Parameter names to what they become.
using Substitution = std::map<std::string, Angle>;

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
  [[nodiscard]] const Label& label(Letter letter) const { return labels_[letter >> 48U]; }

  [[nodiscard]] Letter encode(const Operation& operation);
  [[nodiscard]] Operation decode(Letter letter) const;
  [[nodiscard]] Letter with_label(Letter letter, const Label& label);
  /// The gate on other qubits; interchangeable operands of a symmetric gate come in rising order.
  [[nodiscard]] Letter with_qubits(Letter letter, const QubitMap& map) const;
  [[nodiscard]] Letter with_parameters(Letter letter, const Substitution& substitution);
  [[nodiscard]] unsigned operand_count(Letter letter) const;
  [[nodiscard]] QubitMask qubits(Letter letter) const;

 private:
  std::vector<Label> labels_;
  std::map<Label, std::uint16_t> numbers_;
};

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
/// The parameters in the angles of the word, sorted.
[[nodiscard]] std::vector<std::string> parameters(std::span<const Letter> word,
                                                  const LabelTable& labels);
/// In normal form.
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
