-- JSON of what the counter over cpu_used_sec remembers of values that are not, or may not be, what was used: see CpuDoubt.
ALTER TABLE project ADD COLUMN cpu_doubt TEXT;

-- Values that cannot be true and were held back.
CREATE TABLE implausible_value (
  account_ref INTEGER NOT NULL REFERENCES account,
  field TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_ref, field)
) STRICT, WITHOUT ROWID;
