// Usage: qasm_round_trip IN OUT ...: reads each IN and writes it to OUT in its own version. The
// last arguments may be --dialect and the name of a dialect, and then --qasm 2 or --qasm 3.
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/qasm/dialect.hpp"
#include "quartz/qasm/qasm.hpp"

namespace {

/// Returns the operations without their conditions, which dialects may write in another form.
std::vector<quartz::Operation> without_conditions(const quartz::Circuit& circuit) {
  std::vector<quartz::Operation> operations = circuit.operations;
  for (quartz::Operation& operation : operations) {
    if (operation.classical == nullptr) continue;
    quartz::ClassicalPart part = *operation.classical;
    part.conditions.clear();
    operation.classical = std::make_shared<const quartz::ClassicalPart>(std::move(part));
  }
  return operations;
}

bool is_same_program(const quartz::Circuit& circuit, const quartz::Circuit& again,
                     const quartz::Dialect& dialect) {
  if (dialect.gates.empty()) return again == circuit;
  if (!dialect.compares_single_bits) return again.operations == circuit.operations;
  return without_conditions(again) == without_conditions(circuit);
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> files(words + 1, words + count);
  unsigned version = 0;
  if (files.size() >= 2 && files[files.size() - 2] == "--qasm") {
    version = files.back() == "3" ? 3 : 2;
    files.resize(files.size() - 2);
  }
  const quartz::Dialect* dialect = &quartz::dialects().front();
  if (files.size() >= 2 && files[files.size() - 2] == "--dialect") {
    dialect = quartz::find_dialect(files.back());
    if (dialect == nullptr) return 2;
    if (version == 0) version = dialect->version;
    files.resize(files.size() - 2);
  }
  int failures = 0;
  for (std::size_t i = 0; i + 1 < files.size(); i += 2) {
    try {
      quartz::Circuit circuit = quartz::read_qasm_file(files[i]);
      if (version != 0) circuit.qasm_version = version;
      circuit = quartz::in_dialect(circuit, *dialect);
      const std::string text = quartz::write_qasm(circuit, *dialect);
      const quartz::Circuit again = quartz::parse_qasm(text);
      if (!is_same_program(circuit, again, *dialect) ||
          quartz::write_qasm(circuit, *dialect) != text) {
        throw quartz::InternalError(files[i] +
                                    ": the written circuit reads back as another circuit");
      }
      std::ofstream(files[i + 1]) << text;
    } catch (const quartz::Error& error) {
      std::cerr << error.what() << "\n";
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}
