#include "optimize/pauli/pauli_action.hpp"

#include <algorithm>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using Update = PauliAction::Update;

bool is_row(const LocalPauli& pauli, std::size_t row) {
  const unsigned bit = 1U << (row / 2);
  return pauli == (row % 2 == 0 ? LocalPauli{bit, 0, 0} : LocalPauli{0, bit, 0});
}

void add_factor(Update& update, std::size_t row) {
  update.factors[update.factor_count++] = static_cast<std::uint8_t>(row);
}

/// Writes i^phase X^x Z^z, in which all X factors precede all Z factors.
Update product(std::size_t target, const LocalPauli& pauli, std::size_t operands) {
  Update update;
  update.target = static_cast<std::uint8_t>(target);
  update.phase = static_cast<std::uint8_t>(pauli.phase % 4);
  for (std::size_t j = 0; j < operands; ++j) {
    if (((pauli.x >> j) & 1U) != 0) add_factor(update, 2 * j);
  }
  for (std::size_t j = 0; j < operands; ++j) {
    if (((pauli.z >> j) & 1U) != 0) add_factor(update, 2 * j + 1);
  }
  return update;
}

/// Moves the target to the front of the factors, if it is one of them: X and Z of one operand
/// anticommute, all others commute.
void put_target_first(Update& update) {
  const auto end = update.factors.begin() + update.factor_count;
  const auto own = std::find(update.factors.begin(), end, update.target);
  if (own == end) return;
  const auto partner = static_cast<std::uint8_t>(update.target ^ 1U);
  if (std::find(update.factors.begin(), own, partner) != own) {
    update.phase = static_cast<std::uint8_t>((update.phase + 2) % 4);
  }
  std::rotate(update.factors.begin(), own, own + 1);
}

bool can_be_done_in_place(const std::vector<Update>& updates) {
  return std::all_of(updates.begin(), updates.end(), [&](const Update& update) {
    if (update.factor_count == 0 || update.factors[0] != update.target) return false;
    return std::none_of(updates.begin(), updates.end(), [&](const Update& other) {
      const auto end = update.factors.begin() + update.factor_count;
      return std::find(update.factors.begin() + 1, end, other.target) != end;
    });
  });
}

bool trades_places(const std::vector<Update>& updates) {
  const auto becomes = [](const Update& update, const Update& other) {
    return update.phase == 0 && update.factor_count == 1 && update.factors[0] == other.target;
  };
  return updates.size() == 2 && becomes(updates[0], updates[1]) && becomes(updates[1], updates[0]);
}

PauliAction completed(std::vector<Update> updates) {
  for (Update& update : updates) put_target_first(update);
  const bool in_place = can_be_done_in_place(updates);
  const bool is_swap = trades_places(updates);
  return {std::move(updates), in_place, is_swap};
}

}  // namespace

PauliAction pulled_back_action(const CliffordAction& action) {
  const std::size_t operands = action.x_images.size();
  ensure(2 * operands <= PauliAction::kMaxRows, "a Clifford gate on two qubits at most");
  std::vector<Update> updates;
  for (std::size_t row = 0; row < 2 * operands; ++row) {
    const LocalPauli& image = row % 2 == 0 ? action.x_images[row / 2] : action.z_images[row / 2];
    if (!is_row(image, row)) updates.push_back(product(row, image, operands));
  }
  return completed(std::move(updates));
}

PauliAction pushed_forward_action(const CliffordAction& action) {
  const std::size_t operands = action.x_images.size();
  ensure(2 * operands <= PauliAction::kMaxRows, "a Clifford gate on two qubits at most");
  std::vector<Update> updates;
  for (std::size_t row = 0; row < 2 * operands; ++row) {
    // G P G^dagger has an X at an operand if it does not commute with the Z there, that is, if P
    // does not commute with G^dagger Z G; the same holds with X and Z exchanged.
    const std::size_t partner = row ^ 1U;
    const LocalPauli& image =
        partner % 2 == 0 ? action.x_images[partner / 2] : action.z_images[partner / 2];
    if (!is_row(image, partner)) {
      updates.push_back(product(row, {image.z, image.x, 0}, operands));
    }
  }
  return completed(std::move(updates));
}

}  // namespace quartz::optimizer
