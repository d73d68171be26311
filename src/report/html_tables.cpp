#include "report/html_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <vector>

#include "quartz/base/counted.hpp"
#include "quartz/circuit/cost.hpp"
#include "report/drawing/escape_html.hpp"
#include "report/headline.hpp"

namespace quartz::report {
namespace {

/// Rewrites beyond these are left to --stats.
constexpr std::size_t kMaxRewrites = 30;
/// More rewrites than these are folded.
constexpr std::size_t kMaxUnfolded = 10;

std::string cell(const Json& value) {
  if (value.is_null()) return "<td>-</td>";
  const std::string text = value.is_string()   ? value.get<std::string>()
                           : value.is_number() ? number_text(value.get<double>())
                                               : value.dump();
  return fmt::format("<td>{}</td>", escape_html(text));
}

std::string header(const std::vector<std::string_view>& names) {
  std::string row = "<tr>";
  for (const std::string_view name : names) row += fmt::format("<th>{}</th>", escape_html(name));
  return row + "</tr>\n";
}

std::string row(std::initializer_list<Json> values) {
  std::string text = "<tr>";
  for (const Json& value : values) text += cell(value);
  return text + "</tr>\n";
}

std::string table(const std::string& rows, std::string_view style = "") {
  return fmt::format("<div class=\"wide\"><table class=\"{}\">\n{}</table></div>\n", style, rows);
}

bool is_size(std::string_view name) { return name == "qubits" || name == "measurements"; }

/// Returns the names of the figures of a circuit that a table shows.
std::vector<std::string> names_of_shown_figures(const Json& statistics) {
  const Json& shown = statistics.at("shown_figures");
  std::vector<std::string> names;
  for (const auto& [name, value] : statistics.at("after").items()) {
    const bool is_left_out = is_size(name) ? !shown.at("sizes").get<bool>()
                                           : name == "t_depth" && !shown.at("t_depth").get<bool>();
    if (value.is_number() && !is_left_out) names.push_back(name);
  }
  return names;
}

/// Returns a sentence about the figures that grew; empty if none did.
std::string growth_note(const Json& statistics) {
  std::vector<std::string> grown;
  const Json& before = statistics.at("before");
  for (const std::string& name : names_of_shown_figures(statistics)) {
    if (is_size(name) || !before.contains(name)) continue;
    const Json& value = statistics.at("after").at(name);
    if (value.get<double>() > before.at(name).get<double>()) grown.push_back(name);
  }
  if (grown.empty()) return "";
  std::string names = fmt::format("{}", fmt::join(grown, ", "));
  std::ranges::replace(names, '_', '-');
  return fmt::format("<p class=\"note\">{} grew, because the cost to minimize was {}.</p>\n", names,
                     escape_html(statistics.at("cost").get<std::string>()));
}

/// Returns the cell with the change in percent; a dash if there is none to compute.
std::string change(const Json& before, const Json& after) {
  if (!before.is_number() || !after.is_number()) return "<td>-</td>";
  const auto from = before.get<double>();
  const auto to = after.get<double>();
  if (to > from) {
    return from == 0 ? "<td class=\"grew\">grew</td>"
                     : fmt::format("<td class=\"grew\">+{} grew</td>", percent_text(from, to));
  }
  if (to == from) return "<td>0%</td>";
  return fmt::format("<td>−{}</td>", percent_text(from, to));
}

/// Returns the figures of a kind of the three circuits.
std::string figure_row(std::string name, const Json& input, const Json& translated,
                       const Json& result, bool has_input) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "<tr>" + cell(name) + (has_input ? cell(input) : "") + cell(translated) + cell(result) +
         change(translated, result) + "</tr>\n";
}

std::vector<std::string_view> circuit_headers(std::string_view first, bool has_input) {
  if (has_input) return {first, "input", "translated", "result"};
  return {first, "before", "after"};
}

}  // namespace

bool was_translated(const Json& statistics) {
  return statistics.at("input").at("gates") != statistics.at("before").at("gates");
}

