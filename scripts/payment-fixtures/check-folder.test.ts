import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { statementFiles } from '../../test/harness/payment-statements.ts'
import { checkFolder } from './check-folder.ts'
import { readFolder, UnusableFolderError } from './folder.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const world = {
  now: '2026-11-20T18:00:00Z',
  timeZone: 'America/New_York',
  notePrefix: 'SAUCE: ',
  mailbox: { authservIds: [] },
  identities: { venmo: { handles: ['@shop-tv'] } },
  auto: { mode: 'on', rails: ['venmo'], maxCents: 20_000, perDay: 50, perPayerDay: 2 },
  customers: [{ username: 'ana', fullName: 'Ana Ruiz', role: 'user' }],
  invoices: [
    {
      number: 'ORD-7F3K2G',
      customer: 'ana',
      amount: 3149,
      status: 'pending',
      createdAt: '2026-11-19T00:00:00Z',
      expiresAt: '2026-11-26T00:00:00Z',
    },
  ],
}
const venmo = statementFiles.find(({ format }) => format === 'csv:venmo')!.text

function write(files: Record<string, unknown>): string {
  const inside = mkdtempSync(join(tmpdir(), 'payment-fixtures-'))
  folders.push(inside)
  for (const [name, content] of Object.entries({ 'world.json': world, 'dns.json': {}, ...files }))
    if (content !== undefined)
      writeFileSync(join(inside, name), typeof content === 'string' ? content : JSON.stringify(content))
  return inside
}
const judged = async (expect: object, file = venmo) => {
  const entries = [{ file: 'a.csv', kind: 'statement', expect }]
  return (await checkFolder(readFolder(write({ 'a.csv': file, 'index.json': entries }))))[0]!.differences
}
const right = {
  format: 'csv:venmo',
  skipped: 2,
  new: 2,
  payments: [{ amount: 3149, paidAt: '2026-11-19T14:02:11Z' }, { amount: 2499 }],
  match: [{ level: 'exact', invoices: ['ORD-7F3K2G'], auto: false, blockedBy: ['not_proven'] }, { level: 'none' }],
}

it('a file that matches its expected result has no differences', async () => {
  expect(await judged(right)).toEqual([])
})

it.each<[string, object]>([
  ['a different amount', { ...right, payments: [{ amount: 3148 }, {}] }],
  ['a different number of payments', { ...right, payments: [{}] }],
  ['a different match', { ...right, match: [{ level: 'none' }, {}] }],
  ['a different blocking condition', { ...right, match: [{ blockedBy: [] }, {}] }],
  ['a different count', { ...right, skipped: 3 }],
  ['an unknown field', { ...right, payments: [{ color: 'red' }, {}] }],
])('%s is reported', async (_, expected) => {
  expect(await judged(expected)).toHaveLength(1)
})

it('files named by `after` are booked first', async () => {
  const before = { file: 'b.csv', kind: 'statement', expect: {} }
  const inside = write({
    'a.csv': venmo,
    'b.csv': venmo,
    'index.json': [{ file: 'a.csv', kind: 'statement', expect: { after: 'b.csv', new: 0, known: 2 } }, before],
  })
  expect((await checkFolder(readFolder(inside)))[0]!.differences).toEqual([])
})

it('the statement of another account is refused', async () => {
  expect(await judged({ outcome: 'refused', reason: 'other_account' }, venmo.replace('@shop-tv', '@other'))).toEqual([])
})

it.each<[string, Record<string, unknown>]>([
  ['world.json is missing', { 'index.json': [], 'world.json': undefined }],
  ['index.json is not JSON', { 'index.json': '[' }],
  ['index.json: 0.kind', { 'index.json': [{ file: 'a.csv', kind: 'letter', expect: {} }] }],
  ['which is not in the folder', { 'index.json': [{ file: 'a.csv', kind: 'mail', expect: {} }] }],
  ['which is not in the folder', { 'index.json': [{ file: '../world.json', kind: 'mail', expect: {} }] }],
  ['which has no entry', { 'a.csv': '', 'index.json': [{ file: 'a.csv', kind: 'mail', expect: { after: 'b.csv' } }] }],
])('an unusable folder is refused with the message %j', (message, files) => {
  const inside = write(files)
  expect(() => readFolder(inside)).toThrow(UnusableFolderError)
  expect(() => readFolder(inside)).toThrow(message)
})
