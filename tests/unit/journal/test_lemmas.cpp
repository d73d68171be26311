#include <catch2/catch.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "circuit/derivation.hpp"
#include "circuit/history.hpp"
#include "journal/history_file.hpp"
#include "journal/history_writer.hpp"
#include "journal/journal_writer.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/circuit.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::circuit;
using namespace quartz::test;
using journal::JournalWriter;
using journal::OperationNumber;
using enum GateKind;

namespace {

ReplayReport replayed(const Circuit& input, const Circuit& output, const std::string& bytes) {
  std::istringstream in(bytes);
  return replay_journal(input, output, in, "the journal");
}

/// Return the gates before and after a lemma. s = e^{i pi/4} rz(pi/2), so it has a phase.
std::vector<Operation> before_lemma() {
  return {make_operation(h, {0}), make_operation(cx, {0, 1}), make_operation(cx, {0, 1}),
          make_operation(s, {1})};
}
std::vector<Operation> after_lemma() {
  return {make_operation(rz, {1}, {Angle::pi_times(Rational(1, 2))}), make_operation(h, {0})};
}

/// Returns the history of before_lemma() up to after_lemma(), in two rewrites.
HistoryPointer proof_of_lemma() {
  HistoryRecorder recorder(4);
  recorder.rewrite(std::vector<GateNumber>{1, 2}, {}, std::span<const Operation>());
  recorder.rewrite(std::vector<GateNumber>{3}, {},
                   std::vector{make_operation(rz, {1}, {Angle::pi_times(Rational(1, 2))})});
  return std::move(recorder).finish({4, 0});
}

std::vector<Operation> on_qubits(std::vector<Operation> gates, const std::vector<Qubit>& qubits) {
  for (Operation& gate : gates) {
    for (Qubit& qubit : gate.qubits) qubit = qubits[qubit];
  }
  return gates;
}

std::vector<std::uint32_t> places_from(std::uint32_t first, std::uint32_t size) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < size; ++i) places.push_back(first + i);
  return places;
}

/// Circuits of a gate and three copies, on several qubits, before and after.
struct Copies {
  Circuit before;
  Circuit after;
  HistoryPointer history;
};
Copies copies_of_lemma(const HistoryPointer& lemma, const std::vector<Operation>& from,
                       const std::vector<Operation>& to) {
  const std::vector<std::vector<Qubit>> qubits{{0, 1, 2}, {2, 1, 0}, {0, 1, 2}};
  std::vector<Operation> before{make_operation(t, {1})};
  std::vector<Operation> after = before;
  std::vector<History::Part> parts{{{0}, {}, nullptr}};
  for (const std::vector<Qubit>& each : qubits) {
    parts.push_back({places_from(static_cast<std::uint32_t>(before.size()),
                                 static_cast<std::uint32_t>(from.size())),
                     each, lemma});
    for (const Operation& gate : on_qubits(from, each)) before.push_back(gate);
    for (const Operation& gate : on_qubits(to, each)) after.push_back(gate);
  }
  return {make_circuit(3, before), make_circuit(3, after), in_parts(std::move(parts))};
}

std::string journal_with_lemmas(const Circuit& input, const HistoryPointer& history) {
  std::ostringstream out;
  CHECK(journal::write_journal(out, input, history) == steps_of(history.get()));
  return out.str();
}

/// Writes journals about three copies of `h 0; h 0; t 0` on the qubits 0, 1 and 0.
class ByHand {
 public:
  static Circuit input() {
    std::vector<Operation> gates;
    for (const Qubit qubit : {0U, 1U, 0U}) {
      for (const GateKind kind : {h, h, t}) gates.push_back(make_operation(kind, {qubit}));
    }
    return make_circuit(2, std::move(gates));
  }
  static Circuit output() {
    return make_circuit(2,
                        {make_operation(t, {0}), make_operation(t, {1}), make_operation(t, {0})});
  }

  ByHand() : writer(bytes_, 9) {}

