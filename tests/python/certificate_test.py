"""certificate(), check(): proofs, and the checker that shares no code."""

import playproof
import pytest


@pytest.mark.parametrize("game, algorithm, position, goal", [
    ("hex:size=4", "dfpn", "", "win"), ("hex:size=3", "ppn", "a1", "win"),
    ("othello:size=4", "uct", "", "value"), ("othello:size=4", "dfpn", "", "score"),
    ("nim:heaps=1.2.3", "minimax", "", "win"),
])
def test_every_proof_is_accepted(tmp_path, game, algorithm, position, goal):
    file = tmp_path / "proof.cert"
    result = playproof.solve(game, algorithm, position, goal, certificate=file)
    assert result.certificate == str(file)
    kept = playproof.solve(game, algorithm, position, goal, certificate=True)
    proof = file.read_bytes()
    assert playproof.certificate(kept) == proof
    assert playproof.certificate(playproof.solve(game, algorithm, position, goal)) == proof
    said = {"win": result.verdict, "value": result.value, "score": result.score}[goal]
    for source in (proof, bytearray(proof), file, str(file)):
        report = playproof.check(source, game=game, position=position, goal=goal, verdict=said)
        assert report and report.valid and report.status == "valid" and report.error == ""
        assert report.verdict == str(said) and report.attacker in ("first", "second")
        assert report.listed > 0
    compressed = tmp_path / "proof.cert.zst"
    playproof.solve(game, algorithm, position, goal, certificate=compressed)
    assert playproof.check(compressed) and playproof.check(compressed.read_bytes())


def test_what_is_no_proof():
    proof = playproof.certificate(playproof.solve("hex:size=4", "dfpn"))
    other = playproof.check(proof, goal="draw")
    assert not other and other.status == "not a proof" and "another goal" in other.error
    assert not playproof.check(proof, verdict="disproved")
    damaged = playproof.check(proof.replace(b"d", b"e", 40))
    assert not damaged and damaged.status in ("unreadable", "not a proof") and damaged.error
    for text in (b"", b"something", proof[:-20], b"\x28\xb5\x2f\xfd1234"):
        report = playproof.check(text)
        assert not report and report.status == "unreadable", text
    # Every byte that is changed is seen.
    for at in range(0, len(proof), 97):
        changed = bytearray(proof)
        changed[at] ^= 1
        assert not playproof.check(changed), at


def test_proof_after_a_resume(tmp_path):
    file = tmp_path / "run.ckpt"
    playproof.solve("hex:size=4", "pn", checkpoint=file, max_nodes=2000)
    result = playproof.solve(resume=file)
    assert playproof.check(playproof.certificate(result), game="hex:size=4", verdict="proved")


def test_errors(tmp_path):
    with pytest.raises(playproof.UsageError, match="undecided"):
        playproof.certificate(playproof.solve("hex:size=5", "pn", max_nodes=100))
    with pytest.raises(FileNotFoundError):
        playproof.check(tmp_path / "none")
    with pytest.raises(playproof.UsageError, match="max_search must be an integer 1"):
        playproof.check(b"x", max_search=0)
