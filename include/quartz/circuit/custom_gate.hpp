#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quartz/circuit/gate.hpp"

/// Custom gates: gates of a gate set beyond those of gates.inc. They are interned, as compilers
/// intern symbols: a definition becomes a row of the gate table, equal definitions become the same
/// row, and no row is ever changed or removed. A GateKind therefore has one meaning as long as the
/// process lives, and reading rows takes no lock.
namespace quartz {

/// Number of values of GateKind: the rows of gates.inc and all custom gates of a process.
inline constexpr std::size_t kMaxGateKinds = 256;
/// The searches rewrite windows of gates on at most this many qubits.
inline constexpr unsigned kMaxCustomQubits = 3;
/// Greatest number of parameters of a custom gate.
inline constexpr std::size_t kMaxCustomParameters = 4;

/// A gate defined by its matrix, by gates that it consists of, or by both.
struct CustomGate {
  std::string name;
  unsigned qubits = 0;
  std::vector<std::string> parameters;
  /// The non-zero entries, as in Gate. If empty, the matrix follows from the body.
  std::vector<MatrixEntry> matrix;
  /// Gates on the operands, with angles in the parameters. If there is a matrix, the phase of the
  /// body is computed and its stated phase is ignored. Empty for a gate that is defined by its
  /// matrix only.
  std::optional<Decomposition> body;
};

/// Returns the kind of a custom gate, and adds it to the table if it is new. Afterwards gate() and
/// find_gate() know the gate and its inverse: the gate itself with other angles if possible,
/// otherwise a row of its own with the name `name`_inverse. Throws InputError, without a location,
/// for an invalid definition: a name that is not an identifier or is taken by another gate, a
/// matrix that is not unitary for all angles, entries that are not sums of e^{i angle} (PhaseTerm)
/// with angles in multiples of pi/4096 at the finest, a body that does not equal the matrix up to a
/// phase; and if kMaxGateKinds is used up. Thread-safe.
GateKind define_gate(const CustomGate& custom);

/// Throws InputError, without a location, for a name that define_gate would refuse.
void require_gate_name(const std::string& name);

/// Returns whether the gate is a custom gate and not a gate of gates.inc.
[[nodiscard]] bool is_custom(GateKind kind);
/// Returns the number of kinds so far, which are 0 .. count - 1 with those of gates.inc first.
[[nodiscard]] std::size_t gate_count();
/// Returns the name, parameters and matrix of a gate as text: two rows mean the same gate exactly
/// if the texts are equal.
[[nodiscard]] std::string meaning_of(const Gate& row);
/// Returns the preferred decomposition that holds for all angles; null for a custom gate without
/// one.
[[nodiscard]] const Decomposition* general_decomposition(const Gate& row);

/// A value derived from each row of the gate table, computed when it is first requested.
/// Thread-safe.
template <typename Value>
class PerGate {
 public:
  explicit PerGate(Value (*make)(const Gate&)) : make_(make) {}

  /// Returns the value for a gate, and computes it at the first call.
  [[nodiscard]] const Value& of(GateKind kind) {
    const Value* const known =
        known_[static_cast<std::size_t>(kind)].load(std::memory_order_acquire);
    return known != nullptr ? *known : add(kind);
  }

 private:
  const Value& add(GateKind kind) {
    Value made = make_(gate(kind));
    const std::lock_guard lock(mutex_);
    std::atomic<const Value*>& place = known_[static_cast<std::size_t>(kind)];
    if (const Value* const known = place.load(std::memory_order_relaxed)) return *known;
    const Value& added = values_.emplace_back(std::move(made));
    place.store(&added, std::memory_order_release);
    return added;
  }

  Value (*make_)(const Gate&);
  std::array<std::atomic<const Value*>, kMaxGateKinds> known_{};
  std::mutex mutex_;
  std::deque<Value> values_;  ///< elements of a deque keep their addresses
};

}  // namespace quartz
