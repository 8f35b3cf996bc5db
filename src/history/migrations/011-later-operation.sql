-- Fields of operations that later versions of the service send, with its names; absent where it does not. What it says
-- of an error is cut, and without keys.
ALTER TABLE operation ADD COLUMN total_duration_ms INTEGER;
ALTER TABLE operation ADD COLUMN error TEXT;
ALTER TABLE operation ADD COLUMN retry_at INTEGER;

-- Optional fields of readings that could not be used.
CREATE TABLE lost_field (
  account_ref INTEGER NOT NULL REFERENCES account,
  field TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_ref, field)
) STRICT, WITHOUT ROWID;
