import { buy, type Column, type World } from './access-world.ts'
import { password } from './factories.ts'

/** What an endpoint answers whom, for an address that names what is the owner's, and a right body. */
export type Row = Record<Column, number> & {
  query?: (world: World) => string
  body?: (world: World) => unknown
  /** What has to have happened before. */
  after?: (world: World) => Promise<void>
}
type More = Partial<Row>

const everyone = (more: More = {}): Row => ({ anonymous: 200, other: 200, owner: 200, admin: 200, ...more })
/** Every account holder gets their own data. */
const oneself = (more: More = {}): Row => ({ ...everyone(), anonymous: 401, ...more })
/** Private data of one customer: all others, including administrators, get 404. */
const ownerOnly = (more: More = {}): Row => ({ anonymous: 401, other: 404, owner: 200, admin: 404, ...more })
const ownerAndOffice = (more: More = {}): Row => ownerOnly({ admin: 200, ...more })
const office = (more: More = {}): Row => ({ anonymous: 401, other: 403, owner: 403, admin: 200, ...more })
const send = (body: unknown, more: More = {}): More => ({ body: () => body, ...more })

let count = 0
const serial = () => `${Date.now().toString(36)}${count++}`
const version = { query: () => '?version=1' }
const plan = (connections: number) => ({
  tier: 1,
  connections,
  price: 100,
  features: [],
  popular: false,
  hidden: true,
  version: 1,
})
const channel = () => ({
  name: `Channel ${serial()}`,
  category: 'news',
  logo: '',
  previewUrl: '',
  featured: false,
  hidden: true,
  version: 1,
})
const category = () => ({ name: `Devices ${serial()}`, icon: 'tv', devices: ['A box'], hidden: true, version: 1 })
const faq = () => ({ question: `Is it any good, ${serial()}?`, answer: 'It is good.', hidden: true, version: 1 })
const panelLogin = { iptvUsername: 'somebody', iptvPassword: 'something' }
const rightPassword = { currentPassword: password }
const attested = { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
const asserted = { id: 'AAAA', response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } }
const bought = (until: Parameters<typeof buy>[1]): More => ({ after: (world) => buy(world, until) })

const byHand: More = {
  after: async ({ app, places }) =>
    void (await app.database.pool.query("UPDATE line_jobs SET task = 'manual' WHERE id = $1", [places.jobId])),
}
const stored = async ({ client }: World['admin'], path: string) => (await client.request(path)).json()

