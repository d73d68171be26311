#include "optimize/annealing/cnot_rz_block.hpp"

#include <algorithm>
#include <optional>

namespace quartz::optimizer {
namespace {

/// Number of parity networks tried for one replacement.
constexpr unsigned kAttempts = 16;
/// Blocks with fewer CNOTs are left to the window moves.
constexpr std::size_t kMinCnotsOfBlock = 4;
/// How many more CNOTs than before a network may have in any case, and at most.
constexpr std::size_t kLeastSlack = 2;
constexpr std::size_t kMaxSlack = 12;
/// Fraction of the replacements that change which parities have odd eighths.
constexpr double kOddShare = 0.5;

/// Returns for each wire of the block, as a control, its permitted targets, as in
/// ParityNetworkGoal.
std::array<std::uint8_t, kParityWires> coupled_targets(const CnotRzWindow& block,
                                                       const CouplingMap& coupling) {
  std::array<std::uint8_t, kParityWires> targets{};
  for (std::size_t control = 0; control < block.wires.size(); ++control) {
    for (std::size_t target = 0; target < block.wires.size(); ++target) {
      if (control == target) continue;
      if (!coupling.allows(block.wires[control].wire, block.wires[target].wire)) continue;
      targets[control] = static_cast<std::uint8_t>(targets[control] | 1U << target);
    }
  }
  return targets;
}

rewrite::PlainGate plain(const rewrite::WiredGate& gate) {
  return {gate.wires, gate.size, false, gate.label};
}

/// Computes the effect of gates on each of the basis states of six wires, bit by bit. It shares no
/// code with the functions by which CnotRzSynthesis finds gates.
class BasisStates {
 public:
  BasisStates() {
    for (unsigned state = 0; state < kStates; ++state) {
      for (unsigned wire = 0; wire < kParityWires; ++wire) {
        bits_[wire] |= std::uint64_t{state >> wire & 1U} << state;
      }
    }
  }
  void apply(const rewrite::PlainGate& gate, const AnnealingLabel& label,
             const CnotRzWindow& block) {
    std::array<std::uint8_t, 3> wires{};
    for (unsigned i = 0; i < gate.size; ++i) wires[i] = block.local(gate.wires[i]);
    if (label.rotation.is_rotation) {
      turn(bits_[wires[0]], gate.label, label);
      return;
    }
    std::array<std::uint64_t, 3> after{};
    for (unsigned i = 0; i < gate.size; ++i) {
      if (label.parity_action.complement[i]) after[i] = ~std::uint64_t{0};
      for (unsigned k = 0; k < gate.size; ++k) {
        if ((label.parity_action.terms[i] >> k & 1U) != 0) after[i] ^= bits_[wires[k]];
      }
    }
    for (unsigned i = 0; i < gate.size; ++i) bits_[wires[i]] = after[i];
  }
  void add_phase(int phase) {
    for (std::uint8_t& own : phases_) own = static_cast<std::uint8_t>((own + phase) & 15);
  }
  void sort_symbols() { std::sort(symbols_.begin(), symbols_.end()); }
  friend bool operator==(const BasisStates&, const BasisStates&) = default;

 private:
  static constexpr unsigned kStates = 1U << kParityWires;

  void turn(std::uint64_t bit, rewrite::Label number, const AnnealingLabel& label) {
    if (label.symbol != 0) {
      const bool complement = (bit & 1U) != 0;
      symbols_.emplace_back(complement ? ~bit : bit, complement ? label.rotation.opposite : number);
      return;
    }
    for (unsigned state = 0; state < kStates; ++state) {
      const int sign = (bit >> state & 1U) != 0 ? 1 : -1;
      const int phase = phases_[state] + label.rotation.phase + sign * label.rotation.eighths;
      phases_[state] = static_cast<std::uint8_t>(phase & 15);
    }
  }

