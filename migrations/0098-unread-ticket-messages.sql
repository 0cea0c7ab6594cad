-- An inquiry that is marked as answered leaves a ticket open if the customer wrote again: that message has not been answered.
CREATE OR REPLACE FUNCTION follow_inquiry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'answered' THEN
    UPDATE tickets SET status = 'waiting', version = version + 1
      WHERE inquiry_id = NEW.id AND status = 'open' AND waiting_since IS NULL;
  ELSE
    UPDATE tickets SET status = 'open', version = version + 1 WHERE inquiry_id = NEW.id AND status <> 'open';
  END IF;
  RETURN NULL;
END $$;
