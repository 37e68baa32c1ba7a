"""Who computes chunks of splits: this machine's processes, or a cluster's workers."""
