#!/usr/bin/env python3
"""An example of a metric of your own: how many events two traces do not share, each as often as it occurs.

In oscope.toml:
    [metrics.bag]
    command = ["python3", "bag_metric.py"]

Then: SELECT b WHERE INTERSECT?(b, tbug, 5) DISTANCE u(bag)
"""
import collections
import sys


def distance(a, b):
    count_a, count_b = collections.Counter(a), collections.Counter(b)
    return sum(((count_a - count_b) + (count_b - count_a)).values())


def main():
    names = []
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "oscope-metric":
            print("oscope-metric 1", flush=True)
        elif word == "event":
            names.append(rest.partition(" ")[2])
        elif word == "pair":
            a_size, b_size, *ids = map(int, rest.split())
            a = [names[i] for i in ids[:a_size]]
            b = [names[i] for i in ids[a_size:a_size + b_size]]
            print(distance(a, b), flush=True)


if __name__ == "__main__":
    main()
