#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/leb128.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz {
namespace {

/// The first bytes of a file, with its version.
constexpr std::string_view kMagic = "QUARTZC\x01";

/// The kinds of parts, by the bytes with which they begin.
enum class PartKind : std::uint8_t { end, compared, replacements, barriers, rewrites };

void append_text(std::string& bytes, std::string_view text) {
  append_leb128(bytes, text.size());
  bytes += text;
}

void append_compressed(std::string& bytes, std::string_view text) {
  append_text(bytes, compressed(text));
}

void append_kind(std::string& bytes, PartKind kind) { bytes.push_back(static_cast<char>(kind)); }

void append_part(std::string& bytes, const ComparedPart& part) {
  append_kind(bytes, PartKind::compared);
  append_compressed(bytes, write_qasm(part.circuit));
}

void append_part(std::string& bytes, const ReplacementPart& part) {
  append_kind(bytes, PartKind::replacements);
  append_leb128(bytes, part.replacements.size());
  Circuit inserted = part.declarations;
  for (const Replacement& each : part.replacements) {
    append_leb128(bytes, each.position);
    append_leb128(bytes, each.removed);
    append_leb128(bytes, each.inserted.size());
    append_text(bytes, each.base.to_string());
    inserted.operations.insert(inserted.operations.end(), each.inserted.begin(),
                               each.inserted.end());
  }
  append_compressed(bytes, write_qasm(inserted));
}

void append_part(std::string& bytes, const BarrierPart& part) {
  append_kind(bytes, PartKind::barriers);
  append_leb128(bytes, part.first);
}

void append_part(std::string& bytes, const RewritePart& part) {
  append_kind(bytes, PartKind::rewrites);
  append_compressed(bytes, part.circuit ? write_qasm(*part.circuit) : "");
  append_text(bytes, part.journal);
}

/// Reads the bytes of a compound journal. Throws InputError where they are not what is expected.
class PartReader {
 public:
  PartReader(std::string_view bytes, const std::string& name, const CustomGates& custom_gates)
      : bytes_(bytes), name_(name), custom_gates_(custom_gates) {}

  std::vector<JournalPart> parts() {
    if (!is_compound_journal(bytes_)) {
      throw InputError(name_ + ": not a compound journal of version 1");
    }
    place_ = kMagic.size();
    std::vector<JournalPart> parts;
    for (;;) {
      const std::size_t start = place_;
      switch (static_cast<PartKind>(byte())) {
        case PartKind::end:
          if (place_ != bytes_.size()) fail(place_, "bytes behind the end", "the end of the file");
          return parts;
        case PartKind::compared:
          parts.emplace_back(ComparedPart{circuit(decompressed_text())});
          break;
        case PartKind::replacements:
          parts.emplace_back(replacements());
          break;
        case PartKind::barriers:
          parts.emplace_back(BarrierPart{static_cast<Qubit>(number_up_to(kMaxQubit, "as qubit"))});
          break;
        case PartKind::rewrites:
          parts.emplace_back(rewrites());
          break;
        default:
          fail(start, fmt::format("a part of kind {}", static_cast<unsigned char>(bytes_[start])),
               "a kind from 0 to 4");
      }
    }
  }

 private:
  static constexpr std::uint64_t kMaxQubit = ~Qubit{0};
  /// Largest program in a part, in bytes.
  static constexpr std::size_t kMaxProgram = std::size_t{1} << 31U;

  [[noreturn]] void fail(std::size_t place, std::string_view found,
                         std::string_view expected) const {
    throw InputError(fmt::format("{}: byte {}: {}, expected {}", name_, place, found, expected));
  }

  std::uint8_t byte() {
    if (place_ == bytes_.size()) fail(place_, "the file ends", "more parts: it is incomplete");
    return static_cast<std::uint8_t>(bytes_[place_++]);
  }

  std::uint64_t number() {
    const std::size_t start = place_;
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const std::uint8_t part = byte();
      result |= std::uint64_t{part & 0x7fU} << shift;
      if ((part & 0x80U) == 0) return result;
    }
    fail(start, "a number of more than 9 bytes", "at most 9");
  }

