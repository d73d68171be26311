#include "quartz/workflow/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <iterator>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz {
namespace {

/// A value of an option that has a name.
template <typename Value>
struct NamedValue {
  std::string_view name;
  Value value;
};

constexpr std::array kBarriers{NamedValue<Barriers>{"keep", Barriers::keep},
                               NamedValue<Barriers>{"ignore", Barriers::ignore}};
constexpr std::array kQubitOrders{NamedValue<QubitOrder>{"keep", QubitOrder::keep},
                                  NamedValue<QubitOrder>{"free", QubitOrder::free}};
constexpr std::array kCheckPolicies{NamedValue<CheckPolicy>{"normal", CheckPolicy::normal},
                                    NamedValue<CheckPolicy>{"required", CheckPolicy::required},
                                    NamedValue<CheckPolicy>{"off", CheckPolicy::off}};
constexpr std::array kBackends{NamedValue<SearchBackend>{"auto", SearchBackend::automatic},
                               NamedValue<SearchBackend>{"cpu", SearchBackend::cpu},
                               NamedValue<SearchBackend>{"cuda", SearchBackend::cuda}};
constexpr std::array kInitialStates{NamedValue<bool>{"any", false}, NamedValue<bool>{"zero", true}};
constexpr std::array kFinalStates{NamedValue<bool>{"kept", false},
                                  NamedValue<bool>{"discarded", true}};

// --- members of SuperoptimizeOptions as values of options
// -----------------------------------------

static_assert(kMaxThreads == 1024);

const std::string& text_of(const OptionValue& value) { return std::get<std::string>(value); }

void assign(bool& member, const OptionValue& value) { member = std::get<bool>(value); }
void assign(double& member, const OptionValue& value) { member = std::get<double>(value); }
void assign(std::optional<double>& member, const OptionValue& value) {
  member = std::get<double>(value);
}
template <std::unsigned_integral Number>
void assign(Number& member, const OptionValue& value) {
  member = static_cast<Number>(std::get<std::uint64_t>(value));
}
void assign(std::string& member, const OptionValue& value) { member = text_of(value); }
void assign(std::filesystem::path& member, const OptionValue& value) { member = text_of(value); }
void assign(Exactness& member, const OptionValue& value) {
  member = find_exactness(text_of(value));
}
void assign(CouplingChoice& member, const OptionValue& value) {
  if (text_of(value) == "auto") {
    member = CouplingOfCircuit{};
  } else {
    member = std::filesystem::path(text_of(value));
  }
}
void assign(RuleChoice& member, const OptionValue& value) {
  member = std::filesystem::path(text_of(value));
}
void assign(CacheOptions& member, const OptionValue& value) {
  const std::string& text = text_of(value);
  const bool is_folder = text != "on" && text != "off";
  member = {.enabled = text != "off", .folder = is_folder ? text : std::string()};
}

std::optional<OptionValue> value_of(bool member) { return member; }
std::optional<OptionValue> value_of(double member) { return member; }
std::optional<OptionValue> value_of(const std::optional<double>& member) {
  return member ? std::optional<OptionValue>(*member) : std::nullopt;
}
std::optional<OptionValue> value_of(std::unsigned_integral auto member) {
  return std::uint64_t{member};
}
std::optional<OptionValue> value_of(const std::string& member) { return member; }
std::optional<OptionValue> value_of(const std::filesystem::path& member) {
  return member.empty() ? std::nullopt : std::optional<OptionValue>(member.string());
}
std::optional<OptionValue> value_of(Exactness member) {
  return std::string(std::ranges::find(exactness_names(), member, &ExactnessName::exactness)->name);
}
std::optional<OptionValue> value_of(const CouplingChoice& member) {
  if (std::holds_alternative<CouplingOfCircuit>(member)) return std::string("auto");
  const auto* file = std::get_if<std::filesystem::path>(&member);
  return file != nullptr ? value_of(*file) : std::nullopt;
}
std::optional<OptionValue> value_of(const RuleChoice& member) {
  const auto* file = std::get_if<std::filesystem::path>(&member);
  return file != nullptr ? value_of(*file) : std::nullopt;
}
std::optional<OptionValue> value_of(const CacheOptions& member) {
  if (!member.enabled) return std::string("off");
  return member.folder.empty() ? std::string("on") : member.folder.string();
}

template <typename Member>
void reset(SuperoptimizeOptions& options) {
  const SuperoptimizeOptions defaults;
  Member()(options) = Member()(defaults);
}

/// Returns a row about a member of SuperoptimizeOptions, which `Member` returns.
template <typename Member>
Option with_member(Option row, Member /*member*/) {
  row.assign = [](SuperoptimizeOptions& options, const OptionValue& value) {
    assign(Member()(options), value);
  };
  row.reset = &reset<Member>;
  row.read = [](const SuperoptimizeOptions& options) { return value_of(Member()(options)); };
  return row;
}

/// Returns a row about a member whose values have names.
template <const auto& values, typename Member>
Option with_names(Option row, Member /*member*/) {
  row.type = OptionType::name;
  for (const auto& each : values) row.names.push_back(each.name);
  row.assign = [](SuperoptimizeOptions& options, const OptionValue& value) {
    std::string known;
    for (const auto& each : values) {
      if (each.name == text_of(value)) {
        Member()(options) = each.value;
        return;
      }
      known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    throw UsageError("\"" + text_of(value) + "\", expected one of " + known);
  };
  row.reset = &reset<Member>;
  row.read = [](const SuperoptimizeOptions& options) -> std::optional<OptionValue> {
    for (const auto& each : values) {
      if (each.value == Member()(options)) return std::string(each.name);
    }
    throw InternalError("a value of an option has no name");
  };
  return row;
}

// --- the list
// -------------------------------------------------------------------------------------

template <typename Rows>
std::string with_meanings(std::string text, const Rows& rows) {
  for (const auto& row : rows) text += fmt::format(" {} ({});", row.name, row.description);
  text.pop_back();
  return text;
}

Option exactness_row() {
  Option row{.name = "exactness",
             .type = OptionType::name,
             .help = with_meanings("angles that rewrites in floating-point arithmetic may write:",
                                   exactness_names()),
             .group = option_group::kSearch,
             .is_recorded = true};
  for (const ExactnessName& each : exactness_names()) row.names.push_back(each.name);
  return with_member(
      std::move(row), [](auto& o) -> auto& { return o.exactness; });
}

Option searches_row() {
  Option row = with_member(
      {.name = "search",
       .type = OptionType::searches,
       .help = with_meanings("search method, or several separated by commas, which run one after "
                             "the other for equal parts of the time:",
                             search_names()),
       .group = option_group::kSearch,
       .is_recorded = true},
      [](auto& o) -> auto& { return o.search; });
  row.assign = [](SuperoptimizeOptions& options, const OptionValue& value) {
    require_search(text_of(value));
    options.search = text_of(value);
  };
  return row;
}

std::vector<Option> method_rows() {
  using enum OptionType;
  return {
      with_member(
          {.name = "coupling",
           .type = coupling,
           .help = "pairs of qubits on which gates may act: a JSON file, or auto for the "
                   "pairs on which the input's gates act",
           .group = option_group::kTarget},
          [](auto& o) -> auto& { return o.coupling; }),
      searches_row(),
      exactness_row(),
      with_member(
          {.name = "epsilon",
           .type = number,
           .help = "largest permitted distance between the result and the input, as the "
                   "operator norm of their difference up to a global phase; it is spent "
                   "on deleting two-qubit gates, or on approximating rotations by angles "
                   "that the gate set lacks",
           .group = option_group::kSearch,
           .is_recorded = true},
          [](auto& o) -> auto& { return o.epsilon; }),
      with_member(
          {.name = "ancillas",
           .type = whole_number,
           .help = "largest number of qubits that may be added to save T gates: a "
                   "Hadamard gate is replaced by an ancilla, a measurement and gates that "
                   "depend on its outcome, and a Toffoli gate by the same with four T "
                   "gates; rotations by equal angles are merged by adders before they are "
                   "approximated; with a cost such as t-depth, ancillas let more T gates "
                   "be applied at the same time",
           .group = option_group::kSearch,
           .is_recorded = true,
           .greatest = 10000,
           .expected = "a number of qubits from 0 to 10000"},
          [](auto& o) -> auto& { return o.ancillas; }),
  };
}

std::vector<Option> limit_rows() {
  using enum OptionType;
  return {
      with_member(
          {.name = "time",
           .type = seconds,
           .help = "time limit for translation and search; with 0, the circuit is "
                   "translated and its rotations are folded, or with {search} simplify, "
                   "it is simplified",
           .group = option_group::kSearch,
           .short_name = 't',
           .is_recorded = true},
          [](auto& o) -> auto& { return o.seconds; }),
      with_member(
          {.name = "steps",
           .type = whole_number,
           .help = "number of steps after which the search ends, at least 1, instead of "
                   "{time}, which is then ignored; the result depends only on the "
                   "options, the seed and the number of threads. A step is one annealing "
                   "move on each thread; a circuit that backtracking examines counts as 8 "
                   "steps",
           .group = option_group::kSearch,
           .is_recorded = true,
           .least = 1,
           .expected = "a whole number, 1 or more"},
          [](auto& o) -> auto& { return o.steps; }),
      with_member(
          {.name = "threads",
           .type = whole_number,
           .help = "number of threads, 0 for all cores or OMP_NUM_THREADS",
           .group = option_group::kSearch,
           .greatest = kMaxThreads,
           .expected = "a number of threads from 0 to 1024, where 0 means all cores"},
          [](auto& o) -> auto& { return o.threads; }),
      with_member(
          {.name = "seed",
           .type = whole_number,
           .help = "seed of the search's random choices",
           .group = option_group::kSearch,
           .is_recorded = true,
           .expected = "a whole number of up to 64 bits, 0 or more"},
          [](auto& o) -> auto& { return o.seed; }),
      with_names<kBackends>(
          {.name = "backend",
           .help = "where the search for fewer products of Toffoli gates runs: auto uses "
                   "a CUDA device if there is one, unless {steps} limits the search; with "
                   "cuda, annealing runs there as well, except in the search auto",
           .group = option_group::kSearch,
           .is_recorded = true},
          [](auto& o) -> auto& { return o.backend; }),
  };
}

std::vector<Option> checkpoint_rows() {
  using enum OptionType;
  return {
      with_member(
          {.name = "checkpoint",
           .type = folder,
           .help = "folder in which the search keeps its best circuit, at most a second "
                   "old, in case the process is killed"},
          [](auto& o) -> auto& { return o.checkpoint.folder; }),
      with_member(
          {.name = "resume",
           .type = on_off,
           .help = "continue the search of the checkpoint, if there is one; the time that "
                   "it has already taken counts towards {time}"},
          [](auto& o) -> auto& { return o.checkpoint.resume; }),
  };
}

std::vector<Option> assumption_rows() {
  return {
      with_names<kInitialStates>(
          {.name = "initial_state",
           .help = "state of the qubits before the circuit: zero assumes that each of "
                   "them is in |0>; the search relies on this up to the first barrier on "
                   "a qubit, unless barriers are ignored",
           .group = option_group::kAssumptions,
           .is_recorded = true},
          [](auto& o) -> auto& { return o.assumptions.starts_zero; }),
      with_names<kFinalStates>(
          {.name = "final_state",
           .help = "what happens to the qubits after the circuit: discarded assumes that "
                   "they are not used, so that only the classical bits count; the search "
                   "relies on this from the last barrier on a qubit on, unless barriers "
                   "are ignored",
           .group = option_group::kAssumptions,
           .is_recorded = true},
          [](auto& o) -> auto& { return o.assumptions.ends_discarded; }),
      with_names<kQubitOrders>(
          {.name = "permutation",
           .help = "order of the qubits after the circuit: free lets qubits end in the "
                   "places of others, which makes SWAP gates unnecessary; a comment at "
                   "the top of the result, output permutation, states where each qubit "
                   "ends",
           .group = option_group::kAssumptions,
           .is_recorded = true},
          [](auto& o) -> auto& { return o.qubit_order; }),
      with_names<kBarriers>(
          {.name = "barriers",
           .help = "whether the barriers of the input are kept: no gate is moved across a "
                   "barrier that is kept, and what is known about the states of its "
                   "qubits is not used beyond it",
           .group = option_group::kAssumptions,
           .is_recorded = true},
          [](auto& o) -> auto& { return o.barriers; }),
  };
}

std::vector<Option> check_rows() {
  using enum OptionType;
  return {
      with_names<kCheckPolicies>(
          {.name = "check",
           .help =
               "whether the result is compared with the input; with required, it is an error if "
               "the check cannot decide"},
          [](auto& o) -> auto& { return o.check; }),
      with_member(
          {.name = "check_time",
           .type = seconds,
           .help = fmt::format("time limit for checking the result against the input after the "
                               "search; most of the result is already checked during the search "
                               "(default: {:g}s plus {:g}% of {{time}} plus {:g}s for each million "
                               "gates of the translated circuit; with {{steps}}, {:g} minutes)",
                               kBaseCheckSeconds, 100 * kCheckShare, 1e6 * kCheckSecondsOfGate,
                               kCheckSecondsWithSteps / 60),
           .group = option_group::kCheck},
          [](auto& o) -> auto& { return o.check_seconds; }),
      with_member(
          {.name = "check_memory",
           .type = bytes,
           .help = "memory limit for the check",
           .group = option_group::kCheck},
          [](auto& o) -> auto& { return o.check_memory_bytes; }),
  };
}

std::vector<Option> output_rows() {
  using enum OptionType;
  return {
      with_member(
          {.name = "qasm",
           .type = whole_number,
           .help = "version of OpenQASM that must be able to express the result, 2 or 3 "
                   "(default: that of the input)",
           .accepts_zero = true,
           .least = 2,
           .greatest = 3,
           .expected = "2 or 3"},
          [](auto& o) -> auto& { return o.qasm_version; }),
      with_member(
          {.name = "keep_gates",
           .type = on_off,
           .help = "keep the gates that the program defines: their bodies are optimized once for "
                   "all calls, and the result defines and calls them; calls with modifiers are "
                   "expanded",
           .is_recorded = true},
          [](auto& o) -> auto& { return o.keep_gates; }),
      with_member(
          {.name = "journal",
           .type = on_off,
           .help = "return the rewrites that lead from the input to the result, with "
                   "which quartz-check --journal can prove that they are equal"},
          [](auto& o) -> auto& { return o.record_journal; }),
      with_member(
          {.name = "explain",
           .type = on_off,
           .help = "record which rewrites led to the result, for its report (at most "
                   "doubles the memory of backtracking)",
           .in_c = false},
          [](auto& o) -> auto& { return o.record_gains; }),
      with_member(
          {.name = "emit_rules",
           .type = on_off,
           .help = "return every replacement made by annealing as a rule set",
           .in_c = false},
          [](auto& o) -> auto& { return o.record_rules; }),
      with_member(
          {.name = "circuit_name",
           .type = text,
           .help = "name of the circuit in messages",
           .in_python = false},
          [](auto& o) -> auto& { return o.circuit_name; }),
  };
}

std::vector<Option> rule_rows() {
  using enum OptionType;
  return {
      with_member(
          {.name = "rules",
           .type = rule_set,
           .help = "rule set written by quartz-gen; a set with a wrong rule is rejected "
                   "(default: the one that comes with the gate set; without one, a cached "
                   "one, which is generated if necessary)",
           .group = option_group::kRules},
          [](auto& o) -> auto& { return o.rules; }),
      with_member(
          {.name = "table",
           .type = class_table,
           .help = "class table written by quartz-gen table (default: a cached one, which "
                   "is built if necessary)",
           .group = option_group::kRules},
          [](auto& o) -> auto& { return o.class_table; }),
      with_member(
          {.name = "table_memory",
           .type = bytes,
           .help = "memory limit for building a class table; its depth is reduced to fit",
           .group = option_group::kRules,
           .is_recorded = true},
          [](auto& o) -> auto& { return o.table_memory; }),
      with_member(
          {.name = "cache",
           .type = cache,
           .help = "whether rules and class tables are kept between calls, or the folder "
                   "for them"},
          [](auto& o) -> auto& { return o.cache; }),
  };
}

std::vector<Option> all_rows() {
  std::vector<Option> all;
  for (std::vector<Option> rows : {method_rows(), limit_rows(), checkpoint_rows(),
                                   assumption_rows(), check_rows(), output_rows(), rule_rows()}) {
    std::ranges::move(rows, std::back_inserter(all));
  }
  return all;
}

/// Options that cannot be set together with another one.
struct Conflict {
  bool exists;
  std::string what;
  std::string_view reason;
};

void require_none(std::span<const Conflict> conflicts, const std::string& option) {
  for (const Conflict& conflict : conflicts) {
    if (!conflict.exists) continue;
    throw UsageError(
        fmt::format("{} cannot be combined with {}: {}", option, conflict.what, conflict.reason));
  }
}

/// Returns the number that is the whole text, or nothing.
template <typename Number>
std::optional<OptionValue> number_in(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [last, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || last != end) return std::nullopt;
  return number;
}

/// Returns the value that a text says, or nothing if it is no value of this option.
std::optional<OptionValue> value_in(const Option& option, const std::string& text) {
  switch (option.type) {
    case OptionType::seconds:
    case OptionType::number:
      return number_in<double>(text);
    case OptionType::whole_number:
      return number_in<std::uint64_t>(text);
    case OptionType::bytes:
      return is_whole(option) ? number_in<std::uint64_t>(text) : number_in<double>(text);
    case OptionType::on_off:
      if (text != "on" && text != "off") return std::nullopt;
      return text == "on";
    default:
      return text;
  }
}

}  // namespace

std::span<const Option> library_options() {
  static const std::vector<Option> rows = all_rows();
  return rows;
}

const Option& library_option(std::string_view name) {
  const auto found = std::ranges::find(library_options(), name, &Option::name);
  ensure(found != library_options().end(), "the option exists");
  return *found;
}

bool is_whole(const Option& option) {
  const std::optional<OptionValue> value = option.read(SuperoptimizeOptions());
  return option.type == OptionType::whole_number ||
         (value && std::holds_alternative<std::uint64_t>(*value));
}

std::string help_of(const Option& option,
                    const std::function<std::string(std::string_view)>& name_of,
                    std::string_view note) {
  std::string text;
  std::string_view rest = option.help;
  for (std::size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    const std::size_t close = rest.find('}', open);
    const std::string_view inside = rest.substr(open + 1, close - open - 1);
    const bool is_name =
        std::ranges::find(library_options(), inside, &Option::name) != library_options().end();
    text += rest.substr(0, open);
    text += is_name ? name_of(inside) : std::string(rest.substr(open, close - open + 1));
    rest.remove_prefix(close + 1);
  }
  text += rest;
  return text.insert(std::min({text.find(';'), text.find(" ("), text.size()}), note);
}

std::string_view unit_note(const Option& option) {
  if (option.type == OptionType::seconds) return ", in seconds";
  return option.type == OptionType::bytes ? ", in bytes" : "";
}

std::string_view expected_value(const Option& option) {
  if (!option.expected.empty()) return option.expected;
  switch (option.type) {
    case OptionType::seconds:
      return "a number of seconds, 0 or more";
    case OptionType::bytes:
      return is_whole(option) ? "a whole number of bytes, 0 or more" : "a number of bytes above 0";
    case OptionType::number:
      return "a number, 0 or more";
    case OptionType::whole_number:
      return "a whole number";
    case OptionType::on_off:
      return "on or off";
    case OptionType::name:
    case OptionType::searches:
    case OptionType::text:
      return "a string";
    case OptionType::folder:
      return "a path";
    case OptionType::coupling:
      return "a coupling map, pairs of qubits, a path or \"auto\"";
    case OptionType::rule_set:
      return "a rule set or a path";
    case OptionType::class_table:
      return "a class table or a path";
    case OptionType::cache:
      return "True, False or a path";
  }
  throw InternalError("no such type of option");
}

std::optional<OptionValue> default_of(const Option& option) {
  std::optional<OptionValue> value = option.read(SuperoptimizeOptions());
  const bool is_none = option.accepts_zero && value == OptionValue(std::uint64_t{0});
  return value && !is_none && is_in_range(option, *value) ? value : std::nullopt;
}

bool is_in_range(const Option& option, const OptionValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) {
    if (option.type == OptionType::bytes && *number == 0) return false;
    return *number >= 0 && std::isfinite(*number);
  }
  const auto* const number = std::get_if<std::uint64_t>(&value);
  return number == nullptr || (*number == 0 && option.accepts_zero) ||
         (*number >= option.least && *number <= option.greatest);
}

