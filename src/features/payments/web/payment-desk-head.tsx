import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { getAutomation } from '../admin-automation-contract.ts'
import type { PaymentGroup } from '../admin-contract.ts'
import { addedSums, sumsText } from '../rules.ts'
import { AutomationButton } from './automation-button.tsx'

interface Props {
  /** The payments to decide, once the list is loaded. */
  groups: { ready: PaymentGroup; decide: PaymentGroup } | undefined
  /** More buttons beside Record Payment. */
  actions: ReactNode
  /** The id of the button Record Payment. */
  recordId: string
  onRecord: (button: HTMLButtonElement) => void
}

/** Shows how many payments need a decision and whether payments are confirmed automatically, with the buttons for the whole desk. */
export function PaymentDeskHead({ groups, actions, recordId, onRecord }: Props) {
  const confirmsByRule = useQuery(query(getAutomation)).data?.mode === 'on'
  return (
    <div className="payment-desk-head">
      <p aria-live="polite">
        {groups && (
          <>
            <b className="num">
              {groups.ready.count + groups.decide.count} to check, {sumsText(addedSums(groups.ready, groups.decide))}.
            </b>{' '}
            {confirmsByRule
              ? 'Payments that meet every condition are confirmed automatically.'
              : 'No payment is confirmed automatically.'}
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <AutomationButton />
        <May needs="payments.decide">
          {actions}
          <Button id={recordId} variant="line" onClick={({ currentTarget }) => onRecord(currentTarget)}>
            <Plus size={18} />
            Record Payment
          </Button>
        </May>
      </div>
    </div>
  )
}
