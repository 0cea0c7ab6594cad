import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { OwnSubscription } from '../contract.ts'

/** The money-back guarantee of the latest payment or the refund request, with a link to the invoice. */
export function GuaranteeNotice({ guarantee }: { guarantee: NonNullable<OwnSubscription['guarantee']> }) {
  const { invoiceNumber, isRequested, until } = guarantee
  return (
    <Note
      tone={isRequested ? 'warn' : 'info'}
      className="mt-3"
      action={
        <ButtonLink to="/invoice/$invoiceNumber" params={{ invoiceNumber }} variant="line" size="sm">
          View Invoice<span className="sr-only"> {invoiceNumber}</span>
        </ButtonLink>
      }
    >
      {isRequested ? (
        <>
          <b>You requested a refund.</b> An administrator is reviewing it.
        </>
      ) : (
        <>
          Money-back guarantee until <DateText value={until} className="font-semibold" />.
        </>
      )}
    </Note>
  )
}
