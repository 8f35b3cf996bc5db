-- What an account was metered is more than 64 bits hold where it has stored petabytes, counted in byte-hours, for a year.
CREATE TABLE wide_metered_account (
  account_ref INTEGER PRIMARY KEY REFERENCES account,
  -- the part of the account that is read
  scope TEXT NOT NULL,
  -- by this host's clock: when the service last said that it does not offer its meter
  refused_at INTEGER,
  metered_until_at INTEGER,
  compute_unit_seconds REAL,
  root_branch_bytes_month REAL,
  child_branch_bytes_month REAL,
  instant_restore_bytes_month REAL,
  snapshot_storage_bytes_month REAL,
  public_network_transfer_bytes REAL,
  private_network_transfer_bytes REAL,
  extra_branches_month REAL
) STRICT;
INSERT INTO wide_metered_account SELECT * FROM metered_account;
DROP TABLE metered_account;
ALTER TABLE wide_metered_account RENAME TO metered_account;
