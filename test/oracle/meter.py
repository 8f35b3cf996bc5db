"""What the service meters besides compute, by rule 16 of docs/prices.md."""

from fractions import Fraction
from math import floor

from price_book import HOUR, dated, dated_list, length, number, overlap, rate_at
from use import divide_tiers, free_use

USUAL_NAMES = {
    "root_branch_bytes_month": "root branch storage",
    "child_branch_bytes_month": "child branch storage",
    "instant_restore_bytes_month": "instant restore",
    "snapshot_storage_bytes_month": "snapshot storage",
    "public_network_transfer_bytes": "public network transfer",
    "private_network_transfer_bytes": "private network transfer",
    "extra_branches_month": "extra branches",
}


def unit_size(metric, rules):
    """How many units of the meter are one that is billed."""
    gigabyte = 2**30 if rules.get("gigabyte") == "binary" else 10**9
    month = 31 * 24 if rules.get("unit") == "hour" else 1
    if metric.endswith("_network_transfer_bytes"):
        return gigabyte
    return month if metric == "extra_branches_month" else gigabyte * month


def metered_lines(bill, index, thing):
    """The lines of a metered thing of a plan: one for each project, price, tier and exchange rate."""
    plan = bill.book["plans"][index]
    size = unit_size(thing["metric"], bill.book.get("meter", {}))
    currency = plan.get("currency", bill.book.get("currency"))
    held = dated(thing)
    written = thing["price"] if isinstance(thing["price"], list) else {"price": thing["price"]}
    prices = [(overlap(time, held), price) for time, price in dated_list(written)]
    use, price_of_hour = priced_use(bill, index, thing, prices)
    quantity, per = included(bill, index, thing, held)
    free = free_use(use, floor(quantity * size), per, bill.order)
    billed = {key: value - free.get(key, 0) for key, value in use.items()}
    lines = {}
    for at, (_, price) in enumerate(prices):
        tiers = price.get("tiers")
        for tier, part in enumerate(divide_tiers(billed, tiers or [{}], bill.order, size)):
            listed = number((tiers[tier] if tiers else price)["price"])
            each = listed * (1 - number(price.get("discount_percent", 0)) / 100)
            for (hour, project), value in part.items():
                if price_of_hour[hour] != at:
                    continue
                rate = rate_at(bill.book, currency, bill.period[0] + hour * HOUR)
                line = lines.setdefault(
                    (project, at, tier, rate),
                    {
                        "kind": "metered",
                        "project": project,
                        "plan": plan["name"],
                        "name": thing.get("name", USUAL_NAMES[thing["metric"]]),
                        **({"tier": tier + 1} if tiers and len(tiers) > 1 else {}),
                        "list": listed,
                        "price": each,
                        "currency": currency,
                        "included": 0,
                        "billed": 0,
                    },
                )
                line["billed"] += value
                if tier == 0:
                    line["included"] += free.get((hour, project), 0)
    for (_, _, _, rate), line in lines.items():
        line["amount"] = line["price"] * line["billed"] / size
        bill.show(line, rate)
        if line["billed"] > 0 or line["included"] > 0:
            yield line


def priced_use(bill, index, thing, prices):
    """What is metered by hour and project while the thing has a price, and the number of that price."""
    by_hour = {}
    for each in bill.case.get("metered", []):
        known = bill.period[0] <= each["at"] < min(bill.period[1], bill.as_of)
        if known and each["metric"] == thing["metric"] and each["project"] in bill.times:
            key = ((each["at"] - bill.period[0]) // HOUR, each["project"])
            by_hour[key] = by_hour.get(key, 0) + int(each["amount"])
    use, price_of_hour = {}, {}
    for (hour, project), amount in by_hour.items():
        at = bill.period[0] + hour * HOUR
        number_of_price = next((found for found, (time, _) in enumerate(prices) if time[0] <= at < time[1]), None)
        beyond = max(0, amount - int(thing.get("included_at_once", 0)))
        if beyond > 0 and number_of_price is not None and bill.plan_at(project, at) == index:
            use[hour, project] = beyond
            price_of_hour[hour] = number_of_price
    return use, price_of_hour


def included(bill, index, thing, held):
    written = thing.get("included")
    if written is None:
        return Fraction(0), "account"
    entries = [(overlap(time, held), value) for time, value in dated_list(written)]
    entries = [(time, value) for time, value in entries if length(time) > 0]
    if not entries:
        return Fraction(0), "account"
    return bill.amount_of(index, [(time, number(value["quantity"])) for time, value in entries]), entries[0][1]["per"]
