#include "optimize/instantiation/state_preparation.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <boost/functional/hash.hpp>
#include <cmath>
#include <random>
#include <unordered_set>
#include <utility>

#include "optimize/instantiation/carried_state.hpp"
#include "optimize/instantiation/instantiate.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "optimize/windows/edited_gates.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

/// Numbers of qubits of the windows of a round, and the most two-qubit gates of each. On more
/// qubits, or with more gates, an iteration takes too long.
struct Width {
  std::size_t qubits = 0;
  std::size_t two_qubit_gates = 0;
  std::uint32_t first_round = 0;  ///< in which windows are tried from the gates as they are
};
constexpr std::array<Width, 5> kWidths{{{2, 6, 0}, {3, 12, 0}, {4, 16, 0}, {5, 16, 2}, {6, 16, 4}}};
/// The widest windows that are replaced by as many gates as a random isometry takes, and the most
/// two-qubit gates of each.
constexpr std::size_t kMaxGenericQubits = 5;
constexpr std::size_t kMaxGenericGates = 60;
/// The largest product of the dimension of a window and that of the subspace it acts on.
constexpr Eigen::Index kMaxEntries = 128;
/// Rounds after the first one, in which windows are tried from random gates.
constexpr std::uint32_t kRandomRounds = 30;
/// Sequences of two-qubit gates at random places that are tried for a window in a round.
constexpr std::size_t kSequences = 4;
/// Parts of a state outside a subspace that are shorter come from rounding.
constexpr double kLeastPart = 1e-12;
/// The number of moves of annealing that take as long as an iteration, for each parameter and each
/// entry of the states.
constexpr double kTicksPerParameterAndEntry = 0.02;

using Index = EditedGates::Index;

Eigen::MatrixXcd prepared_state(std::span<const Operation> gates, std::uint32_t qubits) {
  Eigen::MatrixXcd state = zero_state(qubits);
  for (const Operation& gate : gates) apply_gate(gate, amplitudes_of(state));
  return state;
}

/// Returns an orthonormal basis of the space that the columns of a matrix span, by the method of
/// Gram and Schmidt with the longest column first. Eigen's decompositions take the compiler long.
Eigen::MatrixXcd basis_of_columns(Eigen::MatrixXcd matrix) {
  Eigen::MatrixXcd basis(matrix.rows(), std::min(matrix.rows(), matrix.cols()));
  Eigen::Index rank = 0;
  for (; rank < basis.cols(); ++rank) {
    Eigen::Index longest = 0;
    for (Eigen::Index k = 1; k < matrix.cols(); ++k) {
      if (matrix.col(k).squaredNorm() > matrix.col(longest).squaredNorm()) longest = k;
    }
    const double length = matrix.col(longest).norm();
    if (length <= kLeastPart) break;
    auto direction = basis.col(rank);
    direction = matrix.col(longest) / length;
    // What is left of a short column has lost digits.
    for (Eigen::Index k = 0; k < rank; ++k) direction -= basis.col(k).dot(direction) * basis.col(k);
    direction /= direction.norm();
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) {
      matrix.col(k) -= direction.dot(matrix.col(k)) * direction;
    }
  }
  return basis.leftCols(rank);
}

/// Returns an orthonormal basis of the subspace that a state occupies on some of its qubits.
Eigen::MatrixXcd occupied_subspace(const Eigen::MatrixXcd& state, std::span<const Qubit> qubits) {
  Eigen::Index own = 0;
  for (const Qubit qubit : qubits) own |= Eigen::Index{1} << qubit;
  const Eigen::Index rows = Eigen::Index{1} << qubits.size();
  Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Zero(rows, state.rows() / rows);
  Eigen::Index column = 0;
  for (Eigen::Index rest = 0; rest < state.rows(); ++rest) {
    if ((rest & own) != 0) continue;
    for (Eigen::Index row = 0; row < rows; ++row) {
      Eigen::Index index = rest;
      for (std::size_t k = 0; k < qubits.size(); ++k) index |= ((row >> k) & 1) << qubits[k];
      matrix(row, column) = state(index, 0);
    }
    ++column;
  }
  return basis_of_columns(std::move(matrix));
}

/// Returns the number of two-qubit gates with which a template has as many parameters as the
/// isometries from a space into the states of some qubits, up to a phase.
std::size_t generic_gates(std::size_t qubits, Eigen::Index dimension, std::size_t per_gate) {
  const Eigen::Index states = Eigen::Index{1} << qubits;
  const Eigen::Index needed = 2 * states * dimension - dimension * dimension - 1;
  // A turn about z of a qubit in |0> changes nothing.
  const auto first = static_cast<Eigen::Index>((dimension == 1 ? 2 : 3) * qubits);
  if (needed <= first) return 0;
  const auto added = static_cast<Eigen::Index>(per_gate);
  return static_cast<std::size_t>((needed - first + added - 1) / added);
}

}  // namespace

