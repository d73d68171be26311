#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "input_error.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/target/coupling_file.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

std::string text_with(const std::string& pairs) {
  return R"({"format": "quartz-coupling", "version": 1, "pairs": )" + pairs + "}";
}

}  // namespace

TEST_CASE("A coupling map is read from its pairs") {
  const CouplingMap map = parse_coupling(text_with("[[0, 1], [2, 1]]"), "m.json");
  CHECK(map.size() == 2);
  CHECK(map.contains(1, 2));
  CHECK_FALSE(map.contains(0, 2));
  CHECK(parse_coupling(text_with("[]"), "m.json").size() == 0);
}

TEST_CASE("Errors in a coupling map are reported with their location") {
  struct Case {
    std::string text;
    std::string message;
  };
  const std::vector<Case> cases = {
      {text_with("[[0, 1], [2, 2]]"), "m.json: pairs[1]: qubit 2 is coupled with itself"},
      {text_with("[[0, 1, 2]]"), "m.json: pairs[0]: expected two qubits, found 3 elements"},
      {text_with("[[0, -1]]"), "m.json: pairs[0][1]: expected a whole number, found -1"},
      {text_with("[[0, 4294967296]]"),
       "m.json: pairs[0][1]: the qubit number 4294967296 is too large"},
      {text_with("{}"), "m.json: pairs: expected an array, found an object"},
      {R"({"format": "quartz-coupling", "version": 1})", "m.json: the key 'pairs' is missing"},
      {R"({"format": "quartz-coupling", "version": 2, "pairs": []})",
       "m.json: version: expected version 1, found version 2"},
  };
  for (const Case& wrong : cases) {
    INFO(wrong.text);
    CHECK(without_place(input_error_of([&] { (void)parse_coupling(wrong.text, "m.json"); })) ==
          without_place(wrong.message));
  }
}

TEST_CASE("Text behind a zero byte, at which the JSON library ends, is refused") {
  const std::string text = text_with("[]") + "\n" + std::string("\0x", 2);
  CHECK(input_error_of([&] { (void)parse_coupling(text, "m.json"); }) ==
        "m.json:2:1: invalid JSON: found a zero byte");
}

TEST_CASE("Pairs of a coupling file are directed if the file says so") {
  const auto map_of = [](const std::string& directed) {
    return parse_coupling(R"({"format": "quartz-coupling", "version": 1, )" + directed +
                              R"("pairs": [[0, 1], [2, 1]]})",
                          "m.json");
  };
  for (const char* undirected : {"", "\"directed\": false, "}) {
    CHECK_FALSE(map_of(undirected).directed());
    CHECK(map_of(undirected).allows(1, 2));
  }
  const CouplingMap map = map_of("\"directed\": true, ");
  CHECK(map.directed());
  CHECK(map.allows(2, 1));
  CHECK_FALSE(map.allows(1, 2));
  CHECK(map.contains(1, 2));
  CHECK_THROWS_AS(map_of("\"directed\": 1, "), InputError);
}
