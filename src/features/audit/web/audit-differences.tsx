import type { AuditEntry } from '../admin-contract.ts'
import { differencesOf, valueText } from '../rules.ts'

/** The changed fields of an entry with their values before and after. */
export function AuditDifferences({ entry }: { entry: AuditEntry }) {
  const differences = differencesOf(entry)
  if (differences.length === 0) return <p className="mt-4 text-fg-2">No field changes were recorded.</p>
  return (
    <ul aria-label="Changed fields" className="mt-4 divide-y divide-line rounded-md border">
      {differences.map(({ field, before, after }) => (
        <li key={field} className="grid gap-1 px-4 py-3">
          <p className="font-semibold wrap-anywhere">{field}</p>
          <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-2 [&_dd]:whitespace-pre-line [&_dd]:wrap-anywhere [&_dt]:text-sm [&_dt]:text-fg-2">
            <div>
              <dt>Before</dt>
              <dd>{valueText(before)}</dd>
            </div>
            <div>
              <dt>After</dt>
              <dd className="font-medium">{valueText(after)}</dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  )
}
