-- The search of the payment desk: payer, note and transaction number as one text. Without pg_trgm a search reads the payments one by one.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX payments_search ON payments
      USING gin (lower(payer_name || ' ' || payer_handle || ' ' || note || ' ' || coalesce(provider_reference, '')) gin_trgm_ops);
  END IF;
END $$;
