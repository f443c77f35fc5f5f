"""Loops over the letters of texts that a run makes."""

import math

from programs.registry import program


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
