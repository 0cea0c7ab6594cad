import * as z from 'zod/mini'
import { formatCents } from '#kit/money.ts'
import { button, compactBlocks, facts, formatDate, invoiceFields, optionalDateTime, text } from '../../mail-blocks.ts'
import { template } from '../../template.ts'

export const paymentConfirmed = template({
  title: 'Payment confirmed',
  data: z.object({ ...invoiceFields, endDate: optionalDateTime }),
  sample: {
    invoiceNumber: 'ORD-7K2M9Q',
    planName: 'Little Beast: 2 Connections',
    amount: 2_499,
    endDate: '2026-12-21T20:14:00.000Z',
  },
  attaches: ({ invoiceNumber }) => invoiceNumber,
  write: ({ invoiceNumber, planName, amount, endDate }, { brand, origin, claims }) => ({
    subject: `Payment confirmed: ${invoiceNumber}`,
    preview: `${planName} is active. Enjoy ${brand}.`,
    heading: 'Your payment is confirmed',
    blocks: compactBlocks(
      text('Thank you. Your subscription is active and you can start watching. The receipt is attached.'),
      facts(
        ['Invoice', invoiceNumber],
        ['Plan', planName],
        ['Paid', formatCents(amount)],
        ['Active until', endDate ? formatDate(endDate) : null],
      ),
      button('Go to my account', `${origin}/dashboard`),
      text(`New here? The setup guide helps you get started: ${origin}/setup`),
      claims.moneyBackDays > 0 &&
        text(
          `You have ${claims.moneyBackDays} days to change your mind: request a refund on the invoice in your account and you get your money back.`,
        ),
    ),
    reason: 'You received this email because a payment for your account was confirmed.',
  }),
})
