#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/custom_gate.hpp"

/// Journals that consist of several parts, each of which leads from one circuit to the next
/// (docs/formats/compound_journal.md). They prove results with ancillas, which no rewrite of a
/// journal adds.
namespace quartz {

/// Leads to a circuit that check_equivalence() compares with the one before, and which may have
/// more qubits and bits: ancillas, and outcomes of their measurements.
struct ComparedPart {
  Circuit circuit;
};

/// A replacement of operations that follow each other in the list of a circuit. Both sides are
/// equal for any value of the angle `base`, of which the angles of their gates rz may be multiples
/// by powers of 2, if it is not 0; the new side may prepare ancillas, measure them, and have gates
/// under the outcomes.
struct Replacement {
  std::size_t position = 0;  ///< in the circuit after the replacements before
  std::size_t removed = 0;   ///< how many operations are replaced
  std::vector<Operation> inserted;
  Angle base;
};

/// Leads to a circuit by replacements. It has the qubits and the bits of `declarations`, which has
/// no operations; those of the circuit before are the first of them.
struct ReplacementPart {
  Circuit declarations;
  std::vector<Replacement> replacements;
};

/// Leads to the same circuit without the barriers on any qubit from the first one on.
struct BarrierPart {
  Qubit first = 0;
};

/// Leads to a circuit by the rewrites of a journal (docs/formats/journal.md). The last part of a
/// compound journal has no circuit if it leads to the result.
struct RewritePart {
  std::string journal;
  std::optional<Circuit> circuit;
};

using JournalPart = std::variant<ComparedPart, ReplacementPart, BarrierPart, RewritePart>;

/// Returns the bytes of a compound journal.
[[nodiscard]] std::string compound_journal(const std::vector<JournalPart>& parts);

/// Returns whether bytes begin as a compound journal does.
[[nodiscard]] bool is_compound_journal(std::string_view bytes);

/// Returns the parts of a compound journal. Circuits may call these custom gates. Throws InputError
/// for bytes that are not a complete compound journal; `name` is what messages call them.
[[nodiscard]] std::vector<JournalPart> parts_of_journal(std::string_view bytes,
                                                        const std::string& name,
                                                        const CustomGates& custom_gates = {});

/// Appends the parts of a journal of either kind, as parts_of_journal() reads them. `circuit` is
/// the one to which it leads; nothing if that is the result.
void append_journal(std::vector<JournalPart>& parts, std::string journal,
                    std::optional<Circuit> circuit, const CustomGates& custom_gates = {});

/// Returns the journal of two searches, the second of which began with the result of the first one.
/// Both journals may be of either kind.
[[nodiscard]] std::string joined_journal(std::string first, const Circuit& result_of_first,
                                         std::string second, const CustomGates& custom_gates = {});

/// Proves that the replacements of a part make an equal circuit of the given one, for every outcome
/// of the measurements: check_equivalence() compares the sides of each, with a free parameter in
/// place of its base. That a new ancilla is in |0> before a replacement, and is not used behind it,
/// is read off the operations; the qubits and bits of `input` are no ancillas. The report is
/// undecided, with a reason, if a replacement is not proved, and then the circuit is not what
/// follows. Replaces the circuit by the one that follows.
[[nodiscard]] EquivalenceReport prove_replacements(Circuit& circuit, const Circuit& input,
                                                   const ReplacementPart& part,
                                                   const EquivalenceOptions& options);

/// Certifies that a circuit equals another one, as check_equivalence() does with
/// EquivalenceOptions::ancillas, by a compound journal that leads from the one to the other. Every
/// part is proved with code that shares nothing with the search. The distance is the sum over all
/// parts. The circuits are undecided if a part is not proved. Throws what parts_of_journal() and
/// check_equivalence() throw.
[[nodiscard]] EquivalenceReport replay_compound_journal(const Circuit& input, const Circuit& output,
                                                        std::string_view journal,
                                                        const std::string& name,
                                                        const EquivalenceOptions& options,
                                                        const CustomGates& custom_gates = {});

}  // namespace quartz
