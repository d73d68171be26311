#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/rules/rule_set.hpp"
#include "rules/rule_set_format.hpp"

namespace quartz {
namespace {

/// The reader's position in the document; each kind of array or object in the format is one place.
enum class Place { outside, document, gate_set, proofs, classes, equal_circuits, circuit, gate };

/// An entry of an object. Entries have a fixed order in the format, so a key is checked at once.
struct Entry {
  Place place;
  std::string_view key;
  /// Destination of the value: text, a number, or a nested array or object.
  std::variant<std::string*, unsigned*, std::uint64_t*, Place> target;
};

/// The digest of the bytes before the digest line, and the digest stated in that line. There are
/// none if the line is missing, as in a truncated file.
struct Digests {
  std::string found;
  std::string stated;
};

std::optional<Digests> digests_of(std::string_view text) {
  const std::size_t line = text.rfind(rules::rule_set_format::kDigestLineStart);
  if (line == std::string_view::npos) return std::nullopt;
  const std::size_t value = line + rules::rule_set_format::kDigestLineStart.size();
  const std::size_t end = text.find('"', value);
  if (end == std::string_view::npos) return std::nullopt;
  return Digests{digest_of(text.substr(0, line)), std::string(text.substr(value, end - value))};
}

/// Builds the rule set directly from the events of nlohmann_json's parser, without an intermediate
/// document, because large rule sets have a million circuits.
class RuleSetReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  RuleSetReader(std::string_view text, const std::string& name, const std::stop_token& stop,
                const CustomGates& custom_gates)
      : text_(text), name_(name), stop_(stop), custom_gates_(custom_gates) {}

  [[nodiscard]] RuleSet take() { return std::move(rules_); }

