-- What the service told to be used on a branch in its present period, in seconds of compute and awake together, and the
-- reading that last found it to be more than nothing and another amount than before.
ALTER TABLE branch ADD COLUMN use_seconds INTEGER;
ALTER TABLE branch ADD COLUMN used_at INTEGER;