std::string figure_table(const Json& statistics) {
  const bool has_input = was_translated(statistics);
  std::vector<std::string_view> headers = circuit_headers("", has_input);
  headers.emplace_back("change");
  std::string rows = header(headers);
  const Json& input = statistics.at("input");
  const Json& translated = statistics.at("before");
  const Json& result = statistics.at("after");
  for (const std::string& name : names_of_shown_figures(statistics)) {
    rows += figure_row(name, input.value(name, Json()), translated.value(name, Json()),
                       result.at(name), has_input);
  }
  for (const auto& [name, value] : result.at("cost").items()) {
    if (find_cost(name) != nullptr) continue;
    rows += figure_row(name, input.at("cost").at(name), translated.at("cost").at(name), value,
                       has_input);
  }
  return table(rows, "figures") + growth_note(statistics);
}

std::string gate_table(const Json& statistics) {
  const bool has_input = was_translated(statistics);
  std::vector<const char*> circuits{"before", "after"};
  if (has_input) circuits.insert(circuits.begin(), "input");
  std::set<std::string> names;
  for (const char* const circuit : circuits) {
    for (const auto& [name, count] : statistics.at(circuit).at("gates").items()) names.insert(name);
  }
  std::string rows = header(circuit_headers("gate", has_input));
  std::vector<std::uint64_t> sums(circuits.size());
  for (const std::string& name : names) {
    rows += "<tr>" + cell(name);
    for (std::size_t i = 0; i < circuits.size(); ++i) {
      const auto count = statistics.at(circuits[i]).at("gates").value(name, std::uint64_t{0});
      sums[i] += count;
      rows += cell(count);
    }
    rows += "</tr>\n";
  }
  rows += "<tr class=\"sum\">" + cell("total");
  for (const std::uint64_t sum : sums) rows += cell(sum);
  return table(rows + "</tr>\n", "figures");
}

std::string pass_table(const Json& statistics) {
  std::string rows = header({"pass", "removed", "seconds", "runs", "successful"});
  const auto gates = [&](const char* circuit) {
    return statistics.at(circuit).at("total").get<std::int64_t>();
  };
  const std::int64_t total = gates("before") - gates("after");
  std::int64_t rest = total;
  for (const Json& pass : statistics.at("passes")) {
    const std::string name = fmt::format("{}: {}", pass.at("pass").get<std::string>(),
                                         pass.at("description").get<std::string>());
    rows += row({name, pass.at("gates_removed"),
                 fmt::format("{:.3f}", pass.at("seconds").get<double>()), pass.at("runs"),
                 pass.at("runs_that_paid")});
    rest -= pass.at("gates_removed").get<std::int64_t>();
  }
  if (rest != 0) rows += row({"everything else", rest, "", "", ""});
  rows += fmt::format(
      "<tr class=\"sum\"><td>total</td><td>{}</td><td></td><td></td><td></td></tr>\n", total);
  return table(rows, "passes");
}

std::string rewrite_table(const Json& statistics) {
  const auto label = [](const Json& rewrite) {
    if (!rewrite.contains("left")) return rewrite.at("description").get<std::string>();
    const std::string right = rewrite.at("right").get<std::string>();
    return rewrite.at("left").get<std::string>() + " → " + (right.empty() ? "nothing" : right);
  };
  const Json& rewrites = statistics.at("rewrites");
  const auto gates = [&](const char* circuit) {
    return statistics.at(circuit).at("total").get<std::int64_t>();
  };
  const std::int64_t total = gates("before") - gates("after");
  std::int64_t rest = total;
  std::string rows = header({"rewrite", "gates removed", "uses", "pass"});
  for (std::size_t i = 0; i < std::min(rewrites.size(), kMaxRewrites); ++i) {
    const Json& rewrite = rewrites.at(i);
    rows +=
        row({label(rewrite), rewrite.at("gates_removed"), rewrite.at("uses"), rewrite.at("pass")});
    rest -= rewrite.at("gates_removed").get<std::int64_t>();
  }
  if (rest != 0) rows += row({"everything else", rest, "", ""});
  rows +=
      fmt::format("<tr class=\"sum\"><td>total</td><td>{}</td><td></td><td></td></tr>\n", total);
  std::string text = table(rows, "rewrites");
  if (rewrites.size() > kMaxUnfolded) {
    text = fmt::format("<details><summary>{}</summary>\n{}</details>\n",
                       counted(rewrites.size(), "rewrite"), text);
  }
  if (rewrites.size() > kMaxRewrites) {
    text += fmt::format("<p class=\"note\">{} in the statistics only.</p>\n",
                        counted(rewrites.size() - kMaxRewrites, "more rewrite"));
  }
  return text;
}

}  // namespace quartz::report
