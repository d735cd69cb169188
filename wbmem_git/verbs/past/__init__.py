"""What each commit of the past did, and what the gate says of it: the sidecar's history."""