  bool null() override { return found("null"); }
  bool boolean(bool value) override { return found(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override { return found(fmt::format("{}", value)); }
  bool number_float(double, const std::string& written) override { return found(written); }
  bool binary(binary_t&) override { return found("binary data"); }

  bool number_unsigned(std::uint64_t value) override {
    if (place_ == Place::gate) return read_operand(value);
    if (reads_entry()) {
      if (auto* const* number = std::get_if<std::uint64_t*>(&entry().target)) {
        **number = value;
        return finish_entry();
      }
      if (auto* const* number = std::get_if<unsigned*>(&entry().target)) {
        if (value > std::numeric_limits<unsigned>::max()) {
          fail(fmt::format("found {}, which is out of range", value));
        }
        **number = static_cast<unsigned>(value);
        return finish_entry();
      }
    }
    return found(fmt::format("{}", value));
  }

  bool string(std::string& value) override {
    if (place_ == Place::circuit && !phase_read_) return read_phase(value);
    if (place_ == Place::gate && gate_ == nullptr) return read_gate_name(value);
    if (place_ == Place::gate) return read_gate_angle(value);
    if (reads_entry()) {
      if (auto* const* text = std::get_if<std::string*>(&entry().target)) {
        **text = std::move(value);
        return finish_entry();
      }
    }
    return found(fmt::format("\"{}\"", value));
  }

  bool key(std::string& value) override {
    if (next_ == entries_.size() || entry().place != place_ || entry().key != value) {
      fail(fmt::format("{}found key \"{}\", expected {}", next_ == 0 ? kNotARuleSet : "", value,
                       expected_key()));
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::outside) {
      place_ = Place::document;
      return true;
    }
    if (opens(Place::gate_set) || opens(Place::proofs)) return enter_entry();
    return found("an object");
  }

  bool end_object() override {
    if (next_ != entries_.size() && entry().place == place_) {
      fail(fmt::format("the object ends, expected key {}", expected_key()));
    }
    place_ = place_ == Place::document ? Place::outside : Place::document;
    return true;
  }

  bool start_array(std::size_t) override {
    if (stop_.stop_requested()) throw Stopped("stopped while reading " + name_);
    switch (place_) {
      case Place::classes:
        rules_.classes.emplace_back();
        place_ = Place::equal_circuits;
        return true;
      case Place::equal_circuits:
        rules_.classes.back().members.emplace_back();
        phase_read_ = false;
        place_ = Place::circuit;
        return true;
      case Place::circuit:
        if (!phase_read_) return found("an array");
        member().gates.emplace_back();
        gate_ = nullptr;
        place_ = Place::gate;
        return true;
      default:
        return opens(Place::classes) ? enter_entry() : found("an array");
    }
  }

  bool end_array() override {
    switch (place_) {
      case Place::gate:
        check_gate();
        place_ = Place::circuit;
        return true;
      case Place::circuit:
        check_circuit();
        place_ = Place::equal_circuits;
        return true;
      case Place::equal_circuits:
        if (rules_.classes.back().members.size() < 2) fail("a class needs at least two circuits");
        place_ = Place::classes;
        return true;
      default:
        place_ = Place::document;
        return true;
    }
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::string_view message = error.what();
    const std::size_t start = message.find(": ");  // "[id] parse error at line 1, column 2: ..."
    const std::string_view before = text_.substr(0, std::min(position, text_.size() + 1) - 1);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t column = before.size() - (before.rfind('\n') + 1);
    throw InputError({name_, line + 1, column + 1},
                     fmt::format("truncated, or not a rule set: {}", message.substr(start + 2)));
  }

 private:
  static constexpr std::string_view kNotARuleSet = "not a rule set: ";

  const Entry& entry() const { return entries_[next_]; }
  ClassMember& member() { return rules_.classes.back().members.back(); }
  Operation& operation() { return member().gates.back(); }

  bool reads_entry() const { return next_ != entries_.size() && entry().place == place_; }
  bool opens(Place place) const {
    const Place* inner = reads_entry() ? std::get_if<Place>(&entry().target) : nullptr;
    return inner != nullptr && *inner == place;
  }
  bool enter_entry() {
    place_ = std::get<Place>(entry().target);
    ++next_;
    return true;
  }
  bool finish_entry() {
    const std::string_view key = entry().key;
    const bool whole_file = entry().place == Place::document;
    ++next_;
    if (key == "format" && format_ != rules::rule_set_format::name) {
      fail_file(fmt::format("{}\"format\" is \"{}\", expected \"{}\"", kNotARuleSet, format_,
                            rules::rule_set_format::name));
    }
    if (key == "version") check_version();
    if (key == "parameters") list_parameters();
    if (whole_file && key == "digest") check_digest_line();
    return true;
  }

  void check_version() const {
    if (version_ != rule_set_version) {
      fail_file(fmt::format("a rule set of format version {}, expected version {}", version_,
                            rule_set_version));
    }
    const std::optional<Digests> digests = digests_of(text_);
    if (digests && digests->found != digests->stated) {
      fail_file(fmt::format("edited by hand or damaged: the digest is {}, the file states {}",
                            digests->found, digests->stated));
    }
  }

  /// Rejects a file whose entries are correct but whose lines are not the writer's, because its
  /// digest cannot be checked.
  void check_digest_line() const {
    const std::optional<Digests> digests = digests_of(text_);
    if (!digests || digests->stated != digest_)
      fail_file("edited by hand: no line with the digest");
  }

  void list_parameters() {
    constexpr unsigned kMost = 1000;
    if (rules_.parameters > kMost) fail_file(fmt::format("more than {} parameters", kMost));
    for (unsigned i = 0; i < rules_.parameters; ++i) symbols_.insert(fmt::format("p{}", i));
  }

  bool read_phase(const std::string& value) {
    member().phase = read_angle(value);
    phase_read_ = true;
    return true;
  }

  bool read_gate_name(const std::string& value) {
    gate_ = find_gate(value, custom_gates_);
    if (gate_ == nullptr) {
      fail(
          fmt::format("unknown gate \"{}\"; rules with a gate that is not built in need the gate "
                      "set that declares it (--gate-set)",
                      value));
    }
    if (gate_->name != value) fail(fmt::format("unknown gate \"{}\"", value));
    operation().gate = gate_->kind;
    return true;
  }

  bool read_gate_angle(const std::string& value) {
    if (!operation().qubits.empty()) fail("an angle after a qubit, expected angles first");
    operation().angles.push_back(read_angle(value));
    return true;
  }

  bool read_operand(std::uint64_t qubit) {
    if (gate_ == nullptr) return found(fmt::format("{}", qubit));
    auto& qubits = operation().qubits;
    if (qubit >= rules_.qubits) {
      fail(fmt::format("qubit {} of a rule set on {} qubits", qubit, rules_.qubits));
    }
    const auto index = static_cast<Qubit>(qubit);
    if (std::find(qubits.begin(), qubits.end(), index) != qubits.end()) {
      fail(fmt::format("qubit {} is used twice in one gate", qubit));
    }
    qubits.push_back(index);
    return true;
  }

  Angle read_angle(const std::string& value) {
    const auto known = angles_.find(value);
    if (known != angles_.end()) return known->second;
    const Angle angle = parse(value);
    for (const std::string& symbol : angle.symbols()) {
      if (!symbols_.contains(symbol)) {
        fail(fmt::format("angle \"{}\" has parameter '{}' in a rule set of {} parameters", value,
                         symbol, rules_.parameters));
      }
    }
    return angles_.emplace(value, angle).first->second;
  }

  Angle parse(const std::string& value) const {
    try {
      return parse_angle(value);
    } catch (const Error& error) {
      fail(fmt::format("bad angle \"{}\": {}", value, error.what()));
    }
  }

  void check_gate() {
    if (gate_ == nullptr) fail("a gate without a name");
    if (operation().angles.size() != gate_->parameters.size()) {
      fail(fmt::format("gate {} has {} angles, expected {}", gate_->name, operation().angles.size(),
                       gate_->parameters.size()));
    }
    if (operation().qubits.size() != gate_->qubits) {
      fail(fmt::format("gate {} has {} qubits, expected {}", gate_->name, operation().qubits.size(),
                       gate_->qubits));
    }
  }

  void check_circuit() {
    if (!phase_read_) fail("a circuit without a phase");
    if (member().gates.size() > rules_.gates) {
      fail(fmt::format("a circuit of {} gates in a rule set of up to {}", member().gates.size(),
                       rules_.gates));
    }
    if (rules_.classes.back().members.size() == 1 && !member().phase.is_zero()) {
      fail("the phase of a representative is not zero");
    }
  }

  std::string expected_key() const {
    return reads_entry() ? fmt::format("\"{}\"", entry().key) : "the end of the object";
  }

  std::string expected_value() const {
    switch (place_) {
      case Place::outside:
        return "an object";
      case Place::classes:
        return "an array of circuits";
      case Place::equal_circuits:
        return "a circuit, [phase, gate, ...]";
      case Place::circuit:
        return phase_read_ ? "a gate, [name, angle ..., qubit ...]" : "a phase";
      case Place::gate:
        return gate_ == nullptr ? "a gate's name" : "an angle or a qubit";
      default:
        break;
    }
    const auto& target = entry().target;
    if (std::holds_alternative<std::string*>(target)) return "text";
    if (const Place* inner = std::get_if<Place>(&target)) {
      return *inner == Place::classes ? "an array of classes" : "an object";
    }
    return "a non-negative integer";
  }

  /// Fails because of an unexpected value.
  bool found(const std::string& value) const {
    fail(fmt::format("{}found {}, expected {}", place_ == Place::outside ? kNotARuleSet : "", value,
                     expected_value()));
  }

  /// Returns the applicable part of "class 3, circuit 2, gate 1: ", numbered from 1.
  std::string circumstance() const {
    switch (place_) {
      case Place::outside:
      case Place::classes:
        return "";
      case Place::equal_circuits:
        return fmt::format("class {}: ", rules_.classes.size());
      case Place::circuit:
      case Place::gate: {
        const auto& members = rules_.classes.back().members;
        std::string text =
            fmt::format("class {}, circuit {}", rules_.classes.size(), members.size());
        if (place_ == Place::gate) text += fmt::format(", gate {}", members.back().gates.size());
        return text + ": ";
      }
      default:
        return next_ < 2 || !reads_entry() ? "" : fmt::format("\"{}\": ", entry().key);
    }
  }

  [[noreturn]] void fail(const std::string& message) const { fail_file(circumstance() + message); }
  [[noreturn]] void fail_file(const std::string& message) const {
    throw InputError({name_}, message);
  }

  std::string_view text_;
  const std::string& name_;
  const std::stop_token& stop_;
  const CustomGates& custom_gates_;
  RuleSet rules_;
  std::string format_;
  unsigned version_ = 0;
  std::string digest_;
  const std::vector<Entry> entries_{
      {Place::document, "format", &format_},
      {Place::document, "version", &version_},
      {Place::document, "gate_set", Place::gate_set},
      {Place::gate_set, "name", &rules_.gate_set},
      {Place::gate_set, "digest", &rules_.gate_set_digest},
      {Place::document, "gates", &rules_.gates},
      {Place::document, "qubits", &rules_.qubits},
      {Place::document, "parameters", &rules_.parameters},
      {Place::document, "seed", &rules_.seed},
      {Place::document, "proofs", Place::proofs},
      {Place::proofs, "method", &rules_.proofs.method},
      {Place::proofs, "tried", &rules_.proofs.tried},
      {Place::proofs, "proved", &rules_.proofs.proved},
      {Place::proofs, "unknown", &rules_.proofs.unknown},
      {Place::document, "classes", Place::classes},
      {Place::document, "digest", &digest_},
  };
  std::size_t next_ = 0;  ///< index of the next entry
  Place place_ = Place::outside;
  const Gate* gate_ = nullptr;  ///< gate being read, once its name is known
  bool phase_read_ = false;     ///< whether the phase of the current circuit has been read
  std::unordered_set<std::string> symbols_;
  std::unordered_map<std::string, Angle> angles_;
};

}  // namespace

RuleSet parse_rule_set(std::string_view text, const std::string& name, const std::stop_token& stop,
                       const CustomGates& custom_gates) {
  // The JSON library takes a zero byte for the end and would ignore what follows.
  if (text.find('\0') != std::string_view::npos) {
    throw InputError({name}, "damaged, or not a rule set: found a zero byte");
  }
  RuleSetReader reader(text, name, stop, custom_gates);
  static_cast<void>(nlohmann::json::sax_parse(text, &reader));  // errors are thrown
  return reader.take();
}

}  // namespace quartz
