#include "optimize/instantiation/instantiate.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

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

/// Least squares for the template with N = 2^qubits: the residuals are the entries of
/// e^{-i phase} target^dagger circuit - I.
template <int N>
class LeastSquares {
 public:
  using Unitary = Eigen::Matrix<Complex, N, N>;

  LeastSquares(const CircuitTemplate& circuit, const Unitary& target, TemplateChoice start)
      : circuit_(circuit),
        adjoint_target_(target.adjoint()),
        choice_(std::move(start)),
        parameters_(parameters_of(circuit)),
        products_(circuit),
        product_(circuit_unitary(choice_, products_)),
        phase_(std::arg((adjoint_target_ * product_).trace())),
        squares_(squares_of(product_, phase_)) {
    jacobian_.resize(2 * N * N, parameters_);
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
  /// The products of the gates up to and including each gate.
  struct Products {
    explicit Products(const CircuitTemplate& circuit)
        : one_qubit_gates(circuit.one_qubit_gates()), gates(circuit.gates.size()) {}
    std::vector<Unitary> one_qubit_gates;
    std::vector<Unitary> gates;
  };

  [[nodiscard]] static Eigen::Index parameters_of(const CircuitTemplate& circuit) {
    std::size_t count = 3 * circuit.one_qubit_gates() + 1;
    for (const TemplateGate& gate : circuit.gates) count += gate.generator ? 1 : 0;
    return static_cast<Eigen::Index>(count);
  }

  [[nodiscard]] Unitary circuit_unitary(const TemplateChoice& choice, Products& products) const {
    Unitary product = Unitary::Identity();
    std::size_t number = 0;
    const auto turn = [&](Qubit qubit) {
      apply(matrix_of(choice.one_qubit_gates[number]), qubit, product);
      products.one_qubit_gates[number++] = product;
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

  static void apply(const Eigen::Matrix2cd& gate, Qubit qubit, Unitary& product) {
    const int bit = 1 << qubit;
    for (int row = 0; row < N; ++row) {
      if ((row & bit) != 0) continue;
      const Eigen::Matrix<Complex, 1, N> low = product.row(row);
      const Eigen::Matrix<Complex, 1, N> high = product.row(row | bit);
      product.row(row) = gate(0, 0) * low + gate(0, 1) * high;
      product.row(row | bit) = gate(1, 0) * low + gate(1, 1) * high;
    }
  }

  /// Calls a function with the four indices that differ in the qubits of a gate, for each choice of
  /// the other bits.
  template <typename Function>
  static void for_each_block(const std::array<Qubit, 2>& qubits, const Function& function) {
    const int bits[] = {1 << qubits[0], 1 << qubits[1]};
    for (int base = 0; base < N; ++base) {
      if ((base & (bits[0] | bits[1])) != 0) continue;
      function(std::array<int, 4>{base, base | bits[0], base | bits[1], base | bits[0] | bits[1]});
    }
  }

  static void apply(const Eigen::Matrix4cd& gate, const std::array<Qubit, 2>& qubits,
                    Unitary& product) {
    for_each_block(qubits, [&](const std::array<int, 4>& index) {
      Eigen::Matrix<Complex, 4, N> rows;
      for (int k = 0; k < 4; ++k) rows.row(k) = product.row(index[static_cast<std::size_t>(k)]);
      rows = (gate * rows).eval();
      for (int k = 0; k < 4; ++k) product.row(index[static_cast<std::size_t>(k)]) = rows.row(k);
    });
  }

  static void apply_from_right(const Eigen::Matrix2cd& gate, Qubit qubit, Unitary& product) {
    const int bit = 1 << qubit;
    for (int column = 0; column < N; ++column) {
      if ((column & bit) != 0) continue;
      const Eigen::Matrix<Complex, N, 1> low = product.col(column);
      const Eigen::Matrix<Complex, N, 1> high = product.col(column | bit);
      product.col(column) = low * gate(0, 0) + high * gate(1, 0);
      product.col(column | bit) = low * gate(0, 1) + high * gate(1, 1);
    }
  }

  static void apply_from_right(const Eigen::Matrix4cd& gate, const std::array<Qubit, 2>& qubits,
                               Unitary& product) {
    for_each_block(qubits, [&](const std::array<int, 4>& index) {
      Eigen::Matrix<Complex, N, 4> columns;
      for (int k = 0; k < 4; ++k) columns.col(k) = product.col(index[static_cast<std::size_t>(k)]);
      columns = (columns * gate).eval();
      for (int k = 0; k < 4; ++k) product.col(index[static_cast<std::size_t>(k)]) = columns.col(k);
    });
  }

  [[nodiscard]] Unitary residual(const Unitary& product, double phase) const {
    return std::polar(1.0, -phase) * (adjoint_target_ * product) - Unitary::Identity();
  }
  [[nodiscard]] double squares_of(const Unitary& product, double phase) const {
    return residual(product, phase).squaredNorm();
  }

  void set_column(Eigen::Index column, const Unitary& derivative) {
    Eigen::Map<Eigen::MatrixXcd>(reinterpret_cast<Complex*>(jacobian_.col(column).data()), N, N) =
        derivative;
  }

  /// Sets the columns of one gate, whose product is right[number]: the derivatives of
  /// left exp(i d.sigma) right with respect to d.
  void differentiate(std::size_t number, Qubit qubit, const Unitary& left) {
    const Unitary& right = products_.one_qubit_gates[number];
    const int bit = 1 << qubit;
    Eigen::Matrix<Complex, N, N / 2> left_low;
    Eigen::Matrix<Complex, N, N / 2> left_high;
    Eigen::Matrix<Complex, N / 2, N> right_low;
    Eigen::Matrix<Complex, N / 2, N> right_high;
    for (int index = 0, next = 0; index < N; ++index) {
      if ((index & bit) != 0) continue;
      left_low.col(next) = left.col(index);
      left_high.col(next) = left.col(index | bit);
      right_low.row(next) = right.row(index);
      right_high.row(next++) = right.row(index | bit);
    }
    const Unitary raised = left_low * right_high;
    const Unitary lowered = left_high * right_low;
    const Unitary low = left_low * right_low;
    constexpr Complex i(0, 1);
    const auto column = static_cast<Eigen::Index>(3 * number);
    set_column(column, i * (raised + lowered));
    set_column(column + 1, raised - lowered);
    set_column(column + 2, i * (low - left_high * right_high));
  }

  /// Computes the Jacobian matrix, from the last gate to the first one, and the normal equations.
  void linearize() {
    const Unitary difference = residual(product_, phase_);
    Eigen::Index column = parameters_ - 1;
    set_column(column, Complex(0, -1) * (difference + Unitary::Identity()));
    Unitary left = std::polar(1.0, -phase_) * adjoint_target_;
    std::size_t number = choice_.one_qubit_gates.size();
    const auto turn = [&](Qubit qubit) {
      --number;
      differentiate(number, qubit, left);
      apply_from_right(matrix_of(choice_.one_qubit_gates[number]), qubit, left);
    };
    for (std::size_t k = circuit_.gates.size(); k-- > 0;) {
      const TemplateGate& gate = circuit_.gates[k];
      turn(gate.qubits[1]);
      turn(gate.qubits[0]);
      if (gate.generator) {
        Unitary right = products_.gates[k];
        apply(*gate.generator, gate.qubits, right);
        set_column(--column, Complex(0, 1) * (left * right));
      }
      apply_from_right(turned(gate, choice_.turns[k]), gate.qubits, left);
    }
    for (Qubit qubit = circuit_.qubits; qubit-- > 0;) turn(qubit);
    normal_.setZero(parameters_, parameters_);
    normal_.template selfadjointView<Eigen::Lower>().rankUpdate(jacobian_.transpose());
    const Eigen::Map<const Eigen::Matrix<double, 2 * N * N, 1>> residuals(
        reinterpret_cast<const double*>(difference.data()));
    gradient_ = jacobian_.transpose() * residuals;
  }

  [[nodiscard]] TemplateChoice changed(const Eigen::VectorXd& change) const {
    TemplateChoice choice = choice_;
    for (std::size_t k = 0; k < choice.one_qubit_gates.size(); ++k) {
      const Eigen::Vector3d turn = change.segment<3>(static_cast<Eigen::Index>(3 * k));
      const double angle = turn.norm();
      if (angle == 0) continue;
      // exp(i d.sigma) is the rotation by -2 |d| about d.
      const Eigen::Quaterniond rotation(Eigen::AngleAxisd(-2 * angle, turn / angle));
      choice.one_qubit_gates[k] = (rotation * choice.one_qubit_gates[k]).normalized();
    }
    Eigen::Index column = parameters_ - 1;
    for (std::size_t k = circuit_.gates.size(); k-- > 0;) {
      if (circuit_.gates[k].generator) choice.turns[k] += change[--column];
    }
    return choice;
  }

  /// Makes a change if it lowers the sum of squares, and adapts the damping to the decrease in
  /// relation to the expected one (Nielsen, IMM-REP-1999-05).
  [[nodiscard]] bool try_change(const Eigen::VectorXd& change, double expected) {
    TemplateChoice choice = changed(change);
    const double phase = phase_ + change[parameters_ - 1];
    Products products(circuit_);
    const Unitary product = circuit_unitary(choice, products);
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
  Unitary adjoint_target_;
  TemplateChoice choice_;
  /// Three for each one-qubit gate, one for each gate with a generator, and the phase.
  Eigen::Index parameters_;
  Products products_;
  Unitary product_;
  double phase_;
  double squares_;
  Eigen::MatrixXd jacobian_;
  Eigen::MatrixXd normal_;  ///< its lower half
  Eigen::VectorXd gradient_;
  double damping_ = kFirstDamping;
  double growth_ = 2;
};

template <int N>
std::optional<Instantiation> solve(const CircuitTemplate& circuit, const Eigen::MatrixXcd& target,
                                   TemplateChoice start, const InstantiationLimits& limits,
                                   std::uint64_t& iterations) {
  LeastSquares<N> problem(circuit, target, std::move(start));
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

Eigen::Matrix4cd turned(const TemplateGate& gate, double t) {
  if (!gate.generator) return gate.unitary;
  // The cube of the generator is the generator.
  const Eigen::Matrix4cd once = *gate.generator * gate.unitary;
  return gate.unitary + Complex(0, std::sin(t)) * once + (std::cos(t) - 1) * *gate.generator * once;
}

std::optional<Instantiation> instantiate(const CircuitTemplate& circuit,
                                         const Eigen::MatrixXcd& target, TemplateChoice start,
                                         const InstantiationLimits& limits,
                                         std::uint64_t& iterations) {
  ensure(start.one_qubit_gates.size() == circuit.one_qubit_gates() &&
             start.turns.size() == circuit.gates.size(),
         "a start has each gate of the template");
  if (circuit.qubits == 2) return solve<4>(circuit, target, std::move(start), limits, iterations);
  ensure(circuit.qubits == 3, "a template has two or three qubits");
  return solve<8>(circuit, target, std::move(start), limits, iterations);
}

}  // namespace quartz::optimizer
