-- Where the service tells the compute of the account's projects: 'project' for the answer for each of them, else absent
-- for the list.
ALTER TABLE account ADD COLUMN cpu_source TEXT;
-- When compute_time_seconds was last read, by the service's clock; present while the counter is one over that, and not
-- over cpu_used_sec of the list.
ALTER TABLE project ADD COLUMN usage_read_at INTEGER;
-- The billing period that value was of, as the service tells its beginning.
ALTER TABLE project ADD COLUMN consumption_period_start INTEGER;

-- From when on samples are of another source than before; until the first of a project they are of the list.
CREATE TABLE cpu_source_change (
  project_ref INTEGER NOT NULL REFERENCES project,
  at INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('list', 'project')),
  PRIMARY KEY (project_ref, at)
) STRICT, WITHOUT ROWID;
