-- By the service's clock: when the operations of all projects the account had were first read to their beginning; absent
-- while that first import is under way.
ALTER TABLE account ADD COLUMN imported_at INTEGER;

-- An account that was charged had its figures shown: they are not taken away again.
UPDATE account SET imported_at = projects_listed_at WHERE projects_listed_at IS NOT NULL AND (
  EXISTS (SELECT 1 FROM cost_accrual WHERE cost_accrual.account_ref = account.account_ref)
  OR NOT EXISTS (SELECT 1 FROM project WHERE project.account_ref = account.account_ref
    AND gone_at IS NULL AND born_watched = 0 AND (operations_head_at IS NULL OR operations_tail_cursor IS NOT NULL)));
