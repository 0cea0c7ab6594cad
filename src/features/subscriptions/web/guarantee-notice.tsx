import { useSuspenseQuery } from '@tanstack/react-query'
import { listRefunds } from '#features/billing/contract.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'

/** The money-back guarantee of the latest payment, or its refund request, with a link to the invoice. */
export function GuaranteeNotice() {
  const { data: refunds } = useSuspenseQuery(query(listRefunds))
  const asked = refunds.find(({ request }) => request?.status === 'pending')
  const open = refunds.find(({ refusal }) => refusal === null)
  const shown = asked ?? open
  if (!shown) return null
  return (
    <Note
      tone={asked ? 'warn' : 'info'}
      className="mt-3"
      action={
        <ButtonLink
          to="/invoice/$invoiceNumber"
          params={{ invoiceNumber: shown.invoiceNumber }}
          variant="line"
          size="sm"
        >
          View Invoice<span className="sr-only"> {shown.invoiceNumber}</span>
        </ButtonLink>
      }
    >
      {asked ? (
        <>
          <b>You requested a refund.</b> An administrator is reviewing it.
        </>
      ) : (
        <>
          Money-back guarantee until <DateText value={shown.until} className="font-semibold" />.
        </>
      )}
    </Note>
  )
}
