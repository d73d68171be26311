#include "optimize/annealing/moves/parity_move.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::size_t kMinBlock = 8;

}  // namespace

const Exchange* ParityMove::propose(const MoveContext& context, rewrite::GateIndex start) {
  const auto size =
      kMinBlock + context.random.below(static_cast<std::uint32_t>(kMaxBlockGates - kMinBlock + 1));
  grow_window(
      context.circuit, start, size,
      [&](const rewrite::WiredGate& gate) { return fits_cnot_rz_block(labels_[gate.label]); },
      window_);
  const CnotRzSynthesis::Replacement* replacement =
      synthesis_.rewrite(context.circuit, window_, context.coupling, context.random);
  if (replacement == nullptr) return nullptr;
  if (!synthesis_.is_confirmed(context.circuit, window_, *replacement)) {
    ++context.counts.refuted;
    return nullptr;
  }
  Totals before;
  for (const rewrite::GateIndex index : window_.gates) {
    before.value += labels_[context.circuit[index].label].value;
    before.table_cost += labels_[context.circuit[index].label].cost;
  }
  exchange_ = {RewriteKind::parity,
               {window_.gates.data(), window_.gates.size()},
               {window_.wires.data(), window_.wires.size()},
               replacement->gates,
               before,
               labels_.totals_of(replacement->gates)};
  exchange_.after.phase = replacement->phase;
  return &exchange_;
}

}  // namespace quartz::optimizer
