"""Small results documents for the tests of what is computed from them."""


def result(total, verdict="equivalent", **others):
    return {"after": {"total": total, **others}, "verdict": verdict}


FAILED = {"failed": "a crash"}


def document(circuits, runs, sources=(), **others):
    return {
        "folder": "nam", "gate_set": "nam", "cost": "total", "cost_measure": "total",
        "least_cost": 1, "seed": 0, "threads": 1, "rules": None, "extra": "",
        "parts": [], "left_out": {}, "warm_up_seconds": {},
        "runs": {run: {"budget_seconds": float(run[7:-1])} if run[:7] == "quartz " else {}
                 for run in runs},
        "sources": {source: {"seconds": None, "measured": False} for source in sources},
        "circuits": circuits,
    } | others  # fmt: skip


def entry(results, published=None, before=100):
    sizes = dict.fromkeys(("total", "two_qubit", "t", "depth"), before)
    results = {
        run: each if "failed" in each else each | {"after": sizes | each["after"]}
        for run, each in results.items()
    }
    found = {"gate_set": "nam", "before": sizes, "results": results}
    return found | {"published": published or {}}
