#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "certify/pauli/moved_rotations.hpp"
#include "certify/pauli/pauli_rotations.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/replay/gate_list.hpp"
#include "certify/replay/monomial_window.hpp"
#include "certify/replay/reduced_window.hpp"
#include "certify/replay/replayed_circuit.hpp"
#include "certify/replay/ring_window.hpp"
#include "quartz/algebra/angle.hpp"

namespace quartz::certify {

/// How strong a proof of equality is.
struct ProofStrength {
  /// Upper bound on the operator norm of the difference, up to the phase; 0 for exact proofs.
  double distance = 0;
  /// log2 of an upper bound on the probability of an error; empty for deterministic proofs.
  std::optional<double> log2_failure;

  /// Makes this the strength of two proofs of which the other one is used a number of times.
  void add(const ProofStrength& other, std::uint64_t uses);
};

/// Numbers by keys, which are compared byte by byte. Most look-ups of a replay find a key, among
/// millions: they read one slot and the key itself, and little else that is not in the cache.
class KnownKeys {
 public:
  using Value = std::uint32_t;

  /// Returns the value of a key, or nothing.
  [[nodiscard]] std::optional<Value> find(std::string_view key) const;
  /// Adds a key that is not known. Throws std::bad_alloc for more than 2^32 bytes of keys.
  void add(std::string_view key, Value value);
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  /// A place in the table. The key is in `keys_`, behind its value and its size.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = 0;  ///< where its value is in `keys_`, plus 1; 0 for a free slot
  };
  /// What is in front of a key.
  struct Header {
    Value value = 0;
    std::uint32_t size = 0;
  };
  [[nodiscard]] Header header_at(std::uint32_t place) const;
  /// Puts a slot into the table, which has room.
  void put(Slot slot);

  std::vector<Slot> slots_;  ///< a power of two of them, at most half of which are in use
  std::string keys_;
  std::size_t size_ = 0;
};

/// Proofs that the two sides of steps are equal. A pair of small circuits is proved once; it is
/// identified by the gates of both sides with their operands numbered within the window.
///
/// Copies share the pairs that any of them has proved, so that one thread uses all of them, and
/// count their uses separately.
class WindowProofs {
 public:
  using Gates = std::span<const ReplayedCircuit::WindowOperation>;

  /// A pair of circuits with left = e^{i phase} right.
  struct Pair {
    bool is_equal = false;
    Angle phase;
    ProofStrength strength;
    std::string reason;  ///< the reason if the circuits are not known to be equal
  };
  /// What an equal pair adds to the total: index of the pair's phase and strength.
  using PairKind = KnownKeys::Value;
  /// All uses of pairs together.
  struct Total {
    /// Phase of the left sides relative to the right ones, without those under conditions.
    Angle phase;
    bool drops_phase = false;  ///< whether a pair under a condition has a phase
    ProofStrength strength;
    std::uint64_t pairs = 0;  ///< number of pairs that were proved, used or not
  };

  /// The seed is that of methods with a probability of error, and epsilon the largest distance of a
  /// pair; with 0, only rounding is permitted.
  WindowProofs(std::shared_ptr<const OperationTable> table, std::uint64_t seed, double epsilon)
      : seed_(seed), epsilon_(epsilon), known_(std::make_shared<Known>(std::move(table))) {}

  /// Proves two circuits equal, unless that was done earlier, and sets `proved` to what use()
  /// takes. Returns why they are not proved equal, if so.
  [[nodiscard]] Fault prove_pair(Gates left, Gates right, const Budget& budget, PairKind& proved);
  /// Returns the kind of a pair that was proved equal.
  [[nodiscard]] PairKind kind_of(const Pair& pair);
  /// Counts a use of an equal pair, of gates under a condition, where its phase is dropped, or
  /// without one.
  void use(PairKind pair, bool is_conditional) {
    if (uses_.size() <= pair) uses_.resize(known_->kinds.size());
    Uses& uses = uses_[pair];
    ++(is_conditional ? uses.conditional : uses.unconditional);
  }
  /// Proves two circuits equal that need not be small, and uses the pair once, under a condition or
  /// without one. Returns why they are not proved equal, if so. Throws OverflowError if
  /// the sum of the phases does not fit exact arithmetic.
  [[nodiscard]] Fault prove_once(std::size_t wires, const GateList& left, const GateList& right,
                                 bool is_conditional, const Budget& budget);