  /// Writes the lemma without its end.
  void begin() {
    const auto code_of_h = writer.code_of(make_operation(h, {0}));
    const auto code_of_t = writer.code_of(make_operation(t, {0}));
    const std::vector<JournalWriter::Gate> gates{
        {code_of_h, {0}}, {code_of_h, {0}}, {code_of_t, {0}}};
    writer.begin_lemma(gates);
    remove({0, 1});
  }
  /// Removes gates on wire 0 as a rewrite.
  void remove(const std::vector<OperationNumber>& removed) {
    const std::vector<Qubit> qubits(removed.size(), 0);
    writer.step(
        {.kind = formats::RecordKind::rewrite, .removed = removed, .removed_qubits = qubits});
  }
  void write_lemma() {
    begin();
    writer.end_lemma(std::vector<OperationNumber>{2});
  }
  void use(const std::vector<OperationNumber>& removed, std::uint64_t lemma = 0) {
    writer.use_lemma(lemma, removed, 1);
  }
  [[nodiscard]] ReplayReport report() {
    writer.finish();
    return replayed(input(), output(), bytes_.str());
  }
  [[nodiscard]] std::string fault() {
    const ReplayReport result = report();
    CHECK_FALSE(result.is_certified);
    return result.fault;
  }

 private:
  std::ostringstream bytes_;

 public:
  JournalWriter writer;
};

}  // namespace

TEST_CASE("A lemma is proved once and used for all of its copies", "[lemmas]") {
  const HistoryPointer lemma = as_lemma(before_lemma(), proof_of_lemma());
  const Copies copies = copies_of_lemma(lemma, before_lemma(), after_lemma());
  CHECK(steps_of(copies.history.get()) == 2 + 3);
  const std::string bytes = journal_with_lemmas(copies.before, copies.history);
  const ReplayReport report = replayed(copies.before, copies.after, bytes);
  CHECK(report.fault.empty());
  CHECK(report.is_certified);
  CHECK(report.steps == 5);
  CHECK(report.distance == 0);
  // s = e^{i pi/4} rz(pi/2), in each of three copies.
  CHECK(report.phase == Angle::pi_times(Rational(-3, 4)));
  Circuit other = copies.after;
  other.operations.push_back(make_operation(t, {2}));
  CHECK_FALSE(replayed(copies.before, other, bytes).is_certified);
}

TEST_CASE("What follows a lemma continues its gates", "[lemmas]") {
  const HistoryPointer lemma = as_lemma(before_lemma(), proof_of_lemma());
  const Copies copies = copies_of_lemma(lemma, before_lemma(), after_lemma());
  // The two Hadamard gates of the first and the last copy, on qubit 0, cancel.
  HistoryRecorder recorder(7);
  recorder.rewrite(std::vector<GateNumber>{2, 6}, {}, std::span<const Operation>());
  const HistoryPointer rest = std::move(recorder).finish({0, 1, 3, 4, 5});
  Circuit after = copies.after;
  after.operations.erase(after.operations.begin() + 6);
  after.operations.erase(after.operations.begin() + 2);
  const HistoryPointer history = in_sequence(copies.history, rest);
  CHECK(replayed(copies.before, after, journal_with_lemmas(copies.before, history)).is_certified);
  std::ostringstream out;
  journal::GrowingJournal growing(out, copies.before);
  growing.continue_to(copies.history);
  REQUIRE(growing.can_continue_to(history));
  growing.continue_to(history);
  CHECK(growing.finish() == 6);
  CHECK(replayed(copies.before, after, out.str()).is_certified);
}

