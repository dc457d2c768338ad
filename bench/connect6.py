"""Counts which Connect6 positions searches win, within a limit of nodes: what README says of it.

usage: python3 bench/connect6.py build/playproof [--algorithm vcdt pn:probe=vcdt ...]
           [--nodes 20000] [--positions tests/data/connect6-vcdt-win.txt] [--every 1]

Prints a line an algorithm: positions, how many the side to move wins, CPU seconds in all and the
median, nodes in all, the leaves that were won by threats, and what the certificates have in text. Every
certificate is checked.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

SET = pathlib.Path(__file__).parent.parent / "tests" / "data" / "connect6-vcdt-win.txt"


def read(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return [line.split(" ")[0] for line in lines if line.startswith(";")]


def solve(program, algorithm, position, nodes, folder):
    proof = str(pathlib.Path(folder) / "proof.cert")
    command = [program, "solve", "connect6", "--algorithm", algorithm, "--position", position, "--threads",
               "1", "--max-nodes", str(nodes), "--certificate", proof, "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 2):
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    answer = json.loads(done.stdout)
    answer["proof_bytes"] = 0
    if done.returncode == 0:
        subprocess.run([program + "-check", proof], check=True, stdout=subprocess.DEVNULL)
        answer["proof_bytes"] = pathlib.Path(proof).stat().st_size
        pathlib.Path(proof).unlink()
    return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the playproof program, e.g. build/playproof")
    parser.add_argument("--algorithm", nargs="+", default=["vcdt", "vcst", "pn:probe=vcdt", "dfpn:probe=vcdt"])
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--positions", default=SET)
    options = parser.parse_args()
    positions = read(options.positions)[::options.every]
    print("| algorithm | positions | won | CPU s | median ms | nodes | leaves won by threats | certificates MiB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for algorithm in options.algorithm:
        with tempfile.TemporaryDirectory() as folder:
            answers = [solve(options.program, algorithm, p, options.nodes, folder) for p in positions]
        seconds = [answer["cpu_seconds"] for answer in answers]
        won = sum(answer["verdict"] == "proved" for answer in answers)
        races = sum(answer["probed"].get("races", 0) for answer in answers)
        nodes = sum(answer["nodes_created"] for answer in answers)
        size = sum(answer["proof_bytes"] for answer in answers) / 2**20
        print(f"| `{algorithm}` | {len(positions)} | {won} | {sum(seconds):.2f} | "
              f"{statistics.median(seconds) * 1e3:.1f} | {nodes:,} | {races:,} | {size:.2f} |", flush=True)


if __name__ == "__main__":
    main()
