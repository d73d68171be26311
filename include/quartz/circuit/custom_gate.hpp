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

/// Gates beside those of gates.inc: a gate set's own. They are interned, as compilers intern
/// symbols: a definition becomes a row, the same definition always the same one, and no row is ever
/// changed or taken away. So a GateKind means the same everywhere for as long as the process lives,
/// and reading rows takes no lock.
namespace quartz {

/// GateKind has no more values: the rows of gates.inc, and all custom gates of a process.
inline constexpr std::size_t kMostGateKinds = 256;
/// What searches rewrite are windows of gates on so many qubits.
inline constexpr unsigned kMostCustomQubits = 3;
inline constexpr std::size_t kMostCustomParameters = 4;

/// A gate by its matrix, by gates that it is made of, or by both.
struct CustomGate {
  std::string name;
  unsigned qubits = 0;
  std::vector<std::string> parameters;
  /// The entries that are not zero, as in Gate. Empty: that of the body.
  std::vector<MatrixEntry> matrix;
  /// Gates on the operands, with angles in the parameters. Beside a matrix their phase is worked
  /// out, whatever it says. Nothing for a gate that is known by its matrix only.
  std::optional<Decomposition> body;
};

/// The kind of a custom gate, new or known. From then on gate() and find_gate() know it, and its
/// inverse: the gate itself with other angles where that is so, otherwise a row of its own that is
/// called `name`_inverse. Throws InputError, without a place, for what is no gate: a name that is
/// none or taken by another gate, a matrix that is not unitary for all angles, entries that are no
/// sums of e^{i angle} (PhaseTerm) with angles in multiples of pi/4096 at the finest, a body that
/// is not the matrix up to a phase; and where kMostGateKinds is used up. Safe between threads.
GateKind define_gate(const CustomGate& custom);

/// Throws InputError, without a place, for a name that define_gate would refuse for itself.
void require_gate_name(const std::string& name);

[[nodiscard]] bool is_custom(GateKind kind);
/// How many kinds there are now: 0 .. count - 1, those of gates.inc first.
[[nodiscard]] std::size_t gate_count();
/// The name, parameters and matrix of a gate, as text: two rows mean the same where it is the same.
[[nodiscard]] std::string meaning_of(const Gate& row);
/// The decomposition that holds for all angles, the preferred one; null for a custom gate without.
[[nodiscard]] const Decomposition* general_decomposition(const Gate& row);

/// Something that follows from each row of the gate table, worked out when it is first asked for.
/// Safe between threads.
template <typename Value>
class PerGate {
 public:
  explicit PerGate(Value (*make)(const Gate&)) : make_(make) {}

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
  std::array<std::atomic<const Value*>, kMostGateKinds> known_{};
  std::mutex mutex_;
  std::deque<Value> values_;  ///< at fixed addresses
};

}  // namespace quartz
