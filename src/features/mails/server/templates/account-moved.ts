import * as z from 'zod/mini'
import type { Block } from '#kit/mail-body.ts'
import { button, compactBlocks, looksLikeAddress, note, text } from '../mail-blocks.ts'
import { type TemplateContext, template } from '../template.ts'

const data = z.object({ username: z.string() })
const sample = { username: 'olive' }

const moved = (username: string, { brand, origin }: TemplateContext): Block =>
  text(
    `Your ${brand} account is now at ${origin}.${looksLikeAddress(username) ? '' : ` Your username is ${username}.`} You can also log in with this email address.`,
  )
const reasonFor = ({ brand }: TemplateContext) => `You received this email because you have an account at ${brand}.`

/** To an imported customer whose password was imported too. */
export const accountMoved = template({
  title: 'Account moved',
  data,
  sample,
  write: ({ username }, context) => ({
    subject: `Your ${context.brand} account is on our new site`,
    preview: 'You log in with the same password as before.',
    heading: 'Your account has moved',
    blocks: compactBlocks(
      moved(username, context),
      text('Your password is the same as before.'),
      button('Log in', `${context.origin}/auth?tab=login`),
    ),
    reason: reasonFor(context),
  }),
})

/** To an imported customer without a password. */
export const accountMovedPassword = template({
  title: 'Account moved, choose a password',
  data,
  sample,
  linksTo: '/reset-password',
  write: ({ username }, context) => ({
    subject: `Your ${context.brand} account is on our new site`,
    preview: 'Choose a password to log in.',
    heading: 'Your account has moved',
    blocks: compactBlocks(
      moved(username, context),
      text('Choose a password to log in:'),
      { kind: 'button', label: 'Choose a password', url: context.link, plain: true },
      note(
        `The link works once and expires after 7 days. After that, request a new one at ${context.origin}/forgot-password.`,
      ),
    ),
    reason: reasonFor(context),
  }),
})
