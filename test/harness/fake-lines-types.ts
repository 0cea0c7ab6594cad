import type { FakeLines, LineRow } from './fake-lines.ts'

/** A request to a panel; `path` is relative to the panel's address. */
export type PanelRequest = {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  fields: URLSearchParams
  json: Record<string, unknown>
}
export type Reply = { status: number; body: object }
/** The API of one panel type. */
export type FakePanelType = {
  /** The panel's name for the requested action. */
  action: (request: PanelRequest) => string
  isAllowed: (request: PanelRequest) => boolean
  unauthorized: Reply
  act: (panel: FakeLines, action: string, request: PanelRequest) => Reply
}

export const apiKey = 'key-of-the-panel/+%41'
export const apiUser = 'sauce-reseller'

export const ok = (body: object): Reply => ({ status: 200, body })
export const seconds = () => Math.floor(Date.now() / 1000)
export const isoOf = (row: LineRow) => new Date(Number(row.exp_date) * 1000).toISOString().replace('.000', '')
const sqlOf = (row: LineRow) => isoOf(row).replace('T', ' ').replace('Z', '')
export const rowNamed = (panel: FakeLines, username: unknown) =>
  [...panel.rows.values()].find((row) => row.username === username)
const withPassword = (panel: FakeLines, username: unknown, password: unknown) => {
  const row = rowNamed(panel, username)
  return row && (password === null || row.password === password) ? row : undefined
}
let drawn = 500
export function storeRow(panel: FakeLines, row: LineRow): LineRow {
  const whole: LineRow = {
    id: String(++drawn),
    enabled: '1',
    is_trial: '0',
    max_connections: '1',
    created_at: String(seconds()),
    ...row,
  }
  panel.rows.set(whole.id!, whole)
  return whole
}
export const hoursOf = (bought: Record<string, string | null>) =>
  bought.is_trial === '1' ? Number(bought.trial_duration) : Number(bought.official_duration) * 30 * 24
/** Extends from the old expiry date if it is in the future, else from now. */
export function extended(row: LineRow, hours: number): LineRow {
  return Object.assign(row, {
    exp_date: String(Math.max(Number(row.exp_date), seconds()) + hours * 3_600),
    is_trial: '0',
  })
}

/** Xtream Codes' `api.php`: changes only the given fields, and identifies a line by its username and password. */
export const xcApi: FakePanelType = {
  action: ({ fields }) => `${fields.get('action')}/${fields.get('sub')}`,
  isAllowed: ({ fields }) => fields.get('api_pass') === apiKey,
  unauthorized: ok({ result: false }),
  act: (panel, action, { fields }) => {
    const data = (name: string) => fields.get(`user_data[${name}]`)
    const row = withPassword(panel, fields.get('username'), fields.get('password'))
    switch (action) {
      case 'reg_user/list':
        return ok([{ id: '1', username: 'owner', credits: '0' }])
      case 'user/create': {
        if (rowNamed(panel, data('username'))) return ok({ result: false, error: 'USERNAME EXISTS' })
        const { id, username, password } = storeRow(panel, {
          username: data('username'),
          password: data('password'),
          exp_date: data('exp_date'),
          max_connections: data('max_connections'),
          bouquet: data('bouquet'),
          is_trial: data('is_trial') ?? '0',
        })
        return ok({ result: true, created_id: Number(id), username: username!, password: password! })
      }
      case 'user/edit':
        if (!row) return ok({ result: false, error: 'NOT EXISTS' })
        for (const name of ['exp_date', 'max_connections', 'enabled']) if (data(name) !== null) row[name] = data(name)
        return ok({ result: true })
      case 'user/info': {
        if (!row) return ok({ result: false, error: 'NOT EXISTS' })
        const number = (name: string) => Number(row[name])
        const { username, password } = row
        const numbers = {
          user_id: number('id'),
          exp_date: number('exp_date'),
          max_connections: number('max_connections'),
          enabled: number('enabled'),
        }
        return ok({
          user_info: {
            ...numbers,
            username,
            password,
            is_restreamer: 0,
            is_trial: number('is_trial'),
            admin_enabled: 1,
            bouquet: [1, 2],
          },
        })
      }
      default:
        return ok({ result: false })
    }
  },
}

