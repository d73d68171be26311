#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <numeric>
#include <sstream>
#include <utility>
#include <variant>
#include <vector>

#include "circuit/derivation.hpp"
#include "circuit/history.hpp"
#include "journal/history_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"

using namespace quartz;
using namespace quartz::circuit;
using enum GateKind;

namespace {

/// Returns the history of a list of `size` gates after which a pair of equal gates is put behind
/// the last of them, which is on qubit 0.
HistoryPointer with_pair(std::size_t size, GateKind kind) {
  HistoryRecorder recorder(size);
  const std::vector<Operation> pair(2, make_operation(kind, {0}));
  recorder.rewrite({}, std::vector<RecordedPlace>{{0, static_cast<GateNumber>(size)}}, pair);
  std::vector<GateNumber> order(size + 2);
  for (GateNumber i = 0; i < order.size(); ++i) order[i] = i;
  return std::move(recorder).finish(std::move(order));
}

/// Returns the history of a list of `size` gates, which are removed.
HistoryPointer with_nothing_for(std::size_t size) {
  HistoryRecorder recorder(size);
  std::vector<GateNumber> gates(size);
  std::iota(gates.begin(), gates.end(), GateNumber{0});
  recorder.rewrite(gates, std::vector<RecordedPlace>{}, std::vector<Operation>{});
  return std::move(recorder).finish({});
}

/// Returns the history of a list of one gate, which is replaced.
HistoryPointer replaced_by(const Operation& gate) {
  HistoryRecorder recorder(1);
  recorder.rewrite(std::vector<GateNumber>{0}, std::vector<RecordedPlace>{}, std::vector{gate});
  return std::move(recorder).finish({1});
}

/// A growing journal and its replay.
class Pair {
 public:
  explicit Pair(const Circuit& input)
      : journal_(stream_, input), replay_(input, "the journal", {}), input_(input) {}
  /// Goes on from where another one is.
  Pair(const Pair& other)
      : stream_(other.stream_.str(), std::ios::ate),
        journal_(other.journal_, stream_),
        replay_(other.replay_),
        input_(other.input_),
        bytes_(other.bytes_) {}
  Pair& operator=(const Pair&) = delete;
  ~Pair() = default;

  [[nodiscard]] bool can_continue_to(const HistoryPointer& history) const {
    return journal_.can_continue_to(history);
  }
  /// Appends a history to the journal, and replays what is new.
  [[nodiscard]] ReplayReport continued(const HistoryPointer& history, const Circuit& output) {
    journal_.continue_to(history);
    (void)replay_.replay(new_bytes());
    return replay_.report_for(output);
  }
  /// Ends the journal, and replays it as a whole.
  [[nodiscard]] ReplayReport complete(const Circuit& output) {
    journal_.finish();
    (void)replay_.replay(new_bytes());
    CHECK(replay_.report_for(output).is_certified);
    std::istringstream all(bytes_);
    return replay_journal(input_, output, all, "the journal");
  }

  [[nodiscard]] RunningReplay::Exchanges exchanges() const { return replay_.exchanges(); }

 private:
  std::string new_bytes() {
    std::string bytes = stream_.str();
    stream_.str("");
    bytes_ += bytes;
    return bytes;
  }

  std::ostringstream stream_;
  journal::GrowingJournal journal_;
  RunningReplay replay_;
  Circuit input_;
  std::string bytes_;
};

}  // namespace

TEST_CASE("A journal grows with the history of a circuit", "[growing journal]") {
  const Operation gate = make_operation(t, {0});
  const Circuit input = make_circuit(1, {gate});
  Pair pair(input);
  HistoryPointer history;
  Circuit output = input;
  for (const GateKind kind : {x, h, y, x, z}) {
    history = in_sequence(std::move(history), with_pair(output.operations.size(), kind));
    const Circuit before = output;
    output.operations.insert(output.operations.end(), 2, make_operation(kind, {0}));
    REQUIRE(pair.can_continue_to(history));
    const ReplayReport report = pair.continued(history, output);
    CHECK(report.is_certified);
    CHECK(report.steps == (output.operations.size() - 1) / 2);
    // The circuit before is not what the journal leads to now.
    CHECK_FALSE(pair.continued(history, before).is_certified);
    CHECK(pair.continued(history, output).is_certified);
  }
  CHECK(pair.complete(output).steps == 5);
}

