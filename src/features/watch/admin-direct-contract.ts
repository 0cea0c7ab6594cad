// Admin endpoints for direct delivery: streams that pages load from the panel's servers.
import * as z from 'zod/mini'
import { iptvCredentials } from '#features/iptv/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { rowVersion } from '#kit/text.ts'
import { directHost, directOutcomes, directProblems, maxDirectHosts } from './direct-rules.ts'

const hostMessage = 'Please enter a host name, such as edge.example or edge.example:8443'
const host = z.string(hostMessage).check(
  z.maxLength(260, hostMessage),
  z.overwrite<string>((text) => directHost(text) ?? text),
  z.refine((text) => directHost(text) !== undefined, hostMessage),
)
const mostMessage = `Please enter at most ${maxDirectHosts} hosts`
const fields = {
  enabled: z.boolean(),
  hosts: z.array(host).check(
    z.maxLength(maxDirectHosts, mostMessage),
    z.overwrite<string[]>((hosts) => [...new Set(hosts)]),
  ),
}
const hasHost = z.refine<{ enabled: boolean; hosts: string[] }>(({ enabled, hosts }) => !enabled || hosts.length > 0, {
  path: ['hosts'],
  message: 'Please add a host or turn off direct delivery',
})
/** The schema of the form for the setting. */
export const directForm = z.object(fields).check(hasHost)

export const getDirect = get('/api/admin/watching/direct', {
  summary:
    'Whether pages load streams directly from the panel, from which hosts, and how plays of the last 24 hours were delivered',
  access: 'admin',
  needs: 'watching.read',
  dependsOn: ['channel_right'],
  output: z.object({
    enabled: z.boolean(),
    hosts: z.array(z.string()),
    version: rowVersion,
    /** The number of plays that were opened while direct delivery was on, by how they were delivered, largest first. */
    plays: z.array(z.object({ outcome: z.enum(directOutcomes), count: z.int() })),
  }),
})
export const setDirect = put('/api/admin/watching/direct', {
  summary: 'Change whether pages load streams directly from the panel, and from which hosts; audited',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  body: z.object({ ...fields, version: rowVersion }).check(hasHost),
  output: z.object({ version: rowVersion }),
})

/** The schema of the form for the test. */
export const directTestForm = z.object({
  channelId: z.coerce
    .number<string | number>('Please choose a channel')
    .check(z.int(), z.gte(1, 'Please choose a channel')),
  ...iptvCredentials.shape,
})
export const testDirect = post('/api/admin/watching/direct/test', {
  summary:
    'Open a channel with a line of the panel, follow its redirects, and check whether pages may load it directly from the stored hosts; the credentials are not stored. It uses a connection of the line',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  body: directTestForm,
  output: z.object({
    /** The host to which the panel redirected; null if the channel did not open. */
    host: z.nullable(z.string()),
    /** Why pages cannot load the channel; empty if they can. */
    problems: z.array(
      z.object({ code: z.enum(directProblems), host: z.nullable(z.string()), detail: z.optional(z.string()) }),
    ),
    /** The origin that the panel's responses must permit. */
    origin: z.string(),
  }),
})
