"""The bill of an account for one billing period, in exact fractions, by the rules of docs/prices.md alone.

Reads a list of cases as JSON from standard input and writes the list of their bills. It knows nothing of the program.
"""

import json
import sys
from fractions import Fraction
from math import floor

from price_book import (
    HOUR,
    billing_period,
    dated,
    dated_list,
    instant,
    length,
    number,
    overlap,
    plan_times,
    rate_at,
    union,
)
from meter import metered_lines
from use import divide_tiers, free_use, hours_to_units


def round_half_up(value, decimals):
    """To so many decimals, half a unit away from 0."""
    scaled = abs(value) * 10**decimals
    rounded = Fraction(floor(scaled + Fraction(1, 2)), 10**decimals)
    return rounded if value >= 0 else -rounded


class Bill:
    def __init__(self, case):
        self.case = case
        self.book = case["pricing"]
        self.account = case["account"]
        self.groups = case.get("groups")
        self.period = billing_period(self.book.get("billing_period", "month"), case["at"])
        self.as_of = case["as_of"]
        self.over = self.as_of >= self.period[1]
        self.rounding = self.book.get("rounding")
        self.decimals = {each["currency"]: each["decimals"] for each in (self.rounding or {}).get("currencies", [])}
        self.projects = [each for each in case["projects"] if each["account"] == self.account]
        self.order = [project["id"] for project in self.projects]
        self.times = {
            project["id"]: plan_times(self.book, self.groups, project, self.period) for project in self.projects
        }
        self.lines = []

    def compute(self):
        plans = self.book.get("plans", [])
        self.unpriced()
        for index in range(len(plans)):
            self.usage(index)
            for thing in plans[index].get("metered", []):
                self.lines.extend(metered_lines(self, index, thing))
        known_until = min(self.period[1], self.as_of)
        if known_until > max(self.period[0], self.case["recorded_from"]):
            for index in range(len(plans)):
                self.plan_charges(index)
            for line in self.book.get("lines", []):
                self.free_line(line)
            for kind in ("adjustment", "credit"):
                for adjustment in self.book.get("adjustments", []):
                    if adjustment["kind"] == kind:
                        self.adjust(adjustment)
            if self.over and self.rounding:
                self.round()
            self.taxes()
        return self.lines

    # Rules 2 and 4.

    def plan_at(self, project, at):
        for stretch, index in self.times[project]:
            if stretch[0] <= at < stretch[1]:
                return index
        return None

    def price_at(self, index, at):
        for number_of_price, (held, _) in enumerate(dated_list(self.book["plans"][index]["prices"])):
            if held[0] <= at < held[1]:
                return number_of_price
        return None

    def used(self):
        for use in self.case["use"]:
            if use["project"] in self.times and self.period[0] <= use["at"] < min(self.period[1], self.as_of):
                plan = self.plan_at(use["project"], use["at"])
                yield use, plan, None if plan is None else self.price_at(plan, use["at"])

    def unpriced(self):
        sums = {}
        for use, plan, price in self.used():
            if price is None:
                sums[use["project"], plan] = sums.get((use["project"], plan), 0) + int(use["cu_ms"])
        for (project, plan), value in sums.items():
            if value > 0:
                named = {} if plan is None else {"plan": self.book["plans"][plan]["name"]}
                self.lines.append({"kind": "usage", "project": project, **named, "unpriced": value})

    def in_force(self, index):
        return union(stretch for times in self.times.values() for stretch, plan in times if plan == index)

    # Rule 3.

    def amount_of(self, index, entries):
        """The sum of values by the part of the billing period in which each holds while the plan is in force."""
        force = self.in_force(index)
        parts = [
            (sum(length(overlap(held, stretch)) for stretch in force), value)
            for held, value in entries
        ]
        held_parts = [(part, value) for part, value in parts if part > 0]
        if self.book["plans"][index].get("partial_period") == "whole":
            return held_parts[0][1] if held_parts else Fraction(0)
        return sum((value * part for part, value in held_parts), Fraction(0)) / length(self.period)

    def dated_amount(self, index, written):
        if written is None:
            return Fraction(0)
        entries = [
            (held, number(value["amount"] if isinstance(value, dict) else value)) for held, value in dated_list(written)
        ]
        return self.amount_of(index, entries)

    def included(self, index, thing):
        """How much is included, of compute hours or of money, and for whom. Of what an entry is not about it has 0."""
        written = self.book["plans"][index].get("included")
        if written is None:
            return Fraction(0), "account"
        entries = dated_list(written)
        return (
            self.amount_of(index, [(held, number(value.get(thing, 0))) for held, value in entries]),
            entries[0][1]["per"],
        )

    # Rules 5 to 8.

    def usage(self, index):
        plan = self.book["plans"][index]
        prices = dated_list(plan["prices"])
        currency = plan.get("currency", self.book.get("currency"))
        use, price_of_hour = {}, {}
        for each, its_plan, price in self.used():
            if its_plan == index and price is not None:
                hour = (each["at"] - self.period[0]) // HOUR
                use[hour, each["project"]] = use.get((hour, each["project"]), 0) + int(each["cu_ms"])
                price_of_hour[hour] = price
        hours, per = self.included(index, "compute_hours")
        free = free_use(use, hours_to_units(hours), per, self.order)
        billed = {key: value - free.get(key, 0) for key, value in use.items()}
        usage_lines = {}
        for at, (_, price) in enumerate(prices):
            tiers = price.get("tiers")
            for tier, part in enumerate(divide_tiers(billed, tiers or [{}], self.order)):
                written = tiers[tier] if tiers else price
                each_hour = number(written["per_compute_hour"]) * (1 - number(price.get("discount_percent", 0)) / 100)
                for (hour, project), value in part.items():
                    if price_of_hour[hour] == at:
                        rate = rate_at(self.book, currency, self.period[0] + hour * HOUR)
                        key = (project, at, tier, rate)
                        line = usage_lines.setdefault(
                            key,
                            {
                                "kind": "usage",
                                "project": project,
                                "plan": plan["name"],
                                **({"tier": tier + 1} if tiers and len(tiers) > 1 else {}),
                                "price_number": at,
                                "price": each_hour,
                                "rate": None if rate is None else rate[1],
                                "currency": currency,
                                "included": 0,
                                "billed": 0,
                            },
                        )
                        line["billed"] += value
                        if tier == 0:
                            line["included"] += free.get((hour, project), 0)
        for (_, _, _, rate), line in usage_lines.items():
            line["amount"] = line["price"] * line["billed"] / HOUR
            self.show(line, rate)
            if line["billed"] > 0 or line["included"] > 0:
                self.lines.append(line)

    def show(self, line, rate):
        if rate is not None:
            line["display_amount"] = line["amount"] * rate[1]

    def charge(self, kind, amount, currency, **rest):
        """Rules 14 and 15."""
        if amount != 0:
            line = {"kind": kind, "amount": amount, "currency": currency, **rest}
            self.show(line, rate_at(self.book, currency, self.period[1] - 1))
            self.lines.append(line)

    # Rule 9.

    def exists(self, project):
        return (project["created_at"], project.get("deleted_at") or NEVER_DELETED)

    def is_due(self, index):
        prices = dated_list(self.book["plans"][index]["prices"])
        force = self.in_force(index)
        priced = any(length(overlap(held, stretch)) > 0 for held, _ in prices for stretch in force)
        there = any(
            plan == index and length(overlap(stretch, self.exists(project))) > 0
            for project in self.projects
            if project["created_at"] < self.as_of
            for stretch, plan in self.times[project["id"]]
        )
        return priced and there

    def plan_charges(self, index):
        if not self.is_due(index):
            return
        plan = self.book["plans"][index]
        named = {"plan": plan["name"]}
        currency = plan.get("currency", self.book.get("currency"))
        usage = [
            line
            for line in self.lines
            if line["kind"] == "usage" and line.get("plan") == plan["name"] and "amount" in line
        ]
        spent = {}
        for line in usage:
            spent[line["project"]] = spent.get(line["project"], Fraction(0)) + line["amount"]
        allowance, per = self.included(index, "amount")
        taken = Fraction(0)
        if per == "project":
            for project, amount in spent.items():
                self.charge("allowance", -min(allowance, amount), currency, project=project, **named)
                taken += min(allowance, amount)
        else:
            taken = min(allowance, sum(spent.values(), Fraction(0)))
            self.charge("allowance", -taken, currency, **named)
        if self.over:
            least = self.dated_amount(index, plan.get("minimum"))
            self.charge("minimum", max(Fraction(0), least - sum(spent.values()) + taken), currency, **named)
        self.charge("base_fee", self.dated_amount(index, plan.get("base_fee")), currency, **named)
        for thing in plan.get("counted", []):
            self.counted(index, thing, currency)

    def counted(self, index, thing, currency):
        known = (self.period[0], min(self.period[1], self.as_of))
        held = overlap(dated(thing), known)
        stretches = []
        for each in self.things(thing["of"]):
            for stretch, plan in self.times[each["project"]]:
                if plan == index:
                    for there in each["there"]:
                        stretches.append(overlap(overlap(stretch, there), held))
        stretches = [stretch for stretch in stretches if length(stretch) > 0]
        included = number(thing.get("included", 0))
        if thing.get("count", "time") == "time":
            included = self.amount_of(index, [(dated(thing), included)])
            found = Fraction(sum(map(length, stretches)), length(self.period))
        else:
            found = max(
                (sum(1 for other in stretches if other[0] <= at < other[1]) for at, _ in stretches), default=0
            )
        quantity = max(Fraction(0), found - included)
        self.charge(
            "counted",
            quantity * number(thing["price"]),
            currency,
            plan=self.book["plans"][index]["name"],
            name=thing["name"],
            quantity=round_half_up(quantity, 12),
        )

    def things(self, kind):
        if kind == "projects":
            return [{"project": project["id"], "there": [self.exists(project)]} for project in self.projects]
        lives = {project["id"]: self.exists(project) for project in self.projects}
        endpoints = [each for each in self.case["endpoints"] if each["project"] in lives]
        there = [overlap(self.exists(each), lives[each["project"]]) for each in endpoints]
        if kind == "endpoints":
            return [{"project": each["project"], "there": [life]} for each, life in zip(endpoints, there)]
        branches = {}
        for each, life in zip(endpoints, there):
            branches.setdefault((each["project"], each["branch"]), []).append(life)
        return [{"project": project, "there": union(there)} for (project, _), there in branches.items()]

    # Rules 10 and 11.

    def part_of(self, charge):
        """How much of the billing period a charge with dates holds; undivided where it is made on a day."""
        if charge.get("account", self.account) != self.account:
            return Fraction(0)
        if "on" in charge:
            return Fraction(1 if self.period[0] <= instant(charge["on"]) < self.period[1] else 0)
        return Fraction(length(overlap(dated(charge), self.period)), length(self.period))

    def free_line(self, line):
        currency = line.get("currency", self.book.get("currency"))
        part = self.part_of(line)
        if "quantity" in line:
            quantity = number(line["quantity"]) * part
            shown = {"quantity": round_half_up(quantity, 12)}
            self.charge("line", quantity * number(line["price"]), currency, name=line["name"], **shown)
        else:
            self.charge("line", number(line["amount"]) * part, currency, name=line["name"])

    def so_far(self, currency):
        return sum((line["amount"] for line in self.lines if line.get("currency") == currency), Fraction(0))

    def adjust(self, adjustment):
        currency = adjustment.get("currency", self.book.get("currency"))
        amount = number(adjustment["amount"]) * self.part_of(adjustment)
        if adjustment["kind"] == "credit":
            amount = -max(Fraction(0), min(amount, self.so_far(currency)))
        self.charge(adjustment["kind"], amount, currency, name=adjustment["name"])

    # Rules 12 and 13.

    def round(self):
        of_project = self.rounding.get("line", "account") == "project"
        invoice = {}
        for at, line in enumerate(self.lines):
            if "amount" not in line:
                continue
            project = line.get("project") if of_project else None
            if line["kind"] == "usage":
                key = ("usage", project, line["plan"], line["price_number"], line.get("tier"))
            elif line["kind"] == "metered":
                key = ("metered", project, line["plan"], line["name"], line["list"], line["price"], line.get("tier"))
            elif line["kind"] == "allowance":
                key = ("allowance", project, line["plan"])
            else:
                key = ("charge", at)
            key = (line["currency"], *key)
            invoice[key] = invoice.get(key, Fraction(0)) + line["amount"]
        differences = {}
        for key, amount in invoice.items():
            difference = self.rounded(amount, key[0]) - amount
            differences[key[0]] = differences.get(key[0], Fraction(0)) + difference
        for currency, difference in differences.items():
            self.charge("rounding", difference, currency)

    def rounded(self, amount, currency):
        return round_half_up(amount, int(self.decimals.get(currency, self.rounding["decimals"])))

    def taxes(self):
        last = self.period[1] - 1
        taxed = [line for line in self.lines if "amount" in line]
        for tax in self.book.get("adjustments", []):
            held = dated(tax)
            meant = tax.get("account", self.account) == self.account
            if tax["kind"] != "tax" or not meant or not held[0] <= last < held[1]:
                continue
            for currency in dict.fromkeys(line["currency"] for line in taxed):
                base = sum((line["amount"] for line in taxed if line["currency"] == currency), Fraction(0))
                amount = base * number(tax["percent"]) / 100
                if self.over and self.rounding:
                    amount = self.rounded(amount, currency)
                self.charge("tax", amount, currency, name=tax["name"])


NEVER_DELETED = 10**16


def render(value):
    return str(value) if isinstance(value, Fraction) else value


def main():
    cases = json.load(sys.stdin, parse_float=str)
    bills = [[{key: render(value) for key, value in line.items()} for line in Bill(case).compute()] for case in cases]
    json.dump(bills, sys.stdout)


if __name__ == "__main__":
    main()
