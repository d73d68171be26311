#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

/// Values for the rows of the gate table, to which custom gates are added while it is used.
namespace quartz::circuit {

/// A pointer for each GateKind, in blocks that are made when they are first needed, except for the
/// first one, which most programs never leave. Reading takes no lock; whoever sets pointers must
/// hold one.
template <typename Value>
class PointerPerGate {
 public:
  /// Returns null for a gate whose pointer was not set.
  [[nodiscard]] const Value* of(GateKind kind) const {
    const auto index = static_cast<std::size_t>(kind);
    if (index < kGates) return first_[index].load(std::memory_order_acquire);
    const Block* const block = blocks_[index / kGates].load(std::memory_order_acquire);
    return block == nullptr ? nullptr : (*block)[index % kGates].load(std::memory_order_acquire);
  }
  void set(GateKind kind, const Value* value) {
    const auto index = static_cast<std::size_t>(kind);
    block_of(index)[index % kGates].store(value, std::memory_order_release);
  }

 private:
  static constexpr std::size_t kGates = 256;
  using Block = std::array<std::atomic<const Value*>, kGates>;

  Block& block_of(std::size_t index) {
    if (index < kGates) return first_;
    std::atomic<Block*>& place = blocks_[index / kGates];
    if (place.load(std::memory_order_relaxed) == nullptr) {
      place.store(owned_.emplace_back(std::make_unique<Block>()).get(), std::memory_order_release);
    }
    return *place.load(std::memory_order_relaxed);
  }

  Block first_{};
  std::array<std::atomic<Block*>, kMaxGateKinds / kGates> blocks_{};
  std::vector<std::unique_ptr<Block>> owned_;
};

/// A value derived from each row of the gate table, computed when it is first requested.
/// Thread-safe.
template <typename Value>
class PerGate {
 public:
  explicit PerGate(Value (*make)(const Gate&)) : make_(make) {}

  /// Returns the value for a gate, and computes it at the first call.
  [[nodiscard]] const Value& of(GateKind kind) {
    const Value* const known = known_.of(kind);
    return known != nullptr ? *known : add(kind);
  }

 private:
  const Value& add(GateKind kind) {
    Value made = make_(gate(kind));
    const std::lock_guard lock(mutex_);
    if (const Value* const known = known_.of(kind)) return *known;
    const Value& added = values_.emplace_back(std::move(made));
    known_.set(kind, &added);
    return added;
  }

  Value (*make_)(const Gate&);
  PointerPerGate<Value> known_;
  std::mutex mutex_;
  std::deque<Value> values_;  ///< elements of a deque keep their addresses
};

}  // namespace quartz::circuit
