#include "quartz/base/errors.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <string_view>

#include "python/bindings/bindings.hpp"
#include "quartz/workflow/options.hpp"

namespace quartz::python {
namespace {

/// Returns a number of a location, where 0 means "not known", as a Python object.
nb::object known(std::size_t number) { return number == 0 ? nb::none() : nb::cast(number); }

/// Sets the Python error from an instance of a class of quartz.errors. The module is imported here
/// and not at the start, because the extension module must be importable alone for its stub.
template <typename... Arguments>
void raise(const char* name, const Arguments&... arguments) {
  const nb::object type = nb::module_::import_("quartz.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(arguments...).ptr());
}

/// Returns whether functions of the package have an argument of this name.
bool is_argument(std::string_view name) {
  constexpr std::array<std::string_view, 3> kOwn{"backend_json", "gate_set", "resume"};
  const auto options = library_options();
  return std::ranges::find(kOwn, name) != kOwn.end() ||
         std::ranges::any_of(options, [&](const Option& option) {
           return option.in_python && option.name == name;
         });
}

/// Returns a message in which options of the commands, which the library names, are arguments.
std::string with_arguments(std::string_view message) {
  constexpr std::string_view kHyphens = "--";
  std::string result;
  while (true) {
    const std::size_t start = message.find(kHyphens);
    result += message.substr(0, start);
    if (start == std::string_view::npos) return result;
    message.remove_prefix(start + kHyphens.size());
    const std::size_t length =
        std::min(message.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), message.size());
    std::string name(message.substr(0, length));
    std::ranges::replace(name, '-', '_');
    result += is_argument(name) ? name : std::string(kHyphens) + std::string(message, 0, length);
    message.remove_prefix(length);
  }
}

void raise_input_error(const InputError& error) {
  const SourceLocation& where = error.location();
  const nb::object file = where.file.empty() ? nb::none() : nb::cast(where.file);
  raise("InputError", with_arguments(error.what()), file, known(where.line), known(where.column));
}

void translate(const std::exception_ptr& exception, void* /*unused*/) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    raise_input_error(error);
  } catch (const UsageError& error) {
    raise("UsageError", with_arguments(error.what()));
  } catch (const OverflowError& error) {
    raise("OverflowError", error.what());
  } catch (const Stopped& error) {
    raise("Stopped", error.what());
  } catch (const Unverified& error) {
    raise("Unverified", error.what());
  } catch (const InternalError& error) {
    raise("InternalError", error.what());
  } catch (const Error& error) {
    raise("Error", error.what());
  }
}

}  // namespace

void bind_errors() { nb::register_exception_translator(translate); }

}  // namespace quartz::python
