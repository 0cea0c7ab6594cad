-- The transaction number that an email names. It may differ from that of the statement which recorded the payment first.
ALTER TABLE payment_mail_links ADD reference text;
CREATE INDEX payment_mail_links_reference ON payment_mail_links (reference) WHERE reference IS NOT NULL;
UPDATE payment_mail_links SET reference = payments.provider_reference FROM payments WHERE payments.id = payment_mail_links.payment_id AND payments.source = 'mail';
