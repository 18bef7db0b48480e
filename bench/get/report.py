"""Medians and ratios out of what run.py measured, as the tables of docs/BENCHMARKS.md.

A ratio is the median of the ratios of each round, because only what ran side by side can be
compared. The best peer of a row is the one with the best median.
"""

from statistics import median

PEAK_MIB = 48
CPU = 1.3
ORDER = ["haul", "curl", "aria2c", "wget2", "axel"]


def shown(number):
    return f"{number:.2f}" if number < 100 else f"{number:.0f}"


def spread(numbers):
    if len(numbers) == 1:
        return shown(numbers[0])
    return f"{shown(median(numbers))} [{shown(min(numbers))}–{shown(max(numbers))}]"


def row(cells):
    print("| " + " | ".join(cells) + " |")


def head(cells):
    row(cells)
    row(["---"] * len(cells))


def by_round(results, case, tool, field):
    return {r["round"]: r[field] for r in results
            if r["case"] == case and r["tool"] == tool and "failed" not in r}


def tools_of(results, case):
    ran = {r["tool"] for r in results if r["case"] == case}
    return [tool for tool in ORDER if tool in ran]


def verdict(ratios, limit):
    met = [ratio <= limit for ratio in ratios]
    straddles = "" if all(met) or not any(met) else "; rounds straddle it"
    return ("met" if median(ratios) <= limit else "missed") + straddles


def best_peer(results, case, field):
    medians = {tool: median(values.values()) for tool in tools_of(results, case) if tool != "haul"
               if (values := by_round(results, case, tool, field))}
    return min(medians, key=medians.get) if medians else None


def print_measured(results, cases):
    head(["", "tool", "time, s", "CPU, s", "of it the tool", "peak memory, MiB", "failed"])
    for case in cases:
        for tool in tools_of(results, case):
            runs = [r for r in results if r["case"] == case and r["tool"] == tool]
            good = [r for r in runs if "failed" not in r]
            cells = [spread([r[field] for r in good]) if good else "–"
                     for field in ("wall_s", "cpu_s", "tool_cpu_s", "peak_mib")]
            row([case, tool, *cells, str(len(runs) - len(good)) if good != runs else ""])


def print_ratio(results, case, what, field, peer, limit):
    ours = by_round(results, case, "haul", field)
    theirs = by_round(results, case, peer, field) if peer else {}
    ratios = [ours[number] / theirs[number] for number in ours if number in theirs]
    if ratios:
        row([case, what, peer, spread(ratios), f"≤ {limit:.2f}", verdict(ratios, limit)])


def print_ratios(results, cases):
    head(["haul ÷ peer, round by round", "", "peer", "ratio [min–max]", "wanted", ""])
    for case, wanted in cases.items():
        for what, field, limit in (("time", "wall_s", wanted["best"]), ("CPU", "cpu_s", CPU)):
            print_ratio(results, case, what, field, best_peer(results, case, field), limit)
        if "aria2c" in wanted:
            print_ratio(results, case, "time", "wall_s", "aria2c", wanted["aria2c"])
    for case in cases:
        peaks = list(by_round(results, case, "haul", "peak_mib").values())
        if peaks:
            worst = [max(peaks)]
            row([case, "peak memory, MiB", "–", shown(worst[0]), f"≤ {PEAK_MIB}",
                 verdict(worst, PEAK_MIB)])


def print_report(results, cases):
    rounds = max(r["round"] for r in results)
    print(f"Medians of {rounds} rounds [min–max]. A run ends when its files are flushed: haul does "
          "that by itself, for the others it is done after them and counted.\n")
    print_measured(results, cases)
    if any(r["tool"] == "haul" and "failed" not in r for r in results):
        print()
        print_ratios(results, cases)
