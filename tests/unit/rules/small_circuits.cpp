#include "small_circuits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "quartz/circuit/unitary.hpp"

namespace quartz::small_circuits {
namespace {

Angle p(unsigned i) { return Angle::symbol("p" + std::to_string(i)); }

const Bindings some_values{{"p0", 0.7321}, {"p1", 1.2345}};

bool share_no_qubit(const Operation& a, const Operation& b) {
  return std::none_of(a.qubits.begin(), a.qubits.end(), [&](Qubit qubit) {
    return std::find(b.qubits.begin(), b.qubits.end(), qubit) != b.qubits.end();
  });
}

Letters with_commutation(Letters result) {
  for (const Operation& a : result.letters) {
    std::vector<bool>& row = result.commute.emplace_back();
    for (const Operation& b : result.letters) row.push_back(share_no_qubit(a, b));
  }
  return result;
}

bool parameters_used_once(const Circuit& circuit, const Letters& letters) {
  std::set<std::string> seen;
  for (const std::uint16_t letter : circuit) {
    for (const Angle& angle : letters.letters[letter].angles) {
      for (const std::string& symbol : angle.symbols()) {
        if (!seen.insert(symbol).second) return false;
      }
    }
  }
  return true;
}

/// Returns |<a|U|b>| for fixed random a and b, which is the same for unitaries that differ by a
/// phase.
double invariant(const Circuit& circuit, const Letters& letters, const std::vector<Complex>& a,
                 std::vector<Complex> b) {
  for (const Operation& gate : gates_of(circuit, letters)) apply_gate(gate, b, some_values);
  return std::abs(std::inner_product(a.begin(), a.end(), b.begin(), Complex{}));
}

std::vector<Complex> random_vector(std::size_t size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<Complex> vector(size);
  for (Complex& entry : vector) entry = {normal(random), normal(random)};
  return vector;
}

/// Returns the phase in unitary(right) = e^{i phase} unitary(left), from its values at three
/// points: it is a multiple of pi/4 plus half-integer multiples of the parameters.
Angle relative_phase(const std::vector<Operation>& left, const std::vector<Operation>& right,
                     const Letters& letters) {
  const auto at = [&](double p0, double p1) {
    const Bindings bindings{{"p0", p0}, {"p1", p1}};
    const auto a = unitary_of(left, letters.qubits, bindings);
    const auto b = unitary_of(right, letters.qubits, bindings);
    Complex overlap{};
    for (std::size_t i = 0; i < a.size(); ++i) overlap += std::conj(a[i]) * b[i];
    return overlap;
  };
  constexpr double step = 0.1;
  const Complex origin = at(0, 0);
  const auto slope = [&](const Complex& moved) {
    return Rational(std::lround(2 * std::arg(moved / origin) / step), 2);
  };
  return Angle::pi_times(Rational(std::lround(std::arg(origin) * 4 / std::numbers::pi), 4)) +
         p(0) * slope(at(step, 0)) + p(1) * slope(at(0, step));
}

class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }
  std::size_t count() {
    std::set<std::size_t> roots;
    for (std::size_t i = 0; i < parent_.size(); ++i) roots.insert(find(i));
    return roots.size();
  }

 private:
  std::vector<std::size_t> parent_;
};

/// Returns all instances of the rules with these letters: circuit -> circuits that one rule gives.
std::map<Circuit, std::set<Circuit>> instances(const RuleSet& rules, const Letters& letters) {
  std::map<Circuit, std::set<Circuit>> leads_to;
  const auto number = [&](const Operation& gate) {
    const auto found = std::find(letters.letters.begin(), letters.letters.end(), gate);
    return found == letters.letters.end() ? -1 : static_cast<int>(found - letters.letters.begin());
  };
  std::vector<Qubit> places(letters.qubits);
  std::iota(places.begin(), places.end(), Qubit{0});
  do {
    for (const Angle& first : letters.expressions) {
      for (const Angle& second : letters.expressions) {
        const std::map<std::string, Angle> values{{"p0", first}, {"p1", second}};
        for (const EquivalenceClass& equal : rules.classes) {
          std::vector<Circuit> sides;
          for (const ClassMember& member : equal.members) {
            Circuit side;
            for (Operation gate : member.gates) {
              for (Qubit& qubit : gate.qubits) qubit = places.at(qubit);
              for (Angle& angle : gate.angles) angle = angle.substitute(values);
              const int letter = number(gate);
              if (letter < 0) break;
              side.push_back(static_cast<std::uint16_t>(letter));
            }
            if (side.size() != member.gates.size()) continue;
            sides.push_back(normal_form(std::move(side), letters));
          }
          for (const Circuit& left : sides) leads_to[left].insert(sides.begin(), sides.end());
        }
      }
    }
  } while (std::next_permutation(places.begin(), places.end()));
  return leads_to;
}

}  // namespace

