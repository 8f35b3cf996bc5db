-- Instants are epoch milliseconds in UTC, by the service's clock unless said otherwise.
-- Columns that come from the service carry its names. Totals are counted from the beginning, so that what was used between
-- two instants is the difference of two of them, whatever rows were pruned in between.

CREATE TABLE account (
  account_ref INTEGER PRIMARY KEY,
  account TEXT NOT NULL UNIQUE,
  -- when the list of projects was last read completely; absent before the first time
  projects_listed_at INTEGER,
  -- by this host's clock: the service asked to be left alone until then
  paused_until_at INTEGER NOT NULL DEFAULT 0,
  -- what cpu_used_sec added up to over all projects ever seen
  cpu_used_total_sec REAL,
  -- by this host's clock: how fast the account may be asked, and from when on requests are earned at that rate
  budget_per_minute REAL,
  budget_settled_at INTEGER,
  -- by the service's clock: when the operations of all projects the account had were first read to their beginning;
  -- absent while that first import is under way
  imported_at INTEGER,
  -- where the service tells the compute of the account's projects: 'project' for the answer for each of them, else absent
  -- for the list
  cpu_source TEXT,
  -- tells the key that paused_until_at was asked of from another one: 32 bits of its hash, from which no key can be found
  paused_key TEXT
) STRICT;

-- last_success_at is by this host's clock: Prometheus compares it with its own;
-- auth_ok: 0 since the service answered 401, 1 since it last answered what was asked
CREATE TABLE collector (
  account_ref INTEGER NOT NULL REFERENCES account,
  collector TEXT NOT NULL,
  success INTEGER NOT NULL,
  last_success_at INTEGER,
  last_duration_ms REAL NOT NULL,
  auth_ok INTEGER,
  PRIMARY KEY (account_ref, collector)
) STRICT, WITHOUT ROWID;

CREATE TABLE collector_error (
  account_ref INTEGER NOT NULL REFERENCES account,
  collector TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_ref, collector, reason)
) STRICT, WITHOUT ROWID;

-- words of open sets (kind: state, action, status) that may be label values; later ones are 'other'
CREATE TABLE word (
  account_ref INTEGER NOT NULL REFERENCES account,
  kind TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (account_ref, kind, word)
) STRICT, WITHOUT ROWID;

CREATE TABLE project (
  project_ref INTEGER PRIMARY KEY,
  account_ref INTEGER NOT NULL REFERENCES account,
  project_id TEXT NOT NULL,
  project_name TEXT,
  platform_id TEXT,
  region_id TEXT,
  provisioner TEXT,
  pg_version TEXT,
  proxy_host TEXT,
  locked INTEGER,
  cpu_used_sec REAL,
  branch_logical_size_limit REAL,
  created_at INTEGER,
  updated_at INTEGER,
  first_seen_at INTEGER NOT NULL,
  gone_at INTEGER,
  -- 1: created while the account was being watched, so its counters are known from 0
  born_watched INTEGER NOT NULL,
  -- by this host's clock: when endpoints and operations were last both read
  last_refresh_at INTEGER,
  -- the counter over cpu_used_sec: highest value since the last reset, when it was read, and the sum
  cpu_last_sec REAL,
  cpu_last_at INTEGER,
  cpu_used_total_sec REAL,
  cpu_used_resets INTEGER NOT NULL DEFAULT 0,
  endpoints_served_at INTEGER,
  -- how far the operations are known: see OperationProgress
  operations_head_at INTEGER,
  operations_tail_cursor TEXT,
  rolled_until_hour INTEGER NOT NULL DEFAULT 0,
  -- JSON of what the counter over cpu_used_sec remembers of values that are not, or may not be, what was used: see CpuDoubt
  cpu_doubt TEXT,
  -- fields that later versions of the service send, with its names; absent where it does not
  owner_id TEXT,
  org_id TEXT,
  org_name TEXT,
  active_time INTEGER,
  synthetic_storage_size INTEGER,
  compute_last_active_at INTEGER,
  -- when compute_time_seconds was last read, by the service's clock; present while the counter is one over that, and not
  -- over cpu_used_sec of the list
  usage_read_at INTEGER,
  -- the billing period that value was of, as the service tells its beginning
  consumption_period_start INTEGER,
  -- JSON of what the answer for a project last said of its use in a billing period of the service, and when that ends
  period_use TEXT,
  -- JSON of what is known besides, by the declaration of the resource; absent where that is nothing
  other_fields TEXT,
  UNIQUE (account_ref, project_id)
) STRICT;

