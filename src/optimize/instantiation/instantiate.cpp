#include "optimize/instantiation/instantiate.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <type_traits>
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

/// Least squares for the template with N = 2^qubits, or any number of qubits: the residuals are the
/// entries of e^{-i phase} circuit inputs - outputs.
template <int N>
class LeastSquares {
 public:
  using Unitary = Eigen::Matrix<Complex, N, N>;
  /// What becomes of each input.
  using States = Eigen::Matrix<Complex, N, Eigen::Dynamic, Eigen::ColMajor, N, N>;

  LeastSquares(const CircuitTemplate& circuit, const States& inputs, const States& outputs,
               TemplateChoice start)
      : circuit_(circuit),
        inputs_(inputs),
        outputs_(outputs),
        choice_(std::move(start)),
        axes_(free_axes_of(circuit)),
        parameters_(parameters_of(circuit, axes_)),
        products_(circuit),
        product_(applied(choice_, products_)),
        phase_(std::arg((outputs.adjoint() * product_).trace())),
        squares_(squares_of(product_, phase_)) {
    jacobian_.resize(2 * inputs.size(), parameters_);
  }

  [[nodiscard]] double squares() const { return squares_; }
  [[nodiscard]] double largest_residual() const {
    return residual(product_, phase_).cwiseAbs().maxCoeff();
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
    for (Eigen::Index row = 0; row < product.rows(); ++row) {
      if ((row & bit) != 0) continue;
      for (Eigen::Index column = 0; column < product.cols(); ++column) {
        const Complex low = product(row, column);
        const Complex high = product(row | bit, column);
        product(row, column) = gate(0, 0) * low + gate(0, 1) * high;
        product(row | bit, column) = gate(1, 0) * low + gate(1, 1) * high;
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
        Eigen::Vector4cd entries;
        for (std::size_t k = 0; k < 4; ++k) {
          entries[static_cast<Eigen::Index>(k)] = product(index[k], column);
        }
        entries = (gate * entries).eval();
        for (std::size_t k = 0; k < 4; ++k) {
          product(index[k], column) = entries[static_cast<Eigen::Index>(k)];
        }
      }
    });
  }

  static void apply_from_right(const Eigen::Matrix2cd& gate, Qubit qubit, Unitary& product) {
    const Eigen::Index bit = Eigen::Index{1} << qubit;
    for (Eigen::Index column = 0; column < product.cols(); ++column) {
      if ((column & bit) != 0) continue;
      const Eigen::Matrix<Complex, N, 1> low = product.col(column);
      const Eigen::Matrix<Complex, N, 1> high = product.col(column | bit);
      product.col(column) = low * gate(0, 0) + high * gate(1, 0);
      product.col(column | bit) = low * gate(0, 1) + high * gate(1, 1);
    }
  }

  static void apply_from_right(const Eigen::Matrix4cd& gate, const std::array<Qubit, 2>& qubits,
                               Unitary& product) {
    for_each_block(product.rows(), qubits, [&](const std::array<Eigen::Index, 4>& index) {
      Eigen::Matrix<Complex, N, 4> columns(product.rows(), 4);
      for (int k = 0; k < 4; ++k) columns.col(k) = product.col(index[static_cast<std::size_t>(k)]);
      columns = (columns * gate).eval();
      for (int k = 0; k < 4; ++k) product.col(index[static_cast<std::size_t>(k)]) = columns.col(k);
    });
  }

  [[nodiscard]] States residual(const States& product, double phase) const {
    return std::polar(1.0, -phase) * product - outputs_;
  }
  [[nodiscard]] double squares_of(const States& product, double phase) const {
    return residual(product, phase).squaredNorm();
  }

  void set_column(Eigen::Index column, const States& derivative) {
    Eigen::Map<Eigen::MatrixXcd>(reinterpret_cast<Complex*>(jacobian_.col(column).data()),
                                 derivative.rows(), derivative.cols()) = derivative;
  }

  /// Sets the columns of one gate, from the last one before `column`: the derivatives of
  /// left exp(i d.sigma) right with respect to the free components of d, where `right` is the
  /// product before the gate. Returns the first column.
  [[nodiscard]] Eigen::Index differentiate(std::size_t number, Qubit qubit, const Unitary& left,
                                           Eigen::Index column) {
    const States& right = products_.one_qubit_gates[number];
    const Eigen::Index bit = Eigen::Index{1} << qubit;
    constexpr int kHalf = N == Eigen::Dynamic ? Eigen::Dynamic : N / 2;
    Eigen::Matrix<Complex, N, kHalf> left_low(left.rows(), left.rows() / 2);
    Eigen::Matrix<Complex, N, kHalf> left_high(left.rows(), left.rows() / 2);
    using Half = Eigen::Matrix<Complex, kHalf, Eigen::Dynamic, Eigen::ColMajor, kHalf, N>;
    Half right_low(left.rows() / 2, right.cols());
    Half right_high(left.rows() / 2, right.cols());
    for (Eigen::Index index = 0, next = 0; index < left.rows(); ++index) {
      if ((index & bit) != 0) continue;
      left_low.col(next) = left.col(index);
      left_high.col(next) = left.col(index | bit);
      right_low.row(next) = right.row(index);
      right_high.row(next++) = right.row(index | bit);
    }
    const States raised = left_low * right_high;
    const States lowered = left_high * right_low;
    constexpr Complex i(0, 1);
    const FreeAxes& axes = axes_[number];
    if (axes[2]) set_column(--column, i * (left_low * right_low - left_high * right_high));
    if (axes[1]) set_column(--column, raised - lowered);
    if (axes[0]) set_column(--column, i * (raised + lowered));
    return column;
  }

  /// Computes the Jacobian matrix, from the last gate to the first one, and the normal equations.
  void linearize() {
    const States difference = residual(product_, phase_);
    Eigen::Index column = parameters_ - 1;
    set_column(column, Complex(0, -1) * (difference + outputs_));
    Unitary left = std::polar(1.0, -phase_) * Unitary::Identity(outputs_.rows(), outputs_.rows());
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
        set_column(--column, Complex(0, 1) * (left * right));
      }
      apply_from_right(turned(gate, choice_.turns[k]), gate.qubits, left);
    }
    for (Qubit qubit = circuit_.qubits; qubit-- > 0;) turn(qubit);
    normal_.setZero(parameters_, parameters_);
    normal_.template selfadjointView<Eigen::Lower>().rankUpdate(jacobian_.transpose());
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
    Products products(circuit_);
    const States product = applied(choice, products);
    const double squares = squares_of(product, phase);
    if (!(squares < squares_)) return false;
    const double gain = (squares_ - squares) / expected;
    damping_ *= std::max(1.0 / 3, 1 - std::pow(2 * gain - 1, 3));
    growth_ = 2;
    choice_ = std::move(choice);
    products_ = std::move(products);
    product_ = product;
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
  States product_;
  double phase_;
  double squares_;
  Eigen::MatrixXd jacobian_;
  Eigen::MatrixXd normal_;  ///< its lower half
  Eigen::VectorXd gradient_;
  double damping_ = kFirstDamping;
  double growth_ = 2;
};

template <int N>
std::optional<Instantiation> solve(const CircuitTemplate& circuit, const Eigen::MatrixXcd& inputs,
                                   const Eigen::MatrixXcd& outputs, TemplateChoice start,
                                   const InstantiationLimits& limits, std::uint64_t& iterations) {
  LeastSquares<N> problem(circuit, inputs, outputs, std::move(start));
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
  const auto solved = [&]<int N>(std::integral_constant<int, N>) {
    return solve<N>(circuit, inputs, outputs, std::move(start), limits, iterations);
  };
  switch (circuit.qubits) {
    case 2:
      return solved(std::integral_constant<int, 4>());
    case 3:
      return solved(std::integral_constant<int, 8>());
    case 4:
      return solved(std::integral_constant<int, 16>());
    default:
      return solved(std::integral_constant<int, Eigen::Dynamic>());
  }
}

}  // namespace quartz::optimizer
