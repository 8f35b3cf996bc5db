-- Who created an API key, where the service says so: in plain, the id hashed and no name, or nothing, as is configured.
ALTER TABLE api_key ADD COLUMN created_by_id TEXT;
ALTER TABLE api_key ADD COLUMN created_by_name TEXT;
