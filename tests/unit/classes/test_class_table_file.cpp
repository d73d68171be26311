#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "classes/table/class_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::classes;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::shared_ptr<const ClassTable> built_table(const char* set, unsigned cost, unsigned weight = 1,
                                              bool symbolic = false) {
  ClassTableOptions options;
  options.cost = cost;
  options.two_qubit_weight = weight;
  options.symbolic = symbolic;
  options.threads = 2;
  return build_class_table(load_gate_set(set), options);
}

/// Returns the message of the error on opening, or "no error".
std::string error_of(const std::filesystem::path& path, const GateSet& set) {
  try {
    (void)open_class_table(path, set, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The file of a small table, to be damaged.
struct SmallFile {
  TemporaryFolder folder;
  GateSet set = load_gate_set("nam");
  std::filesystem::path path = folder / "table";
  std::string content;

  SmallFile() {
    write_class_table(*built_table("nam", 1), path);
    content = read_text_file(path);
  }
  [[nodiscard]] std::string error_with(const std::string& spoilt) const {
    write_text_file(path, spoilt);
    return error_of(path, set);
  }
};

}  // namespace

TEST_CASE("a mapped class table is the one that was written", "[class_table]") {
  const TemporaryFolder folder;
  struct Case {
    const char* set;
    unsigned cost;
    unsigned weight;
    bool symbolic;
  };
  for (const Case& c : {Case{"nam", 3, 1, false}, Case{"nam", 2, 1, true}, Case{"nam", 4, 3, false},
                        Case{"ibm", 3, 1, false}, Case{"rigetti", 2, 1, false}}) {
    INFO("gate set " << c.set << ", cost " << c.cost);
    const GateSet set = load_gate_set(c.set);
    const auto built = built_table(c.set, c.cost, c.weight, c.symbolic);
    write_class_table(*built, folder / "table");
    const auto mapped = open_class_table(folder / "table", set, 2);
    const ClassTableSummary before = summary_of(*built);
    const ClassTableSummary after = summary_of(*mapped);
    CHECK(after.gate_set == set.name);
    CHECK(after.qubits == 3);
    CHECK(after.cost == c.cost);
    CHECK(after.two_qubit_weight == c.weight);
    CHECK(after.symbolic == c.symbolic);
    CHECK(after.letters == before.letters);
    CHECK(after.classes == before.classes);
    CHECK(after.bytes == before.bytes);
    CHECK(mapped->contents().digest == built->contents().digest);
    CHECK(mapped->alphabet().letters == built->alphabet().letters);
    CHECK(mapped->alphabet().weights == built->alphabet().weights);
    CHECK(reinterpret_cast<std::uintptr_t>(mapped->contents().words.data()) % 4096 == 0);
    CHECK(std::ranges::equal(mapped->contents().words, built->contents().words));
  }
}

TEST_CASE("a mapped class table gives the same answers as the built one", "[class_table]") {
  const TemporaryFolder folder;
  const auto built = built_table("nam", 3);
  write_class_table(*built, folder / "table");
  const auto mapped = open_class_table(folder / "table", load_gate_set("nam"), 1);
  // Look up all circuits of two letters, and each of them with two more letters, found or not.
  const TableAlphabet& alphabet = built->alphabet();
  unsigned found = 0;
  unsigned asked = 0;
  const auto compare = [&](const FieldState& state, int root) {
    const ClassEntry expected = built->find(built->probe().key(state, root));
    const ClassEntry entry = mapped->find(mapped->probe().key(state, root));
    found += expected.cost != ClassEntry::kUnknown ? 1 : 0;
    ++asked;
    return entry.cost == expected.cost && entry.last_letters == expected.last_letters;
  };
  unsigned different = 0;
  for (std::size_t i = 0; i < alphabet.operators.size(); ++i) {
    for (std::size_t k = 0; k < alphabet.operators.size(); ++k) {
      FieldState state = built->probe().start();
      int root = 0;
      for (const std::size_t letter : {i, k, (i + k) % alphabet.operators.size(), i}) {
        alphabet.operators[letter].apply(state);
        root += alphabet.operators[letter].scalar().root;
        different += compare(state, root) ? 0 : 1;
      }
    }
  }
  CHECK(different == 0);
  CHECK(found > 1000);
  CHECK(found < asked);
}

TEST_CASE("a class table file with any byte changed is refused", "[class_table]") {
  const SmallFile file;
  REQUIRE(file.error_with(file.content) == "no error");
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < file.content.size(); ++i) {
    // The header's padding is uniform, so every 16th byte of it suffices.
    if (i > 700 && i < 4090 && i % 16 != 0) continue;
    std::string spoilt = file.content;
    spoilt[i] = static_cast<char>(spoilt[i] ^ 0x20);
    const std::string error = file.error_with(spoilt);
    if (error.find(file.path.string() + ": ") != 0) {
      ++accepted;
      CAPTURE(i, error);
      CHECK(accepted == 0);
    }
  }
  CHECK(accepted == 0);
}

TEST_CASE("a class table file cut short or too long is refused", "[class_table]") {
  const SmallFile file;
  for (std::size_t size = 0; size < file.content.size(); size += size < 4080 ? 61 : 1) {
    INFO(size << " bytes of " << file.content.size());
    CHECK_THAT(file.error_with(file.content.substr(0, size)), StartsWith(file.path.string()));
  }
  CHECK_THAT(file.error_with(""), Contains("not a class table"));
  CHECK_THAT(file.error_with(file.content.substr(0, 100)),
             Contains("truncated: found 100 bytes, expected a header of 4096"));
  const std::string sizes =
      "expected 4096 and " + std::to_string((file.content.size() - 4096) / 8) + " words of 8";
  CHECK_THAT(file.error_with(file.content.substr(0, file.content.size() - 64)), Contains(sizes));
  CHECK_THAT(file.error_with(file.content + std::string(64, '\0')), Contains(sizes));
}

TEST_CASE("messages say what is wrong with a class table file", "[class_table]") {
  const SmallFile file;
  CHECK_THAT(file.error_with("{\"format\": \"quartz-rules\"}"), Contains("not a class table"));
  std::string spoilt = file.content;
  std::reverse(spoilt.begin() + 8, spoilt.begin() + 12);
  CHECK_THAT(file.error_with(spoilt), Contains("with the other byte order"));
  spoilt = file.content;
  spoilt[12] = 7;
  CHECK_THAT(file.error_with(spoilt), Contains("a class table of version 7, expected version 1"));
  spoilt = file.content;
  spoilt[600] = 'x';
  CHECK_THAT(file.error_with(spoilt), Contains("damaged: the header"));
  spoilt = file.content;
  spoilt.back() = static_cast<char>(spoilt.back() + 1);
  CHECK_THAT(file.error_with(spoilt), Contains("damaged: the classes"));
  CHECK_THAT(error_of(file.folder / "none", file.set), Contains("none: cannot read"));
}

TEST_CASE("a class table of another gate set is refused", "[class_table]") {
  const SmallFile file;
  CHECK_THAT(error_of(file.path, load_gate_set("ibm")),
             Contains("of another gate set: found 'nam' (xxh128:") && Contains("expected 'ibm'"));
  GateSet changed = load_gate_set("nam");
  changed.digest = "xxh128:0";
  CHECK_THAT(error_of(file.path, changed), Contains("of another gate set"));
  // The same digest with other letters is what a change of the program would cause.
  changed = load_gate_set("nam");
  changed.entries.pop_back();
  CHECK_THAT(error_of(file.path, changed), Contains("of another release"));
}

TEST_CASE("a class table has the same bytes with any number of threads", "[class_table]") {
  const TemporaryFolder folder;
  std::vector<std::string> contents;
  for (const unsigned threads : {1U, 2U, 5U}) {
    ClassTableOptions options;
    options.cost = 4;
    options.threads = threads;
    write_class_table(*build_class_table(load_gate_set("nam"), options), folder / "table");
    contents.push_back(read_text_file(folder / "table"));
  }
  CHECK(contents[0] == contents[1]);
  CHECK(contents[0] == contents[2]);
}

TEST_CASE("a table that could not be written leaves no file", "[class_table]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(write_class_table(*built_table("nam", 1), folder / "no/such/file"), InputError);
  CHECK(folder.names().empty());
}

TEST_CASE("a table whose cost was limited by the memory has the digest of that cost",
          "[class_table]") {
  ClassTableOptions options;
  options.cost = 5;
  options.memory = 40 << 20;
  const GateSet set = load_gate_set("nam");
  const auto table = build_class_table(set, options);
  options.cost = summary_of(*table).cost;
  REQUIRE(options.cost < 5);
  CHECK(table->contents().digest == class_table_digest(set, options));
}
