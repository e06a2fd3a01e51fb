"""What people say for a tool, as a few vectors: prototypes, learned from the phrasings of training.

    phrasings with their tools -> embedder -> k-means in each tool -> vectors.npz, manifest.json   trainer/prototypes.py
    vectors.npz -> Recall                                                                          runtime/recall.py

A tool's description and its few example phrasings say what it does, not how people ask for it (Snell et al. 2017,
"Prototypical networks", keep the mean of a class; several means hold its several ways of asking). The vectors belong to
one embedder; with another one there are none.
"""

from runtime.prototypes.store import (
    FOLDER,
    Prototypes,
    PrototypesManifest,
    load_prototypes,
    read_manifest,
    save_prototypes,
)

__all__ = ["FOLDER", "Prototypes", "PrototypesManifest", "load_prototypes", "read_manifest", "save_prototypes"]
