"""The same functions and inputs in other packages; the tables are data for test_peers.py."""
