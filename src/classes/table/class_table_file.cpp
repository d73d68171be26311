#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "base/huge_page_array.hpp"
#include "classes/table/class_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/base/mapped_file.hpp"
#include "quartz/base/parallel_for.hpp"

// The format is one page of header followed by the words of the table as they are in memory, so
// that a mapped file can be used as a table. It is described in docs/formats/class_table.md.

namespace quartz {
namespace {

constexpr std::size_t kHeaderBytes = 4096;  // one page, so that the words begin at a page boundary
constexpr std::array<char, 8> kMagic{'Q', 'Z', 'C', 'L', 'A', 'S', 'S', '\0'};
/// A machine with the other byte order reads a different number.
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kCosts = 1U << ClassTable::kCostBits;
/// The words are checked in pieces of this many bytes, on several threads.
constexpr std::size_t kPieceBytes = 1U << 20U;

template <std::size_t Size>
using Text = std::array<char, Size>;

/// Integers in the machine's byte order, without gaps. The rest of the page is zero.
struct Header {
  Text<8> magic{};
  std::uint32_t byte_order = 0;
  std::uint32_t version = 0;
  std::uint64_t header_checksum = 0;  ///< checksum of the page with 0 in this field
  std::uint64_t words = 0;
  std::uint64_t words_checksum = 0;    ///< checksum of the pieces' checksums
  std::uint64_t letters_checksum = 0;  ///< checksum of the keys of the single letters
  std::uint32_t qubits = 0;
  std::uint32_t cost = 0;
  std::uint32_t two_qubit_weight = 0;
  std::uint32_t symbolic = 0;
  std::array<std::uint64_t, kCosts> classes{};  ///< number of classes with each cost
  Text<64> digest{};                            ///< class_table_digest
  Text<128> gate_set{};                         ///< name of the gate set, for messages
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= kHeaderBytes);
static_assert(std::has_unique_object_representations_v<Header>);

using HeaderPage = std::array<std::byte, kHeaderBytes>;

template <std::size_t Size>
Text<Size> to_text(std::string_view string) {
  Text<Size> text{};
  std::copy_n(string.begin(), std::min(string.size(), Size - 1), text.begin());
  return text;
}

template <std::size_t Size>
std::string to_string(const Text<Size>& text) {
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

HeaderPage page_of(const Header& header) {
  HeaderPage page{};
  std::memcpy(page.data(), &header, sizeof header);
  return page;
}

std::uint64_t header_checksum(Header header) {
  header.header_checksum = 0;
  return checksum_of(page_of(header));
}

/// Returns a checksum that detects changes of the letters, of their order, or of the computation of
/// keys for which the version number was not increased.
std::uint64_t letters_checksum(const classes::TableAlphabet& alphabet) {
  const classes::TableProbe probe(classes::kTableSeed);
  std::vector<std::uint64_t> keys{probe.key(probe.start(), 0)};
  for (const classes::LetterOperator& letter : alphabet.operators) {
    classes::FieldState state = probe.start();
    letter.apply(state);
    keys.push_back(probe.key(state, letter.scalar().root));
  }
  return checksum_of(std::as_bytes(std::span(keys)));
}

/// A summary of the words of a table.
struct WordsReport {
  std::uint64_t checksum = 0;
  /// Number of words by their cost field: 0 for empty words, otherwise the cost + 1.
  std::array<std::uint64_t, kCosts> words{};
  std::uint64_t zero_words = 0;  ///< number of words that are 0, which are the empty ones
  std::uint64_t open_lines = 0;  ///< number of lines that are not full
};

WordsReport examine(std::span<const std::uint64_t> words, std::size_t letters, unsigned threads) {
  const std::span<const std::byte> bytes = std::as_bytes(words);
  const std::size_t pieces = (bytes.size() + kPieceBytes - 1) / kPieceBytes;
  std::vector<std::uint64_t> checksums(pieces);
  // Adjacent words are counted separately: most have the same cost, and increments of one counter
  // would have to wait for each other.
  constexpr std::size_t kLanes = 4;
  std::vector<std::array<WordsReport, kLanes>> parts(threads);
  parallel_for(threads, pieces, 1, [&](unsigned worker, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = i * kPieceBytes;
      const std::size_t size = std::min(kPieceBytes, bytes.size() - first);
      checksums[i] = checksum_of(bytes.subspan(first, size));
      const std::span<const std::uint64_t> piece = words.subspan(first / 8, size / 8);
      for (std::size_t k = 0; k < piece.size(); ++k) {
        ++parts[worker][k % kLanes].words[piece[k] >> letters & (kCosts - 1)];
      }
      WordsReport& part = parts[worker][0];
      part.zero_words += static_cast<std::uint64_t>(std::ranges::count(piece, std::uint64_t{0}));
      for (std::size_t k = ClassTable::kLine - 1; k < piece.size(); k += ClassTable::kLine) {
        if (piece[k] == 0) ++part.open_lines;
      }
    }
  });
  WordsReport report;
  report.checksum = checksum_of(std::as_bytes(std::span(checksums)));
  for (const auto& part : parts) {
    for (const WordsReport& lane : part) {
      for (std::size_t i = 0; i < kCosts; ++i) report.words[i] += lane.words[i];
      report.zero_words += lane.zero_words;
      report.open_lines += lane.open_lines;
    }
  }
  return report;
}

/// Larger tables stay mapped, so that all processes share them. A table of 350 MB, of cost 7, is
/// copied, because annealing takes 11% less time with the copy.
constexpr std::size_t kMaxCopiedBytes = std::size_t{512} << 20U;
/// Fraction of a limit on the private memory of the process, to which mapped files do not count,
/// that a copy may take.
constexpr std::size_t kCopiesInLimit = 4;

/// Returns whether the words of a table of some bytes should be copied.
bool is_copied(std::size_t bytes) {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return bytes <= kMaxCopiedBytes && (!is_limited || bytes <= limit.rlim_cur / kCopiesInLimit);
}

/// Checks a file; each check relies on those before it.
class Reader {
 public:
  Reader(const std::filesystem::path& path, const GateSet& set, unsigned threads)
      : path_(path), set_(set), threads_(thread_count(threads)) {}

