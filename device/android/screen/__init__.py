"""What stands on a screen: a dump becomes a short list of labelled elements, and an element is found again later."""

from device.android.screen.dump import DumpProblem, Node, Tree, read_dump
from device.android.screen.fold import Folded, FoldedElement, fold
from device.android.screen.identity import Lost, find_again

__all__ = ["DumpProblem", "Folded", "FoldedElement", "Lost", "Node", "Tree", "find_again", "fold", "read_dump"]