Letters nam(unsigned qubits) {
  Letters result{{}, qubits, 2, {p(0), p(1), p(0) * 2, p(0) + p(1), p(1) * 2}, {}};
  for (Qubit i = 0; i < qubits; ++i) {
    result.letters.push_back(make_operation(GateKind::h, {i}));
    result.letters.push_back(make_operation(GateKind::x, {i}));
    for (const Angle& angle : result.expressions) {
      result.letters.push_back(make_operation(GateKind::rz, {i}, {angle}));
    }
    for (Qubit j = 0; j < qubits; ++j) {
      if (i != j) result.letters.push_back(make_operation(GateKind::cx, {i, j}));
    }
  }
  return with_commutation(std::move(result));
}

Letters phased(unsigned qubits) {
  Letters result{{}, qubits, 2, {p(0), p(1), p(0) * 2, p(0) + p(1), p(1) * 2}, {}};
  for (Qubit i = 0; i < qubits; ++i) {
    for (const Angle& angle : result.expressions) {
      result.letters.push_back(make_operation(GateKind::rz, {i}, {angle}));
      result.letters.push_back(make_operation(GateKind::p, {i}, {angle}));
    }
    for (Qubit j = 0; j < qubits; ++j) {
      if (i != j) result.letters.push_back(make_operation(GateKind::cx, {i, j}));
    }
  }
  return with_commutation(std::move(result));
}

Circuit normal_form(Circuit circuit, const Letters& letters) {
  // Repeatedly select the least of the letters that commute with all letters before them.
  for (std::size_t begin = 0; begin < circuit.size(); ++begin) {
    std::size_t least = begin;
    for (std::size_t i = begin + 1; i < circuit.size(); ++i) {
      if (circuit[i] >= circuit[least]) continue;
      bool free = true;
      for (std::size_t j = begin; j < i; ++j) {
        free = free && letters.commute[circuit[j]][circuit[i]];
      }
      if (free) least = i;
    }
    const auto first = circuit.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto chosen = circuit.begin() + static_cast<std::ptrdiff_t>(least);
    std::rotate(first, chosen, chosen + 1);
  }
  return circuit;
}

std::vector<Operation> gates_of(const Circuit& circuit, const Letters& letters) {
  std::vector<Operation> gates;
  for (const std::uint16_t letter : circuit) gates.push_back(letters.letters[letter]);
  return gates;
}

