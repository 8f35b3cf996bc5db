-- Settings that endpoints of a project have by default, where the service tells them.
ALTER TABLE project ADD COLUMN default_autoscaling_limit_min_cu REAL;
ALTER TABLE project ADD COLUMN default_autoscaling_limit_max_cu REAL;
ALTER TABLE project ADD COLUMN default_suspend_timeout_seconds INTEGER;

-- The auto-suspend delay by default from the list on that first showed it; absent from when on it was not sent.
CREATE TABLE default_suspend_timeout (
  project_ref INTEGER NOT NULL REFERENCES project,
  from_at INTEGER NOT NULL,
  suspend_timeout_seconds INTEGER,
  PRIMARY KEY (project_ref, from_at)
) STRICT, WITHOUT ROWID;
