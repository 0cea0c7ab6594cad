-- Paid time: a subscription is a sequence of segments. They are the only source of proration, credit, refund and undo.
CREATE TABLE segments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users (id),
  -- The act that made this row, and the one that replaced it; null while the row is in force.
  activation_id bigint NOT NULL REFERENCES activations (id),
  replaced_by bigint REFERENCES activations (id),
  plan_id integer NOT NULL REFERENCES plans (id),
  months integer NOT NULL CHECK (months > 0),
  connections integer NOT NULL CHECK (connections > 0),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- The days that the plan's whole price pays for.
  period_days integer NOT NULL CHECK (period_days > 0),
  list_cents integer NOT NULL,
  paid_cents integer NOT NULL CHECK (paid_cents >= 0),
  -- A new period began where this segment ends, although time goes on without a gap.
  closed boolean NOT NULL DEFAULT false,
  -- An administrator took this time away. Its cents stay here, so that every cent received stays accounted for.
  withdrawn boolean NOT NULL DEFAULT false,
  -- Whether the customer's row and line already follow this segment.
  begun boolean NOT NULL,
  CHECK (starts_at < ends_at),
  CHECK (paid_cents <= list_cents),
  CHECK (activation_id <> replaced_by),
  CONSTRAINT segments_do_not_overlap EXCLUDE USING gist (int4range(user_id, user_id, '[]') WITH &&, tstzrange(starts_at, ends_at) WITH &&)
    WHERE (replaced_by IS NULL AND NOT withdrawn) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX segments_user ON segments (user_id, starts_at) WHERE replaced_by IS NULL;
CREATE INDEX segments_activation ON segments (activation_id);
CREATE INDEX segments_replaced ON segments (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX segments_to_begin ON segments (starts_at) WHERE NOT begun AND replaced_by IS NULL AND NOT withdrawn;

-- Cents of account credit that the rules before this migration gave without a payment behind them.
ALTER TABLE activations ADD legacy_credit_cents integer NOT NULL DEFAULT 0 CHECK (legacy_credit_cents >= 0);

-- A referral bonus is pending until the guarantee of the payment it comes from has run out; then it is booked as credit.
ALTER TABLE referral_claims
  ADD bonus_cents integer CHECK (bonus_cents >= 0),
  ADD bonus_available_at timestamptz,
  ADD bonus_booked_at timestamptz;
UPDATE referral_claims c SET bonus_booked_at = coalesce(t.created_at, i.paid_at), bonus_available_at = coalesce(t.created_at, i.paid_at), bonus_cents = coalesce(t.amount, 0)
  FROM invoices i LEFT JOIN LATERAL (
    SELECT amount, created_at FROM credit_transactions WHERE related_invoice_id = i.id AND type = 'referral_bonus' AND reverses_id IS NULL ORDER BY id DESC LIMIT 1
  ) t ON true
  WHERE i.id = c.rewarded_invoice_id;
ALTER TABLE referral_claims ADD CONSTRAINT rewarded_has_a_bonus
  CHECK ((rewarded_invoice_id IS NULL) = (bonus_cents IS NULL) AND (bonus_cents IS NULL) = (bonus_available_at IS NULL) AND (bonus_cents IS NOT NULL OR bonus_booked_at IS NULL));
CREATE INDEX referral_claims_pending ON referral_claims (bonus_available_at) WHERE bonus_booked_at IS NULL AND bonus_available_at IS NOT NULL;

ALTER TABLE line_jobs DROP CONSTRAINT line_jobs_cause_check,
  ADD CONSTRAINT line_jobs_cause_check CHECK (cause IN ('purchase', 'plan_change', 'grant', 'undo', 'segment', 'end', 'trial', 'trial_change', 'repair', 'stray'));

-- Existing subscriptions become segments. Each activation in force is repeated in its order by the rules it was made by, with the cents really
-- paid: what customers see (plan, dates, credit) stays, and what is left is worth what was paid for it.
CREATE FUNCTION pg_temp.days_between(a timestamptz, b timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT greatest(0, ceil(extract(epoch FROM b - a) / 86400))::integer $$;
CREATE FUNCTION pg_temp.whole_period(a timestamptz, months integer) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT greatest(1, pg_temp.days_between(a, ((a AT TIME ZONE 'UTC') + make_interval(months => months)) AT TIME ZONE 'UTC')) $$;
-- The cents of a segment that belong to its days after a moment, rounded half up.
CREATE FUNCTION pg_temp.share(cents integer, s segments, at timestamptz) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT floor((2::numeric * cents * pg_temp.days_between(greatest(at, s.starts_at), s.ends_at) + pg_temp.days_between(s.starts_at, s.ends_at))
      / (2 * pg_temp.days_between(s.starts_at, s.ends_at)))::integer $$;

-- Replaces the time after a moment: the used part stays with its cents, the rest is returned as a sum of list price and payment.
CREATE FUNCTION pg_temp.cut_after(of_user integer, at timestamptz, by_act bigint, closes boolean, OUT list integer, OUT paid integer, OUT until timestamptz, OUT period integer)
LANGUAGE plpgsql AS $$
DECLARE s segments;
BEGIN
  list := 0; paid := 0;
  FOR s IN SELECT * FROM segments WHERE user_id = of_user AND replaced_by IS NULL AND NOT withdrawn AND ends_at > at ORDER BY starts_at LOOP
    UPDATE segments SET replaced_by = by_act WHERE id = s.id;
    list := list + pg_temp.share(s.list_cents, s, at);
    paid := paid + pg_temp.share(s.paid_cents, s, at);
    until := s.ends_at;
    period := coalesce(period, s.period_days);
    IF s.starts_at < at THEN
      INSERT INTO segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, closed, begun)
      VALUES (of_user, by_act, s.plan_id, s.months, s.connections, s.starts_at, at, s.period_days,
        s.list_cents - pg_temp.share(s.list_cents, s, at), s.paid_cents - pg_temp.share(s.paid_cents, s, at), closes, true);
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION pg_temp.add_time(of_user integer, act bigint, plan integer, of_months integer, of_connections integer, a timestamptz, b timestamptz,
  of_days integer, list integer, paid integer, taken boolean DEFAULT false) RETURNS void LANGUAGE sql AS $$
  INSERT INTO segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, withdrawn, begun)
  SELECT of_user, act, plan, greatest(1, of_months), greatest(1, coalesce(of_connections, 1)), a, b, coalesce(of_days, pg_temp.whole_period(a, greatest(1, of_months))),
    greatest(list, paid), paid, taken, a <= now()
