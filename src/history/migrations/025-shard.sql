-- The part of the projects that this history is for, where it is one of several.
CREATE TABLE shard (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  shard_index INTEGER NOT NULL,
  shard_count INTEGER NOT NULL
) STRICT;