TEST_CASE("A journal may be continued in several ways", "[growing journal]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  Pair pair(input);
  const Pair before_first(pair);
  Circuit output = input;
  HistoryPointer history;
  const auto with = [&](GateKind kind) {
    Circuit longer = output;
    longer.operations.insert(longer.operations.end(), 2, make_operation(kind, {0}));
    return longer;
  };
  for (const GateKind kind : {x, h, y}) {
    // What the copies do does not change the original.
    for (const GateKind other : {z, h, x}) {
      Pair copy(pair);
      const Circuit longer = with(other);
      const HistoryPointer next = in_sequence(history, with_pair(output.operations.size(), other));
      REQUIRE(copy.can_continue_to(next));
      CHECK(copy.continued(next, longer).is_certified);
      CHECK_FALSE(copy.continued(next, output).is_certified);
      CHECK(copy.complete(longer).steps == (longer.operations.size() - 1) / 2);
    }
    Pair wrong(pair);
    HistoryRecorder recorder(output.operations.size());
    recorder.rewrite(std::vector<GateNumber>{0}, std::vector<RecordedPlace>{},
                     std::vector{make_operation(s, {0})});
    std::vector<GateNumber> order(output.operations.size());
    std::iota(order.begin(), order.end(), GateNumber{0});
    order.front() = static_cast<GateNumber>(order.size());
    Circuit changed = output;
    changed.operations.front() = make_operation(s, {0});
    CHECK_FALSE(
        wrong.continued(in_sequence(history, std::move(recorder).finish(std::move(order))), changed)
            .is_certified);

    history = in_sequence(history, with_pair(output.operations.size(), kind));
    output = with(kind);
    CHECK(pair.continued(history, output).is_certified);
  }
  CHECK(pair.complete(output).steps == 3);
  Pair late(before_first);
  CHECK(late.continued(history, output).is_certified);
  CHECK(late.complete(output).steps == 3);
}

TEST_CASE("Copies of a journal use the lemmas that it has", "[growing journal]") {
  const std::vector<Operation> before{make_operation(h, {0}), make_operation(h, {0})};
  const HistoryPointer lemma = circuit::as_lemma(before, with_nothing_for(before.size()));
  const Circuit input =
      make_circuit(3, {make_operation(h, {0}), make_operation(h, {0}), make_operation(h, {1}),
                       make_operation(h, {1}), make_operation(h, {2}), make_operation(h, {2})});
  const auto uses = [&](std::size_t count) {
    std::vector<circuit::History::Part> parts;
    for (std::uint32_t i = 0; i < 3; ++i) {
      parts.push_back({{2 * i, 2 * i + 1}, {i}, i < count ? lemma : nullptr});
    }
    return in_parts(std::move(parts));
  };
  const auto circuit_with = [&](std::size_t count) {
    Circuit circuit = input;
    const auto first = circuit.operations.begin();
    circuit.operations.erase(first, first + static_cast<std::ptrdiff_t>(2 * count));
    return circuit;
  };
  Pair pair(input);
  CHECK(pair.continued(uses(1), circuit_with(1)).is_certified);
  Pair copy(pair);
  CHECK(copy.continued(uses(2), circuit_with(2)).is_certified);
  CHECK(pair.continued(uses(3), circuit_with(3)).is_certified);
  CHECK(copy.complete(circuit_with(2)).is_certified);
  CHECK(pair.complete(circuit_with(3)).is_certified);
}