/** One row for each endpoint there is; what has none fails. */
export const rows: Record<string, Row> = {
  // Anybody
  'GET /api/plans': everyone(),
  'GET /api/channels': everyone(),
  'GET /api/device-categories': everyone(),
  // None is fetched in tests.
  'GET /api/channel-logos/:hash': everyone({ anonymous: 404, other: 404, owner: 404, admin: 404 }),
  'GET /api/faqs': everyone(),
  'GET /api/site': everyone(),
  'GET /api/legal/:document': everyone(),
  'POST /api/inquiries': everyone(
    send({ name: 'Pat Doe', email: 'pat@example.org', message: 'Do you carry the news in HD?' }),
  ),
  'POST /api/login': everyone({ body: ({ owner }) => ({ username: owner.user.username, password }) }),
  'POST /api/login/second-step': everyone(
    send({ token: 'x'.repeat(43), code: '123456' }, { anonymous: 401, other: 401, owner: 401, admin: 401 }),
  ),
  'POST /api/register': everyone({
    body: () => ({ username: `new-${serial()}`, email: `${serial()}@example.org`, password }),
  }),
  'POST /api/logout': everyone(),
  'POST /api/view/stop': everyone(),
  'POST /api/forgot-password': everyone({ body: ({ owner }) => ({ email: owner.user.email }) }),
  'POST /api/reset-password': everyone(
    send(
      { token: 'x'.repeat(43), newPassword: 'another horse' },
      { anonymous: 400, other: 400, owner: 400, admin: 400 },
    ),
  ),
  'POST /api/verify-email': everyone(
    send({ token: 'x'.repeat(43) }, { anonymous: 400, other: 400, owner: 400, admin: 400 }),
  ),
  'POST /api/passkeys/challenge': everyone(),
  'POST /api/passkeys/login': everyone(
    send({ passkey: asserted }, { anonymous: 401, other: 401, owner: 401, admin: 401 }),
  ),

  // Oneself
  'GET /api/user': oneself(),
  'PUT /api/account/profile': oneself({
    body: () => ({ fullName: 'Another Name', email: `${serial()}@example.org`, currentPassword: password }),
  }),
  'PUT /api/account/password': oneself(send({ ...rightPassword, newPassword: 'another horse' })),
  'GET /api/account/email-verification': oneself(),
  'POST /api/account/email-verification': oneself({ other: 409, owner: 409, admin: 409 }),
  'GET /api/account/sessions': oneself(),
  'GET /api/account/subscription': oneself(),
  'POST /api/account/sessions/end': ownerOnly({ body: ({ places }) => ({ id: Number(places.sessionId) }) }),
  'POST /api/account/sessions/end-others': oneself(),
  'GET /api/account/two-factor': oneself(),
  'POST /api/account/two-factor/setup': oneself(send(rightPassword)),
  'POST /api/account/two-factor/enable': oneself(send({ code: '000000' }, { other: 409, owner: 409, admin: 409 })),
  'POST /api/account/two-factor/disable': oneself(
    send({ ...rightPassword, code: '000000' }, { other: 409, owner: 409, admin: 409 }),
  ),
  'POST /api/account/two-factor/recovery-codes': oneself(
    send({ ...rightPassword, code: '000000' }, { other: 409, owner: 409, admin: 409 }),
  ),
  'GET /api/account/passkeys': oneself(),
  'POST /api/account/passkeys/options': oneself(send(rightPassword)),
  'POST /api/account/passkeys': oneself(
    send({ name: 'A phone', passkey: attested }, { other: 400, owner: 400, admin: 400 }),
  ),
  'PUT /api/account/passkeys/:passkeyId': ownerOnly(send({ name: 'Another name' })),
  'POST /api/account/passkeys/:passkeyId/remove': ownerOnly(send(rightPassword)),
  'GET /api/payment-methods': oneself(),
  'GET /api/chat/identity': oneself(),
  'GET /api/referrals/my-code': oneself(),
  'GET /api/account/credit': oneself(),
  'GET /api/watchlist': oneself(),
  'PUT /api/watchlist/:channelId': oneself(send({ listed: true })),
  'GET /api/reports': oneself(),
  'POST /api/reports': ownerOnly({
    other: 403,
    admin: 403,
    body: ({ owner }) => ({ contentType: 'movie', contentName: 'A film', issue: 'other', userId: owner.user.id }),
  }),
  'GET /api/trial-requests': oneself(),
  'POST /api/trial-requests': oneself(
    send({ device: 'A box', message: 'I would like to see it first.' }, { owner: 409 }),
  ),
  'GET /api/line': oneself(),
  'POST /api/line/reveal': oneself({ other: 409, admin: 409 }),
  'POST /api/iptv/validate': oneself(send(panelLogin, { other: 503, owner: 503, admin: 503 })),
  'POST /api/iptv/sync': oneself(send(panelLogin, { other: 503, owner: 503, admin: 503 })),

  // Orders
  'POST /api/create-invoice': oneself({ body: ({ plans }) => ({ planId: plans[0]!.id, email: 'buyer@example.org' }) }),
  'POST /api/submit-payment': ownerOnly({
    body: ({ plans, places }) => ({
      planId: plans[0]!.id,
      paymentMethod: 'venmo',
      invoiceNumber: places.invoiceNumber,
    }),
  }),
  'GET /api/change-subscription/quote': oneself({
    query: ({ plans }) => `?planId=${plans[1]!.id}`,
    other: 409,
    admin: 409,
  }),
  'POST /api/change-subscription': oneself({ body: ({ plans }) => ({ planId: plans[1]!.id }), other: 409, admin: 409 }),
  'GET /api/paid-time': oneself(),
  'GET /api/invoices': oneself(),
  'GET /api/invoices/:invoiceNumber': ownerAndOffice(),
  'GET /invoice/:invoiceNumber/pdf': ownerAndOffice(),
  'PUT /api/invoices/:invoiceNumber/credit': ownerOnly(send({ useCredit: true })),
  'GET /api/refunds': oneself(),
  'POST /api/refunds': ownerOnly({
    ...bought('paid'),
    body: ({ places }) => ({ invoiceNumber: places.invoiceNumber, reason: 'It does not run here' }),
  }),
  'GET /api/credit-notes/:creditNoteNumber': ownerAndOffice(bought('refunded')),
  'GET /credit-note/:creditNoteNumber/pdf': ownerAndOffice(bought('refunded')),

  'GET /api/admin/installation': office(),
  'POST /api/admin/installation/go-live': office(),

  // The office: people
  'GET /api/admin/users': office(),
  'GET /admin/users.csv': office(),
  'GET /api/admin/users/:userId': office(),
  'PUT /api/admin/users/:userId/role': office(send({ role: 'admin' })),
  'PUT /api/admin/users/:userId/reset-password': office(send({ newPassword: 'another horse' })),
  'PUT /api/admin/users/:userId/subscription': office(send({ planId: null, status: 'none' })),
  'POST /api/admin/users/:userId/subscription/preview': office(send({ planId: null, status: 'none' })),
  'GET /api/admin/users/:userId/subscription/undo-preview': office({
    query: ({ places }) => `?activationId=${places.editId}`,
  }),
  'POST /api/admin/users/:userId/subscription/undo': office({
    body: ({ places }) => ({ activationId: Number(places.editId) }),
  }),
  'POST /api/admin/users/:userId/credit': office(send({ amount: 100, reason: 'A present' })),
  'POST /api/admin/users/:userId/reset-two-factor': office({ admin: 409 }),
  'POST /api/admin/users/:userId/view': office(),
  'GET /api/admin/users/:userId/line': office(),
  'GET /api/admin/active-visitors': office(),
  'GET /admin/visitors.csv': office(),

  // The office: catalogue
  'GET /api/admin/plans': office(),
  'POST /api/admin/plans': office({ body: () => plan(99) }),
  'PUT /api/admin/plans/:planId': office({ body: () => plan(98) }),
  'DELETE /api/admin/plans/:planId': office(version),
  'GET /api/admin/channels': office(),
  'POST /api/admin/channels': office({ body: channel }),
  'PUT /api/admin/channels/:channelId': office({ body: channel }),
  'DELETE /api/admin/channels/:channelId': office(version),
  'GET /api/admin/channel-logos': office(),
  'PUT /api/admin/channel-logos': office(send({ fromPanel: false })),
  'GET /api/admin/device-categories': office(),
  'POST /api/admin/device-categories': office({ body: category }),
  'PUT /api/admin/device-categories/:categoryId': office({ body: category }),
  'PUT /api/admin/device-categories/:categoryId/position': office(send({ move: 'up' })),
  'DELETE /api/admin/device-categories/:categoryId': office(version),
  'GET /api/admin/sample-content': office(),
  'POST /api/admin/sample-content/remove': office(
    send({ plans: 9, channels: 9, deviceCategories: 9, faqs: 9 }, { admin: 409 }),
  ),
  'GET /api/admin/faqs': office(),
  'POST /api/admin/faqs': office({ body: faq }),
  'PUT /api/admin/faqs/:faqId': office({ body: faq }),
  'PUT /api/admin/faqs/:faqId/position': office(send({ move: 'up' })),
  'DELETE /api/admin/faqs/:faqId': office(version),
  'POST /api/admin/channel-import/preview': office(send(panelLogin, { admin: 409 })),
  'POST /api/admin/channel-import': office(send({ ...panelLogin, categories: {}, show: false }, { admin: 409 })),

  // The office: what people sent
  'GET /api/admin/inquiries': office(),
  'GET /admin/inquiries.csv': office(),
  'PUT /api/admin/inquiries/:inquiryId': office(send({ status: 'answered' })),
  'GET /api/admin/reports': office(),
  'GET /admin/reports.csv': office(),
  'PUT /api/admin/reports/:reportId': office(send({ status: 'reviewing' })),
  'PUT /api/admin/reports': office({
    body: ({ places }) => ({ status: 'resolved', reports: [{ id: places.reportId, version: 1 }] }),
  }),
  'GET /api/admin/trial-requests': office(),
  'GET /admin/trial-requests.csv': office(),
  'PUT /api/admin/trial-requests/:trialRequestId': office(send({ status: 'denied', adminNotes: 'Not this time' })),
  'GET /api/admin/trial-requests/:trialRequestId/line': office(),
  'POST /api/admin/trial-requests/:trialRequestId/line': office(send({}, { admin: 409 })),

  // The office: money
  'GET /api/admin/invoices': office(),
  'GET /admin/invoices.csv': office(),
  'GET /api/admin/invoices/to-confirm': office({ query: ({ places }) => `?invoiceIds=${places.invoiceId}` }),
  'POST /api/admin/invoices/confirm': office({
    body: ({ places }) => ({
      invoices: [{ invoiceId: places.invoiceId, version: 1, expectedAmount: places.amount, acknowledged: true }],
    }),
  }),
  'PUT /api/admin/invoices/:invoiceId': office(send({ status: 'paid' })),
  'GET /api/admin/invoices/:invoiceId/evidence': office(),
  'PUT /api/admin/invoices/:invoiceId/rejection': office(send({ reason: 'No money came', version: 1 })),
  'PUT /api/admin/invoices/:invoiceId/payment-link': office(
    send({ paymentLink: 'https://pay.example/1', version: 1 }, { admin: 409 }),
  ),
  'GET /api/admin/invoices/:invoiceId/refund': office(bought('refund-asked')),
  'PUT /api/admin/invoices/:invoiceId/refund': office({
    ...bought('refund-asked'),
    ...send({ status: 'declined', reason: 'You had one before' }),
  }),

  // The office: lines, mails, settings, log
  'GET /api/admin/lines': office(),
  'GET /api/admin/line-panel': office(),
  'POST /api/admin/lines/:jobId/retry': office(),
  'POST /api/admin/lines/:jobId/settle': office(),
  'POST /api/admin/lines/:jobId/made': office({ ...byHand, ...send({ username: '', password: '', server: '' }) }),
  'POST /api/admin/line-panel/try': office(),
  'GET /api/admin/line-drift': office(),
  'POST /api/admin/line-drift/check': office(),
  'GET /api/admin/line-drift/counts': office(),
  'POST /api/admin/line-drift/mend-all': office(send({ kinds: ['no_line'], expected: 9 }, { admin: 409 })),
  'POST /api/admin/line-drift/:driftId/mend': office(send({ way: 'keep' })),
  'GET /api/admin/provisioning': office(),
  'PUT /api/admin/provisioning': office({ body: ({ admin }) => stored(admin, '/api/admin/provisioning') }),
  'POST /api/admin/provisioning/test': office(send({ kind: 'manual', address: '', username: '', key: '', ca: '' })),
  'GET /api/admin/mails': office(),
  'GET /api/admin/mails/:mailId': office(),
  'GET /api/admin/mails/:mailId/document': office(),
  'POST /api/admin/mails/:mailId/resend': office(),
  'POST /api/admin/mails/:mailId/reveal': office({ admin: 409 }),
  'GET /api/admin/mail-templates': office(),
  'GET /api/admin/mail-templates/:template/document': office(),
  'POST /api/admin/mail-templates/:template/test': office(),
  'GET /api/admin/settings/:section': office(),
  'PUT /api/admin/settings/:section': office({
    body: ({ admin, places }) => stored(admin, `/api/admin/settings/${places.section}`),
  }),
  'GET /api/admin/audit': office(),
  'GET /api/admin/audit/words': office(),
  'GET /admin/audit.csv': office(),
}
