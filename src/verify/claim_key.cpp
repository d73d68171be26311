#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/verify/proof_cache.hpp"
#include "verify/claim_core.hpp"

namespace quartz {
namespace {

/// Assigns numbers to names, in the order of their first occurrence.
template <typename Name>
class Numbering {
 public:
  [[nodiscard]] std::size_t number(const Name& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }

 private:
  std::vector<Name> names_;
};

/// The text of a claim, in which qubits and parameters are numbers.
class ClaimText {
 public:
  void add(std::span<const Operation> circuit) {
    for (const Operation& operation : circuit) {
      text_ += gate(operation.gate).name;
      // Another process may use the same name for a different custom gate.
      if (is_custom(operation.gate)) text_ += " = " + meaning_of(gate(operation.gate));
      for (const Angle& angle : operation.angles) add(angle);
      for (const Qubit qubit : operation.qubits) {
        fmt::format_to(std::back_inserter(text_), " {}", qubits_.number(qubit));
      }
      text_ += '\n';
    }
    text_ += "=\n";
  }
  void add(const Angle& angle) {
    text_ += '(';
    add(angle.pi_part(), "pi");
    add(angle.radian_part(), "");
    // The terms are ordered by the numbers of their names.
    std::vector<std::pair<std::size_t, const Angle::Term*>> terms;
    for (const Angle::Term& term : angle.terms()) {
      if (is_number(term.symbol)) {
        add(term.coefficient, term.symbol);
      } else {
        terms.emplace_back(parameters_.number(term.symbol), &term);
      }
    }
    std::sort(terms.begin(), terms.end());
    for (const auto& [number, term] : terms) add(term->coefficient, fmt::format("p{}", number));
    text_ += ')';
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static bool is_number(std::string_view symbol) { return symbol[0] >= '0' && symbol[0] <= '9'; }
  void add(const Rational& factor, std::string_view of) {
    fmt::format_to(std::back_inserter(text_), "{}/{}{},", factor.numerator(), factor.denominator(),
                   of);
  }

  std::string text_;
  Numbering<Qubit> qubits_;
  Numbering<std::string> parameters_;
};

}  // namespace

ClaimKey claim_key(const Claim& claim) {
  // The gates that both circuits begin or end with do not affect the truth of the claim.
  const verify::ClaimCore core = verify::core_of(claim.left, claim.right, claim.qubits);
  ClaimText text;
  text.add(core.left);
  text.add(core.right);
  text.add(claim.phase);
  return digest_words_of(text.text());
}

}  // namespace quartz
