#include "optimize/products/linear_reduction.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "optimize/linear/linear_synthesis.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Reduces a linear map to the identity by CNOTs at its inputs, each of which adds one column to
/// another one.
class Descent {
 public:
  explicit Descent(const std::vector<LinearForm>& rows)
      : wires_(rows.size()),
        columns_(transpose(rows)),
        inverse_(inverse_of(rows)),
        gains_(wires_ * wires_),
        best_(wires_) {
    for (std::size_t control = 0; control < wires_; ++control) update_row(control);
  }

  [[nodiscard]] std::vector<NetworkCnot> run() {
    for (;;) {
      std::size_t control = 0;
      for (std::size_t other = 1; other < wires_; ++other) {
        if (gain(other, best_[other]) > gain(control, best_[control])) control = other;
      }
      const std::size_t target = best_[control];
      if (gain(control, target) <= 0) break;
      apply(control, target);
      update(control);
      update(target);
    }
    eliminate();
    return std::move(cnots_);
  }

 private:
  [[nodiscard]] int gain(std::size_t control, std::size_t target) const {
    return gains_[control * wires_ + target];
  }
  [[nodiscard]] int gain_of(std::size_t control, std::size_t target) const {
    if (control == target) return 0;
    const std::size_t before = columns_[control].count() + inverse_[target].count();
    const std::size_t after = (columns_[control] ^ columns_[target]).count() +
                              (inverse_[target] ^ inverse_[control]).count();
    return static_cast<int>(before) - static_cast<int>(after);
  }
  void apply(std::size_t control, std::size_t target) {
    cnots_.push_back({static_cast<std::uint32_t>(control), static_cast<std::uint32_t>(target)});
    columns_[control] ^= columns_[target];
    inverse_[target] ^= inverse_[control];
  }
  void update_row(std::size_t control) {
    for (std::size_t target = 0; target < wires_; ++target) {
      gains_[control * wires_ + target] = gain_of(control, target);
    }
    find_best(control);
  }
  void find_best(std::size_t control) {
    const auto row = gains_.begin() + static_cast<std::ptrdiff_t>(control * wires_);
    best_[control] = static_cast<std::size_t>(
        std::max_element(row, row + static_cast<std::ptrdiff_t>(wires_)) - row);
  }
  /// Computes the gains that depend on a wire again.
  void update(std::size_t wire) {
    update_row(wire);
    for (std::size_t control = 0; control < wires_; ++control) {
      if (control == wire) continue;
      int& gain = gains_[control * wires_ + wire];
      const int before = std::exchange(gain, gain_of(control, wire));
      if (best_[control] == wire && gain < before) {
        find_best(control);
      } else if (gain > this->gain(control, best_[control])) {
        best_[control] = wire;
      }
    }
  }
  /// Gaussian elimination, by columns.
  void eliminate() {
    for (std::size_t row = 0; row < wires_; ++row) {
      std::size_t pivot = row;
      while (pivot < wires_ && !columns_[pivot][row]) ++pivot;
      ensure(pivot < wires_, "the rows of a linear map are independent");
      if (pivot != row) apply(row, pivot);
      for (std::size_t column = 0; column < wires_; ++column) {
        if (column != row && columns_[column][row]) apply(column, row);
      }
    }
  }

  std::size_t wires_;
  std::vector<LinearForm> columns_;
  std::vector<LinearForm> inverse_;
  std::vector<int> gains_;         ///< gain of a CNOT with a control (row) and a target
  std::vector<std::size_t> best_;  ///< the best target for each control
  std::vector<NetworkCnot> cnots_;
};

}  // namespace

std::vector<LinearForm> inverse_of(std::vector<LinearForm> rows) {
  std::optional<BitMatrix> inverted = inverse(std::move(rows));
  ensure(inverted.has_value(), "the rows of a linear map are independent");
  return *std::move(inverted);
}

std::vector<NetworkCnot> cnots_of_linear_map(const std::vector<LinearForm>& rows) {
  std::vector<NetworkCnot> cnots = Descent(rows).run();
  if (rows.size() > kMaxLinearWires) return cnots;
  LinearMap map(rows.size());
  for (const NetworkCnot& cnot : cnots) {
    map.append({static_cast<std::uint8_t>(cnot.control), static_cast<std::uint8_t>(cnot.target)});
  }
  const std::optional<std::vector<LinearCnot>> fewer = synthesize_linear_map(map, cnots.size());
  if (!fewer) return cnots;
  cnots.clear();
  for (const LinearCnot& cnot : *fewer) cnots.push_back({cnot.control, cnot.target});
  return cnots;
}

}  // namespace quartz::optimizer
