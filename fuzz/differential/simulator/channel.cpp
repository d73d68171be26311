#include "simulator/channel.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>

#include "simulator/gates.hpp"

namespace quartz::differential {
namespace {

using Bits = std::vector<bool>;
using Operator = std::vector<Complex>;

long double squared_norm_of(const Operator& entries) {
  long double sum = 0;
  for (const Complex& entry : entries) sum += squared_norm(entry);
  return sum;
}

class Simulation {
 public:
  Simulation(const Program& program, const Values& values)
      : program_(program), other_ends_(program.other_ends_of_blocks()) {
    const Definitions definitions = own_gates(program);
    for (const Statement& statement : program.statements) {
      const bool is_gate =
          statement.kind == StatementKind::gate || statement.kind == StatementKind::phase;
      matrices_.push_back(is_gate ? gate_matrix(statement, definitions, values) : Matrix{});
    }
  }

  Channel run(bool first_bits) {
    channel_.qubits = program_.qubit_count();
    channel_.is_unitary = !program_.is_measured() && !program_.has_while_loops();
    channel_.has_conditions = program_.has_conditions();
    const std::size_t dimension = std::size_t{1} << channel_.qubits;
    Operator identity(dimension * dimension);
    for (std::size_t i = 0; i < dimension; ++i) identity[i * dimension + i] = {1, 0};
    follow(0, std::move(identity), Bits(program_.bit_count(), first_bits), {});
    return std::move(channel_);
  }

 private:
  /// A block that is being executed: the place of its beginning, and how often it has begun.
  struct Block {
    std::size_t begin = 0;
    unsigned executions = 0;
  };
  using Blocks = std::vector<Block>;
  /// In place of a statement: the branch is left out.
  static constexpr std::size_t left_out = ~std::size_t{0};

  /// Returns the place of the statement behind the beginning of a block: the first of its body or
  /// the first one behind it.
  [[nodiscard]] std::size_t enter(std::size_t place, const Bits& bits, Blocks& blocks) const {
    const Statement& begin = program_.statements[place];
    if (blocks.empty() || blocks.back().begin != place) blocks.push_back({place, 0});
    Block& block = blocks.back();
    unsigned most = 1;
    bool goes_on = true;
    if (begin.kind == StatementKind::while_loop) {
      most = most_executions;
      goes_on = std::ranges::all_of(begin.conditions,
                                    [&](const Condition& each) { return holds(each, bits); });
      if (goes_on && block.executions == most) return left_out;
    }
    if (begin.kind == StatementKind::for_loop) most = begin.count;
    if (goes_on && block.executions < most) {
      ++block.executions;
      return place + 1;
    }
    blocks.pop_back();
    return other_ends_[place] + 1;
  }

  /// Returns the place of the statement behind one that begins, ends or leaves a block.
  [[nodiscard]] std::size_t next_of_block(std::size_t place, const Bits& bits,
                                          Blocks& blocks) const {
    switch (program_.statements[place].kind) {
      case StatementKind::end:
        return enter(other_ends_[place], bits, blocks);
      case StatementKind::leave:
        while (!blocks.empty() &&
               program_.statements[blocks.back().begin].kind != StatementKind::for_loop) {
          blocks.pop_back();
        }
        if (blocks.empty()) throw std::runtime_error("a break outside of all loops");
        place = other_ends_[blocks.back().begin] + 1;
        blocks.pop_back();
        return place;
      default:
        return enter(place, bits, blocks);
    }
  }

  [[nodiscard]] bool holds(const Condition& condition, const Bits& bits) const {
    const unsigned first = program_.first_bit(condition.bit_register);
    std::uint64_t value = 0;
    if (condition.element) {
      value = bits.at(first + *condition.element) ? 1 : 0;
    } else {
      for (unsigned i = program_.bit_registers.at(condition.bit_register).size; i-- > 0;) {
        value = 2 * value + (bits.at(first + i) ? 1 : 0);
      }
    }
    return (value == condition.value) != condition.negated;
  }

  /// Returns the operator after a projection of the qubit, exchanged if `to_zero`.
  static Operator projected(const Operator& from, unsigned qubit, bool outcome, bool to_zero) {
    const std::size_t mask = std::size_t{1} << qubit;
    Operator result(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (((i & mask) != 0) != outcome) continue;
      result[to_zero ? i & ~mask : i] = from[i];
    }
    return result;
  }

  void follow(std::size_t position, Operator state, Bits bits, Blocks blocks) {
    while (position < program_.statements.size()) {
      const Statement& statement = program_.statements[position];
      const StatementKind kind = statement.kind;
      if (begins_block(kind) || kind == StatementKind::end || kind == StatementKind::leave) {
        position = next_of_block(position, bits, blocks);
        if (position == left_out) return;
        continue;
      }
      ++position;
      const bool is_executed = std::ranges::all_of(
          statement.conditions, [&](const Condition& condition) { return holds(condition, bits); });
      if (!is_executed || statement.kind == StatementKind::barrier) continue;
      const bool is_measurement = kind == StatementKind::measure;
      if (!is_measurement && kind != StatementKind::reset) {
        apply(matrices_[position - 1], statement.qubits, state);
        continue;
      }
      for (const bool outcome : {false, true}) {
        Operator branch = projected(state, statement.qubits.at(0), outcome, !is_measurement);
        constexpr long double negligible = 1e-34L;
        if (squared_norm_of(branch) < negligible) continue;
        Bits written = bits;
        if (is_measurement && statement.bit) written.at(*statement.bit) = outcome;
        follow(position, std::move(branch), std::move(written), blocks);
      }
      return;
    }
    channel_.operators[bits].push_back(std::move(state));
  }

