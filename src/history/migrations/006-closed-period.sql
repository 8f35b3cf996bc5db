-- Billing periods whose bill stays as it was. A period that was opened again keeps its row, with the instant.
CREATE TABLE closed_period (
  closed_period_ref INTEGER PRIMARY KEY,
  account_ref INTEGER NOT NULL REFERENCES account,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL CHECK (until_at > from_at),
  closed_at INTEGER NOT NULL,
  reopened_at INTEGER,
  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
  -- Canonical JSON, of which the fingerprint is.
  price_book TEXT NOT NULL,
  -- The cost lines as JSON, deflated: those of large fleets are some megabytes.
  lines BLOB NOT NULL,
  -- JSON: sentences on what was not known and was accepted.
  accepted TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX closed_period_once ON closed_period (account_ref, from_at) WHERE reopened_at IS NULL;
