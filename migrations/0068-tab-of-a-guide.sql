-- The tab of the setup page that shows a guide. Administrators can move a guide to another tab.
ALTER TABLE setup_guides ADD COLUMN tab text CHECK (tab IN ('firestick', 'android', 'other'));
UPDATE setup_guides SET tab = CASE
  WHEN device = 'firestick' THEN 'firestick' WHEN device LIKE 'android-%' THEN 'android' ELSE 'other' END;
ALTER TABLE setup_guides ALTER COLUMN tab SET NOT NULL;
