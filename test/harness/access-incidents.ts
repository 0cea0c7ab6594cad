import { adminOnly, everyone, type Row, send } from './access-row.ts'

const incident = {
  kind: 'problem',
  title: 'Slow pictures',
  text: 'We are looking into it.',
  categories: [],
  channels: [],
}

const group = { to: 'all', planIds: [] }
const gift = { days: 1, reason: 'An outage', emails: false }

/** The endpoints of incidents, and of days given to customers afterwards. */
export const incidentRows: Record<string, Row> = {
  'GET /api/status': everyone(),
  'GET /api/admin/incidents': adminOnly(),
  'POST /api/admin/incidents': adminOnly(send(incident)),
  'POST /api/admin/report-cases/:caseId/incident': adminOnly(),
  'POST /api/admin/incidents/:incidentId/updates': adminOnly(
    send({ text: 'Still there', version: 99 }, { admin: 409 }),
  ),
  'POST /api/admin/incidents/:incidentId/end': adminOnly(
    send({ text: 'Solved', notifies: true, version: 99 }, { admin: 409 }),
  ),
  'POST /api/admin/incidents/:incidentId/withdraw': adminOnly(send({ version: 99 }, { admin: 409 })),
  'GET /api/admin/incidents/:incidentId/days': adminOnly(),
  'POST /api/admin/incidents/:incidentId/days/preview': adminOnly(send({ ...group, days: 1 }, { admin: 409 })),
  'POST /api/admin/incidents/:incidentId/days': adminOnly(
    send({ ...group, ...gift, expectedCustomers: 1 }, { admin: 409 }),
  ),
  'POST /api/admin/users/:userId/days/preview': adminOnly(send({ days: 1 })),
  'POST /api/admin/users/:userId/days': adminOnly(send({ ...gift, expectedEnd: null }, { admin: 409 })),
  'GET /api/admin/time-gifts/:giftId': adminOnly(),
  'POST /api/admin/time-gifts/:giftId/continue': adminOnly(),
  'POST /api/admin/time-gifts/:giftId/undo': adminOnly(),
  'GET /api/admin/users/:userId/orders/preview': adminOnly({ query: ({ plans }) => `?planId=${plans[0]!.id}` }),
  'GET /api/admin/users/:userId/undo-creation': adminOnly(),
  'POST /api/admin/users/:userId/undo-creation': adminOnly({ admin: 409 }),
  'POST /api/admin/users/:userId/subscription/move/preview': adminOnly(send({ to: 'unknown-account' }, { admin: 400 })),
  'POST /api/admin/users/:userId/subscription/move': adminOnly(
    send({ to: 'unknown-account', toUserId: 1, emails: false }, { admin: 400 }),
  ),
}
