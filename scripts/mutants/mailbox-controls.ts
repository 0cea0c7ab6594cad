import type { Mutant } from './mutant.ts'

const mailbox = 'src/features/receipts/server/mailbox'
const tests = ['src/features/receipts/mailbox-oauth.test.ts']
const control = (name: string, file: string, text: string, instead: string): Mutant => ({
  control: `mailbox: ${name}`,
  edits: [{ file, text, instead }],
  tests,
})

/** The controls of the OAuth login to the mailbox, and of emails that become tickets. */
export const mailboxControls: Mutant[] = [
  control(
    'a consent belongs to the administrator who requested it',
    `${mailbox}/connect-account.ts`,
    ' || begun.adminId !== actorId',
    '',
  ),
  control('a consent needs its state', `${mailbox}/connect-account.ts`, ' || !isSame(begun.state, state)', ''),
  control(
    'a login with OAuth is completed once',
    `${mailbox}/connect-account.ts`,
    "    await writeSecret(tx, config, 'mailbox-connect', null)\n",
    '',
  ),
  control(
    'a change of the account deletes the consent',
    `${mailbox}/settings.ts`,
    'if (before.connectedAt !== null && !isSameConsent(before.value, input))',
    'if (false)',
  ),
  control(
    'a change of the client deletes the client secret',
    `${mailbox}/settings.ts`,
    ' || (before.clientSecretSet && !isSameClient(before.value, input))',
    '',
  ),
  {
    control: 'mailbox: a reply counts as the customer’s only if its sender is proven',
    edits: [
      {
        file: 'src/features/tickets/server/service/receive-answer.ts',
        text: 'isProven && [ticket.email',
        instead: '[ticket.email',
      },
    ],
    tests: ['src/features/receipts/mailbox-answers.test.ts'],
  },
  {
    control: 'mailbox: only a proven sender opens a ticket',
    edits: [
      {
        file: `${mailbox}/process-ticket-email.ts`,
        text: ' || (ticketId === undefined && !read.isProven)',
        instead: '',
      },
    ],
    tests: ['src/features/receipts/mailbox-answers.test.ts'],
  },
]
