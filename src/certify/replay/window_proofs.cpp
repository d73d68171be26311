#include "certify/replay/window_proofs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <utility>
#include <variant>

#include "base/leb128.hpp"
#include "certify/methods/compare_problem.hpp"
#include "certify/methods/compare_step.hpp"
#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

/// Most windows with gates in common on both sides that are found without leaving these out.
constexpr std::size_t kMostSecondKeys = std::size_t{1} << 20U;

GateList list_of(WindowProofs::Gates gates) {
  GateList list;
  for (const ReplayedCircuit::WindowOperation& gate : gates) {
    for (const std::uint8_t operand : gate.operands) list.add_wire(operand);
    list.add_gate(gate.code);
  }
  return list;
}

WindowProofs::Pair pair_of(const Comparison& comparison) {
  WindowProofs::Pair pair;
  if (comparison.outcome != Outcome::equal) {
    pair.reason = comparison.method + ": " + comparison.reason;
    return pair;
  }
  // The phase of a comparison is that of the right circuit relative to the left one.
  if (comparison.exact_phase) {
    pair.phase = -*comparison.exact_phase;
  } else if (comparison.phase) {
    // A numeric proof bounds the distance for the phase that it found, here rounded to an exact
    // one.
    constexpr std::int64_t kParts = 1'000'000'000'000'000;
    const std::int64_t rounded = std::llround(*comparison.phase * static_cast<double>(kParts));
    pair.phase = -Angle::radians(Rational(rounded, kParts));
    pair.strength.distance = 2.0 / static_cast<double>(kParts);
  } else {
    pair.reason = comparison.method + ": the phase is not a single number";
    return pair;
  }
  pair.is_equal = true;
  pair.strength.distance += comparison.distance;
  pair.strength.log2_failure = comparison.log2_failure;
  return pair;
}

}  // namespace

std::optional<KnownKeys::Value> KnownKeys::find(std::string_view key) const {
  if (slots_.empty()) return std::nullopt;
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(key));
  for (std::size_t i = hash;; ++i) {
    const Slot& slot = slots_[i & (slots_.size() - 1)];
    if (slot.place == 0) return std::nullopt;
    if (slot.hash != hash) continue;
    const Header header = header_at(slot.place);
    const std::string_view other(keys_.data() + slot.place - 1 + sizeof(Header), header.size);
    if (other == key) return header.value;
  }
}

void KnownKeys::add(std::string_view key, Value value) {
  if (2 * (size_ + 1) > slots_.size()) {
    constexpr std::size_t kFirstSize = 1024;
    std::vector<Slot> before(std::max(kFirstSize, 2 * slots_.size()));
    std::swap(slots_, before);
    for (const Slot& slot : before) {
      if (slot.place != 0) put(slot);
    }
  }
  if (keys_.size() + sizeof(Header) + key.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw std::bad_alloc();
  }
  const Header header{value, static_cast<std::uint32_t>(key.size())};
  const auto place = static_cast<std::uint32_t>(keys_.size()) + 1;
  keys_.append(reinterpret_cast<const char*>(&header), sizeof(Header));
  keys_.append(key);
  put({static_cast<std::uint32_t>(std::hash<std::string_view>()(key)), place});
  ++size_;
}

KnownKeys::Header KnownKeys::header_at(std::uint32_t place) const {
  Header header;
  std::memcpy(&header, keys_.data() + place - 1, sizeof(Header));
  return header;
}

void KnownKeys::put(Slot slot) {
  std::size_t i = slot.hash;
  while (slots_[i & (slots_.size() - 1)].place != 0) ++i;
  slots_[i & (slots_.size() - 1)] = slot;
}

void ProofStrength::add(const ProofStrength& other, std::uint64_t uses) {
  distance += static_cast<double>(uses) * other.distance;
  if (!other.log2_failure) return;
  log2_failure =
      log2_failure ? log2_of_sum(*log2_failure, *other.log2_failure) : *other.log2_failure;
}

std::vector<PlacedGate> WindowProofs::placed(const GateList& gates) const {
  std::vector<PlacedGate> result;
  result.reserve(gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    result.push_back({&(*known_->table)[gates.code(i)], gates.wires(i)});
  }
  return result;
}

Circuit WindowProofs::circuit_of(std::size_t wires, const GateList& gates) const {
  std::vector<Operation> operations;
  operations.reserve(gates.size());
  for (std::size_t i = 0; i < gates.size(); ++i) {
    Operation& operation = operations.emplace_back((*known_->table)[gates.code(i)]);
    operation.qubits.assign(gates.wires(i).begin(), gates.wires(i).end());
  }
  return make_circuit(static_cast<std::uint32_t>(wires), std::move(operations));
}

WindowProofs::Pair WindowProofs::prove(std::size_t wires, Gates left, Gates right,
                                       const Budget& budget) {
  WindowAnswer answer = known_->monomial.compare(wires, left, right);
  if (answer.kind == WindowAnswer::Kind::unsupported)
    answer = known_->ring.compare(wires, left, right);
  Pair pair;
  switch (answer.kind) {
    case WindowAnswer::Kind::equal:
      pair.is_equal = true;
      pair.phase = std::move(answer.phase);
      return pair;
    case WindowAnswer::Kind::different:
      if (epsilon_ > 0) break;
      pair.reason = "their unitaries differ";
      return pair;
    case WindowAnswer::Kind::unsupported:
      break;
  }
  return prove_by_methods(wires, list_of(left), list_of(right), budget);
}

Comparison WindowProofs::compare_rotations(std::size_t wires, const GateList& left,
                                           const GateList& right, const Budget& budget) {
  return rotations().compare(wires, placed(left), placed(right), budget);
}

