import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { createTrialRequest } from '#features/trials/contract.ts'
import { checkInvariants } from '../../src/all-invariants.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { createPlan } from '../harness/factories.ts'
import { expectInvariants } from '../harness/invariants.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
  const admin = await app.signInAdmin()
  const referrer = await app.signIn()
  const customer = await app.signIn({ referredBy: referrer.user.id, credit: 500 })
  const planId = (await createPlan(app.db, { price: 2_000 })).id
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, { body: { planId, paymentMethod: 'creditcard', invoiceNumber } })
  await admin.client.call(updateInvoice, { params: { invoiceId: 1 }, body: { status: 'paid' } })
  await referrer.client.call(createTrialRequest, { body: { device: 'Fire TV', message: 'I would like to see it' } })
})
afterAll(() => app.close())

const everyCent = 'every cent a customer paid or was given is in a segment, in the balance or in a refund'
const everyCentInAll = 'every cent received or given is in a segment, in a balance or in a refund'
const perAct =
  'the cents that a payment or an edit puts into segments are those it takes out of segments plus those paid, minus the credit given'
const withoutConstraint = (constraint: string, table: string) => `ALTER TABLE ${table} DROP CONSTRAINT ${constraint};`
/** Changes made in a database shell, and the invariants that each violates. */
const breakages: [string, string, string[]][] = [
  [
    'two channels on one device, and a play of another customer',
    `DROP INDEX plays_open; INSERT INTO channels (name, category, logo) VALUES ('Watched', 'news', 'mark:W');
     INSERT INTO devices (user_id, kind, name) VALUES (3, 'tv', 'TV');
     INSERT INTO plays (user_id, device, device_id, channel_id)
       SELECT n, 'TV', d.id, c.id FROM devices d, channels c, generate_series(2, 3) n WHERE c.name = 'Watched'`,
    [
      'a device plays one channel at a time',
      'a play belongs to the customer of its device',
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
  [
    'thirteen TVs, two of them in one session',
    `DROP INDEX devices_session; ${withoutConstraint('devices_check', 'devices')}
     INSERT INTO devices (user_id, kind, name, session_id) SELECT 3, 'tv', 'TV', CASE WHEN n < 3 THEN 1 END FROM generate_series(1, 13) n`,
    [
      'a customer has at most 12 TVs and TV apps',
      'a session, a token and the name of a TV app belong to one device',
      'only browsers have a session, only TVs have a token, and exactly the TV apps have a name and a password',
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
  [
    '201 positions of a customer who keeps no history',
    `UPDATE users SET no_history_since = now() WHERE id = 3; INSERT INTO watch_progress (user_id, kind, ref, position_ms, length_ms)
       SELECT 3, 'catchup', '1-' || 1795896000000 + n, 1, 2 FROM generate_series(1, 201) n`,
    [
      'the positions of at most 200 programs are stored for a customer',
      'no positions are stored for customers who turned their watch history off',
    ],
  ],
  [
    'watching without a confirmation',
    'UPDATE watching SET enabled_at = now()',
    ['watching is on only after an administrator confirmed the rights'],
  ],
  [
    'no default panel',
    'UPDATE panels SET is_default = false',
    ['exactly one panel gets the new lines that no rule assigns'],
  ],
  [
    'a job for an unknown line without its panel',
    `${withoutConstraint('orphan_line_has_a_panel', 'line_jobs')} INSERT INTO line_jobs (cause, cause_key, line_ref) VALUES ('stray', 'x', '1')`,
    [
      'a job for a line without a customer names its panel',
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
  [
    'a moved line whose move is not known to have ended',
    `INSERT INTO panels (name, kind, address) VALUES ('Other', 'xui-admin', 'https://other.example');
     INSERT INTO line_move_runs (from_panel, to_panel, state) SELECT 1, max(id), 'done' FROM panels;
     INSERT INTO line_jobs (user_id, cause, cause_key, state) VALUES (3, 'move', 'move:1', 'unknown');
     INSERT INTO line_moves (run_id, user_id, state, job_id) SELECT r.id, 3, 'moved', j.id FROM line_move_runs r, line_jobs j WHERE j.cause = 'move'`,
    ['the job of every completed line move is done'],
  ],
  [
    'a balance without its ledger entry',
    'UPDATE users SET account_credit = account_credit + 1 WHERE id = 3',
    ['a balance is the sum of its ledger', everyCent, everyCentInAll],
  ],
  [
    'a balance below zero',
    `${withoutConstraint('users_account_credit_check', 'users')} UPDATE users SET account_credit = -1 WHERE id = 3`,
    [
      'a balance is the sum of its ledger',
      'no balance is negative',
      everyCent,
      everyCentInAll,
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
  [
    'credit without a source',
    `INSERT INTO credit_transactions (user_id, amount, description, type, created_by) VALUES (2, 1, '', 'payment', 1); UPDATE users SET account_credit = account_credit + 1 WHERE id = 2`,
    [
      'every ledger row has a source: the activation of an invoice, the row that it reverses, an allocated payment, or an administrator',
      everyCent,
      everyCentInAll,
    ],
  ],
  [
    'a reversed activation without its other effects',
    'UPDATE activations SET reversed_at = now()',
    [
      'credit booked for a reversed payment is reversed',
      'a paid invoice has a payment date and exactly one activation in force',
      'an active subscription was paid for or granted',
      'segments belong to activations in force, and only activations in force replace them',
    ],
  ],
  [
    'a confirmation code with the wrong folded form',
    "UPDATE invoices SET confirmation_code = 'ABC-1234'; UPDATE payment_codes SET folded = 'OTHER'",
    ['every confirmation code has its folded form stored for comparison'],
  ],
  [
    'an invoice reopened without the service',
    `UPDATE invoices SET status = 'pending', paid_at = NULL`,
    [
      'a referral bonus was earned by a paid invoice of the referred customer',
      'a paid invoice has a payment date and exactly one activation in force',
      'the audit log has one more confirmation than reversals for a paid invoice, and equally many otherwise',
      'an active subscription was paid for or granted',
      everyCent,
      everyCentInAll,
    ],
  ],
  [
    'a changed invoice amount',
    'UPDATE invoices SET amount = amount + 1; UPDATE invoice_lines SET amount = amount + 1 WHERE position = 1',
    ['the amount of a paid invoice is the one that was confirmed', perAct, everyCent, everyCentInAll],
  ],
  [
    'a changed invoice item',
    'UPDATE invoice_lines SET amount = amount + 1 WHERE position = 1',
    ['the amount of an invoice is the sum of its items'],
  ],
  [
    'a longer subscription',
    `UPDATE users SET subscription_end_date = subscription_end_date + interval '1 day' WHERE id = 3`,
    ['the dates of an active subscription are those of its segments, and its plan is that of one of them'],
  ],
  [
    'an expired subscription with paid time left',
    `UPDATE users SET subscription_status = 'expired' WHERE id = 3`,
    ['a customer with paid time left has an active subscription'],
  ],
  [
    'a segment with a higher value than the customer paid',
    'UPDATE segments SET list_cents = list_cents + 1, paid_cents = paid_cents + 1',
    [perAct, everyCent, everyCentInAll],
  ],
  [
    'overlapping segments',
    'ALTER TABLE segments DROP CONSTRAINT segments_do_not_overlap; INSERT INTO segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, begun) SELECT user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, 0, begun FROM segments',
    [
      'segments of a customer do not overlap',
      'remaining paid time has no gap',
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
  [
    'a bonus that is no longer pending and was never booked',
    'UPDATE referral_claims SET bonus_booked_at = now()',
    ['a bonus is booked as credit once it is no longer pending, and not before'],
  ],
  ['no administrator', `UPDATE users SET role = 'user'`, ['at least one administrator exists']],
  [
    'a second open trial',
    `DROP INDEX one_open_trial; INSERT INTO trial_requests (user_id, message, device) SELECT user_id, message, device FROM trial_requests`,
    [
      'at most one open trial request per customer',
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
  [
    'a username that differs only in case',
    `DROP INDEX users_name; UPDATE users SET username = (SELECT upper(username) FROM users WHERE id = 2) WHERE id = 3`,
    [
      'a username and an email address belong to one account, ignoring case',
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
  [
    'a password in plain text',
    `${withoutConstraint('users_iptv_password_check', 'users')} UPDATE users SET iptv_password = 'open sesame' WHERE id = 3`,
    ['every value in users.iptv_password is encrypted'],
  ],
  [
    'a sent mail without a sending time',
    `UPDATE mails SET status = 'sent', sent_at = NULL`,
    ['an email has a sending time if and only if it was sent'],
  ],
  [
    'an audit log with deleted rows',
    'ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only; DELETE FROM audit_log',
    [
      'ledger, audit log, credit notes and payments never lose rows',
      'the audit log has one more confirmation than reversals for a paid invoice, and equally many otherwise',
      'all triggers, constraints and indexes that enforce invariants exist and are enabled',
    ],
  ],
]

test('every invariant holds for untouched sample data', () => expectInvariants(app.db))

test.each(breakages)('%s is reported', async (_what, statements, violated) => {
  const { tally } = await checkInvariants(app.db)
  const undone = await app.db
    .transaction(async (tx) => {
      await tx.execute(statements)
      const { results } = await checkInvariants(tx as never, tally)
      throw Object.assign(new Error('undone'), {
        found: results.filter(({ broken }) => broken.length > 0).map(({ statement }) => statement),
      })
    })
    .catch((error) => error)
  expect(undone.found).toEqual(violated)
})
