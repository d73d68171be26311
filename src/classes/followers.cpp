#include "classes/followers.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "classes/backend/level_key.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::classes {
namespace {

/// The known properties of a class with few letters.
struct ShortClass {
  unsigned cost = 0;
  std::uint32_t least_last = ClassLink::kNoLetter;  ///< least last letter of a shortest circuit
  std::uint64_t followers = 0;
};

/// All classes of up to `cost` letters, and the letters that may follow their circuits.
class ShortClasses {
 public:
  ShortClasses(const fingerprint::FingerprintTables& tables, unsigned cost) : tables_(tables) {
    std::vector<std::vector<Goldilocks>> level = {tables.probe.state};
    std::vector<Goldilocks> identity = tables.probe.numerator;
    identity.insert(identity.end(), tables.probe.denominator.begin(),
                    tables.probe.denominator.end());
    identity_ = &classes_[key(tables.probe.state, identity.data())];
    std::vector<ShortClass*> here = {identity_};
    for (unsigned letters = 1; letters <= cost; ++letters) {
      std::vector<std::vector<Goldilocks>> next;
      std::vector<ShortClass*> opened;
      std::vector<ShortClass*> reached;  // one entry for each class of the level and each letter
      for (const std::vector<Goldilocks>& state : level) {
        for (std::uint32_t letter = 0; letter < tables.letters.size(); ++letter) {
          const auto [found, is_new] = classes_.try_emplace(extension_key(state, letter));
          ShortClass& known = found->second;  // map nodes never move
          reached.push_back(&known);
          if (is_new) {
            known = {letters, letter, 0};
            opened.push_back(&known);
            if (letters < cost) next.push_back(extended(state, letter));
          } else if (known.cost == letters) {
            known.least_last = std::min(known.least_last, letter);
          }
        }
      }
      for (std::size_t i = 0; i < reached.size(); ++i) {
        const auto letter = static_cast<std::uint32_t>(i % tables.letters.size());
        if (reached[i]->cost == letters && reached[i]->least_last == letter) {
          here[i / tables.letters.size()]->followers |= std::uint64_t{1} << letter;
        }
      }
      level = std::move(next);
      here = std::move(opened);
    }
  }

  /// Returns the class of the state extended by a letter.
  [[nodiscard]] const ShortClass& find(const std::vector<Goldilocks>& state,
                                       std::uint32_t letter) const {
    return classes_.at(extension_key(state, letter));
  }
  [[nodiscard]] const ShortClass& identity() const { return *identity_; }
  [[nodiscard]] std::vector<Goldilocks> extended(const std::vector<Goldilocks>& state,
                                                 std::uint32_t letter) const {
    std::vector<Goldilocks> result(state.size());
    fingerprint::apply(tables_.letters[letter], state, result);
    return result;
  }

 private:
  [[nodiscard]] std::uint64_t key(const std::vector<Goldilocks>& state,
                                  const Goldilocks* functionals) const {
    return level_key(extension_quotient<0>(state.data(), functionals, state.size())).tag;
  }
  [[nodiscard]] std::uint64_t extension_key(const std::vector<Goldilocks>& state,
                                            std::uint32_t letter) const {
    return key(state, tables_.functionals.data() + letter * 2 * state.size());
  }

  const fingerprint::FingerprintTables& tables_;
  std::unordered_map<std::uint64_t, ShortClass> classes_;  ///< by the key's tag
  ShortClass* identity_ = nullptr;
};

/// Writes the masks of a shortest circuit and of all shortest circuits that extend it.
class MaskWriter {
 public:
  MaskWriter(const fingerprint::FingerprintTables& tables, const ShortClasses& classes,
             FollowerMasks& followers)
      : letters_(static_cast<std::uint32_t>(tables.letters.size())),
        classes_(classes),
        followers_(followers) {}

  void write(const std::vector<Goldilocks>& state, std::uint32_t suffix, unsigned length,
             std::uint64_t followers) {
    followers_.masks[follower_index(suffix, followers_.window, letters_)] = followers;
    if (length == followers_.window) return;
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      const ShortClass& known = classes_.find(state, letter);
      if (known.cost != length + 1) continue;  // not part of a shortest circuit
      write(classes_.extended(state, letter), ClassLink::extended(0, suffix, letter).suffix,
            length + 1, known.followers);
    }
  }

 private:
  std::uint32_t letters_;
  const ShortClasses& classes_;
  FollowerMasks& followers_;
};

}  // namespace

FollowerMasks make_followers(const fingerprint::FingerprintTables& tables, unsigned window) {
  ensure(window <= ClassLink::kSuffix, "a link contains three letters");
  const std::uint64_t all = (std::uint64_t{1} << tables.letters.size()) - 1;
  if (window == 0) return {0, {all}};
  std::size_t suffixes = 1;
  for (unsigned i = 0; i < window; ++i) suffixes *= tables.letters.size() + 1;
  FollowerMasks followers{window, std::vector<std::uint64_t>(suffixes)};
  const ShortClasses classes(tables, window + 1);
  MaskWriter(tables, classes, followers)
      .write(tables.probe.state, ClassLink::kNoLetters, 0, classes.identity().followers);
  return followers;
}

}  // namespace quartz::classes
