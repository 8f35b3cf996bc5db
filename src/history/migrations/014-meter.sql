-- What the service metered, in its own units; columns of amounts carry its names for them. The service tells the same time by
-- hour, day and month: the finer ones are parts of the coarser ones.

CREATE TABLE metered_account (
  account_ref INTEGER PRIMARY KEY REFERENCES account,
  -- the part of the account that is read
  scope TEXT NOT NULL,
  -- by this host's clock: when the service last said that it does not offer its meter
  refused_at INTEGER,
  metered_until_at INTEGER,
  compute_unit_seconds INTEGER,
  root_branch_bytes_month INTEGER,
  child_branch_bytes_month INTEGER,
  instant_restore_bytes_month INTEGER,
  snapshot_storage_bytes_month INTEGER,
  public_network_transfer_bytes INTEGER,
  private_network_transfer_bytes INTEGER,
  extra_branches_month INTEGER
) STRICT;

-- settled_until_at: timeframes that begin before have stopped growing; read_at: by this host's clock, when it was last read to
-- its end; of the reading under way, growing_from_at: the earliest timeframe that grew, told_until_at: the end of the last
-- whole one
CREATE TABLE meter_pass (
  account_ref INTEGER NOT NULL REFERENCES account,
  granularity TEXT NOT NULL,
  settled_until_at INTEGER,
  growing_from_at INTEGER,
  told_until_at INTEGER,
  read_at INTEGER,
  PRIMARY KEY (account_ref, granularity)
) STRICT, WITHOUT ROWID;

-- Also those that were deleted before the account was watched. Amounts are the sums of metered_month.
CREATE TABLE metered_project (
  metered_ref INTEGER PRIMARY KEY,
  account_ref INTEGER NOT NULL REFERENCES account,
  project_id TEXT NOT NULL,
  compute_unit_seconds INTEGER,
  root_branch_bytes_month INTEGER,
  child_branch_bytes_month INTEGER,
  instant_restore_bytes_month INTEGER,
  snapshot_storage_bytes_month INTEGER,
  public_network_transfer_bytes INTEGER,
  private_network_transfer_bytes INTEGER,
  extra_branches_month INTEGER,
  UNIQUE (account_ref, project_id)
) STRICT;

-- Timeframes as the service told them, at their largest: they may grow.
CREATE TABLE metered_timeframe (
  metered_ref INTEGER NOT NULL REFERENCES metered_project,
  granularity TEXT NOT NULL,
  timeframe_start INTEGER NOT NULL,
  timeframe_end INTEGER NOT NULL,
  compute_unit_seconds INTEGER,
  root_branch_bytes_month INTEGER,
  child_branch_bytes_month INTEGER,
  instant_restore_bytes_month INTEGER,
  snapshot_storage_bytes_month INTEGER,
  public_network_transfer_bytes INTEGER,
  private_network_transfer_bytes INTEGER,
  extra_branches_month INTEGER,
  PRIMARY KEY (metered_ref, granularity, timeframe_start)
) STRICT, WITHOUT ROWID;

-- What a day of UTC, in days since 1970, came to: by its own timeframe or by its hours, whichever is more.
CREATE TABLE metered_day (
  metered_ref INTEGER NOT NULL REFERENCES metered_project,
  day INTEGER NOT NULL,
  compute_unit_seconds INTEGER,
  root_branch_bytes_month INTEGER,
  child_branch_bytes_month INTEGER,
  instant_restore_bytes_month INTEGER,
  snapshot_storage_bytes_month INTEGER,
  public_network_transfer_bytes INTEGER,
  private_network_transfer_bytes INTEGER,
  extra_branches_month INTEGER,
  PRIMARY KEY (metered_ref, day)
) STRICT, WITHOUT ROWID;

-- What a month of UTC came to: by its own timeframe or by its days, whichever is more. Kept for ever.
CREATE TABLE metered_month (
  metered_ref INTEGER NOT NULL REFERENCES metered_project,
  month_start INTEGER NOT NULL,
  compute_unit_seconds INTEGER,
  root_branch_bytes_month INTEGER,
  child_branch_bytes_month INTEGER,
  instant_restore_bytes_month INTEGER,
  snapshot_storage_bytes_month INTEGER,
  public_network_transfer_bytes INTEGER,
  private_network_transfer_bytes INTEGER,
  extra_branches_month INTEGER,
  PRIMARY KEY (metered_ref, month_start)
) STRICT, WITHOUT ROWID;