/// The windows of one circuit that are replaced one after the other.
class StatePreparation::Run {
 public:
  Run(const StatePreparation& preparation, std::span<const Operation> gates, std::uint32_t qubits,
      const Budget& budget)
      : forms_(preparation.forms_),
        options_(preparation.options_),
        budget_(budget),
        qubits_(qubits),
        gates_(gates),
        carried_(gates_, qubits) {}

  [[nodiscard]] std::vector<Operation> run() && {
    for (std::size_t qubits = 2; qubits <= std::min<std::size_t>(kMaxGenericQubits, qubits_);
         ++qubits) {
      while (replace_windows(gates_, budget_,
                             [&](Index start) { return try_generic_at(start, qubits); })) {
      }
    }
    for (std::uint32_t round = 0; round <= kRandomRounds && !budget_.spent(); ++round) {
      // GCC warns of a lambda expression in a unity build that holds a Width.
      for (std::size_t i = 0; i < kWidths.size(); ++i) {
        if (kWidths[i].qubits > qubits_ || kWidths[i].first_round > round) continue;
        (void)replace_windows(gates_, budget_,
                              [&](Index start) { return try_window(start, kWidths[i], round); });
      }
    }
    return gates_.gates();
  }

 private:
  struct Trial {
    NarrowWindow window;
    std::vector<Operation> before;
    std::vector<Operation> two_qubit_gates;
    Eigen::MatrixXcd inputs;
    Eigen::MatrixXcd outputs;
    std::size_t seed = 0;
  };

  /// Returns the window that begins at a gate, unless it has fewer qubits, acts on too large a
  /// space, or was tried before in this round.
  [[nodiscard]] std::optional<Trial> trial_at(Index start, std::size_t qubits,
                                              std::size_t two_qubit_gates, std::uint32_t round) {
    Trial trial;
    trial.window = grow_narrow_window(gates_, start, two_qubit_gates, qubits, has_numeric_angles);
    if (trial.window.qubits.size() != qubits) return std::nullopt;
    for (const Index index : trial.window.gates) {
      trial.before.push_back(gates_[index]);
      if (gates_[index].qubits.size() == 2) trial.two_qubit_gates.push_back(gates_[index]);
    }
    const Eigen::MatrixXcd state = carried_.before(trial.window);
    trial.seed = hash_of(trial.before, state, round) ^ options_.seed;
    if (!tried_.insert(trial.seed).second) return std::nullopt;
    trial.inputs = occupied_subspace(state, trial.window.qubits);
    if (trial.inputs.size() > kMaxEntries) return std::nullopt;
    trial.outputs = unitary_on(trial.before, trial.window.qubits).lazyProduct(trial.inputs);
    return trial;
  }

  /// Tries as many gates as a random isometry takes, if the window has more.
  [[nodiscard]] std::optional<Index> try_generic_at(Index start, std::size_t qubits) {
    const std::optional<Trial> trial = trial_at(start, qubits, kMaxGenericGates, kRandomRounds + 1);
    return trial ? try_generic(*trial) : std::nullopt;
  }

  /// Tries to replace a window by one with a gate less.
  [[nodiscard]] std::optional<Index> try_window(Index start, const Width& width,
                                                std::uint32_t round) {
    const std::optional<Trial> trial = trial_at(start, width.qubits, width.two_qubit_gates, round);
    if (!trial) return std::nullopt;
    if (const auto replaced = try_deletions(*trial, round == width.first_round)) return replaced;
    return round == width.first_round ? std::nullopt : try_sequences(*trial);
  }

  [[nodiscard]] static std::size_t hash_of(std::span<const Operation> gates,
                                           const Eigen::MatrixXcd& state, std::uint32_t round) {
    std::size_t seed = round;
    for (const Operation& gate : gates) {
      boost::hash_combine(seed, static_cast<std::size_t>(gate.gate));
      for (const Qubit qubit : gate.qubits) boost::hash_combine(seed, qubit);
      for (const Angle& angle : gate.angles) boost::hash_combine(seed, angle.hash());
    }
    // Rounded, so that the same state has the same hash on every machine.
    for (const std::complex<double>& amplitude :
         std::span(state.data(), static_cast<std::size_t>(state.size()))) {
      boost::hash_combine(seed, std::llround(1e6 * std::norm(amplitude)));
    }
    return seed;
  }

  [[nodiscard]] std::optional<Index> try_generic(const Trial& trial) {
    const Operation& gate = cheapest(trial);
    const WindowForm kind =
        forms_.form_of(std::span(&gate, 1), {gate.qubits.data(), gate.qubits.size()}, {});
    const std::size_t per_gate = parameters_of(kind.circuit.gates.front());
    // A SWAP gate entangles nothing, however many there are.
    if (per_gate == 0) return std::nullopt;
    const std::size_t size =
        generic_gates(trial.window.qubits.size(), trial.inputs.cols(), per_gate);
    if (size >= trial.two_qubit_gates.size()) return std::nullopt;
    return try_random_sequence(trial, size, trial.seed);
  }

