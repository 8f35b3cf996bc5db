-- The one instant up to which time has passed for certain: rows are rolled up and pruned by it. It follows the dates of
-- the service's answers, a jump of them only after hours.
CREATE TABLE confirmed_clock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  at INTEGER NOT NULL
) STRICT;
