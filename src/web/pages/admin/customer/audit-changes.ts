import type { Customer } from '#features/customers/admin-contract.ts'
import { formatCents } from '#kit/money.ts'

type Entry = Pick<Customer['audit'][number], 'before' | 'after'>

/** Returns a readable text `field: before → after` for each field of an audit entry. */
export function auditChanges({ before, after }: Entry): string[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields.map((field) => {
    const now = valueText(field, after?.[field])
    return before && field in before
      ? `${fieldName(field)}: ${valueText(field, before[field])} → ${now}`
      : `${fieldName(field)}: ${now}`
  })
}

const fieldName = (field: string): string => field.replace(/[A-Z]/g, (char) => ` ${char.toLowerCase()}`)

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field === 'accountCredit' && typeof value === 'number') return formatCents(value)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return value.slice(0, 10)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