-- cpu_used_sec whenever it changed
CREATE TABLE cpu_sample (
  project_ref INTEGER NOT NULL REFERENCES project,
  at INTEGER NOT NULL,
  cpu_used_sec REAL NOT NULL,
  -- What a sample adds was used after after_at, when the project was last read before, and up to at. Absent: after the
  -- sample before it, which is so of projects that are busy and would else take a third more space.
  after_at INTEGER,
  -- what the counter over cpu_used_sec is ahead of it: mostly what it came to before it was last set back
  base_sec REAL NOT NULL DEFAULT 0,
  PRIMARY KEY (project_ref, at)
) STRICT, WITHOUT ROWID;

-- first_seen_at is absent while only operations speak of the endpoint
CREATE TABLE endpoint (
  endpoint_ref INTEGER PRIMARY KEY,
  project_ref INTEGER NOT NULL REFERENCES project,
  endpoint_id TEXT NOT NULL,
  branch_id TEXT,
  region_id TEXT,
  type TEXT,
  host TEXT,
  proxy_host TEXT,
  pooler_mode TEXT,
  current_state TEXT,
  pending_state TEXT,
  autoscaling_limit_min_cu REAL,
  autoscaling_limit_max_cu REAL,
  disabled INTEGER,
  pooler_enabled INTEGER,
  passwordless_access INTEGER,
  last_active INTEGER,
  created_at INTEGER,
  updated_at INTEGER,
  first_seen_at INTEGER,
  gone_at INTEGER,
  starts INTEGER NOT NULL DEFAULT 0,
  suspends INTEGER NOT NULL DEFAULT 0,
  -- the state ledger: in `ledger_state` since, and time is accounted for until
  ledger_state TEXT,
  ledger_since_at INTEGER,
  ledger_until_at INTEGER,
  -- the size the compute ledger went on with last
  ledger_min_cu REAL,
  ledger_max_cu REAL,
  -- fields that later versions of the service send, with its names; absent where it does not
  started_at INTEGER,
  suspended_at INTEGER,
  -- JSON of what is known besides, by the declaration of the resource; absent where that is nothing
  other_fields TEXT,
  UNIQUE (project_ref, endpoint_id)
) STRICT;