TEST_CASE("Each part of a circuit may be continued", "[growing journal]") {
  const std::vector<Operation> cxs(3, make_operation(cx, {0, 1}));
  const Circuit input = make_circuit(2, cxs);
  const HistoryPointer first = with_pair(1, x);
  const HistoryPointer second = in_sequence(first, with_pair(3, h));
  const auto parts = [](HistoryPointer a, HistoryPointer b, HistoryPointer c) {
    return in_parts({{{0}, {}, std::move(a)}, {{1}, {}, std::move(b)}, {{2}, {}, std::move(c)}});
  };
  const auto circuit_of = [&](const std::vector<std::vector<GateKind>>& kinds) {
    Circuit circuit = without_operations(input);
    for (std::size_t part = 0; part < 3; ++part) {
      circuit.operations.push_back(cxs[part]);
      for (const GateKind kind : kinds[part]) {
        circuit.operations.insert(circuit.operations.end(), 2, make_operation(kind, {0}));
      }
    }
    return circuit;
  };
  Pair pair(input);
  CHECK(pair.continued(parts(nullptr, first, nullptr), circuit_of({{}, {x}, {}})).is_certified);
  const HistoryPointer next = parts(first, second, nullptr);
  REQUIRE(pair.can_continue_to(next));
  CHECK(pair.continued(next, circuit_of({{x}, {x, h}, {}})).is_certified);
  const HistoryPointer last = parts(second, second, first);
  CHECK(pair.continued(last, circuit_of({{x, h}, {x, h}, {x}})).is_certified);
  // What follows the parts ends them.
  const HistoryPointer whole = in_sequence(last, with_pair(13, z));
  Circuit output = circuit_of({{x, h}, {x, h}, {x}});
  output.operations.insert(output.operations.end(), 2, make_operation(z, {0}));
  CHECK(pair.continued(whole, output).is_certified);
  CHECK_FALSE(pair.can_continue_to(parts(second, second, second)));
  CHECK(pair.complete(output).steps == 6);
}

TEST_CASE("A history that branched off before does not continue the journal", "[growing journal]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  const HistoryPointer first = with_pair(1, x);
  const HistoryPointer longer = in_sequence(first, with_pair(3, h));
  Pair pair(input);
  Circuit output = input;
  for (const GateKind kind : {x, h}) {
    output.operations.insert(output.operations.end(), 2, make_operation(kind, {0}));
  }
  CHECK(pair.continued(longer, output).is_certified);
  for (const HistoryPointer& other :
       {first, with_pair(1, x), in_sequence(first, with_pair(3, h)), HistoryPointer()}) {
    CHECK_FALSE(pair.can_continue_to(other));
    CHECK_THROWS_AS(pair.continued(other, output), InternalError);
  }
  CHECK(pair.continued(longer, output).is_certified);

  SECTION("nor does one that divides the circuit in another way") {
    const Circuit two = make_circuit(1, {make_operation(t, {0}), make_operation(s, {0})});
    Pair divided(two);
    const HistoryPointer parts = in_parts({{{0}, {}, nullptr}, {{1}, {}, first}});
    Circuit result = two;
    result.operations.insert(result.operations.end(), 2, make_operation(x, {0}));
    CHECK(divided.continued(parts, result).is_certified);
    CHECK_FALSE(divided.can_continue_to(in_parts({{{0, 1}, {}, first}})));
    CHECK_FALSE(divided.can_continue_to(in_parts({{{0}, {0}, nullptr}, {{1}, {}, first}})));
  }
}

