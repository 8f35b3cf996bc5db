-- Damaged histories in whose place this one was begun, by this host's clock.
CREATE TABLE set_aside (
  at INTEGER NOT NULL PRIMARY KEY,
  file TEXT NOT NULL,
  problem TEXT NOT NULL
) STRICT, WITHOUT ROWID;
