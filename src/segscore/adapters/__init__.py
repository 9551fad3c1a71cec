"""What other frameworks expect: torchmetrics, Hugging Face evaluate, pyannote, mir_eval, pytest.

Each module imports its framework, so import the one you need: `segscore.adapters.torchmetrics`.
`labels` and `gating`, which they share, need nothing.
"""
