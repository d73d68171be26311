#include "python/bindings/angle.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::python {
namespace {

constexpr const char* kAngleDoc =
    R"(An exact angle: a rational multiple of pi, plus radians, plus multiples of free parameters.

``float(angle)`` and ``angle.value({...})`` return it in radians; ``str(angle)`` returns the shortest exact
OpenQASM expression, such as ``-3*pi/4`` or ``2*theta+0.25``. Angles are added and subtracted, and multiplied and
divided by numbers, exactly: ``quartz.pi / 4 + 2 * quartz.Angle("theta")``. Where an angle is added, a number is one in
radians.)";

nb::object fraction(const Rational& number) {
  return nb::module_::import_("fractions")
      .attr("Fraction")(number.numerator(), number.denominator());
}

/// Returns the terms as pairs of a symbol and its coefficient.
nb::dict terms_of(const Angle& angle) {
  nb::dict terms;
  for (const Angle::Term& term : angle.terms()) {
    terms[nb::str(term.symbol.c_str())] = fraction(term.coefficient);
  }
  return terms;
}

/// Returns whether a value is a real number that is no truth value.
bool is_number(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return false;
  return nb::isinstance(value, nb::module_::import_("numbers").attr("Real"));
}

bool is_fraction(nb::handle value) {
  return nb::isinstance(value, nb::module_::import_("fractions").attr("Fraction"));
}

/// Returns a whole number or a Fraction as it is, and a float as its shortest decimal. Throws
/// OverflowError if it does not fit in 64 bits.
Rational rational_from(nb::handle number) {
  const nb::object type = nb::module_::import_("fractions").attr("Fraction");
  const bool is_exact = nb::isinstance(number, nb::module_::import_("numbers").attr("Rational"));
  const nb::object exact = is_exact ? type(number) : type(nb::repr(nb::float_(number)));
  std::int64_t numerator = 0;
  std::int64_t denominator = 0;
  if (!nb::try_cast(exact.attr("numerator"), numerator) ||
      !nb::try_cast(exact.attr("denominator"), denominator)) {
    throw OverflowError(nb::cast<std::string>(nb::repr(number)) +
                        " is not a fraction of 64-bit numbers");
  }
  return {numerator, denominator};
}

/// Returns a number that may have more digits than a float. Throws UsageError if it is greater.
double double_from(nb::handle number) {
  const double value = PyFloat_AsDouble(number.ptr());
  if (PyErr_Occurred() == nullptr) return value;
  if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) nb::raise_python_error();
  PyErr_Clear();
  throw UsageError("the angle is out of range: its number of radians is greater than any float");
}

nb::object not_implemented() { return nb::borrow(Py_NotImplemented); }

bool is_angle(nb::handle value) { return nb::isinstance<Angle>(value) || is_number(value); }

/// Returns left + sign * right, where one of them may be a number in radians.
nb::object sum(nb::handle left, nb::handle right, std::int64_t sign) {
  if (!is_angle(left) || !is_angle(right)) return not_implemented();
  return nb::cast(angle_from(left) + angle_from(right) * Rational(sign));
}

nb::object product(const Angle& angle, nb::handle factor) {
  if (!is_number(factor)) return not_implemented();
  return nb::cast(angle * rational_from(factor));
}

nb::object quotient(const Angle& angle, nb::handle divisor) {
  if (!is_number(divisor)) return not_implemented();
  const Rational number = rational_from(divisor);
  if (number.is_zero()) {
    PyErr_SetString(PyExc_ZeroDivisionError, "an angle is divided by zero");
    nb::raise_python_error();
  }
  return nb::cast(angle * Rational(number.denominator(), number.numerator()));
}