  const Program& program_;
  std::vector<std::size_t> other_ends_;  ///< where each block ends and begins
  std::vector<Matrix> matrices_;
  Channel channel_;
};

Complex inner_product(const Operator& a, const Operator& b) {
  Complex sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum += conjugate(a[i]) * b[i];
  return sum;
}

/// Returns a lower bound on the operator norm of right - factor * left: the largest norm of a
/// column.
long double distance_of(const Operator& left, const Operator& right, Complex factor,
                        unsigned qubits) {
  const std::size_t dimension = std::size_t{1} << qubits;
  long double largest = 0;
  for (std::size_t column = 0; column < dimension; ++column) {
    long double sum = 0;
    for (std::size_t row = 0; row < dimension; ++row) {
      const std::size_t i = column * dimension + row;
      sum += squared_norm(right[i] - factor * left[i]);
    }
    largest = std::max(largest, sum);
  }
  return std::sqrt(largest);
}

Difference difference_of_unitaries(const Channel& left, const Channel& right) {
  const Operator& l = left.operators.begin()->second.at(0);
  const Operator& r = right.operators.begin()->second.at(0);
  Difference difference;
  difference.distance = distance_of(l, r, {1, 0}, left.qubits);
  const Complex product = inner_product(l, r);
  const long double size = std::sqrt(squared_norm(product));
  constexpr long double least = 1e-6L;
  if (size > least) {
    difference.phase = std::atan2(product.im, product.re);
    difference.distance_up_to_phase = distance_of(l, r, turned(*difference.phase), left.qubits);
  } else {
    difference.distance_up_to_phase = difference.distance;
  }
  return difference;
}

/// Adds sign * sum of K <K, v> over the operators K to the vector.
void add_image(const std::vector<Operator>& operators, const Operator& v, long double sign,
               Operator& sum) {
  for (const Operator& each : operators) {
    const Complex factor = Complex{sign, 0} * inner_product(each, v);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * each[i];
  }
}

/// Returns a vector with normally distributed entries, always the same for its number.
const Operator& random_vector(unsigned qubits, unsigned number) {
  static std::map<std::pair<unsigned, unsigned>, Operator> known;
  Operator& vector = known[{qubits, number}];
  if (vector.empty()) {
    std::mt19937_64 random(1000 * qubits + number);
    std::normal_distribution<double> normal;
    vector.resize(std::size_t{1} << 2 * qubits);
    for (Complex& entry : vector) entry = {normal(random) * M_SQRT1_2, normal(random) * M_SQRT1_2};
  }
  return vector;
}

/// The Frobenius norm of the difference D of the Choi matrices is estimated by |D v| for random v.
/// The largest of four estimates is below a hundredth of the norm with probability 10^-16 at most.
long double distance_of_channels(const Channel& left, const Channel& right) {
  constexpr unsigned estimates = 4;
  const std::vector<Operator> none;
  std::set<Bits> outcomes;
  for (const auto& [bits, operators] : left.operators) outcomes.insert(bits);
  for (const auto& [bits, operators] : right.operators) outcomes.insert(bits);
  long double largest = 0;
  for (unsigned number = 0; number < estimates; ++number) {
    const Operator& v = random_vector(left.qubits, number);
    for (const Bits& bits : outcomes) {
      Operator image(v.size());
      const auto l = left.operators.find(bits);
      const auto r = right.operators.find(bits);
      add_image(l == left.operators.end() ? none : l->second, v, -1, image);
      add_image(r == right.operators.end() ? none : r->second, v, 1, image);
      largest = std::max(largest, std::sqrt(squared_norm_of(image)));
    }
  }
  return largest / static_cast<long double>(std::size_t{1} << left.qubits);
}

}  // namespace

Channel channel_of(const Program& program, const Values& values, bool first_bits) {
  return Simulation(program, values).run(first_bits);
}

Channel without_ancillas(const Channel& channel, unsigned qubits, unsigned bits) {
  Channel result;
  result.qubits = qubits;
  result.has_conditions = channel.has_conditions;
  const std::size_t states = std::size_t{1} << qubits;
  const std::size_t ancilla_states = std::size_t{1} << (channel.qubits - qubits);
  for (const auto& [contents, operators] : channel.operators) {
    auto& found = result.operators[std::vector<bool>(contents.begin(), contents.begin() + bits)];
    for (const std::vector<Complex>& larger : operators) {
      for (std::size_t ancillas = 0; ancillas < ancilla_states; ++ancillas) {
        std::vector<Complex> smaller(states * states);
        bool is_zero = true;
        for (std::size_t start = 0; start < states; ++start) {
          for (std::size_t end = 0; end < states; ++end) {
            const Complex entry = larger[(start << channel.qubits) | (ancillas << qubits) | end];
            smaller[(start << qubits) | end] = entry;
            is_zero = is_zero && entry.re == 0 && entry.im == 0;
          }
        }
        if (!is_zero) found.push_back(std::move(smaller));
      }
    }
  }
  return result;
}

Difference difference_between(const Channel& left, const Channel& right) {
  if (left.qubits != right.qubits) throw std::runtime_error("channels of different sizes");
  if (left.is_unitary && right.is_unitary) return difference_of_unitaries(left, right);
  const long double distance = distance_of_channels(left, right);
  return {distance, distance, std::nullopt};
}

}  // namespace quartz::differential