$$;

DO $$
DECLARE
  act record; plan record; rest record; u record;
  began timestamptz; ended timestamptz; last_end timestamptz; kept integer; extra bigint;
BEGIN
  FOR act IN
    SELECT a.*, (a.before ->> 'status') AS was, (a.before ->> 'planId')::int AS old_plan, (a.before ->> 'endDate')::timestamptz AS old_end,
      (a.after ->> 'status') AS becomes, (a.after ->> 'planId')::int AS new_plan,
      (a.after ->> 'startDate')::timestamptz AS starts, (a.after ->> 'endDate')::timestamptz AS ends,
      (i.amount + coalesce(l.used, 0))::int AS paid, coalesce(l.list, i.amount)::int AS list, coalesce(i.credit_on_approval, 0) AS credit, a.keeps_period AS keeps
    FROM activations a LEFT JOIN invoices i ON i.id = a.invoice_id
    LEFT JOIN LATERAL (SELECT -sum(amount) FILTER (WHERE kind = 'credit') AS used, sum(amount) FILTER (WHERE kind = 'plan') AS list FROM invoice_lines WHERE invoice_id = i.id) l ON true
    WHERE a.reversed_at IS NULL ORDER BY a.user_id, a.id
  LOOP
    SELECT max(ends_at) INTO last_end FROM segments WHERE user_id = act.user_id AND replaced_by IS NULL AND NOT withdrawn;
    IF act.kind = 'purchase' THEN
      IF act.was = 'active' AND act.effective_at < act.old_end AND (act.old_plan IS DISTINCT FROM act.plan_id) AND last_end > act.effective_at THEN
        -- Another plan took over all time that was left. That stays as the customer sees it, at the cents paid.
        SELECT * INTO rest FROM pg_temp.cut_after(act.user_id, act.effective_at, act.id, false);
        PERFORM pg_temp.add_time(act.user_id, act.id, act.plan_id, act.months, act.connections, act.effective_at, rest.until, NULL, rest.list, rest.paid);
      END IF;
      began := CASE WHEN act.was = 'active' AND act.effective_at < act.old_end THEN act.old_end ELSE act.starts END;
      began := greatest(began, last_end);
      IF began < act.ends THEN
        PERFORM pg_temp.add_time(act.user_id, act.id, act.plan_id, act.months, act.connections, began, act.ends, NULL, act.list, act.paid);
      ELSE
        PERFORM pg_temp.add_time(act.user_id, act.id, act.plan_id, act.months, act.connections, act.ends - interval '1 day', act.ends, NULL, act.list, act.paid, true);
      END IF;
    ELSIF act.kind = 'plan_change' THEN
      SELECT * INTO rest FROM pg_temp.cut_after(act.user_id, act.effective_at, act.id, NOT act.keeps);
      kept := coalesce(rest.paid, 0) + act.paid - act.credit;
      UPDATE activations SET legacy_credit_cents = greatest(0, -kept) WHERE id = act.id;
      PERFORM pg_temp.add_time(act.user_id, act.id, act.plan_id, act.months, act.connections, act.effective_at, act.ends,
        CASE WHEN act.keeps THEN rest.period END, coalesce(rest.list, 0) + act.paid - act.credit, greatest(0, kept));
    ELSE
      SELECT * INTO plan FROM plans WHERE id = coalesce(act.new_plan, act.old_plan);
      IF act.becomes = 'active' THEN
        began := greatest(act.effective_at, act.starts);
        IF last_end > act.ends OR last_end > act.effective_at AND (act.new_plan IS DISTINCT FROM act.old_plan OR act.starts > act.effective_at) THEN
          -- Time that was kept keeps its cents, time that was taken away is withdrawn with them.
          SELECT * INTO rest FROM pg_temp.cut_after(act.user_id, act.effective_at, act.id, false);
          ended := least(rest.until, act.ends);
          IF began >= ended OR rest.until <= act.effective_at THEN kept := 0;
          ELSE kept := (rest.paid::numeric * pg_temp.days_between(began, ended) / pg_temp.days_between(act.effective_at, rest.until))::integer; END IF;
          IF began < ended THEN
            PERFORM pg_temp.add_time(act.user_id, act.id, act.new_plan, act.months, plan.connections, began, ended, NULL,
              (plan.price::numeric * pg_temp.days_between(began, ended) / pg_temp.whole_period(began, plan.months))::integer, kept);
            last_end := ended;
          END IF;
          IF rest.paid > kept THEN
            PERFORM pg_temp.add_time(act.user_id, act.id, act.new_plan, act.months, plan.connections, act.effective_at, rest.until, NULL, rest.list, rest.paid - kept, true);
          END IF;
        END IF;
        began := greatest(began, last_end);
        IF began < act.ends THEN
          PERFORM pg_temp.add_time(act.user_id, act.id, act.new_plan, act.months, plan.connections, began, act.ends, NULL,
            (plan.price::numeric * pg_temp.days_between(began, act.ends) / pg_temp.whole_period(began, plan.months))::integer, 0);
        END IF;
      ELSIF last_end > act.effective_at THEN
        SELECT * INTO rest FROM pg_temp.cut_after(act.user_id, act.effective_at, act.id, false);
        IF rest.paid > 0 THEN
          PERFORM pg_temp.add_time(act.user_id, act.id, coalesce(act.old_plan, act.new_plan), act.months, 1, act.effective_at, rest.until, NULL, rest.list, rest.paid, true);
        END IF;
      END IF;
    END IF;
  END LOOP;

  -- What is shown decides: time up to the end that a customer sees, on the plan they see, whatever the history says.
  FOR u IN SELECT id, plan_id, subscription_start_date AS starts, subscription_end_date AS ends FROM users
    WHERE subscription_status = 'active' AND plan_id IS NOT NULL AND subscription_end_date > now()
  LOOP
    SELECT * INTO plan FROM plans WHERE id = u.plan_id;
    SELECT max(ends_at) INTO last_end FROM segments WHERE user_id = u.id AND replaced_by IS NULL AND NOT withdrawn;
    CONTINUE WHEN last_end = u.ends AND NOT EXISTS (
      SELECT FROM segments WHERE user_id = u.id AND replaced_by IS NULL AND NOT withdrawn AND ends_at > now() AND plan_id <> u.plan_id);
    INSERT INTO activations (user_id, kind, plan_id, months, connections, effective_at, before, after)
    VALUES (u.id, 'grant', u.plan_id, plan.months, plan.connections, now(), '{}',
      jsonb_build_object('planId', u.plan_id, 'status', 'active', 'startDate', u.starts, 'endDate', u.ends, 'maxConnections', plan.connections)) RETURNING id INTO extra;
    SELECT * INTO rest FROM pg_temp.cut_after(u.id, now(), extra, false);
    PERFORM pg_temp.add_time(u.id, extra, u.plan_id, plan.months, plan.connections,
      CASE WHEN rest.until IS NULL THEN greatest(coalesce(u.starts, now()), last_end) ELSE now() END, u.ends, NULL,
      (plan.price::numeric * pg_temp.days_between(now(), u.ends) / pg_temp.whole_period(now(), plan.months))::integer, coalesce(rest.paid, 0));
  END LOOP;
END $$;

-- Where a period began within time that goes on without a gap, the segment before it closes its period.
UPDATE segments before SET closed = true FROM users u, segments first
  WHERE u.id = before.user_id AND u.subscription_status = 'active' AND before.replaced_by IS NULL AND NOT before.withdrawn
    AND first.user_id = u.id AND first.replaced_by IS NULL AND NOT first.withdrawn
    AND first.starts_at = before.ends_at AND date_trunc('milliseconds', first.starts_at) = date_trunc('milliseconds', u.subscription_start_date);
SET CONSTRAINTS segments_do_not_overlap IMMEDIATE;

ALTER TABLE activations DROP COLUMN before, DROP COLUMN months, DROP COLUMN connections, DROP COLUMN keeps_period;
ALTER TABLE invoices DROP COLUMN keeps_period;
