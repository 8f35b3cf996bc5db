-- Two readings of active_time of a project a day of UTC apart, or less where it was set back in between, and what it grew by
-- from one to the other; and the reading that the next such window begins with.
CREATE TABLE active_window (
  project_ref INTEGER PRIMARY KEY REFERENCES project,
  begun_at INTEGER NOT NULL,
  begun_sec INTEGER NOT NULL,
  from_at INTEGER,
  until_at INTEGER,
  active_sec INTEGER
) STRICT;
