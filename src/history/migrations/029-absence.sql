-- When a project was in no list, although it was there again later: another shard read it meanwhile.
CREATE TABLE project_absence (
  project_ref INTEGER NOT NULL REFERENCES project,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  -- until when the states of its endpoints were known then; absent where they never were
  states_until_at INTEGER,
  PRIMARY KEY (project_ref, from_at)
) STRICT, WITHOUT ROWID;
