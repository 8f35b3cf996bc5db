-- Operations that ended in failure, by when: few of many, and what is asked for first. The words are those of `hasFailed`.
CREATE INDEX operation_failed ON operation (coalesce(updated_at, created_at))
  WHERE phase = 'ended' AND status IN ('failed', 'error', 'cancelled');
