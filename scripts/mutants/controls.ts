import { announcementControls } from './announcement-controls.ts'
import { apiKeyControls } from './api-key-controls.ts'
import { mailboxControls } from './mailbox-controls.ts'
import type { Mutant } from './mutant.ts'
import { panelControls } from './panel-controls.ts'
import { paymentControls } from './payment-controls.ts'
import { pictureControls } from './picture-controls.ts'
import { watchControls } from './watch-controls.ts'

const mutant = (control: string, file: string, text: string, instead: string, ...tests: string[]): Mutant => ({
  control,
  edits: [{ file, text, instead }],
  tests,
})

const billing = 'src/features/billing'
const baseline = 'migrations/0042-baseline'

/** The most important controls. When the code of a control changes, update its text here. */
export const mutants: Mutant[] = [
  mutant(
    'owner of an invoice',
    `${billing}/server/service/read-invoices.ts`,
    "reader.permissions.includes('invoices.read') ? undefined : eq(invoices.userId, reader.id)",
    'undefined',
    `${billing}/download-invoice.test.ts`,
  ),
  mutant(
    'owner of a report',
    'src/features/reports/server/service/read-reports.ts',
    '.where(eq(reports.userId, userId))',
    '',
    'src/features/reports/reports.test.ts',
  ),
  {
    control: 'no customer text on the status page',
    edits: [
      {
        file: 'src/features/incidents/server/service/open-incident.ts',
        text: '.select({ solvedAt: reportCases.solvedAt,',
        instead: '.select({ title: reportCases.title, solvedAt: reportCases.solvedAt,',
      },
      {
        file: 'src/features/incidents/server/service/open-incident.ts',
        text: "found.channel ?? 'single channels or titles'",
        instead: 'found.channel ?? found.title',
      },
    ],
    tests: ['src/features/incidents/incidents.test.ts'],
  },
  mutant(
    'days for an incident are added once',
    'src/features/incidents/server/service/days-back.ts',
    "c.state in ('waiting', 'added', 'kept')) as had_days",
    'false) as had_days',
    'src/features/incidents/days-back.test.ts',
  ),
  mutant(
    'days are added only for paid time during the incident',
    'src/features/incidents/server/service/days-back.ts',
    'and s.starts_at < ',
    'and s.ends_at < ',
    'src/features/incidents/days-back.test.ts',
  ),
  mutant(
    'owner of a trial request',
    'src/features/trials/server/service/read-trial-requests.ts',
    '.where(eq(userId, ownerId))',
    '',
    'src/features/trials/create-trial-request.test.ts',
  ),
  mutant(
    'owner of a credit transaction',
    'src/features/referrals/server/service.ts',
    '.where(eq(creditTransactions.userId, userId))',
    '',
    'src/features/referrals/referrals.test.ts',
  ),
  mutant(
    'owner of a session',
    'src/server/session/session.ts',
    'and(eq(sessions.userId, userId), eq(sessions.id, sessionId))',
    'eq(sessions.id, sessionId)',
    'src/features/sessions/sessions.test.ts',
  ),
  mutant(
    'same origin of writes',
    'src/server/http/request-user.ts',
    "if (method !== 'GET') assertSameOrigin(headers, config)",
    '',
    'src/features/accounts/same-origin.test.ts',
  ),
  mutant(
    'same origin of sockets',
    'src/server/live/socket.ts',
    "if (\n      !headers.origin ||\n      !isSameOrigin(first(headers['sec-fetch-site']), headers.origin, headers.host ?? null, config)\n    )\n      return 403",
    '',
    'src/server/live/socket.test.ts',
  ),
  mutant(
    'strict schema',
    'src/server/http/route.ts',
    'if (result.success) return result.data',
    'if (result.success) return value',
    'src/server/http/route.test.ts',
  ),
  mutant(
    'allowed states before a state change',
    `${billing}/server/service/payments/confirm-payment.ts`,
    "in ('draft', 'pending', 'expired', 'cancelled')",
    'is not null',
    `${billing}/confirm-payment.test.ts`,
  ),
  mutant(
    'unique index of bonuses',
    `${baseline}/09-credit-and-refunds.sql`,
    'CREATE UNIQUE INDEX one_booking_an_activation',
    'CREATE INDEX one_booking_an_activation',
    'src/features/referrals/ledger.test.ts',
  ),
  mutant(
    'credit is never below zero',
    `${baseline}/03-users.sql`,
    'account_credit integer NOT NULL DEFAULT 0 CHECK (account_credit >= 0)',
    'account_credit integer NOT NULL DEFAULT 0',
    'src/features/referrals/ledger.test.ts',
  ),
  mutant(
    'role of administrators',
    'src/server/http/route.ts',
    '  refuseRole(endpoint, user)\n',
    '',
    'test/integration/access.test.ts',
  ),
  mutant(
    'end of the session at logout',
    'src/features/accounts/server/routes.ts',
    'await endSession(db, caller.sessionToken)',
    '',
    'src/features/accounts/logout.test.ts',
  ),
  mutant(
    'the same work for an unknown username',
    'src/server/session/password.ts',
    '(await compare(known ?? (await this.#dummy), password)) && known !== undefined',
    'known !== undefined && (await compare(known, password))',
    'src/server/session/password.test.ts',
  ),
  mutant(
    'redirects to paths of this site only',
    'src/kit/safe-path.ts',
    "|| !/^\\/(?![/\\\\])[\\x21-\\x7e]*$/.test(target) || target.includes('\\\\')) return '/'",
    ") return '/'\n  if (target) return target",
    'src/kit/safe-path.test.ts',
  ),
  {
    control: 'encryption context of a sealed secret',
    edits: [
      {
        file: 'src/server/secrets/keys.ts',
        text: '.setAAD(\n    Buffer.from(context),\n  )',
        instead: '',
      },
      {
        file: 'src/server/secrets/keys.ts',
        text: '}).setAAD(Buffer.from(context))',
        instead: '})',
      },
    ],
    tests: ['src/server/secrets/keys.test.ts'],
  },
  mutant(
    'maximum size of a request body',
    'src/server/http/json-body.ts',
    'if (size > limits.bodyBytes) tooLarge()',
    '',
    'src/features/accounts/hostile.test.ts',
  ),
  mutant(
    'rate limits',
    'src/server/http/route.ts',
    'if (endpoint.limit) await app.limits.take(endpoint.limit, limitedCaller(caller, user))',
    '',
    'src/features/accounts/attempts.test.ts',
  ),
  mutant(
    'private responses are not cached',
    'src/server/http/route.ts',
    ": 'no-store')",
    ": 'public, max-age=60')",
    'src/features/accounts/login.test.ts',
  ),
  mutant(
    'Content-Security-Policy of pages',
    'src/server/http/headers.ts',
    '(dev ? ["\'unsafe-inline\'"] : scriptHashes',
    '(config ? ["\'unsafe-inline\'"] : scriptHashes',
    'src/server/http/headers.test.ts',
  ),
  mutant(
    'redirects from panels are not followed',
    'src/server/outbound/outbound.ts',
    'return await use(response.statusCode ?? 0',
    'const { location } = response.headers\n      if (location) return await this.#exchange(call, new URL(location, url), addresses, signal, use)\n      return await use(response.statusCode ?? 0',
    'src/server/outbound/outbound.test.ts',
  ),
  mutant(
    'emails are queued in their transaction',
    `${billing}/server/service/payments/submit-payment.ts`,
    'await enqueueMail(tx, {',
    'await enqueueMail(db as never, {',
    `${billing}/submit-payment.test.ts`,
  ),
  mutant(
    'lock of the data folder',
    'src/server/postgres/lock.ts',
    'while (!move(own, path)) {',
    'while (false) {',
    'src/server/postgres/lock.test.ts',
  ),
  mutant(
    'Retry-After of a rate limit',
    'src/server/errors.ts',
    "headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },",
    '',
    'src/features/reports/reports.test.ts',
  ),
  ...paymentControls,
  ...apiKeyControls,
  ...mailboxControls,
  ...pictureControls,
  ...announcementControls,
  ...panelControls,
  ...watchControls,
]
