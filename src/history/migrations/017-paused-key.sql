-- Tells the key of which paused_until_at was asked from another one: 32 bits of its hash, of which no key can be found.
ALTER TABLE account ADD COLUMN paused_key TEXT;
