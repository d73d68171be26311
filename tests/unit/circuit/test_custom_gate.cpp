#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "circuit/exact_matrix.hpp"
#include "matrices.hpp"
#include "multiples_of_pi.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate_weights.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::testing;
using quartz::test::pi;

namespace {

const Angle theta = Angle::symbol("theta");

CustomGate with_body(std::string name, unsigned qubits, std::vector<std::string> parameters,
                     std::vector<Operation> body, Angle phase = {}) {
  return {std::move(name),
          qubits,
          std::move(parameters),
          {},
          Decomposition{std::move(body), std::move(phase), {}}};
}

CustomGate like(std::string name, GateKind kind) {
  const Gate& row = gate(kind);
  return {std::move(name),
          row.qubits,
          {row.parameters.begin(), row.parameters.end()},
          row.matrix,
          std::nullopt};
}

Operation on_first_qubits(GateKind kind, std::vector<Angle> angles = {}) {
  Operation operation;
  operation.gate = kind;
  operation.angles = std::move(angles);
  for (Qubit i = 0; i < gate(kind).qubits; ++i) operation.qubits.push_back(i);
  return operation;
}

std::string refusal(const CustomGate& custom) {
  try {
    (void)define_gate(custom);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("The exact matrix of every gate of the table is unitary and agrees numerically") {
  for (const Gate& row : gate_table()) {
    if (row.qubits > 3) continue;
    INFO(row.name);
    const ExactMatrix exact(row.qubits, row.matrix);
    CHECK(exact.fault().empty());
    // Written in lowest terms and read back, it is the same matrix.
    CHECK(ExactMatrix(row.qubits, exact.entries()) == exact);
    std::vector<Angle> angles;
    std::map<std::string, Angle> values;
    for (const std::string_view name : row.parameters) {
      angles.push_back(pi(1 + static_cast<int>(angles.size()), 4));
      values.emplace(name, angles.back());
    }
    const std::vector<Complex> expected = unitary_of(on_first_qubits(row.kind, angles));
    const ExactMatrix at_values = exact.substitute(values);
    for (const MatrixEntry& entry : at_values.entries()) {
      Complex sum = 0;
      for (const PhaseTerm& term : entry.terms) {
        sum += std::polar(std::pow(2.0, -0.5 * term.sqrt2_power), term.exponent.value()) *
               static_cast<double>(term.coefficient);
      }
      CHECK(std::abs(sum - expected[entry.row * row.dimension() + entry.column]) < 1e-12);
    }
  }
}

TEST_CASE("Every decomposition of the table is exact in this arithmetic as well") {
  for (const Gate& row : gate_table()) {
    if (row.qubits > 3) continue;
    for (const Decomposition& decomposition : row.decompositions) {
      if (!decomposition.when.empty()) continue;
      INFO(row.name);
      CHECK(ExactMatrix::of(decomposition.operations, row.qubits).turned(decomposition.phase) ==
            ExactMatrix(row.qubits, row.matrix));
    }
  }
}

TEST_CASE("Relations between roots of unity of orders other than powers of two are found") {
  const auto root = [](int k) { return ExactSum::phase(pi(2 * k, 3)); };
  CHECK((root(0) + root(1) + root(2)).is_zero());
  CHECK_FALSE((root(0) + root(1)).is_zero());
  CHECK(root(0) + root(1) == -root(2));
  CHECK(ExactSum::integer(6).inverse() == std::nullopt);
  const ExactSum root2 = ExactSum::phase(pi(1, 4)) + ExactSum::phase(pi(-1, 4));
  CHECK(root2 * root2 == ExactSum::integer(2));
  REQUIRE(root2.inverse());
  CHECK(*root2.inverse() * root2 == ExactSum::integer(1));
}

TEST_CASE("A gate of the table under another name has the same meaning") {
  for (const GateKind kind : {GateKind::t, GateKind::sx, GateKind::rx, GateKind::u3, GateKind::gpi2,
                              GateKind::cu, GateKind::rzx, GateKind::iswap, GateKind::ccx}) {
    const Gate& row = gate(kind);
    INFO(row.name);
    const GateKind copy = define_gate(like("copied_" + std::string(row.name), kind));
    CHECK(is_custom(copy));
    CHECK_FALSE(is_custom(kind));
    CHECK(gate(copy).name == "copied_" + std::string(row.name));
    CHECK(gate(copy).diagonal == row.diagonal);
    CHECK(gate(copy).symmetry == row.symmetry);
    CHECK(general_decomposition(gate(copy)) == nullptr);

    std::vector<Angle> angles;
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      angles.push_back(Angle::radians(Rational(7 + static_cast<int>(i), 10)));
    }
    const Operation original = on_first_qubits(kind, angles);
    const Operation copied = on_first_qubits(copy, angles);
    CHECK(distance(unitary_of(original), unitary_of(copied)) < 1e-12);
    CHECK(is_identity(on_first_qubits(copy, std::vector<Angle>(angles.size()))) ==
          is_identity(on_first_qubits(kind, std::vector<Angle>(angles.size()))));

    Operation turned = copied;
    Operation original_turned = original;
    for (Angle& angle : turned.angles) angle += pi(6);
    for (Angle& angle : original_turned.angles) angle += pi(6);
    CHECK(normalize_angles(turned) == normalize_angles(original_turned));
    CHECK(turned.angles == original_turned.angles);

    const Decomposition inverse = inverse_of(copied);
    std::vector<Operation> both{copied};
    both.insert(both.end(), inverse.operations.begin(), inverse.operations.end());
    CHECK(distance(unitary_with_phase(both, inverse.phase, row.qubits), identity(row.dimension())) <
          1e-12);
  }
}

TEST_CASE("The inverse is the gate itself with other angles if possible") {
  const GateKind rotation = define_gate(like("turn_about_x", GateKind::rx));
  CHECK(gate(rotation).inverse.operations == std::vector{on_first_qubits(rotation, {-theta})});
  const GateKind swap = define_gate(like("my_swap", GateKind::swap));
  CHECK(gate(swap).inverse.operations == std::vector{on_first_qubits(swap)});
  const GateKind general = define_gate(like("my_u3", GateKind::u3));
  CHECK(gate(general).inverse.operations[0].gate == general);

  // The inverse of t is not t: it has a row of its own, and equals the product of seven t.
  const GateKind fixed = define_gate(like("my_t", GateKind::t));
  CustomGates gates;
  gates.add(fixed);
  REQUIRE(gates.find("my_t_inverse") != nullptr);
  const GateKind inverse = gates.find("my_t_inverse")->kind;
  CHECK(gate(fixed).inverse.operations == std::vector{on_first_qubits(inverse)});
  CHECK(gate(inverse).inverse.operations == std::vector{on_first_qubits(fixed)});
  REQUIRE(general_decomposition(gate(inverse)) != nullptr);
  CHECK(general_decomposition(gate(inverse))->operations.size() == 7);
  CHECK(defined_with(inverse) == fixed);
  CHECK_FALSE(defined_with(fixed).has_value());
  CHECK_FALSE(defined_with(GateKind::t).has_value());
}

TEST_CASE("Both names of a gate and its inverse are taken in the set that declares the gate") {
  CustomGates gates;
  const GateKind fixed = gates.define(like("taken_t", GateKind::t));
  const GateKind inverse = gates.find("taken_t_inverse")->kind;
  CHECK(gates.kinds() == std::vector{fixed, inverse});
  gates.add(fixed);
  gates.add(inverse);
  CHECK(gates.kinds() == std::vector{fixed, inverse});
  const GateKind other = define_gate(like("taken_t_inverse", GateKind::t));
  CHECK(other != inverse);
  CHECK_THROWS_WITH(gates.add(other), "'taken_t_inverse' is already the name of another gate");
  CHECK_THROWS_WITH(gates.define(like("taken_t", GateKind::s)),
                    "'taken_t' is already the name of another gate");
  CHECK(gates.kinds() == std::vector{fixed, inverse});

  CustomGates other_set;
  other_set.add(other);
  CHECK_THROWS_WITH(other_set.add(fixed),
                    "'taken_t_inverse' is the name of the inverse of 'taken_t', but another gate "
                    "already has it");
  CHECK(other_set.find("taken_t") == nullptr);
}

TEST_CASE("A set may declare the inverse of one of its gates, whatever was defined before") {
  CustomGate forward = with_body("half_way", 1, {}, {make_operation(GateKind::t, {0})});
  CustomGate backward = with_body("half_way_inverse", 1, {}, {make_operation(GateKind::tdg, {0})});
  // As the definition of another set, it is a row of its own.
  const GateKind alone = define_gate(backward);
  CHECK(gate(alone).inverse.operations[0].gate != define_gate(forward));
  // The inverse of `forward` has a further decomposition, the seventh power, which is not declared.
  CustomGates gates;
  const GateKind kind = gates.define(forward);
  CHECK_THROWS_WITH(gates.define(backward),
                    "'half_way_inverse' is already the name of another gate");
  // Without a power, both definitions agree.
  const auto turned = [](const std::string& name, std::vector<Operation> body) {
    return with_body(name, 1, {"a"}, std::move(body));
  };
  const Angle a = Angle::symbol("a");
  const CustomGate there =
      turned("there", {make_operation(GateKind::rz, {0}, {a}), make_operation(GateKind::h, {0}),
                       make_operation(GateKind::t, {0})});
  const CustomGate back =
      turned("there_inverse", {make_operation(GateKind::tdg, {0}), make_operation(GateKind::h, {0}),
                               make_operation(GateKind::rz, {0}, {-a})});
  const GateKind lone_back = define_gate(back);
  const GateKind first = gates.define(there);
  const GateKind second = gates.define(back);
  CHECK(second == gate(first).inverse.operations[0].gate);
  CHECK(second != lone_back);
  CHECK(gates.kinds().size() == 4);
  CHECK(gates.find("half_way") == &gate(kind));
}

TEST_CASE("A body gives the matrix and stays as the decomposition") {
  using enum GateKind;
  // Half angles cancel, so the matrix contains none.
  const GateKind kind = define_gate(
      with_body("by_body", 2, {"theta"},
                {make_operation(rz, {1}, {theta * Rational(1, 2)}), make_operation(cx, {0, 1}),
                 make_operation(rz, {1}, {theta * Rational(-1, 2)}), make_operation(cx, {0, 1})}));
  const Gate& row = gate(kind);
  CHECK(ExactMatrix(2, row.matrix) == ExactMatrix(2, gate(crz).matrix));
  REQUIRE(row.decompositions.size() == 1);
  CHECK(row.decompositions[0].operations.size() == 4);

  // If there is a matrix, it determines the phase, not the body.
  CustomGate both = with_body("by_both", 1, {}, {make_operation(rx, {0}, {pi(1, 2)})}, pi(1, 3));
  both.matrix = gate(sx).matrix;
  CHECK(gate(define_gate(both)).decompositions[0].phase == pi(1, 4));
  both.name = "by_both_wrong";
  both.matrix = gate(sxdg).matrix;
  CHECK(refusal(both) == "the body of 'by_both_wrong' is not its matrix");

  // One custom gate calls another, inverted.
  const GateKind outer = define_gate(
      with_body("outer", 2, {"theta"},
                {on_first_qubits(kind, {theta}), make_operation(sx, {0}), make_operation(t, {1})}));
  const Operation call = on_first_qubits(outer, {Angle::radians(Rational(3, 7))});
  const Decomposition inverse = inverse_of(call);
  CHECK(inverse.operations.size() == 1);
  std::vector<Operation> there_and_back{call, inverse.operations[0]};
  CHECK(distance(unitary_with_phase(there_and_back, inverse.phase, 2), identity(4)) < 1e-12);
  const Decomposition* steps = general_decomposition(gate(inverse.operations[0].gate));
  REQUIRE(steps != nullptr);
  const Decomposition filled = instantiate(*steps, inverse.operations[0]);
  there_and_back = {call};
  there_and_back.insert(there_and_back.end(), filled.operations.begin(), filled.operations.end());
  CHECK(distance(unitary_with_phase(there_and_back, filled.phase, 2), identity(4)) < 1e-12);
}

TEST_CASE("Equal definitions are the same gate, different ones of one name are several gates") {
  const CustomGate definition = like("once_and_again", GateKind::rzz);
  const GateKind kind = define_gate(definition);
  const std::size_t count = gate_count();
  CHECK(define_gate(definition) == kind);
  CHECK(gate_count() == count);
  const GateKind other = define_gate(like("once_and_again", GateKind::rxx));
  CHECK(other != kind);
  CHECK(gate(other).name == gate(kind).name);
  CHECK(define_gate(definition) == kind);
  CHECK(define_gate(like("once_and_again", GateKind::rxx)) == other);
  CustomGate with_other_body = definition;
  with_other_body.body = gate(GateKind::rzz).decompositions[0];
  const GateKind with_body = define_gate(with_other_body);
  CHECK(with_body != kind);
  CustomGate renamed = definition;
  renamed.parameters = {"phi"};
  renamed.matrix.clear();
  renamed.body =
      Decomposition{{make_operation(GateKind::rzz, {0, 1}, {Angle::symbol("phi")})}, {}, {}};
  CHECK(define_gate(renamed) != with_body);
  CHECK(gate_count() == count + 3);
  // The name alone has no meaning, but it has one in each gate set.
  CHECK(find_gate("once_and_again") == nullptr);
  for (const GateKind each : {kind, other, with_body}) {
    CustomGates gates;
    gates.add(each);
    CHECK(find_gate("once_and_again", gates) == &gate(each));
    CHECK(find_gate("cnot", gates) == &gate(GateKind::cx));
    CHECK(find_gate("once_and_agai", gates) == nullptr);
  }
}

TEST_CASE("Gates whose bodies call different gates of one name are different") {
  const GateKind inner_z = define_gate(like("inner", GateKind::z));
  const GateKind inner_s = define_gate(like("inner", GateKind::s));
  const auto calling = [](GateKind inner) {
    return define_gate(with_body("calls_inner", 1, {},
                                 {make_operation(inner, {0}), make_operation(GateKind::h, {0}),
                                  make_operation(inner, {0})}));
  };
  CHECK(calling(inner_z) != calling(inner_s));
  CHECK(calling(inner_z) == calling(inner_z));
  CHECK((calling(inner_z) < calling(inner_s)) != (calling(inner_s) < calling(inner_z)));
}

TEST_CASE("Custom gates are ordered by name and definition, after the built-in gates") {
  // The name of the gate that is defined first is behind that of the other one.
  const GateKind last = define_gate(like("order_z", GateKind::rx));
  const GateKind first = define_gate(like("order_a", GateKind::rx));
  CHECK(static_cast<unsigned>(last) < static_cast<unsigned>(first));
  CHECK(first < last);
  CHECK(last > first);
  CHECK(first <= last);
  CHECK_FALSE(first >= last);
  CHECK(gate_table().back().kind < first);
  CHECK(std::vector<GateKind>{GateKind::h, first, last} == [&] {
    std::vector<GateKind> kinds{last, GateKind::h, first};
    std::sort(kinds.begin(), kinds.end());
    return kinds;
  }());
  CHECK(std::map<GateKind, int>{{last, 1}, {first, 2}}.begin()->second == 2);
  CHECK(std::pair(OperationKind::gate, first) < std::pair(OperationKind::gate, last));

  // Gates of one name, defined in both orders under two names.
  const auto defined = [](const std::string& name, std::vector<GateKind> forms) {
    std::map<GateKind, GateKind> kinds;
    for (const GateKind form : forms) kinds.emplace(form, define_gate(like(name, form)));
    return kinds;
  };
  const auto one = defined("order_n", {GateKind::rx, GateKind::ry});
  const auto two = defined("order_m", {GateKind::ry, GateKind::rx});
  CHECK((one.at(GateKind::rx) < one.at(GateKind::ry)) ==
        (two.at(GateKind::rx) < two.at(GateKind::ry)));
  CHECK(one.at(GateKind::rx) != one.at(GateKind::ry));
}

TEST_CASE("A process that keeps loading sets has more custom gates than a byte counts") {
  const std::size_t count = gate_count();
  std::vector<GateKind> kinds;
  for (int i = 0; i < 300; ++i) {
    kinds.push_back(define_gate(like("many_" + std::to_string(i), GateKind::rx)));
    // Each set also declares this one, which stays one row.
    (void)define_gate(like("in_each_set", GateKind::ry));
  }
  CHECK(gate_count() == count + 301);
  for (int i = 0; i < 300; ++i) {
    const Gate& row = gate(kinds[static_cast<std::size_t>(i)]);
    CHECK(row.name == "many_" + std::to_string(i));
    CHECK(is_identity(on_first_qubits(row.kind, {Angle()})));  // a value that each row has
    CHECK_FALSE(is_identity(on_first_qubits(row.kind, {pi(1, 2)})));
  }
  const GateWeights weights("w", {{kinds.back(), {}, 2}}, 1.0);
  CHECK(weights.find(on_first_qubits(kinds.back(), {theta})) == 2);
  CHECK(weights.find(on_first_qubits(kinds.front(), {theta})) == 1);
}

TEST_CASE("An invalid definition is refused and leaves nothing behind") {
  using enum GateKind;
  const std::size_t count = gate_count();
  const auto named = [](std::string name) { return like(std::move(name), x); };
  CHECK(refusal(named("cx")) == "'cx' is the name of a built-in gate");
  CHECK(refusal(named("cnot")) == "'cnot' is the name of a built-in gate");
  for (const char* name : {"", "X", "2x", "my gate", "u0", "a-b", "_a", "\xc3\xa4"}) {
    CHECK_THAT(refusal(named(name)), Catch::Contains("is not a valid gate name"));
  }
  CustomGate custom = named("refused");
  custom.qubits = 4;
  CHECK(refusal(custom) == "custom gates have 1 to 3 qubits, 'refused' has 4");
  custom = named("refused");
  custom.parameters = {"a", "b", "c", "d", "e"};
  CHECK(refusal(custom) == "custom gates have up to 4 parameters, 'refused' has 5");
  custom.parameters = {"a", "a"};
  CHECK(refusal(custom) == "two parameters are named 'a'");
  custom.parameters = {"pi"};
  CHECK(refusal(custom) == "'pi' is not a valid parameter name");
  custom.parameters = {};
  custom.matrix.clear();
  CHECK(refusal(custom) == "'refused' has neither a matrix nor a body");

  custom.matrix = {{0, 0, {{1, 0, Angle()}}}, {1, 1, {{1, 1, Angle()}}}};
  CHECK(refusal(custom) ==
        "the matrix of 'refused' is not unitary: column 2 does not have length 1");
  custom.matrix = {{0, 0, {{1, 0, Angle()}}}, {0, 1, {{1, 0, Angle()}}}};
  CHECK(refusal(custom) ==
        "the matrix of 'refused' is not unitary: columns 1 and 2 are not orthogonal");
  const auto diagonal = [](const Angle& angle) {
    return std::vector<MatrixEntry>{{0, 0, {{1, 0, Angle()}}}, {1, 1, {{1, 0, angle}}}};
  };
  const auto entry = [](const std::string& what) {
    return "the entry in row 2, column 2 of the matrix of 'refused': e^(i*(" + what;
  };
  custom.parameters = {"theta"};
  custom.matrix = diagonal(theta * Rational(1, 4));
  CHECK(refusal(custom) == entry("theta/4)): parameters must occur in multiples of 1/2"));
  custom.matrix = diagonal(theta * Rational(100));
  CHECK(refusal(custom) == entry("100*theta)): a parameter occurs more than 32 times"));
  custom.matrix = diagonal(Angle::symbol("phi"));
  CHECK(refusal(custom) ==
        entry("phi)): constants must be multiples of pi, and 'phi' is not a parameter"));
  custom.matrix = diagonal(Angle::radians(Rational(1, 10)));
  CHECK(refusal(custom) == entry("0.1)): constants must be multiples of pi"));
  custom.matrix = diagonal(pi(1, 5000));
  CHECK(refusal(custom) == entry("pi/5000)): constants must be multiples of pi/4096"));
  CHECK(refusal(with_body("refused", 1, {"theta"},
                          {make_operation(rz, {0}, {theta * Rational(1, 2)})})) ==
        "the entry in row 1, column 1 of the matrix of 'refused': e^(i*(-theta/4)): parameters "
        "must occur in multiples of 1/2");
  CHECK(find_gate("refused") == nullptr);
  CHECK(gate_count() == count);
}

TEST_CASE("A gate very near to the identity is not the identity") {
  CustomGate custom{"nearly_nothing", 1, {}, {}, std::nullopt};
  custom.matrix = {{0, 0, {{1, 0, Angle()}}}, {1, 1, {{1, 0, pi(1, 4096)}}}};
  CHECK_FALSE(is_identity(on_first_qubits(define_gate(custom))));
}

TEST_CASE("Gates that several threads define at the same time are the same gates") {
  const std::vector<std::string> names{"race_a", "race_b", "race_c", "race_d"};
  std::vector<std::vector<GateKind>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      for (std::size_t k = 0; k < names.size(); ++k) {
        const std::string& name = names[(i + k) % names.size()];
        // Another gate of the name, and one whose inverse is a row of its own.
        CustomGates gates;
        gates.add(define_gate(like(name, i % 2 == 0 ? GateKind::rx : GateKind::rz)));
        gates.add(define_gate(like(name + "_t", GateKind::t)));
        const GateKind kind = define_gate(like(name, GateKind::ry));
        if (gate(kind).name == name && gates.find(name) != &gate(kind) &&
            gates.find(name + "_t_inverse") != nullptr) {
          found[i].push_back(kind);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].size() == names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
      CHECK(found[i][k] == define_gate(like(names[(i + k) % names.size()], GateKind::ry)));
    }
  }
}

TEST_CASE("Custom gates have weights") {
  const GateKind kind = define_gate(like("weighed", GateKind::rzz));
  const GateWeights weights("w", {{kind, {}, 2.5}, {GateKind::x, {}, 1}});
  CHECK(weights.covers(kind));
  CHECK(weights.find(on_first_qubits(kind, {theta})) == 25);
  CHECK_FALSE(weights.covers(GateKind::rzz));
}
