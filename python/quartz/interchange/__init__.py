"""What the adapters of quantum software packages have in common.

Each adapter says how an operation of its package is written in OpenQASM (``steps``). ``conversion`` makes a circuit of
Quartz from that, and puts everything that Quartz does not know back in its place; ``program`` writes a circuit with
registers and conditions; ``optimization`` runs Quartz on it. Nothing here needs any of the packages.
"""
