import {
  asBoolean,
  asInstant,
  asRows,
  asText,
  isRecord,
  toPanelTime,
} from '#features/iptv/server/xtream/json-fields.ts'
import type { Instant } from '#kit/dates.ts'

export type Row = Record<string, unknown>
/** The fields that an edit changes; all others keep their values. */
export type LineEdit = {
  expiresAt?: Instant
  connections?: number
  bouquets?: string[]
  outputs?: string[]
  trial?: boolean
}

const ids = (value: unknown): string[] => (asRows(value) ?? []).map(asText).filter(Boolean)
const asNumbers = (list: string[]): string => JSON.stringify(list.map((id) => (/^\d+$/.test(id) ? Number(id) : id)))
/** The bouquets and output formats of a package or a line. */
export const packageContent = (row: unknown): { bouquets: string[]; outputs: string[] } =>
  isRecord(row)
    ? { bouquets: ids(row.bouquets ?? row.bouquet), outputs: ids(row.output_formats ?? row.allowed_outputs) }
    : { bouquets: [], outputs: [] }

const texts = [
  'username',
  'password',
  'member_id',
  'enabled',
  'admin_enabled',
  'admin_notes',
  'reseller_notes',
  'contact',
  'force_server_id',
  'forced_country',
  'package_id',
]
const flags = ['is_restreamer', 'is_isplock', 'is_stalker']
const lists = ['allowed_ips', 'allowed_ua']

/** The form fields of `edit_line` for an edited row. That call replaces the whole line: a field that is missing from the form would be lost. */
export function editFields(row: Row, change: LineEdit): [string, string][] {
  const fields: [string, string][] = []
  for (const name of texts) if (row[name] !== null && row[name] !== undefined) fields.push([name, asText(row[name])])
  for (const name of flags) if (asBoolean(row[name])) fields.push([name, '1'])
  if (change.trial ?? asBoolean(row.is_trial)) fields.push(['is_trial', '1'])
  for (const name of lists) for (const entry of ids(row[name])) fields.push([`${name}[]`, entry])
  const expiresAt = change.expiresAt ?? asInstant(row.exp_date)
  fields.push(expiresAt ? ['exp_date', toPanelTime(expiresAt)] : ['no_expire', '1'])
  fields.push(['max_connections', String(change.connections ?? asText(row.max_connections))])
  fields.push(['bouquets_selected', asNumbers(change.bouquets ?? ids(row.bouquet))])
  for (const output of change.outputs ?? ids(row.allowed_outputs)) fields.push(['access_output[]', output])
  return fields
}

const sorted = (value: unknown) => ids(value).toSorted().join()
const seconds = (value: unknown) => Math.floor(Date.parse(asInstant(value) ?? '') / 1000)

/** The columns in which `after` differs from the edited row; empty if the edit was applied and nothing was lost. */
export function lostColumns(before: Row, change: LineEdit, after: Row): string[] {
  const wanted: Row = {
    ...before,
    ...(change.expiresAt && { exp_date: change.expiresAt }),
    ...(change.connections !== undefined && { max_connections: change.connections }),
    ...(change.bouquets && { bouquet: change.bouquets }),
    ...(change.outputs && { allowed_outputs: change.outputs }),
    ...(change.trial !== undefined && { is_trial: change.trial }),
  }
  const same: Record<string, (column: string) => boolean> = Object.fromEntries([
    ...[...texts, 'max_connections'].map((column) => [column, (c: string) => asText(wanted[c]) === asText(after[c])]),
    ...[...flags, 'is_trial'].map((column) => [
      column,
      (c: string) => (asBoolean(wanted[c]) ?? false) === (asBoolean(after[c]) ?? false),
    ]),
    ...[...lists, 'bouquet', 'allowed_outputs'].map((column) => [
      column,
      (c: string) => sorted(wanted[c]) === sorted(after[c]),
    ]),
    ['exp_date', (c: string) => Object.is(seconds(wanted[c]), seconds(after[c]))],
  ])
  return Object.keys(same).filter((column) => column in wanted && !same[column]!(column))
}