  [[nodiscard]] std::optional<Index> try_deletions(const Trial& trial, bool starts_from_gates) {
    for (std::size_t k = 0; k < trial.two_qubit_gates.size() && !budget_.spent(); ++k) {
      const WindowForm form = forms_.form_of(trial.before, trial.window.qubits, std::array{k});
      const auto replaced =
          try_form(trial, form,
                   starts_from_gates ? form.choice : random_choice(form.circuit, trial.seed ^ k));
      if (replaced) return replaced;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Index> try_sequences(const Trial& trial) {
    for (std::size_t k = 0; k < kSequences && !budget_.spent(); ++k) {
      const auto replaced =
          try_random_sequence(trial, trial.two_qubit_gates.size() - 1, trial.seed + k);
      if (replaced) return replaced;
    }
    return std::nullopt;
  }

  /// Tries a sequence of two-qubit gates on random pairs of the window's qubits.
  [[nodiscard]] std::optional<Index> try_random_sequence(const Trial& trial, std::size_t size,
                                                         std::size_t seed) {
    const std::vector<std::array<Qubit, 2>> pairs = pairs_of(trial);
    std::mt19937_64 random(seed);
    std::vector<Operation> sequence;
    std::size_t last = pairs.size();
    for (std::size_t k = 0; k < size; ++k) {
      // Two gates on the same pair follow each other only if there is no other pair.
      std::size_t pair = random() % pairs.size();
      if (pair == last && pairs.size() > 1)
        pair = (pair + 1 + random() % (pairs.size() - 1)) % pairs.size();
      last = pair;
      Operation gate = cheapest(trial);
      gate.qubits.assign(pairs[pair].begin(), pairs[pair].end());
      sequence.push_back(std::move(gate));
    }
    const WindowForm form = forms_.form_of(sequence, trial.window.qubits, {});
    return try_form(trial, form, random_choice(form.circuit, seed));
  }

  [[nodiscard]] const Operation& cheapest(const Trial& trial) const {
    return *std::ranges::min_element(trial.two_qubit_gates, {}, forms_.cost());
  }

  /// Returns the pairs of a window's qubits that may have gates.
  [[nodiscard]] std::vector<std::array<Qubit, 2>> pairs_of(const Trial& trial) const {
    std::vector<std::array<Qubit, 2>> pairs;
    if (options_.any_pairs) {
      const std::vector<Qubit>& qubits = trial.window.qubits;
      for (std::size_t i = 0; i < qubits.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) pairs.push_back({qubits[i], qubits[j]});
      }
      return pairs;
    }
    for (const Operation& gate : trial.two_qubit_gates) {
      const std::array<Qubit, 2> pair{gate.qubits[0], gate.qubits[1]};
      if (std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(pair);
    }
    return pairs;
  }

  /// Tries to replace a window by a form, with a choice that is found from the given one.
  [[nodiscard]] std::optional<Index> try_form(const Trial& trial, const WindowForm& form,
                                              TemplateChoice first) {
    std::uint64_t iterations = 0;
    const auto found =
        instantiate(form.circuit, trial.inputs, trial.outputs, std::move(first), {}, iterations);
    const double ticks = kTicksPerParameterAndEntry *
                         static_cast<double>(form.circuit.one_qubit_gates()) *
                         static_cast<double>(trial.inputs.size());
    budget_.spend(iterations * std::max<std::uint64_t>(static_cast<std::uint64_t>(ticks), 1));
    if (!found) return std::nullopt;
    const auto after = forms_.written(form, found->choice, trial.window.qubits);
    if (!after) return std::nullopt;
    if (sum_of_costs(*after, forms_.cost()) >= sum_of_costs(trial.before, forms_.cost())) {
      return std::nullopt;
    }
    return gates_.replace(trial.window.gates, trial.window.anchor, *after);
  }

  const WindowForms& forms_;
  const Options& options_;
  const Budget& budget_;
  std::uint32_t qubits_;
  EditedGates gates_;
  CarriedState carried_;  ///< in front of the last window
  /// Hashes of windows, of the states in front of them and of rounds in which nothing was found.
  std::unordered_set<std::size_t> tried_;
};

std::optional<BlockReplacement> StatePreparation::shortened(std::span<const Operation> gates,
                                                            std::uint32_t qubits,
                                                            const Budget& budget) const {
  BlockReplacement replacement;
  replacement.before.assign(gates.begin(), gates.end());
  replacement.after = Run(*this, gates, qubits, budget).run();
  if (sum_of_costs(replacement.after, forms_.cost()) >= sum_of_costs(gates, forms_.cost())) {
    return std::nullopt;
  }
  const Eigen::MatrixXcd before = prepared_state(replacement.before, qubits);
  const Eigen::MatrixXcd after = prepared_state(replacement.after, qubits);
  const std::complex<double> overlap = after.col(0).dot(before.col(0));
  replacement.phase = nearest_angle(std::arg(overlap));
  const double error =
      (before - std::polar(1.0, replacement.phase.value()) * after).cwiseAbs().maxCoeff();
  if (!(error <= kNumericTolerance)) return std::nullopt;
  mark_numeric(replacement);
  if (!is_allowed(replacement, options_.exactness, Inputs::zero)) return std::nullopt;
  return replacement;
}

}  // namespace quartz::optimizer
