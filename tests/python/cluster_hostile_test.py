"""A worker that has a certificate and answers as it likes: what it can do, and what it cannot."""

import os
import re
import subprocess
import threading
import time

import playproof
import pytest

pytest.importorskip("distributed", reason="Dask is not installed")
from clusters import NIGHTLY, PLAN, certificates, command, dask, plan_of, rows, stored  # noqa: E402

# What workers do before they join: each answer goes through the function that the file has at that time.
HOSTILE = """\
import json
import playproof._bundles as bundles
honest, earlier = bundles.make_bundle, []

def make_bundle(task):
    answer = honest(task)
    earlier.append(answer)
    words = {'json': json, 'earlier': earlier}
    exec(open(FILE).read(), words)
    return words['changed'](answer)

bundles.make_bundle = make_bundle
"""

OF_ROWS = """\
def changed(answer):
    head, *made = answer.split(b"\\n")
    found = [json.loads(text) for text in made]
    for one in found:
        if "row" in one:
            change(one, one["row"])
    return b"\\n".join([head, *(json.dumps(one).encode() for one in found)])

def turn(row):
    row["verdict"] = row["outcome"] = {"proved": "disproved", "disproved": "proved"}[row["verdict"]]
"""

MEMORY = 400 << 20  # bytes that the process of the store may take; one of the answers has as many


