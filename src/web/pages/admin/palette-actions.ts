import { asksForPayment, needsLink } from '#features/billing/rules.ts'
import type { DeskResults } from '#features/desk/admin-contract.ts'
import { formatCents } from '#kit/money.ts'
import type { Needs } from '#kit/permissions.ts'
import { openRow } from '#web/ui/table/use-opened-by-address.ts'
import type { Verb } from './palette-words.ts'

/** An entry of the command palette that opens a URL. */
export interface Target {
  id: string
  label: string
  note: string
  href: string
}

type Action = Target & { verb: Verb; needs: Needs }

/** Returns the URL of the Admin Panel that shows one row of a list and opens the dialog of an action for it. */
const rowHref = (tab: string, search: string, id: number, action: string): string =>
  `/admin?${new URLSearchParams({ tab, search, open: openRow(id, action) })}`

/** Returns the actions that are possible now for the found invoices and trial requests. If a verb was typed, returns only the actions of that verb. */
export function actionsFor({ invoices, trials }: DeskResults, verb: Verb | undefined): Action[] {
  const actions: Action[] = [
    ...invoices
      .filter((invoice) => invoice.status === 'pending' && !asksForPayment(invoice))
      .map((invoice): Action => {
        const { id, invoiceNumber, username, amount } = invoice
        return needsLink(invoice)
          ? {
              needs: 'invoices.edit',
              id: `link-${id}`,
              verb: 'send',
              label: `Send link for ${invoiceNumber}`,
              note: `${username}, ${formatCents(amount)} by card`,
              href: rowHref('invoices', invoiceNumber, id, 'link'),
            }
          : {
              needs: 'payments.decide',
              id: `confirm-${id}`,
              verb: 'confirm',
              label: `Confirm ${formatCents(amount)} from ${username}`,
              note: invoiceNumber,
              href: rowHref('invoices', invoiceNumber, id, 'manage'),
            }
      }),
    ...trials.flatMap(({ id, username }): Action[] => [
      {
        needs: 'trials.decide',
        id: `approve-${id}`,
        verb: 'approve',
        label: `Approve trial of ${username}`,
        note: 'Trial request',
        href: rowHref('trials', `#${id}`, id, 'approve'),
      },
      {
        needs: 'trials.decide',
        id: `deny-${id}`,
        verb: 'deny',
        label: `Deny trial of ${username}`,
        note: 'Trial request',
        href: rowHref('trials', `#${id}`, id, 'deny'),
      },
    ]),
  ]
  // Denying is offered only if its verb was typed.
  return actions.filter((action) => (verb ? action.verb === verb : action.verb !== 'deny'))
}
