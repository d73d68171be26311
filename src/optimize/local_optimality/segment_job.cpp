#include "optimize/local_optimality/segment_job.hpp"

#include <map>
#include <memory>
#include <utility>

#include "optimize/local_optimality/message.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

using GateAngles = std::pair<GateKind, AngleList>;

[[noreturn]] void fail_to_number() { throw Error("this process numbers gates in another way"); }

void put_operation(MessageWriter& message, const Operation& operation) {
  message.flag(is_black_box(operation));
  if (is_black_box(operation)) {
    message.text(operation.classical->opaque_name);
    return;
  }
  message.text(gate(operation.gate).name);
  message.number(operation.angles.size());
  for (const Angle& angle : operation.angles) message.text(angle.to_string());
}

Operation read_operation(MessageReader& message, const CustomGates& custom_gates) {
  if (message.flag()) {
    ClassicalPart content;
    content.opaque_name = message.text();
    Operation box;
    box.kind = OperationKind::opaque;
    box.classical = std::make_shared<const ClassicalPart>(std::move(content));
    return box;
  }
  const std::string_view name = message.text();
  const Gate* const row = find_gate(name, custom_gates);
  if (row == nullptr) throw Error("there is no gate '" + std::string(name) + "' in this process");
  AngleList angles;
  for (std::size_t left = message.count(); left != 0; --left) {
    angles.push_back(parse_angle(message.text()));
  }
  if (angles.size() != row->parameters.size()) MessageReader::fail();
  return on_own_operands(*row, std::move(angles));
}

}  // namespace

SegmentJob SegmentJob::of(const ClassTable& table, const AnnealingLabels& labels,
                          std::span<const rewrite::PlainGate> gates, std::uint32_t wires,
                          const SegmentSearchOptions& options) {
  SegmentJob job;
  job.table_digest = table.contents().digest;
  job.table.qubits = table.contents().qubits;
  job.table.cost = table.cost();
  job.table.two_qubit_weight = table.contents().two_qubit_weight;
  job.table.symbolic = table.contents().symbolic;
  job.wires = wires;
  job.moves_per_gate = options.moves_per_gate;
  job.record_pairs = options.record_pairs;
  job.record_history = options.record_history;
  if (options.coupling != nullptr) job.coupling = *options.coupling;
  job.has_path = !labels.lengths().empty();
  job.value_per_length = labels.value_per_length();
  job.is_path_first = labels.is_path_first();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<rewrite::Label>(i);
    job.labels.push_back(
        {labels.operation(label), labels[label].value, job.has_path ? labels.lengths()[i] : 0});
  }
  std::vector<bool> is_known(labels.size());
  for (const rewrite::PlainGate& gate : gates) {
    if (is_known[gate.label]) continue;
    is_known[gate.label] = true;
    job.order.push_back(gate.label);
  }
  return job;
}

std::string SegmentJob::message() const {
  MessageWriter message;
  message.text(table_digest);
  message.number(table.qubits);
  message.number(table.cost);
  message.number(table.two_qubit_weight);
  message.flag(table.symbolic);
  message.number(wires);
  message.number(moves_per_gate);
  message.flag(record_pairs);
  message.flag(record_history);
  message.flag(coupling.has_value());
  if (coupling) {
    message.flag(coupling->directed());
    message.number(coupling->pairs().size());
    for (const auto& [first, second] : coupling->pairs()) {
      message.number(first);
      message.number(second);
    }
  }
  message.flag(has_path);
  message.number(value_per_length);
  message.flag(is_path_first);
  message.number(labels.size());
  for (const Label& label : labels) {
    put_operation(message, label.operation);
    message.number(label.value);
    if (has_path) message.number(label.length);
  }
  message.number(order.size());
  for (const rewrite::Label label : order) message.number(label);
  return std::move(message).take();
}

SegmentJob SegmentJob::from_message(std::string_view bytes, const CustomGates& custom_gates) {
  MessageReader message(bytes);
  SegmentJob job;
  job.table_digest = message.text();
  job.table.qubits = message.number<unsigned>();
  job.table.cost = message.number<unsigned>();
  job.table.two_qubit_weight = message.number<unsigned>();
  job.table.symbolic = message.flag();
  job.wires = message.number<std::uint32_t>();
  job.moves_per_gate = message.number();
  job.record_pairs = message.flag();
  job.record_history = message.flag();
  if (message.flag()) {
    job.coupling.emplace(message.flag());
    for (std::size_t left = message.count(); left != 0; --left) {
      const auto first = message.number<Qubit>();
      job.coupling->add(first, message.number<Qubit>());
    }
  }
  job.has_path = message.flag();
  job.value_per_length = message.number();
  job.is_path_first = message.flag();
  for (std::size_t left = message.count(); left != 0; --left) {
    Label& label = job.labels.emplace_back();
    label.operation = read_operation(message, custom_gates);
    label.value = message.number();
    if (job.has_path) label.length = message.number();
  }
  for (std::size_t left = message.count(); left != 0; --left) {
    job.order.push_back(message.number<rewrite::Label>());
    if (job.order.back() >= job.labels.size()) MessageReader::fail();
  }
  message.require_end();
  return job;
}

SegmentSearchOptions SegmentJob::search_options() const {
  return {coupling ? &*coupling : nullptr, record_pairs, record_history, moves_per_gate};
}

std::unique_ptr<const AnnealingLabels> SegmentJob::make_labels(
    const classes::TableAlphabet& alphabet) const {
  const auto known = std::make_shared<std::map<GateAngles, const Label*>>();
  for (const Label& label : labels) {
    if (!is_black_box(label.operation)) {
      known->insert({{label.operation.gate, label.operation.angles}, &label});
    }
  }
  // The labels ask for the cost of a gate when they number it, and not later.
  const auto find = [known](const Operation& gate) -> const Label& {
    const auto found = known->find({gate.gate, gate.angles});
    if (found == known->end()) fail_to_number();
    return *found->second;
  };
  ScalarCost cost([find](const Operation& gate) { return find(gate).value; });
  if (has_path) cost.length = [find](const Operation& gate) { return find(gate).length; };
  cost.per_length = value_per_length;
  cost.is_path_first = is_path_first;
  auto made = std::make_unique<AnnealingLabels>(alphabet, std::move(cost));
  for (const rewrite::Label label : order) {
    const AnnealingLabels::Interned interned = made->intern({&labels[label].operation, 1});
    if (interned.gates.size() != 1 || interned.gates.front().label != label) {
      fail_to_number();
    }
  }
  if (made->size() != labels.size()) fail_to_number();
  return made;
}

}  // namespace quartz::optimizer
