"""Libraries of arrays besides NumPy, each loaded only where the user's program uses it (`libraries.attend`)."""
