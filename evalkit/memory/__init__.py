"""Measuring memory on LoCoMo, LongMemEval and BEAM: `pocket eval memory`. See the README of this folder."""
