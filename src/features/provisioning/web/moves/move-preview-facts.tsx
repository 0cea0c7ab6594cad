import { Note } from '#web/ui/note.tsx'
import type { MovePreview } from '../../admin-moves-contract.ts'

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`)

/** What a move of all lines of a panel would do. */
export function MovePreviewFacts({ preview }: { preview: MovePreview }) {
  const { lines, enabled, plans, customers, serverChanges, costsCredits } = preview
  const missing = plans.filter(({ hasPackage }) => !hasPackage)
  if (lines === 0) return <p>This panel has no lines.</p>
  return (
    <>
      <p>
        {linesOf(enabled)} {enabled === 1 ? 'is' : 'are'} created on the new panel and disabled on the old one.
        {lines > enabled &&
          ` ${linesOf(lines - enabled)} without a running subscription ${lines - enabled === 1 ? 'is' : 'are'} created when the customer pays again.`}
      </p>
      <ul aria-label="Lines by plan" className="grid gap-1">
        {plans.map(({ name, count }) => (
          <li key={name}>
            {name ?? 'Trials'}: {linesOf(count)}
          </li>
        ))}
      </ul>
      <p className="wrap-anywhere text-fg-2">
        Affected customers: {customers.join(', ')}
        {lines > customers.length && ' and more'}.
      </p>
      {serverChanges ? (
        <Note tone="warn">
          The server for players differs, so customers have to enter a new login. Each gets an email when their line has
          moved.
        </Note>
      ) : (
        <Note>
          The server for players is the same. Customers are emailed only if the new panel changes their login.
        </Note>
      )}
      {missing.length > 0 && (
        <Note tone="warn">
          The new panel has no package for {missing.map(({ name }) => name ?? 'trials').join(', ')}: these lines wait
          for an administrator.
        </Note>
      )}
      {costsCredits && <Note tone="warn">The new panel sells periods: each new line costs credits.</Note>}
      <p className="text-fg-2">
        The old lines are disabled, not deleted. Delete them in the panel when you no longer need them.
      </p>
    </>
  )
}
