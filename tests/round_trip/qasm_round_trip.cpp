// Usage: qasm_round_trip IN OUT ...: reads each IN and writes it to OUT in its own version. The
// last arguments may be --qasm 2 or --qasm 3.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"

int main(int count, char** words) {
  std::vector<std::string> files(words + 1, words + count);
  unsigned version = 0;
  if (files.size() >= 2 && files[files.size() - 2] == "--qasm") {
    version = files.back() == "3" ? 3 : 2;
    files.resize(files.size() - 2);
  }
  int failures = 0;
  for (std::size_t i = 0; i + 1 < files.size(); i += 2) {
    try {
      quartz::Circuit circuit = quartz::read_qasm_file(files[i]);
      if (version != 0) circuit.qasm_version = version;
      const std::string text = quartz::write_qasm(circuit);
      if (quartz::parse_qasm(text) != circuit || quartz::write_qasm(circuit) != text) {
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
