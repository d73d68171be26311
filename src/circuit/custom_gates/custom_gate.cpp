#include "quartz/circuit/custom_gate.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "circuit/custom_gates/custom_gate_entry.hpp"
#include "circuit/custom_gates/per_gate.hpp"
#include "circuit/exact_matrix.hpp"
#include "circuit/gate_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"

namespace quartz {
namespace {

/// No gate needs finer constants, and floating point could hardly distinguish them.
constexpr std::int64_t kFinestPart = 4096;
constexpr std::int64_t kMaxHalves = 64;  ///< greatest coefficient of a parameter, in halves
constexpr int kMaxSqrt2Power = 64;
/// Greatest power of a gate that is tried as its inverse.
constexpr unsigned kMaxOrder = 8;

constexpr std::string_view kInverseSuffix = "_inverse";

// --- requirements on a definition ---

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_plain_name(std::string_view name) {
  if (name.empty() || !is_letter(name.front())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

void check_operands(const CustomGate& custom) {
  if (custom.qubits < 1 || custom.qubits > kMaxCustomQubits) {
    throw InputError("custom gates have 1 to " + std::to_string(kMaxCustomQubits) + " qubits, '" +
                     custom.name + "' has " + std::to_string(custom.qubits));
  }
  if (custom.parameters.size() > kMaxCustomParameters) {
    throw InputError("custom gates have up to " + std::to_string(kMaxCustomParameters) +
                     " parameters, '" + custom.name + "' has " +
                     std::to_string(custom.parameters.size()));
  }
  std::set<std::string_view> seen;
  for (const std::string& parameter : custom.parameters) {
    if (!is_plain_name(parameter) || parameter == "pi" || parameter == "i") {
      throw InputError("'" + parameter + "' is not a valid parameter name");
    }
    if (!seen.insert(parameter).second) {
      throw InputError("two parameters are named '" + parameter + "'");
    }
  }
}

std::string exponent_fault(const Angle& exponent, std::span<const std::string> parameters) {
  if (!exponent.radian_part().is_zero()) return "constants must be multiples of pi";
  if (exponent.pi_part().denominator() > kFinestPart) {
    return "constants must be multiples of pi/" + std::to_string(kFinestPart);
  }
  for (const Angle::Term& term : exponent.terms()) {
    if (std::find(parameters.begin(), parameters.end(), term.symbol) == parameters.end()) {
      return "constants must be multiples of pi, and '" + term.symbol + "' is not a parameter";
    }
    const Rational halves = term.coefficient * Rational(2);
    if (!halves.is_integer()) return "parameters must occur in multiples of 1/2";
    if (std::llabs(halves.numerator()) > kMaxHalves) {
      return "a parameter occurs more than " + std::to_string(kMaxHalves / 2) + " times";
    }
  }
  return {};
}

void check_entries(const circuit::ExactMatrix& unitary, const CustomGate& custom) {
  for (unsigned row = 0; row < unitary.dimension(); ++row) {
    for (unsigned column = 0; column < unitary.dimension(); ++column) {
      const std::string fault = circuit::entry_fault(unitary.at(row, column), custom.parameters);
      if (fault.empty()) continue;
      throw InputError("the entry in row " + std::to_string(row + 1) + ", column " +
                       std::to_string(column + 1) + " of the matrix of '" + custom.name +
                       "': " + fault);
    }
  }
}

// --- the row ---

/// A row together with the strings that it refers to.
struct OwnedRow {
  CustomGate definition;
  Gate gate;
  /// The gate with which the row was defined, if it is the inverse of that.
  std::optional<GateKind> defined_with = std::nullopt;
  /// Two rows have the same definition exactly if these texts are equal; kinds are in it, so that
  /// the text depends on what was defined before.
  std::string identity = {};
  std::string order = {};  ///< the same without kinds
};

std::vector<std::string_view> views_of(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

/// Returns the row without its kind and its inverse.
std::unique_ptr<OwnedRow> row_of(CustomGate custom, std::vector<MatrixEntry> matrix) {
  auto row = std::make_unique<OwnedRow>();
  row->definition = std::move(custom);
  row->gate.name = row->definition.name;
  row->gate.qubits = row->definition.qubits;
  row->gate.parameters = views_of(row->definition.parameters);
  row->gate.matrix = std::move(matrix);
  circuit::complete_row(row->gate);
  if (row->definition.body) row->gate.decompositions.push_back(*row->definition.body);
  return row;
}

/// Returns the matrix in lowest terms, and sets the phase of the body to match it.
std::vector<MatrixEntry> checked_matrix(CustomGate& custom) {
  std::optional<circuit::ExactMatrix> of_body;
  if (custom.body) of_body = circuit::ExactMatrix::of(custom.body->operations, custom.qubits);
  if (custom.matrix.empty() && !of_body) {
    throw InputError("'" + custom.name + "' has neither a matrix nor a body");
  }
  const circuit::ExactMatrix unitary = custom.matrix.empty()
                                           ? of_body->turned(custom.body->phase)
                                           : circuit::ExactMatrix(custom.qubits, custom.matrix);
  check_entries(unitary, custom);
  if (const std::string fault = unitary.fault(); !fault.empty()) {
    throw InputError("the matrix of '" + custom.name + "' is not unitary: " + fault);
  }
  if (custom.body) custom.body->when.clear();
  if (custom.body && !custom.matrix.empty()) {
    const std::optional<Angle> phase = of_body->phase_to(unitary);
    if (!phase) throw InputError("the body of '" + custom.name + "' is not its matrix");
    custom.body->phase = *phase;
  }
  return unitary.entries();
}

AngleList own_angles(const Gate& row) {
  AngleList angles;
  for (const std::string_view name : row.parameters) {
    angles.push_back(Angle::symbol(std::string(name)));
  }
  return angles;
}

// --- inverses ---

/// Returns the angles with which a gate may be its own inverse, such as u3(-theta, -lambda, -phi)
/// and gpi2(phi + pi): all orders and signs of its parameters, and if there are few parameters also
/// shifts by half turns.
std::vector<AngleList> candidates_for_inverse(const Gate& row) {
  const AngleList own = own_angles(row);
  const std::size_t count = own.size();
  const unsigned shifts = count <= 2 ? 1U << count : 1U;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<AngleList> candidates;
  do {
    for (unsigned shift = 0; shift < shifts; ++shift) {
      // Negated angles come first because they are the common case.
      for (unsigned positive = 0; positive < 1U << count; ++positive) {
        AngleList angles;
        for (std::size_t i = 0; i < count; ++i) {
          Angle angle = (positive >> i & 1U) != 0 ? own[order[i]] : -own[order[i]];
          if ((shift >> i & 1U) != 0) angle += Angle::pi_times(1);
          angles.push_back(std::move(angle));
        }
        candidates.push_back(std::move(angles));
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return candidates;
}

std::optional<Decomposition> inverse_by_angles(const Gate& row,
                                               const circuit::ExactMatrix& unitary) {
  const circuit::ExactMatrix adjoint = unitary.adjoint();
  for (AngleList& angles : candidates_for_inverse(row)) {
    const circuit::ExactMatrix turned = unitary.substitute(angles_by_name(row, angles));
    if (const std::optional<Angle> phase = turned.phase_to(adjoint)) {
      return Decomposition{{on_own_operands(row, std::move(angles))}, *phase, {}};
    }
  }
  return std::nullopt;
}

Decomposition reversed(const Decomposition& body) {
  Decomposition result;
  result.phase = -body.phase;
  for (auto step = body.operations.rbegin(); step != body.operations.rend(); ++step) {
    const Decomposition inverse = inverse_of(*step);
    result.phase += inverse.phase;
    result.operations.insert(result.operations.end(), inverse.operations.begin(),
                             inverse.operations.end());
  }
  return result;
}

/// Returns U^(k-1) if U^k is a phase, for a gate without parameters.
std::optional<Decomposition> inverse_by_power(const Gate& row,
                                              const circuit::ExactMatrix& unitary) {
  if (!row.parameters.empty()) return std::nullopt;
  const circuit::ExactMatrix adjoint = unitary.adjoint();
  circuit::ExactMatrix power = unitary;
  for (unsigned count = 1; count < kMaxOrder; ++count) {
    if (const std::optional<Angle> phase = power.phase_to(adjoint)) {
      return Decomposition{std::vector<Operation>(count, on_own_operands(row)), *phase, {}};
    }
    power = unitary * power;
  }
  return std::nullopt;
}

/// Returns the row of the inverse of a gate that is not its own inverse with other angles.
std::unique_ptr<OwnedRow> inverse_row(const OwnedRow& row, const circuit::ExactMatrix& unitary) {
  CustomGate inverse;
  inverse.name = row.definition.name + std::string(kInverseSuffix);
  inverse.qubits = row.definition.qubits;
  inverse.parameters = row.definition.parameters;
  if (find_gate(inverse.name) != nullptr) {
    throw InputError("'" + inverse.name + "' is the name of the inverse of '" +
                     row.definition.name + "', but a built-in gate has it");
  }
  if (row.definition.body) inverse.body = reversed(*row.definition.body);
  auto result = row_of(std::move(inverse), unitary.adjoint().entries());
  if (auto power = inverse_by_power(row.gate, unitary)) {
    result->gate.decompositions.push_back(*std::move(power));
  }
  return result;
}

// --- the custom rows of this process ---

/// Returns the definition of a row as text. `gate_text` returns the text of a gate of the body.
template <typename GateText>
std::string definition_text(const Gate& row, const GateText& gate_text) {
  std::string text = meaning_of(row);
  for (const Decomposition& body : row.decompositions) {
    text += "body " + body.phase.to_string() + "\n";
    for (const Operation& step : body.operations) {
      text += gate_text(step.gate);
      for (const Qubit qubit : step.qubits) text += " " + std::to_string(qubit);
      for (const Angle& angle : step.angles) text += " " + angle.to_string();
      text += "\n";
    }
  }
  return text;
}

class CustomRows {
 public:
  [[nodiscard]] std::size_t count() const { return count_.load(std::memory_order_acquire); }
  [[nodiscard]] const OwnedRow& at(GateKind kind) const { return *rows_.of(kind); }

  /// `row` has a matrix and decompositions; intern() assigns the kind and the inverse.
  GateKind intern(std::unique_ptr<OwnedRow> row) {
    row->identity = definition_text(
        row->gate, [](GateKind kind) { return std::to_string(static_cast<unsigned>(kind)); });
    row->order = definition_text(row->gate, [this](GateKind kind) {
      return is_custom(kind) ? digest_of(at(kind).order) : std::string(gate(kind).name);
    });
    const std::lock_guard lock(mutex_);
    if (const auto known = by_identity_.find(row->identity); known != by_identity_.end()) {
      return known->second;
    }
    row->gate.kind = next_kind(0);
    const circuit::ExactMatrix unitary(row->gate.qubits, row->gate.matrix);
    if (auto inverse = inverse_by_angles(row->gate, unitary)) {
      row->gate.inverse = *std::move(inverse);
      return publish(std::move(row));
    }
    std::unique_ptr<OwnedRow> inverse = inverse_row(*row, unitary);
    inverse->gate.kind = next_kind(1);
    inverse->defined_with = row->gate.kind;
    inverse->order = "inverse of " + row->order;
    row->gate.inverse.operations.push_back(on_own_operands(inverse->gate, own_angles(row->gate)));
    inverse->gate.inverse.operations.push_back(on_own_operands(row->gate, own_angles(row->gate)));
    return publish(std::move(row), std::move(inverse));
  }

 private:
  [[nodiscard]] GateKind next_kind(std::size_t ahead) const {
    const std::size_t index = kBuiltInGates + count() + ahead;
    if (index >= kMaxGateKinds) {
      throw InputError("found more than " + std::to_string(kMaxGateKinds - kBuiltInGates) +
                       " different custom gates and inverses of them in one process");
    }
    return static_cast<GateKind>(index);
  }

  /// Stores a row and that of its inverse, if it has one, before either is counted, because each of
  /// them refers to the other.
  GateKind publish(std::unique_ptr<OwnedRow> row, std::unique_ptr<OwnedRow> inverse = nullptr) {
    const GateKind kind = row->gate.kind;
    const std::size_t added = inverse == nullptr ? 1 : 2;
    const std::string_view identity = row->identity;
    store(std::move(row));
    if (inverse != nullptr) store(std::move(inverse));
    by_identity_.emplace(identity, kind);
    count_.store(count() + added, std::memory_order_release);
    return kind;
  }
  void store(std::unique_ptr<OwnedRow> row) {
    rows_.set(row->gate.kind, row.get());
    storage_.push_back(std::move(row));
  }

  circuit::PointerPerGate<OwnedRow> rows_;
  std::atomic<std::size_t> count_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<OwnedRow>> storage_;
  std::unordered_map<std::string_view, GateKind> by_identity_;  ///< without inverses
};

CustomRows& custom_rows() {
  static CustomRows rows;
  return rows;
}

}  // namespace

GateKind define_gate(const CustomGate& custom) {
  try {
    require_gate_name(custom.name);
    check_operands(custom);
    CustomGate definition = custom;
    std::vector<MatrixEntry> matrix = checked_matrix(definition);
    return custom_rows().intern(row_of(std::move(definition), std::move(matrix)));
  } catch (const OverflowError& error) {
    throw InputError("'" + custom.name + "' is too complex for exact arithmetic: " + error.what());
  }
}

void require_gate_name(const std::string& name) {
  // OpenQASM 2 requires a lower-case first letter; U, CX and u0 are gates of the language itself.
  if (!is_plain_name(name) || !(name[0] >= 'a' && name[0] <= 'z') || name == "u0") {
    throw InputError("'" + name +
                     "' is not a valid gate name, expected a lower-case letter, then letters, "
                     "digits and _");
  }
  if (find_gate(name) != nullptr) {
    throw InputError("'" + name + "' is the name of a built-in gate");
  }
}

std::string circuit::entry_fault(const circuit::ExactSum& entry,
                                 std::span<const std::string> parameters) {
  for (const PhaseTerm& term : entry.terms()) {
    const std::string fault = exponent_fault(term.exponent, parameters);
    if (!fault.empty()) return "e^(i*(" + term.exponent.to_string() + ")): " + fault;
    if (term.sqrt2_power > kMaxSqrt2Power) return "a part of it is too small";
  }
  return {};
}

std::size_t gate_count() { return kBuiltInGates + custom_rows().count(); }

std::string meaning_of(const Gate& row) {
  std::string text = std::string(row.name) + " " + std::to_string(row.qubits) + " ";
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    text += (i == 0 ? "" : " ") + std::string(row.parameters[i]);
  }
  text += "\n";
  for (const MatrixEntry& entry : row.matrix) {
    for (const PhaseTerm& term : entry.terms) {
      text += std::to_string(entry.row) + " " + std::to_string(entry.column) + " " +
              std::to_string(term.coefficient) + " " + std::to_string(term.sqrt2_power) + " " +
              term.exponent.to_string() + "\n";
    }
  }
  return text;
}

const Decomposition* general_decomposition(const Gate& row) {
  const auto found =
      std::find_if(row.decompositions.begin(), row.decompositions.end(),
                   [](const Decomposition& decomposition) { return decomposition.when.empty(); });
  return found == row.decompositions.end() ? nullptr : &*found;
}

const Gate& circuit::custom_gate(GateKind kind) { return custom_rows().at(kind).gate; }

std::strong_ordering circuit::order_of_custom_gates(GateKind a, GateKind b) {
  const OwnedRow& left = custom_rows().at(a);
  const OwnedRow& right = custom_rows().at(b);
  if (const auto order = left.gate.name <=> right.gate.name; order != 0) return order;
  return left.order <=> right.order;
}

std::optional<GateKind> defined_with(GateKind kind) {
  return is_custom(kind) ? custom_rows().at(kind).defined_with : std::nullopt;
}

GateKind CustomGates::define(const CustomGate& custom) {
  const Gate& row = gate(define_gate(custom));
  const Gate* const known = find(row.name);
  const bool is_known =
      known != nullptr && meaning_of(*known) == meaning_of(row) &&
      std::ranges::equal(known->decompositions, row.decompositions,
                         [](const Decomposition& a, const Decomposition& b) {
                           return a.operations == b.operations && a.phase == b.phase;
                         });
  if (is_known) return known->kind;
  add(row.kind);
  return row.kind;
}

void CustomGates::add(GateKind kind) {
  ensure(is_custom(kind), "a built-in gate is not declared");
  const Gate& row = gate(kind);
  if (find(row.name) == &row) return;
  const Gate& inverse = gate(row.inverse.operations.at(0).gate);
  if (find(row.name) != nullptr) {
    throw InputError("'" + std::string(row.name) + "' is already the name of another gate");
  }
  if (find(inverse.name) != nullptr) {
    throw InputError("'" + std::string(inverse.name) + "' is the name of the inverse of '" +
                     std::string(row.name) + "', but another gate already has it");
  }
  kinds_.push_back(kind);
  by_name_.emplace(row.name, kind);
  if (&inverse == &row) return;
  kinds_.push_back(inverse.kind);
  by_name_.emplace(inverse.name, inverse.kind);
}

const Gate* CustomGates::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &gate(found->second);
}

const Gate* find_gate(std::string_view name, const CustomGates& custom_gates) {
  const Gate* const built_in = find_gate(name);
  return built_in != nullptr ? built_in : custom_gates.find(name);
}

}  // namespace quartz
