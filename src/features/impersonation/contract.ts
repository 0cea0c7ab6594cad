import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { id, idText, instant } from '#kit/text.ts'

export const startViewing = post('/api/admin/users/:userId/view', {
  summary: 'See the site as a customer sees it, for fifteen minutes; nothing can be changed meanwhile',
  access: 'admin',
  limit: 'adminWrite',
  params: z.object({ userId: idText }),
  output: z.object({ until: instant }),
})
export const stopViewing = post('/api/view/stop', {
  summary: 'Be the administrator again',
  access: 'public',
  openWhileViewing: true,
  output: z.object({
    /** Who was looked at, when that is still known. */
    userId: z.nullable(id),
    /** Whether the administrator's own session goes on. */
    signedIn: z.boolean(),
  }),
})