-- an interval begins here and ends where the endpoint's next one begins, the last at ledger_until_at
CREATE TABLE state_interval (
  endpoint_ref INTEGER NOT NULL REFERENCES endpoint,
  from_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (endpoint_ref, from_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_duration (
  endpoint_ref INTEGER NOT NULL REFERENCES endpoint,
  state TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  PRIMARY KEY (endpoint_ref, state)
) STRICT, WITHOUT ROWID;

-- phase: open = not ended, ended = ended and counted, vanished = the service no longer has it
CREATE TABLE operation (
  project_ref INTEGER NOT NULL REFERENCES project,
  operation_id TEXT NOT NULL,
  endpoint_ref INTEGER REFERENCES endpoint,
  branch_id TEXT,
  action TEXT NOT NULL,
  status TEXT NOT NULL,
  failures_count INTEGER NOT NULL,
  created_at INTEGER,
  updated_at INTEGER,
  phase TEXT NOT NULL CHECK (phase IN ('open', 'ended', 'vanished')),
  -- fields that later versions of the service send, with its names; absent where it does not. What it says of an error is
  -- cut, and without keys.
  total_duration_ms INTEGER,
  error TEXT,
  retry_at INTEGER,
  PRIMARY KEY (project_ref, operation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX operation_open ON operation (project_ref) WHERE phase = 'open';
CREATE INDEX operation_created ON operation (project_ref, created_at);
CREATE INDEX operation_transition ON operation (endpoint_ref, updated_at)
  WHERE status = 'finished' AND action IN ('start_compute', 'suspend_compute');
CREATE INDEX operation_check ON operation (endpoint_ref, created_at) WHERE action = 'check_availability';
-- Operations that ended in failure, by when: few of many, and what is asked for first. The words are those of `hasFailed`.
CREATE INDEX operation_failed ON operation (coalesce(updated_at, created_at))
  WHERE phase = 'ended' AND status IN ('failed', 'error', 'cancelled');

CREATE TABLE operation_count (
  project_ref INTEGER NOT NULL REFERENCES project,
  action TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_ended_at INTEGER,
  PRIMARY KEY (project_ref, action, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt_failure_count (
  project_ref INTEGER NOT NULL REFERENCES project,
  action TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project_ref, action)
) STRICT, WITHOUT ROWID;

-- upper_bound in seconds; 1e999 (infinity) for what is beyond the last; counts are not cumulative
CREATE TABLE operation_duration (
  account_ref INTEGER NOT NULL REFERENCES account,
  action TEXT NOT NULL,
  upper_bound REAL NOT NULL,
  count INTEGER NOT NULL,
  sum_ms INTEGER NOT NULL,
  PRIMARY KEY (account_ref, action, upper_bound)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  key_ref INTEGER PRIMARY KEY,
  account_ref INTEGER NOT NULL REFERENCES account,
  key_id TEXT NOT NULL,
  key_name TEXT,
  created_at INTEGER,
  last_used_at INTEGER,
  last_used_from_addr TEXT,
  first_seen_at INTEGER NOT NULL,
  gone_at INTEGER,
  source_address_changes INTEGER NOT NULL DEFAULT 0,
  -- who created it, where the service says so: in plain, the id hashed and no name, or nothing, as is configured
  created_by_id TEXT,
  created_by_name TEXT,
  UNIQUE (account_ref, key_id)
) STRICT;

-- uses of a key from one address, one after the other, as far as they were seen
CREATE TABLE key_use (
  key_ref INTEGER NOT NULL REFERENCES api_key,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  last_used_from_addr TEXT,
  PRIMARY KEY (key_ref, from_at)
) STRICT, WITHOUT ROWID;

-- The first sample of a project and those after a reset: they count whole, and may have begun to count later than
-- after_at.
CREATE TABLE cpu_count_start (
  project_ref INTEGER NOT NULL REFERENCES project,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_ref, at)
) STRICT, WITHOUT ROWID;

-- Compute of an endpoint from an instant on, at least and at most, in CU; and what that came to before, in CU-milliseconds.
CREATE TABLE compute_interval (
  endpoint_ref INTEGER NOT NULL REFERENCES endpoint,
  from_at INTEGER NOT NULL,
  lower_cu REAL NOT NULL,
  upper_cu REAL NOT NULL,
  lower_total REAL NOT NULL,
  upper_total REAL NOT NULL,
  PRIMARY KEY (endpoint_ref, from_at)
) STRICT, WITHOUT ROWID;

-- What cpu_used_sec of a project came to at the end of an hour or day of UTC, counted in hours and days since 1970;
-- there is a row where that changed. Hours before rolled_until_hour have all the rows they will ever have. Amounts are in
-- CU-milliseconds: 3,600,000 are a compute hour.
CREATE TABLE usage_hour (
  project_ref INTEGER NOT NULL REFERENCES project,
  hour INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (project_ref, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_day (
  project_ref INTEGER NOT NULL REFERENCES project,
  day INTEGER NOT NULL,
  total INTEGER NOT NULL,
  PRIMARY KEY (project_ref, day)
) STRICT, WITHOUT ROWID;

-- The bounds of an endpoint's compute at the end of a day.
CREATE TABLE compute_day (
  endpoint_ref INTEGER NOT NULL REFERENCES endpoint,
  day INTEGER NOT NULL,
  lower_total REAL NOT NULL,
  upper_total REAL NOT NULL,
  PRIMARY KEY (endpoint_ref, day)
) STRICT, WITHOUT ROWID;

-- From when on rows of a kind (samples, hours, days, operations) are still there.
CREATE TABLE retention (
  kind TEXT NOT NULL PRIMARY KEY,
  kept_from_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Uses of an endpoint by clients, as far as last_active was read often enough; uses close to each other are one.
-- It was not used from the use before until quiet_until_at, when it was last read before.
CREATE TABLE endpoint_use (
  endpoint_ref INTEGER NOT NULL REFERENCES endpoint,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  quiet_until_at INTEGER,
  PRIMARY KEY (endpoint_ref, from_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE cost_accrual (
  account_ref INTEGER NOT NULL REFERENCES account,
  currency TEXT NOT NULL,
  total TEXT NOT NULL,
  unpriced_total INTEGER NOT NULL,
  period_from_at INTEGER NOT NULL,
  period_accrued TEXT NOT NULL,
  period_unpriced INTEGER NOT NULL,
  as_of_at INTEGER NOT NULL,
  PRIMARY KEY (account_ref, currency)
) STRICT, WITHOUT ROWID;

-- The one instant up to which time has passed for certain: rows are rolled up and pruned by it. It follows the dates of
-- the service's answers, a jump of them only after hours.
CREATE TABLE confirmed_clock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  at INTEGER NOT NULL
) STRICT;

-- Billing periods whose bill stays as it was. A period that was opened again keeps its row, with the instant.
CREATE TABLE closed_period (
  closed_period_ref INTEGER PRIMARY KEY,
  account_ref INTEGER NOT NULL REFERENCES account,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL CHECK (until_at > from_at),
  closed_at INTEGER NOT NULL,
  reopened_at INTEGER,
  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
  -- Canonical JSON; the fingerprint is its hash.
  price_book TEXT NOT NULL,
  -- The cost lines as JSON, deflated: those of large fleets are some megabytes.
  lines BLOB NOT NULL,
  -- JSON: sentences on what was not known and was accepted.
  accepted TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX closed_period_once ON closed_period (account_ref, from_at) WHERE reopened_at IS NULL;

-- The daemon that writes the file. Every transaction of it looks whether it still is the one.
CREATE TABLE owner (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  token TEXT NOT NULL,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL,
  -- how often the history was taken, each start included, and how often a daemon did so that had waited for another to go
  generation INTEGER NOT NULL DEFAULT 0,
  takeovers INTEGER NOT NULL DEFAULT 0,
  -- whether it gives signs of life, as a daemon does and a command does not
  beats INTEGER NOT NULL DEFAULT 0 CHECK (beats IN (0, 1)),
  -- whether the file is a copy that was not wholly read again yet: what it knows may be older than what was shown last
  is_copy INTEGER NOT NULL DEFAULT 0 CHECK (is_copy IN (0, 1))
) STRICT;

-- Values that cannot be true and were held back.
CREATE TABLE implausible_value (
  account_ref INTEGER NOT NULL REFERENCES account,
  field TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_ref, field)
) STRICT, WITHOUT ROWID;

-- Damaged histories in whose place this one goes on, by this host's clock, and the backup it goes on from.
CREATE TABLE set_aside (
  at INTEGER NOT NULL PRIMARY KEY,
  file TEXT NOT NULL,
  problem TEXT NOT NULL,
  backup_file TEXT,
  backup_at INTEGER
) STRICT, WITHOUT ROWID;

-- What hashes of source addresses are salted with, another one in each history.
CREATE TABLE source_salt (salt TEXT NOT NULL) STRICT;
INSERT INTO source_salt VALUES (lower(hex(randomblob(16))));

-- Optional fields of readings that could not be used.
CREATE TABLE lost_field (
  account_ref INTEGER NOT NULL REFERENCES account,
  field TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_ref, field)
) STRICT, WITHOUT ROWID;

-- Fields whose changes are remembered, by the declaration of their resource: a value from the reading on that first showed
-- it, absent from when on it was not sent. created_at is there of projects in whose place others were created with the same id, and
-- of those that moved to their account from another one, at the move: absent from when on it was gone. project_name is there of
-- their former lives: the last one, where that life began.
CREATE TABLE endpoint_change (
  endpoint_ref INTEGER NOT NULL REFERENCES endpoint,
  field TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  value ANY,
  PRIMARY KEY (endpoint_ref, field, from_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE project_change (
  project_ref INTEGER NOT NULL REFERENCES project,
  field TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  value ANY,
  PRIMARY KEY (project_ref, field, from_at)
) STRICT, WITHOUT ROWID;

-- What the service metered, in its own units; amounts_of_meter stands for a column of each metric, with the service's name
-- for it. The service tells the same time by hour, day and month: the finer ones are parts of the coarser ones.
--
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

-- Time that the meter was told of by hours or days, or months; stretches of one granularity neither overlap nor touch.
CREATE TABLE meter_told (
  account_ref INTEGER NOT NULL REFERENCES account,
  granularity TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  PRIMARY KEY (account_ref, granularity, from_at)
) STRICT, WITHOUT ROWID;

-- Also projects that were deleted before the account was watched. Amounts are the sums of metered_month.
CREATE TABLE metered_project (
  metered_ref INTEGER PRIMARY KEY,
  account_ref INTEGER NOT NULL REFERENCES account,
  project_id TEXT NOT NULL,
  amounts_of_meter INTEGER,
  UNIQUE (account_ref, project_id)
) STRICT;

-- Timeframes as the service told them, at their largest: they may grow.
CREATE TABLE metered_timeframe (
  metered_ref INTEGER NOT NULL REFERENCES metered_project,
  granularity TEXT NOT NULL,
  timeframe_start INTEGER NOT NULL,
  timeframe_end INTEGER NOT NULL,
  amounts_of_meter INTEGER,
  PRIMARY KEY (metered_ref, granularity, timeframe_start)
) STRICT, WITHOUT ROWID;

-- What a day of UTC, in days since 1970, came to: by its own timeframe or by its hours, whichever is more.
CREATE TABLE metered_day (
  metered_ref INTEGER NOT NULL REFERENCES metered_project,
  day INTEGER NOT NULL,
  amounts_of_meter INTEGER,
  PRIMARY KEY (metered_ref, day)
) STRICT, WITHOUT ROWID;

-- What a month of UTC came to: by its own timeframe or by its days, whichever is more. Kept for ever.
CREATE TABLE metered_month (
  metered_ref INTEGER NOT NULL REFERENCES metered_project,
  month_start INTEGER NOT NULL,
  amounts_of_meter INTEGER,
  PRIMARY KEY (metered_ref, month_start)
) STRICT, WITHOUT ROWID;

-- From when on samples are of another source than before; until the first of a project they are of the list.
CREATE TABLE cpu_source_change (
  project_ref INTEGER NOT NULL REFERENCES project,
  at INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('list', 'project')),
  PRIMARY KEY (project_ref, at)
) STRICT, WITHOUT ROWID;

-- When a list that projects have of a resource was last read, by its collector.
CREATE TABLE part_listing (
  project_ref INTEGER NOT NULL REFERENCES project,
  collector TEXT NOT NULL,
  served_at INTEGER NOT NULL,
  PRIMARY KEY (project_ref, collector)
) STRICT, WITHOUT ROWID;

-- Branches as they were last listed, with the service's names; absent where it does not tell. used: 1 once anything is known
-- to have been used on it, 0 while the service tells that nothing was.
CREATE TABLE branch (
  project_ref INTEGER NOT NULL REFERENCES project,
  branch_id TEXT NOT NULL,
  first_seen_at INTEGER NOT NULL,
  branch_name TEXT,
  is_root INTEGER NOT NULL,
  created_at INTEGER,
  expires_at INTEGER,
  logical_size INTEGER,
  used INTEGER,
  -- what the service told to be used on it in its present period, in seconds of compute and awake together, and the reading
  -- that last found it to be more than nothing and another amount than before
  use_seconds INTEGER,
  used_at INTEGER,
  -- JSON of what is known besides, by the declaration of the resource; absent where that is nothing
  other_fields TEXT,
  PRIMARY KEY (project_ref, branch_id)
) STRICT, WITHOUT ROWID;

-- has_run: 1 where an endpoint of the branch ever was in use, gone ones too, also in a period before the present one
CREATE VIEW branch_known AS SELECT branch.*, EXISTS (SELECT 1 FROM endpoint
    WHERE endpoint.project_ref = branch.project_ref AND endpoint.branch_id = branch.branch_id
      AND (last_active IS NOT NULL OR starts > 0)) AS has_run
  FROM branch;

-- Two readings of active_time of a project a day of UTC apart, or less where it was set back in between, and what it grew by
-- from one to the other; and the reading that the next such window begins with.
CREATE TABLE active_window (
  project_ref INTEGER PRIMARY KEY REFERENCES project,
  begun_at INTEGER NOT NULL,
  begun_sec INTEGER NOT NULL,
  from_at INTEGER,
  until_at INTEGER,
  active_sec INTEGER
) STRICT;

-- The part of the projects that this history is for, where it is one of several.
CREATE TABLE shard (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  shard_index INTEGER NOT NULL,
  shard_count INTEGER NOT NULL
) STRICT;

-- Amounts are more than 64 bits hold where an account has stored petabytes, counted in byte-hours, for a year.
CREATE TABLE metered_account (
  account_ref INTEGER PRIMARY KEY REFERENCES account,
  -- the part of the account that is read
  scope TEXT NOT NULL,
  -- by this host's clock: when the service last said that it does not offer its meter
  refused_at INTEGER,
  metered_until_at INTEGER,
  amounts_of_meter REAL,
  -- by the service's clock: since when the past of the meter is to be read; absent once it was
  importing_since INTEGER
) STRICT;

-- When a project was in no list, although it was there again later: another shard read it meanwhile.
CREATE TABLE project_absence (
  project_ref INTEGER NOT NULL REFERENCES project,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  -- until when the states of its endpoints were known then; absent where they never were
  states_until_at INTEGER,
  PRIMARY KEY (project_ref, from_at)
) STRICT, WITHOUT ROWID;
