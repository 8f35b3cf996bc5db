-- Fields of projects that later versions of the service send, with its names; absent where it does not.
ALTER TABLE project ADD COLUMN owner_id TEXT;
ALTER TABLE project ADD COLUMN org_id TEXT;
ALTER TABLE project ADD COLUMN org_name TEXT;
ALTER TABLE project ADD COLUMN active_time INTEGER;
ALTER TABLE project ADD COLUMN synthetic_storage_size INTEGER;
ALTER TABLE project ADD COLUMN branch_logical_size_limit_bytes INTEGER;
ALTER TABLE project ADD COLUMN history_retention_seconds INTEGER;
ALTER TABLE project ADD COLUMN compute_last_active_at INTEGER;
ALTER TABLE project ADD COLUMN maintenance_starts_at INTEGER;
ALTER TABLE project ADD COLUMN deleted_at INTEGER;
ALTER TABLE project ADD COLUMN recoverable_until INTEGER;
ALTER TABLE project ADD COLUMN quota_reset_at INTEGER;
ALTER TABLE project ADD COLUMN quota_active_time_seconds INTEGER;
ALTER TABLE project ADD COLUMN quota_compute_time_seconds INTEGER;
ALTER TABLE project ADD COLUMN quota_written_data_bytes INTEGER;
ALTER TABLE project ADD COLUMN quota_data_transfer_bytes INTEGER;
ALTER TABLE project ADD COLUMN quota_logical_size_bytes INTEGER;
