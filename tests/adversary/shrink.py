"""Makes a failing sequence small: fewer steps, fewer options, plainer texts, the same failure."""

import copy


def smaller(steps):
    """Sequences with one thing less, the largest cuts first."""
    size = len(steps) // 2
    while size:
        for begin in range(0, len(steps), size):
            yield steps[:begin] + steps[begin + size:]
        size //= 2
    for number, step in enumerate(steps):
        for less in smaller_step(step):
            yield steps[:number] + [less] + steps[number + 1:]


def smaller_step(step):
    for key in ("kill", "fault", "stdin", "twice", "seconds", "bytes"):
        if key in step:
            yield {k: v for k, v in step.items() if k != key}
    for key in ("options", "arguments"):
        for i in range(len(step.get(key, []))):
            less = copy.deepcopy(step)
            del less[key][i]
            yield less
    for i, option in enumerate(step.get("options", [])):
        if len(option) > 1:
            for text in smaller_texts(option[1]):
                less = copy.deepcopy(step)
                less["options"][i][1] = text
                yield less
    for text in smaller_texts(step.get("stdin", "")):
        yield step | {"stdin": text}
    for text in smaller_texts(step.get("text", "")):
        # Whether it is still a good file is not known.
        yield {k: v for k, v in step.items() if k != "runs"} | {"text": text, "is": "unknown"}


def smaller_texts(text):
    """Without a line, a key of a spec, a word, or half of it."""
    for separator in ("\n", ",", " "):
        parts = text.split(separator)
        if len(parts) > 1:
            for i in range(min(len(parts), 40)):
                yield separator.join(parts[:i] + parts[i + 1:])
    if len(text) > 8:
        yield text[:len(text) // 2]
        yield text[len(text) // 2:]


def shrink(steps, fails, most=300):
    """The smallest sequence found for which `fails` is true, asking at most `most` times."""
    asked = 0
    progress = True
    while progress:
        progress = False
        for less in smaller(steps):
            if asked >= most:
                return steps
            if not less:
                continue
            asked += 1
            if fails(less):
                steps, progress = less, True
                break
    return steps
