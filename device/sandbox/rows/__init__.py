"""Row classes that several tool modules share, with the default rows of each."""
