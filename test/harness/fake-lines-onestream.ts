import type { LineRow } from './fake-lines.ts'
import {
  apiKey,
  apiUser,
  extended,
  type FakePanelType,
  hoursOf,
  isoOf,
  ok,
  type Reply,
  rowNamed,
  seconds,
  storeRow,
} from './fake-lines-types.ts'

/** 1-Stream's billing API: packages cost credits, and each request id is done once. */
export const oneStream: FakePanelType = {
  action: ({ path }) =>
    path.replace(/^\/ext\//, '').replace(/^line\/[^/]+\/(renew|enable|disable|terminate)$/, 'line/$1'),
  isAllowed: ({ headers }) => headers['x-api-key'] === apiKey && headers['x-auth-user'] === apiUser,
  unauthorized: { status: 401, body: { error: 'Unauthorized' } },
  act: (panel, action, { path, json }) => {
    const rid = String(json.rid ?? '')
    const no = (status: number, error: string): Reply => ({ status, body: { error, ...(rid && { rid }) } })
    const row = panel.rows.get(path.split('/')[3] ?? '')
    const bought = panel.packages[String(json.package ?? row?.package_id ?? '')]
    const price = Number(bought?.official_credits)
    const storedResponse = panel.responsesByRequestId.get(rid)
    if (rid && storedResponse) return ok(storedResponse)
    const done = (line: LineRow): Reply => {
      const body = { line_id: line.id, expire_at: isoOf(line), transaction_amount: -price, rid }
      panel.responsesByRequestId.set(rid, body)
      panel.credits -= price
      return ok(body)
    }
    switch (action) {
      case 'profile':
        return ok({ name: apiUser, credits: panel.credits })
      case 'packages':
        return ok(
          Object.values(panel.packages).map((each) => ({
            id: Number(each.id),
            name: each.package_name,
            description: each.is_trial === '1' ? 'Trial of a day' : '',
            price_credits: Number(each.official_credits),
            duration_hours: hoursOf(each),
            max_connections: Number(each.max_connections),
            package_type: 'line',
            bouquets: [1, 2],
          })),
        )
      case 'lines':
        return ok(
          [...panel.rows.values()].map((line) => ({
            line_id: line.id,
            username: line.username,
            password: line.password,
            mac_addr: null,
            type: 'regular',
            expire_at: isoOf(line),
            is_enabled: line.enabled === '1',
            is_trial: line.is_trial === '1',
            package_id: Number(line.package_id),
            max_connections: Number(line.max_connections),
            bouquets: [1, 2],
            owner: apiUser,
            reseller_notes: '',
          })),
        )
      case 'line/create': {
        if (!bought) return no(422, 'Unknown package')
        if (rowNamed(panel, json.username)) return no(422, 'The username is already taken')
        if (price > panel.credits) return no(422, 'Insufficient credits')
        const line = {
          username: String(json.username),
          password: String(json.password),
          package_id: bought.id!,
          max_connections: bought.max_connections!,
        }
        return done(
          storeRow(panel, {
            ...line,
            exp_date: String(seconds() + hoursOf(bought) * 3_600),
            is_trial: bought.is_trial!,
          }),
        )
      }
      case 'line/renew':
        if (!row) return no(404, 'Line not found')
        if (!bought) return no(422, 'Unknown package')
        if (price > panel.credits) return no(422, 'Insufficient credits')
        return done(extended(row, hoursOf(bought)))
      case 'line/enable':
      case 'line/disable':
        if (!row) return no(404, 'Line not found')
        row.enabled = action === 'line/enable' ? '1' : '0'
        return ok({ line_id: row.id, is_enabled: row.enabled === '1' })
      case 'line/terminate':
        return panel.rows.delete(row?.id ?? '') ? ok({ line_id: row!.id }) : no(404, 'Line not found')
      default:
        return { status: 404, body: {} }
    }
  },
}
