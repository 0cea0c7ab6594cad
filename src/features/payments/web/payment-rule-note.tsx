import { Note } from '#web/ui/note.tsx'
import type { PaymentDetail } from '../admin-contract.ts'

/** Says what the rule of automatic confirmation did with a payment that an administrator now decides about. */
export function PaymentRuleNote({ rule }: Pick<PaymentDetail, 'rule'>) {
  switch (rule?.state) {
    case 'shadow':
      return <Note>Shadow mode: the rule would have confirmed this payment.</Note>
    case 'waiting':
      return <Note>The rule will confirm this payment within a minute.</Note>
    case 'refused':
      return <Note tone="warn">The rule did not confirm this payment. {rule.refusal}</Note>
    default:
      return null
  }
}
