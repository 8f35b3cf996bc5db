"""Included use and tiers, in whole CU-milliseconds, or units of the meter: rules 5 to 7 of docs/prices.md.

Use is a dictionary from an hour of the billing period and a project to how much it is.
"""

from fractions import Fraction
from math import floor

from price_book import HOUR, number


def hours_to_units(hours):
    return floor(hours * HOUR)


def share(total, weights, order):
    """Rule 6: each share rounded down; what is left goes to those that lost most, of equals to the first seen."""
    whole = sum(weights.values())
    exact = {key: Fraction(total * weight, whole) for key, weight in weights.items()}
    shares = {key: floor(value) for key, value in exact.items()}
    left = total - sum(shares.values())
    by_loss = sorted(weights, key=lambda key: (shares[key] - exact[key], order.index(key)))
    for key in by_loss[:left]:
        shares[key] += 1
    return shares


def take_in_order(use, amount, order):
    """The first so much of all use in order of time; the hour in which it runs out is shared in proportion."""
    taken = {}
    for hour in sorted({hour for hour, _ in use}):
        its = {project: value for (each, project), value in use.items() if each == hour and value > 0}
        total = sum(its.values())
        if total <= amount:
            parts = its
        else:
            parts = share(amount, its, order)
        for project, value in parts.items():
            taken[hour, project] = value
        amount -= sum(parts.values())
        if amount == 0:
            break
    return taken


def free_use(use, included, per, order):
    if per == "account":
        return take_in_order(use, included, order)
    free = {}
    for project in order:
        own = {key: value for key, value in use.items() if key[1] == project}
        free.update(take_in_order(own, included, order))
    return free


def divide_tiers(billed, tiers, order, size=HOUR):
    """Billed use by tier, of the whole billing period."""
    left, parts, ended = dict(billed), [], 0
    for tier in tiers[:-1]:
        end = floor(number(tier["up_to"]) * size)
        part = take_in_order(left, end - ended, order)
        ended = end
        parts.append({key: part.get(key, 0) for key in billed})
        left = {key: value - part.get(key, 0) for key, value in left.items()}
    return [*parts, left]