TEST_CASE("The proof of a lemma may use other lemmas", "[lemmas]") {
  const HistoryPointer inner = as_lemma(before_lemma(), proof_of_lemma());
  const Copies within = copies_of_lemma(inner, before_lemma(), after_lemma());
  // The qubits of a lemma are numbered in the order of their occurrence: 1, 0, 2.
  const std::vector<Qubit> numbers{1, 0, 2};
  std::vector<History::Part> part{
      {places_from(0, static_cast<std::uint32_t>(within.before.operations.size())), numbers,
       within.history}};
  const std::vector<Operation> from = on_qubits(within.before.operations, numbers);
  const HistoryPointer outer = as_lemma(from, in_parts(std::move(part)));
  const Copies copies = copies_of_lemma(outer, from, on_qubits(within.after.operations, numbers));
  CHECK(steps_of(copies.history.get()) == 2 + 3 + 3);
  const std::string bytes = journal_with_lemmas(copies.before, copies.history);
  const ReplayReport report = replayed(copies.before, copies.after, bytes);
  CHECK(report.fault.empty());
  CHECK(report.is_certified);
  CHECK(report.phase == Angle::pi_times(Rational(-1, 4)));  // -9/4, up to full turns
}

TEST_CASE("Lemmas stay shared in a file of histories", "[lemmas]") {
  const TemporaryFolder folder;
  const HistoryPointer lemma = as_lemma(before_lemma(), proof_of_lemma());
  const Copies copies = copies_of_lemma(lemma, before_lemma(), after_lemma());
  journal::HistoryFile file(folder / "histories");
  const journal::StoredHistory stored = file.append(copies.history);
  const HistoryPointer read = journal::read_history(folder / "histories", stored);
  CHECK(steps_of(read.get()) == 5);
  CHECK(journal_with_lemmas(copies.before, read) ==
        journal_with_lemmas(copies.before, copies.history));
}

TEST_CASE("A derivation that changed nothing is no lemma", "[lemmas]") {
  CHECK(Derivation::unchanged().as_lemma(before_lemma()).history() == nullptr);
  CHECK_FALSE(Derivation::unrecorded().as_lemma(before_lemma()).is_recorded());
}

TEST_CASE("A lemma is used where its gates are and nowhere else", "[lemmas]") {
  ByHand right;
  right.write_lemma();
  right.use({0, 1, 2});
  right.use({3, 4, 5});
  right.use({6, 7, 8});
  CHECK(right.report().is_certified);

  const auto fault_of = [](const std::vector<OperationNumber>& removed, std::uint64_t lemma = 0) {
    ByHand wrong;
    wrong.write_lemma();
    wrong.use(removed, lemma);
    return wrong.fault();
  };
  CHECK(fault_of({0, 1, 2}, 1) == "step 2: there is no lemma 1");
  CHECK(fault_of({0, 1}) == "step 2: 2 gates, expected the 3 of lemma 0");
  CHECK(fault_of({0, 4, 2}) == "step 2: operation 2: the gate is not the next one on its wires");
  CHECK(fault_of({0, 4, 5}) == "step 2: operation 4 is not gate 1 of lemma 0");
  CHECK(fault_of({1, 2, 6}) == "step 2: operation 2 is not gate 1 of lemma 0");
  CHECK(fault_of({0, 1, 9}) == "step 2: operation 9: the operation does not exist");
}

TEST_CASE("A lemma is proved by its own steps", "[lemmas]") {
  SECTION("which must be right") {
    ByHand wrong;
    wrong.begin();
    wrong.remove({2});
    wrong.writer.end_lemma({});
    CHECK(wrong.fault().starts_with("step 2: the two sides are not proved equal"));
  }
  SECTION("and lists all of its gates") {
    ByHand wrong;
    wrong.begin();
    wrong.writer.end_lemma({});
    CHECK(wrong.fault() == "step 2: 0 gates at the end of a lemma, expected 1");
  }
  SECTION("which are its own") {
    ByHand wrong;
    wrong.begin();
    wrong.writer.end_lemma(std::vector<OperationNumber>{5});
    CHECK(wrong.fault() == "step 2: operation 5: the operation does not exist");
  }
  SECTION("and does not exist before its end") {
    ByHand wrong;
    wrong.begin();
    wrong.use({0, 1, 2});
    CHECK(wrong.fault() == "step 2: there is no lemma 0");
  }
  SECTION("and has an end") {
    ByHand wrong;
    wrong.begin();
    CHECK(wrong.fault() == "step 2: the journal ends within a lemma");
  }
}
