-- What the answer for a project last said of its use in a billing period of the service, with its names, and when that ends.
ALTER TABLE project ADD COLUMN compute_time_seconds INTEGER;
ALTER TABLE project ADD COLUMN active_time_seconds INTEGER;
ALTER TABLE project ADD COLUMN written_data_bytes INTEGER;
ALTER TABLE project ADD COLUMN data_transfer_bytes INTEGER;
ALTER TABLE project ADD COLUMN consumption_period_end INTEGER;