void define_arithmetic(nb::class_<Angle>& angle) {
  angle.def("__neg__", [](const Angle& self) { return -self; })
      .def(
          "__add__", [](const Angle& a, nb::handle b) { return sum(nb::cast(a), b, 1); },
          nb::is_operator(), nb::sig("def __add__(self, other: float | Angle, /) -> Angle"))
      .def(
          "__radd__", [](const Angle& a, nb::handle b) { return sum(nb::cast(a), b, 1); },
          nb::is_operator(), nb::sig("def __radd__(self, other: float, /) -> Angle"))
      .def(
          "__sub__", [](const Angle& a, nb::handle b) { return sum(nb::cast(a), b, -1); },
          nb::is_operator(), nb::sig("def __sub__(self, other: float | Angle, /) -> Angle"))
      .def(
          "__rsub__", [](const Angle& a, nb::handle b) { return sum(b, nb::cast(a), -1); },
          nb::is_operator(), nb::sig("def __rsub__(self, other: float, /) -> Angle"))
      .def("__mul__", &product, nb::is_operator(),
           nb::sig("def __mul__(self, other: float | fractions.Fraction, /) -> Angle"))
      .def("__rmul__", &product, nb::is_operator(),
           nb::sig("def __rmul__(self, other: float | fractions.Fraction, /) -> Angle"))
      .def("__truediv__", &quotient, nb::is_operator(),
           nb::sig("def __truediv__(self, other: float | fractions.Fraction, /) -> Angle"));
}

}  // namespace

Angle angle_from(nb::handle value) {
  if (nb::isinstance<Angle>(value)) return nb::cast<Angle>(value);
  if (nb::isinstance<nb::str>(value)) return parse_angle(nb::cast<std::string>(value));
  if (is_number(value) && !is_fraction(value)) {
    std::int64_t whole = 0;
    if (PyIndex_Check(value.ptr()) && nb::try_cast(nb::int_(nb::borrow(value)), whole)) {
      return Angle::radians(whole);
    }
    return angle_from_double(double_from(value));
  }
  const std::string hint =
      is_fraction(value) ? "; a fraction of pi is quartz.pi * Fraction(...)" : "";
  const std::string text = nb::cast<std::string>(nb::repr(value)) +
                           " is not an angle: expected a number of radians, an expression such as "
                           "'pi/4' or a quartz.Angle" +
                           hint;
  throw nb::type_error(text.c_str());
}

std::map<std::string, double> with_expressions(const std::vector<std::string>& symbols,
                                               const std::map<std::string, double>& bindings) {
  if (symbols.empty()) return bindings;
  const nb::object values = nb::module_::import_("quartz.symbol_names").attr("with_expressions");
  return nb::cast<std::map<std::string, double>>(values(symbols, bindings));
}

void bind_angle(nb::module_& module) {
  nb::class_<Angle> angle(module, "Angle", kAngleDoc);
  define_arithmetic(angle);
  angle
      .def(
          "__init__",
          [](Angle* self, std::string_view text) { new (self) Angle(parse_angle(text)); },
          nb::arg("text"),
          "Parses an expression that is linear in its parameters, such as ``pi/4`` or "
          "``2*theta+0.25``. Raises InputError for anything else.")
      .def(
          "value",
          [](const Angle& angle, const std::map<std::string, double>& bindings) {
            return angle.value(with_expressions(angle.symbols(), bindings));
          },
          nb::arg("bindings") = std::map<std::string, double>(),
          "Returns the angle in radians. ``bindings`` gives a value, in radians, for every free "
          "parameter. Raises UsageError for a parameter without a value.")
      .def("__float__", [](const Angle& angle) { return angle.value(); })
      .def("__str__", &Angle::to_readable_string)
      .def("__repr__",
           [](const Angle& angle) { return "quartz.Angle('" + angle.to_readable_string() + "')"; })
      .def("__hash__", &Angle::hash)
      .def(
          "__eq__", [](const Angle& left, const Angle& right) { return left == right; },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__getstate__", &Angle::to_string)
      .def("__setstate__",
           [](Angle& self, const std::string& text) { new (&self) Angle(parse_angle(text)); })
      .def_prop_ro("is_constant", &Angle::is_constant, "Whether the angle has no free parameter.")
      .def_prop_ro("parameters", &Angle::symbols, "The names of the free parameters, sorted.")
      .def_prop_ro(
          "pi_part", [](const Angle& angle) { return fraction(angle.pi_part()); },
          nb::sig("def pi_part(self) -> fractions.Fraction"), "The multiple of pi.")
      .def_prop_ro(
          "radian_part", [](const Angle& angle) { return fraction(angle.radian_part()); },
          nb::sig("def radian_part(self) -> fractions.Fraction"),
          "The number of radians besides the multiple of pi.")
      .def_prop_ro("terms", &terms_of, nb::sig("def terms(self) -> dict[str, fractions.Fraction]"),
                   "The coefficient of each free parameter, and of each decimal literal that is "
                   "too long for a fraction of 64-bit numbers.");
}

}  // namespace quartz::python
