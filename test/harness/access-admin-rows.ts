import { defaultMailServer } from '#features/mails/rules.ts'
import { defaults } from '#features/settings/rules.ts'
import { guideAdminRows } from './access-guide.ts'
import { panelAccessRows } from './access-panels.ts'
import {
  adminOnly,
  afterPurchase,
  panelLogin,
  type Row,
  type RowOptions,
  send,
  setupGuideEdit,
  uniqueText,
} from './access-row.ts'
import { userAdminRows } from './access-users.ts'
import { watchAdminRows } from './access-watch.ts'
import type { World } from './access-world.ts'

const mailServer = { ...defaultMailServer, host: 'smtp.example', address: 'tv@mail.example', password: '' }
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
  name: `Channel ${uniqueText()}`,
  category: 'news',
  logo: '',
  previewUrl: '',
  featured: false,
  hidden: true,
  version: 1,
})
const category = () => ({ name: `Devices ${uniqueText()}`, icon: 'tv', devices: ['A box'], hidden: true, version: 1 })
const faq = () => ({ question: `Is it any good, ${uniqueText()}?`, answer: 'It is good.', hidden: true, version: 1 })

const savedView = () => ({ name: `View ${uniqueText()}`, shared: true, query: {}, hiddenColumns: [] })

const manualJob: RowOptions = {
  prepare: async ({ app, pathParams }) =>
    void (await app.database.pool.query("UPDATE line_jobs SET task = 'manual' WHERE id = $1", [pathParams.jobId])),
}
const stored = async ({ client }: World['admin'], path: string) => (await client.request(path)).json()

