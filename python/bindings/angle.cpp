#include "quartz/algebra/angle.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.hpp"

namespace quartz::python {
namespace {

constexpr const char* kAngleDoc =
    R"(An exact angle: a rational multiple of pi, plus radians, plus multiples of free parameters.

``float(angle)`` and ``angle.value({...})`` return it in radians; ``str(angle)`` returns the shortest exact
OpenQASM expression, such as ``-3*pi/4`` or ``2*theta+0.25``.)";

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

}  // namespace

void bind_angle(nb::module_& module) {
  nb::class_<Angle>(module, "Angle", kAngleDoc)
      .def(
          "__init__",
          [](Angle* self, std::string_view text) { new (self) Angle(parse_angle(text)); },
          nb::arg("text"),
          "Parses an expression that is linear in its parameters, such as ``pi/4`` or "
          "``2*theta+0.25``. Raises InputError for anything else.")
      .def(
          "value",
          [](const Angle& angle, const std::map<std::string, double>& bindings) {
            return angle.value(bindings);
          },
          nb::arg("bindings") = std::map<std::string, double>(),
          "Returns the angle in radians. ``bindings`` gives a value, in radians, for every free "
          "parameter. Raises UsageError for a parameter without a value.")
      .def("__float__", [](const Angle& angle) { return angle.value(); })
      .def("__str__", &Angle::to_string)
      .def("__repr__",
           [](const Angle& angle) { return "quartz.Angle('" + angle.to_string() + "')"; })
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
