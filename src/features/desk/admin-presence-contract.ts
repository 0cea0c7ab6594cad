// Admin endpoints of the desk: which administrators are present, and what they have open.
import * as z from 'zod/mini'
import { get, type Output, put } from '#kit/endpoint.ts'
import { id } from '#kit/text.ts'

/** An item of the queue or a list, such as `invoice:12`. */
const item = z.nullable(z.string().check(z.regex(/^[a-z]{3,20}:\d{1,10}$/, 'Please enter an item such as invoice:12')))
const path = z
  .string()
  .check(z.maxLength(200), z.regex(/^\/admin(\/[\w/-]*)?$/, 'Please enter a page of the admin area'))

export const listPresent = get('/api/admin/desk/present', {
  summary:
    'The other administrators who were present in the last minute, with the page and the item that each has open',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['desk_presence'],
  output: z.array(z.object({ id, username: z.string(), path: z.string(), item })),
})
export const reportPresence = put('/api/admin/desk/present', {
  summary: 'Report the page and the item that the administrator has open; called every 30 seconds and after changes',
  access: 'admin',
  needs: 'desk.use',
  limit: 'adminWrite',
  body: z.object({ path, item }),
  output: z.object({ reported: z.boolean() }),
})
export type PresentAdministrator = Output<typeof listPresent>[number]
