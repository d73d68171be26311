#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "programs.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::test;

TEST_CASE("parse_qasm(write_qasm(circuit)) is the circuit, and writing is stable") {
  constexpr unsigned seed = 7;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  std::size_t operations = 0;
  for (int i = 0; i < 600; ++i) {
    const Circuit circuit = random_circuit(random, i % 2 == 0 ? 2 : 3);
    const std::string program = write_qasm(circuit);
    INFO("circuit " << i << ":\n" << program);
    const Circuit read = parse_qasm(program);
    REQUIRE(read == circuit);
    REQUIRE(write_qasm(read) == program);
    operations += circuit.operations.size();
  }
  CHECK(operations > 5000);
}
