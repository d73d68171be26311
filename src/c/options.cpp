#include "c/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "c/error.hpp"
#include "quartz/base/nearest_name.hpp"
#include "quartz/workflow/option_values.hpp"

namespace quartz::c {
namespace {

/// Returns the number that is the whole text.
template <typename Number>
Number number_from(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [last, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || last != end) throw UsageError("\"" + text + "\" is not a number");
  return number;
}

/// Returns a finite number of seconds or bytes, 0 or more.
double amount_from(const std::string& text) {
  const double amount = number_from<double>(text);
  if (!(amount >= 0) || !std::isfinite(amount)) {
    throw UsageError("\"" + text + "\" is not a finite number, 0 or more");
  }
  return amount;
}

std::uint64_t steps_from(const std::string& text) {
  const auto steps = number_from<std::uint64_t>(text);
  if (steps == 0) throw UsageError("the number of steps is at least 1");
  return steps;
}

constexpr std::array kSwitchValues{NamedValue<bool>{"off", false}, NamedValue<bool>{"on", true}};

CouplingChoice coupling_from(const std::string& text) {
  if (text.empty()) return AnyCoupling{};
  if (text == "auto") return CouplingOfCircuit{};
  return std::filesystem::path(text);
}

CacheOptions cache_from(const std::string& text) {
  if (text == "on" || text == "off") return {.enabled = text == "on", .folder = {}};
  return {.enabled = true, .folder = text};
}

struct Option {
  const char* name;
  const char* description;
  void (*set)(quartz_options& options, const std::string& value);
};

/// THE list of the options that have names. Names follow the options of quartz-opt and the
/// arguments of the Python package.
constexpr Option kOptions[] = {
    {"gate_set", "gate set of the target: the name of a bundled one, or a file",
     [](quartz_options& options, const std::string& value) { options.gate_set = value; }},
    {"backend_json", "a device's own file, as in quartz-opt --backend-json; set twice, both files",
     [](quartz_options& options, const std::string& value) {
       if (value.empty()) {
         options.backend_files.clear();
       } else {
         options.backend_files.emplace_back(value);
       }
     }},
    {"cost", "what to minimize, as in quartz-opt --cost; empty: the gate set's default cost",
     [](quartz_options& options, const std::string& value) { options.cost = value; }},
    {"time", "time limit in seconds for translation, rules and search",
     [](quartz_options& options, const std::string& value) {
       options.values.seconds = amount_from(value);
     }},
    {"steps", "limit in place of the time, at least 1; empty: the time",
     [](quartz_options& options, const std::string& value) {
       options.values.steps = value.empty() ? 0 : steps_from(value);
     }},
    {"threads", "number of threads; 0: all cores",
     [](quartz_options& options, const std::string& value) {
       options.values.threads = number_from<unsigned>(value);
     }},
    {"seed", "seed of the random choices of the search",
     [](quartz_options& options, const std::string& value) {
       options.values.seed = number_from<std::uint64_t>(value);
     }},
    {"search", "search method, or several separated by commas",
     [](quartz_options& options, const std::string& value) {
       require_search(value);
       options.values.search = value;
     }},
    {"exactness", "angles of rewrites in floating-point arithmetic: keep, exact or numeric",
     [](quartz_options& options, const std::string& value) {
       options.values.exactness = find_exactness(value);
     }},
    {"epsilon", "permitted operator norm of the difference from the input, up to a global phase",
     [](quartz_options& options, const std::string& value) {
       options.values.epsilon = number_from<double>(value);
     }},
    {"barriers",
     "whether barriers stay, beyond which nothing is known of the states of their qubits: keep or "
     "ignore",
     [](quartz_options& options, const std::string& value) {
       options.values.barriers = value_named(value, kBarriersValues);
     }},
    {"initial_state", "state of the qubits before the circuit: any or zero",
     [](quartz_options& options, const std::string& value) {
       options.values.edges.starts_zero = value_named(value, kInitialStateValues);
     }},
    {"final_state", "whether the qubits are used after the circuit: kept or discarded",
     [](quartz_options& options, const std::string& value) {
       options.values.edges.ends_discarded = value_named(value, kFinalStateValues);
     }},
    {"permutation", "order of the qubits after the circuit: keep or free (quartz_result_output)",
     [](quartz_options& options, const std::string& value) {
       options.values.qubit_order = value_named(value, kQubitOrderValues);
     }},
    {"coupling", "pairs of qubits with gates: a JSON file, or auto for those of the input",
     [](quartz_options& options, const std::string& value) {
       options.values.coupling = coupling_from(value);
     }},
    {"rules", "rule set in a file; empty: the one of the gate set",
     [](quartz_options& options, const std::string& value) {
       options.values.rules = value.empty() ? RuleChoice() : std::filesystem::path(value);
     }},
    {"table", "class table in a file; empty: a cached one, which is built if needed",
     [](quartz_options& options, const std::string& value) { options.values.class_table = value; }},
    {"table_memory", "memory limit in bytes for building a class table",
     [](quartz_options& options, const std::string& value) {
       options.values.table_memory = number_from<std::uint64_t>(value);
     }},
    {"cache", "folder in which rules and class tables are kept, on for the user's, or off",
     [](quartz_options& options, const std::string& value) {
       options.values.cache = cache_from(value);
     }},
    {"qasm", "version of OpenQASM that must express the result, 2 or 3; 0: that of the input",
     [](quartz_options& options, const std::string& value) {
       options.values.qasm_version = number_from<unsigned>(value);
     }},
    {"check", "whether to compare the result with the input: normal, required or off",
     [](quartz_options& options, const std::string& value) {
       options.values.check = value_named(value, kCheckValues);
     }},
    {"check_time", "time limit in seconds of the check",
     [](quartz_options& options, const std::string& value) {
       options.values.check_seconds = amount_from(value);
     }},
    {"check_memory", "memory limit in bytes of the check",
     [](quartz_options& options, const std::string& value) {
       options.values.check_memory_bytes = amount_from(value);
     }},
    {"checkpoint", "folder in which the search keeps its best circuit; empty: none",
     [](quartz_options& options, const std::string& value) {
       options.values.checkpoint.folder = value;
     }},
    {"resume", "whether to continue the search of the checkpoint: on or off",
     [](quartz_options& options, const std::string& value) {
       options.values.checkpoint.resume = value_named(value, kSwitchValues);
     }},
    {"journal", "whether to keep the rewrites for quartz_result_journal: on or off",
     [](quartz_options& options, const std::string& value) {
       options.values.record_journal = value_named(value, kSwitchValues);
     }},
    {"circuit_name", "name of the circuit in messages",
     [](quartz_options& options, const std::string& value) {
       options.values.circuit_name = value;
     }},
};

void set(quartz_options& options, const std::string& name, const std::string& value) {
  const auto* const found =
      std::ranges::find_if(kOptions, [&](const Option& option) { return name == option.name; });
  if (found == std::end(kOptions)) {
    std::vector<std::string_view> names;
    for (const Option& option : kOptions) names.emplace_back(option.name);
    throw UsageError("unknown option \"" + name + "\"" + did_you_mean(name, names));
  }
  try {
    found->set(options, value);
  } catch (const UsageError& error) {
    throw UsageError(name + ": " + error.what());
  }
}

}  // namespace
}  // namespace quartz::c

