import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import {
  applyImport,
  createImport,
  type ImportRun,
  listImportRows,
  undoImport,
} from '#features/imports/admin-contract.ts'
import type { ImportKind } from '#features/imports/rules.ts'
import { users } from '#server/db/tables.ts'
import type { SignedIn, TestApp } from './app.ts'

let serial = 0
export const importMapping = {
  email: 'Email',
  username: 'User',
  fullName: 'Name',
  passwordHash: 'Hash',
  credit: 'Credit',
  plan: 'Plan',
  paidUntil: 'Until',
  lineUsername: 'Line',
  linePassword: 'Secret',
  dateFormat: 'yyyy/MM/dd',
  decimal: '.',
}
export const importHeadings = 'Email,User,Name,Hash,Credit,Plan,Until,Line,Secret'
export const invoiceMapping = {
  email: 'Email',
  otherId: 'Client',
  number: 'Number',
  issuedOn: 'Date',
  amount: 'Total',
  currency: 'Currency',
  status: 'Status',
  description: 'Text',
  dateFormat: 'yyyy/MM/dd',
  decimal: '.',
}
export const invoiceHeadings = 'Email,Client,Number,Date,Total,Currency,Status,Text'
export type InvoiceCells = Partial<
  Record<'email' | 'client' | 'number' | 'date' | 'total' | 'currency' | 'status' | 'text', string>
>
/** Returns a CSV row of an invoice with a unique number. */
export const invoiceRow = (cells: InvoiceCells = {}): string => {
  const all = {
    email: '',
    client: '',
    number: `INV-${++serial}`,
    date: '2024-03-31',
    total: '15.00',
    currency: '',
    status: 'Paid',
    text: '',
    ...cells,
  }
  return Object.values(all)
    .map((cell) => `"${cell}"`)
    .join(',')
}
const bytes = (text: string | Uint8Array) => new Uint8Array(typeof text === 'string' ? Buffer.from(text) : text)
/** Returns the date `days` from today, as `YYYY-MM-DD`. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
export type ImportCells = Partial<
  Record<'email' | 'user' | 'name' | 'hash' | 'credit' | 'plan' | 'until' | 'line' | 'secret', string>
>
/** Returns a CSV row of a customer with a unique email address and username. */
export const importRow = (cells: ImportCells = {}): string => {
  const name = `moved${++serial}`
  const all = {
    email: `${name}@example.org`,
    user: name,
    name: '',
    hash: '',
    credit: '',
    plan: '',
    until: '',
    line: '',
    secret: '',
    ...cells,
  }
  return Object.values(all)
    .map((cell) => `"${cell}"`)
    .join(',')
}

/** Returns the actions of an administrator on imports, through the API. */
export function importing(app: TestApp, admin: SignedIn) {
  const upload = (
    text: string | Uint8Array,
    map: object | null = importMapping,
    { name = 'customers.csv', kind }: { name?: string; kind?: ImportKind } = {},
  ) =>
    admin.client.call(createImport, {
      query: { name, ...(kind && { kind }), ...(map && { mapping: JSON.stringify(map) }) },
      body: bytes(text),
    })
  async function check(...rows: string[]): Promise<ImportRun> {
    const answer = await upload([importHeadings, ...rows].join('\n'))
    expect(answer.state).toBe('checked')
    return answer.state === 'checked' ? answer.run : expect.unreachable()
  }
  async function checkInvoices(...rows: string[]): Promise<ImportRun> {
    const answer = await upload([invoiceHeadings, ...rows].join('\n'), invoiceMapping, { kind: 'invoices' })
    return answer.state === 'checked' ? answer.run : expect.unreachable()
  }
  const params = (runId: number) => ({ params: { runId } })
  const rowsOf = async (runId: number) =>
    (await admin.client.call(listImportRows, { ...params(runId), query: {} })).rows
  const verdictsOf = async (runId: number) =>
    (await rowsOf(runId)).map(({ line, verdict, reason }) => [line, verdict, reason])
  const apply = (runId: number) => admin.client.call(applyImport, params(runId))
  const undo = (runId: number) => admin.client.call(undoImport, params(runId))
  const userOf = async (username: string) => (await app.db.select().from(users).where(eq(users.username, username)))[0]
  return { upload, check, checkInvoices, params, rowsOf, verdictsOf, apply, undo, userOf }
}
