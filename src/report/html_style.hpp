#pragma once

#include <string_view>

/// The style sheets of HTML reports.
namespace quartz::report {

/// The style of documents, and of elements within the pages of others, whose colors of text and
/// background are not known. Boxes have colors of their own for that reason.
inline constexpr std::string_view kElementStyle = R"(
.quartz table { border-collapse: collapse; margin: .5rem 0; font-size: inherit; }
.quartz th, .quartz td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8886; }
.quartz th:first-child, .quartz td:first-child { text-align: left; overflow-wrap: break-word; }
.quartz td { font-variant-numeric: tabular-nums; }
.quartz table.figures td:first-child { white-space: nowrap; }
.quartz tr.sum td { font-weight: bold; border-bottom: none; }
.quartz td.grew { font-weight: bold; background: #f2c14e66; }
.quartz .headline { font-size: 1.5rem; font-weight: bold; line-height: 1.25; margin: .2rem 0; }
.quartz .wide { overflow-x: auto; }
.quartz .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }
.quartz .pair > * { min-width: 0; }
.quartz .drawing { overflow: auto; border: 1px solid #8886; margin: .5rem 0; padding: .3rem 0; }
.quartz .large { max-height: 30rem; }
.quartz summary { cursor: pointer; }
.quartz .note { font-size: .9em; margin: .2rem 0; }
.quartz pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .6rem; border: 1px solid #8886; }
.quartz svg { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; max-width: none; display: block; }
.quartz svg.chart { width: 100%; max-width: 34rem; font-size: 13px; }
.quartz svg text { fill: currentColor; text-anchor: middle; }
.quartz svg text.name { text-anchor: end; }
.quartz svg text.last { text-anchor: start; font-weight: bold; }
.quartz svg text.label { fill: #10151c; }
.quartz svg text.times { text-anchor: start; font-weight: bold; }
.quartz svg path, .quartz svg polyline { stroke: currentColor; fill: none; }
.quartz svg .wire, .quartz svg .axis { stroke: #8889; }
.quartz svg .grid { stroke: #8884; }
.quartz svg .barrier { stroke: #888; stroke-dasharray: 4 3; stroke-width: 2; }
.quartz svg .box { fill: #d6e6fb; stroke: #4a78b5; }
.quartz svg .rotation { fill: #fce3bd; stroke: #b07a26; }
.quartz svg .boundary { fill: #e2e2e2; stroke: #808080; }
.quartz svg .frame { fill: #8882; stroke: #888; }
.quartz svg .dot, .quartz svg .target { fill: #2a7de1; stroke: #2a7de1; }
.quartz svg .plus { stroke: #fff; stroke-width: 2; }
.quartz svg polyline { stroke: #2a7de1; stroke-width: 2; }
@media (max-width: 60rem) { .quartz .pair { grid-template-columns: 1fr; gap: 0; } }
@media (max-width: 40rem) {
  .quartz table { font-size: .9em; }
  .quartz th, .quartz td { padding: .2rem .25rem; }
  .quartz table:not(.figures) td:first-child { min-width: 12rem; }
  .quartz table.passes :is(th, td):nth-child(n+4), .quartz table.rewrites :is(th, td):nth-child(4) { display: none; }
  .quartz .headline { font-size: 1.25rem; }
}
)";

/// What a document has in addition.
inline constexpr std::string_view kPageStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 80rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .2rem 0; }
h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem; }
h3 { font-size: 1rem; margin: .8rem 0 .2rem; }
p.circuit { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) { h1 { font-size: 1.25rem; } }
)";

}  // namespace quartz::report
