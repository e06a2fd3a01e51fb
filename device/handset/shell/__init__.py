"""The phone's shell: a small sh and the commands it knows, each after AOSP's source."""