/** The reseller panel API: one address, responses wrapped in a list. */
export const panelApi: FakePanelType = {
  action: ({ fields }) => fields.get('action') ?? '',
  isAllowed: ({ fields }) => fields.get('api_key') === apiKey,
  unauthorized: ok([{ status: 'false', message: 'Invalid api_key' }]),
  act: (panel, action, { fields }) => {
    const no = (message: string): Reply => ok([{ status: 'false', message }])
    const row = withPassword(panel, fields.get('username'), fields.get('password'))
    const bought = panel.packages[fields.get('sub') ?? '']
    const price = Number(bought?.official_credits)
    switch (action) {
      case 'account_info':
        return ok({ status: true, username: apiUser, credits: String(panel.credits) })
      case 'new': {
        if (!bought) return no('Invalid package')
        if (rowNamed(panel, fields.get('username'))) return no('Username already exists')
        if (price > panel.credits) return no('Not enough credits')
        panel.credits -= price
        const line = {
          username: fields.get('username'),
          password: fields.get('password'),
          exp_date: String(seconds() + hoursOf(bought) * 3_600),
        }
        const { username, password } = storeRow(panel, { ...line, is_trial: bought.is_trial! })
        return ok([{ status: 'true', username, password }])
      }
      case 'renew':
        if (!row) return no('User not found')
        if (!bought) return no('Invalid package')
        if (price > panel.credits) return no('Not enough credits')
        panel.credits -= price
        extended(row, hoursOf(bought))
        return ok({ status: true })
      case 'client_info':
        return row ? ok({ status: true, expire: sqlOf(row) }) : no('User not found')
      default:
        return no('Unknown action')
    }
  },
}

/** Ministra's REST API: accounts by login, expiry dates in whole days. */
export const ministra: FakePanelType = {
  action: ({ method, path }) => `${method} ${path.split('/')[3]}`,
  isAllowed: ({ headers }) =>
    headers.authorization === `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`,
  unauthorized: { status: 401, body: { status: 'ERROR', results: '', error: '401 Unauthorized request' } },
  act: (panel, action, { path, fields }) => {
    const yes = (results: unknown): Reply => ok({ status: 'OK', results })
    const no = (error: string): Reply => ok({ status: 'ERROR', results: '', error })
    const login = decodeURIComponent(path.split('/')[4] ?? '')
    const row = rowNamed(panel, login)
    const day = (text: string) => String(Date.parse(`${text}T00:00:00Z`) / 1000)
    const account = (line: LineRow) => ({
      login: line.username,
      account_number: line.username,
      full_name: line.username,
      tariff_plan: line.package_id,
      status: Number(line.enabled),
      end_date: sqlOf(line),
      stb_mac: '',
      online: 0,
    })
    switch (action) {
      case 'GET tariffs':
        return yes(
          Object.values(panel.packages).map(({ id, package_name }) => ({
            id: Number(id) + 1_000,
            external_id: id,
            name: package_name,
          })),
        )
      case 'GET accounts':
        if (login === '') return yes([...panel.rows.values()].map(account))
        return row ? yes([account(row)]) : no('Account not found')
      case 'POST accounts': {
        const username = fields.get('login')
        if (rowNamed(panel, username)) return no('Login already in use')
        if (!panel.packages[fields.get('tariff_plan') ?? '']) return no('Tariff plan not exist')
        storeRow(panel, {
          username,
          password: fields.get('password'),
          package_id: fields.get('tariff_plan'),
          exp_date: day(fields.get('end_date')!),
          enabled: fields.get('status'),
        })
        return yes(true)
      }
      case 'PUT accounts':
        if (!row) return no('Account not found')
        if (fields.has('end_date')) row.exp_date = day(fields.get('end_date')!)
        if (fields.has('status')) row.enabled = fields.get('status')
        return yes(true)
      case 'DELETE accounts':
        return row && panel.rows.delete(row.id!) ? yes(true) : no('Account not found')
      case 'POST send_event':
        return yes(true)
      default:
        return no('Unknown resource')
    }
  },
}
