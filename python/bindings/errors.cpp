#include "quartz/base/errors.hpp"

#include <nanobind/stl/string.h>

#include <exception>
#include <string>

#include "python/bindings/bindings.hpp"

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

void raise_input_error(const InputError& error) {
  const SourceLocation& where = error.location();
  const nb::object file = where.file.empty() ? nb::none() : nb::cast(where.file);
  raise("InputError", error.what(), file, known(where.line), known(where.column));
}

void translate(const std::exception_ptr& exception, void* /*unused*/) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    raise_input_error(error);
  } catch (const UsageError& error) {
    raise("UsageError", error.what());
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