  [[nodiscard]] ClassTable::Contents read() {
    const auto file = std::make_shared<MappedFile>(path_);
    check_header(file->bytes());
    ClassTable::Contents contents;
    contents.qubits = header_.qubits;
    contents.cost = header_.cost;
    contents.two_qubit_weight = header_.two_qubit_weight;
    contents.symbolic = header_.symbolic != 0;
    contents.gate_set = set_.name;
    contents.classes.assign(header_.classes.begin(), header_.classes.begin() + header_.cost + 1);
    check_gate_set(contents);
    contents.words = {reinterpret_cast<const std::uint64_t*>(file->bytes().data() + kHeaderBytes),
                      header_.words};
    contents.owner = file;
    check_words(contents);
    if (is_copied(file->bytes().size())) copy_to_huge_pages(contents);
    return contents;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError({path_.string()}, message);
  }
  /// Replaces the mapped words by a copy. A search looks up random words, and with the 4 KiB pages
  /// of a mapped file nearly every look-up also misses the address translation cache.
  static void copy_to_huge_pages(ClassTable::Contents& contents) {
    const auto copy = std::make_shared<HugePageArray<std::uint64_t>>(contents.words.size());
    std::ranges::copy(contents.words, copy->data());
    contents.words = copy->elements();
    contents.owner = copy;
  }
  void check_header(std::span<const std::byte> bytes);
  [[nodiscard]] bool has_possible_options() const;
  void check_gate_set(ClassTable::Contents& contents) const;
  void check_words(const ClassTable::Contents& contents) const;