def forget_peak():
    """The most memory that this process has had: a process that it starts would count it as its own."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Runs an experiment on two workers that change their answers as the code says; what it says itself. They have
    the certificate."""
    folder = tmp_path_factory.mktemp("hostile")
    files = certificates(folder / "made")
    names = ("--tls-ca", "--tls-cert", "--tls-key")
    options = [str(word) for pair in zip(names, files) for word in pair]
    of_dask = [str(word) for pair in zip(("--tls-ca-file", *names[1:]), files) for word in pair]
    behaviour = folder / "behaviour.py"
    (folder / "hostile.py").write_text(HOSTILE.replace("FILE", repr(str(behaviour))))
    before = f"exec(open({str(folder / 'hostile.py')!r}).read())"

    def run(plan, store, code, status, signal_after=None):
        behaviour.write_text(code.replace("FILE", repr(str(behaviour))))
        words = command(plan, store, "--scheduler", folder / "scheduler.json", *options)
        forget_peak()
        with open(folder / "said", "w+") as said, subprocess.Popen(words, stdout=said, stderr=said) as process:
            over = threading.Timer(90, process.kill)
            over.start()
            if signal_after is not None:
                time.sleep(signal_after)
                process.terminate()
            _, found, used = os.wait4(process.pid, 0)
            over.cancel()
            process.returncode = os.waitstatus_to_exitcode(found)
            said.seek(0)
            told = said.read()
        assert process.returncode == status, told[:2000]
        assert used.ru_maxrss * 1024 < MEMORY
        assert len(told) < 5000 and {c for c in told if not c.isprintable()} == {"\n"}
        return told

    with dask(folder, "--protocol", "tls", *of_dask, before=before):
        yield run


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A plan whose values exhaustive search says, and its rows."""
    folder = tmp_path_factory.mktemp("local")
    plan = plan_of(folder)
    assert playproof.run(plan, folder / "local.db")["status"] == 0
    return plan, rows(folder / "local.db")


def known_plan(folder):
    """A plan that says itself what comes out."""
    text = PLAN.replace("error_curves = true", "").replace('expected = "oracle"', "")
    text = text.replace('game = "pgame:branching=2,depth=DEPTH"', 'game = "hex:size=2"').replace(
        "trees = { from = 1, to = TREES }",
        'positions_file = "p.txt"\ncolumns = ["cell", "value"]\nposition = "{cell}"\nexpected = "{value}"')
    (folder / "plan.toml").write_text(text)
    (folder / "p.txt").write_text("a1 1\na2 -1\nb1 -1\nb2 1\n")
    return folder / "plan.toml"


# Answers that cannot be true: each ends the experiment at once.
REFUSED = {
    "an earlier answer again": ("changed = lambda answer: earlier[0]", r"key is|rows, .* times"),
    "a row twice": (OF_ROWS + "def changed(answer):\n    head, *made = answer.split(b'\\n')\n"
                    "    head = json.loads(head)\n    head['made'] *= 2\n"
                    "    return b'\\n'.join([json.dumps(head).encode(), *made, *made])\n",
                    r"rows, \d+ times, \d+ runs"),
    "a row of another run": (OF_ROWS + "def change(one, row): row['key'] += 'x'", "key is"),
    "more than was asked": (OF_ROWS + "def change(one, row): row['note'] = 'x'", "fields"),
    "a verdict that there is not": (OF_ROWS + "def change(one, row): row['verdict'] = 'w\\x1b]0;x\\x07'", "verdict is"),
    "fewer nodes than none": (OF_ROWS + "def change(one, row): row['nodes_created'] = -3", "nodes_created is -3"),
    "counters that say otherwise": (OF_ROWS + "def change(one, row): row['nodes_created'] = 7",
                                    "nodes_created is one that no run has"),
    "400 MB": ("changed = lambda answer: answer + b' ' * (400 << 20)", r"\d+ bytes, but it may have \d+"),
    "a long text": (OF_ROWS + "def change(one, row): row['device'] = 'x' * 1_000_000",
                    "device is a text of 1000000 bytes"),
    "deep JSON": ("changed = lambda answer: b'[' * 5_000_000", "an answer of a worker"),
    "a deep row": (OF_ROWS + "honest = changed\n"
                   "def change(one, row): row['key'] = 'DEEP'\n"
                   "def changed(answer): return honest(answer).replace(b'\"DEEP\"', b'[' * 500_000 + b']' * 500_000)",
                   "lists and objects more than 8 deep"),
    "a number": ("changed = lambda answer: 10 ** 10", "a int, not bytes"),
    "None": ("changed = lambda answer: None", "a NoneType, not bytes"),
    "nothing": ("changed = lambda answer: json.dumps({**json.loads(answer.split(b'\\n')[0]), 'made': []}).encode()",
                "it has no rows"),
    "another plan": ("changed = lambda answer: answer.replace(b'\"plan\": \"', b'\"plan\": \"x', 1)", "of plan x"),
}


@pytest.mark.parametrize("name", list(REFUSED)[::1 if NIGHTLY else 4])
def test_refused_by_name(hostile, local, tmp_path, name):
    """What was stored before is right, and an honest worker goes on from there."""
    code, fragment = REFUSED[name]
    plan, whole = local
    told = hostile(plan, tmp_path / "x.db", code, 65)
    assert re.fullmatch(r"playproof-cluster: .*\(the worker at tls://127\.0\.0\.1:\d+\)\n", told), told
    assert re.search(fragment, told), told
    assert stored(tmp_path / "x.db") == 0 or rows(tmp_path / "x.db").items() <= whole.items()
    assert "12 of 12 runs" in hostile(plan, tmp_path / "x.db", "changed = lambda answer: answer", 0)
    assert rows(tmp_path / "x.db") == whole


ERRORS = {
    "all is well": (0, 70), "a status of 3": (3, 70), "no text": (65, 65)}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_no_success(hostile, local, tmp_path, name):
    code, status = ERRORS[name]
    hostile(local[0], tmp_path / "x.db",
            f"changed = lambda answer: json.dumps({{**json.loads(answer.partition(b'\\n')[0]), 'made': [],"
            f" 'error': [{code}, '\\x1b[2Jgone\\u009b' if {code} else '']}}).encode()", status)
    assert stored(tmp_path / "x.db") == 0


def test_failures_are_named_and_asked_again(hostile, local, tmp_path):
    """It may say that its runs fail: nothing of them is stored."""
    told = hostile(local[0], tmp_path / "x.db",
                   OF_ROWS + "def changed(answer):\n    head, *made = answer.split(b'\\n')\n"
                   "    bad = json.dumps({'state': 'failed', 'text': '\\x1b[31mred\\u009b'}).encode()\n"
                   "    return b'\\n'.join([head, *[bad for _ in made]])\n", 70)
    assert "0 of 12 runs" in told and told.count("FAILED: run ") == 12 and "\\x1b[31mred" in told
    assert "12 of 12 runs" in hostile(local[0], tmp_path / "x.db", "changed = lambda answer: answer", 0)


def test_a_false_verdict_is_held_against_what_is_known(hostile, tmp_path):
    """Of the plan, which the worker cannot change."""
    plan = known_plan(tmp_path)
    told = hostile(plan, tmp_path / "x.db", OF_ROWS + "def change(one, row): turn(row)", 70)
    assert told.count("DISAGREEMENT") >= 4 and "12 of 12 runs" in told
    told = hostile(plan, tmp_path / "y.db", OF_ROWS + "def change(one, row):\n    turn(row)\n"
                   "    row['expected'] = row['verdict']", 65)
    assert "expected is" in told and stored(tmp_path / "y.db") == 0
    hostile(plan, tmp_path / "z.db",
            OF_ROWS + "def change(one, row): row['expected'] = row['expected_source'] = None", 65)


def test_false_verdicts_of_some_runs_contradict_the_others(hostile, local, tmp_path):
    told = hostile(local[0], tmp_path / "x.db", OF_ROWS + "def change(one, row):\n"
                   "    if 'PPN' in row['key']: turn(row)", 70)
    assert "DISAGREEMENT" in told


def test_consistent_lies_are_not_found(hostile, local, tmp_path):
    """docs/cluster.md says so: of what nobody else knows, a worker is believed."""
    plan, whole = local
    told = hostile(plan, tmp_path / "x.db", OF_ROWS + "def change(one, row):\n    turn(row)\n"
                   "    row['expected'] = row['verdict']\n    row['nodes_created'] = 7\n"
                   "    row['counters'] = json.dumps(json.loads(row['counters']) | {'nodes_created': 7})", 0)
    assert "12 of 12 runs" in told and "0 disagreements" in told
    found = rows(tmp_path / "x.db")
    assert found.keys() == whole.keys()
    of_the_question = ("plan", "series", "problem", "game", "position", "goal", "algorithm", "spec", "parameters",
                       "seed", "batch", "repetition", "max_nodes")
    for key, row in found.items():  # that is all that it can say
        assert row["verdict"] != whole[key]["verdict"] and row["nodes_created"] == 7
        assert all(row[name] == whole[key][name] for name in of_the_question)


def test_one_that_does_not_answer_holds_the_runs_back(hostile, local, tmp_path):
    """As long as it is there; the experiment can be ended all the same, and gone on with."""
    told = hostile(local[0], tmp_path / "x.db",
                   "import time\ndef changed(answer):\n    while 'sleep' in open(FILE).read(): time.sleep(0.1)\n"
                   "    return answer\n", 75, signal_after=5)
    assert "0 of 12 runs" in told
    assert "12 of 12 runs" in hostile(local[0], tmp_path / "x.db", "changed = lambda answer: answer", 0)
    assert rows(tmp_path / "x.db") == local[1]
