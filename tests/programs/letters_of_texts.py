"""Loops over the letters of texts that a run makes."""

import math

from programs.registry import normal, positive, program


def grown(rule, n):
    text = "F"
    for _ in range(n):
        text = text.replace("F", rule)
    return text


@program(0.7, 1.2, "F+F-F[+F]F", 2, wrt=(0, 1), jit=True)
def a_turtle(angle, step, rule, n):
    x = y = reach = 0.0
    heading, stack = 0.1, []
    for letter in grown(rule, n):
        if letter == "F":
            x += step * math.cos(heading)
            y += step * math.sin(heading)
            reach = max(reach, x * x + y * y)
        elif letter == "+":
            heading += angle
        elif letter == "-":
            heading -= 0.9 * angle
        elif letter == "[":
            stack.append((x, y, heading))
            step *= 0.8
        elif letter == "]":
            x, y, heading = stack.pop()
            step /= 0.8
    return reach + x * y


@program(0.7, "F+F-F", 2, jit=True, second=True)
def letters_beside_numbers(angle, rule, n):
    text = grown(rule, n)
    x = sum(angle**k for k, letter in enumerate(text) if letter == "F")
    for a, b in zip(text, text[1:], strict=False):
        x += angle * (a == b) + math.sin(angle) * (a > b)
    for letter in reversed(text):
        x = 0.9 * x + (letter in "+-") * angle
    places = [k for k, letter in enumerate(text) if letter != "F"]
    return x + len(places) * angle**2 + any(letter == "+" for letter in text) * angle


class Symbol:
    def __init__(self, weight, name=None, left=None, right=None):
        self.weight, self.name, self.left, self.right = weight, name, left, right

    def __lt__(self, other):
        return self.weight < other.weight


@program(positive(5), second=True)
def the_length_of_a_code_of_huffman(p):
    names = "abcde"
    heap = [Symbol(w, names[k]) for k, w in enumerate(p)]
    while len(heap) > 1:
        heap.sort()
        a, b, *heap = heap
        heap.append(Symbol(a.weight + b.weight, None, a, b))
    codes = {}

    def spell(node, prefix=""):
        if node.name is not None:
            codes[node.name] = prefix or "0"
            return
        spell(node.left, prefix + "0")
        spell(node.right, prefix + "1")

    spell(heap[0])
    return sum(p[names.index(s)] ** 2 * len(code) for s, code in codes.items())


@program(positive(4))
def chances_of_ways_that_are_spelled(p):
    def ways(k, word):
        if k == len(p):
            return [(word, 1.0)]
        left = [(w, q * p[k]) for w, q in ways(k + 1, word + "L")]
        return left + [(w, q * (1 - p[k])) for w, q in ways(k + 1, word + "R")]

    return sum(q * (1 + w.count("L")) for w, q in ways(0, ""))


@program(normal(5))
def names_joined_as_numbers_are(x):
    queue = [(v, "a") for v in x]
    while len(queue) > 1:
        v, name = queue.pop(0)
        w, other = queue.pop(0)
        queue.append((v * w + v, name + other))
    return queue[0][0] * len(queue[0][1])
