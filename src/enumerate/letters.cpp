#include "enumerate/letters.hpp"

#include <limits>
#include <map>
#include <string>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::enumerate {
namespace {

/// Assigns one bit to each parameter, in the order of first use.
class ParameterBits {
 public:
  std::uint16_t of(const Operation& operation) {
    unsigned mask = 0;
    for (const Angle& angle : operation.angles) {
      for (const std::string& symbol : angle.symbols()) mask |= bit(symbol);
    }
    return static_cast<std::uint16_t>(mask);
  }

 private:
  unsigned bit(const std::string& symbol) {
    const auto [found, is_new] = bits_.emplace(symbol, 1U << bits_.size());
    if (bits_.size() > 16) throw UsageError("an alphabet has at most 16 parameters");
    return found->second;
  }
  std::map<std::string, unsigned> bits_;
};

}  // namespace

void require_enumerable(unsigned qubits) {
  if (qubits < 1 || qubits > 10) {
    throw UsageError("circuits of 1 to 10 qubits can be enumerated, not of " +
                     std::to_string(qubits));
  }
}

Letters make_letters(std::vector<Operation> operations, unsigned qubits) {
  require_enumerable(qubits);
  if (operations.size() > std::numeric_limits<LetterIndex>::max()) {
    throw UsageError("an alphabet has at most 65535 letters, not " +
                     std::to_string(operations.size()));
  }
  Letters result{qubits, std::move(operations), {}};
  ParameterBits parameters;
  for (const Operation& operation : result.operations) {
    ensure(!operation.is_boundary(), "letters are plain gates");
    Letter& letter = result.letters.emplace_back();
    for (const Qubit qubit : operation.qubits) {
      ensure(qubit < qubits, "letters act on the qubits of the alphabet");
      letter.qubits |= std::uint32_t{1} << qubit;
    }
    letter.parameters = parameters.of(operation);
  }
  return result;
}

std::vector<Operation> spell(const Letters& letters, std::span<const LetterIndex> sequence) {
  std::vector<Operation> circuit;
  circuit.reserve(sequence.size());
  for (const LetterIndex letter : sequence) circuit.push_back(letters.operations[letter]);
  return circuit;
}

}  // namespace quartz::enumerate
