#include "c/options.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "c/error.hpp"
#include "quartz/base/nearest_name.hpp"
#include "quartz/workflow/options.hpp"

namespace quartz::c {
namespace {

struct NamedOption {
  std::string name;
  std::string description;
  std::function<void(quartz_options& options, const std::string& value)> set;
};

/// Returns the meaning of a library option, with the values that have names.
std::string description_of(const Option& option) {
  std::string text = help_of(
      option, [](std::string_view other) { return std::string(other); }, unit_note(option));
  if (option.type == OptionType::on_off) return text + " (on or off)";
  std::string values;
  for (const std::string_view name : option.names) {
    values += (values.empty() ? "" : ", ") + std::string(name);
  }
  return values.empty() ? text : text + " (" + values + ")";
}

/// Adds a path to an option that may be set several times. An empty text removes all.
void add_path(std::vector<std::filesystem::path>& paths, const std::string& value) {
  if (value.empty()) {
    paths.clear();
  } else {
    paths.emplace_back(value);
  }
}

/// Returns the list of the options that have names: those about the target and about reading, and
/// those of the library.
const std::vector<NamedOption>& named_options() {
  static const std::vector<NamedOption> all = [] {
    std::vector<NamedOption> rows{
        {"gate_set", "gate set of the target: the name of a bundled one, or a file",
         [](quartz_options& options, const std::string& value) { options.gate_set = value; }},
        {"backend_json",
         "a device's own file, as in quartz-opt --backend-json; set twice, both files",
         [](quartz_options& options, const std::string& value) {
           add_path(options.backend_files, value);
         }},
        {"include_path",
         "a folder in which quartz_circuit_read_with and quartz_circuit_parse_with look for "
         "included "
         "files; set several times, all of these folders",
         [](quartz_options& options, const std::string& value) {
           add_path(options.include_path.folders, value);
         }},
        {"cost", "what to minimize, as in quartz-opt --cost; empty: the gate set's default cost",
         [](quartz_options& options, const std::string& value) { options.cost = value; }}};
    for (const Option& option : library_options()) {
      if (!option.in_c) continue;
      rows.push_back({std::string(option.name), description_of(option),
                      [&option](quartz_options& options, const std::string& value) {
                        set_from_text(option, options.values, value);
                      }});
    }
    return rows;
  }();
  return all;
}

void set(quartz_options& options, const std::string& name, const std::string& value) {
  const auto found = std::ranges::find(named_options(), name, &NamedOption::name);
  if (found == named_options().end()) {
    std::vector<std::string_view> names;
    for (const NamedOption& option : named_options()) names.emplace_back(option.name);
    throw UsageError("unknown option \"" + name + "\"" + did_you_mean(name, names));
  }
  try {
    found->set(options, value);
  } catch (const UsageError& error) {
    throw UsageError(name + ": " + error.what());
  }
}

}  // namespace

std::string spelled_for_c(std::string_view option, std::string_view value) {
  const std::string name(option);
  return value.empty() ? name : name + " " + std::string(value);
}

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

size_t quartz_options_count(void) noexcept {
  try {
    return named_options().size();
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

const char* quartz_options_name(size_t index) noexcept {
  return index < quartz_options_count() ? named_options()[index].name.c_str() : nullptr;
}

const char* quartz_options_description(size_t index) noexcept {
  return index < quartz_options_count() ? named_options()[index].description.c_str() : nullptr;
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