WindowProofs::Pair WindowProofs::prove_by_methods(std::size_t wires, const GateList& left,
                                                  const GateList& right, const Budget& budget) {
  Pair pair = pair_of(compare_rotations(wires, left, right, budget.share(0.5)));
  if (pair.is_equal) return pair;
  auto posed = pose_problem(circuit_of(wires, left), circuit_of(wires, right));
  auto* const problem = std::get_if<Problem>(&posed);
  ensure(problem != nullptr, "windows consist of gates");
  problem->epsilon = epsilon_;
  return pair_of(compare_step(std::move(*problem), budget.share(0.5), seed_));
}

void WindowProofs::write_key(Gates left, Gates right) {
  std::size_t most = 0;
  for (const Gates side : {left, right}) {
    most += kMaxLeb128Bytes;
    for (const ReplayedCircuit::WindowOperation& gate : side) {
      most += kMaxLeb128Bytes + gate.operands.size();
    }
  }
  known_->key.resize(most);
  char* place = known_->key.data();
  for (const Gates side : {left, right}) {
    place = put_leb128(place, side.size());
    for (const ReplayedCircuit::WindowOperation& gate : side) {
      // The number of operands follows from the code.
      place = put_leb128(place, gate.code);
      for (const std::uint8_t operand : gate.operands) *place++ = static_cast<char>(operand);
    }
  }
  known_->key.resize(static_cast<std::size_t>(place - known_->key.data()));
}

Fault WindowProofs::prove_pair(Gates left, Gates right, const Budget& budget, PairKind& proved) {
  // Recorders leave out what both sides have in common, so that most windows are reduced already.
  write_key(left, right);
  if (const std::optional<PairKind> known = known_->pairs.find(known_->key)) {
    proved = *known;
    return {};
  }
  known_->reduced.reduce(left, right);
  std::swap(known_->key, known_->whole_key);
  write_key(known_->reduced.left(), known_->reduced.right());
  if (const std::optional<PairKind> known = known_->pairs.find(known_->key)) {
    proved = *known;
  } else {
    const Pair pair =
        prove(known_->reduced.wires(), known_->reduced.left(), known_->reduced.right(), budget);
    if (!pair.is_equal) return pair.reason;
    proved = kind_of(pair);
    known_->pairs.add(known_->key, proved);
    ++known_->proved_pairs;
  }
  // Windows that are not reduced are found by a second key, as long as these keys are few.
  const std::size_t second_keys = known_->pairs.size() - known_->proved_pairs;
  if (known_->key != known_->whole_key && second_keys < kMostSecondKeys) {
    known_->pairs.add(known_->whole_key, proved);
  }
  return {};
}

WindowProofs::PairKind WindowProofs::kind_of(const Pair& pair) {
  const auto next = static_cast<PairKind>(known_->kinds.size());
  Kind kind{pair.phase.reduced_modulo(2), pair.strength};
  if (pair.strength.distance == 0 && !pair.strength.log2_failure) {
    const auto [known, is_new] = known_->exact_kinds.try_emplace(kind.phase, next);
    if (!is_new) return known->second;
  }
  known_->kinds.push_back(std::move(kind));
  return next;
}

void WindowProofs::add_uses(Total& total, const Kind& kind, const Uses& uses) {
  const std::uint64_t all = uses.unconditional + uses.conditional;
  if (all == 0) return;
  total.phase.add_phase(kind.phase, static_cast<std::int64_t>(uses.unconditional));
  if (uses.conditional != 0 && !kind.phase.is_zero()) total.drops_phase = true;
  total.strength.add(kind.strength, all);
}

void WindowProofs::use_once(const Pair& pair, bool is_conditional) {
  add_uses(once_, {pair.phase.reduced_modulo(2), pair.strength},
           {.unconditional = is_conditional ? 0U : 1U, .conditional = is_conditional ? 1U : 0U});
  ++once_.pairs;
}

bool WindowProofs::prove_moves(std::size_t wires, std::span<const MovableGate> gates,
                               bool is_conditional, const Budget& budget) {
  Pair pair = pair_of(rotations().compare_moved(wires, gates, budget.share(0.5)));
  if (!pair.is_equal) return false;
  use_once(pair, is_conditional);
  return true;
}

Fault WindowProofs::prove_once(std::size_t wires, const GateList& left, const GateList& right,
                               bool is_conditional, const Budget& budget) {
  Pair pair = prove_by_methods(wires, left, right, budget);
  if (!pair.is_equal) return pair.reason;
  use_once(pair, is_conditional);
  return {};
}

Fault WindowProofs::prove_from_zero(std::size_t wires, std::span<const Wire> zero_wires,
                                    const GateList& left, const GateList& right,
                                    const Budget& budget) {
  auto posed = pose_problem(circuit_of(wires, left), circuit_of(wires, right));
  auto* const problem = std::get_if<Problem>(&posed);
  ensure(problem != nullptr, "windows consist of gates");
  for (const Wire wire : zero_wires) problem->wires.at(wire).starts_zero = true;
  Pair pair = pair_of(compare_problem(std::move(*problem), budget.share(0.5), seed_));
  if (!pair.is_equal) return pair.reason;
  use_once(pair, false);
  return {};
}

WindowProofs::Total WindowProofs::total() const {
  Total total = once_;
  total.pairs += known_->proved_pairs;
  for (std::size_t i = 0; i < uses_.size(); ++i) add_uses(total, known_->kinds[i], uses_[i]);
  return total;
}

}  // namespace quartz::certify
