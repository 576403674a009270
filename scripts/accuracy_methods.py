"""What scripts/accuracy compares `oscope rank` with: the usual baselines, and the variants among which `stack` was chosen.

A method takes the data (a list of failures) and returns ranking[i] = [(-similarity, j), ...] over positions in the data,
where pairs without any similarity may be missing. Written to be read, not to be fast.
"""
import collections
import math
import re

WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def events(failure):
    """Innermost first, as baselines over stacks have them: the exception, then the frames."""
    return [failure["exception"], *failure["frames"]]


def ranked_by(similarity, count, may_match):
    """A ranking from similarity(i, j); pairs outside may_match[i] have none and are left out."""
    return [sorted((-similarity(i, j), j) for j in sorted(may_match[i]) if j != i) for i in range(count)]


def sharing(bags):
    """For each bag the bags that have an item in common with it."""
    holders = collections.defaultdict(set)
    for i, bag in enumerate(bags):
        for item in bag:
            holders[item].add(i)
    return [set().union(*(holders[item] for item in bag)) if bag else set() for bag in bags]


def summed(vectors, combine):
    """For each pair with an item in common, the sum of combine(weight, weight) over such items: sums[i][j]."""
    holders = collections.defaultdict(list)
    for i, vector in enumerate(vectors):
        for item, weight in vector.items():
            if weight:
                holders[item].append((i, weight))
    sums = [collections.defaultdict(float) for _ in vectors]
    for held in holders.values():
        for i, left in held:
            row = sums[i]
            for j, right in held:
                row[j] += combine(left, right)
    return sums


def cosine(vectors):
    """A ranking by the cosine of sparse vectors {item: weight}."""
    length = [math.sqrt(sum(weight * weight for weight in vector.values())) for vector in vectors]
    return [sorted((-round(value / length[i] / length[j], 9), j) for j, value in row.items() if j != i)
            for i, row in enumerate(summed(vectors, lambda left, right: left * right))]


def shared_weight(vectors):
    """A ranking by the common weight over the united weight (weighted Jaccard)."""
    total = [sum(vector.values()) for vector in vectors]
    return [sorted((-round(value / (total[i] + total[j] - value), 9), j) for j, value in row.items() if j != i)
            for i, row in enumerate(summed(vectors, min))]


def inverse_frequency(bags):
    with_item = collections.Counter(item for bag in bags for item in set(bag))
    return {item: math.log(len(bags) / count) for item, count in with_item.items()}


def tf_idf(data):
    bags = [collections.Counter(events(failure)) for failure in data]
    rarity = inverse_frequency(bags)
    return cosine([{item: math.log1p(count) * rarity[item] for item, count in bag.items()} for bag in bags])


def common_prefix(data):
    stacks = [events(failure) for failure in data]

    def similarity(i, j):
        same = 0
        for left, right in zip(stacks[i], stacks[j]):
            if left != right:
                break
            same += 1
        return same / max(len(stacks[i]), len(stacks[j]))
    return ranked_by(similarity, len(stacks), sharing(stacks))


def levenshtein(data):
    stacks = [events(failure)[:30] for failure in data]

    def similarity(i, j):
        a, b = stacks[i], stacks[j]
        row = list(range(len(b) + 1))
        for x in a:
            above, row = row, [row[0] + 1]
            for k, y in enumerate(b):
                row.append(min(above[k + 1] + 1, row[k] + 1, above[k] + (x != y)))
        return 1 - row[-1] / max(len(a), len(b))
    return ranked_by(similarity, len(stacks), sharing(stacks))


def weighted_alignment(data):
    stacks = [events(failure)[:30] for failure in data]
    rarity = inverse_frequency([events(failure) for failure in data])
    weights = [[rarity[event] / math.sqrt(1 + k) for k, event in enumerate(stack)] for stack in stacks]
    totals = [sum(row) for row in weights]

    def similarity(i, j):
        best = [0.0] * (len(stacks[j]) + 1)
        for x, weight in zip(stacks[i], weights[i]):
            above, best = best, [0.0]
            for k, y in enumerate(stacks[j]):
                paired = above[k] + weight + weights[j][k] if x == y else 0.0
                best.append(max(above[k + 1], best[k], paired))
        return round(best[-1] / (totals[i] + totals[j]), 9)
    return ranked_by(similarity, len(stacks), sharing(stacks))


BASELINES = {
    "TF-IDF over frames": tf_idf,
    "common prefix": common_prefix,
    "normalised Levenshtein, 30 frames": levenshtein,
    "alignment by position and rarity": weighted_alignment,
}


def words(name):
    return [word.lower() for word in WORD.findall(name)]


def from_ends(slope):
    return lambda k, count: 1 / (1 + slope * min(k, count - 1 - k))


NEARNESS = {
    "no position": lambda k, count: 1.0,
    "both ends, slope 1/3": from_ends(1 / 3),
    "both ends": from_ends(1),
    "failure's end": lambda k, count: 1 / (1 + k),
    "test's end": lambda k, count: 1 / (count - k),
}
MEASURES = {"cosine": cosine, "shared weight": shared_weight}


def word_vectors(data, nearness, frames_only, keep=lambda failure, frame: True):
    vectors = []
    for failure in data:
        frames = [frame for frame in failure["frames"] if keep(failure, frame)]
        names = [(frame, nearness(k, len(frames))) for k, frame in enumerate(frames)]
        if not frames_only:
            names += [(failure["test"], 1.0), (failure["exception"], 1.0)]
        vector = {}
        for name, near in names:
            for word in words(name):
                vector[word] = max(vector.get(word, 0.0), near)
        vectors.append(vector)
    with_word = collections.Counter(word for vector in vectors for word in vector)
    return [{word: near * math.log2(1 + len(data) / with_word[word]) for word, near in vector.items()}
            for vector in vectors]


def variants(frames_only):
    """name -> method: every measure with every nearness."""
    def method(measure, nearness):
        return lambda data: measure(word_vectors(data, nearness, frames_only))
    return {f"{measure}, {near}": method(MEASURES[measure], NEARNESS[near]) for measure in MEASURES for near in NEARNESS}


def without_test_frames(data):
    """`stack` when the frames of the test's own class are gone: what the code under test alone tells."""
    def keep(failure, frame):
        return not frame.startswith(failure["test"].split("::")[0] + ".")
    return cosine(word_vectors(data, NEARNESS["both ends"], True, keep))
