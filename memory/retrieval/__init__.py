"""Retrieval: questions to evidence, out of what the caller's filter lets through. `Retriever` is the way in."""

from memory.retrieval.evidence import Evidence, EvidenceSet
from memory.retrieval.query import QueryShape, shape_of
from memory.retrieval.retriever import Retriever
from memory.retrieval.weights import DEFAULT, Weights

__all__ = ["DEFAULT", "Evidence", "EvidenceSet", "QueryShape", "Retriever", "Weights", "shape_of"]
