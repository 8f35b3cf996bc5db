-- The daemon that writes the file. Every transaction of it looks whether it still is the one.
CREATE TABLE owner (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  token TEXT NOT NULL,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL
) STRICT;
