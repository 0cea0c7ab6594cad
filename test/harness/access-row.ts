import { buy } from './access-buy.ts'
import type { Column } from './access-principals.ts'
import type { World } from './access-world.ts'

/** The response status for each kind of caller, when the path addresses the owner's data and the body is valid. */
export type Row = Record<Column, number> & {
  query?: (world: World) => string
  body?: (world: World) => unknown
  /** Runs before the requests. */
  prepare?: (world: World) => Promise<void>
}
export type RowOptions = Partial<Row>

export const everyone = (more: RowOptions = {}): Row => ({
  anonymous: 200,
  other: 200,
  owner: 200,
  admin: 200,
  ...more,
})
/** Every signed-in user gets their own data. */
export const signedIn = (more: RowOptions = {}): Row => ({ ...everyone(), anonymous: 401, ...more })
/** Private data of one customer: all others, including administrators, get 404. */
export const ownerOnly = (more: RowOptions = {}): Row => ({
  anonymous: 401,
  other: 404,
  owner: 200,
  admin: 404,
  ...more,
})
export const ownerAndAdmin = (more: RowOptions = {}): Row => ownerOnly({ admin: 200, ...more })
export const adminOnly = (more: RowOptions = {}): Row => ({
  anonymous: 401,
  other: 403,
  owner: 403,
  admin: 200,
  ...more,
})
export const send = (body: unknown, more: RowOptions = {}): RowOptions => ({ body: () => body, ...more })
/** Lets the owner buy a plan, up to the state `until` of the invoice, before the endpoint is called. */
export const afterPurchase = (until: Parameters<typeof buy>[1]): RowOptions => ({
  prepare: (world) => buy(world, until),
})

let count = 0
/** Returns a different string in every call. */
export const uniqueText = (): string => `${Date.now().toString(36)}${count++}`
export const panelLogin = { iptvUsername: 'somebody', iptvPassword: 'something' }
/** An edit of a setup guide whose version is outdated. */
export const setupGuideEdit = {
  app: '',
  tab: 'other',
  appUrl: '',
  code: '',
  steps: [{ title: 'Start', text: 'Start it.', picture: 'done', below: 'nothing' }],
  hidden: true,
  version: 99,
}
