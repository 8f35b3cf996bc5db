-- JSON of what was saved of a damaged history: see SavedHistory; absent where nothing was.
ALTER TABLE set_aside ADD COLUMN saved TEXT;
