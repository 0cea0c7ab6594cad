-- Two administrators for a change of the mail server.
ALTER TABLE admin_requests DROP CONSTRAINT admin_requests_action_check;
ALTER TABLE admin_requests ADD CONSTRAINT admin_requests_action_check
  CHECK (action IN ('promote', 'payments', 'mail_server', 'reveal_mail', 'payment'));
