import { adminRows } from './access-admin-rows.ts'
import { announcementRows } from './access-announcements.ts'
import { importRows } from './access-import-rows.ts'
import { incidentRows } from './access-incidents.ts'
import { apiKeyRows } from './access-keys.ts'
import { paymentRows } from './access-payment-rows.ts'
import {
  afterPurchase,
  everyone,
  ownerAndAdmin,
  ownerOnly,
  panelLogin,
  type Row,
  send,
  signedIn,
  uniqueText,
} from './access-row.ts'
import { staffRows } from './access-staff.ts'
import { ticketRows } from './access-tickets.ts'
import { webhookRows } from './access-webhooks.ts'
import { workingBrowser } from './check-facts.ts'
import { password } from './factories.ts'

const rightPassword = { currentPassword: password }
const guideTime = '2026-11-23T20:00:00.000Z'
const attested = { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
const asserted = { id: 'AAAA', response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } }

/** One row per endpoint. An endpoint without a row fails. */
export const rows: Record<string, Row> = {
  // Public
  'GET /api/plans': everyone(),
  'GET /api/channels': everyone(),
  'GET /api/device-categories': everyone(),
  'GET /accent/:file': everyone({ anonymous: 404, other: 404, owner: 404, admin: 404 }),
  // None is stored in tests.
  'GET /images/:file': everyone({ anonymous: 404, other: 404, owner: 404, admin: 404 }),
  'GET /api/faqs': everyone(),
  'GET /api/setup-guides': everyone(),
  'GET /api/site': everyone(),
  'GET /api/legal/:document': everyone(),
  'POST /api/inquiries': everyone(
    send({ name: 'Pat Doe', email: 'pat@example.org', message: 'Do you carry the news in HD?' }),
  ),
  // Only another server may send an event: these callers are pages.
  'POST /api/webhooks/stripe': everyone({ anonymous: 403, other: 403, owner: 403, admin: 403 }),
  'POST /api/webhooks/btcpay': everyone({ anonymous: 403, other: 403, owner: 403, admin: 403 }),
  'POST /api/login': everyone({ body: ({ owner }) => ({ username: owner.user.username, password }) }),
  'POST /api/login/second-step': everyone(
    send({ token: 'x'.repeat(43), code: '123456' }, { anonymous: 401, other: 401, owner: 401, admin: 401 }),
  ),
  'POST /api/register': everyone({
    body: () => ({ username: `new-${uniqueText()}`, email: `${uniqueText()}@example.org`, password }),
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

  'GET /api/guide/now': everyone(),

  // The caller's own account
  'GET /api/user': signedIn(),
  'GET /api/watch': signedIn(),
  'GET /api/watch/channels/:channelId/reporters': signedIn(),
  'POST /api/watch/channels/:channelId/listings': signedIn(),
  'GET /api/watch/archive': signedIn({ query: () => '?q=news' }),
  'GET /api/plays': signedIn(),
  'GET /api/guide': signedIn({ query: () => `?from=${guideTime}` }),
  // No listings are stored in these tests.
  'GET /api/guide/programs/:channelId/:startsAt': signedIn({ other: 404, owner: 404, admin: 404 }),
  'GET /api/program-marks': signedIn(),
  'PUT /api/program-marks/:channelId/:startsAt': signedIn(
    send({ onWatchlist: true, reminder: false }, { other: 404, owner: 404, admin: 404 }),
  ),
  'DELETE /api/program-marks/:channelId/:startsAt': signedIn(),
  'GET /api/guide/search': signedIn({ query: () => `?q=news&from=${guideTime}` }),
  // Watching is off in these tests.
  'POST /api/plays': signedIn({
    body: ({ pathParams }) => ({ channelId: pathParams.channelId }),
    other: 404,
    owner: 404,
    admin: 404,
  }),
  'GET /api/plays/:playId': ownerOnly(),
  'PUT /api/plays/:playId': signedIn(send({ from: guideTime }, { other: 404, owner: 404, admin: 404 })),
  // Of an earlier channel.
  'POST /api/plays/:playId/alive': signedIn(send({ generation: 99 }, { other: 404, owner: 404, admin: 404 })),
  'DELETE /api/plays/:playId': signedIn(),
  'GET /api/watch-progress': signedIn(),
  'PUT /api/watch-progress': signedIn(send({ isKept: false })),
  'DELETE /api/watch-progress': signedIn(),
  'PUT /api/watch-progress/:kind/:ref': signedIn(send({ positionMs: 60_000 }, { other: 404, owner: 404, admin: 404 })),
  'DELETE /api/watch-progress/:kind/:ref': signedIn(),
  'POST /api/self-check': signedIn(send({})),
  'PUT /api/self-check/:checkId/verdict': ownerOnly(send({ cause: 'works' })),
  'POST /api/self-check/:checkId/report': ownerOnly(send({ browser: workingBrowser })),
  'PUT /api/account/profile': signedIn({
    body: () => ({ fullName: 'Another Name', email: `${uniqueText()}@example.org`, currentPassword: password }),
  }),
  'PUT /api/account/password': signedIn(send({ ...rightPassword, newPassword: 'another horse' })),
  'GET /api/account/email-verification': signedIn(),
  'POST /api/account/email-verification': signedIn({ other: 409, owner: 409, admin: 409 }),
  'GET /api/account/sessions': signedIn(),
  'GET /api/account/subscription': signedIn(),
  'POST /api/account/sessions/end': ownerOnly({ body: ({ pathParams }) => ({ id: Number(pathParams.sessionId) }) }),
  'POST /api/account/sessions/end-others': signedIn(),
  'GET /api/account/two-factor': signedIn(),
  'POST /api/account/two-factor/setup': signedIn(send(rightPassword)),
  'POST /api/account/two-factor/enable': signedIn(send({ code: '000000' }, { other: 409, owner: 409, admin: 409 })),
  'POST /api/account/two-factor/disable': signedIn(
    send({ ...rightPassword, code: '000000' }, { other: 409, owner: 409, admin: 409 }),
  ),
  'POST /api/account/two-factor/recovery-codes': signedIn(
    send({ ...rightPassword, code: '000000' }, { other: 409, owner: 409, admin: 409 }),
  ),
  'GET /api/account/passkeys': signedIn(),
  'POST /api/account/passkeys/options': signedIn(send(rightPassword)),
  'POST /api/account/passkeys': signedIn(
    send({ name: 'A phone', passkey: attested }, { other: 400, owner: 400, admin: 400 }),
  ),
  'PUT /api/account/passkeys/:passkeyId': ownerOnly(send({ name: 'Another name' })),
  'POST /api/account/passkeys/:passkeyId/remove': ownerOnly(send(rightPassword)),
  'GET /api/payment-methods': signedIn(),
  'GET /api/chat/identity': signedIn(),
  'GET /api/referrals/my-code': signedIn(),
  'GET /api/account/credit': signedIn(),
  'GET /api/devices': signedIn(),
  'POST /api/devices': signedIn({ body: () => ({ name: 'Kodi' }) }),
  'POST /api/device-codes': everyone(send({})),
  'POST /api/device-codes/token': everyone(
    send({ deviceCode: 'x'.repeat(43) }, { anonymous: 400, other: 400, owner: 400, admin: 400 }),
  ),
  'POST /api/device-codes/look': signedIn(send({ userCode: 'BDWPHQPK' }, { other: 400, owner: 400, admin: 400 })),
  'POST /api/device-codes/decide': signedIn(
    send({ userCode: 'BDWPHQPK', allow: true, name: 'TV' }, { other: 400, owner: 400, admin: 400 }),
  ),
  'GET /api/tv': signedIn(),
  'POST /api/tv/sign-out': signedIn(),
  'PUT /api/devices/:deviceId': ownerOnly(send({ name: 'Another name' })),
  'DELETE /api/devices/:deviceId': ownerOnly(),
  'GET /api/watchlist': signedIn(),
  'PUT /api/watchlist': signedIn(send({ channelIds: [] })),
  'PUT /api/watchlist/:channelId': signedIn(send({ listed: true })),
  'GET /api/reports': signedIn(),
  'POST /api/reports': ownerOnly({
    other: 403,
    admin: 403,
    body: ({ owner }) => ({ contentType: 'movie', contentName: 'A film', issue: 'other', userId: owner.user.id }),
  }),
  'GET /api/trial-requests': signedIn(),
  'POST /api/trial-requests': signedIn(
    send({ device: 'A box', message: 'I would like to see it first.' }, { owner: 409 }),
  ),
  'GET /api/line': signedIn(),
  'POST /api/line/reveal': signedIn({ other: 409, admin: 409 }),
  'POST /api/line/link': signedIn({ other: 409, admin: 409 }),
  'POST /api/line/link/open': everyone(
    send({ token: 'x'.repeat(43) }, { anonymous: 400, other: 400, owner: 400, admin: 400 }),
  ),
  'POST /api/line/used': signedIn(),
  'POST /api/account/next-step/put-off': signedIn(send({ step: 'device' })),
  'POST /api/iptv/validate': signedIn(send(panelLogin, { other: 503, owner: 503, admin: 503 })),
  'POST /api/iptv/sync': signedIn(send(panelLogin, { other: 503, owner: 503, admin: 503 })),

  // Orders, invoices, refunds
  'GET /api/checkout/quote': signedIn({ query: ({ plans }) => `?planId=${plans[0]!.id}` }),
  'POST /api/create-invoice': signedIn({ body: ({ plans }) => ({ planId: plans[0]!.id, email: 'buyer@example.org' }) }),
  'POST /api/submit-payment': ownerOnly({
    body: ({ plans, pathParams }) => ({
      planId: plans[0]!.id,
      paymentMethod: 'venmo',
      invoiceNumber: pathParams.invoiceNumber,
    }),
  }),
  'GET /api/change-subscription/quote': signedIn({
    query: ({ plans }) => `?planId=${plans[1]!.id}`,
    other: 409,
    admin: 409,
  }),
  'POST /api/change-subscription': signedIn({
    body: ({ plans }) => ({ planId: plans[1]!.id }),
    other: 409,
    admin: 409,
  }),
  'GET /api/paid-time': signedIn(),
  'GET /api/invoices': signedIn(),
  'GET /api/invoices/:invoiceNumber': ownerAndAdmin(),
  'GET /api/invoices/:invoiceNumber/progress': ownerAndAdmin(),
  'GET /invoice/:invoiceNumber/pdf': ownerAndAdmin(),
  'PUT /api/invoices/:invoiceNumber/credit': ownerOnly(send({ useCredit: true })),
  'PUT /api/invoices/:invoiceNumber/identifying-cents': ownerOnly(send({ paymentMethod: 'cashapp' })),
  'GET /api/refunds': signedIn(),
  'POST /api/refunds': ownerOnly({
    ...afterPurchase('paid'),
    body: ({ pathParams }) => ({ invoiceNumber: pathParams.invoiceNumber, reason: 'It does not run here' }),
  }),
  'GET /api/credit-notes/:creditNoteNumber': ownerAndAdmin(afterPurchase('refunded')),
  'GET /credit-note/:creditNoteNumber/pdf': ownerAndAdmin(afterPurchase('refunded')),

  ...adminRows,
  ...staffRows,
  ...apiKeyRows,
  ...importRows,
  ...paymentRows,
  ...ticketRows,
  ...incidentRows,
  ...announcementRows,
  ...webhookRows,
}
