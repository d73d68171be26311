"""What follows from the results of bench.py: means, comparisons, and several files made one.

A results document holds, of each circuit, its sizes `before`, the `results` of each run, and the
`published` sizes of each source. A run is quartz-opt at one budget ("quartz 10s") or a peer.
"""

import math

import bench_costs

# Documents that differ in one of these measure different things.
SAME_IN_ALL = ["folder", "gate_set", "cost", "seed", "threads", "rules", "extra"]
BEST_PEER = "better of the peers"


def is_good(result):
    return result.get("verdict") == "equivalent"


def quartz_runs(document):
    """The runs of quartz-opt, the shortest budget first."""
    budgets = {run: about.get("budget_seconds") for run, about in document["runs"].items()}
    return sorted((run for run, budget in budgets.items() if budget is not None), key=budgets.get)


def peer_runs(document):
    return [run for run, about in document["runs"].items() if "budget_seconds" not in about]


def all_runs(document):
    return [*quartz_runs(document), *peer_runs(document)]


def compared_measures(document):
    """The cost asked for first, then what else is told of every comparison."""
    return list(dict.fromkeys([document["cost_measure"], "total", "two_qubit", "t"]))


def least_of(document, measure):
    """What a size of 0 counts as in a mean."""
    return document["least_cost"] if measure == document["cost_measure"] else 1


# --- means ----------------------------------------------------------------------------------------


def mean_reduction(pairs, least=1):
    """1 - geomean(after / before) over pairs of them. An after of 0 counts as the least cost there
    is; pairs that have none of it before are left out."""
    logarithms = [
        math.log(max(after, least) / before) if after is not None else 0.0
        for before, after in pairs
        if before > 0
    ]
    return 1 - math.exp(sum(logarithms) / len(logarithms)) if logarithms else 0.0


def reduction(circuits, run, measure, least=1):
    """Over the circuits that have the run. A failed, wrong or undecided result counts as none."""
    pairs = [
        (
            circuit["before"][measure],
            circuit["results"][run]["after"][measure] if is_good(circuit["results"][run]) else None,
        )
        for circuit in circuits.values()
        if run in circuit["results"]
    ]
    return mean_reduction(pairs, least)


def published_reduction(circuits, source, measure, least=1):
    """The same of published sizes, and how many circuits have them."""
    pairs = [
        (circuit["before"][measure], circuit["published"][source][measure])
        for circuit in circuits.values()
        if measure in circuit.get("published", {}).get(source, {})
    ]
    return mean_reduction(pairs, least), len(pairs)


def summarize_run(document, run):
    circuits = document["circuits"]
    results = {
        name: circuit["results"][run]
        for name, circuit in circuits.items()
        if run in circuit["results"]
    }

    def named(holds):
        return [name for name, result in results.items() if holds(result)]

    def mean(key):
        times = [result[key] for result in results.values() if key in result]
        return round(sum(times) / len(times), 4) if times else None

    measures = [*bench_costs.MEASURES, document["cost_measure"]]
    return {
        "circuits": len(results),
        "equivalent": len(named(is_good)),
        "not_equivalent": named(lambda result: result.get("verdict") == "not equivalent"),
        "undecided": named(lambda result: result.get("verdict") == "undecided"),
        "failed": named(lambda result: "failed" in result),
        "seconds": round(sum(result.get("seconds", 0) for result in results.values()), 3),
        "mean_seconds": mean("seconds"),
        "mean_whole_process_seconds": mean("whole_process_seconds"),
        "reduction": {
            measure: round(reduction(circuits, run, measure, least_of(document, measure)), 4)
            for measure in dict.fromkeys(measures)
        },
    }


# --- comparisons ----------------------------------------------------------------------------------


def peer_sizes(document, peer):
    return {
        name: circuit["results"][peer]["after"]
        for name, circuit in document["circuits"].items()
        if is_good(circuit["results"].get(peer, {}))
    }


def best_of(sizes_of_each):
    """For each circuit and measure, the smallest that one of several has."""
    best = {}
    for sizes in sizes_of_each:
        for circuit, counts in sizes.items():
            smallest = best.setdefault(circuit, dict(counts))
            for measure, count in counts.items():
                smallest[measure] = min(count, smallest.get(measure, count))
    return best


def rivals(document):
    """{rival: {circuit: {measure: size}}}: the peers, then what is published."""
    found = {peer: peer_sizes(document, peer) for peer in peer_runs(document)}
    if len(found) > 1:
        found[BEST_PEER] = best_of(list(found.values()))
    for source in document.get("sources", {}):
        found[source] = {
            name: circuit["published"][source]
            for name, circuit in document["circuits"].items()
            if source in circuit.get("published", {})
        }
    return found


def compare(circuits, run, sizes, measure, least=1):
    """Where a run is better and worse than a rival, by the names of the circuits; and the change of
    the geometric mean from the rival to the run. What either has no verified result for is not
    compared, and named too."""
    verdicts = {"better": [], "equal": [], "worse": [], "not_compared": []}
    pairs = []
    for name, circuit in circuits.items():
        result, rival = circuit["results"].get(run, {}), sizes.get(name, {}).get(measure)
        if not is_good(result) or rival is None:
            verdicts["not_compared"].append(name)
            continue
        ours = result["after"][measure]
        word = "better" if ours < rival else "worse" if ours > rival else "equal"
        if word != "equal" and math.isclose(ours, rival, rel_tol=1e-9):  # sums of weights
            word = "equal"
        verdicts[word].append(name)
        pairs.append((rival, ours))
    return verdicts | {"change": round(-mean_reduction(pairs, least), 4)}


def compare_all(document):
    """Every run of quartz-opt with every rival, in the measures that the rival has."""
    comparisons = {}
    for run in quartz_runs(document):
        for rival, sizes in rivals(document).items():
            for measure in compared_measures(document):
                if any(measure in counts for counts in sizes.values()):
                    found = compare(
                        document["circuits"], run, sizes, measure, least_of(document, measure)
                    )
                    comparisons.setdefault(run, {}).setdefault(rival, {})[measure] = found
    return comparisons


# --- documents ------------------------------------------------------------------------------------


def summarized(document):
    """The document with its means and comparisons."""
    summary = {run: summarize_run(document, run) for run in all_runs(document)}
    return document | {"summary": summary, "comparisons": compare_all(document)}


def merged(documents):
    """One document of several that measured circuits or runs apart; of what two have, the later is
    kept. Raises ValueError where they did not measure the same thing."""
    first, *others = documents
    result = first | {
        key: dict(first.get(key, {}))
        for key in ("runs", "sources", "circuits", "left_out", "warm_up_seconds")
    }
    for document in others:
        for key in SAME_IN_ALL:
            if document.get(key) != first.get(key):
                raise ValueError(
                    f"files of different {key} do not merge: {first.get(key)}, {document.get(key)}"
                )
        for key in ("runs", "sources", "left_out", "warm_up_seconds"):
            result[key] |= document.get(key, {})
        for name, circuit in document["circuits"].items():
            earlier = result["circuits"].get(name, {})
            if earlier and earlier["before"] != circuit["before"]:
                raise ValueError(f"{name} is not the same circuit in all files")
            result["circuits"][name] = (
                earlier
                | circuit
                | {
                    key: earlier.get(key, {}) | circuit.get(key, {})
                    for key in ("results", "published")
                }
            )
    parts = [part for document in documents for part in document.get("parts", [])]
    result["parts"] = [part for index, part in enumerate(parts) if part not in parts[:index]]
    result["circuits"] = dict(sorted(result["circuits"].items()))
    return summarized(result)
