import { useSuspenseQuery } from '@tanstack/react-query'
import { listRefunds } from '#features/billing/contract.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button-link.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { Note } from '#web/ui/note.tsx'

/** Until when the money of the latest payment can be asked back, or that it was; the invoice is where that happens. */
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
          <b>You asked for your money back.</b> An administrator looks at your request.
        </>
      ) : (
        <>
          Money-back guarantee until <DateText value={shown.until} className="font-semibold" />.
        </>
      )}
    </Note>
  )
}
