"""`torch.autograd.anomaly_mode`: the two ways to look for NaN gradients."""

from s2sgrad.eager.settings.modes import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
