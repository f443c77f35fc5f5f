"""Floor 3: facts about programs: types of results, activity, effects, liveness."""