using namespace quartz::c;

quartz_status quartz_options_create(quartz_options** options, quartz_error** error) noexcept {
  return guarded(error, [&] {
    quartz_options*& output = required_output(options, "options");
    output = std::make_unique<quartz_options>().release();
  });
}

quartz_status quartz_options_set(quartz_options* options, const char* name, const char* value,
                                 quartz_error** error) noexcept {
  return guarded(error, [&] {
    set(required(options, "options"), required_text(name, "name"), required_text(value, "value"));
  });
}

size_t quartz_options_count(void) noexcept { return std::size(kOptions); }

const char* quartz_options_name(size_t index) noexcept {
  return index < std::size(kOptions) ? kOptions[index].name : nullptr;
}

const char* quartz_options_description(size_t index) noexcept {
  return index < std::size(kOptions) ? kOptions[index].description : nullptr;
}

quartz_status quartz_options_on_progress(quartz_options* options, quartz_progress_callback callback,
                                         void* user, quartz_error** error) noexcept {
  return guarded(error, [&] {
    quartz_options& target = required(options, "options");
    target.on_progress = callback;
    target.progress_user = user;
  });
}

quartz_status quartz_options_on_stop(quartz_options* options, quartz_stop_callback callback,
                                     void* user, quartz_error** error) noexcept {
  return guarded(error, [&] {
    quartz_options& target = required(options, "options");
    target.on_stop = callback;
    target.stop_user = user;
  });
}

void quartz_options_free(quartz_options* options) noexcept { delete options; }
