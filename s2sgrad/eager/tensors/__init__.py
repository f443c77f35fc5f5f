"""The tensor: its data, dtypes, views and versions, writes in place, its printed form."""
