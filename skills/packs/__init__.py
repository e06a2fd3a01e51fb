"""Skill packs: Skills of others, installed from a folder or an archive, pinned by digest; and Skills for others."""
