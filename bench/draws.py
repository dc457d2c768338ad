"""Draws of positions, from splitmix64: a seed gives the same ones everywhere."""

MASK = (1 << 64) - 1


class Draws:
    def __init__(self, seed):
        self.state = seed

    def below(self, count):
        """0 .. count - 1."""
        self.state = self.state + 0x9e3779b97f4a7c15 & MASK
        x = self.state
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & MASK
        x = (x ^ x >> 27) * 0x94d049bb133111eb & MASK
        return ((x ^ x >> 31) >> 32) * count >> 32
