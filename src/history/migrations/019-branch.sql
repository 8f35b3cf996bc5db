-- Branches as they were last listed, with the service's names; absent where it does not tell. used: 1 once anything is known
-- to have been used on it, 0 while the service tells that nothing was.
CREATE TABLE branch (
  project_ref INTEGER NOT NULL REFERENCES project,
  branch_id TEXT NOT NULL,
  branch_name TEXT,
  parent_id TEXT,
  is_root INTEGER NOT NULL,
  created_at INTEGER,
  expires_at INTEGER,
  logical_size INTEGER,
  used INTEGER,
  PRIMARY KEY (project_ref, branch_id)
) STRICT, WITHOUT ROWID;

ALTER TABLE project ADD COLUMN branches_served_at INTEGER;
