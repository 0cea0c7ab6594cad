import { adminOnly, type Row } from './access-row.ts'

const right = {
  source: 'Satellite feed',
  licensor: 'Harbor Media',
  territories: 'US',
  validFrom: '2026-01-01',
  validUntil: '2026-12-31',
  document: 'Contract 4711',
}

/** The rows of watching for administrators. */
export const watchAdminRows: Record<string, Row> = {
  'GET /api/admin/reports/:reportId/evidence': adminOnly(),
  'GET /api/admin/self-checks': adminOnly(),
  'GET /api/admin/watching': adminOnly(),
  'PUT /api/admin/watching': adminOnly({ body: () => ({ enabled: false }) }),
  'PUT /api/admin/watching/unattended': adminOnly({ body: () => ({ unattendedHours: 4 }) }),
  'GET /api/admin/watching/direct': adminOnly(),
  'PUT /api/admin/watching/direct': adminOnly({ body: () => ({ enabled: false, hosts: [], version: 99 }), admin: 409 }),
  // No panel is connected in these tests.
  'POST /api/admin/watching/direct/test': adminOnly({
    body: ({ pathParams }) => ({ channelId: pathParams.channelId, iptvUsername: 'line', iptvPassword: 'secret' }),
    admin: 409,
  }),
  'GET /api/admin/plays': adminOnly(),
  'DELETE /api/admin/plays/:playId': adminOnly(),
  'GET /api/admin/channel-health': adminOnly(),
  'GET /api/admin/channel-rights': adminOnly(),
  'POST /api/admin/channel-rights': adminOnly({
    body: ({ pathParams }) => ({ channelIds: [pathParams.channelId], ...right }),
  }),
  'PUT /api/admin/channel-rights/:rightId': adminOnly({ body: () => ({ ...right, version: 1 }) }),
  'DELETE /api/admin/channel-rights/:rightId': adminOnly({ query: () => '?version=1' }),
  'GET /api/admin/watch-channels': adminOnly(),
  'PUT /api/admin/watch-channels': adminOnly({
    body: ({ pathParams }) => ({ channelIds: [pathParams.channelId], published: false }),
  }),
}