  const std::filesystem::path& path_;
  const GateSet& set_;
  const unsigned threads_;
  Header header_;
};

/// Returns whether a table can have been built with the options in the header, which has no classes
/// that cost more than its bound.
bool Reader::has_possible_options() const {
  if (header_.qubits < 1 || header_.qubits > classes::kTableQubits) return false;
  if (header_.cost > kCosts - 2 || header_.two_qubit_weight < 1 || header_.symbolic > 1) {
    return false;
  }
  return std::all_of(header_.classes.begin() + header_.cost + 1, header_.classes.end(),
                     [](std::uint64_t classes) { return classes == 0; });
}

void Reader::check_header(std::span<const std::byte> bytes) {
  if (bytes.size() < kMagic.size() ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    fail("not a class table: it does not begin with the bytes of one");
  }
  if (bytes.size() < kHeaderBytes) {
    fail("truncated: found " + std::to_string(bytes.size()) + " bytes, expected a header of " +
         std::to_string(kHeaderBytes));
  }
  std::memcpy(&header_, bytes.data(), sizeof header_);
  if (header_.byte_order == __builtin_bswap32(kByteOrder)) {
    fail("a class table from a machine with the other byte order");
  }
  if (header_.version != class_table_version) {
    fail("a class table of version " + std::to_string(header_.version) + ", expected version " +
         std::to_string(class_table_version));
  }
  HeaderPage page{};
  std::copy_n(bytes.begin(), kHeaderBytes, page.begin());
  if (header_checksum(header_) != header_.header_checksum || page != page_of(header_)) {
    fail("damaged: the header does not match its checksum");
  }
  const std::size_t words = (bytes.size() - kHeaderBytes) / 8;
  if (words != header_.words || bytes.size() % 8 != 0) {
    fail("truncated or too long: found " + std::to_string(bytes.size()) + " bytes, expected " +
         std::to_string(kHeaderBytes) + " and " + std::to_string(header_.words) + " words of 8");
  }
  if (header_.words == 0 || header_.words % ClassTable::kLine != 0 || !has_possible_options()) {
    fail("damaged: the sizes in the header are impossible for a class table");
  }
}

void Reader::check_gate_set(ClassTable::Contents& contents) const {
  ClassTableOptions options;
  options.qubits = contents.qubits;
  options.cost = contents.cost;
  options.two_qubit_weight = contents.two_qubit_weight;
  options.symbolic = contents.symbolic;
  contents.digest = class_table_digest(set_, options);
  if (contents.digest != to_string(header_.digest)) {
    fail("a class table of another gate set: found '" + to_string(header_.gate_set) + "' (" +
         to_string(header_.digest) + "), expected '" + set_.name + "' (" + contents.digest + ")");
  }
  contents.alphabet = classes::table_alphabet(set_, options);
  if (letters_checksum(contents.alphabet) != header_.letters_checksum) {
    fail("a class table of another release: its letters or their keys differ from this release's");
  }
}

void Reader::check_words(const ClassTable::Contents& contents) const {
  const WordsReport report = examine(contents.words, contents.alphabet.letters.size(), threads_);
  if (report.checksum != header_.words_checksum) {
    fail("damaged: the classes do not match the checksum in the header");
  }
  // A look-up ends at a line that is not full, so there must be one. The numbers of classes are
  // checked too, because a file that was built wrongly has a correct checksum.
  const bool right =
      report.open_lines != 0 && report.words[0] == report.zero_words &&
      std::equal(report.words.begin() + 1, report.words.end(), header_.classes.begin());
  if (!right) fail("damaged: the numbers of classes differ from those in the header");
}

}  // namespace

void write_class_table(const ClassTable& table, const std::filesystem::path& path) {
  const ClassTable::Contents& contents = table.contents();
  const std::span<const std::uint64_t> words = contents.words;
  Header header;
  header.magic = kMagic;
  header.byte_order = kByteOrder;
  header.version = class_table_version;
  header.words = words.size();
  header.words_checksum =
      examine(words, contents.alphabet.letters.size(), thread_count(0)).checksum;
  header.letters_checksum = letters_checksum(contents.alphabet);
  header.qubits = contents.qubits;
  header.cost = contents.cost;
  header.two_qubit_weight = contents.two_qubit_weight;
  header.symbolic = contents.symbolic ? 1 : 0;
  std::copy(contents.classes.begin(), contents.classes.end(), header.classes.begin());
  header.digest = to_text<64>(contents.digest);
  header.gate_set = to_text<128>(contents.gate_set);
  header.header_checksum = header_checksum(header);
  const HeaderPage page = page_of(header);
  const std::array<std::span<const std::byte>, 2> parts{page, std::as_bytes(words)};
  write_file(path, parts);
}

std::shared_ptr<const ClassTable> open_class_table(const std::filesystem::path& path,
                                                   const GateSet& set, unsigned threads) {
  return std::make_shared<const ClassTable>(Reader(path, set, threads).read(), classes::kTableSeed);
}

}  // namespace quartz
