#include "optimize/instantiation/instantiate.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <span>
#include <utility>
#include <vector>

#include "optimize/resynthesis/one_qubit_rotation.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

using Complex = std::complex<double>;

/// The method gives up if the sum of squares has not fallen by this factor in this many iterations
/// while it is still above the last number.
constexpr std::uint32_t kIterationsOfCheck = 12;
constexpr double kLeastDecrease = 0.7;
constexpr double kCloseEnough = 1e-6;
constexpr double kFirstDamping = 1e-2;
constexpr double kGreatestDamping = 1e10;

/// Returns a product, for finite numbers only: std::complex also looks for infinities.
[[nodiscard]] Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Four rows of a column: as many numbers as fit into registers, and sizes are multiples of it.
struct FourRows {
  std::array<double, 8> parts{};

  /// Adds the product of four entries and a number.
  void add(const Complex* entries, const Complex& factor) {
    const double real = factor.real();
    const double imag = factor.imag();
    for (std::size_t row = 0; row < 4; ++row) {
      parts[2 * row] += entries[row].real() * real - entries[row].imag() * imag;
      parts[2 * row + 1] += entries[row].imag() * real + entries[row].real() * imag;
    }
  }
  [[nodiscard]] Complex operator[](std::size_t row) const {
    return {parts[2 * row], parts[2 * row + 1]};
  }
};

/// Least squares for a template: the residuals are the entries of e^{-i phase} circuit inputs -
/// outputs.
///
/// Matrices of any size have the same code, with loops of its own for products: Eigen's, for each
/// size, take the compiler half a minute and are not faster.
class LeastSquares {
 public:
  /// What becomes of each input, one column for each.
  using States = Eigen::MatrixXcd;

  LeastSquares(const CircuitTemplate& circuit, const States& inputs, const States& outputs,
               TemplateChoice start)
      : circuit_(circuit),
        inputs_(inputs),
        outputs_(outputs),
        choice_(std::move(start)),
        axes_(free_axes_of(circuit)),
        parameters_(parameters_of(circuit, axes_)),
        products_(circuit),
        tried_products_(circuit),
        product_(applied(choice_, products_)),
        phase_(std::arg(overlap())),
        squares_(squares_of(product_, phase_)) {
    jacobian_.resize(2 * inputs.size(), parameters_);
  }

  [[nodiscard]] double squares() const { return squares_; }
  [[nodiscard]] double largest_residual() const {
    double largest = 0;
    const States difference = residual(product_, phase_);
    for (Eigen::Index i = 0; i < difference.size(); ++i) {
      largest = std::max(largest, std::abs(difference.data()[i]));
    }
    return largest;
  }
  [[nodiscard]] TemplateChoice take_choice() && { return std::move(choice_); }

  /// Makes one step. Returns false if no damping leads to a decrease.
  [[nodiscard]] bool step() {
    linearize();
    for (; damping_ < kGreatestDamping; damping_ *= growth_, growth_ *= 2) {
      Eigen::MatrixXd damped = normal_;
      damped.diagonal().array() += damping_;
      const Eigen::VectorXd change = damped.llt().solve(-gradient_);
      const double expected = change.dot(damping_ * change - gradient_);
      if (try_change(change, expected)) return true;
      if (expected < 1e-32) return false;
    }
    return false;
  }

 private:
  /// What the gates before each one-qubit gate, and those up to and including each other gate, make
  /// of the inputs.
  struct Products {
    explicit Products(const CircuitTemplate& circuit)
        : one_qubit_gates(circuit.one_qubit_gates()), gates(circuit.gates.size()) {}
    std::vector<States> one_qubit_gates;
    std::vector<States> gates;
  };

  [[nodiscard]] static std::vector<FreeAxes> free_axes_of(const CircuitTemplate& circuit) {
    std::vector<FreeAxes> axes(circuit.qubits, {true, true, true});
    for (const TemplateGate& gate : circuit.gates) {
      const std::array<FreeAxes, 2> after = free_axes_after(gate);
      axes.insert(axes.end(), after.begin(), after.end());
    }
    return axes;
  }

