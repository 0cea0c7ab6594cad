-- The business figures of /admin/insight (decision record 055). Days are UTC. Amounts are cents.
--
-- insight_events_of() derives the events of one customer from invoices, credit notes, ledger, segments and trial requests. refresh_insight()
-- stores them in insight_events and adds the difference to what was stored before to the rollups insight_days and insight_months. A change of a
-- source row marks the customer in the same transaction. plan_id is 0 for every figure but churn.
--
--   figure         day                        cents                reason
--   payment        the payment date           the amount
--   refund         the date of the note       the amount
--   first_payment  the first payment date     0
--   bonus          the day of the booking     signed amount
--   discount       the payment date           referral discount
--   new            paid time begins           monthly value
--   winback        it begins again            monthly value
--   expansion      its value changes          the increase
--   contraction    its value changes          the decrease
--   churn          it ends                    monthly value        expired, ended, granted or refunded
--   renewal        the next purchase begins   its monthly value
--   trial          the first trial request    0
--   trial_approved, trial_paid: the day of that request; it was approved, and a payment followed

-- Customers whose source rows changed. Rows are only inserted, so that no two transactions wait for each other.
CREATE TABLE insight_marks (user_id integer NOT NULL);

CREATE TABLE insight_events (
  user_id integer NOT NULL,
  day date NOT NULL,
  figure text NOT NULL,
  plan_id integer NOT NULL,
  reason text NOT NULL,
  cents bigint NOT NULL
);

-- The events of a day: how many, and the sum of their cents. The key begins with the figure: churn has most of the rows.
CREATE TABLE insight_days (
  day date NOT NULL,
  figure text NOT NULL,
  plan_id integer NOT NULL,
  reason text NOT NULL,
  events bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (figure, day, plan_id, reason)
) WITH (fillfactor = 70);

-- What a month changed, by the month of the customer's first payment; `infinity` for customers without a payment
CREATE TABLE insight_months (
  month date NOT NULL,
  cohort date NOT NULL,
  first_payments bigint NOT NULL,
  subscribers bigint NOT NULL,
  mrr_cents bigint NOT NULL,
  PRIMARY KEY (month, cohort)
) WITH (fillfactor = 70);

CREATE FUNCTION insight_events_of(customer integer) RETURNS TABLE (day date, figure text, plan_id integer, reason text, cents bigint)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH
  paid AS (
    SELECT i.*, (i.paid_at AT TIME ZONE 'UTC')::date AS paid_day, (n.issued_at AT TIME ZONE 'UTC')::date AS refund_day, n.amount AS refunded_cents,
      n.amount + n.credit_returned AS returned_cents
    FROM invoices i LEFT JOIN credit_notes n ON n.invoice_id = i.id WHERE i.user_id = customer AND i.paid_at IS NOT NULL
  ),
  trial AS (
    SELECT min(request_date) AS first_at, bool_or(status = 'approved') AS approved FROM trial_requests WHERE user_id = customer HAVING count(*) > 0
  ),
  -- Time in force, and the time between payment and refund of a refunded purchase, whose segments are deleted
  pieces AS (
    SELECT s.id, s.activation_id AS source, s.plan_id, a.kind, false AS refunded,
      (s.starts_at AT TIME ZONE 'UTC')::date AS from_day, (s.ends_at AT TIME ZONE 'UTC')::date AS to_day,
      round(s.paid_cents * 86400::numeric * s.period_days / (extract(epoch FROM s.ends_at - s.starts_at) * s.months))::bigint AS mrr
    FROM segments s JOIN activations a ON a.id = s.activation_id
    WHERE s.user_id = customer AND s.replaced_by IS NULL AND NOT s.withdrawn
    UNION ALL
    SELECT p.id, -p.id, p.plan_id, 'purchase', true, p.paid_day,
      least(p.refund_day, ((p.paid_at AT TIME ZONE 'UTC') + make_interval(months => p.plan_months))::date),
      round(p.returned_cents::numeric / p.plan_months)::bigint
    FROM paid p WHERE p.refund_day IS NOT NULL AND p.kind = 'purchase'
  ),
  edges AS (
    SELECT from_day AS edge FROM pieces WHERE from_day < to_day UNION SELECT to_day FROM pieces WHERE from_day < to_day
  ),
  -- What a customer has from each edge to the next one. Time in force takes precedence.
  states AS (
    SELECT DISTINCT ON (edge) edge, p.source, p.plan_id, p.kind, p.refunded, p.mrr
    FROM edges LEFT JOIN pieces p ON p.from_day <= edge AND edge < p.to_day ORDER BY edge, p.refunded, p.id DESC
  ),
  moves AS (
    SELECT *, lag(source) OVER before AS last_source, lag(plan_id) OVER before AS last_plan, lag(refunded) OVER before AS last_refunded,
      lag(mrr) OVER before AS last_mrr, row_number() OVER before AS nth
    FROM states WINDOW before AS (ORDER BY edge)
  )
  SELECT paid_day, 'payment', 0, '', amount::bigint FROM paid WHERE amount > 0
  UNION ALL SELECT refund_day, 'refund', 0, '', refunded_cents::bigint FROM paid WHERE refunded_cents > 0
  UNION ALL SELECT min(paid_day), 'first_payment', 0, '', 0 FROM paid WHERE amount > 0 HAVING count(*) > 0
  UNION ALL SELECT paid_day, 'discount', 0, '', referral_discount::bigint FROM paid WHERE status = 'paid' AND referral_discount > 0
  UNION ALL SELECT (created_at AT TIME ZONE 'UTC')::date, 'bonus', 0, '', amount::bigint FROM credit_transactions
    WHERE user_id = customer AND type = 'referral_bonus'
  UNION ALL SELECT edge, CASE nth WHEN 1 THEN 'new' ELSE 'winback' END, 0, '', mrr FROM moves WHERE source IS NOT NULL AND last_source IS NULL
  UNION ALL SELECT edge, CASE WHEN mrr > last_mrr THEN 'expansion' ELSE 'contraction' END, 0, '', abs(mrr - last_mrr) FROM moves
    WHERE mrr <> last_mrr
  UNION ALL SELECT edge, 'renewal', 0, '', mrr FROM moves WHERE source <> last_source AND kind = 'purchase' AND NOT last_refunded
  UNION ALL SELECT edge, 'churn', last_plan, CASE
      WHEN last_refunded THEN 'refunded'
      WHEN EXISTS (SELECT FROM segments s WHERE s.user_id = customer AND s.replaced_by IS NULL AND s.withdrawn
        AND (s.starts_at AT TIME ZONE 'UTC')::date = edge) THEN 'ended'
      WHEN last_mrr = 0 THEN 'granted'
      ELSE 'expired' END, last_mrr
    FROM moves WHERE source IS NULL AND last_source IS NOT NULL
  UNION ALL SELECT (first_at AT TIME ZONE 'UTC')::date, step, 0, '', 0 FROM trial, LATERAL (
      SELECT 'trial' AS step
      UNION ALL SELECT 'trial_approved' WHERE approved
      UNION ALL SELECT 'trial_paid' WHERE approved AND EXISTS (SELECT FROM paid WHERE amount > 0 AND paid_at >= first_at)) steps;