void set_from_text(const Option& option, SuperoptimizeOptions& options, const std::string& text) {
  if (text.empty()) {
    option.reset(options);
    return;
  }
  const std::optional<OptionValue> value = value_in(option, text);
  if (!value || !is_in_range(option, *value)) {
    throw UsageError(fmt::format("\"{}\" is not {}", text, expected_value(option)));
  }
  option.assign(options, *value);
}

std::vector<OptionSetting> recorded_options(const SuperoptimizeOptions& options) {
  std::vector<OptionSetting> recorded;
  for (const Option& option : library_options()) {
    if (option.is_recorded) recorded.push_back({option.name, option.read(options).value()});
  }
  return recorded;
}

const OptionValue& RunRecord::value_of(std::string_view option) const {
  const auto found = std::ranges::find(options, option, &OptionSetting::name);
  ensure(found != options.end(), "the option is recorded");
  return found->value;
}

bool RunRecord::is_reproducible() const {
  const OptionValue none = std::uint64_t{0};
  return std::ranges::any_of(options, [&](const OptionSetting& each) {
    return each.name == "steps" && each.value != none;
  });
}

std::string spelled_for_command(std::string_view option, std::string_view value) {
  std::string text = "--" + std::string(option);
  std::ranges::replace(text, '_', '-');
  return value.empty() ? text : text + " " + std::string(value);
}

