#include "python/bindings/class_table.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "python/bindings/bindings.hpp"
#include "python/bindings/call_without_gil.hpp"
#include "python/bindings/gil_release.hpp"

namespace quartz::python {
namespace {

TableInFile build(const GateSet& set, unsigned qubits, unsigned cost, unsigned threads,
                  std::uint64_t memory) {
  ClassTableOptions options;
  options.qubits = qubits;
  options.cost = cost;
  options.threads = threads;
  options.memory = memory;
  TableInFile built;
  call_without_gil_or_interrupt([&](const std::stop_token& stop) {
    options.stop = stop;
    built.table = build_class_table(set, options);
  });
  return built;
}

void write(TableInFile& self, const std::filesystem::path& path) {
  write_class_table(*self.table, path);
  self.file = std::filesystem::absolute(path);
}

std::optional<std::filesystem::path> file_of(const TableInFile& self) {
  if (self.file.empty()) return std::nullopt;
  return self.file;
}

}  // namespace

void bind_class_table(nb::module_& module) {
  const ClassTableOptions defaults;
  nb::class_<TableInFile>(module, "ClassTable",
                          "The least cost of every small circuit of a gate set, which annealing "
                          "looks up.")
      .def_static("build", &build, nb::arg("gate_set"), nb::kw_only(),
                  nb::arg("qubits") = defaults.qubits, nb::arg("cost") = defaults.cost,
                  nb::arg("threads") = 0, nb::arg("memory") = defaults.memory,
                  "Builds the table of the circuits that cost at most ``cost``, in ``memory`` "
                  "bytes; the cost is lowered if necessary. Raises UsageError for a gate set with "
                  "too many gates and for options out of range, and KeyboardInterrupt.")
      .def_static(
          "load",
          [](const std::filesystem::path& path, const GateSet& set, unsigned threads) {
            return TableInFile{open_class_table(path, set, threads),
                               std::filesystem::absolute(path)};
          },
          nb::arg("path"), nb::arg("gate_set"), nb::kw_only(), nb::arg("threads") = 0,
          nb::call_guard<GilRelease>(),
          nb::sig("def load(path: str | os.PathLike[str], gate_set: GateSet, *, threads: int = 0) "
                  "-> ClassTable"),
          "Opens the table in a file, and checks all of it. Raises InputError for a file that is "
          "not a table, is damaged, or belongs to another gate set.")
      .def("write", &write, nb::arg("path"), nb::call_guard<GilRelease>(),
           nb::sig("def write(self, path: str | os.PathLike[str]) -> None"),
           "Writes the table to a file. Raises InputError if it cannot be written.")
      .def_prop_ro("file", &file_of, "The file that contains the table; None if there is none.")
      .def_prop_ro(
          "gate_set", [](const TableInFile& self) { return summary_of(*self.table).gate_set; },
          "The name of the gate set.")
      .def_prop_ro(
          "qubits", [](const TableInFile& self) { return summary_of(*self.table).qubits; },
          "The number of qubits of the circuits.")
      .def_prop_ro(
          "cost", [](const TableInFile& self) { return summary_of(*self.table).cost; },
          "The greatest cost of a circuit in the table.")
      .def_prop_ro(
          "classes", [](const TableInFile& self) { return summary_of(*self.table).classes; },
          "The number of classes of cost 0, 1, ...")
      .def_prop_ro(
          "bytes", [](const TableInFile& self) { return summary_of(*self.table).bytes; },
          "The size of the table in memory.")
      .def("__repr__", [](const TableInFile& self) {
        const ClassTableSummary summary = summary_of(*self.table);
        return "<quartz.ClassTable: " + summary.gate_set + ", cost " +
               std::to_string(summary.cost) + ">";
      });
}

}  // namespace quartz::python
