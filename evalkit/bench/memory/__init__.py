"""What the memory costs, finds, keeps and forgets: `pocket bench memory`, `--long`, `--faults`.

prose.py, updates.py, histories.py -> turns and questions, made anew from a seed
stand.py                           -> the store as an application opens it
recall.py, cost.py, process.py     -> `pocket bench memory`, beside rival.py in the same run
length.py                          -> `--long`;  kills.py, erasures.py, tenants.py, cache.py -> `--faults`
"""