void require_suitable_for_kept_gates(const SuperoptimizeOptions& options,
                                     const SpellOption& spelled) {
  const auto name = [&](std::string_view option) { return spelled(option, {}); };
  const std::array conflicts{
      Conflict{!std::holds_alternative<AnyCoupling>(options.coupling), name("coupling"),
               "each call of a gate is on other pairs of qubits"},
      Conflict{options.record_journal, name("journal"), "a journal is about one circuit"},
      Conflict{!options.checkpoint.folder.empty(), name("checkpoint"),
               "a checkpoint is one circuit"},
      Conflict{options.ancillas != 0, name("ancillas"), "a gate adds no qubits"},
      Conflict{options.epsilon > 0, name("epsilon"),
               "the distance of a gate counts at each of its calls"},
  };
  require_none(conflicts, name("keep_gates"));
}

void require_suitable_for_ancillas(const SuperoptimizeOptions& options,
                                   const SpellOption& spelled) {
  const auto name = [&](std::string_view option) { return spelled(option, {}); };
  const std::array conflicts{
      Conflict{!std::holds_alternative<AnyCoupling>(options.coupling), name("coupling"),
               "ancillas are not in the coupling map"},
      Conflict{options.record_rules, name("emit_rules"), "rules have no measurements"},
      Conflict{!options.checkpoint.folder.empty(), name("checkpoint"),
               "a checkpoint is one circuit"},
      Conflict{options.qubit_order == QubitOrder::free, spelled("permutation", "free"),
               "the qubits of the input stay in their places"},
      Conflict{
          options.assumptions.any(),
          fmt::format("{}, {} and {}", name("program"), name("initial_state"), name("final_state")),
          "the check does not combine them"},
  };
  require_none(conflicts, name("ancillas"));
}

}  // namespace quartz
