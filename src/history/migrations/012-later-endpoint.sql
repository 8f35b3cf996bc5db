-- Fields of endpoints that later versions of the service send, with its names; absent where it does not.
ALTER TABLE endpoint ADD COLUMN suspend_timeout_seconds INTEGER;
ALTER TABLE endpoint ADD COLUMN started_at INTEGER;
ALTER TABLE endpoint ADD COLUMN suspended_at INTEGER;

-- The auto-suspend delay of an endpoint from the reading on that first showed it; absent from when on it was not sent.
CREATE TABLE suspend_timeout (
  endpoint_ref INTEGER NOT NULL REFERENCES endpoint,
  from_at INTEGER NOT NULL,
  suspend_timeout_seconds INTEGER,
  PRIMARY KEY (endpoint_ref, from_at)
) STRICT, WITHOUT ROWID;