std::vector<std::vector<Circuit>> equal_circuits(const Letters& letters, unsigned gates) {
  std::vector<Circuit> all{{}};
  for (std::size_t i = 0; i < all.size() && all[i].size() < gates; ++i) {
    for (std::uint16_t letter = 0; letter < letters.letters.size(); ++letter) {
      Circuit longer = all[i];
      longer.push_back(letter);
      if (!parameters_used_once(longer, letters)) continue;
      if (normal_form(longer, letters) == longer) all.push_back(std::move(longer));
    }
  }
  std::mt19937_64 random(20240917);
  const std::size_t size = std::size_t{1} << letters.qubits;
  const auto a = random_vector(size, random);
  const auto b = random_vector(size, random);
  std::vector<std::pair<double, Circuit>> sorted;
  for (Circuit& circuit : all) {
    const double value = invariant(circuit, letters, a, b);
    sorted.emplace_back(value, std::move(circuit));
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::vector<Circuit>> classes;
  double last = -1;
  for (auto& [value, circuit] : sorted) {
    const double gap = value - last;
    if (gap > 1e-12 && gap < 1e-10)
      throw std::logic_error("too close to tell equal circuits apart");
    if (gap >= 1e-10) classes.emplace_back();
    classes.back().push_back(std::move(circuit));
    last = value;
  }
  for (auto& equal : classes) {
    std::sort(equal.begin(), equal.end(), [](const Circuit& x, const Circuit& y) {
      return x.size() != y.size() ? x.size() < y.size() : x < y;
    });
  }
  return classes;
}

std::vector<std::vector<Circuit>> kept_by_repgen(const std::vector<std::vector<Circuit>>& classes,
                                                 const Letters& letters) {
  std::set<Circuit> representatives;
  for (const auto& equal : classes) representatives.insert(equal.front());
  std::vector<std::vector<Circuit>> kept;
  for (const auto& equal : classes) {
    auto& own = kept.emplace_back();
    for (const Circuit& circuit : equal) {
      const bool keep =
          circuit.empty() ||
          (representatives.contains(normal_form({circuit.begin() + 1, circuit.end()}, letters)) &&
           representatives.contains({circuit.begin(), circuit.end() - 1}));
      if (keep) own.push_back(circuit);
    }
  }
  return kept;
}

RuleSet as_rule_set(const std::vector<std::vector<Circuit>>& classes, const Letters& letters,
                    unsigned gates) {
  RuleSet rules;
  rules.gate_set = "small";
  rules.gates = gates;
  rules.qubits = letters.qubits;
  rules.parameters = letters.parameters;
  for (const auto& equal : classes) {
    if (equal.size() < 2) continue;
    auto& members = rules.classes.emplace_back().members;
    for (const Circuit& circuit : equal) members.push_back({gates_of(circuit, letters), {}});
    for (ClassMember& member : members) {
      member.phase = relative_phase(members.front().gates, member.gates, letters);
    }
  }
  return rules;
}

std::size_t count_connected(const std::vector<std::vector<Circuit>>& classes, const RuleSet& rules,
                            const Letters& letters) {
  std::map<Circuit, std::size_t> number;
  for (const auto& equal : classes) {
    for (const Circuit& circuit : equal) number.emplace(circuit, number.size());
  }
  Sets sets(number.size());
  const auto leads_to = instances(rules, letters);
  for (const auto& [circuit, own] : number) {
    for (unsigned subset = 0; subset < 1U << circuit.size(); ++subset) {
      // Move the gates of the window together: first those before it, then the window, then the
      // rest.
      Circuit before;
      Circuit window;
      Circuit after;
      bool convex = true;
      for (std::size_t i = 0; i < circuit.size(); ++i) {
        const std::uint16_t letter = circuit[i];
        const auto depends_on = [&](const Circuit& others) {
          return std::any_of(others.begin(), others.end(),
                             [&](auto other) { return !letters.commute[other][letter]; });
        };
        if ((subset >> i & 1U) != 0) {
          convex = convex && !depends_on(after);
          window.push_back(letter);
        } else {
          (depends_on(window) || depends_on(after) ? after : before).push_back(circuit[i]);
        }
      }
      if (!convex) continue;
      const auto found = leads_to.find(normal_form(window, letters));
      if (found == leads_to.end()) continue;
      for (const Circuit& replacement : found->second) {
        Circuit result = before;
        result.insert(result.end(), replacement.begin(), replacement.end());
        result.insert(result.end(), after.begin(), after.end());
        const auto other = number.find(normal_form(std::move(result), letters));
        if (other != number.end()) sets.join(own, other->second);
      }
    }
  }
  return sets.count();
}

double worst_phase_error(const RuleSet& rules, unsigned qubits) {
  double worst = 0;
  for (const EquivalenceClass& equal : rules.classes) {
    const auto representative = unitary_of(equal.members.front().gates, qubits, some_values);
    for (const ClassMember& member : equal.members) {
      const auto unitary = unitary_of(member.gates, qubits, some_values);
      const Complex phase = std::polar(1.0, member.phase.value(some_values));
      for (std::size_t i = 0; i < unitary.size(); ++i) {
        worst = std::max(worst, std::abs(unitary[i] - phase * representative[i]));
      }
    }
  }
  return worst;
}

}  // namespace quartz::small_circuits
