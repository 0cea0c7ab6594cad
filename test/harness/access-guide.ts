import { adminOnly, type Row, uniqueText } from './access-row.ts'

const source = () => ({ name: `Source ${uniqueText()}`, zone: 'UTC', enabled: false, address: '' })

/** The rows of the guide for administrators. */
export const guideAdminRows: Record<string, Row> = {
  'GET /api/admin/guide-sources': adminOnly(),
  // The sources of the other worlds exceed the maximum number, so all are deleted first.
  'POST /api/admin/guide-sources': adminOnly({
    body: source,
    prepare: async ({ app }) => void (await app.database.pool.query('delete from guide_sources')),
  }),
  'PUT /api/admin/guide-sources/:sourceId': adminOnly({ body: () => ({ ...source(), version: 1 }) }),
  'DELETE /api/admin/guide-sources/:sourceId': adminOnly({ query: () => '?version=1' }),
  'POST /api/admin/guide-sources/:sourceId/read': adminOnly(),
  // The body of these tests is JSON, which is refused after the access check.
  'PUT /api/admin/guide-sources/:sourceId/uploads/:uploadId/:part': adminOnly({ admin: 415 }),
  'POST /api/admin/guide-sources/:sourceId/uploads/:uploadId': adminOnly({ body: () => ({ parts: 1 }) }),
  'GET /api/admin/channel-guides': adminOnly({ query: () => '?search=channel' }),
  'GET /api/admin/channel-guides/:channelId/listings': adminOnly(),
  'PUT /api/admin/channel-guides/:channelId': adminOnly({ body: () => ({ listingId: null, shiftMinutes: 60 }) }),
  'DELETE /api/admin/channel-guides/:channelId': adminOnly(),
}
