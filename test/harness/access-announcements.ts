import { adminOnly, everyone, type Row, send, signedIn } from './access-row.ts'

const draft = {
  ...{ kind: 'service', title: 'New channels', summary: 'Twelve new channels.', body: '', linkLabel: '', linkPath: '' },
  ...{ audience: 'customers', planIds: [], onSite: true, siteUntil: null, emails: false, perHour: 60 },
}

/** The endpoints of announcements. */
export const announcementRows: Record<string, Row> = {
  'GET /api/announcements': signedIn(),
  'GET /api/news': signedIn(),
  'PUT /api/news': signedIn(send({ wanted: true })),
  'POST /unsubscribe': everyone({
    ...{ anonymous: 404, other: 404, owner: 404, admin: 404 },
    query: () => '?token=unknown',
  }),
  'GET /api/admin/announcements': adminOnly(),
  'POST /api/admin/announcements': adminOnly(send(draft)),
  'PUT /api/admin/announcements/:announcementId': adminOnly(send({ ...draft, version: 99 }, { admin: 409 })),
  'DELETE /api/admin/announcements/:announcementId': adminOnly(),
  'GET /api/admin/announcements/:announcementId/preview': adminOnly(),
  'GET /api/admin/announcements/:announcementId/email': adminOnly(),
  'POST /api/admin/announcements/:announcementId/test': adminOnly(),
  'POST /api/admin/announcements/:announcementId/publish': adminOnly(
    send({ version: 99, expectedCustomers: 0 }, { admin: 409 }),
  ),
  'POST /api/admin/announcements/:announcementId/withdraw': adminOnly(send({ version: 1 }, { admin: 409 })),
}
