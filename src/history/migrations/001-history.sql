-- Instants are epoch milliseconds in UTC, by the service's clock unless said otherwise.
-- Columns that come from the service carry its names.

CREATE TABLE account (
  account_ref INTEGER PRIMARY KEY,
  account TEXT NOT NULL UNIQUE,
  -- when the list of projects was last read completely; absent before the first time
  projects_listed_at INTEGER,
  -- by this host's clock: the service asked to be left alone until then
  paused_until_at INTEGER NOT NULL DEFAULT 0,
  -- what cpu_used_sec added up to over all projects ever seen
  cpu_used_total_sec REAL
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
  UNIQUE (account_ref, project_id)
) STRICT;

-- cpu_used_sec whenever it changed
CREATE TABLE cpu_sample (
  project_ref INTEGER NOT NULL REFERENCES project,
  at INTEGER NOT NULL,
  cpu_used_sec REAL NOT NULL,
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
  PRIMARY KEY (project_ref, operation_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX operation_open ON operation (project_ref) WHERE phase = 'open';
CREATE INDEX operation_created ON operation (project_ref, created_at);
CREATE INDEX operation_transition ON operation (endpoint_ref, updated_at)
  WHERE status = 'finished' AND action IN ('start_compute', 'suspend_compute');

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
