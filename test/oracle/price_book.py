"""What a price book says: dates, matches, billing periods and exchange rates, by docs/prices.md and docs/cost.md."""

import re
from calendar import monthrange
from datetime import datetime, timedelta, timezone
from fractions import Fraction

HOUR = 3_600_000
NEVER = 10**16


def instant(date):
    """The midnight of UTC that begins a day."""
    return int(datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=timezone.utc).timestamp()) * 1000


def number(written):
    return Fraction(str(written))


def dated(entry):
    """The time in which something holds."""
    return (instant(entry["from"]) if "from" in entry else -NEVER, instant(entry["to"]) if "to" in entry else NEVER)


def dated_list(written):
    """The entries of a list with dates, or one for all time: without `to`, each holds until the next one begins."""
    if not isinstance(written, list):
        return [((-NEVER, NEVER), written)]
    entries = sorted(written, key=lambda entry: instant(entry["from"]))
    begins = [instant(entry["from"]) for entry in entries] + [NEVER]
    return [
        ((begins[at], instant(entry["to"]) if "to" in entry else begins[at + 1]), entry)
        for at, entry in enumerate(entries)
    ]


def overlap(one, other):
    """The time that two stretches have in common; empty where its end is not after its beginning."""
    return (max(one[0], other[0]), min(one[1], other[1]))


def length(stretch):
    return max(0, stretch[1] - stretch[0])


def union(stretches):
    """The same time as stretches that do not touch, in order."""
    joined = []
    for begin, end in sorted(stretch for stretch in stretches if length(stretch) > 0):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return joined


def billing_period(written, at):
    """The billing period that holds an instant."""
    if isinstance(written, dict) and "hours" in written:
        size, anchor = int(written["hours"]) * HOUR, instant(written["from"])
        begin = anchor + (at - anchor) // size * size
        return (begin, begin + size)
    anchor = int(written["anchor_day"]) if isinstance(written, dict) else 1
    day = datetime.fromtimestamp(at // 1000, timezone.utc)
    months = [(day.year * 12 + day.month - 1) + step for step in (-1, 0, 1, 2)]
    begins = [month_begin(month // 12, month % 12 + 1, anchor) for month in months]
    for begin, end in zip(begins, begins[1:]):
        if begin <= at < end:
            return (begin, end)
    raise ValueError("no billing period holds the instant")


def month_begin(year, month, anchor):
    day = min(anchor, monthrange(year, month)[1])
    return int(datetime(year, month, day, tzinfo=timezone.utc).timestamp()) * 1000


def fits(patterns, *texts):
    """Whether a text fits a pattern of a list, in which `*` stands for anything; what is not written fits all.

    What is not known of a project (None) fits nothing.
    """
    if patterns is None:
        return True
    forms = [re.compile(".*".join(map(re.escape, str(pattern).split("*"))), re.DOTALL) for pattern in patterns]
    return any(form.fullmatch(text) for form in forms for text in texts if text is not None)


def matches(match, project):
    return (
        fits(match.get("accounts"), project["account"])
        and fits(match.get("regions"), project.get("region"))
        and fits(match.get("platforms"), project.get("platform"))
        and fits(match.get("projects"), project["id"], project.get("name"))
    )


def groups_of(groupings, project):
    """The groups of a project, as `team/platform`: the first that fits in each grouping."""
    found = set()
    for grouping, groups in (groupings or {}).items():
        fitting = [name for name, match in groups.items() if matches(match or {}, project)]
        found.add(f"{grouping}/{fitting[0] if fitting else 'ungrouped'}")
    return found


def plan_times(book, groupings, project, period):
    """When in a period a project has which plan: pairs of a stretch and the number of the plan."""
    groups = groups_of(groupings, project)
    fitting = []
    for at, plan in enumerate(book.get("plans", [])):
        match = plan.get("match", {})
        if matches(match, project) and ("groups" not in match or groups & set(match["groups"])):
            fitting.append((at, dated(plan)))
    edges = sorted({*period, *(edge for _, held in fitting for edge in held if period[0] < edge < period[1])})
    times = []
    for begin, end in zip(edges, edges[1:]):
        holding = [at for at, held in fitting if held[0] <= begin < held[1]]
        if holding:
            times.append(((begin, end), holding[0]))
    return times


def rate_at(book, currency, at):
    """The number of the exchange rate and the rate; None where there is none."""
    shown = book.get("display_currency", book.get("currency"))
    if currency == shown:
        return (-1, Fraction(1))
    held = [
        (instant(rate["from"]), index)
        for index, rate in enumerate(book.get("exchange_rates", []))
        if rate["currency"] == currency and instant(rate["from"]) <= at
    ]
    if not held:
        return None
    return (max(held)[1], number(book["exchange_rates"][max(held)[1]]["rate"]))
