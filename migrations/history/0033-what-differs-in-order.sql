-- What differs from the panel is read in the order it is shown, without what an administrator has chosen to keep.
DROP INDEX line_drift_kind;
CREATE INDEX line_drift_kind ON line_drift (kept, kind, id DESC);
