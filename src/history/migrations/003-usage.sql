-- Amounts are in CU-milliseconds: 3,600,000 are a compute hour. Totals are counted from the beginning, so that what was
-- used between two instants is the difference of two of them, whatever rows were pruned in between.

-- What a sample adds was used after after_at, when the project was last read before, and up to at. Absent: after the
-- sample before it, which is so of projects that are busy and would else take a third more space.
ALTER TABLE cpu_sample ADD COLUMN after_at INTEGER;
-- what the counter over cpu_used_sec is ahead of it: mostly what it came to before it was last set back
ALTER TABLE cpu_sample ADD COLUMN base_sec REAL NOT NULL DEFAULT 0;

-- The first sample of a project and those after a reset: they count whole, and may have begun to count later than
-- after_at.
CREATE TABLE cpu_count_start (
  project_ref INTEGER NOT NULL REFERENCES project,
  at INTEGER NOT NULL,
  PRIMARY KEY (project_ref, at)
) STRICT, WITHOUT ROWID;

-- Samples of before, counted as they were when they were read: a value that is lower by less than a tenth within 15
-- minutes lags, and counts nothing.
CREATE TABLE counted_sample AS
WITH RECURSIVE counted AS (
  SELECT project_ref, at, cpu_used_sec, cpu_used_sec AS last_sec, at + 900000 AS lags_until_at,
    cpu_used_sec AS total_sec, 1 AS starts
  FROM cpu_sample WHERE at = (SELECT min(at) FROM cpu_sample AS first WHERE first.project_ref = cpu_sample.project_ref)
  UNION ALL
  SELECT next.project_ref, next.at, next.cpu_used_sec,
    CASE WHEN next.cpu_used_sec < last_sec AND next.cpu_used_sec > last_sec * 0.9 AND next.at < lags_until_at
      THEN last_sec ELSE next.cpu_used_sec END,
    CASE WHEN next.cpu_used_sec < last_sec AND next.cpu_used_sec > last_sec * 0.9 AND next.at < lags_until_at
      OR next.cpu_used_sec = last_sec THEN lags_until_at ELSE next.at + 900000 END,
    CASE WHEN next.cpu_used_sec < last_sec AND next.cpu_used_sec > last_sec * 0.9 AND next.at < lags_until_at
      THEN total_sec WHEN next.cpu_used_sec < last_sec THEN total_sec + next.cpu_used_sec
      ELSE total_sec + (next.cpu_used_sec - last_sec) END,
    next.cpu_used_sec < last_sec AND (next.cpu_used_sec <= last_sec * 0.9 OR next.at >= lags_until_at)
  FROM counted JOIN cpu_sample AS next ON next.project_ref = counted.project_ref AND next.at =
    (SELECT min(at) FROM cpu_sample AS later WHERE later.project_ref = counted.project_ref AND later.at > counted.at)
)
SELECT project_ref, at, total_sec - cpu_used_sec AS base_sec, starts FROM counted;

INSERT INTO cpu_count_start SELECT project_ref, at FROM counted_sample WHERE starts;

UPDATE cpu_sample SET base_sec = counted_sample.base_sec FROM counted_sample
WHERE counted_sample.project_ref = cpu_sample.project_ref AND counted_sample.at = cpu_sample.at
  AND counted_sample.base_sec > 0;

DROP TABLE counted_sample;

-- The service sets the counter back each billing period: what it showed at first was used within a year.
UPDATE cpu_sample SET after_at =
  max(coalesce(min(project.created_at, cpu_sample.at), cpu_sample.at), cpu_sample.at - 31622400000)
FROM project WHERE project.project_ref = cpu_sample.project_ref
  AND cpu_sample.at = (SELECT min(at) FROM cpu_sample AS first WHERE first.project_ref = cpu_sample.project_ref);

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

-- The size the compute ledger went on with last.
ALTER TABLE endpoint ADD COLUMN ledger_min_cu REAL;
ALTER TABLE endpoint ADD COLUMN ledger_max_cu REAL;

WITH size AS (
  SELECT endpoint_ref, iif(autoscaling_limit_min_cu BETWEEN 0 AND 1e6, autoscaling_limit_min_cu, NULL) AS least,
    iif(autoscaling_limit_max_cu BETWEEN 0 AND 1e6, autoscaling_limit_max_cu, NULL) AS most
  FROM endpoint
)
UPDATE endpoint SET ledger_min_cu = coalesce(least, most), ledger_max_cu = max(coalesce(most, least), coalesce(least, most))
FROM size WHERE size.endpoint_ref = endpoint.endpoint_ref AND ledger_state IS NOT NULL;

-- Intervals of before, at the size of now.
INSERT INTO compute_interval
WITH span AS (
  SELECT endpoint_ref, from_at, iif(state = 'active', ledger_min_cu, 0) AS lower_cu,
    iif(state IN ('init', 'idle', 'stopped'), 0, ledger_max_cu) AS upper_cu,
    lead(from_at) OVER (PARTITION BY endpoint_ref ORDER BY from_at) - from_at AS ms
  FROM state_interval JOIN endpoint USING (endpoint_ref) WHERE ledger_min_cu IS NOT NULL
)
SELECT endpoint_ref, from_at, lower_cu, upper_cu,
  coalesce(sum(lower_cu * ms) OVER past, 0), coalesce(sum(upper_cu * ms) OVER past, 0)
FROM span
WINDOW past AS (PARTITION BY endpoint_ref ORDER BY from_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);

-- What cpu_used_sec of a project came to at the end of an hour or day of UTC, counted in hours and days since 1970;
-- there is a row where that changed. Hours before rolled_until_hour have all the rows they will ever have.
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

ALTER TABLE project ADD COLUMN rolled_until_hour INTEGER NOT NULL DEFAULT 0;

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

CREATE INDEX operation_check ON operation (endpoint_ref, created_at) WHERE action = 'check_availability';

-- What an account was charged so far, as a decimal number over 3,600,000: all together, and since period_from_at, from
-- when on more may be found out. Use is in it until as_of_at.
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
