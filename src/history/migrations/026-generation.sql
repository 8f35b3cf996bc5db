-- How often the history was taken, each start included, and how often a daemon did so that had waited for another to go.
ALTER TABLE owner ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE owner ADD COLUMN takeovers INTEGER NOT NULL DEFAULT 0;
-- Whether it gives signs of life, as a daemon does and a command does not.
ALTER TABLE owner ADD COLUMN beats INTEGER NOT NULL DEFAULT 0 CHECK (beats IN (0, 1));
