-- What hashes of source addresses are salted with, another one in each history.
CREATE TABLE source_salt (salt TEXT NOT NULL) STRICT;
INSERT INTO source_salt VALUES (lower(hex(randomblob(16))));
