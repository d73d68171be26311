#include "qasm/text/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <utility>

#include "qasm/text/arithmetic.hpp"

namespace quartz::qasm {
namespace {

struct Word {
  std::string_view text;
  Keyword keyword;
  unsigned since;  ///< the first language version that has the keyword
};

constexpr std::array kWords{
    Word{"OPENQASM", Keyword::version, 2},
    Word{"include", Keyword::include, 2},
    Word{"qreg", Keyword::qubit_register, 2},
    Word{"creg", Keyword::bit_register, 2},
    Word{"gate", Keyword::gate, 2},
    Word{"opaque", Keyword::opaque, 2},
    Word{"measure", Keyword::measure, 2},
    Word{"reset", Keyword::reset, 2},
    Word{"barrier", Keyword::barrier, 2},
    Word{"if", Keyword::condition, 2},
    // PennyLane writes gphase in version 2 as well.
    Word{"gphase", Keyword::global_phase, 2},
    Word{"qubit", Keyword::qubit, 3},
    Word{"bit", Keyword::bit, 3},
    Word{"input", Keyword::input, 3},
    Word{"output", Keyword::output, 3},
    Word{"const", Keyword::constant, 3},
    Word{"let", Keyword::alias, 3},
    Word{"for", Keyword::loop, 3},
    Word{"delay", Keyword::delay, 3},
    Word{"nop", Keyword::no_operation, 3},
    Word{"ctrl", Keyword::modifier, 3},
    Word{"negctrl", Keyword::modifier, 3},
    Word{"inv", Keyword::modifier, 3},
    Word{"pow", Keyword::modifier, 3},
    Word{"while", Keyword::while_loop, 3},
    Word{"switch", Keyword::selection, 3},
    Word{"break", Keyword::jump, 3},
    Word{"continue", Keyword::jump, 3},
    Word{"return", Keyword::jump, 3},
    Word{"end", Keyword::jump, 3},
    Word{"box", Keyword::box, 3},
    Word{"pragma", Keyword::pragma, 3},
    Word{"int", Keyword::variable, 3},
    Word{"uint", Keyword::variable, 3},
    Word{"float", Keyword::variable, 3},
    Word{"angle", Keyword::variable, 3},
    Word{"bool", Keyword::variable, 3},
    Word{"array", Keyword::array, 3},
    Word{"def", Keyword::subroutine, 3},
    Word{"extern", Keyword::external, 3},
    Word{"duration", Keyword::duration, 3},
    Word{"stretch", Keyword::duration, 3},
};

/// A word of OpenQASM 3 that begins nothing that is supported.
struct UnsupportedWord {
  std::string_view text;
  std::string_view subject = {};  ///< what it is about
};

constexpr std::array kUnsupportedWords{
    UnsupportedWord{"cal", "pulses"},
    UnsupportedWord{"case"},
    UnsupportedWord{"complex", "complex numbers"},
    UnsupportedWord{"default"},
    UnsupportedWord{"defcal", "pulses"},
    UnsupportedWord{"defcalgrammar", "pulses"},
    UnsupportedWord{"durationof", "durations that are computed"},
    UnsupportedWord{"else"},
    UnsupportedWord{"false"},
    UnsupportedWord{"im", "complex numbers"},
    UnsupportedWord{"in"},
    UnsupportedWord{"mutable"},
    UnsupportedWord{"readonly"},
    UnsupportedWord{"sizeof"},
    UnsupportedWord{"true"},
    UnsupportedWord{"void"},
};

constexpr std::size_t letter_of(std::string_view word) {
  return static_cast<unsigned char>(word.front()) % 32;
}

/// The first letters of all these words of each length, as bits: most names of gates are ruled out
/// by them, and each word of a file is looked up.
constexpr auto kFirstLetters = [] {
  std::array<std::uint32_t, 16> letters{};
  for (const Word& word : kWords) letters.at(word.text.size()) |= 1U << letter_of(word.text);
  for (const UnsupportedWord& word : kUnsupportedWords) {
    letters.at(word.text.size()) |= 1U << letter_of(word.text);
  }
  return letters;
}();

}  // namespace

Keyword find_keyword(std::string_view word, unsigned language_version) {
  const bool is_possible = !word.empty() && word.size() < kFirstLetters.size() &&
                           (kFirstLetters.at(word.size()) >> letter_of(word) & 1U) != 0;
  if (!is_possible) return Keyword::none;
  for (const Word& known : kWords) {
    if (known.text == word && known.since <= language_version) return known.keyword;
  }
  const bool is_unsupported =
      language_version >= 3 &&
      std::any_of(kUnsupportedWords.begin(), kUnsupportedWords.end(),
                  [&](const UnsupportedWord& known) { return known.text == word; });
  return is_unsupported ? Keyword::unsupported : Keyword::none;
}

std::string_view subject_of(std::string_view unsupported_word) {
  for (const UnsupportedWord& known : kUnsupportedWords) {
    if (known.text == unsupported_word) return known.subject;
  }
  return {};
}

bool is_reserved(std::string_view word, unsigned language_version) {
  if (find_keyword(word, language_version) != Keyword::none) return true;
  if (word == "U" || word == "CX") return true;
  return language_version >= 3 && find_constant(word).has_value();
}

bool is_identifier(std::string_view word) {
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) != 0) return false;
  return std::all_of(word.begin(), word.end(), is_identifier_character);
}

bool is_identifier_character(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') ||
         (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

}  // namespace quartz::qasm
