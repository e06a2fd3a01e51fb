"""Whether a run that is killed goes on: nothing twice, nothing lost.

script.py -> one request with side effects on phone and memory, as a script
rider.py  -> a process that carries it out as `pocket run` does, or goes on with it
far.py    -> a phone in a process of its own, which lives on when the rider is killed in the middle of a call
kills.py  -> kill, look, go on, again until it has ended; what then stands beside what should -> figures
"""