  [[nodiscard]] static Eigen::Index parameters_of(const CircuitTemplate& circuit,
                                                  std::span<const FreeAxes> axes) {
    std::ptrdiff_t count = 1;
    for (const FreeAxes& of_gate : axes) count += std::ranges::count(of_gate, true);
    for (const TemplateGate& gate : circuit.gates) count += gate.generator ? 1 : 0;
    return count;
  }

  [[nodiscard]] States applied(const TemplateChoice& choice, Products& products) const {
    States product = inputs_;
    std::size_t number = 0;
    const auto turn = [&](Qubit qubit) {
      products.one_qubit_gates[number] = product;
      apply(matrix_of(choice.one_qubit_gates[number++]), qubit, product);
    };
    for (Qubit qubit = 0; qubit < circuit_.qubits; ++qubit) turn(qubit);
    for (std::size_t k = 0; k < circuit_.gates.size(); ++k) {
      const TemplateGate& gate = circuit_.gates[k];
      apply(turned(gate, choice.turns[k]), gate.qubits, product);
      products.gates[k] = product;
      for (const Qubit qubit : gate.qubits) turn(qubit);
    }
    return product;
  }

  static void apply(const Eigen::Matrix2cd& gate, Qubit qubit, States& product) {
    const Eigen::Index bit = Eigen::Index{1} << qubit;
    for (Eigen::Index column = 0; column < product.cols(); ++column) {
      Complex* entries = entries_of(product, column);
      for (Eigen::Index row = 0; row < product.rows(); ++row) {
        if ((row & bit) != 0) continue;
        const Complex low = entries[row];
        const Complex high = entries[row | bit];
        entries[row] = times(gate(0, 0), low) + times(gate(0, 1), high);
        entries[row | bit] = times(gate(1, 0), low) + times(gate(1, 1), high);
      }
    }
  }

  /// Calls a function with the four indices that differ in the qubits of a gate, for each choice of
  /// the other bits.
  template <typename Function>
  static void for_each_block(Eigen::Index size, const std::array<Qubit, 2>& qubits,
                             const Function& function) {
    const Eigen::Index bits[] = {Eigen::Index{1} << qubits[0], Eigen::Index{1} << qubits[1]};
    for (Eigen::Index base = 0; base < size; ++base) {
      if ((base & (bits[0] | bits[1])) != 0) continue;
      function(std::array<Eigen::Index, 4>{base, base | bits[0], base | bits[1],
                                           base | bits[0] | bits[1]});
    }
  }

  static void apply(const Eigen::Matrix4cd& gate, const std::array<Qubit, 2>& qubits,
                    States& product) {
    for_each_block(product.rows(), qubits, [&](const std::array<Eigen::Index, 4>& index) {
      for (Eigen::Index column = 0; column < product.cols(); ++column) {
        Complex* entries = entries_of(product, column);
        FourRows sum;
        for (std::size_t k = 0; k < 4; ++k) {
          sum.add(gate.data() + 4 * k, entries[index[k]]);
        }
        for (std::size_t k = 0; k < 4; ++k) entries[index[k]] = sum[k];
      }
    });
  }

  static void apply_from_right(const Eigen::Matrix2cd& gate, Qubit qubit, States& product) {
    const Eigen::Index bit = Eigen::Index{1} << qubit;
    for (Eigen::Index column = 0; column < product.cols(); ++column) {
      if ((column & bit) != 0) continue;
      Complex* lows = entries_of(product, column);
      Complex* highs = entries_of(product, column | bit);
      for (Eigen::Index row = 0; row < product.rows(); ++row) {
        const Complex low = lows[row];
        const Complex high = highs[row];
        lows[row] = times(low, gate(0, 0)) + times(high, gate(1, 0));
        highs[row] = times(low, gate(0, 1)) + times(high, gate(1, 1));
      }
    }
  }

