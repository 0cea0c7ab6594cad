import { draftSlot } from './forget-drafts.ts'

type Draft = { owner: number | null; values: Record<string, unknown> }
type Drafts = Record<string, Draft>

/** Which fields of a form are stored while it is filled in. Never include passwords or codes. */
export interface DraftOptions<Name extends string> {
  /** Identifies the form and the record that it edits. */
  key: string
  /** The id of the logged-in user. A draft is only shown to the user who typed it. */
  owner: number | undefined
  fields: readonly Name[]
}

/** Returns the stored values of a form, or undefined if there are none or another user typed them. */
export function readDraft<Name extends string>({
  key,
  owner,
  fields,
}: DraftOptions<Name>): Partial<Record<Name, unknown>> | undefined {
  const draft = readAll()[key]
  if (!draft || (draft.owner !== null && draft.owner !== owner)) return undefined
  return pick(draft.values, fields)
}

export function writeDraft<Name extends string>(
  { key, owner, fields }: DraftOptions<Name>,
  values: Record<string, unknown>,
): void {
  writeAll({ ...readAll(), [key]: { owner: owner ?? null, values: pick(values, fields) } })
}

export function removeDraft(key: string): void {
  const { [key]: removed, ...others } = readAll()
  if (removed) writeAll(others)
}

const pick = <Name extends string>(values: Record<string, unknown>, fields: readonly Name[]) =>
  Object.fromEntries(
    fields.filter((name) => values[name] !== undefined && values[name] !== null).map((name) => [name, values[name]]),
  ) as Partial<Record<Name, unknown>>

// Some private windows deny storage. Forms then work without drafts.
function readAll(): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(draftSlot) ?? '{}') as Drafts
  } catch {
    return {}
  }
}

function writeAll(drafts: Drafts): void {
  try {
    sessionStorage.setItem(draftSlot, JSON.stringify(drafts))
  } catch {
    // See readAll.
  }
}