/** The endpoints of administrators. */
export const adminRows: Record<string, Row> = {
  // Installation
  'GET /api/admin/installation': adminOnly(),
  'POST /api/admin/installation/go-live': adminOnly(),

  // Desk
  'GET /api/admin/desk/counts': adminOnly(),
  'GET /api/admin/desk/queue': adminOnly(),
  'GET /api/admin/desk/figures': adminOnly(),
  'GET /api/admin/desk/activity': adminOnly(),
  'GET /api/admin/desk/promises': adminOnly(),
  'GET /api/admin/desk/setup': adminOnly(),
  'GET /api/admin/desk/health': adminOnly(),
  'GET /api/admin/desk/present': adminOnly(),
  'PUT /api/admin/desk/present': adminOnly({ body: () => ({ path: '/admin/overview', item: 'invoice:1' }) }),
  'GET /api/admin/desk/search': adminOnly({ query: () => '?search=example' }),

  ...watchAdminRows,
  ...guideAdminRows,
  'GET /api/admin/saved-views': adminOnly({ query: () => '?list=users' }),
  'POST /api/admin/saved-views': adminOnly({
    query: () => '?list=users',
    body: () => ({ list: 'users', ...savedView() }),
  }),
  'PUT /api/admin/saved-views/:savedViewId': adminOnly({ body: () => ({ ...savedView(), version: 1 }) }),
  'DELETE /api/admin/saved-views/:savedViewId': adminOnly(),

  ...userAdminRows,

  // Insight
  'GET /api/admin/insight': adminOnly(),
  'GET /admin/insight-days.csv': adminOnly(),
  'GET /admin/insight-churn.csv': adminOnly(),
  'GET /admin/insight-trials.csv': adminOnly(),
  'GET /admin/insight-renewals.csv': adminOnly(),
  'GET /admin/insight-cohorts.csv': adminOnly(),

  // Catalog
  'GET /api/admin/plans': adminOnly(),
  'POST /api/admin/plans': adminOnly({ body: () => plan(99) }),
  'PUT /api/admin/plans/:planId': adminOnly({ body: () => plan(98) }),
  'DELETE /api/admin/plans/:planId': adminOnly(version),
  'GET /api/admin/channels': adminOnly(),
  'POST /api/admin/channels': adminOnly({ body: channel }),
  'PUT /api/admin/channels/:channelId': adminOnly({ body: channel }),
  'DELETE /api/admin/channels/:channelId': adminOnly(version),
  'GET /api/admin/brand': adminOnly(),
  'PUT /api/admin/brand/draft': adminOnly(send({ version: 'outdated', value: defaults.site.brand }, { admin: 409 })),
  'DELETE /api/admin/brand/draft': adminOnly(),
  'POST /api/admin/brand/publish': adminOnly(send({ version: 'outdated', value: defaults.site.brand }, { admin: 409 })),
  'POST /api/admin/brand/versions/:versionId/restore': adminOnly({ admin: 404 }),
  // The body of these tests is JSON, which is refused after the access check.
  'POST /api/admin/images': adminOnly({ query: () => '?use=channel', admin: 415 }),
  'GET /api/admin/channel-logos': adminOnly(),
  'PUT /api/admin/channel-logos': adminOnly(send({ fromPanel: false })),
  'GET /api/admin/device-categories': adminOnly(),
  'POST /api/admin/device-categories': adminOnly({ body: category }),
  'PUT /api/admin/device-categories/:categoryId': adminOnly({ body: category }),
  'PUT /api/admin/device-categories/:categoryId/position': adminOnly(send({ move: 'up' })),
  'DELETE /api/admin/device-categories/:categoryId': adminOnly(version),
  'GET /api/admin/sample-content': adminOnly(),
  'POST /api/admin/sample-content/remove': adminOnly(
    send({ plans: 9, channels: 9, deviceCategories: 9, faqs: 9 }, { admin: 409 }),
  ),
  'GET /api/admin/faqs': adminOnly(),
  'POST /api/admin/faqs': adminOnly({ body: faq }),
  'PUT /api/admin/faqs/:faqId': adminOnly({ body: faq }),
  'PUT /api/admin/faqs/:faqId/position': adminOnly(send({ move: 'up' })),
  'DELETE /api/admin/faqs/:faqId': adminOnly(version),
  'GET /api/admin/setup-guides': adminOnly(),
  'PUT /api/admin/setup-guides/:guideId': adminOnly(send(setupGuideEdit, { admin: 409 })),
  'PUT /api/admin/setup-guides/:guideId/position': adminOnly(send({ move: 'up' })),
  'POST /api/admin/channel-import/preview': adminOnly(send(panelLogin, { admin: 409 })),
  'POST /api/admin/channel-import': adminOnly(send({ ...panelLogin, categories: {}, show: false }, { admin: 409 })),

  // Inquiries, reports, trial requests
  'GET /api/admin/inquiries': adminOnly(),
  'GET /admin/inquiries.csv': adminOnly(),
  'PUT /api/admin/inquiries/:inquiryId': adminOnly(send({ status: 'answered' })),
  'GET /api/admin/reports': adminOnly(),
  'GET /admin/reports.csv': adminOnly(),
  'PUT /api/admin/reports/:reportId': adminOnly(send({ status: 'reviewing' })),
  'PUT /api/admin/reports': adminOnly({
    body: ({ pathParams }) => ({ status: 'resolved', reports: [{ id: pathParams.reportId, version: 1 }] }),
  }),
  'GET /api/admin/trial-requests': adminOnly(),
  'GET /admin/trial-requests.csv': adminOnly(),
  'PUT /api/admin/trial-requests/:trialRequestId': adminOnly(send({ status: 'denied', adminNotes: 'Not this time' })),
  'GET /api/admin/trial-requests/:trialRequestId/line': adminOnly(),
  'POST /api/admin/trial-requests/:trialRequestId/line': adminOnly(send({}, { admin: 409 })),

  // Invoices
  'GET /api/admin/invoices': adminOnly(),
  'GET /admin/invoices.csv': adminOnly(),
  'GET /api/admin/invoices/to-confirm': adminOnly({
    query: ({ pathParams }) => `?invoiceIds=${pathParams.invoiceId}`,
  }),
  'POST /api/admin/invoices/confirm': adminOnly({
    body: ({ pathParams }) => ({
      invoices: [
        { invoiceId: pathParams.invoiceId, version: 1, expectedAmount: pathParams.amount, acknowledged: true },
      ],
    }),
  }),
  'PUT /api/admin/invoices/:invoiceId': adminOnly(send({ status: 'paid' })),
  'GET /api/admin/invoices/:invoiceId/evidence': adminOnly(),
  'PUT /api/admin/invoices/:invoiceId/rejection': adminOnly(send({ reason: 'No money came', version: 1 })),
  'PUT /api/admin/invoices/:invoiceId/payment-link': adminOnly(
    send({ paymentLink: 'https://pay.example/1', version: 1 }, { admin: 409 }),
  ),
  'GET /api/admin/invoices/:invoiceId/refund': adminOnly(afterPurchase('refund-asked')),
  'PUT /api/admin/invoices/:invoiceId/refund': adminOnly({
    ...afterPurchase('refund-asked'),
    ...send({ status: 'declined', reason: 'You had one before' }),
  }),

  // Lines, emails, settings, audit log
  'GET /api/admin/lines': adminOnly(),
  'GET /api/admin/line-panel': adminOnly(),
  'POST /api/admin/lines/:jobId/retry': adminOnly(),
  'POST /api/admin/lines/:jobId/settle': adminOnly(),
  'POST /api/admin/lines/:jobId/made': adminOnly({ ...manualJob, ...send({ username: '', password: '', server: '' }) }),
  'POST /api/admin/line-panel/try': adminOnly(),
  'GET /api/admin/line-drift': adminOnly(),
  'POST /api/admin/line-drift/check': adminOnly(),
  'GET /api/admin/line-drift/counts': adminOnly(),
  'POST /api/admin/line-drift/mend-all': adminOnly(send({ kinds: ['no_line'], expected: 9 }, { admin: 409 })),
  'POST /api/admin/line-drift/:driftId/mend': adminOnly(send({ way: 'keep' })),
  ...panelAccessRows,
  'GET /api/admin/provisioning': adminOnly(),
  'PUT /api/admin/provisioning': adminOnly({ body: ({ admin }) => stored(admin, '/api/admin/provisioning') }),
  'POST /api/admin/provisioning/test': adminOnly(send({ kind: 'manual', address: '', username: '', key: '', ca: '' })),
  'GET /api/admin/mail-server': adminOnly(),
  'PUT /api/admin/mail-server': adminOnly(send({ version: 'old', value: mailServer }, { admin: 409 })),
  'GET /api/admin/mails': adminOnly(),
  'GET /api/admin/mails/:mailId': adminOnly(),
  'GET /api/admin/mails/:mailId/document': adminOnly(),
  'POST /api/admin/mails/:mailId/resend': adminOnly(),
  'POST /api/admin/mails/:mailId/reveal': adminOnly({ admin: 409 }),
  'GET /api/admin/mail-templates': adminOnly(),
  'GET /api/admin/mail-templates/:template/document': adminOnly(),
  'POST /api/admin/mail-templates/:template/test': adminOnly(),
  'GET /api/admin/settings/:section': adminOnly(),
  'PUT /api/admin/settings/:section': adminOnly({
    body: ({ admin, pathParams }) => stored(admin, `/api/admin/settings/${pathParams.section}`),
  }),
  'GET /api/admin/audit': adminOnly(),
  'GET /api/admin/audit/words': adminOnly(),
  'GET /admin/audit.csv': adminOnly(),
}