  static void apply_from_right(const Eigen::Matrix4cd& gate, const std::array<Qubit, 2>& qubits,
                               States& product) {
    for_each_block(product.rows(), qubits, [&](const std::array<Eigen::Index, 4>& index) {
      for (Eigen::Index row = 0; row < product.rows(); row += 4) {
        std::array<FourRows, 4> sums;
        for (std::size_t to = 0; to < 4; ++to) {
          for (std::size_t from = 0; from < 4; ++from) {
            sums[to].add(entries_of(product, index[from]) + row,
                         gate(static_cast<Eigen::Index>(from), static_cast<Eigen::Index>(to)));
          }
        }
        for (std::size_t to = 0; to < 4; ++to) {
          Complex* entries = entries_of(product, index[to]) + row;
          for (std::size_t k = 0; k < 4; ++k) entries[k] = sums[to][k];
        }
      }
    });
  }

  [[nodiscard]] static Complex* entries_of(States& states, Eigen::Index column) {
    return states.data() + states.rows() * column;
  }
  [[nodiscard]] static const Complex* entries_of(const States& states, Eigen::Index column) {
    return states.data() + states.rows() * column;
  }

  /// Returns the trace of outputs^dagger product.
  [[nodiscard]] Complex overlap() const {
    Complex trace = 0;
    for (Eigen::Index i = 0; i < outputs_.size(); ++i) {
      trace += times(std::conj(outputs_.data()[i]), product_.data()[i]);
    }
    return trace;
  }

  [[nodiscard]] States residual(const States& product, double phase) const {
    const Complex factor = std::polar(1.0, -phase);
    States difference(product.rows(), product.cols());
    for (Eigen::Index i = 0; i < product.size(); ++i) {
      difference.data()[i] = times(factor, product.data()[i]) - outputs_.data()[i];
    }
    return difference;
  }
  [[nodiscard]] double squares_of(const States& product, double phase) const {
    const Complex factor = std::polar(1.0, -phase);
    double squares = 0;
    for (Eigen::Index i = 0; i < product.size(); ++i) {
      squares += std::norm(times(factor, product.data()[i]) - outputs_.data()[i]);
    }
    return squares;
  }

  /// Returns the entries of a column of the Jacobian matrix, as those of a matrix of states.
  [[nodiscard]] Complex* derivative(Eigen::Index column) {
    return reinterpret_cast<Complex*>(jacobian_.data() + jacobian_.rows() * column);
  }

  /// Sets the columns of one gate, from the last one before `column`: the derivatives of
  /// left exp(i d.sigma) right with respect to the free components of d, where `right` is the
  /// product before the gate. Returns the first column.
  [[nodiscard]] Eigen::Index differentiate(std::size_t number, Qubit qubit, const States& left,
                                           Eigen::Index column) {
    const States& right = products_.one_qubit_gates[number];
    const Eigen::Index bit = Eigen::Index{1} << qubit;
    const FreeAxes& axes = axes_[number];
    Complex* about_z = axes[2] ? derivative(--column) : nullptr;
    Complex* about_y = axes[1] ? derivative(--column) : nullptr;
    Complex* about_x = axes[0] ? derivative(--column) : nullptr;
    for (Eigen::Index state = 0; state < right.cols(); ++state) {
      const Complex* factors = entries_of(right, state);
      for (Eigen::Index row = 0; row < left.rows(); row += 4) {
        const Complex* entries = left.data() + row;
        FourRows raised;
        FourRows lowered;
        FourRows signs;
        for (Eigen::Index low = 0; low < left.rows(); ++low) {
          if ((low & bit) != 0) continue;
          const Eigen::Index high = low | bit;
          if (axes[0] || axes[1]) {
            raised.add(entries + left.rows() * low, factors[high]);
            lowered.add(entries + left.rows() * high, factors[low]);
          }
          if (axes[2]) {
            signs.add(entries + left.rows() * low, factors[low]);
            signs.add(entries + left.rows() * high, -factors[high]);
          }
        }
        const auto place = left.rows() * state + row;
        for (std::size_t k = 0; k < 4; ++k) {
          const auto at = place + static_cast<Eigen::Index>(k);
          const Complex sum = raised[k] + lowered[k];
          if (axes[2]) about_z[at] = {-signs[k].imag(), signs[k].real()};
          if (axes[1]) about_y[at] = raised[k] - lowered[k];
          if (axes[0]) about_x[at] = {-sum.imag(), sum.real()};
        }
      }
    }
    return column;
  }

