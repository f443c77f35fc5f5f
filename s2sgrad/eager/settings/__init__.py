"""What each thread has switched on: grad modes, anomaly mode, dual levels."""