  /// Does the same without a condition, for circuits that need to be equal only where some wires
  /// start in |0>.
  [[nodiscard]] Fault prove_from_zero(std::size_t wires, std::span<const Wire> zero_wires,
                                      const GateList& left, const GateList& right,
                                      const Budget& budget);

  /// Proves that moves of rotations preserve a circuit, and uses the proof once. Returns false if
  /// that is not proved. Throws OverflowError as prove_once does.
  [[nodiscard]] bool prove_moves(std::size_t wires, std::span<const MovableGate> gates,
                                 bool is_conditional, const Budget& budget);

  /// Returns which of these gates matter to the proof of a change, as difference_cone does.
  [[nodiscard]] std::vector<bool> cone_of(std::size_t wires, std::span<const MovableGate> gates) {
    return rotations().cone_of(wires, gates);
  }

  /// Returns the total of all uses. Throws OverflowError if the sum of the phases does not fit
  /// exact arithmetic.
  [[nodiscard]] Total total() const;

 private:
  /// What pairs add to the total; most of them have few different phases.
  struct Kind {
    Angle phase;  ///< from 0 to 2 pi
    ProofStrength strength;
  };
  /// How often pairs of a kind were used.
  struct Uses {
    std::uint64_t unconditional = 0;
    std::uint64_t conditional = 0;
  };
  struct AngleHash {
    std::size_t operator()(const Angle& angle) const { return angle.hash(); }
  };

  [[nodiscard]] PauliRotations& rotations() {
    if (known_->rotations == nullptr) known_->rotations = std::make_unique<PauliRotations>();
    return *known_->rotations;
  }
  [[nodiscard]] Pair prove(std::size_t wires, Gates left, Gates right, const Budget& budget);
  /// Proves a pair by the methods that compare whole circuits.
  [[nodiscard]] Pair prove_by_methods(std::size_t wires, const GateList& left,
                                      const GateList& right, const Budget& budget);
  [[nodiscard]] Comparison compare_rotations(std::size_t wires, const GateList& left,
                                             const GateList& right, const Budget& budget);
  /// What copies share: the pairs, and the methods that prove them with the memory that these keep.
  struct Known {
    explicit Known(std::shared_ptr<const OperationTable> operations)
        : table(std::move(operations)), monomial(*table), ring(*table) {}

    std::shared_ptr<const OperationTable> table;
    MonomialWindow monomial;
    RingWindow ring;
    std::unique_ptr<PauliRotations> rotations = nullptr;  ///< null before the first use
    KnownKeys pairs = {};                                 ///< kinds of the equal pairs, by keys
    std::uint64_t proved_pairs = 0;                       ///< without those that have two keys
    std::vector<Kind> kinds = {};
    std::unordered_map<Angle, PairKind, AngleHash> exact_kinds = {};  ///< by phase
    ReducedWindow reduced = {};
    std::string key = {};
    std::string whole_key = {};  ///< that of a window before it is reduced
  };

  static void add_uses(Total& total, const Kind& kind, const Uses& uses);
  /// Writes the key of two circuits.
  void write_key(Gates left, Gates right);
  void use_once(const Pair& pair, bool is_conditional);
  [[nodiscard]] std::vector<PlacedGate> placed(const GateList& gates) const;
  [[nodiscard]] Circuit circuit_of(std::size_t wires, const GateList& gates) const;

  std::uint64_t seed_;
  double epsilon_;
  std::shared_ptr<Known> known_;
  std::vector<Uses> uses_;  ///< by kind
  Total once_;              ///< pairs that are not kept
};

}  // namespace quartz::certify