  /// Sets a column to i left right.
  void set_turn(Eigen::Index column, const States& left, const States& right) {
    Complex* about = derivative(column);
    for (Eigen::Index state = 0; state < right.cols(); ++state) {
      const Complex* factors = entries_of(right, state);
      for (Eigen::Index row = 0; row < left.rows(); row += 4) {
        FourRows sum;
        for (Eigen::Index k = 0; k < left.rows(); ++k)
          sum.add(entries_of(left, k) + row, factors[k]);
        for (std::size_t k = 0; k < 4; ++k) {
          about[left.rows() * state + row + static_cast<Eigen::Index>(k)] = {-sum[k].imag(),
                                                                             sum[k].real()};
        }
      }
    }
  }

  /// Computes the Jacobian matrix, from the last gate to the first one, and the normal equations.
  void linearize() {
    const States difference = residual(product_, phase_);
    Eigen::Index column = parameters_ - 1;
    Complex* about_phase = derivative(column);
    for (Eigen::Index i = 0; i < difference.size(); ++i) {
      const Complex turned_product = difference.data()[i] + outputs_.data()[i];
      about_phase[i] = {turned_product.imag(), -turned_product.real()};
    }
    States left = States::Zero(outputs_.rows(), outputs_.rows());
    left.diagonal().setConstant(std::polar(1.0, -phase_));
    std::size_t number = choice_.one_qubit_gates.size();
    const auto turn = [&](Qubit qubit) {
      --number;
      apply_from_right(matrix_of(choice_.one_qubit_gates[number]), qubit, left);
      column = differentiate(number, qubit, left, column);
    };
    for (std::size_t k = circuit_.gates.size(); k-- > 0;) {
      const TemplateGate& gate = circuit_.gates[k];
      turn(gate.qubits[1]);
      turn(gate.qubits[0]);
      if (gate.generator) {
        States right = products_.gates[k];
        apply(*gate.generator, gate.qubits, right);
        set_turn(--column, left, right);
      }
      apply_from_right(turned(gate, choice_.turns[k]), gate.qubits, left);
    }
    for (Qubit qubit = circuit_.qubits; qubit-- > 0;) turn(qubit);
    normal_.setZero(parameters_, parameters_);
    normal_.selfadjointView<Eigen::Lower>().rankUpdate(jacobian_.transpose());
    const Eigen::Map<const Eigen::VectorXd> residuals(
        reinterpret_cast<const double*>(difference.data()), 2 * difference.size());
    gradient_ = jacobian_.transpose() * residuals;
  }

