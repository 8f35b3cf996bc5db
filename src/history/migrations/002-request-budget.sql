-- by this host's clock: how fast the account may be asked, and from when on requests are earned at that rate
ALTER TABLE account ADD COLUMN budget_per_minute REAL;
ALTER TABLE account ADD COLUMN budget_settled_at INTEGER;
