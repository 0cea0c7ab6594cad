import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { instant } from '#kit/text.ts'

/**
 * `held` is why this installation makes no outbound calls: its database was restored from a backup (`restored`), belongs to another installation
 * (`place`), or belongs to one with another PUBLIC_URL (`address`). Null when it is live.
 */
const state = z.object({
  held: z.nullable(z.enum(['restored', 'place', 'address'])),
  /** When the database was restored, if that is the reason. */
  restoredAt: z.nullable(instant),
  /** The address of the live installation, if the database belongs to another one. */
  liveAddress: z.nullable(z.string()),
  /** The number of emails and line jobs that are processed as soon as this installation is live. */
  waiting: z.object({ mails: z.int(), lineJobs: z.int() }),
  /** Another installation that opened this database within the last day. */
  other: z.nullable(z.object({ address: z.nullable(z.string()), openedAt: instant })),
})
export type InstallationState = z.output<typeof state>

export const getInstallation = get('/api/admin/installation', {
  summary: 'Whether this is the live installation, or a copy that does not call panels or send email',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['installation'],
  output: state,
})
export const goLive = post('/api/admin/installation/go-live', {
  summary: 'Declare this the live installation: panel calls and emails start',
  access: 'admin',
  needs: 'settings.edit',
  limit: 'adminWrite',
  output: state,
})
