"""Speed tables, printed by `make bench`. Nothing here is a test: no time is asserted."""
