#include "classes/table/class_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "quartz/base/files.hpp"
#include "target.hpp"

// An input is the first 512 bytes of the header of a class table (docs/formats/class_table.md),
// which are those that are not zero, and then the words. The first six bytes of the format's magic
// number decide what is put right before the file is opened, because random changes never make
// right checksums: each that is as it should be.

namespace quartz::fuzz::class_table {
namespace {

constexpr std::size_t kFields = 512;
constexpr std::size_t kHeaderBytes = 4096;
constexpr std::string_view kMagic{"QZCLASS\0", 8};

// Places of the fields in the header.
constexpr std::size_t kByteOrder = 8;
constexpr std::size_t kVersion = 12;
constexpr std::size_t kHeaderChecksum = 16;
constexpr std::size_t kWords = 24;
constexpr std::size_t kWordsChecksum = 32;
constexpr std::size_t kLettersChecksum = 40;
constexpr std::size_t kQubits = 48;
constexpr std::size_t kCost = 52;
constexpr std::size_t kTwoQubitWeight = 56;
constexpr std::size_t kSymbolic = 60;
constexpr std::size_t kClasses = 64;
constexpr std::size_t kDigest = 320;
constexpr std::size_t kMaxCosts = 32;

template <typename Number>
Number number_at(const std::string& bytes, std::size_t place) {
  Number number{};
  std::memcpy(&number, &bytes[place], sizeof number);
  return number;
}

template <typename Number>
void put(std::string& bytes, std::size_t place, Number number) {
  std::memcpy(&bytes[place], &number, sizeof number);
}

std::uint64_t checksum_of_text(std::string_view bytes) {
  return checksum_of(std::as_bytes(std::span(bytes)));
}

const GateSet& set() {
  static const GateSet gates = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "small", "gates":
[{"gate": "h"}, {"gate": "cx"}, {"gate": "rz"}],
"alphabet": {"parameters": 1, "expressions": ["p0"]}})",
      "small");
  return gates;
}

std::string table_file(const ClassTableOptions& options) {
  const std::string path = scratch_file("table");
  write_class_table(*build_class_table(set(), options), path);
  return read_text_file(path);
}

ClassTableOptions options_of(std::uint32_t qubits, std::uint32_t cost, std::uint32_t weight,
                             bool symbolic) {
  ClassTableOptions options;
  options.qubits = qubits;
  options.cost = cost;
  options.two_qubit_weight = weight;
  options.symbolic = symbolic;
  options.threads = 1;
  return options;
}

/// The checksum of the letters, by the number of qubits and whether there are symbolic letters.
std::uint64_t letters_checksum(std::uint32_t qubits, bool symbolic) {
  static std::map<std::pair<std::uint32_t, bool>, std::uint64_t> known;
  if (qubits < 1 || qubits > 2) qubits = 1;
  const auto [place, is_new] = known.try_emplace({qubits, symbolic});
  if (is_new) {
    place->second =
        number_at<std::uint64_t>(table_file(options_of(qubits, 1, 1, symbolic)), kLettersChecksum);
  }
  return place->second;
}

/// Writes the numbers of classes of each cost as the words have them. The position of the cost in a
/// word is the number of letters.
void put_classes(std::string& file, std::size_t letters) {
  std::array<std::uint64_t, kMaxCosts> classes{};
  for (std::size_t at = kHeaderBytes; at + 8 <= file.size(); at += 8) {
    const std::uint64_t cost = number_at<std::uint64_t>(file, at) >> letters & (kMaxCosts - 1);
    if (cost > 0) ++classes[cost - 1];
  }
  std::memcpy(&file[kClasses], classes.data(), sizeof classes);
}

/// Puts right what a file of random bytes would never have right, except for what the input says.
void put_right(std::string& file, std::string_view wishes) {
  const auto is_wanted = [&](std::size_t i) { return wishes[i] == kMagic[i]; };
  std::ranges::copy(kMagic, file.begin());
  if (is_wanted(0)) put(file, kByteOrder, std::uint32_t{0x01020304});
  if (is_wanted(1)) put(file, kVersion, std::uint32_t{class_table_version});
  if (is_wanted(2)) put(file, kWords, std::uint64_t{(file.size() - kHeaderBytes) / 8});
  const auto qubits = number_at<std::uint32_t>(file, kQubits);
  const bool symbolic = number_at<std::uint32_t>(file, kSymbolic) != 0;
  if (is_wanted(3)) {
    const std::string digest = class_table_digest(
        set(), options_of(qubits, number_at<std::uint32_t>(file, kCost),
                          number_at<std::uint32_t>(file, kTwoQubitWeight), symbolic));
    std::ranges::copy(digest, file.begin() + kDigest);
    put(file, kLettersChecksum, letters_checksum(qubits, symbolic));
  }
  if (is_wanted(4)) {
    const std::uint64_t piece = checksum_of_text(std::string_view(file).substr(kHeaderBytes));
    put(file, kWordsChecksum, checksum_of(std::as_bytes(std::span(&piece, 1))));
  }
  if (is_wanted(5)) {
    static std::map<std::pair<std::uint32_t, bool>, std::size_t> letters;
    const auto [place, is_new] = letters.try_emplace({qubits == 2 ? 2 : 1, symbolic});
    if (is_new) {
      place->second = classes::table_alphabet(set(), options_of(place->first.first, 1, 1, symbolic))
                          .letters.size();
    }
    put_classes(file, place->second);
  }
  put(file, kHeaderChecksum, std::uint64_t{0});
  put(file, kHeaderChecksum, checksum_of_text(std::string_view(file).substr(0, kHeaderBytes)));
}

void run_on(const std::string& file) {
  const std::string path = scratch_file("table");
  write_scratch_file(path, file);
  const auto table = read([&] { return open_class_table(path, set(), 1); }, path);
  if (!table) return;
  const ClassTable& opened = **table;
  const ClassTableSummary summary = summary_of(opened);
  require(summary.classes.size() == summary.cost + 1, "there is a number for each cost");
  // Look-ups end, and find what is in the table.
  constexpr int bits = 64;
  for (int bit = 0; bit < bits; ++bit) {
    for (const std::uint64_t key : {std::uint64_t{1} << bit, ~std::uint64_t{0} << bit}) {
      const classes::ClassEntry entry = opened.find(key);
      require(entry.cost <= summary.cost || entry.cost == classes::ClassEntry::kUnknown,
              "costs are within the bound of the table");
    }
  }
}

}  // namespace

void run(std::string_view input) {
  run_on(std::string(input));
  if (input.size() < kFields) return;
  std::string file(input.substr(0, kFields));
  file.resize(kHeaderBytes);
  file += input.substr(kFields);
  put_right(file, input.substr(0, kMagic.size()));
  run_on(file);
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds;
  for (const ClassTableOptions& options :
       {options_of(1, 2, 1, false), options_of(2, 1, 1, false), options_of(2, 1, 2, true)}) {
    std::string file = table_file(options);
    seeds.push_back(file.erase(kFields, kHeaderBytes - kFields));
  }
  return seeds;
}

}  // namespace quartz::fuzz::class_table
