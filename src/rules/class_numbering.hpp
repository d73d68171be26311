#pragma once

#include "rules/relabelling.hpp"
#include "rules/word_class.hpp"

/// Classes in canonical form: circuits sorted, qubits and parameters numbered.
namespace quartz::rules::words {

[[nodiscard]] QubitMask qubits_of(const WordClass& equal, const GateLabels& labels);
[[nodiscard]] ParameterMask parameters_of(const WordClass& equal, const GateLabels& labels);

/// Sorts the circuits canonically, removes duplicates, and makes phases relative to the first one.
void put_in_order(WordClass& equal);

/// Numbers qubits and parameters so that the list of circuits (in canonical order) is least, which
/// also removes unused ones.
///
/// The lists begin with their least circuits of the least length, so only the relabellings that
/// make these least are examined further; usually there is one.
void number_canonically(WordClass& equal, GateLabels& labels);

/// Numbers qubits and parameters so that the circuit has its canonical form; parameters that do not
/// occur in it get the following names. Returns the circuit's phase after relabelling.
Angle number_around(WordClass& equal, std::size_t member, GateLabels& labels);

/// Compares classes by their circuits.
[[nodiscard]] bool comes_before_class(const WordClass& a, const WordClass& b);

}  // namespace quartz::rules::words
