import { useQuery } from '@tanstack/react-query'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { missingHandles } from '#features/settings/web/missing-handles.ts'
import { query } from '#web/data.ts'
import { Note } from '#web/ui/note.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'

/** Shows which payment handles are missing. Not rendered when all offered methods have one. */
export function PaymentsNote() {
  const { data: payments } = useQuery(query(getPaymentMethods))
  const missing = payments ? missingHandles(payments) : []
  if (missing.length === 0) return null
  return (
    <Note
      tone="warn"
      className="mb-5"
      action={
        <ButtonLink to="/admin/settings" search={{ section: 'payments' } as never} variant="ink" size="sm">
          Set Up Payments
        </ButtonLink>
      }
    >
      Payments are not set up: the {missing.join(' and the ')} {missing.length === 1 ? 'is' : 'are'} missing. Customers
      are asked to contact you before they pay.
    </Note>
  )
}
