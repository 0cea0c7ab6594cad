-- Emails that opened a ticket, counted for each address and for all.
CREATE INDEX ticket_messages_first_emails ON ticket_messages (created_at) WHERE is_first AND via = 'email';
