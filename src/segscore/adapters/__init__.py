"""Adapters for other frameworks: inspect_ai, torchmetrics, Hugging Face evaluate, pyannote,
mir_eval, pytest.

Each module imports its framework, so import only the module you need:
`segscore.adapters.torchmetrics`. `labels` and `gating`, which they share, need no framework.
"""