END $$;

-- Stores the events of up to `most` marks again and returns how many marks it took. One process at a time.
CREATE FUNCTION refresh_insight(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  ids integer[];
  taken integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('refresh_insight'), 0);
  WITH marks AS (DELETE FROM insight_marks WHERE ctid = ANY (ARRAY(SELECT ctid FROM insight_marks LIMIT most)) RETURNING user_id)
  SELECT array_agg(DISTINCT user_id), count(*) INTO ids, taken FROM marks;
  IF taken = 0 THEN RETURN 0; END IF;
  WITH
  old AS (DELETE FROM insight_events WHERE user_id = ANY (ids) RETURNING *),
  made AS (
    INSERT INTO insight_events SELECT customer, e.* FROM unnest(ids) AS customer, insight_events_of(customer) AS e RETURNING *
  ),
  changes AS MATERIALIZED (SELECT 1 AS sign, * FROM made UNION ALL SELECT -1, * FROM old),
  days AS (
    INSERT INTO insight_days AS d SELECT day, figure, plan_id, reason, sum(sign), sum(sign * cents) FROM changes GROUP BY 1, 2, 3, 4
      HAVING sum(sign) <> 0 OR sum(sign * cents) <> 0
    ON CONFLICT (figure, day, plan_id, reason) DO UPDATE SET events = d.events + excluded.events, cents = d.cents + excluded.cents
  ),
  firsts AS (SELECT sign, user_id, date_trunc('month', day)::date AS cohort FROM changes WHERE figure = 'first_payment'),
  levels AS (
    SELECT sign, user_id, date_trunc('month', day)::date AS month, CASE figure WHEN 'first_payment' THEN 1 ELSE 0 END AS first_payments,
      CASE figure WHEN 'new' THEN 1 WHEN 'winback' THEN 1 WHEN 'churn' THEN -1 ELSE 0 END AS subscribers,
      CASE figure WHEN 'churn' THEN -cents WHEN 'contraction' THEN -cents ELSE cents END AS mrr_cents
    FROM changes WHERE figure IN ('first_payment', 'new', 'winback', 'expansion', 'contraction', 'churn')
  )
  INSERT INTO insight_months AS m
    SELECT month, coalesce(cohort, 'infinity'), sum(sign * first_payments), sum(sign * subscribers), sum(sign * mrr_cents)
    FROM levels LEFT JOIN firsts USING (sign, user_id) GROUP BY 1, 2
  ON CONFLICT (month, cohort) DO UPDATE SET first_payments = m.first_payments + excluded.first_payments,
    subscribers = m.subscribers + excluded.subscribers, mrr_cents = m.mrr_cents + excluded.mrr_cents;
  RETURN taken;
