"""Starts processes that share work, on one machine."""

import os
import subprocess
import time

# Open MPI requires these settings to run as root (as in a container), to start more processes than
# there are cores, and to run without the kernel's support for copies between processes and without
# ssh.
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_plm_rsh_agent": "",
    "OMPI_MCA_plm": "isolated",
}
# Seconds after which a run that hangs is a failed test.
LIMIT = 120


def start(mpirun, ranks, program, *arguments, options=(), cwd=None):
    """Starts a program in several processes, with options of mpirun."""
    return subprocess.Popen(
        [mpirun, *options, "-n", str(ranks), program, *arguments],
        cwd=cwd,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(mpirun, ranks, program, *arguments, options=(), cwd=None):
    process = start(mpirun, ranks, program, *arguments, options=options, cwd=cwd)
    out, err = process.communicate(timeout=LIMIT)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def children_of(process):
    done = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
    )
    return [int(pid) for pid in done.stdout.split()]


def wait_until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)
