"""Plans of tiny experiments, drawn from a grammar; some with one thing wrong."""

import re

GAMES = [("pgame:branching=2,depth=5", "trees = {{ from = {a}, to = {b} }}"),
         ("hex:size=3", 'positions = ["a1", "b2", "c3 a1"]'),
         ("hex:size=2", ""),
         ("othello:size=4", 'goals = ["win", "draw", "score>=3"]'),
         ("connect6:rows=3,columns=3,connect=3,stones=1", 'goals = ["draw", "win"]')]
ALGORITHMS = ["minimax", "pn", "pn:ties=path", "deeppn:R=0.5", "mcpn:playouts=3", "ppn:playouts=32",
              "mcts:playouts=2", "uct:C=0.5,playouts=5", "pn:order=random,leaf=mobility", "dfpn:leaf=unit",
              "alphabeta", "dfpn:leaf=unit,searchers=3,policy=random"]
SEVERAL = ("dfpn", "alphabeta")  # may have more than one worker

# (text to find, text instead): a plan that has the first is refused with the second.
WRONG = [("seed = 7", "seed = -7"), ("seed = 7", "sead = 7"), ("seed = 7", "seed = 'x'"),
         ("seed = 7", "seed = 99999999999999999999"), ("seed = 7", "seed = 7\nseed = 7"),
         ("seed = 7", "seed ="), ("seed = 7", "\xff = 7"), ("seed = 7", "seed = 7\0"),
         ("seed = 7", "[[[[[[["), ("seed = 7", "a = " + "[" * 3000),
         ("max_nodes = 2000", "max_nodes = 0"), ("max_nodes = 2000", ""),
         ("max_nodes = 2000", "max_nodes = 2000\nmax_seconds = 3"),
         ("kind = \"agreement\"", "kind = \"other\""), ("[limits]", "[limit]"),
         ("[[algorithm]]", "[[algorithms]]"), ("[[series]]", "[series]"), ("spec = \"", "spec = \"x"),
         ("label = \"A0\"", "label = \"A(0\""), ("label = \"A0\"", "label = 3"),
         ("game = \"", "game = \"no"), ("repetitions = 1", "repetitions = 99999999999"),
         ("name = \"p", "nam = \"p"), ("batch = 1", "batch = 0"), ("batch = 1", "pipeline = 0"),
         ("batch = 1", "workers = 0"), ("batch = 1", "workers = 'x'"), ("batch = 1", "workers = 257"),
         ("batch = 1", "error_curves = true\nworkers = 2"), ("spec = \"pn\"", "spec = \"pn\"\nworkers = 2"),
         ("# end", "[[claim]]\nid = 'c'\ntext = 't'\nsource = 's'\nformula = 'a(b) < c(d)'"),
         ("# end", "[[claim]]\nid = 'c'\ntext = 't'\nsource = 's'\nformula = '(((((((('"),
         ("# end", "[\"" + "x" * 10000 + "\"]")]


def most_workers(text):
    """So many threads are needed to run the plan."""
    return max([1, *map(int, re.findall(r"^workers = ([0-9]+)$", text, re.M))])


def draw(random):
    """(text, number of runs, is it a good plan)."""
    repetitions = random.choice([1, 1, 2])
    text = [f'name = "p{random.randint(1, 2)}"', "seed = 7", "batch = 1",
            f"repetitions = {repetitions}"]
    curves = random.random() < 0.2
    text += ["error_curves = true"] if curves else []
    text += ["[limits]", "max_nodes = 2000", "[report]", 'kind = "agreement"']
    problems = 0
    for number, (game, rest) in enumerate(random.sample(GAMES, random.randint(1, 2))):
        trees = random.randint(1, 12)
        text += ["[[series]]", f'name = "s{number}"', f'game = "{game}"']
        text += [rest.format(a=3, b=2 + trees)] if rest else ['positions = [""]']
        if rest.startswith("goals"):
            text.append('positions = [""]')
        if random.random() < 0.3:
            text.append('expected = "oracle"')
        goals = rest.count('"') // 2 if rest.startswith("goals") else 1
        positions = trees if rest.startswith("trees") else (
            3 if rest.startswith("positions") else 1)
        problems += goals * positions
    algorithms = random.sample(ALGORITHMS, random.randint(1, 4))
    for number, spec in enumerate(algorithms):
        text += ["[[algorithm]]", f'label = "A{number}"', f'spec = "{spec}"']
        if spec.startswith(SEVERAL) and "searchers" not in spec and not curves and random.random() < 0.5:
            text.append(f"workers = {random.choice([1, 2, 3])}")
        elif number and "," not in spec and random.random() < 0.2:  # it is called by its spec
            del text[-2]
    whole = "\n".join(text + ["# end", ""])
    good = random.random() < 0.7
    if not good:
        find, instead = random.choice(WRONG)
        good = find not in whole
        whole = whole.replace(find, instead, 1)
    return whole, problems * repetitions * len(algorithms), good
