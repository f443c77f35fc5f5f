"""Floor 8: functions of libraries, written so that the compiler can read them."""