  [[nodiscard]] TemplateChoice changed(const Eigen::VectorXd& change) const {
    TemplateChoice choice = choice_;
    Eigen::Index column = 0;
    std::size_t number = 0;
    const auto turn = [&] {
      Eigen::Vector3d by = Eigen::Vector3d::Zero();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (axes_[number][axis]) by[static_cast<Eigen::Index>(axis)] = change[column++];
      }
      Eigen::Quaterniond& gate = choice.one_qubit_gates[number++];
      const double angle = by.norm();
      if (angle == 0) return;
      // exp(i d.sigma) is the rotation by -2 |d| about d.
      const Eigen::Quaterniond rotation(Eigen::AngleAxisd(-2 * angle, by / angle));
      gate = (gate * rotation).normalized();
    };
    for (Qubit qubit = 0; qubit < circuit_.qubits; ++qubit) turn();
    for (std::size_t k = 0; k < circuit_.gates.size(); ++k) {
      if (circuit_.gates[k].generator) choice.turns[k] += change[column++];
      turn();
      turn();
    }
    return choice;
  }

  /// Makes a change if it lowers the sum of squares, and adapts the damping to the decrease in
  /// relation to the expected one (Nielsen, IMM-REP-1999-05).
  [[nodiscard]] bool try_change(const Eigen::VectorXd& change, double expected) {
    TemplateChoice choice = changed(change);
    const double phase = phase_ + change[parameters_ - 1];
    States product = applied(choice, tried_products_);
    const double squares = squares_of(product, phase);
    if (!(squares < squares_)) return false;
    const double gain = (squares_ - squares) / expected;
    damping_ *= std::max(1.0 / 3, 1 - std::pow(2 * gain - 1, 3));
    growth_ = 2;
    choice_ = std::move(choice);
    std::swap(products_, tried_products_);
    product_ = std::move(product);
    phase_ = phase;
    squares_ = squares;
    return true;
  }

  const CircuitTemplate& circuit_;
  States inputs_;
  States outputs_;
  TemplateChoice choice_;
  std::vector<FreeAxes> axes_;  ///< those of each one-qubit gate
  /// One for each free axis of a one-qubit gate and for each gate with a generator, in their order,
  /// and the phase.
  Eigen::Index parameters_;
  Products products_;
  Products tried_products_;  ///< those of the change that was tried last
  States product_;
  double phase_;
  double squares_;
  Eigen::MatrixXd jacobian_;
  Eigen::MatrixXd normal_;  ///< its lower half
  Eigen::VectorXd gradient_;
  double damping_ = kFirstDamping;
  double growth_ = 2;
};

std::optional<Instantiation> solve(const CircuitTemplate& circuit, const Eigen::MatrixXcd& inputs,
                                   const Eigen::MatrixXcd& outputs, TemplateChoice start,
                                   const InstantiationLimits& limits, std::uint64_t& iterations) {
  LeastSquares problem(circuit, inputs, outputs, std::move(start));
  double before = problem.squares();
  for (std::uint32_t k = 1; k <= limits.iterations; ++k) {
    ++iterations;
    const bool goes_on = problem.squares() > limits.tolerance * limits.tolerance && problem.step();
    if (!goes_on) break;
    if (k % kIterationsOfCheck != 0) continue;
    if (problem.squares() > kCloseEnough && problem.squares() > kLeastDecrease * before) break;
    before = problem.squares();
  }
  const double error = problem.largest_residual();
  const double distance = std::sqrt(problem.squares());
  if (!(error <= limits.tolerance || distance <= limits.distance)) return std::nullopt;
  return Instantiation{std::move(problem).take_choice(), distance, error};
}

}  // namespace

std::optional<Instantiation> instantiate(const CircuitTemplate& circuit,
                                         const Eigen::MatrixXcd& target, TemplateChoice start,
                                         const InstantiationLimits& limits,
                                         std::uint64_t& iterations) {
  return instantiate(circuit, Eigen::MatrixXcd::Identity(target.rows(), target.cols()), target,
                     std::move(start), limits, iterations);
}

std::optional<Instantiation> instantiate(const CircuitTemplate& circuit,
                                         const Eigen::MatrixXcd& inputs,
                                         const Eigen::MatrixXcd& outputs, TemplateChoice start,
                                         const InstantiationLimits& limits,
                                         std::uint64_t& iterations) {
  ensure(start.one_qubit_gates.size() == circuit.one_qubit_gates() &&
             start.turns.size() == circuit.gates.size(),
         "a start has each gate of the template");
  return solve(circuit, inputs, outputs, std::move(start), limits, iterations);
}

}  // namespace quartz::optimizer
