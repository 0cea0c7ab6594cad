-- After how many hours without input the player stops and asks whether the viewer is still there; 0: never.
ALTER TABLE watching ADD unattended_hours smallint NOT NULL DEFAULT 4 CHECK (unattended_hours BETWEEN 0 AND 24);