END $$;

-- Marks the customer of a changed row; after TRUNCATE every customer with events.
CREATE FUNCTION mark_insight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO insight_marks SELECT DISTINCT user_id FROM insight_events;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO insight_marks VALUES (NEW.user_id);
  ELSE
    INSERT INTO insight_marks VALUES (OLD.user_id);
    IF TG_OP = 'UPDATE' AND NEW.user_id <> OLD.user_id THEN
      INSERT INTO insight_marks VALUES (NEW.user_id);
    END IF;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER insight_added AFTER INSERT ON invoices FOR EACH ROW WHEN (NEW.paid_at IS NOT NULL) EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_changed AFTER UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.user_id, OLD.status, OLD.paid_at, OLD.amount, OLD.kind, OLD.plan_id, OLD.plan_months, OLD.referral_discount)
    IS DISTINCT FROM (NEW.user_id, NEW.status, NEW.paid_at, NEW.amount, NEW.kind, NEW.plan_id, NEW.plan_months, NEW.referral_discount)
    AND (OLD.paid_at IS NOT NULL OR NEW.paid_at IS NOT NULL))
  EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_removed AFTER DELETE ON invoices FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL) EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_emptied AFTER TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION mark_insight();

CREATE TRIGGER insight_added AFTER INSERT OR DELETE ON segments FOR EACH ROW EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_changed AFTER UPDATE ON segments FOR EACH ROW
  WHEN ((OLD.user_id, OLD.activation_id, OLD.replaced_by, OLD.plan_id, OLD.months, OLD.starts_at, OLD.ends_at, OLD.period_days, OLD.paid_cents, OLD.withdrawn)
    IS DISTINCT FROM (NEW.user_id, NEW.activation_id, NEW.replaced_by, NEW.plan_id, NEW.months, NEW.starts_at, NEW.ends_at, NEW.period_days, NEW.paid_cents,
      NEW.withdrawn))
  EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_emptied AFTER TRUNCATE ON segments FOR EACH STATEMENT EXECUTE FUNCTION mark_insight();

-- Credit notes and the ledger are append-only.
CREATE TRIGGER insight_added AFTER INSERT ON credit_notes FOR EACH ROW EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_added AFTER INSERT ON credit_transactions FOR EACH ROW WHEN (NEW.type = 'referral_bonus') EXECUTE FUNCTION mark_insight();

CREATE TRIGGER insight_added AFTER INSERT OR DELETE ON trial_requests FOR EACH ROW EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_changed AFTER UPDATE ON trial_requests FOR EACH ROW
  WHEN ((OLD.user_id, OLD.status, OLD.request_date) IS DISTINCT FROM (NEW.user_id, NEW.status, NEW.request_date)) EXECUTE FUNCTION mark_insight();
CREATE TRIGGER insight_emptied AFTER TRUNCATE ON trial_requests FOR EACH STATEMENT EXECUTE FUNCTION mark_insight();

-- The figures of existing data
INSERT INTO insight_events
  SELECT customer, e.* FROM (
    SELECT user_id FROM invoices WHERE paid_at IS NOT NULL UNION SELECT user_id FROM segments UNION SELECT user_id FROM trial_requests
    UNION SELECT user_id FROM credit_transactions WHERE type = 'referral_bonus') existing (customer), insight_events_of(customer) e;
CREATE INDEX insight_events_user ON insight_events (user_id);
INSERT INTO insight_days SELECT day, figure, plan_id, reason, count(*), sum(cents) FROM insight_events GROUP BY 1, 2, 3, 4;
INSERT INTO insight_months
  SELECT date_trunc('month', e.day)::date, coalesce(date_trunc('month', first.day)::date, 'infinity'),
    count(*) FILTER (WHERE e.figure = 'first_payment'),
    sum(CASE e.figure WHEN 'new' THEN 1 WHEN 'winback' THEN 1 WHEN 'churn' THEN -1 ELSE 0 END),
    sum(CASE e.figure WHEN 'first_payment' THEN 0 WHEN 'churn' THEN -e.cents WHEN 'contraction' THEN -e.cents ELSE e.cents END)
  FROM insight_events e LEFT JOIN insight_events first ON first.user_id = e.user_id AND first.figure = 'first_payment'
  WHERE e.figure IN ('first_payment', 'new', 'winback', 'expansion', 'contraction', 'churn') GROUP BY 1, 2;
ANALYZE insight_events, insight_days, insight_months;