  /// for each wire: bit s is its value in basis state s
  std::array<std::uint64_t, kParityWires> bits_{};
  std::array<std::uint8_t, kStates> phases_{};  ///< in units of pi/8
  std::vector<std::pair<std::uint64_t, rewrite::Label>> symbols_;
};

}  // namespace

CnotRzSynthesis::CnotRzSynthesis(const AnnealingLabels& labels) : labels_(labels) {
  RotationWeights costs{};
  for (int eighths = 1; eighths < 8; ++eighths) {
    for (const rewrite::Label label : labels.decomposition(eighths).labels) {
      weights_[static_cast<std::size_t>(eighths)] += labels[label].value;
      costs[static_cast<std::size_t>(eighths)] += labels[label].cost;
    }
  }
  // A cost may give rotations no weight; the synthesis still counts them as gates.
  if (weights_[1] == 0) weights_ = costs;
}

std::size_t CnotRzSynthesis::slack(std::uint64_t before, std::uint64_t after) const {
  if (after >= before) return kLeastSlack;
  const std::uint64_t cnot = std::max<std::uint64_t>(labels_[*labels_.cnot()].value, 1);
  return std::clamp<std::uint64_t>((before - after) / cnot, kLeastSlack, kMaxSlack);
}

void CnotRzSynthesis::add_gate(const rewrite::PlainGate& gate, const CnotRzWindow& block,
                               BlockAction& action) const {
  const AnnealingLabel& label = labels_[gate.label];
  std::array<std::uint8_t, 3> wires{};
  for (unsigned i = 0; i < gate.size; ++i) wires[i] = block.local(gate.wires[i]);
  if (label.rotation.is_rotation) {
    const WireParity parity = action.outputs[wires[0]];
    const bool complement = (action.complements >> wires[0] & 1U) != 0;
    if (label.symbol != 0) {
      action.symbols.push_back({parity, complement ? label.rotation.opposite : gate.label});
    } else {
      action.polynomial.add_rotation(parity, complement, label.rotation.eighths);
      action.polynomial.phase =
          (action.polynomial.phase + static_cast<unsigned>(label.rotation.phase)) & 15U;
    }
    return;
  }
  std::array<WireParity, 3> after{};
  unsigned complements = action.complements;
  for (unsigned i = 0; i < gate.size; ++i) {
    bool complement = label.parity_action.complement[i];
    for (unsigned k = 0; k < gate.size; ++k) {
      if ((label.parity_action.terms[i] >> k & 1U) == 0) continue;
      after[i] ^= action.outputs[wires[k]];
      complement = complement != ((action.complements >> wires[k] & 1U) != 0);
    }
    complements &= ~(1U << wires[i]);
    complements |= (complement ? 1U : 0U) << wires[i];
  }
  for (unsigned i = 0; i < gate.size; ++i) action.outputs[wires[i]] = after[i];
  action.complements = complements;
}

void CnotRzSynthesis::emit(const BlockAction& action, const ParityNetwork& network,
                           const CnotRzWindow& block) {
  replacement_.gates.clear();
  int phase = static_cast<int>(action.polynomial.phase);
  std::array<WireParity, kParityWires> parities{};
  ParitySet left = action.polynomial.parities();
  auto symbols = action.symbols;
  const auto emit_rotations = [&](std::uint8_t wire) {
    const WireParity parity = parities[wire];
    const std::array<rewrite::Wire, 3> wires{block.wires[wire].wire, 0, 0};
    if ((left >> parity & 1U) != 0) {
      const ZRotationDecomposition& decomposition =
          labels_.decomposition(action.polynomial.eighths[parity]);
      // The factor e^{i pi/4 eighths} on states of parity 1 equals rz times a phase of half the
      // angle.
      phase += decomposition.eighths - decomposition.phase;
      for (const rewrite::Label label : decomposition.labels) {
        replacement_.gates.push_back({wires, 1, false, label});
      }
      left &= ~(ParitySet{1} << parity);
    }
    for (auto symbol = symbols.begin(); symbol != symbols.end();) {
      if (symbol->parity != parity) {
        ++symbol;
        continue;
      }
      replacement_.gates.push_back({wires, 1, false, symbol->label});
      symbol = symbols.erase(symbol);
    }
  };
  for (std::uint8_t wire = 0; wire < block.wires.size(); ++wire) {
    parities[wire] = static_cast<WireParity>(1U << wire);
    emit_rotations(wire);
  }
  for (const WireCnot& cnot : network) {
    replacement_.gates.push_back(
        {{block.wires[cnot.control].wire, block.wires[cnot.target].wire, 0},
         2,
         false,
         *labels_.cnot()});
    parities[cnot.target] ^= parities[cnot.control];
    emit_rotations(cnot.target);
  }
  for (std::size_t wire = 0; wire < block.wires.size(); ++wire) {
    if ((action.complements >> wire & 1U) == 0) continue;
    replacement_.gates.push_back({{block.wires[wire].wire, 0, 0}, 1, false, *labels_.x_gate()});
  }
  replacement_.phase = phase & 15;
}

bool CnotRzSynthesis::is_confirmed(const rewrite::WireLists& circuit, const CnotRzWindow& block,
                                   const Replacement& replacement) const {
  BasisStates before;
  BasisStates after;
  for (const rewrite::GateIndex index : block.gates) {
    before.apply(plain(circuit[index]), labels_[circuit[index].label], block);
  }
  for (const rewrite::PlainGate& gate : replacement.gates)
    after.apply(gate, labels_[gate.label], block);
  after.add_phase(replacement.phase);
  before.sort_symbols();
  after.sort_symbols();
  return before == after;
}

const CnotRzSynthesis::Replacement* CnotRzSynthesis::rewrite(const rewrite::WireLists& circuit,
                                                             const CnotRzWindow& block,
                                                             const CouplingMap* coupling,
                                                             FastRandom& random) {
  BlockAction action;
  for (unsigned wire = 0; wire < kParityWires; ++wire) {
    action.outputs[wire] = static_cast<WireParity>(1U << wire);
  }
  std::size_t cnots = 0;
  for (const rewrite::GateIndex index : block.gates) {
    add_gate(plain(circuit[index]), block, action);
    cnots += circuit[index].size == 2 ? 1U : 0U;
  }
  if (cnots < kMinCnotsOfBlock) return nullptr;
  const std::uint64_t before = weight_of(action.polynomial, weights_);
  if (random.unit() < kOddShare && !change_odd_parities(action.polynomial, weights_, random)) {
    return nullptr;
  }
  change_even_parities(action.polynomial, weights_, random);

  ParityNetworkGoal goal;
  goal.wires = static_cast<unsigned>(block.wires.size());
  if (coupling != nullptr) goal.targets = coupled_targets(block, *coupling);
  goal.outputs = action.outputs;
  goal.parities = action.polynomial.parities();
  for (const Symbol& symbol : action.symbols) goal.parities |= ParitySet{1} << symbol.parity;
  std::size_t most = cnots + slack(before, weight_of(action.polynomial, weights_));
  unsigned equals = 0;
  ParityNetwork best;
  ParityNetwork network;
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    if (!find_parity_network(goal, most, random, network)) continue;
    if (network.size() < most) equals = 0;
    most = network.size();
    if (random.below(++equals) == 0) best = network;
  }
  if (equals == 0) return nullptr;
  emit(action, best, block);
  return &replacement_;
}

}  // namespace quartz::optimizer
