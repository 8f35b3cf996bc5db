-- Whether the file is a copy of which not all was read again yet: what it knows may be older than what was shown last.
ALTER TABLE owner ADD COLUMN is_copy INTEGER NOT NULL DEFAULT 0 CHECK (is_copy IN (0, 1));
