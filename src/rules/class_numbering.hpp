#pragma once

#include "rules/relabelling.hpp"
#include "rules/word_class.hpp"

/// Classes in canonical form: circuits in order, qubits and parameters numbered.
namespace quartz::words {

[[nodiscard]] QubitMask qubits_of(const WordClass& equal, const LabelTable& labels);
[[nodiscard]] ParameterMask parameters_of(const WordClass& equal, const LabelTable& labels);

/// Canonical order, each circuit once, phases relative to the first.
void put_in_order(WordClass& equal);

/// Qubits and parameters numbered so that the list of circuits (in canonical order) is least;
/// unused ones are thereby left out.
///
/// The lists begin with their least circuits of the least length, so only those relabellings that
/// make these least are looked at further, mostly one.
void number_canonically(WordClass& equal, LabelTable& labels);

/// Numbers qubits and parameters so that the circuit has its canonical form; parameters that it
/// does not have take the names that follow. Returns what becomes of the circuit's phase.
Angle number_around(WordClass& equal, std::size_t member, LabelTable& labels);

/// By their circuits.
[[nodiscard]] bool comes_before_class(const WordClass& a, const WordClass& b);

}  // namespace quartz::words