TEST_CASE("A journal grows with the rewrites of a search that goes on", "[growing journal]") {
  // Each version of a circuit under search has all rewrites so far in one step, and an order.
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  const auto gates = std::make_shared<RecordedGates>();
  const auto version = [&](const std::vector<GateKind>& kinds) {
    HistoryRecorder recorder(1, gates);
    std::vector<GateNumber> last_first{0};
    for (const GateKind kind : kinds) {
      const std::vector<Operation> pair(2, make_operation(kind, {0}));
      const GateNumber next = recorder.next_number();
      recorder.rewrite({}, std::vector<RecordedPlace>{{0, last_first.front() + 1}}, pair);
      last_first.insert(last_first.begin(), {next + 1, next});
    }
    // The last gate has the first place of the list, and an order puts it right.
    std::vector<std::uint32_t> order(last_first.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<std::uint32_t>(order.size()) - 1 - i;
    return in_sequence(std::move(recorder).finish(last_first), in_parts({{order, {}, nullptr}}));
  };
  const auto circuit_of = [&](const std::vector<GateKind>& kinds) {
    Circuit circuit = input;
    for (const GateKind kind : kinds) {
      circuit.operations.insert(circuit.operations.end(), 2, make_operation(kind, {0}));
    }
    return circuit;
  };
  const std::vector<GateKind> most{x, h, y, h, z};
  Pair pair(input);
  for (const std::size_t count : {1U, 2U, 2U, 4U}) {
    const std::vector<GateKind> kinds(most.begin(), most.begin() + count);
    const HistoryPointer history = version(kinds);
    REQUIRE(pair.can_continue_to(history));
    const ReplayReport report = pair.continued(history, circuit_of(kinds));
    CHECK(report.is_certified);
    CHECK(report.steps == count);
  }
  CHECK_FALSE(pair.can_continue_to(version({x, h})));
  CHECK_FALSE(pair.can_continue_to(version({x, h, y, x, z})));

  SECTION("also in a part of a circuit") {
    const Circuit two = make_circuit(1, {make_operation(t, {0}), make_operation(s, {0})});
    Pair divided(two);
    for (const std::size_t count : {1U, 3U}) {
      const std::vector<GateKind> kinds(most.begin(), most.begin() + count);
      const HistoryPointer parts = in_parts({{{0}, {}, version(kinds)}, {{1}, {}, nullptr}});
      Circuit output = circuit_of(kinds);
      output.operations.push_back(make_operation(s, {0}));
      REQUIRE(divided.can_continue_to(parts));
      CHECK(divided.continued(parts, output).is_certified);
    }
  }
  SECTION("behind an order of the whole circuit that is left out again") {
    const Circuit two = make_circuit(1, {make_operation(t, {0}), make_operation(s, {0})});
    const auto parts = [&](std::size_t count) {
      const std::vector<GateKind> kinds(most.begin(), most.begin() + count);
      return in_parts({{{0}, {}, version(kinds)}, {{1}, {}, nullptr}});
    };
    const auto output = [&](std::size_t count) {
      Circuit circuit = circuit_of({most.begin(), most.begin() + count});
      circuit.operations.push_back(make_operation(s, {0}));
      return circuit;
    };
    // The order has parts of its own, in which the gates of the others are.
    const HistoryPointer order = in_parts({{{0, 1}, {}, nullptr}, {{2, 3}, {}, nullptr}});
    Pair divided(two);
    CHECK(divided.continued(in_sequence(parts(1), order), output(1)).is_certified);
    SECTION("once") {
      REQUIRE(divided.can_continue_to(parts(1)));
      CHECK(divided.continued(parts(1), output(1)).is_certified);
    }
    SECTION("at once") {}
    REQUIRE(divided.can_continue_to(parts(3)));
    CHECK(divided.continued(parts(3), output(3)).is_certified);
    CHECK(divided.complete(output(3)).is_certified);
  }
  SECTION("behind two orders, of which one is left out") {
    const HistoryPointer before = version(most);
    const HistoryPointer order = in_parts({{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {}, nullptr}});
    Pair twice(input);
    CHECK(twice.continued(in_sequence(before, order), circuit_of(most)).is_certified);
    CHECK(twice.continued(before, circuit_of(most)).is_certified);
    // What was before the first order is not known any more.
    CHECK_FALSE(twice.can_continue_to(std::get<History::Sequence>(before->content).first));
  }
  SECTION("and with what follows the search") {
    const HistoryPointer before = version(most);
    const HistoryPointer whole = in_sequence(before, with_pair(11, x));
    REQUIRE(pair.can_continue_to(whole));
    Circuit output = circuit_of(most);
    output.operations.insert(output.operations.end(), 2, make_operation(x, {0}));
    CHECK(pair.continued(whole, output).is_certified);
    CHECK(pair.complete(output).steps == 6);
    CHECK_FALSE(pair.can_continue_to(version({x, h, y, h, z, x})));
  }
  SECTION("or with another order") {
    const HistoryPointer same = version({x, h, y, h});
    CHECK(pair.can_continue_to(std::get<History::Sequence>(same->content).first));
    const HistoryPointer last =
        in_sequence(version({x, h, y, h}), in_parts({{{0, 1, 2, 3, 4, 5, 6, 7, 8}, {}, nullptr}}));
    CHECK(pair.continued(last, circuit_of({x, h, y, h})).is_certified);
  }
}

TEST_CASE("Equal parts that were formed anew continue a journal", "[growing journal]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  const HistoryPointer first = with_pair(1, x);
  const HistoryPointer second = with_pair(3, h);
  const auto after_parts = [&](const HistoryPointer& next) {
    return in_sequence(in_parts({{{0}, {}, first}}), next);
  };
  Pair pair(input);
  Circuit output = input;
  output.operations.insert(output.operations.end(), 2, make_operation(x, {0}));
  output.operations.insert(output.operations.end(), 2, make_operation(h, {0}));
  CHECK(pair.continued(after_parts(second), output).is_certified);
  output.operations.insert(output.operations.end(), 2, make_operation(y, {0}));
  const HistoryPointer longer = in_sequence(after_parts(second), with_pair(5, y));
  REQUIRE(pair.can_continue_to(longer));
  CHECK(pair.continued(longer, output).is_certified);
  CHECK_FALSE(pair.can_continue_to(in_sequence(after_parts(with_pair(3, h)), with_pair(5, y))));
}

TEST_CASE("After a step that is not proved, nothing is certified", "[growing journal]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  const Circuit wrong = make_circuit(1, {make_operation(s, {0})});
  Pair pair(input);
  const HistoryPointer to_s = replaced_by(make_operation(s, {0}));
  const ReplayReport report = pair.continued(to_s, wrong);
  CHECK_FALSE(report.is_certified);
  CHECK_THAT(report.fault, Catch::Contains("step 1"));
  const HistoryPointer back = in_sequence(to_s, replaced_by(make_operation(t, {0})));
  CHECK_FALSE(pair.continued(back, input).is_certified);
}

TEST_CASE("A running replay counts its exchanges", "[growing journal]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  Pair pair(input);
  const HistoryPointer rewrite = with_pair(1, x);
  Circuit output = input;
  output.operations.insert(output.operations.end(), 2, make_operation(x, {0}));
  REQUIRE(pair.continued(rewrite, output).is_certified);
  CHECK(pair.exchanges().steps == 0);
  CHECK(pair.exchanges().seconds == 0);
  const HistoryPointer exchanged =
      in_sequence(rewrite, circuit::Derivation::by_exchange(3, input.operations, 1).history());
  const ReplayReport report = pair.continued(exchanged, input);
  CHECK(report.is_certified);
  CHECK(report.steps == 2);
  CHECK(pair.exchanges().steps == 1);
  CHECK(pair.exchanges().seconds > 0);
}

TEST_CASE("A running replay refuses what is no journal", "[growing journal]") {
  const Circuit input = make_circuit(1, {make_operation(t, {0})});
  RunningReplay replay(input, "name", {});
  CHECK_FALSE(replay.report_for(input).is_certified);
  CHECK(replay.steps() == 0);
  CHECK_THROWS_AS(replay.replay("no journal"), InputError);
}
