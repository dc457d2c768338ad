"""Conditions, findings and sentences of the papers' page: what counts once, and whose numbers stand where."""

import unittest

import support
from playproof_report import claims, findings, paper_list, papers
from playproof_report.statistics import Interval


def judgement(claim, verdict=claims.REPRODUCED, value=0.5, series="s", **more):
    return claims.Judgement({**support.claim(**more), "id": claim}, series, verdict,
                            Interval(value, value / 2, value * 2, 9), 0, 1, "")


class Sentences(unittest.TestCase):
    FOUND = {"p": [judgement("a"), judgement("b", value=0.0123), judgement("b", value=1234.5, series="t"),
                   judgement("c", claims.NO_DATA), judgement("d", value=0.25, statistic=claims.SHARE_BELOW)]}

    def test_numbers_are_filled_in(self):
        for sentence, said in (("x {p|a} y", "x 0.5 (0.25 to 1) y"), ("{=p|a}", "0.5"), ("{=p|b|s}, {=p|b|t}", "0.0123, 1,234"),
                               ("{p|d}", "25 % (12.5 % to 50 %)"), ("none", "none")):
            self.assertEqual(findings.learnt(sentence, self.FOUND, []), said)

    def test_nothing_is_said_where_one_is_missing(self):
        for sentence in ("{p|a} {q|a}", "{p|z}", "{p|b}", "{p|b|u}", "{p|c}"):
            self.assertEqual(findings.learnt(sentence, self.FOUND, []), "")

    def test_printed_pairs(self):
        """Table 3.2 of the thesis: four of eight."""
        for pairs, said in (([[1, 2]] * 4 + [[2, 1]] * 4, "4 of 8, 1"), ([[1, 2]] * 8, "8 of 8, 0.0078"),
                            ([[1, 2]] * 7 + [[2, 1], [3, 3]], "7 of 8, 0.07")):
            self.assertEqual(findings.learnt("{printed less} of {printed pairs}, {printed p}", {}, pairs), said)


class Counts(unittest.TestCase):
    PAPER = paper_list.Paper("S0", "t", "b", [], [])

    def row(self, at, judged, conditions="same", first=None, **options):
        result = paper_list.Result(at, "1", "says", "ran", conditions=conditions, **options)
        return papers.Row(self.PAPER, result, [("p", one) for one in judged], [], [], first=first)

    def rows(self):
        one = self.row("Fig. 1", [judgement("a"), judgement("b")])
        return [one, self.row("Fig. 2", [judgement("a"), judgement("c", claims.NOT)], "other game"),
                self.row("Fig. 3", [judgement(f"u{n}") for n in range(72)], once=True),
                self.row("Fig. 4", [judgement("e", claims.PARTLY)], "other size"),
                self.row("Fig. 5", [], first=one, same_as="s0-fig-1"),
                self.row("Fig. 6", [], findings.NOT_RUN)]

    def test_the_line(self):
        self.assertEqual(papers.line(self.rows(), [self.PAPER] * 5),
                         "6 results of five papers, 1 of them told twice: 4 tested (2 as the papers did, 1 at another "
                         "size, 1 in another game), of which 2 hold, 0 contradicted, 1 mixed, 1 open; 1 not run")

    def test_judgements_count_once(self):
        """That which two rows have, and a statement that is judged 72 times."""
        self.assertEqual(papers.count_judgements(self.rows()),
                         {claims.REPRODUCED: 3, claims.PARTLY: 1, claims.NOT: 1})
        self.assertIn("one statement, judged 72 times: 72 of 72 hold", papers.counts_text(self.rows()[2]))

    def test_what_is_told_again_has_the_finding_of_the_first(self):
        row = self.rows()[4]
        self.assertEqual((row.conditions, row.finding), ("same", "holds"))
        self.assertEqual(papers._text_of(row, 8), ["  Fig. 5    as S0 Fig. 1"])


class OtherFormula(unittest.TestCase):
    def test_labels_that_are_there(self):
        made = support.made_up([], labels=("inv R=1", "inv R=0", "inv1 R=1", "PN"), claims=[
            support.claim(subject="inv R=1", base="PN"), support.claim(subject="inv R=0", base="PN"),
            support.claim(subject="PN", base="PN")])
        for one in made.plan["claims"]:
            one["formula"] = f"iterations({one['subject']}) < iterations({one['base']})"
        found, = claims.with_other_labels(made, "inv", "inv1")
        self.assertEqual((found["subject"], found["base"], found["formula"]),
                         ("inv1 R=1", "PN", "iterations(inv1 R=1) < iterations(PN)"))
        self.assertEqual(claims.with_other_labels(made, "x", "y"), [])

    def test_a_row_has_both(self):
        result = paper_list.Result("Fig. 1", "1", "says", "ran", {"p": ["a"]}, conditions="same", own_formula=True)
        stored = {"p": papers.Judged({}, [judgement("a")], 1, 1, instead=[judgement("a", claims.NOT), judgement("b")])}
        row = papers._row(Counts.PAPER, result, stored)
        self.assertEqual((row.finding, row.finding_instead), ("holds", "contradicted"))
        self.assertEqual(papers.instead_text(row), "with its own formula contradicted, 0 of 1 hold, 1 contradicted")
        self.assertEqual(papers.count_judgements([row])[claims.NOT], 0)  # beside the row's own ones
        result.own_formula = False
        self.assertEqual(papers.instead_text(papers._row(Counts.PAPER, result, stored)), "")


if __name__ == "__main__":
    unittest.main()
