import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { id } from '#kit/text.ts'

export const stopViewing = post('/api/view/stop', {
  summary: 'Stop viewing the site as a customer',
  access: 'public',
  openWhileViewing: true,
  output: z.object({
    /** The id of the viewed customer; null if no view was active. */
    userId: z.nullable(id),
    /** Whether the administrator is still logged in. */
    signedIn: z.boolean(),
  }),
})
