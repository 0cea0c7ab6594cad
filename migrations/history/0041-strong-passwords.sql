-- Whether the password of a user was checked against the list of guessable ones and is none of them. False also means unknown.
ALTER TABLE users ADD COLUMN strong_password boolean NOT NULL DEFAULT false;