  std::uint64_t number_up_to(std::uint64_t most, std::string_view what) {
    const std::size_t start = place_;
    const std::uint64_t result = number();
    if (result > most) {
      fail(start, fmt::format("{} {}", result, what), fmt::format("at most {}", most));
    }
    return result;
  }

  std::string_view text() {
    const std::uint64_t size = number_up_to(bytes_.size() - place_, "bytes of a text");
    if (size > bytes_.size() - place_) fail(place_, "the file ends", "the rest of a text");
    const std::string_view result = bytes_.substr(place_, size);
    place_ += size;
    return result;
  }

  std::string decompressed_text() { return decompressed(text(), name_, kMaxProgram); }

  [[nodiscard]] Circuit circuit(const std::string& program) const {
    return parse_qasm(program, name_ + ": a circuit", IncludePath{}, {}, custom_gates_);
  }

  ReplacementPart replacements() {
    ReplacementPart part;
    // Each takes four bytes at least.
    const std::uint64_t count = number_up_to((bytes_.size() - place_) / 4, "replacements");
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t i = 0; i < count; ++i) {
      Replacement& each = part.replacements.emplace_back();
      each.position = number();
      each.removed = number();
      sizes.push_back(number());
      each.base = parse_angle(text());
    }
    const std::size_t start = place_;
    Circuit inserted = circuit(decompressed_text());
    std::vector<Operation>& operations = inserted.operations;
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (sizes[i] > operations.size() - next) {
        fail(start, "a program with too few operations", "those of all replacements");
      }
      const auto first = operations.begin() + static_cast<std::ptrdiff_t>(next);
      part.replacements[i].inserted.assign(first, first + static_cast<std::ptrdiff_t>(sizes[i]));
      next += sizes[i];
    }
    if (next != operations.size()) {
      fail(start, "a program with too many operations", "those of all replacements");
    }
    part.declarations = without_operations(inserted);
    return part;
  }

  RewritePart rewrites() {
    RewritePart part;
    const std::string program = decompressed_text();
    if (!program.empty()) part.circuit = circuit(program);
    part.journal = std::string(text());
    return part;
  }

  std::string_view bytes_;
  const std::string& name_;
  const CustomGates& custom_gates_;
  std::size_t place_ = 0;
};

}  // namespace

std::string compound_journal(const std::vector<JournalPart>& parts) {
  std::string bytes(kMagic);
  for (const JournalPart& part : parts) {
    std::visit([&](const auto& each) { append_part(bytes, each); }, part);
  }
  append_kind(bytes, PartKind::end);
  return bytes;
}

bool is_compound_journal(std::string_view bytes) { return bytes.starts_with(kMagic); }

std::vector<JournalPart> parts_of_journal(std::string_view bytes, const std::string& name,
                                          const CustomGates& custom_gates) {
  return PartReader(bytes, name, custom_gates).parts();
}

void append_journal(std::vector<JournalPart>& parts, std::string journal,
                    std::optional<Circuit> circuit, const CustomGates& custom_gates) {
  if (!is_compound_journal(journal)) {
    parts.emplace_back(RewritePart{std::move(journal), std::move(circuit)});
    return;
  }
  std::vector<JournalPart> appended = parts_of_journal(journal, "a journal", custom_gates);
  if (!appended.empty()) {
    auto* const last = std::get_if<RewritePart>(&appended.back());
    if (last != nullptr) last->circuit = std::move(circuit);
  }
  std::ranges::move(appended, std::back_inserter(parts));
}

std::string joined_journal(std::string first, const Circuit& result_of_first, std::string second,
                           const CustomGates& custom_gates) {
  std::vector<JournalPart> parts;
  append_journal(parts, std::move(first), result_of_first, custom_gates);
  append_journal(parts, std::move(second), std::nullopt, custom_gates);
  return compound_journal(parts);
}

}  // namespace quartz
