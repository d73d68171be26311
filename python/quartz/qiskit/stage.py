"""The method "quartz" of the optimization stage of Qiskit's transpiler."""

from __future__ import annotations

from qiskit.transpiler import PassManager, PassManagerConfig, Target
from qiskit.transpiler.preset_passmanagers.plugin import PassManagerStagePlugin, PassManagerStagePluginManager

from quartz.qiskit.optimization_pass import QuartzOptimization
from quartz.qiskit.stage_settings import SECONDS_OF_LEVEL, current_settings


class QuartzStage(PassManagerStagePlugin):
    """Runs Qiskit's own optimization of the same level, which also makes the circuit valid for the target, and then
    Quartz, which keeps it so. The result is therefore never worse than Qiskit's."""

    def pass_manager(
        self, pass_manager_config: PassManagerConfig, optimization_level: int | None = None
    ) -> PassManager | None:
        level = 2 if optimization_level is None else optimization_level
        own: PassManager | None = PassManagerStagePluginManager().get_passmanager_stage(
            "optimization", "default", pass_manager_config, optimization_level=level
        )
        settings = current_settings()
        seconds = SECONDS_OF_LEVEL[level] if settings.time is None else settings.time
        target = target_of(pass_manager_config)
        if target is None or (seconds == 0 and settings.steps is None):
            return own
        seed = settings.seed if settings.seed is not None else pass_manager_config.seed_transpiler
        stage = own if own is not None else PassManager()
        stage.append(
            QuartzOptimization(
                target,
                cost=settings.cost,
                time=seconds,
                seed=max(seed or 0, 0),
                threads=settings.threads,
                steps=settings.steps,
                barriers=settings.barriers,
                program=settings.program,
                permutation=settings.permutation_at(level, pass_manager_config.routing_method),
                qubits_initially_zero=pass_manager_config.qubits_initially_zero is not False,
            )
        )
        return stage


def target_of(config: PassManagerConfig) -> Target | None:
    """Returns the target that a pass manager compiles for; None if it has neither a target nor basis gates."""
    if config.target is not None and config.target.operation_names:
        return config.target
    if not config.basis_gates:
        return None
    return Target.from_configuration(basis_gates=list(config.basis_gates), coupling_map=config.coupling_map)
