#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "classes/table/class_table.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/moves/move.hpp"
#include "optimize/annealing/moves/window_proofs.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"
#include "optimize/annealing/window.hpp"
#include "optimize/state/used_rules.hpp"

namespace quartz::optimizer {

/// Takes a window, finds its class in the table, and proposes a random cheapest circuit of the
/// class, or a more expensive one with the probability of the Metropolis rule. Every replacement is
/// proved.
class WindowMove {
 public:
  /// Proves windows by `proofs`, which the moves of one thread may share; null: by its own.
  WindowMove(const ClassTable& table, const AnnealingLabels& labels,
             std::shared_ptr<WindowProofs> proofs = nullptr);

  /// Proposes an exchange for a window that begins at a gate; null if there is none.
  [[nodiscard]] const Exchange* propose(const MoveContext& context, rewrite::GateIndex start);
  /// What propose_cheaper() found out about a window.
  struct CheaperWindow {
    std::size_t gates = 0;               ///< size of the window
    bool reaches_end = false;            ///< whether the window has the last gate of a wire
    const Exchange* exchange = nullptr;  ///< null unless the table has a cheaper circuit
  };
  /// Proposes an exchange that lowers the table cost and not the value, for the window of at most
  /// `size` gates that begins at a gate. The window does not depend on random numbers.
  [[nodiscard]] CheaperWindow propose_cheaper(const MoveContext& context, rewrite::GateIndex start,
                                              std::size_t size);
  /// Returns the largest size of a window.
  [[nodiscard]] std::size_t max_size() const;
  /// Returns the letters of the last exchange, without common prefix and suffix.
  [[nodiscard]] UsedPair last_pair() const;

  /// Records all pairs that are proved from now on.
  void record_pairs() { proofs_->record_pairs(); }
  [[nodiscard]] const std::optional<UsedPairs>& used_pairs() const { return proofs_->used_pairs(); }

 private:
  using Letters = boost::container::static_vector<std::uint8_t, 40>;

  /// The window's class, as found in the table.
  struct WindowClass {
    classes::FieldState state;
    classes::UnitScalar scalar;
    unsigned cost = 0;
    std::uint64_t value = 0;
  };

  /// The two sides of the last exchange, without common prefix and suffix.
  struct Sides {
    std::span<const std::uint8_t> window;
    std::span<const std::uint8_t> replacement;
  };

  /// Grows the window to a random size. Returns whether it has at least two gates.
  [[nodiscard]] bool grow(const MoveContext& context, rewrite::GateIndex start);
  /// Grows the window to at most this size, and sets its symbol.
  void grow_to(const rewrite::WireLists& circuit, rewrite::GateIndex start, std::size_t size);
  [[nodiscard]] WindowClass class_of_window(const rewrite::WireLists& circuit);
  /// Returns the letters that are permitted on the window's wires.
  [[nodiscard]] classes::LetterMask allowed_letters(const MoveContext& context) const;
  /// Returns the letters that would act on two wires of the window that are not coupled, or not in
  /// this direction.
  [[nodiscard]] classes::LetterMask uncoupled_letters(const CouplingMap& coupling) const;
  /// Fills walk_ with a circuit of the window's class. Returns false if there is none.
  [[nodiscard]] bool find_replacement(const MoveContext& context, const WindowClass& window);
  /// Tries a circuit that ends with a random letter. Returns nothing if the move should continue
  /// without an additional letter.
  [[nodiscard]] std::optional<bool> walk_uphill(const MoveContext& context,
                                                const WindowClass& window,
                                                classes::LetterMask allowed);
  [[nodiscard]] bool walk_down(const MoveContext& context, classes::FieldState state,
                               classes::UnitScalar scalar, unsigned cost,
                               classes::LetterMask last_letters, classes::LetterMask allowed);
  [[nodiscard]] Sides sides() const;
  /// Returns whether the replacement, with the phase of the walk, is proved equal to the window, by
  /// this call or an earlier one.
  [[nodiscard]] bool is_proved();
  void fill_exchange(const WindowClass& window);

  const ClassTable& table_;
  std::size_t wires_ = 1;  ///< those of the table; a window has no more
  const AnnealingLabels& labels_;
  std::shared_ptr<WindowProofs> proofs_;
  /// Letters that act on at least wires 0 and 1, 0 and 2, 1 and 2 of a window.
  std::array<classes::LetterMask, 3> letters_across_{};
  /// Directed letters whose operands are the wires (i, j) of a window, by 3 * i + j.
  std::array<classes::LetterMask, 9> letters_along_{};

  /// The current window and its replacement.
  struct Proposal {
    Window window;
    unsigned symbol = 0;  ///< number of its free angle; 0 for none
    boost::container::static_vector<std::uint8_t, kWindowGates> letters;
    Letters walk;  ///< letters of the replacement, in reverse order
    int phase = 0;
    Letters replacement_letters;
    boost::container::static_vector<rewrite::PlainGate, 40> gates;
    Exchange exchange;
  };
  Proposal now_;
};

}  // namespace quartz::optimizer
